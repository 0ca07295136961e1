"""Writes moves that follow each other along one path as the move of a stack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from planner.plans.plan import Move, Plan


def as_stacks(plan: Plan, accepts: Callable[[Plan], bool]) -> Plan:
    """Merge the moves of units that follow each other along one path, as far as it comes to the same.

    Mostly it does: who is dropped on the way is there for the others, as if it had moved first. But in a stack all enter a
    hex at one moment, so that nobody can wait there for the others.

    Parameters
    ----------
    plan : Plan
        Moves of single units, or of stacks that overrun.
    accepts : callable
        Tells whether a plan comes to the same as the one given.
    """
    moves = list(plan.moves)
    merged = [moves[0]] if moves else []
    for move in moves[1:]:
        joined = _joined(merged[-1], move)
        merged = [*merged, move] if joined is None else [*merged[:-1], joined]
    if len(merged) == len(moves) or accepts(replace(plan, moves=tuple(merged))):
        return replace(plan, moves=tuple(merged))
    index = 1
    while index < len(moves):
        joined = _joined(moves[index - 1], moves[index])
        shorter = [] if joined is None else [*moves[: index - 1], joined, *moves[index + 1 :]]
        if shorter and accepts(replace(plan, moves=tuple(shorter))):
            moves = shorter
        else:
            index += 1
    return replace(plan, moves=tuple(moves))


def _joined(last: Move, move: Move) -> Move | None:
    """Return the move of a stack to which two moves come; None if there is none."""
    if last.overruns or last.carried or move.overruns or move.carried or len(move.units) > 1:
        return None
    if move.path[: len(last.path)] != last.path or move.path.count(last.path[-1]) > 1:
        return None
    end = len(last.path) - 1
    staying = () if move.path == last.path else tuple((end, unit) for unit in last.units if last.last_step(unit) == end)
    return Move((*last.units, *move.units), move.path, drops=(*last.drops, *staying))
