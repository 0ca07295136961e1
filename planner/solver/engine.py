"""Runs CP-SAT so that it can be watched, limited and interrupted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import floor
from typing import Any
from typing import Literal as OneOf

from planner.limits import Limits
from planner.solver.cp_sat import Holds, Literal, cp_model
from planner.solver.tuning import Portfolio, SolverRun

Outcome = OneOf["optimal", "feasible", "infeasible", "unknown"]


@dataclass(frozen=True)
class Configuration:
    """How CP-SAT searches.

    Attributes
    ----------
    workers : int
        Threads; with one, the same input and seed give the same answer, unless the clock ends some stage.
    seed : int
        Random seed.
    presolve : bool
        Whether to presolve: on most of these models it costs more than it gives.
    probing : bool
        Whether presolve also tries out single literals.
    subsolvers : tuple of str
        The search strategies; none named: the solver's own choice.
    work : float or None
        The solver's own measure of work, deterministic and roughly seconds, after which it gives up; None: no limit.
    share : float or None
        How much of the time that is left it may take, where there is a limit; None: all of it.
    fixed : bool
        Whether variables that have a hint are taken to be what it says.
    near : float or None
        How far value and bound may be apart before it begins, as a share of the value; None: it doesn't matter.
    far : float or None
        How far they must be apart for it to be worth while; None: it doesn't matter.
    chancy : bool
        Whether the model is about expected values.
    limited : bool
        Whether plans whose rolls have too many outcomes are left out of it.
    attacks : bool
        Whether the model is about who attacks whom.
    events : bool
        Whether the model is about units that wait for each other, and which events they bring about.
    near_best : bool
        Whether to look for better solutions near the best so far alone, which hardly ever proves anything.
    soon : bool
        Whether good solutions are wanted soon, even if the proof comes a little later.
    unordered : bool
        Whether the model does without the order of the moves, but for what of it turns out to matter.
    by_goals : bool
        Whether the bound is to come from which goals exclude each other, if the objective counts goals.
    """

    workers: int = 1
    seed: int = 0
    presolve: bool = False
    probing: bool = True
    subsolvers: tuple[str, ...] = ("core", "reduced_costs")
    work: float | None = None
    share: float | None = None
    fixed: bool = False
    near: float | None = None
    far: float | None = None
    chancy: bool = False
    limited: bool = False
    attacks: bool = False
    events: bool = False
    near_best: bool = False
    soon: bool = False
    unordered: bool = False
    by_goals: bool = False


def threads(workers: int, variables: int) -> int:
    """Return how many of the threads that may be used a model is given: fewer if it is very large."""
    return max(1, min(workers, Portfolio.most_variables // max(1, variables)))


def another(seed: int) -> int:
    """Return another seed than one."""
    return (seed + 1) % 2**31  # the solver's seeds have 31 bits


@dataclass(frozen=True)
class Solved:
    """What one run found.

    Attributes
    ----------
    outcome : str
        As in `planner.search.answer_types.SearchStatus`.
    value, bound : int or None
        Objective value and bound, scaled; None without an objective or a solution.
    holds : callable or None
        Tells of a literal whether it holds in the solution; None without one.
    solution : sequence of int
        The value of every variable in the solution; empty without one.
    settled : Solved or None
        The best solution on the way with its claims put right, where solutions may claim too much.
    useless : bool
        Whether it was ended because of a solution that is no use.
    work : float
        How much work that was, in the solver's own measure.
    core : tuple of int
        If there is no solution: some of what was assumed that is enough for that, by the indices of the literals.
    """

    outcome: Outcome
    value: int | None = None
    bound: int | None = None
    holds: Holds | None = None
    solution: Sequence[int] = ()
    settled: Solved | None = None
    useless: bool = False
    work: float = 0.0
    core: tuple[int, ...] = ()

    @property
    def worth(self) -> int:
        """The value; 0 without an objective."""
        return 0 if self.value is None else self.value


def variable_of(index: int) -> int:
    """Return the variable of a literal, both by their indices: that of a negation is -1 less the variable's."""
    return index if index >= 0 else -1 - index


def is_true(solution: Sequence[int], index: int) -> bool:
    """Tell whether the literal with an index holds in a solution."""
    return bool(solution[variable_of(index)]) == (index >= 0)


def clauses_of(constraint: Any) -> list[list[int]]:
    """Return the clauses that a constraint stands for, of literals by their indices; none if it is of another kind."""
    if constraint.has_bool_or():
        return [[*(-1 - literal for literal in constraint.enforcement_literal), *constraint.bool_or.literals]]
    if constraint.has_bool_and():
        unless = [-1 - literal for literal in constraint.enforcement_literal]
        return [[*unless, literal] for literal in constraint.bool_and.literals]
    return []


