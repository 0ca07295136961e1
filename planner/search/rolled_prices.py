"""Prices that depend on rolls: what an EZOC costs where enemies may fall, or friends get on, by what is rolled.

A move that costs less once an enemy has fallen is as dear as ever where he has not. The referee averages over both; in the
model a move has one price, the dearest, so that plans may be worth more than it says, and it proves nothing of them.
"""

from __future__ import annotations

from planner.objective.costs import MpSpent
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.possible_rolls import may_roll
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.roles import Controls
from planner.scenario import Scenario
from planner.solver.side_constraints import Conditions


def prices_are_rolled(scenario: Scenario, conditions: Conditions, reach: ConditionalReach) -> bool:
    """Tell whether what counts MP may depend on rolls: on who has fallen, or has come to help, by what was rolled."""
    tiers = [*scenario.tiers, *(tier for tier, _ in conditions.goals)]
    counted = any(isinstance(part, MpSpent) for tier in tiers for term in tier.terms for part in term.parts())
    if not counted or not reach.rolls or len(reach.movers) < 2:
        return False
    book, phase = scenario.game.rulebook, scenario.game.situation.phase
    dear = any(
        effect.does == "cost"
        and (not effect.phases or phase in effect.phases)
        and any(effect.movers.matches(scenario.game.units[unit]) for unit in reach.movers)
        and (effect.negatable or bool(book.of(JointlyOverruns)))
        for rule in book.of(Controls)
        for effect in rule.effects
    )
    return dear and may_roll(scenario.game)
