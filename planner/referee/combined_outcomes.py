"""Outcomes of a plan whose rolls fall into groups that have nothing to do with each other: see `independent_groups`.

They are as many as the outcomes of all groups multiplied, and hardly ever listed. What is counted of one unit or hex is
looked at once for all that groups may come to of which it sees nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple, TypeVar, overload

from planner.errors import Problem, TooManyOutcomesError
from planner.objective import Tally
from planner.referee.recording_position import WHOLE, Change, Look, RecordingPosition, Sight, change
from planner.world.position import Position

T = TypeVar("T")

TOO_MANY = "a plan must have at most {} outcomes of its rolls"

MOST_LOOKS = 20_000
"""How many combinations of outcomes are told apart, or listed, at most."""

SPENT = "mp"
"""In place of the name of a part of the position: what a unit has spent."""

Result = tuple[int, int]
"""A result that is rolled: the index of the move, and that of the hex in its path."""


@dataclass(frozen=True)
class Outcome:
    """Something that the rolls of a plan may lead to.

    Attributes
    ----------
    probability : Fraction
        How likely it is.
    position : Position
        Who stands where after the last move.
    tally : Tally
        What has been spent.
    failed : tuple of Result
        The results that failed; none where all goes through.
    """

    probability: Fraction
    position: Position
    tally: Tally
    failed: tuple[Result, ...]


class CombinedMove(NamedTuple):
    """What has become of a move.

    Attributes
    ----------
    move : int
        Its index in the plan.
    changes : tuple of Change
        What it has changed.
    sight : Sight or None
        What it has looked at; None for nothing.
    """

    move: int
    changes: tuple[Change, ...] = ()
    sight: Sight | None = None


class Group:
    """Moves that are gone through by themselves.

    Parameters
    ----------
    outcomes : sequence of Outcome
        What they may lead to if all others go well.
    made : sequence of tuple of CombinedMove
        What becomes of the moves then.
    differing : frozenset of Look
        What may differ in the end.
    """

    def __init__(
        self, outcomes: Sequence[Outcome], made: Sequence[tuple[CombinedMove, ...]], differing: frozenset[Look]
    ) -> None:
        self.outcomes, self.made, self.differing = outcomes, made, differing
        self.units = tuple(unit for name, unit in differing if name == SPENT and isinstance(unit, str))
        self._names = frozenset(name for name, _ in differing)

    @property
    def told(self) -> tuple[Sequence[Outcome], list[list[tuple[int, tuple[Change, ...]]]]]:
        """What the moves lead to, and what becomes of each: all that outcomes are made of."""
        return self.outcomes, [[(one.move, one.changes) for one in some] for some in self.made]

    def may_be_seen(self, looks: Iterable[Look]) -> bool:
        """Tell whether any of the group's rolls may make a difference to some looks."""
        return any(
            look in self.differing or (look[1] is WHOLE and look[0] in self._names)
            for look in looks
            if look[0] in self._names
        )


