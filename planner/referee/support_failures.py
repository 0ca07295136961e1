"""What becomes of a plan if defenders' support keeps one of its overruns from succeeding, on the referee alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from planner.plans.plan import Plan, units_of
from planner.referee.verdict import Failure, PlayedMove, Violation
from planner.world.position import Position

if TYPE_CHECKING:
    from planner.referee.referee import Referee


def failures(referee: Referee, plan: Plan, start: Position, played: list[PlayedMove]) -> tuple[Failure, ...]:
    """Return what becomes of a plan if one overrun fails, for each that doesn't survive all support in range.

    Parameters
    ----------
    referee : Referee
        Plays the moves.
    plan : Plan
        The plan.
    start : Position
        Who stands where when the phase begins; left as it is.
    played : list of PlayedMove
        The moves of the plan as they were played.
    """
    found = []
    for index, result in enumerate(played):
        for survival in result.survivals:
            last = result.move.failed and survival.step == len(result.move.path) - 1
            if survival.possible > survival.strength and not last:
                dropped, violations = _failing(referee, plan, start, index, survival.step)
                found.append(Failure(index, survival.step, survival.strength, survival.possible, dropped, violations))
    return tuple(found)


def _failing(
    referee: Referee, plan: Plan, start: Position, index: int, step: int
) -> tuple[tuple[int, ...], tuple[Violation, ...]]:
    position, dropped = start.copy(), []
    stuck: set[str] = set()
    for number, move in enumerate(plan.moves):
        tried = replace(move.until(step), failed=True) if number == index else move
        after = position.copy()
        later = units_of(plan.moves[number + 1 :])
        broken, _ = referee.play_move(tried, after, position.under_way.keys(), number, later)
        if number > index and (broken or not stuck.isdisjoint(move.units)):
            dropped.append(number)
            continue
        position = after
        if number == index:
            stuck = set(tried.units)
    return tuple(dropped), tuple(referee.check_end(position))
