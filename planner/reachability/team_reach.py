"""What stacks can do together that their units can't do one by one: overruns whose result is rolled.

A unit that makes no overrun moves as well by itself, before those of its stack that go on; so a stack is looked at only
where it overruns, and every unit in it takes part in its first overrun. From then on it may drop units.

A label-setting search per team over (hex, who is still moving, MP of each, conditions, own overruns). A label is dominated
by one at the same hex with the same units, dropped in the same hexes, and the same rolls from the same hexes, in which
nobody has spent more, fewer conditions are needed, and at least the same enemies are gone.

Relevance. Where nobody may rely on a roll, a team's move matters to the objective alone: by whom it eliminates, and by who
may end in a hex that a term names. So units are dropped only in such hexes, in hexes that they have overrun, which hold the
whole team since nobody else may count on entering them, and where they negate an EZOC for the others; whoever ends
elsewhere had better stay in the last of these. A move that comes to nothing of the kind is no better than staying, nor is
its last overrun, if it is of somebody on whom the objective doesn't depend: it had better end before it. Of a team for
which a hex that it may overrun is too narrow, everything counts: some of it must go on, wherever to.
Units of which it matters where they end, wherever that is, may be dropped anywhere, and go on by themselves to anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations

from planner.reachability.alike_units import Likeness, rearranged, renamed
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.narrow_hexes import too_narrow
from planner.reachability.stakes import Stakes
from planner.reachability.team_label import TeamLabel, possibility_of
from planner.reachability.team_possibility import TeamPossibility
from planner.reachability.team_prospect import TeamProspect
from planner.reachability.team_search import TeamSearch
from planner.reachability.worker_processes import list_all
from planner.rules.atoms import Conjunction, Room
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.demands import Demand
from planner.rules.play import overrun_links
from planner.world.forces import Unit


class TeamReach:
    """What teams can do in one game.

    Parameters
    ----------
    reach : ConditionalReach
        The steps, what is known of conditions, and the clock.
    stakes : Stakes, optional
        By what their moves may matter; absent: by anything.
    """

    def __init__(self, reach: ConditionalReach, stakes: Stakes | None = None) -> None:
        self.reach = reach
        self.game = reach.game
        stakes = stakes or Stakes()
        some = reach.removals_welcome or stakes.apart is not None
        # Who has to move may have nothing else to do than an attempt that gains nothing.
        some = some and reach.nobody_has_to_move
        self._stakes = stakes if reach.prune and some and not reach.relies_on_rolls else Stakes()
        self._prospects: dict[tuple[str, frozenset[str] | None], TeamProspect] = {}
        self._known_targets: dict[str, set[str]] = {}

    def all_possibilities(self, but: frozenset[str] = frozenset()) -> list[TeamPossibility]:
        """Return every non-dominated possibility of every team; however many processes list, they list the same.

        Parameters
        ----------
        but : frozenset of str
            The units that are in no team.

        Raises
        ------
        OutOfTimeError
            If the deadline passes, or somebody stops the search.
        """
        alone: list[tuple[str, ...]] = [
            (unit,) for unit in self.reach.movers if self.reach.rolls_alone(self.game.units[unit])
        ]
        hand = self.game.sorted(self.reach.stack_in_hand)
        alone += [team for size in range(1, len(hand) + 1) for team in combinations(hand, size)]
        teams = [team for team in (*alone, *self._joint_teams()) if but.isdisjoint(team)]
        alike = Likeness(self.reach, self._stakes)
        first = {alike.of(team): team for team in reversed(teams)}
        workers, check_time = self.reach.limits.workers, self.reach.check_time
        listed = list_all(self.possibilities, list(first.values()), workers, check_time)
        known = dict(zip(first, listed, strict=True))
        return [renamed(possibility, team) for team in teams for possibility in known[alike.of(team)]]

    def _joint_teams(self) -> Iterator[tuple[str, ...]]:
        """Yield units that begin in the same hex and might overrun the same one."""
        if not self.reach.of(JointlyOverruns):
            return
        stacks: dict[str, list[str]] = {}
        for unit in self.reach.movers:
            if unit not in self.reach.in_hand:
                stacks.setdefault(self.game.homes[unit], []).append(unit)
            elif len(self.reach.in_hand) == 1:  # nobody joins a move that has begun
                stacks[unit] = [unit]
        for units in stacks.values():
            able = [unit for unit in units if self._targets(unit)]
            for size in range(1, (len(able) if self.game.rulebook.stacks else 1) + 1):
                for team in combinations(able, size):
                    self.reach.check_time()
                    if set.intersection(*(self._targets(unit) for unit in team)):
                        yield team

    def _targets(self, unit: str) -> set[str]:
        """Return the places that a unit could overrun if nothing but terrain and its own class mattered."""
        found = self._known_targets.get(unit)
        if found is None:
            found = self._known_targets[unit] = set()
            counter = self.game.units[unit]
            for enemy, home in self.game.homes.items():
                if self.game.is_enemy(enemy):
                    for origin in overrun_links(self.game, home):
                        if self.reach.overrun_steps(counter, origin, home):
                            found.add(home)
        return found

    def _joint_targets(self, team: Sequence[str]) -> set[str]:
        """Return the hexes that some of a team could overrun."""
        return set().union(*map(self._targets, team)) if self.reach.of(JointlyOverruns) else set()

    def _prospect(self, unit: str, matter: frozenset[str] | None) -> TeamProspect:
        self.reach.check_time()
        if (unit, matter) not in self._prospects:
            self._prospects[unit, matter] = TeamProspect(self.reach, unit, matter)
        return self._prospects[unit, matter]

    def possibilities(
        self, team: tuple[str, ...], allowed: Callable[[TeamLabel], bool] | None = None
    ) -> list[TeamPossibility]:
        """Return every non-dominated possibility of a team that overruns at least once, or rolls.

        Parameters
        ----------
        team : tuple of str
            Units that begin in the same hex.
        allowed : callable, optional
            Which steps may be made at all; gets the label to which one leads.
        """
        units = [self.game.units[unit] for unit in team]
        stakes = Stakes() if self.reach.in_hand.issuperset(team) else self._stakes
        if stakes.names is not None and too_narrow(self.reach, units, self._joint_targets(team)):
            stakes = Stakes()
        prospects = [self._prospect(unit, stakes.of(unit)) for unit in team]
        likeness = Likeness(self.reach, stakes).of(team) if allowed is None else team
        search = TeamSearch(self.reach, team, stakes, prospects, allowed, likeness)
        found: dict[object, list[TeamPossibility]] = {}
        for label in search.run():
            self.reach.check_time()
            for ending in self._endings(units, label):
                for one in rearranged(possibility_of(self.reach, units, label, ending), likeness):
                    self._add(found, one)
        return [possibility for rivals in found.values() for possibility in rivals]

    def _endings(self, team: list[Unit], label: TeamLabel) -> Iterator[int]:
        """Yield what units need, as bits, to end their move at a label: where each is dropped, and where it may be stuck."""
        ends = {unit.id: end or label.hex for unit, end in zip(team, label.ends, strict=True)}
        places = [(at, [unit for unit in team if ends[unit.id] == at]) for at in dict.fromkeys(ends.values())]
        before, sure = Fraction(1), self.game.situation.confidence
        for roll in label.rolls.made:
            may_fail, before = roll.chance < min(before, sure), roll.chance
            if not may_fail:  # what is relied on need not be legal if it fails
                continue
            dropped = [unit for unit in team if unit.id not in roll.units and ends[unit.id] == roll.at]
            places.append((roll.at, [*dropped, *(unit for unit in team if unit.id in roll.units)]))
        asked = [
            replace(one, any_of=_room_beside(one, team)) for at, those in places for one in self.reach.halt(those, at)
        ]
        truth = partial(self.reach.before_all, team=frozenset(ends))
        yield from self.reach.alternatives(team[0], asked, label.cond, label.removes, truth)

    def _add(self, found: dict[object, list[TeamPossibility]], new: TeamPossibility) -> None:
        """Keep a possibility unless one that comes to the same is at least as good."""
        places = tuple((fork.at, fork.chance, fork.units) for fork in new.forks)
        exactly, welcome = self.reach.may_be_left_undone, self.reach.removals_welcome
        hexes = min(len(new.path) - 1, self.reach.counts_hexes)
        rivals = found.setdefault((new.ends, places, hexes, () if welcome else new.aboard), [])
        if self.reach.prune:
            if any(_as_good(rival, new, exactly, welcome) for rival in rivals):
                return
            rivals[:] = [rival for rival in rivals if not _as_good(new, rival, exactly, welcome)]
        rivals.append(new)


def _room_beside(demand: Demand, team: Sequence[Unit]) -> tuple[Conjunction, ...]:
    """Return what fulfils a demand where none of a team counts as one of the others."""
    us = frozenset(unit.id for unit in team) if len(team) > 1 else frozenset[str]()
    return tuple(
        frozenset(replace(atom, but=us) if isinstance(atom, Room) else atom for atom in conjunction)
        for conjunction in demand.any_of
    )


def _as_good(one: TeamPossibility, other: TeamPossibility, exactly: bool, welcome: bool) -> bool:
    return (
        all(a <= b for a, b in zip(one.mp, other.mp, strict=True))
        and all(a <= b for a, b in zip(one.expected_mp, other.expected_mp, strict=True))
        and (one.needs == other.needs if exactly else one.needs <= other.needs)
        and (dict(other.removes).items() <= dict(one.removes).items() if welcome else one.removes == other.removes)
    )
