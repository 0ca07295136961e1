"""A plan of which everything is settled: one replay says what it is worth, and no other plan is asked about.

What it is for: partial plans that leave nothing open. Measured, in the processor's time: 0.22 s for
5.4 s without it on a scenario with rolls and stacks, 0.02 s for 0.13 s on one with convoys.
"""

from __future__ import annotations

from planner.plans.plan import Move, Plan
from planner.search.context import SearchContext, StrategyClaim
from planner.search.result import Result


class FixedPlan:
    """Replay the plan where all units' moves are settled; one that is illegal as written is left to other strategies."""

    def suits(self, context: SearchContext) -> bool:
        """Tell whether each unit that could move has fixed moves, or stays, and the moves have no other form."""
        partial = context.conditions.partial
        settled = {*partial.movers, *partial.stays}
        return (
            context.pool is None
            and not context.scenario.asks_for_attacks  # who attacks whom isn't settled
            and bool(partial)
            and settled.issuperset(context.ground.reach.movers)
            and all(map(_has_one_form, partial.moves))
        )

    def run(self, context: SearchContext) -> Result | None:
        """Return the plan with what it is worth; None if it is illegal, or doesn't do what is asked for."""
        plan = Plan(context.conditions.partial.moves)
        verdict = context.replay(plan)
        if not verdict.legal or not context.fulfils(plan, verdict):
            return None
        return context.result(plan, verdict, StrategyClaim(context.value(verdict), True))


def _has_one_form(move: Move) -> bool:
    """Tell whether a move can't be split up between its units, and leaves nobody open who carries it."""
    return (len(move.units) == 1 or bool(move.overruns)) and all(by for _, by in move.carried)
