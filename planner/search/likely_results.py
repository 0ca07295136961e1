"""Plans that rely on likely results.

Where the scenario allows it, a move may rely on a result that is rolled; where the result fails, the move isn't made. What
such a plan is worth follows from all its outcomes, and only the referee works it out. So the solver proposes combinations
of moves, valued as if all that they rely upon went well; the referee says what each is worth; what has been looked at is
excluded; until the next proposal, overvalued as it is, is worth no more than the best plan found.

The bound is that of another model, in which each move counts as made, or as left undone, whichever is better: no plan is
worth more. A plan is called optimal only where it comes to that bound.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from planner.errors import OutOfTimeError
from planner.objective import Linear
from planner.objective.scoring import values_of
from planner.search.result import Progress, Result
from planner.solver.model import Model, ceiling, most, unscaled
from planner.solver.possibility_layer import Options
from planner.solver.tuning import LikelyResults
from planner.solver.union_cuts import solve_honestly

if TYPE_CHECKING:
    from planner.plans.plan import Plan
    from planner.referee.verdict import Verdict
    from planner.search.search import Search
    from planner.solver.engine import Solved


def rely(search: Search, first: Result) -> Result:
    """Improve the best plan that relies on no roll by such as rely on likely results.

    Parameters
    ----------
    search : Search
        The search; its time limit holds.
    first : Result
        What is known without relying on any roll.
    """
    try:
        confidence = search.scenario.game.situation.confidence
        limit = search.build_options(confidence, bounding=True)
        model = search.build_options(confidence)
    except (OutOfTimeError, KeyboardInterrupt):
        return first
    bounds = _bounds(search, limit)
    if bounds is None:  # nothing is legal, whatever is relied upon
        return first if first.plan is not None else search.confirm(limit)
    best = _best_proposal(search, model, first)
    if best is None and first.plan is None:
        return replace(first, seconds=search.seconds())
    if best is None:
        status = "optimal" if first.value == bounds else first.status
        return replace(first, status=status, seconds=search.seconds(), bound=bounds)
    plan, verdict = best
    value = values_of(search.scenario.game, search.scenario.tiers, verdict)
    return search.replayed(plan, [], list(bounds), value == bounds, verdict)


def _bounds(search: Search, limit: Model) -> tuple[Fraction, ...] | None:
    """Return for each tier what no plan can exceed; None if there is none."""
    ceilings = [most(tier, search.scenario.game) for tier in search.scenario.tiers]
    if not limit.tiers:
        return ()
    expression = limit.coupling.expression(limit.tiers[0])
    if not isinstance(expression, int):
        limit.coupling.model.maximize(expression)
    solved = search.solve(limit, 0, told=False)
    if solved.outcome == "infeasible":
        return None
    if solved.bound is not None:
        ceilings[0] = min(ceilings[0], unscaled(solved.bound, limit.scale))
    return tuple(ceilings)


def _best_proposal(search: Search, model: Model, first: Result) -> tuple[Plan, Verdict] | None:
    """Return the best plan that the referee finds legal; None if that is the one known already."""
    scenario, coupling = search.scenario, model.coupling
    best: tuple[Plan, Verdict] | None = None
    known = first.value if first.plan is not None else None
    weights = _weights(model)
    objective = Linear.sum_of(tier.times(weight) for tier, weight in zip(model.tiers, weights, strict=False))
    expression = coupling.expression(objective)
    if not isinstance(expression, int):
        coupling.model.maximize(expression)
    idle = 0
    for _ in range(LikelyResults.proposals):
        if search.late or idle >= LikelyResults.patience:
            break
        idle += 1
        solved = solve_honestly(model, partial(search.solve, model, 0, told=False), most_outcomes=search.most_outcomes)
        if solved.holds is None:
            break
        if known is not None and solved.value is not None:
            worth = sum(w * v * model.scale for w, v in zip(weights, known, strict=False))
            if solved.value <= worth and search.pool is None:
                break
        plan = model.plan(solved.holds)
        if search.is_replayed(plan) and (verdict := search.replay(plan)).legal and search.fulfils(plan, verdict):
            value = values_of(scenario.game, scenario.tiers, verdict)
            if search.pool is not None:
                search.pool.add(plan, verdict, value)
            if known is None or value > known:
                best, known, idle = (plan, verdict), value, 0
                if search.on_progress is not None and value:
                    search.on_progress(Progress(0, value[0], None, search.seconds()))
        coupling.add_or(_another_combination(model, solved))
        if not model.tiers and best is not None and search.pool is None:
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


def _another_combination(model: Model, solved: Solved) -> list[Any]:
    """Return literals of which one holds in every solution that chooses otherwise of all that rolls have to do with."""
    assert isinstance(model.layer, Options)
    assert solved.holds is not None
    relevant = [literal for _, literal in model.layer.teams]
    for options in model.layer.chosen.values():
        for option, literal in options:
            if any(atom.helped or atom.foremost for atom in option.needs):
                relevant.append(literal)
    return [~literal if solved.holds(literal) else literal for literal in relevant]
