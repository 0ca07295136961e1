"""Units that nothing tells apart but their names: what one stack of them can do, any other one made up alike can do, too.

In a hex with eight units that are alike there are 255 teams, but only eight that differ: the others needn't be searched.
Of those of a team that are alike the first ones are dropped first; what it comes to if others are is put together from that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.stakes import Stakes
from planner.reachability.team_possibility import TeamPossibility
from planner.rules.atoms import Atom, Room


class Likeness:
    """Which teams are made up alike.

    Parameters
    ----------
    reach : ConditionalReach
        The game, and the groups that its rules make of units.
    stakes : Stakes
        By what their moves may matter.
    """

    def __init__(self, reach: ConditionalReach, stakes: Stakes) -> None:
        self._reach, self._stakes = reach, stakes
        self._known: dict[str, object] = {}

    def of(self, team: tuple[str, ...]) -> tuple[object, ...]:
        """Return what is the same for teams whose units, one by one, differ by their names alone."""
        return tuple(map(self._of_unit, team))

    def _of_unit(self, unit: str) -> object:
        if unit not in self._known:
            game = self._reach.game
            self._known[unit] = (
                self._reach.kind_of(game.units[unit]),
                game.homes[unit],
                frozenset(name for name, members in self._reach.groups.items() if unit in members),
                self._reach.departures(unit),
                self._reach.tally_before(game.units[unit]),
                unit if unit in self._reach.in_hand else "",  # whom it leaves behind may lift its stops
                self._stakes.of(unit),
            )
        return self._known[unit]


def renamed(possibility: TeamPossibility, team: tuple[str, ...]) -> TeamPossibility:
    """Return what another team does that does the same, one by one."""
    if team == possibility.units:
        return possibility
    names = dict(zip(possibility.units, team, strict=True))
    return replace(
        possibility,
        units=team,
        drops=tuple((step, names[unit]) for step, unit in possibility.drops),
        needs=frozenset(_renamed_atom(atom, names) for atom in possibility.needs),
        forks=tuple(replace(fork, units=tuple(names[unit] for unit in fork.units)) for fork in possibility.forks),
    )


def rearranged(possibility: TeamPossibility, alike: Sequence[object]) -> Iterator[TeamPossibility]:
    """Yield all that comes of a possibility if units of the team that are alike take each other's places, each once.

    Parameters
    ----------
    possibility : TeamPossibility
        What the team can do.
    alike : sequence
        For each unit of the team what those have in common whom nothing tells apart but their names.
    """
    team, dropped = possibility.units, {unit: step for step, unit in possibility.drops}
    roles = [(dropped.get(unit), *(unit in fork.units for fork in possibility.forks)) for unit in team]
    order = {unit: i for i, unit in enumerate(team)}
    for places in _places(roles, alike):
        names = {team[i]: team[at] for at, i in enumerate(places)}
        drops = [(step, names[unit]) for step, unit in possibility.drops]
        yield replace(
            possibility,
            ends=tuple(possibility.ends[i] for i in places),
            mp=tuple(possibility.mp[i] for i in places),
            expected_mp=tuple(possibility.expected_mp[i] for i in places),
            drops=tuple(sorted(drops, key=lambda one: (one[0], order[one[1]]))),
            forks=tuple(
                replace(fork, units=tuple(sorted((names[unit] for unit in fork.units), key=order.__getitem__)))
                for fork in possibility.forks
            ),
        )


def _places(roles: Sequence[object], alike: Sequence[object], taken: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield whose role each unit of a team may take, each distribution of roles once."""
    if len(taken) == len(roles):
        yield taken
        return
    tried = set[object]()
    for i, role in enumerate(roles):
        if i not in taken and alike[i] == alike[len(taken)] and role not in tried:
            tried.add(role)
            yield from _places(roles, alike, (*taken, i))


def _renamed_atom(atom: Atom, names: Mapping[str, str]) -> Atom:
    """Return the same need of another team: room is the only one that names who comes."""
    if not isinstance(atom, Room):
        return atom
    return replace(atom, but=frozenset(names.get(unit, unit) for unit in atom.but))
