"""What others can do for a unit by the plans that are known of where each of them can go."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.verdict import Verdict
from planner.rules.atom_order import in_order
from planner.rules.atoms import Atom
from planner.search.reach_entries import Answer, Found
from planner.search.witness_judge import chance_of
from planner.solver.tuning import WitnessPlans


class KnownPlans:
    """Puts together what others do for a unit.

    Parameters
    ----------
    reach : ConditionalReach
        What single units can do.
    known : mapping from units to what is found
        The plans that are known of the units that are asked about; more may be found meanwhile.
    alone : callable
        Returns what another unit can do by itself.
    twice : bool
        Whether a unit may make several moves.

    Attributes
    ----------
    known : mapping from units to what is found
        The plans that are known.
    """

    def __init__(
        self, reach: ConditionalReach, known: Mapping[str, Found], alone: Callable[[str], Answer], twice: bool
    ) -> None:
        self.known = known
        self._reach, self._game, self._alone, self._twice = reach, reach.game, alone, twice
        self._removed: dict[str, tuple[int, dict[str, list[str]]]] = {}
        self._groups: dict[str, tuple[str, ...]] = {}

    def doing(self, needs: Iterable[Atom], team: Collection[str], label: str) -> Iterator[tuple[Move, ...] | None]:
        """Yield moves of others that bring about what a team needs to end in a place; None: they don't go together."""
        ways = [self._bringing(team, atom) for atom in _others(needs)]
        ways.append(self._making_room(team, label))
        some = [list(islice(way, WitnessPlans.ways)) for way in ways]
        yield from _combined(some, self._twice)

    def _making_room(self, team: Collection[str], label: str) -> Iterator[Plan]:
        """Yield that nobody moves, and then plans of friends who leave a hex: limits of how many may stay ask for it."""
        yield Plan()
        for other in self._game.sorted(self._game.units_at(label)):
            plans = self._plans(other, team) if other in self._game.friends.difference(team) else ()
            yield from islice((plan for to, (plan, _) in plans if to != label), 1)

    def _plans(self, other: str, team: Collection[str]) -> Iterator[tuple[str, tuple[Plan, Verdict]]]:
        """Yield the plans that are known of another unit in which nobody of a team moves: those on the map first."""
        hexes = self._game.board.hexes
        for to, pair in sorted(self._found(other).items(), key=lambda one: one[0] not in hexes):
            if _leaves_alone(pair[0], team):
                yield to, pair

    def _in_order(self, group: str) -> tuple[str, ...]:
        """Return the units of a group in the order of the scenario."""
        if group not in self._groups:
            self._groups[group] = self._game.sorted(self._reach.group(group))
        return self._groups[group]

    def _found(self, other: str) -> Found:
        """Return what is known of a unit: by itself, if no more is asked of it."""
        return self.known[other] if other in self.known else self._alone(other)[0]

    def _removing(self, other: str, found: Found) -> dict[str, list[str]]:
        """Return, by whom or what plans eliminate or take, the places to which they take a unit."""
        seen, places = self._removed.get(other, (0, {}))
        for label, (_, verdict) in islice(found.items(), seen, None):  # more and more is found
            for name in dict.fromkeys(name for one in verdict.moves for name in (*one.removed, *one.taken)):
                places.setdefault(name, []).append(label)
        self._removed[other] = len(found), places
        return places

    def _bringing(self, team: Collection[str], atom: Atom) -> Iterator[Plan]:
        """Yield plans of others that bring about what a team needs."""
        homes, reach = self._game.homes, self._reach
        if (space := atom.space) is not None:
            yield Plan()
            leaving = [
                next((plan for label, (plan, _) in self._plans(other, team) if label != space.hex), None)
                for other in self._game.sorted(reach.group(space.group))  # a set's own order differs from run to run
                if other not in team and homes.get(other) == space.hex
            ]
            yield Plan(tuple(dict.fromkeys(move for plan in leaving if plan is not None for move in plan.moves)))
            return
        if (friend := atom.friend) is not None:
            others = [other for other in self._in_order(friend.group) if other not in team]
            if any(homes.get(other) == friend.hex for other in others):
                yield Plan()
            # Without a friend who may fail to come, as far as rolls may not be relied upon, the move would be illegal.
            least, to = self._game.situation.confidence, friend.hex
            coming = ((other, pair) for other in others if (pair := self._found(other).get(to)) is not None)
            able = [
                pair
                for other, pair in coming
                if _leaves_alone(pair[0], team) and chance_of(pair[1], other, to) >= least
            ]
            yield from (plan for plan, _ in sorted(able, key=lambda pair: len(pair[1].outcomes)))  # the surest first
        for enemy in (atom.victim,) if atom.victim else ():
            for other in self._game.sorted(set().union(*(reach.possible_removers(unit, enemy) for unit in team))):
                found = self._found(other)
                plans = (found[label][0] for label in self._removing(other, found).get(enemy, ()))
                yield from (plan for plan in plans if _leaves_alone(plan, team))


def _others(needs: Iterable[Atom]) -> list[Atom]:
    """Return what is needed of other units, in a fixed order: carriers are nobody's."""
    return in_order(atom for atom in needs if atom.helped)


def _combined(
    ways: Sequence[Sequence[Plan]], twice: bool, made: tuple[Move, ...] = ()
) -> Iterator[tuple[Move, ...] | None]:
    """Yield the moves of one plan of each way, and None wherever that can't be: somebody would move `twice`, who may not."""
    if not ways:
        yield made
    for plan in ways[0] if ways else ():
        moves = tuple(dict.fromkeys((*made, *plan.moves)))
        movers = [unit for move in moves for unit in move.units]
        if twice or len(movers) == len(set(movers)):
            yield from _combined(ways[1:], twice, moves)
        else:
            yield None


def _leaves_alone(plan: Plan, team: Collection[str]) -> bool:
    """Tell whether nobody of a team moves in a plan."""
    return not any(unit in team for move in plan.moves for unit in move.units)