def holds_in(solution: Sequence[int]) -> Holds:
    """Return what tells of a literal, or plain truth value, whether it holds in a solution."""

    def holds(literal: Literal) -> bool:
        if isinstance(literal, int):
            return bool(literal)
        index = literal.index  # as `is_true` has it, without the calls: plans are read by asking for every literal
        return bool(solution[index]) if index >= 0 else not solution[-1 - index]

    return holds


OnChange = Callable[[int | None, int | None], None]
"""Gets value and bound, scaled; None as long as there is none."""

PutRight = Callable[[int, Sequence[int]], "tuple[int, Sequence[int]] | None"]
"""Gets a solution and its value, and returns what it is worth and what it should have claimed.

None: it is no use, and better ones will hardly be any; the search ends.
"""


@cache
def _watchers() -> Any:
    """Return the class of what watches solutions, made when CP-SAT is there."""

    class Watcher(cp_model.CpSolverSolutionCallback):
        def __init__(self, on_value: Callable[[int], None], put_right: PutRight | None) -> None:
            super().__init__()
            self._on_value, self._put_right = on_value, put_right
            self.settled: Solved | None = None
            self.useless = False

        def on_solution_callback(self) -> None:
            """Report the value of a new solution."""
            value = round(self.objective_value)
            if self._put_right is not None:
                right = self._put_right(value, list(self.response_proto.solution))
                if right is None:
                    self.useless = True
                    self.stop_search()
                    return
                value, solution = right
                if self.settled is not None and self.settled.worth >= value:
                    return
                self.settled = Solved("feasible", value, None, holds_in(solution), solution)
            self._on_value(value)

    return Watcher


def least(*bounds: int | None) -> int | None:
    """Return the least of some bounds, of which None is none."""
    return min((bound for bound in bounds if bound is not None), default=None)


def late_for_presolve(model: cp_model.CpModel, limits: Limits) -> bool:
    """Tell whether presolve, which hardly looks at the clock, would end late, and everything else with it."""
    left = limits.left()
    if left is None or left > SolverRun.presolve * len(model.proto.variables):
        return False
    limits.hurried.set()
    return True


def carried_on(on_change: OnChange, best: Solved | None, bound: int | None) -> OnChange:
    """Return a function that tells of values and bounds together with those of the stages before."""

    def told(value: int | None, new_bound: int | None) -> None:
        values = [one for one in (value, best.value if best is not None else None) if one is not None]
        on_change(max(values, default=None), least(new_bound, bound))

    return told


def begin_with(model: cp_model.CpModel, solved: Solved) -> None:
    """Let the next run of a model begin with a solution of it."""
    give_hint(model, range(len(solved.solution)), solved.solution)


def give_hint(model: cp_model.CpModel, variables: Iterable[int], values: Iterable[int]) -> None:
    """Hint at the values of variables, each named once by its index; nothing else is hinted any more."""
    model.clear_hints()  # type: ignore[no-untyped-call]
    hint = model.proto.solution_hint
    hint.vars.extend(variables)
    hint.values.extend(values)


def complete_hint(model: cp_model.CpModel, limits: Limits) -> Solved | None:
    """Add to a hint what follows from it for all other variables: strategies begin with whole solutions alone.

    Returns the solution, of which nothing is proved; None if there is none, or it wasn't found soon.
    """
    solved = run(model, Configuration(subsolvers=(), work=SolverRun.fixed, fixed=True), limits)
    if solved.holds is None:
        return None
    begin_with(model, solved)
    return replace(solved, outcome="feasible", bound=None)


def run(
    model: cp_model.CpModel,
    configuration: Configuration,
    limits: Limits,
    on_change: OnChange | None = None,
    put_right: PutRight | None = None,
) -> Solved:
    """Solve a model.

    The solver runs in a thread of its own, so that the caller's thread stays free to notice an interrupt, which ends the
    search and goes on to the caller: the solver itself would swallow it.

    Parameters
    ----------
    model : CpModel
        What to solve.
    configuration : Configuration
        How; very large models get fewer threads.
    limits : Limits
        When to end, and what stops the search; seed and threads are those of the configuration.
    on_change : callable, optional
        Gets (value, bound), scaled, a few times a second at most, in the caller's thread.
    put_right : callable, optional
        Puts solutions right that may claim too much; values that are told are those of solutions put right.
    """
    solver = cp_model.CpSolver()
    _set_parameters(solver, model, configuration, limits)
    seen: dict[str, int | None] = {"value": None, "bound": None}

    def new_value(value: int) -> None:
        seen["value"] = value

    def new_bound(bound: float) -> None:
        seen["bound"] = floor(bound + 1e-6)

    watcher = None
    if model.has_objective():
        watcher = _watchers()(new_value, put_right)
        solver.best_bound_callback = new_bound
    status = _solve_in_thread(solver, model, watcher, limits.stop, on_change, seen)
    if status == cp_model.MODEL_INVALID:
        raise RuntimeError(f"invalid model: {model.validate()}")
    outcomes: dict[cp_model.CpSolverStatus, Outcome] = {
        cp_model.OPTIMAL: "optimal",
        cp_model.FEASIBLE: "feasible",
        cp_model.INFEASIBLE: "infeasible",
    }
    outcome = outcomes.get(status, "unknown")
    work = float(solver.response_proto.deterministic_time)
    limits.spend(work + SolverRun.begun)
    if outcome in ("feasible", "unknown"):
        limits.timed_out()
    if outcome not in ("optimal", "feasible"):
        core = tuple(solver.response_proto.sufficient_assumptions_for_infeasibility)
        return Solved(outcome, None, seen["bound"] if outcome == "unknown" else None, work=work, core=core)
    solution = list(solver.response_proto.solution)
    holds = holds_in(solution)
    if watcher is None:
        return Solved(outcome, holds=holds, solution=solution, work=work)
    value, bound = round(solver.objective_value), floor(solver.best_objective_bound + 1e-6)
    return Solved(outcome, value, bound, holds, solution, watcher.settled, watcher.useless, work)


