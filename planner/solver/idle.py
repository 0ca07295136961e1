"""Leaves out of a plan what is of no use: whole moves, and units that others don't need beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from planner.plan import Move, Plan


def without_idle_moves(
    plan: Plan, accepts: Callable[[Plan], bool], needed: Callable[[Move], bool], late: Callable[[], bool]
) -> Plan:
    """Return a plan without the moves that can be left out, the last ones first, as those before them may serve them.

    Parameters
    ----------
    plan : Plan
        The plan.
    accepts : callable
        Tells whether a shorter plan is as good.
    needed : callable
        Tells of moves of which it is known that they can't be left out; they aren't tried.
    late : callable
        Tells whether there is no time for more: what is left is left.
    """
    moves = list(plan.moves)
    for index in reversed(range(len(moves))):
        if late():
            break
        if needed(moves[index]):
            continue
        for shorter in _less(moves[index]):
            tried = [*moves[:index], *shorter, *moves[index + 1 :]]
            if accepts(Plan(tuple(tried))):
                moves = tried
                break
    return Plan(tuple(moves))


def _less(move: Move) -> Iterator[tuple[Move, ...]]:
    """Yield what may be left of a move: nothing, or what it is without one of its units."""
    yield ()
    if len(move.units) > 1:
        for unit in reversed(move.units):
            rest = replace(
                move,
                units=tuple(other for other in move.units if other != unit),
                drops=tuple(drop for drop in move.drops if drop[1] != unit),
            )
            if not any(rest.faults()):
                yield (rest,)
