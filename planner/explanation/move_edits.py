"""Other forms of a move: how far they are from what is written, and those that are legal, the nearest first."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from planner.limits import Limits
from planner.plans.plan import Move
from planner.search.unit_moves import UnitMoves
from planner.world.position import Position


@dataclass(frozen=True)
class WrittenStep:
    """A step as it is written, with all that is said of it."""

    to: str
    overrun: bool = False
    carrier: str | None = None
    tries: int = 1
    support: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()


def steps_of(move: Move) -> list[WrittenStep]:
    """Return the steps of a move as they are written."""
    return [
        WrittenStep(
            label,
            index in move.overruns,
            move.carrier(index),
            move.tries(index),
            move.supporters(index),
            tuple(unit for step, unit in move.drops if step == index),
        )
        for index, label in enumerate(move.path[1:], 1)
    ]


def made_of(move: Move, steps: Sequence[WrittenStep]) -> Move | None:
    """Return a move of the same units with other steps; None if it can't be written."""
    if not steps or any(a == b.to for a, b in zip([move.path[0], *(s.to for s in steps)], steps, strict=False)):
        return None
    pairs = list(enumerate(steps, 1))
    made = Move(
        move.units,
        (move.path[0], *(step.to for step in steps)),
        frozenset(index for index, step in pairs if step.overrun),
        tuple((index, step.carrier) for index, step in pairs if step.carrier is not None),
        tuple((index, unit) for index, step in pairs if index < len(steps) for unit in step.drops),
        tuple((index, step.tries) for index, step in pairs if step.tries > 1),
        tuple((index, unit) for index, step in pairs for unit in step.support),
    )
    return None if any(made.faults()) else made


def changed_steps(one: Move, other: Move) -> int:
    """Return how many steps must be changed, put in or left out to make one move of another (Levenshtein distance)."""
    first, second = steps_of(one), steps_of(other)
    row = list(range(len(second) + 1))
    for index, step in enumerate(first, 1):
        row, before = [index], row
        for number, rival in enumerate(second, 1):
            row.append(min(before[number] + 1, row[-1] + 1, before[number - 1] + (step != rival)))
    marks = (one.failed, one.damage) != (other.failed, other.damage)
    return max(row[-1], int(marks))


class Forms:
    """The legal forms of moves.

    Parameters
    ----------
    walks : UnitMoves
        Tells which steps there are, and plays them.
    limits : Limits
        When to stop.
    """

    def __init__(self, walks: UnitMoves, limits: Limits) -> None:
        self._walks, self._limits = walks, limits

    def nearest_first(
        self, move: Move, position: Position, later: frozenset[str] = frozenset(), limits: Limits | None = None
    ) -> Iterator[tuple[int, Move]]:
        """Yield legal forms of a move from where its units stand, with how many steps of it are changed, fewest first.

        Of forms that come to the same, one is yielded. It is a search for the shortest way through pairs of what has been
        made so far, and of how much of what is written has been read.

        Parameters
        ----------
        move : Move
            The move.
        position : Position
            The board as it stands; left as it is.
        later : frozenset of str
            The units that move afterwards.
        limits : Limits, optional
            When to stop, if sooner.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        limits = limits or self._limits
        here = {position.at.get(unit) for unit in move.units}
        root = next(iter(here))
        if len(here) != 1 or root is None:
            return
        written = tuple(steps_of(move))
        start = Move(move.units, (root, root))
        order = count()
        # Of equally near forms those come first that read most of what is written.
        heap: list[tuple[int, int, int, tuple[WrittenStep, ...]]] = [(0, 0, next(order), ())]
        known: dict[tuple[int, object], list[tuple[int, object]]] = {}
        yielded: set[Move] = set()
        while heap:
            limits.check()
            cost, unread, _, made = heapq.heappop(heap)
            read = -unread
            form = made_of(start, made) if made else None
            if read == len(written) and form is not None and form not in yielded:
                yielded.add(form)
                if self._walks.outcome(form, position, later) is None:
                    continue  # it may not end there
                yield max(cost, changed_steps(move, form)) + (root != move.path[0]), form
            ways = [(cost + 1, read + 1, made)] if read < len(written) else []
            if read < len(written):
                ways.append((cost, read + 1, (*made, written[read])))
            for step in self._next_steps(start if form is None else form, form is None, position):
                if read < len(written) and step != written[read]:
                    ways.append((cost + 1, read + 1, (*made, step)))
                ways.append((cost + 1, read, (*made, step)))
            for price, index, steps in ways:
                played = self._played(start, steps, position, later)
                if played is None:
                    continue
                key, spent = played
                rivals = known.setdefault((index, key), [])
                if any(near <= price and cheap <= spent for near, cheap in rivals):  # type: ignore[operator]
                    continue
                rivals.append((price, spent))
                heapq.heappush(heap, (price, -index, next(order), steps))

    def one_step_off(self, move: Move, position: Position) -> Iterator[Move]:
        """Yield every form of a move, legal or not, in which one step is put in, left out or changed."""
        steps = steps_of(move)
        for index in range(len(steps) + 1):
            before, after = steps[:index], steps[index + 1 :]
            so_far = made_of(move, before)
            forms = [[*before, *after]] if index < len(steps) else []
            for step in self._next_steps(move if so_far is None else so_far, so_far is None, position):
                forms.append([*before, step, *steps[index:]])
                if index < len(steps):
                    forms.append([*before, step, *after])
            yield from (form for some in forms if (form := made_of(move, some)) is not None)

    def _next_steps(self, move: Move, unmoved: bool, position: Position) -> Iterator[WrittenStep]:
        so_far = Move(move.units, move.path[:1]) if unmoved else move
        for further in self._walks.extended(so_far, position):
            yield steps_of(further)[-1]

    def _played(
        self, start: Move, steps: tuple[WrittenStep, ...], position: Position, later: frozenset[str]
    ) -> tuple[object, object] | None:
        """Return what steps come to and what they cost; None if they are illegal."""
        if not steps:
            return (), 0
        move = made_of(start, steps)
        return None if move is None else self._walks.outcome(move, position, later, goes_on=True)
