"""Whether moves of other units make moves legal that aren't so by themselves: the search completes them, or proves it."""

from __future__ import annotations

from dataclasses import replace

from planner.errors import DisagreementError, InputError, OutOfTimeError
from planner.explanation.answer import Help, Remedy
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.costs import MpSpent, UnitsMoved
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan, units_of
from planner.referee.referee import Referee
from planner.rules.roles import Sequences
from planner.scenario import Scenario
from planner.search.result import Result
from planner.search.search import Search
from planner.solver.side_constraints import Conditions

FEWEST = (Tier(terms=(UnitsMoved(kind="units_moved"),)), Tier(terms=(MpSpent(kind="mp_spent"),)))
"""As few units as possible, with as few MP as possible."""


def completed(scenario: Scenario, plan: Plan, limits: Limits) -> tuple[list[Remedy], Help]:
    """Return the fewest moves of others that make moves legal in their order, and whether there are any.

    Parameters
    ----------
    scenario : Scenario
        The position; its requirements don't count.
    plan : Plan
        Moves that are illegal by themselves.
    limits : Limits
        When to stop.
    """
    game, own = scenario.game, units_of(plan.moves)
    if not any(unit in game.friends and unit not in own for unit in game.homes):
        return [], "none"
    asked = replace(scenario, requirements=(), tiers=FEWEST)
    attacks, none = {one.declared: one for one in plan.attacks or ()}, plan.attacks == ()
    partial = PartialPlan(plan.moves, attacks=(*attacks,), closed=none or plan.closed, none=none)
    conditions = Conditions(partial)
    try:
        result = Search(asked, limits, conditions=conditions).run()
    except (DisagreementError, InputError, OutOfTimeError):
        return [], "unknown"
    if result.status == "infeasible":
        return [], "none"
    found = result.plan
    if found is not None and partial.settles_attacks:
        besides = (one for one in found.attacks or () if one.declared not in attacks)
        found = replace(found, attacks=(*attacks.values(), *besides), closed=plan.closed)
    if found is None or not set(plan.moves) <= set(found.moves):
        return [], "unknown"
    if not Referee(scenario.game).play(found, scenario.start).legal:
        return [], "unknown"
    others = tuple(move for move in found.moves if move not in plan.moves)
    return [Remedy(others, (), found, proved_fewest(result, scenario) or len(others) == 1)], "found"


def proved_fewest(result: Result, scenario: Scenario) -> bool:
    """Tell whether a search for as few units as possible has proved that no plan has fewer moves."""
    return bool(result.bound) and result.value[0] == result.bound[0] and each_unit_moves_once_by_itself(scenario)


def each_unit_moves_once_by_itself(scenario: Scenario) -> bool:
    """Tell whether as few units as possible are as few moves as possible: nobody moves in a stack, or in parts."""
    rules = scenario.game.rulebook.of(Sequences)
    return bool(rules) and not any(rule.stacks or rule.waiting is not None for rule in rules)
