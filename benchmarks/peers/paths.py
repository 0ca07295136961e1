"""CP-SAT's defaults, all cores and presolve, on the planner's explicit path layer."""

from __future__ import annotations

from fractions import Fraction

from peers.task import Task
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.solver.engine import Configuration
from planner.solver.engine import run as solve
from planner.solver.model import build_paths, unscaled


def run(task: Task) -> None:
    """Solve tier by tier."""
    scenario = task.load()
    with task.phase("reach"):
        reach = ConditionalReach(scenario.game)
        if reach.rolls:
            task.finish(scenario, "unsuited", None)
            return
        for unit in reach.movers:
            reach.hexes_of(unit)
    with task.phase("build"):
        model = build_paths(scenario, reach)
    defaults = Configuration(workers=0, seed=task.seed, presolve=True, subsolvers=())
    plan: Plan | None = None
    values: list[Fraction] = []
    for tier in model.tiers:
        expression = model.coupling.expression(tier)
        if isinstance(expression, int):
            values.append(unscaled(expression, model.scale))
            continue
        model.coupling.model.maximize(expression)

        def on_change(value: int | None, bound: int | None) -> None:
            found = [None if x is None else unscaled(x, model.scale) for x in (value, bound)]
            task.note([*values, found[0]], [*values, found[1]])

        with task.phase("solve"):
            solved = solve(model.coupling.model, defaults, Limits.within(task.left()), on_change)
        if solved.holds is None:
            if plan is None:
                task.finish(scenario, "infeasible" if solved.outcome == "infeasible" else "unknown", None)
                return
            task.finish(scenario, "feasible", plan, values)
            return
        plan = model.plan(solved.holds)
        assert solved.value is not None
        assert solved.bound is not None
        values.append(unscaled(solved.value, model.scale))
        if solved.outcome != "optimal":
            bounds = [*values[:-1], unscaled(solved.bound, model.scale)]
            task.finish(scenario, "feasible", plan, values, bounds)
            return
        model.coupling.model.add(expression == solved.value)
        model.coupling.model.clear_hints()  # type: ignore[no-untyped-call]
        for literal in model.coupling.literals:
            model.coupling.model.add_hint(literal, solved.holds(literal))
    task.finish(scenario, "optimal", plan, values)
