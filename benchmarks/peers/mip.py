"""HiGHS and SCIP on the options: clauses as rows, tier by tier, each begun with the plan of the tier before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Protocol

from peers.program import Program, UnsuitedError, holding
from peers.task import Task
from planner.objective import Linear
from planner.reachability.conditional_reach import ConditionalReach

Row = tuple[list[int], list[int], float, float]
"""Columns from 0 on, their coefficients, and the least and the most that they may come to."""

INFINITY = 1e30


@dataclass
class Found:
    """What a solver says of one tier.

    Attributes
    ----------
    status : str
        optimal, feasible, infeasible or unknown.
    values : sequence of bool, or None
        The variables, the first at 0.
    bound : int or None
        What no solution can exceed, scaled.
    """

    status: str
    values: Sequence[bool] | None = None
    bound: int | None = None


class Solver(Protocol):
    """A solver of 0/1 programs that keeps its rows from tier to tier."""

    def maximize(
        self,
        costs: dict[int, int],
        constant: int,
        seconds: float,
        start: Sequence[bool] | None,
        on_change: Callable[[float | None, float | None], None],
    ) -> Found:
        """Maximize a sum."""

    def add(self, row: Row) -> None:
        """Add a row."""


def rows_of(program: Program) -> list[Row]:
    """Return the rows of a program."""
    rows: list[Row] = []
    for clause in program.clauses:
        costs, constant = costs_of([(1, literal) for literal in dict.fromkeys(clause)])
        rows.append((list(costs), list(costs.values()), 1 - constant, INFINITY))
    for choice in program.choices:
        costs, constant = costs_of([(1, literal) for literal in choice])
        rows.append((list(costs), list(costs.values()), 1 - constant, 1 - constant))
    for terms, limit in program.sums:
        costs, constant = costs_of(terms)
        rows.append((list(costs), list(costs.values()), -INFINITY, limit - constant))
    return rows


def costs_of(terms: Sequence[tuple[int, int]]) -> tuple[dict[int, int], int]:
    """Return the coefficient of each column, from 0 on, and a constant, for weighted literals."""
    costs: dict[int, int] = {}
    constant = 0
    for weight, literal in terms:
        column = abs(literal) - 1
        if literal > 0:
            costs[column] = costs.get(column, 0) + weight
        else:
            costs[column] = costs.get(column, 0) - weight
            constant += weight
    return costs, constant


def solve(task: Task, make: Callable[[Program, Task], Solver]) -> None:
    """Solve tier by tier."""
    scenario = task.load()
    with task.phase("reach"):
        reach = ConditionalReach(scenario.game)
        possible = {unit: reach.possibilities(unit) for unit in reach.movers}
        reach.possibilities = possible.__getitem__  # type: ignore[method-assign,assignment]
    try:
        with task.phase("build"):
            program = Program(scenario, reach)
            solver = make(program, task)
    except UnsuitedError as error:
        task.finish(scenario, "unsuited", None, note=str(error))
        return
    values: list[Fraction] = []
    plan, start = None, None
    for tier in program.tiers or [Linear()]:
        terms, constant = [], tier.constant
        for weight, x in tier.terms:
            if x is True:
                constant += weight
            elif x is not False:
                terms.append((weight, x))
        costs, more = costs_of(terms)
        scale = program.mp_scale

        def on_change(value: float | None, bound: float | None, scale: int = scale) -> None:
            found = None if value is None else Fraction(round(value), scale)
            most = None if bound is None or abs(bound) > 1e15 else Fraction(floor(bound + 1e-6), scale)
            task.note([*values, found], [*values, most])

        with task.phase("solve"):
            found = solver.maximize(costs, constant + more, task.left(), start, on_change)
        if found.values is None:
            if plan is None:
                task.finish(scenario, "infeasible" if found.status == "infeasible" else "unknown", None)
            elif found.status == "infeasible":
                raise RuntimeError("a tier's optimum became infeasible in the next tier")
            else:
                task.finish(scenario, "feasible", plan, values)
            return
        start = found.values
        plan = program.plan(holding(start))
        if program.tiers:
            values.append(program.value(len(values), holding(start)))
        if found.status != "optimal":
            bounds = [] if found.bound is None else [*values[:-1], Fraction(found.bound, scale)]
            task.finish(scenario, "feasible", plan, values, bounds)
            return
        exact = int(values[-1] * scale) - constant - more if values else 0
        solver.add((list(costs), list(costs.values()), exact, exact))
    task.finish(scenario, "optimal", plan, values)


def highs(task: Task) -> None:
    """Solve with HiGHS; it can't be loaded beside ortools."""
    from peers.with_highs import WithHighs

    solve(task, WithHighs)


def scip(task: Task) -> None:
    """Solve with SCIP."""
    from peers.with_scip import WithScip

    solve(task, WithScip)
