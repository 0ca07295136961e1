"""Plans of many rolls: moves that have nothing to do with each other are gone through by themselves.

A plan of thirty rolls has more outcomes than anybody could list. But its moves fall into groups, none of which looks at
anything that the rolls of another one may change; then what rolls lead to in one is the same whatever the others come to,
probabilities multiply, and what is counted of one hex or unit asks for the outcomes of its own group alone.

Why that is so. Each move looks at some parts of the position, and changes some (keys, as `recording_position` notes
them); what it does depends on what it looks at alone. A group's moves are gone through, with all that its rolls may lead
to, in the world in which the rolls of all other moves go well; so a move of the group has variants there, and one that
isn't in any group has one. *What may differ* after a move are the keys that not all of its variants change in the same
way. Groups are merged until no move looks at a key that may differ after an earlier move of another group.

Then, whatever is rolled, each move does what it does in one of its group's outcomes, whatever the other groups' rolls
come to. By induction over the moves: let all before move t of group A have done so. A key that move t looks at there may
not differ after any earlier move of another group: all that these do to it is what they do in A's own world, where their
rolls go well, and in the same order; what A's moves do to it is the same as there, too. So move t sees what it sees in
A's world, and does what it does there: the same changes, violations, and rolls with the same chances. (That holds for
hexes, to which units are added and from which they are taken, as for what is overwritten: who is moved has been looked
at, so that from where is known.) Hence the chances of a group's rolls don't depend on those of others, the position after
the last move is what all changes make in the order of the moves, and whoever looks at a few keys of it sees the same
whatever is rolled by groups after whose moves none of these may differ.

Who stands in a hex may differ on account of one group at most: others are merged, too. So a rule that looks at each hex
by itself finds in the end what it finds in the worlds of the groups.

Where any move, or the position after the last one, is illegal in any outcome, nothing is taken apart: what may be relied
upon then is a matter of all rolls together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import prod

from planner.errors import Problem, TooManyOutcomesError
from planner.objective import Tally
from planner.plans.plan import Plan
from planner.referee import outcomes
from planner.referee.combined_outcomes import SPENT, TOO_MANY, CombinedMove, CombinedOutcomes, Group, Outcome
from planner.referee.outcomes import Done, Others, Outcomes, illegal_with_few_strays, later_units
from planner.referee.recording_position import MOVED, REMOVED, WHOLE, Look, Sight, SightMemory, change
from planner.referee.referee import Referee, tally_of
from planner.referee.verdict import PlayedMove, Violation
from planner.rules.roles import Ends
from planner.world.position import Position

MANY_ROLLS = 64
"""How many outcomes are to be expected where moves are gone through in groups."""

MOST_COMBINATIONS = 1_000
"""How many combinations of outcomes are looked at to be sure that nobody ends where he may not."""


class _Splitting:
    """Finds the groups of a plan."""

    def __init__(
        self, referee: Referee, plan: Plan, start: Position, check_time: Callable[[], None] | None, most: int
    ) -> None:
        self._referee, self._plan, self._start, self._check_time, self._most = referee, plan, start, check_time, most
        self._memory: SightMemory[Done] = SightMemory()
        self._well: list[CombinedMove] = []
        self._spent: list[dict[str, Fraction]] = []
        self._rolled: list[bool] = []
        self._explored: dict[frozenset[int], Outcomes] = {}

    def run(self) -> CombinedOutcomes | None:
        """Return all outcomes; None if anything may be illegal in any of them."""
        end = self._all_goes_well()
        groups = self._begin()
        while True:
            trees = [self._explore(group) for group in groups]
            disturbed = [(group, tree.disturbed) for group, tree in zip(groups, trees, strict=True)]
            together = [group | {index} for group, index in disturbed if index is not None]
            if together:
                groups = _joined([*groups, *together])
                continue
            if any(tree.stumbles for tree in trees):
                return None
            spheres = [_Sphere(one for made in tree.made for one in made) for tree in trees]
            merged = self._merged(groups, spheres)
            if merged == groups:
                break
            groups = merged
        found = []
        for group, tree, sphere in zip(groups, trees, spheres, strict=True):
            spent = {(SPENT, unit) for index in group for unit in self._plan.moves[index].units}
            found.append(Group(tree.outcomes, tree.made, frozenset(sphere.differing).union(spent)))
        combined = CombinedOutcomes(self._start, end, self._well, found)
        return combined if self._is_legal_in_the_end(combined) else None

    def _merged(self, groups: Sequence[frozenset[int]], spheres: Sequence[_Sphere]) -> list[frozenset[int]]:
        """Return the groups, each joined by the moves, and the groups of these, to which it may matter what it rolls."""
        owners = {index: number for number, group in enumerate(groups) for index in group}
        joined = list(groups)
        for index, made in enumerate(self._well):
            own = owners.get(index)
            sphere = _Sphere([made]) if own is None else spheres[own]
            joined += [
                group | {index}
                for number, group in enumerate(groups)
                if number != own and spheres[number].matters_to(index, sphere)
            ]
        hexes: dict[Look, frozenset[int]] = {}
        for group, sphere in zip(groups, spheres, strict=True):
            for look in sphere.differing:
                if look[0] == "_by_hex":
                    joined.append(group | hexes.setdefault(look, group))
        return _joined(joined)

    def _all_goes_well(self) -> Outcome:
        position, tally, later = self._start, tally_of(self._start, self._plan), later_units(self._plan)
        for index, move in enumerate(self._plan.moves):
            moved = [unit for unit in move.units if unit in tally.mp]

            def play(there: Position, index: int = index, moved: list[str] = moved) -> Done:
                return self._referee.play_move(self._plan.moves[index], there, moved, index, later[index], {})

            sight, (_, played), changes = self._memory.done((move, index, None, tuple(moved)), position, play)
            position = position.copy()
            change(position, changes)
            self._well.append(CombinedMove(index, changes, sight))
            self._spent.append(dict(played.spent))
            self._rolled.append(bool(played.rolls))
            tally = Tally({**tally.mp, **dict(played.spent)})
        return Outcome(Fraction(1), position, tally, ())

    def _begin(self) -> list[frozenset[int]]:
        """Return a group for each move of which something is rolled, with all others of its units."""
        by_unit: dict[str, set[int]] = {}
        for index, move in enumerate(self._plan.moves):
            for unit in move.units:
                by_unit.setdefault(unit, set()).add(index)
        rolled = (index for index, any_roll in enumerate(self._rolled) if any_roll)
        return _joined(
            frozenset([index]).union(*(by_unit[unit] for unit in self._plan.moves[index].units)) for index in rolled
        )

    def _explore(self, group: frozenset[int]) -> Outcomes:
        """Go through all that the moves of a group may lead to if all others go well."""
        found = self._explored.get(group)
        if found is None:
            runs: dict[int, tuple[int, tuple[CombinedMove, ...], dict[str, Fraction]]] = {}
            until, others, spent = len(self._well), tuple[CombinedMove, ...](), dict[str, Fraction]()
            for index in reversed(range(len(self._well))):
                if index in group:
                    until, others, spent = index, (), {}
                    continue
                others, spent = (self._well[index], *others), {**self._spent[index], **spent}
                runs[index] = until, others, spent
            found = Outcomes(
                self._referee, self._plan, self._start, self._check_time, Others(self._memory, self._most, runs)
            )
            self._explored[group] = found
        return found

    def _is_legal_in_the_end(self, combined: CombinedOutcomes) -> bool:
        """Tell whether nobody ends where he may not; of each group by itself that is known."""
        game = self._referee.game
        for rule in game.rulebook.of(Ends):
            if rule.hex_by_hex:  # who is in a hex depends on one group alone
                continue

            def breaks(there: Position, _: Tally, rule: Ends = rule) -> bool:
                return any(True for _ in rule.check_end(game, there))

            try:
                found = combined.distribution(breaks, MOST_COMBINATIONS)
            except TooManyOutcomesError:
                return False
            if True in found:
                return False
        return True


class _Sphere:
    """What a group looks at and changes, and what may differ on its account.

    Parameters
    ----------
    made : iterable of CombinedMove
        All that becomes of its moves.

    Attributes
    ----------
    looks : dict from int to set of Look
        What each move looks at.
    differing : dict from Look to int
        What may differ, and from the end of which move on.
    """

    def __init__(self, made: Iterable[CombinedMove]) -> None:
        # What has become of a move in some surroundings is one, and so is what was seen of them.
        variants: dict[int, dict[Sight | None, dict[Look, object]]] = {}
        for one in made:
            some = variants.setdefault(one.move, {})
            if one.sight not in some:
                some[one.sight] = _written(one)
        self.looks: dict[int, set[Look]] = {}
        self.differing: dict[Look, int] = {}
        self._names: dict[str, int] = {}
        for index, some in sorted(variants.items()):
            self.looks[index] = set[Look]().union(*(one.looks for one in some if one is not None))
            writes = list(some.values())
            for key in set[Look]().union(*writes):
                if any(one.get(key, _UNCHANGED) != writes[0].get(key, _UNCHANGED) for one in writes):
                    self.differing.setdefault(key, index)
                    self._names.setdefault(key[0], index)

    def matters_to(self, index: int, other: _Sphere) -> bool:
        """Tell whether what may differ may matter to a move of another group."""
        return any(
            self.differing.get(look, index) < index or (look[1] is WHOLE and self._names.get(look[0], index) < index)
            for look in other.looks[index]
        )


_UNCHANGED = object()


def _written(made: CombinedMove) -> dict[Look, object]:
    """Return what a move changes, and what it leaves there; of hexes, who comes and goes."""
    found: dict[Look, object] = {}

    def come_or_go(label: object, unit: object, comes: bool) -> None:
        known = found.get(("_by_hex", label), ())
        assert isinstance(known, tuple)
        found["_by_hex", label] = (*known, (unit, comes))

    for name, key, value in made.changes:
        if name not in (MOVED, REMOVED):
            found[name, key] = value
            continue
        before = found.get(("at", key))
        if before is None and made.sight is not None and isinstance(key, str):
            before = made.sight.place_of(key)
        if before is not None:
            come_or_go(before, key, False)
        found["at", key] = value if name == MOVED else None
        found["boxes", key] = None if name == MOVED else value
        if name == MOVED:
            come_or_go(value, key, True)
    return found


def _joined(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """Return sets joined that have anything in common, in the order of their least elements."""
    found: list[frozenset[int]] = []
    for some in sets:
        apart = [one for one in found if one.isdisjoint(some)]
        found = [*apart, some.union(*(one for one in found if not one.isdisjoint(some)))]
    return sorted(found, key=min)


def all_outcomes(
    referee: Referee,
    plan: Plan,
    start: Position,
    check_time: Callable[[], None] | None = None,
    played: Sequence[PlayedMove] | None = None,
    most: int | None = None,
) -> tuple[Sequence[Outcome], list[Violation]]:
    """Return all outcomes of a plan, and what is illegal in some of them.

    Of too many outcomes, none is returned, with what is illegal in a few of them, if anything is, and there is time for it.

    Parameters
    ----------
    referee : Referee
        Plays the moves.
    plan : Plan
        The plan.
    start : Position
        Who stands where when the phase begins; left as it is.
    check_time : callable, optional
        Raises something when the time is up; called all the time.
    played : sequence of PlayedMove, optional
        What the moves come to if all goes well, where nothing of it is illegal and no attacks are declared.
    most : int, optional
        How many outcomes a group may have where there are many rolls; None: as many as can be listed, and moves that can't
        be gone through in groups are gone through together.

    Raises
    ------
    TooManyOutcomesError
        If there are too many to be gone through, and nothing is known to be illegal in any of them.
    """
    if played is not None and not start.in_hand:
        rolls = (roll for one in played for roll in one.rolls)
        expected = prod(max(2, len(roll.results)) for roll in rolls)
        if expected >= MANY_ROLLS:
            found = _Splitting(referee, plan, start, check_time, most or outcomes.MOST_OUTCOMES).run()
            if found is not None:
                return found, []
            if most is not None and expected > most:
                raise TooManyOutcomesError([Problem(TOO_MANY.format(most), "moves")])
    try:
        tree = Outcomes(referee, plan, start, check_time)
    except TooManyOutcomesError:
        illegal = [] if check_time is not None else illegal_with_few_strays(referee, plan, start)
        if not illegal:
            raise
        return (), illegal
    return tree.outcomes, tree.violations
