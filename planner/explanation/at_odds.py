"""Goals that leave a unit no hex to end in, or a hex no unit, whatever the rules say: it is to be held, and avoided."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from planner.objective import Term
from planner.objective.goals import End, Hold, Stay
from planner.objective.together import Avoid, each_goal
from planner.scenario import Scenario


def at_odds(goals: Iterable[Term], scenario: Scenario) -> tuple[Term, ...]:
    """Return two goals of which each says of the same unit where it ends, or of the same hex who does, and none suits both.

    Parameters
    ----------
    goals : iterable of Term
        The goals, each of which must hold.
    scenario : Scenario
        The position.

    Returns
    -------
    tuple of Term
        Empty: no such are known; of attacks that have been declared, who retreats isn't known.
    """
    if scenario.start.attacking:
        return ()
    parts = list(each_goal(goals))
    units = dict.fromkeys(unit for part in parts for unit in _named(part) if unit in scenario.game.friends)
    for unit in units:
        for one, other in combinations(parts, 2):
            only = [places for goal in (one, other) if (places := _places(goal, unit, scenario)) is not None]
            barred = _barred(one, unit, scenario) | _barred(other, unit, scenario)
            if only and not frozenset.intersection(*only) - barred:
                return (one, other)
    pairs = ((one, other) for one in parts for other in parts if _emptied(one, other, scenario))
    return next(pairs, ())


def _emptied(one: Term, other: Term, scenario: Scenario) -> bool:
    """Tell whether a hex is to be held from which everybody who could is to keep away."""
    if not isinstance(one, Hold) or not isinstance(other, Avoid) or frozenset(one.hexes).isdisjoint(other.hexes):
        return False
    units = (scenario.game.units[unit] for unit in scenario.game.friends)
    return all(other.of.matches(unit) for unit in units if one.by.matches(unit))


def _named(goal: Term) -> tuple[str, ...]:
    """Return the units of which a goal says where they end."""
    return goal.units if isinstance(goal, Stay) else (goal.unit,) if isinstance(goal, End) else ()


def _places(goal: Term, unit: str, scenario: Scenario) -> frozenset[str] | None:
    """Return the only hexes in which a goal lets a unit end; None: it may be any."""
    start = scenario.start
    if isinstance(goal, Stay) and unit in goal.units and unit in start.at:
        return frozenset([start.at[unit]])  # nobody is led away, or lost, who makes no move
    if isinstance(goal, End) and goal.unit == unit and goal.at:
        return frozenset(goal.at)
    return None


def _barred(goal: Term, unit: str, scenario: Scenario) -> frozenset[str]:
    """Return hexes in which a goal doesn't let a unit end."""
    if isinstance(goal, End) and goal.unit == unit:
        return frozenset(goal.not_at)
    if isinstance(goal, Avoid) and goal.of.matches(scenario.game.units[unit]):
        return frozenset(goal.hexes)
    return frozenset()
