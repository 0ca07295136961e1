"""What the best solutions have in common, by reduced costs: priced in floating point, proved in whole numbers.

Whatever the prices of the rows of a linear program, what they come to, and what the columns are worth beyond them, is an
upper bound (weak duality). What a column is worth beyond them, its reduced cost, is lost where it isn't as the bound has it.
So all literals that aren't lose no more together, in a solution that has the best value, than lies between that and the
bound; one that would lose more by itself is as the bound has it. The relaxation of another objective knows nothing of that.

The rows are those constraints of a model that are linear as they are; all others are passed over, so that there are more
solutions, and the bound holds all the more. The prices are the linear solver's, rounded; what is proved doesn't depend on
how good they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING, NamedTuple

from planner.limits import Limits
from planner.solver.cp_sat import cp_model
from planner.solver.engine import Configuration, Solved, clauses_of, variable_of
from planner.solver.tuning import ReducedCosts

if TYPE_CHECKING:
    from ortools.math_opt.python import mathopt  # type: ignore[import-untyped]

BOUNDLESS = 2**40
"""What no sum comes to: a bound beyond it is none."""

_FAILURES = (RuntimeError, NotImplementedError, ValueError, AssertionError, AttributeError)
"""What comes of a linear solver that is at a loss, or isn't there; the last as OR-Tools 9.15 fails to say which it is."""


class LinearRow(NamedTuple):
    """A sum of columns, and between what it is; None: no limit."""

    weights: dict[int, int]
    least: int | None
    most: int | None


class Relaxation:
    """The linear relaxation of a model that is maximized.

    Parameters
    ----------
    model : CpModel
        The model.

    Attributes
    ----------
    limits : list of (int, int)
        Between what each column is.
    rows : list of LinearRow
        The constraints that are linear.
    objective : dict of int to int
        What each column is worth.
    constant : int
        What is had in any case.
    """

    def __init__(self, model: cp_model.CpModel) -> None:
        objective = model.proto.objective
        self.limits = [(domain[0], domain[-1]) for domain in (list(each.domain) for each in model.proto.variables)]
        self.rows = list(_rows(model))
        # The solver minimizes, see `cp_sat.maximize`.
        self.objective = _summed(
            (index, -weight) for index, weight in zip(objective.vars, objective.coeffs, strict=True)
        )
        self.constant = -round(objective.offset)

    def losses(self, prices: Sequence[float], value: int) -> dict[int, int]:
        """Return literals with what they cost, so that all that hold in a solution that is worth enough cost little.

        Together they cost no more than `ReducedCosts.steps`, which whoever costs more by himself never does.

        Parameters
        ----------
        prices : sequence of float
            What one more of each row is worth; any prices prove something.
        value : int
            What a solution must be worth; ties are worth as much.
        """
        fine, steps = ReducedCosts.fineness, ReducedCosts.steps
        bound, beyond = self.constant * fine, [0] * len(self.limits)
        for index, weight in self.objective.items():
            beyond[index] = weight * fine
        for row, price in zip(self.rows, (round(each * fine) if isfinite(each) else 0 for each in prices), strict=True):
            limit = row.most if price > 0 else row.least
            if price and limit is not None:
                bound += price * limit
                for index, weight in row.weights.items():
                    beyond[index] -= price * weight
        bound += sum(max(low * more, high * more) for (low, high), more in zip(self.limits, beyond, strict=True))
        to_lose = bound - value * fine
        found = dict[int, int]()
        for index, (limits, more) in enumerate(zip(self.limits, beyond, strict=True)):
            # Rounded down: what is said is no more than what is proved.
            cost = steps + 1 if abs(more) > to_lose else abs(more) * steps // max(1, to_lose)
            if limits == (0, 1) and cost:
                found[-1 - index if more > 0 else index] = cost
        return found


def suits(model: cp_model.CpModel, configuration: Configuration, solved: Solved) -> bool:
    """Tell whether it is worth the time: the relaxation is close and not too large, and the tier took some time itself."""
    # That of expected values is close, too; but there the solver gains no more by it than it takes.
    close, variables = configuration.attacks, len(model.proto.variables)
    return close and solved.work >= ReducedCosts.worthwhile and variables < ReducedCosts.variables