class CombinedOutcomes(Sequence[Outcome]):
    """All outcomes of a plan whose rolls fall into groups: each combination of theirs, made when it is asked for.

    Parameters
    ----------
    start : Position
        Who stands where when the phase begins.
    end : Outcome
        What the plan leads to if all goes well.
    made : sequence of CombinedMove
        What becomes of each move then.
    groups : sequence of Group
        The groups.
    """

    def __init__(self, start: Position, end: Outcome, made: Sequence[CombinedMove], groups: Sequence[Group]) -> None:
        self._start, self._end, self._made, self.groups = start, end, made, groups

    def __len__(self) -> int:
        return prod(len(group.outcomes) for group in self.groups)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CombinedOutcomes):
            return NotImplemented
        return self._end == other._end and [one.told for one in self.groups] == [one.told for one in other.groups]

    __hash__ = None  # type: ignore[assignment]  # positions change

    @overload
    def __getitem__(self, index: int) -> Outcome: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Outcome]: ...
    def __getitem__(self, index: int | slice) -> Outcome | Sequence[Outcome]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        left, chosen = range(len(self))[index], dict[int, int]()
        for number in reversed(range(len(self.groups))):
            left, chosen[number] = divmod(left, len(self.groups[number].outcomes))
        return self._outcome(chosen)

    def __iter__(self) -> Iterator[Outcome]:
        for choice in product(*(range(len(group.outcomes)) for group in self.groups)):
            yield self._outcome(dict(enumerate(choice)))

    @property
    def listed(self) -> int:
        """How many outcomes are kept, those of each group by itself."""
        return sum(len(group.outcomes) for group in self.groups)

    @property
    def probability(self) -> Fraction:
        """The probability that nothing fails."""
        sure = (
            sum((one.probability for one in group.outcomes if not one.failed), Fraction(0)) for group in self.groups
        )
        return prod(sure, start=Fraction(1))

    def check_listed(self) -> None:
        """Ensure that they can be listed.

        Raises
        ------
        TooManyOutcomesError
            If they can't.
        """
        if prod(len(group.outcomes) for group in self.groups) > MOST_LOOKS:
            raise TooManyOutcomesError([Problem(TOO_MANY.format(MOST_LOOKS), "moves")])

    def distribution(self, look: Callable[[Position, Tally], T], most: int | None = None) -> dict[T, Fraction]:
        """Return how likely each result of a look at who stands where after the last move, and at what is spent, is.

        It is looked at once for all that groups may come to of which it doesn't see anything.

        Parameters
        ----------
        look : callable
            Its results are hashable, and depend on what it looks at alone.
        most : int, optional
            How many combinations of outcomes may be told apart by that; None: as many as can be listed.

        Raises
        ------
        TooManyOutcomesError
            If there are more.
        """
        most = MOST_LOOKS if most is None else most
        found: dict[T, Fraction] = {}
        open_ones: list[tuple[dict[int, int], Fraction]] = [({}, Fraction(1))]
        looked = 0
        while open_ones:
            chosen, probability = open_ones.pop()
            outcome = self._outcome(chosen)
            position, spent = RecordingPosition(outcome.position), _RecordingSpent(outcome.tally.mp)
            value = look(position, Tally(spent))  # type: ignore[arg-type]
            looks = {*Sight(outcome.position, position.log.looks).looks, *spent.looks}
            seen = (
                number for number, group in enumerate(self.groups) if number not in chosen and group.may_be_seen(looks)
            )
            number = next(seen, None)
            if number is None:
                looked += 1
                if looked > most:
                    raise TooManyOutcomesError([Problem(TOO_MANY.format(most), "moves")])
                found[value] = found.get(value, Fraction(0)) + probability
                continue
            for index, one in enumerate(self.groups[number].outcomes):
                open_ones.append(({**chosen, number: index}, probability * one.probability))
        return found

    def _outcome(self, chosen: dict[int, int]) -> Outcome:
        """Return what some groups lead to in some of their outcomes, by their indices, where all others go well."""
        if not chosen:
            return self._end
        if len(chosen) == 1:
            [(number, index)] = chosen.items()
            return self.groups[number].outcomes[index]
        made = list(self._made)
        probability, mp, failed = Fraction(1), dict(self._end.tally.mp), list[Result]()
        for number, index in chosen.items():
            group, one = self.groups[number], self.groups[number].outcomes[index]
            for one_move in group.made[index]:
                made[one_move.move] = one_move
            probability *= one.probability
            mp.update((unit, one.tally.mp[unit]) for unit in group.units)
            failed += one.failed
        position = self._start.copy()
        for one_move in made:
            change(position, one_move.changes)
        return Outcome(probability, position, Tally(mp), tuple(sorted(failed)))


class _RecordingSpent(MutableMapping[str, Fraction]):
    """What units have spent, and of which of them that was asked."""

    def __init__(self, spent: dict[str, Fraction]) -> None:
        self._spent, self.looks = spent, set[Look]()

    def __getitem__(self, unit: str) -> Fraction:
        self.looks.add((SPENT, unit))
        return self._spent[unit]

    def __contains__(self, unit: object) -> bool:  # all moves are made in all outcomes
        return unit in self._spent

    def __iter__(self) -> Iterator[str]:
        return iter(self._spent)

    def __len__(self) -> int:
        return len(self._spent)

    def __setitem__(self, unit: str, spent: Fraction) -> None:
        raise TypeError("what has been spent doesn't change any more")

    def __delitem__(self, unit: str) -> None:
        raise TypeError("what has been spent doesn't change any more")
