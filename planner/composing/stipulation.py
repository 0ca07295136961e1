"""What a composed puzzle asks: a unit is to come where it can't come by itself; and positions without other solutions."""

from __future__ import annotations

import random

from planner import api
from planner.composing.variation import made_of, without
from planner.plans.plan import Plan, units_of
from planner.scenario import Scenario

SECONDS = 5.0
"""For the question what a unit reaches."""

COOKS = 8
"""How many units are taken away, at most, because they make another solution."""

LONG = 3
"""How many moves a goal should take; goals that take fewer are asked for where none takes so many."""


def stipulated(scenario: Scenario, draw: random.Random) -> Scenario | None:
    """Return the position with another objective: a unit ends where others must help it to, and everybody spends few MP.

    Parameters
    ----------
    scenario : Scenario
        The position; its objective and requirements are left out.
    draw : random.Random
        By which unit and hex are drawn.

    Returns
    -------
    Scenario or None
        None if nobody may move, or if the unit that is drawn comes nowhere with help.
    """
    data = {key: value for key, value in scenario.to_dict().items() if key not in ("tier", "require", "objective")}
    bare = made_of(data, scenario)
    units = [] if bare is None else [unit for unit in bare.game.units if bare.game.may_be_moved(unit)]
    if bare is None or not units:
        return None
    unit = draw.choice(units)
    if unit not in bare.start.at:
        return None
    found = api.reach(bare, unit, time_limit=SECONDS)
    ways = [way for way in found.with_help if way.hex in bare.game.board.hexes]
    if not ways:
        return None
    long = min(LONG, max(len(way.plan.moves) for way in ways))
    goal = draw.choice([way for way in ways if len(way.plan.moves) >= long]).hex
    data["tier"] = [
        {"name": f"{unit} in {goal}", "terms": [{"kind": "end", "unit": unit, "at": goal}]},
        {"name": "few MP", "terms": [{"kind": "mp_spent"}]},
    ]
    data["description"] = f"How does {unit} come to {goal}? All moves together are to cost as few MP as possible."
    return made_of(data, bare)


def uncooked(scenario: Scenario, seconds: float) -> Scenario:
    """Return the position without units that make other solutions than the best plan, as far as that is why there are some.

    Parameters
    ----------
    scenario : Scenario
        The position.
    seconds : float
        For each search.
    """
    for _ in range(COOKS):
        both = cook(scenario, seconds)
        others = sorted(_movers(both[1]) - _movers(both[0])) if both else []
        fewer = without(scenario, others[0]) if others else None
        if fewer is None:
            break
        scenario = fewer
    return scenario


def cook(scenario: Scenario, seconds: float) -> tuple[Plan | None, Plan | None] | None:
    """Return the best plan and another one that is worth as much; None if a search for so many seconds finds none."""
    best = [ranked.result for ranked in api.alternatives(scenario, 2, time_limit=seconds).plans]
    return (best[0].plan, best[1].plan) if len(best) > 1 and best[0].value == best[1].value else None


def _movers(plan: Plan | None) -> frozenset[str]:
    return frozenset() if plan is None else units_of(plan.moves)
