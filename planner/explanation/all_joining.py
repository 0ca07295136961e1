"""A hex that is fought for by all who can come to one hex beside it: sure, perhaps, where no search has found it."""

from __future__ import annotations

from collections.abc import Iterator

from planner.errors import InputError, OutOfTimeError
from planner.explanation.coming_up import straight_way
from planner.explanation.question import Question
from planner.explanation.raised_odds import raised
from planner.limits import Limits
from planner.objective.goals import End, Hold
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario


def sure_together(scenario: Scenario, question: Question, limits: Limits) -> Plan | None:
    """Return a plan in which units enter together a hex that enemies hold, and what is asked is had for certain.

    Parameters
    ----------
    scenario : Scenario
        The position.
    question : Question
        The goals; the first that is that a unit ends, or that a hex is held, where enemies are, says where and by whom.
    limits : Limits
        When to stop.
    """
    game, goals = scenario.game, [part for goal in question.goals for part in goal.parts()]
    own = [unit for unit in game.order if unit in game.friends and unit in scenario.start.at]
    for goal in goals:
        labels = goal.at if isinstance(goal, End) else goal.hexes if isinstance(goal, Hold) else ()
        units = [goal.unit] if isinstance(goal, End) else own
        for label in (label for label in labels if label in game.board.hexes and game.enemies_at(label)):
            for unit in units:
                for plan in _growing(scenario, unit, label, limits):
                    if limits.late:
                        return None
                    if question.fulfilled(scenario, plan):
                        return plan
    return None


def _growing(scenario: Scenario, unit: str, label: str, limits: Limits) -> Iterator[Plan]:
    """Yield plans in which a unit goes straight to a hex and fights for it, with ever more others from the same hex."""
    start = scenario.start
    if unit not in start.at:
        return
    for origin in scenario.game.board.neighbours[label]:
        way = straight_way(scenario, unit, start.at[unit], origin)
        path = (*(way[0].path if way else (origin,)), label) if way is not None else ()
        plan = Plan((Move((unit,), path, frozenset([len(path) - 1])),)) if path else None
        while plan is not None and not limits.late:
            if not _legal(scenario, plan):
                break
            yield plan
            _, joining = raised(scenario, plan, limits)
            best = max(joining, key=lambda one: (one.probability, one.strengths or ()), default=None)
            plan = None if best is None else best.plan


def _legal(scenario: Scenario, plan: Plan) -> bool:
    try:
        return Referee(scenario.game).play(plan, scenario.start, rolls=False).legal
    except (InputError, OutOfTimeError):
        return False
