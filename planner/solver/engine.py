"""Runs CP-SAT so that it can be watched, limited and interrupted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from math import floor
from typing import Any, Literal

from ortools.sat.python import cp_model

Outcome = Literal["optimal", "feasible", "infeasible", "unknown"]


@dataclass(frozen=True)
class Configuration:
    """How CP-SAT searches.

    Attributes
    ----------
    workers : int
        Threads; with one, the same input and seed give the same answer.
    seed : int
        Random seed.
    presolve : bool
        Whether to presolve: on these models it costs more than it gives.
    subsolvers : tuple of str
        The search strategies; none named: the solver's own choice.
    """

    workers: int = 1
    seed: int = 0
    presolve: bool = False
    subsolvers: tuple[str, ...] = ("core", "reduced_costs")


@dataclass(frozen=True)
class Solved:
    """What one run found.

    Attributes
    ----------
    outcome : str
        As in `planner.results.Status`.
    value, bound : int or None
        Objective value and bound, scaled; None without an objective or a solution.
    holds : callable or None
        Tells of a literal whether it holds in the solution; None without one.
    """

    outcome: Outcome
    value: int | None = None
    bound: int | None = None
    holds: Callable[[Any], bool] | None = None


class _Watcher(cp_model.CpSolverSolutionCallback):
    def __init__(self, on_value: Callable[[int], None]) -> None:
        super().__init__()
        self._on_value = on_value

    def on_solution_callback(self) -> None:
        """Report the value of a new solution."""
        self._on_value(round(self.objective_value))


def run(
    model: cp_model.CpModel,
    configuration: Configuration,
    time_limit: float | None,
    stop: threading.Event,
    on_change: Callable[[int | None, int | None], None] | None = None,
) -> Solved:
    """Solve a model.

    The solver runs in a thread of its own, so that the caller's thread stays free to notice an interrupt: the solver
    itself would swallow it.

    Parameters
    ----------
    model : CpModel
        What to solve.
    configuration : Configuration
        How.
    time_limit : float or None
        Seconds.
    stop : threading.Event
        Set it to stop the search.
    on_change : callable, optional
        Gets (value, bound), scaled, a few times a second at most, in the caller's thread.

    Raises
    ------
    KeyboardInterrupt
        Never: an interrupt sets `stop`, and what has been found is returned.
    """
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = configuration.workers
    parameters.random_seed = configuration.seed
    parameters.catch_sigint_signal = False
    parameters.cp_model_presolve = configuration.presolve
    if model.has_objective() and configuration.subsolvers:
        parameters.subsolvers.extend(configuration.subsolvers)
        if configuration.workers == 1:
            parameters.interleave_search = True
    if time_limit is not None:
        parameters.max_time_in_seconds = max(0.001, time_limit)
    seen: dict[str, int | None] = {"value": None, "bound": None}

    def new_value(value: int) -> None:
        seen["value"] = value

    def new_bound(bound: float) -> None:
        seen["bound"] = floor(bound + 1e-6)

    has_objective = model.has_objective()
    if has_objective:
        solver.best_bound_callback = new_bound
    statuses: list[Any] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            statuses.append(solver.solve(model, _Watcher(new_value) if has_objective else None))
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    # Waiting for an event, not for the thread: an interrupt in the middle of Thread.join leaves it in disorder.
    done = threading.Event()
    threading.Thread(target=work, daemon=True).start()
    shown: tuple[int | None, int | None] | None = None
    while not done.is_set():
        try:
            done.wait(0.05)
            if stop.is_set():
                solver.stop_search()
            if on_change is not None and (seen["value"], seen["bound"]) != shown:
                shown = (seen["value"], seen["bound"])
                on_change(*shown)
        except KeyboardInterrupt:
            stop.set()
    if failures:
        raise failures[0]
    if on_change is not None and (seen["value"], seen["bound"]) != shown:
        on_change(seen["value"], seen["bound"])
    outcomes: dict[Any, Outcome] = {
        cp_model.OPTIMAL: "optimal",
        cp_model.FEASIBLE: "feasible",
        cp_model.INFEASIBLE: "infeasible",
    }
    outcome = outcomes.get(statuses[0], "unknown")
    if statuses[0] == cp_model.MODEL_INVALID:
        raise RuntimeError(f"invalid model: {model.validate()}")
    if outcome not in ("optimal", "feasible"):
        bound = seen["bound"] if outcome == "unknown" else None
        return Solved(outcome, None, bound)

    def holds(literal: Any) -> bool:
        return literal if isinstance(literal, bool) else bool(solver.boolean_value(literal))

    if not has_objective:
        return Solved(outcome, holds=holds)
    return Solved(outcome, round(solver.objective_value), floor(solver.best_objective_bound + 1e-6), holds)
