"""Plans that rely on likely results.

Where the scenario allows it, a move may rely on a result that is rolled; where the result fails, the move isn't made. What
such a plan is worth follows from all its outcomes, and only the referee works it out. So the solver proposes combinations
of moves, valued as if all that they rely upon went well; the referee says what each is worth; what has been looked at is
excluded; until the next proposal, overvalued as it is, is worth no more than the best plan found.

The bound is that of another model, in which each move counts as made, or as left undone, whichever is better: no plan is
worth more. A plan is called optimal only where it comes to that bound, or where all others that might be better have been
gone through, as on small positions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from planner.errors import OutOfTimeError
from planner.objective import Linear
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.reachability.possible_rolls import may_end_illegally
from planner.referee.verdict import Verdict
from planner.search.confirmation import unconfirmed
from planner.search.context import SearchContext, StrategyClaim
from planner.search.enumeration import Census
from planner.search.policy_bound import bound_of
from planner.search.result import Progress, Result
from planner.search.tier_by_tier import TierByTier
from planner.solver.cp_sat import Literal, maximize
from planner.solver.engine import Solved
from planner.solver.event_layer import Events
from planner.solver.model import Model, ceiling, most, unscaled
from planner.solver.possibility_layer import Options
from planner.solver.tuning import LikelyResults
from planner.solver.union_cuts import solve_honestly


class RelyingOnNone:
    """Look for the best plan that relies on no roll, by the rules of games in which none may.

    To list what units can do is far less there: of a front of stacks, 3 s in place of 25.

    Parameters
    ----------
    search : callable
        Searches for the best plan of a smaller search.
    """

    def __init__(self, search: Callable[[SearchContext], Result]) -> None:
        self._search = search

    def suits(self, context: SearchContext) -> bool:
        """Tell whether moves may rely on likely results, and nothing is asked for but the objective."""
        return context.plain and context.ground.reach.may_be_left_undone and bool(context.scenario.tiers)

    def run(self, context: SearchContext) -> None:
        """Remember the plan."""
        game = context.scenario.game
        careful = replace(game, situation=replace(game.situation, confidence=Fraction(1)), _cache={})
        smaller = replace(context.scenario, game=careful)
        found = self._search(SearchContext(smaller, context.limits.part(LikelyResults.careful), unconfirmed))
        if found.plan is not None and context.judged(found.plan) is not None:
            context.remember(found.plan, found.value)


class LikelyProposals:
    """Improve the best plan that relies on no roll by such as rely on likely results."""

    def suits(self, context: SearchContext) -> bool:
        """Tell whether units move once, and there are plans that have no form in the model."""
        return not (context.narrow or isinstance(context.model.layer, Events) or context.complete)

    def run(self, context: SearchContext) -> Result:
        """Search; plans that rely on no roll come first."""
        context.one_by_one = True
        first = TierByTier().run(context.within(context.limits.part(LikelyResults.share)))
        try:
            confidence = context.scenario.game.situation.confidence
            limit = context.build_options(confidence, bounding=True)
            model = context.build_options(confidence)
        except OutOfTimeError:
            return first
        bounds = _bounds(context, limit)
        if bounds is None:  # nothing is legal, whatever is relied upon
            return first if first.plan is not None else context.confirm(context, limit)
        best = _best_proposal(context, model, first)
        if best is None and first.plan is None:
            found = replace(first, seconds=context.seconds)
        elif best is None:
            status = "optimal" if first.value == bounds else first.status
            found = replace(first, status=status, seconds=context.seconds, bound=bounds)
        else:
            plan, verdict = best
            found = context.result(plan, verdict, StrategyClaim(bounds, context.value(verdict) == bounds))
        lucky = context.plain and not may_end_illegally(context.scenario.game)
        if found.status != "optimal" and found.plan is not None and lucky:
            bounds = _if_all_goes_well(context, found.value, bounds)
            found = replace(found, status="optimal" if found.value == bounds else found.status, bound=bounds)
        return found if found.status == "optimal" or context.pool is not None else _proved(context, found, bounds)


def _if_all_goes_well(context: SearchContext, value: Value, bounds: Value) -> Value:
    """Return bounds that are no higher than what could be had where every roll goes as one likes."""
    limits = context.limits.share(LikelyResults.luck, LikelyResults.longest_luck)
    lucky = bound_of(context.scenario, value, limits)
    return tuple(map(min, bounds, lucky))


def _proved(context: SearchContext, found: Result, bounds: Value) -> Result:
    """Go through all plans that might be better, where they are few enough: then the best of them is proved."""
    # Ways that are dominated for the best of plans may still be those of a plan that is one outcome by outcome.
    exact = SearchContext(
        context.scenario, context.limits, context.confirm, conditions=replace(context.conditions, exact=True)
    )
    every = Census(
        exact, found.value if found.plan is not None else None, bounds[0] if bounds else None, last=True
    ).run()
    if every is None:
        return found
    best = every.best()
    if best is None:
        return found if found.plan is not None else Result("infeasible", context.seconds)
    _, value, plan, verdict = best
    return context.result(plan, verdict, StrategyClaim(value, True))


def _bounds(context: SearchContext, limit: Model) -> Value | None:
    """Return for each tier what no plan can exceed; None if there is none."""
    ceilings = [most(tier, context.scenario.game) for tier in context.scenario.tiers]
    expression = limit.coupling.expression(limit.tiers[0]) if limit.tiers else 0
    if not isinstance(expression, int):
        maximize(limit.coupling.model, expression)
    solved = context.solve(limit, 0, told=False)
    if solved.outcome == "infeasible":
        return None
    bound = expression if isinstance(expression, int) else solved.bound
    if ceilings and bound is not None:
        ceilings[0] = min(ceilings[0], unscaled(bound, limit.scale))
    return tuple(ceilings)


def _best_proposal(context: SearchContext, model: Model, first: Result) -> tuple[Plan, Verdict] | None:
    """Return the best plan that the referee finds legal; None if that is the one known already."""
    coupling = model.coupling
    best: tuple[Plan, Verdict] | None = None
    known = first.value if first.plan is not None else None
    weights = _weights(model)
    objective = Linear.sum_of(tier.times(weight) for tier, weight in zip(model.tiers, weights, strict=False))
    expression = coupling.expression(objective)
    if not isinstance(expression, int):
        maximize(coupling.model, expression)
    idle = 0
    for _ in range(LikelyResults.proposals):
        if context.limits.late or idle >= LikelyResults.patience:
            break
        idle += 1
        solved = solve_honestly(
            model,
            partial(context.solve, model, 0, told=False),
            most_outcomes=context.replays.most_outcomes,
            replayed=context.is_replayed_in_groups,
        )
        if solved.holds is None:
            break
        if known is not None and solved.value is not None:
            worth = sum(w * v * model.scale for w, v in zip(weights, known, strict=False))
            if solved.value <= worth and context.pool is None:
                break
        plan = model.plan(solved.holds)
        if (verdict := context.judged(plan)) is not None:
            value = context.value(verdict)
            if context.pool is not None:
                context.pool.add(plan, verdict, value)
            if known is None or value > known:
                best, known, idle = (plan, verdict), value, 0
                if value:
                    context.tell(Progress(0, value[0], None, context.seconds))
        coupling.add_or(_another_combination(model, solved))
        if not model.tiers and best is not None and context.pool is None:
            break
    return best


def _weights(model: Model) -> list[int]:
    """Return weights that make one sum of the tiers, as many as fit into the solver's numbers."""
    weights: list[int] = []
    span = 1
    for tier in reversed(model.tiers):
        weights.insert(0, span)
        highest = ceiling(tier, model.coupling)
        lowest = -ceiling(tier.times(-1), model.coupling)
        span *= highest - lowest + 1
    if span > LikelyResults.largest:
        return [1, *(0 for _ in model.tiers[1:])]
    return weights


def _another_combination(model: Model, solved: Solved) -> list[Literal]:
    """Return literals of which one holds in every solution that chooses otherwise of all that rolls have to do with."""
    assert isinstance(model.layer, Options)
    assert solved.holds is not None
    relevant = [literal for _, literal in model.layer.teams]
    for options in model.layer.chosen.values():
        for option, literal in options:
            if any(atom.helped or atom.foremost for atom in option.needs):
                relevant.append(literal)
    return [~literal if solved.holds(literal) else literal for literal in relevant]