def keep_to_best(model: cp_model.CpModel, value: int, limits: Limits) -> None:
    """Tell a model what its best solutions have in common, once it is proved what they are worth.

    Parameters
    ----------
    model : CpModel
        The model, with an objective that is maximized. It gets a constraint that holds in all solutions that are worth so
        much, or more.
    value : int
        What the best ones are worth.
    limits : Limits
        When to give up.
    """
    relaxation = Relaxation(model)
    prices = _prices(relaxation, limits)
    losses = {} if prices is None else relaxation.losses(prices, value)
    if losses:
        said = model.proto.constraints.add().linear
        said.vars.extend(map(variable_of, losses))
        said.coeffs.extend(cost if index >= 0 else -cost for index, cost in losses.items())
        most = ReducedCosts.steps - sum(cost for index, cost in losses.items() if index < 0)
        said.domain.extend([-sum(losses.values()), most])


def _rows(model: cp_model.CpModel) -> Iterator[LinearRow]:
    """Yield the constraints of a model that are linear as they are."""
    for constraint in model.proto.constraints:
        for clause in clauses_of(constraint):
            yield _counted(clause, 1, None)
        if constraint.enforcement_literal:
            continue
        if constraint.has_at_most_one():
            yield _counted(constraint.at_most_one.literals, None, 1)
        elif constraint.has_exactly_one():
            yield _counted(constraint.exactly_one.literals, 1, 1)
        elif constraint.has_linear():
            linear = constraint.linear
            least, *_, most = linear.domain
            weights = _summed(zip(linear.vars, linear.coeffs, strict=True))
            yield LinearRow(weights, least if least > -BOUNDLESS else None, most if most < BOUNDLESS else None)


def _counted(literals: Iterable[int], least: int | None, most: int | None) -> LinearRow:
    """Return how many of some literals hold, in which that of a negation is 1 less the variable."""
    counted = list(literals)
    negated = sum(literal < 0 for literal in counted)
    weights = _summed((literal, 1) for literal in counted)
    return LinearRow(weights, None if least is None else least - negated, None if most is None else most - negated)


def _summed(terms: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return what each variable counts in a sum of variables and their negatives."""
    weights = dict[int, int]()
    for index, weight in terms:
        variable = variable_of(index)
        weights[variable] = weights.get(variable, 0) + (weight if index >= 0 else -weight)
    return weights


def _prices(relaxation: Relaxation, limits: Limits) -> list[float] | None:
    """Return what one more of each row is worth in a best solution of a relaxation; None if there was no time for it."""
    from ortools.math_opt.python import mathopt

    if limits.late:
        return None
    # HiGHS hears of nobody while it works: so it works a little at a time, and goes on where it was, without presolve.
    little = mathopt.SolveParameters(iteration_limit=ReducedCosts.iterations, presolve=mathopt.Emphasis.OFF)
    try:
        solver = mathopt.IncrementalSolver(_written(relaxation), mathopt.SolverType.HIGHS)
        for _ in range(ReducedCosts.rounds):
            if limits.late:
                return None
            result = solver.solve(params=little)
            limits.spend(ReducedCosts.work * result.solve_stats.simplex_iterations)
            if result.termination.reason == mathopt.TerminationReason.OPTIMAL and result.has_dual_feasible_solution():
                prices = {row.id: float(price) for row, price in result.dual_values().items()}
                return [prices.get(number, 0.0) for number in range(len(relaxation.rows))]
    except _FAILURES:  # who can't say anything says nothing
        return None
    return None


def _written(relaxation: Relaxation) -> mathopt.Model:
    """Return a relaxation as the linear solver wants it."""
    from ortools.math_opt import model_pb2  # type: ignore[import-untyped]
    from ortools.math_opt.python import mathopt

    written = model_pb2.ModelProto()
    columns, rows, matrix = written.variables, written.linear_constraints, written.linear_constraint_matrix
    columns.ids.extend(range(len(relaxation.limits)))
    columns.lower_bounds.extend(low for low, _ in relaxation.limits)
    columns.upper_bounds.extend(high for _, high in relaxation.limits)
    columns.integers.extend([False] * len(relaxation.limits))
    written.objective.maximize = True
    weights = written.objective.linear_coefficients
    weights.ids.extend(sorted(relaxation.objective))
    weights.values.extend(weight for _, weight in sorted(relaxation.objective.items()))
    rows.ids.extend(range(len(relaxation.rows)))
    rows.lower_bounds.extend(-inf if row.least is None else row.least for row in relaxation.rows)
    rows.upper_bounds.extend(inf if row.most is None else row.most for row in relaxation.rows)
    for number, row in enumerate(relaxation.rows):
        some = sorted((index, weight) for index, weight in row.weights.items() if weight)
        matrix.row_ids.extend([number] * len(some))
        matrix.column_ids.extend(index for index, _ in some)
        matrix.coefficients.extend(weight for _, weight in some)
    return mathopt.Model.from_model_proto(written)
