"""What of all that the units can do can matter to the objective: the rest is left out before a model is built.

A possibility *matters* if its unit ends where the objective looks, or where another unit's possibility that matters
needs a friend; if it eliminates whom the objective or another such possibility wants gone; or if others may need the
room that its unit leaves. That is a least fixed point, from the objective on: two moves that are of use to each other
alone are of no use.

Leaving the rest out loses nothing. Take any plan, and let all who make other moves stay where they are. Whatever the
moves that are left needed of a friend's coming, or of an enemy's end, is still there; what they needed of somebody's
leaving is there, because all possibilities of units count whose hex others might have to find free. No term counts a
move in a plan's favor but through where it ends and whom it eliminates (`Term.depends_on`), and all else costs.

Of moves that matter for whom they eliminate alone, it doesn't matter where they end; one that does as much with no more
MP and no further needs, and ends where no limit can bind, takes the place of the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planner.conditional_reach import ConditionalReach, Possibility
from planner.game import Game
from planner.rules.base import Atom, Carried, Demand, Foremost, Friend, Gone, Room, There, Vacant

Possibilities = Mapping[str, Sequence[Possibility]]


class _UnknownError(Exception):
    """A rule asks for something of the last position of which it isn't known here who it binds."""


@dataclass
class _Crowds:
    """An `EndState` that notes in which hexes some rule could be broken, if each unit ends in any of its hexes.

    Attributes
    ----------
    stands_in : mapping from units to hexes
        Where each unit may end.
    hexes : set of str
        Where a limit can bind.
    """

    game: Game
    stands_in: Mapping[str, Collection[str]]
    hexes: set[str] = field(default_factory=set)

    def moves(self, unit: str) -> Any:
        """Return what stands for the unit's making a move."""
        return ("moves", unit, "")

    def negate(self, expression: Any) -> Any:
        """Return what stands for the contrary."""
        return ("not", expression, "")

    def stands(self, unit: str, label: str) -> Any:
        """Return what stands for the unit's ending in the hex."""
        return ("stands", unit, label)

    def possible_stands(self, unit: str) -> Sequence[str]:
        """Return where the unit may end."""
        return tuple(self.stands_in.get(unit, ()))

    def at_most(self, terms: Sequence[tuple[int, Any]], limit: int, demand: Demand) -> None:
        """Note the hexes of those who stand in the sum; moves in it are those that are left out."""
        for weight, (kind, _, label) in terms:
            if weight < 0 or kind == "not":
                raise _UnknownError
            if kind == "stands":
                self.hexes.add(label)


class Relevance:
    """What can matter of the units' possibilities.

    Parameters
    ----------
    reach : ConditionalReach
        Where the possibilities come from, of a game without results that are rolled.
    possibilities : mapping from units to possibilities
        All of them.
    goals : collection of str
        The hexes and the enemies on which objective and requirements depend.
    """

    def __init__(self, reach: ConditionalReach, possibilities: Possibilities, goals: Collection[str]) -> None:
        self._reach, self._game = reach, reach.game
        self._all = possibilities
        self._goals = frozenset(goals)
        self._kept: dict[str, list[Possibility]] = {unit: [] for unit in possibilities}
        # Who needs a friend in which hex, and which enemy gone.
        self._asked: dict[str, set[str]] = {}
        # Hexes in which somebody needs room: nobody may be taken to stay, or to end, there instead.
        self._to_be_left: set[str] = set()
        self._crowded: set[str] = set()

    def kept(self) -> dict[str, list[Possibility]]:
        """Return the possibilities that can matter; all of them where that can't be told."""
        homes = self._game.homes
        try:
            while True:
                before = sum(map(len, self._kept.values()))
                self._look_for_crowds()
                for unit, those in self._all.items():
                    # Who stands where others need room may have to leave, wherever to.
                    anything = not self._is_roomy(homes[unit])
                    self._kept[unit] = self._without_worse_ends(
                        [found for found in those if anything or self._matters(found)]
                    )
                    for found in self._kept[unit]:
                        self._ask(found)
                if before == sum(map(len, self._kept.values())):
                    return self._kept
        except _UnknownError:
            return {unit: list(those) for unit, those in self._all.items()}

    def _ask(self, found: Possibility) -> None:
        """Note what a possibility that matters needs of others."""
        for atom in found.needs:
            if isinstance(atom, Friend):
                self._asked.setdefault(atom.hex, set()).add(found.unit)
            elif isinstance(atom, (Gone, There)):
                self._asked.setdefault(atom.enemy, set()).add(found.unit)
            elif isinstance(atom, (Room, Vacant)):
                self._to_be_left.add(atom.hex)
            elif not isinstance(atom, (Carried, Foremost)):
                raise _UnknownError

    def _wanted(self, name: str, unit: str) -> bool:
        """Tell whether a unit's being in a hex, or an enemy's being gone on its account, matters to anybody else."""
        return name in self._goals or not self._asked.get(name, frozenset()) <= {unit}

    def _matters(self, found: Possibility) -> bool:
        return self._wanted(found.end, found.unit) or any(self._wanted(enemy, found.unit) for enemy in found.kills)

    def _look_for_crowds(self) -> None:
        homes = self._game.homes
        stands_in = {unit: [home] for unit, home in homes.items() if unit in self._game.phasing}
        for unit, those in self._kept.items():
            stands_in[unit] = list(dict.fromkeys([homes[unit], *(found.end for found in those)]))
        crowds = _Crowds(self._game, stands_in)
        for rule in self._reach.rules:
            rule.post_end(crowds)
        self._crowded = crowds.hexes

    def _is_roomy(self, label: str) -> bool:
        """Tell whether it hinders nobody, and breaks no limit, if a unit stands in a hex."""
        return label not in self._crowded and label not in self._to_be_left

    def _without_worse_ends(self, those: list[Possibility]) -> list[Possibility]:
        """Leave out possibilities that are of use for whom they eliminate alone where another does as much for less."""
        best: dict[frozenset[str], list[frozenset[Atom]]] = {}
        found = []
        for one in sorted(those, key=lambda one: (one.mp, len(one.needs), -len(one.kills))):
            kills = frozenset(enemy for enemy in one.kills if self._wanted(enemy, one.unit))
            # Only those that eliminate the same are compared: with all, it takes longer and finds hardly more.
            rivals = best.setdefault(kills, [])
            if not self._wanted(one.end, one.unit) and any(needs <= one.needs for needs in rivals):
                continue
            found.append(one)
            if self._is_roomy(one.end):
                rivals.append(one.needs)
        return found
