"""The plan that is found where entering a hex is a combat, as players would write it."""

from __future__ import annotations

from dataclasses import replace

from planner.rules.combat_roles import Fights
from planner.search.context import SearchContext
from planner.search.enumeration import Census
from planner.search.result import Result


def plainly_written(context: SearchContext, result: Result) -> Result:
    """Return a result with its plan written as players would, as far as there is time.

    Parameters
    ----------
    context : SearchContext
        The search.
    result : Result
        What it found.
    """
    fights = context.scenario.game.rulebook.of(Fights)
    if not fights or result.plan is None or not result.plan.moves or context.late_for_replays:
        return result
    plan = Census(context, None, None).tidy(result.plan)
    return result if plan == result.plan else replace(result, plan=plan, verdict=context.replay(plan))
