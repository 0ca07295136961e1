"""Solves until what a solution claims is what it is worth, where several rolls may come to the same.

What a combination of rolls comes to is known to the solver from above alone (`planner.solver.unions`). A solution that
claims too much is still a plan: with its claims put right it is worth something, which is kept as the best so far, and
the next run begins with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from planner.solver.engine import PutRight, Solved, begin_with, holds_in
from planner.solver.model import Model


def solve_honestly(model: Model, solve: Callable[[], Solved], free: bool = False) -> Solved:
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

    Returns
    -------
    Solved
        Its bound holds for all plans. It is "feasible" with the best solution so far where the time is up before a
        solution is found that claims no more than it is worth.
    """
    best: Solved | None = None
    bound: int | None = None
    while True:
        solved = solve()
        if solved.bound is not None:
            bound = solved.bound if bound is None else min(bound, solved.bound)
        if free and solved.settled is not None and (best is None or _value(solved.settled) > _value(best)):
            best = solved.settled
        if solved.holds is None:
            return solved if best is None or solved.outcome == "infeasible" else replace(best, bound=bound)
        if not model.coupling.tighten(solved.holds, solved.solution):
            if best is None or solved.value is None or solved.value >= _value(best):
                return replace(solved, bound=bound)
            return replace(best, bound=bound)
        if best is not None:
            begin_with(model.coupling.model, best)


def _value(solved: Solved) -> int:
    assert solved.value is not None
    return solved.value


def putting_right(model: Model) -> PutRight | None:
    """Return what puts solutions of a model right that claim too much; None: none can."""
    unions = model.coupling.unions
    if not unions:
        return None
    objective = model.coupling.model.proto.objective
    factor = objective.scaling_factor or 1
    weights = {index: factor * weight for index, weight in zip(objective.vars, objective.coeffs, strict=True)}

    def put_right(value: int, solution: Sequence[int]) -> tuple[int, Sequence[int]]:
        holds, right, worth = holds_in(solution), list(solution), float(value)
        for union in unions:
            index = union.total.index
            claimed = solution[index]
            right[index] = min(claimed, union.most(holds))
            worth += weights.get(index, 0) * (right[index] - claimed)
        return round(worth), right

    return put_right
