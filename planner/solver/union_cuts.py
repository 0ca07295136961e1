"""Solves until what a solution claims is what it is worth, where several rolls may come to the same.

What a combination of rolls comes to is known to the solver from above alone (`probability_union`). A solution that
claims too much is still a plan: with its claims put right it is worth something, which is kept as the best so far, and
the next run begins with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from planner.plans.plan import Plan
from planner.referee.outcomes import MOST_OUTCOMES
from planner.solver.cp_sat import Holds
from planner.solver.engine import PutRight, Solved, begin_with, holds_in, least
from planner.solver.model import Model


def solve_honestly(
    model: Model,
    solve: Callable[[], Solved],
    free: bool = False,
    most_outcomes: int = MOST_OUTCOMES,
    replayed: Callable[[Plan], bool] | None = None,
) -> Solved:
    """Solve a model until a solution claims no more than it is worth, or nothing better can be had in the time.

    Parameters
    ----------
    model : Model
        The model, which gets further constraints.
    solve : callable
        Runs the solver in the time that is left.
    free : bool
        Whether nothing but the rolls bounds the probabilities from below, so that solutions whose claims have been put
        right are solutions, too.
    most_outcomes : int
        How many outcomes a plan may have.
    replayed : callable, optional
        Tells whether the referee knows what a plan with more comes to all the same, as it does where few rolls have to do
        with each other.

    Returns
    -------
    Solved
        Its bound holds for all plans, and its solution has no more outcomes than it may have. It is
        "feasible" with the best solution so far where the time is up before one is found that claims no more than it is
        worth, and where there may be better plans with more outcomes.
    """
    coupling = model.coupling
    best: Solved | None = None
    bound: int | None = None
    while True:
        # Under a limit, which may be that of a tier before, bounds hold for some plans alone.
        limited = coupling.limited
        solved = solve()
        if not limited:
            bound = least(bound, solved.bound)
        if free and solved.settled is not None and (best is None or solved.settled.worth > best.worth):
            best = solved.settled
        if solved.holds is None:
            if solved.outcome == "infeasible" and not limited:
                return solved
            return Solved("unknown", None, bound) if best is None else replace(best, bound=bound)
        if _too_many(model, solved.holds, most_outcomes, replayed):
            # There may be better plans than all others, but nobody could say, or not in time, what they lead to.
            coupling.limit_outcomes(most_outcomes)
        elif not coupling.tighten(solved.holds, solved.solution):
            found = solved if best is None or solved.value is None or solved.value >= best.worth else best
            proved = found.outcome == "optimal" and (not limited or found.value == bound)
            return replace(found, bound=bound, outcome="optimal" if proved else "feasible")
        if best is not None:
            begin_with(coupling.model, best)


def _too_many(model: Model, holds: Holds, most: int, replayed: Callable[[Plan], bool] | None) -> bool:
    """Tell whether a solution has so many outcomes that nobody could say, or not in time, what they come to."""
    if model.coupling.outcomes(holds) <= most:
        return False
    return replayed is None or not replayed(model.plan(holds))


def putting_right(
    model: Model, most_outcomes: int = MOST_OUTCOMES, replayed: Callable[[Plan], bool] | None = None
) -> PutRight | None:
    """Return what puts solutions of a model right that claim too much, where plans may have so many outcomes.

    None: every solution is right. The rest is as for `solve_honestly`.
    """
    unions = model.coupling.unions
    if not model.coupling.chancy:
        return None
    objective = model.coupling.model.proto.objective
    factor = objective.scaling_factor or 1
    weights = {index: factor * weight for index, weight in zip(objective.vars, objective.coeffs, strict=True)}

    def put_right(value: int, solution: Sequence[int]) -> tuple[int, Sequence[int]] | None:
        holds, right, worth = holds_in(solution), list(solution), float(value)
        for union in unions:
            index = union.total.index
            claimed = solution[index]
            right[index] = min(claimed, union.most(holds))
            worth += weights.get(index, 0) * (right[index] - claimed)
        return None if _too_many(model, holds, most_outcomes, replayed) else (round(worth), right)

    return put_right