def _set_parameters(
    solver: cp_model.CpSolver, model: cp_model.CpModel, configuration: Configuration, limits: Limits
) -> None:
    """Translate a configuration into CP-SAT's parameters."""
    parameters = solver.parameters
    workers = threads(configuration.workers, len(model.proto.variables))
    parameters.num_workers = workers
    parameters.random_seed = configuration.seed
    parameters.catch_sigint_signal = False
    parameters.cp_model_presolve = configuration.presolve
    parameters.symmetry_level = 0  # looking for symmetries takes longer than they save
    if not configuration.probing:
        parameters.cp_model_probing_level = 0
    if configuration.events:
        parameters.max_presolve_iterations = 1  # of events, further ones take longer than they save
    if configuration.subsolvers == ("core",) and not configuration.presolve:
        # Even without presolve the solver tries out single literals, and each core is made smaller, before it goes on:
        # on these models that takes as long as all the rest.
        parameters.cp_model_probing_level = parameters.core_minimization_level = 0
        if configuration.work is not None and configuration.work <= Portfolio.at_once:
            # What is proved at once is proved in half the time by cores as they come, and clauses as they are.
            parameters.cover_optimization = False
            parameters.inprocessing_probing_dtime = parameters.inprocessing_minimization_dtime = 0.0
    if (configuration.attacks and configuration.presolve) or limits.hurried.is_set():
        # The relaxation proves these: trying out literals between restarts takes a tenth longer than it saves. Like
        # presolve it hardly looks at the clock: of 12 runs with 17,000 variables 6 ended 0.15 to 0.25 s late by it.
        parameters.inprocessing_dtime_ratio = 0.0
    if configuration.chancy and len(model.proto.variables) >= Portfolio.large:
        # Their bound comes from cuts; after every few of them, the relaxation would be solved once more.
        parameters.new_constraints_batch_size = Portfolio.cuts if configuration.soon else Portfolio.cuts_later
    if model.has_objective() and configuration.near_best:
        parameters.use_lns_only = parameters.interleave_search = True
    elif configuration.subsolvers and (model.has_objective() or configuration.by_goals):
        parameters.subsolvers.extend(configuration.subsolvers)
        if workers == 1 and len(configuration.subsolvers) > 1:
            parameters.interleave_search = True
        elif workers == 1 and configuration.subsolvers == ("core",):
            # The solver does without cores where one variable is all that is left of the objective, and without a
            # strategy that proves anything it would only look around until its work is done. Else this one isn't run.
            parameters.subsolvers.append("no_lp")
    parameters.fix_variables_to_their_hinted_value = configuration.fixed
    longest = None
    if configuration.work is not None:
        parameters.max_deterministic_time = configuration.work
        if configuration.near_best:
            # Neighbourhoods that are solved at once hardly count as work: on some boards the measure stands still.
            longest = SolverRun.patience + SolverRun.patience_for_work * configuration.work
    if limits.effort is not None:
        parameters.max_deterministic_time = min(parameters.max_deterministic_time, max(0.001, limits.effort.left))
    left = limits.left(longest)
    if left is not None and limits.deadline is not None:
        left *= configuration.share or 1
    if left is not None:
        parameters.max_time_in_seconds = max(0.001, left)


def _solve_in_thread(
    solver: cp_model.CpSolver,
    model: cp_model.CpModel,
    watcher: cp_model.CpSolverSolutionCallback | None,
    stop: threading.Event,
    on_change: OnChange | None,
    seen: Mapping[str, int | None],
) -> cp_model.CpSolverStatus:
    """Solve a model in a thread of its own, and tell of what is seen meanwhile."""
    statuses: list[cp_model.CpSolverStatus] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            statuses.append(solver.solve(model, watcher))
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
        except BaseException:
            solver.stop_search()  # whoever goes away leaves nothing running behind with a model that may change
            done.wait(SolverRun.patience)
            raise
    if failures:
        raise failures[0]
    if on_change is not None and (seen["value"], seen["bound"]) != shown:
        on_change(seen["value"], seen["bound"])
    return statuses[0]
