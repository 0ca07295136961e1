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
    # Most of what is of no use serves nothing that is: all of that is tried at once.
    of_use = _serving(moves, {index for index, move in enumerate(moves) if needed(move)})
    few = [move for index, move in enumerate(moves) if index in of_use]
    if len(few) < len(moves) - 1 and not late() and accepts(Plan(tuple(few))):
        moves = few
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


def _serving(moves: list[Move], needed: set[int]) -> set[int]:
    """Return the moves that are needed, and those that may serve them, or serve those that do.

    Who overruns somebody may serve anybody; who ends where another one passes, or leaves the hex in which it ends, may serve
    that one. There may be other ways: whoever asks tries without the rest.
    """
    found = {*needed, *(index for index, move in enumerate(moves) if move.overruns)}
    open_ = list(found)
    while open_:
        served = moves[open_.pop()]
        for index, move in enumerate(moves):
            if index not in found and (move.path[-1] in served.path or move.path[0] == served.path[-1]):
                found.add(index)
                open_.append(index)
    return found


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
