"""Exact upper bounds from linear programs: solved in floating point, proved in fractions.

Whatever the prices of the rows, what they come to, and what the columns are worth beyond them, is an upper bound (weak
duality). The solver's prices, rounded to simple fractions, are good ones; what is proved doesn't depend on how good.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from planner.solver.tuning import Frequencies

Column = Hashable
Sum = Mapping[Column, Fraction]


@dataclass
class LinearProgram:
    """Columns between 0 and a limit, and rows that aren't exceeded.

    Attributes
    ----------
    rows : list of (sum, Fraction)
        Sums of columns, and what they are at most.
    limits : dict from columns to Fraction
        What a column is at most; absent: 1.
    """

    rows: list[tuple[Sum, Fraction]] = field(default_factory=list)
    limits: dict[Column, Fraction] = field(default_factory=dict)

    def add(self, total: Sum, most: Fraction | int) -> None:
        """Demand that a sum is at most so much."""
        self.rows.append((total, Fraction(most)))

    def most(self, objective: Sum, seconds: float | None = None) -> Fraction:
        """Return what a sum doesn't exceed in any solution; what it comes to in the best one, or hardly more.

        Parameters
        ----------
        objective : mapping from columns to Fraction
            The sum.
        seconds : float or None
            How long it may take; after that, the bound is poor.
        """
        prices = self.prices(objective, seconds)
        bounds = []
        for finest in Frequencies.denominators:
            rounded = [max(Fraction(0), Fraction(price).limit_denominator(finest)) for price in prices]
            bounds.append(self._bound(objective, rounded))
        return min(bounds)

    def _bound(self, objective: Sum, prices: list[Fraction]) -> Fraction:
        """Return the bound that prices of the rows prove."""
        left = dict(objective)
        bound = Fraction(0)
        for (total, most), price in zip(self.rows, prices, strict=True):
            if price:
                bound += price * most
                for column, weight in total.items():
                    left[column] = left.get(column, Fraction(0)) - price * weight
        return bound + sum(
            (more * self.limits.get(column, Fraction(1)) for column, more in left.items() if more > 0), Fraction(0)
        )

    def prices(self, objective: Sum, seconds: float | None = None) -> list[float]:
        """Return what one more of each row is worth, in floating point; parameters as `most` has them."""
        from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]

        solver: Any = pywraplp.Solver.CreateSolver("GLOP")
        if seconds is not None:
            solver.SetTimeLimit(int(1000 * seconds))
        columns: dict[Column, Any] = {}
        for total in (objective, *(total for total, _ in self.rows)):
            for column in total:
                if column not in columns:
                    columns[column] = solver.NumVar(0, float(self.limits.get(column, 1)), "")
        rows = []
        for total, most in self.rows:
            row = solver.Constraint(-solver.infinity(), float(most))
            for column, weight in total.items():
                row.SetCoefficient(columns[column], float(weight))
            rows.append(row)
        for column, weight in objective.items():
            solver.Objective().SetCoefficient(columns[column], float(weight))
        solver.Objective().SetMaximization()
        if solver.Solve() not in (solver.OPTIMAL, solver.FEASIBLE):
            return [0.0] * len(rows)
        return [float(row.dual_value()) for row in rows]
