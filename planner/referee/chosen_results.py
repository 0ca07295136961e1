"""Moves that say what is rolled for them before anybody can know it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.world.position import Position


def chosen_results(referee: Referee, plan: Plan, start: Position) -> Iterator[tuple[Move, Move]]:
    """Yield each move of a plan that has a result on which dice decide, and the same move without it.

    A failure that nobody rolls for, such as of an overrun that does not survive the support of defenders, is none of them.

    Parameters
    ----------
    referee : Referee
        Plays the moves.
    plan : Plan
        What is to be done, with nothing of it rolled yet.
    start : Position
        Who stands where before it; left as it is.
    """
    if not any(_has_result(move) for move in plan.moves):
        return
    position, rolled = start.copy(), False
    for move in plan.moves:
        if _has_result(move):
            open_ = replace(move, failed=False, damage=None)
            _, tried = referee.play_move(open_, position.copy(), position.under_way.keys())
            if rolled or tried.rolls:  # once something is rolled, it isn't known what dice decide on later
                yield move, open_
        _, played = referee.play_move(move, position, position.under_way.keys())
        rolled = rolled or bool(played.rolls)


def _has_result(move: Move) -> bool:
    return move.failed or move.damage is not None
