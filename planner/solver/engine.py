"""Runs CP-SAT so that it can be watched, limited and interrupted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import floor
from typing import Any
from typing import Literal as OneOf

from planner.solver.cp_sat import Holds, Literal, cp_model

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
    fixed : bool
        Whether variables that have a hint are taken to be what it says.
    near : float or None
        How far value and bound may be apart before it begins, as a share of the value; None: it doesn't matter.
    far : float or None
        How far they must be apart for it to be worth while; None: it doesn't matter.
    chancy : bool
        Whether the model is about expected values.
    near_best : bool
        Whether to look for better solutions near the best so far alone, which hardly ever proves anything.
    soon : bool
        Whether good solutions are wanted soon, even if the proof comes a little later.
    unordered : bool
        Whether the model does without the order of the moves, but for what of it turns out to matter.
    """

    workers: int = 1
    seed: int = 0
    presolve: bool = False
    probing: bool = True
    subsolvers: tuple[str, ...] = ("core", "reduced_costs")
    work: float | None = None
    fixed: bool = False
    near: float | None = None
    far: float | None = None
    chancy: bool = False
    near_best: bool = False
    soon: bool = False
    unordered: bool = False


LARGE = 10_000
"""The number of variables from which on a model is a large one."""

VERY_LARGE = 40_000
"""The number of variables from which on looking for better solutions takes longer than most proofs."""

MOST_VARIABLES = 300_000
"""How many variables the models of all threads may have together: each thread has the model for itself, at some 4 KB for
each variable, and up to 6 KB in presolve, and all of it is to stay below 2 GB."""

MOST_PRESOLVED = 180_000
"""The number of variables above which a model isn't presolved in search of the best plan, but for expected values.

Presolve takes 7 KB for each variable of the largest models beside what has been listed: on one of five boards of 80 units
of MA 16 to 20 and 10,000 hexes, with 234,000 variables in the second tier, 2.4 GB together; in a minute it moved neither
value nor bound.
"""

SOON = 0.5
"""How much work cores get before a look is had for better solutions, where they are wanted soon."""


UNORDERED = 60.0
"""How much work a model gets without the order of the moves."""

FAR = 0.15
"""How far value and bound must be apart for a model without the order of the moves to be worth while."""


def stages(configuration: Configuration, variables: int = 0) -> tuple[Configuration, ...]:
    """Return the configurations to be tried one after the other, each with what those before it have found.

    Parameters
    ----------
    configuration : Configuration
        How to search.
    variables : int
        How many the model has.

    Notes
    -----
    Measured on all families of the benchmarks (docs/benchmarks.md): cores alone, without presolve, prove most models,
    several times faster than with another strategy beside them in turn; of those that they don't prove soon, most are
    proved after a presolve without probing, in half the time. What is left gets all strategies that move the bound, and
    one that moves the value.

    Small models that cores don't prove soon get the linear relaxation with all its cuts by itself: MP that are spread over
    many units, as on islands of 20 and 40, are proved by it in 1 to 16 s, where cores never come near. On large models
    it hardly moves the bound; there cores with presolve get more time for the first tier instead, as islands of 60 and 80
    need it. For MP that brings nothing: on dense fronts of 40 units with MA 6 to 10 plans are worse by then.

    On large models cores need longer before they are given up: on very large ones, as of long legs, presolve alone takes
    twice the time in which they have proved the first tier. With probing and time they prove some that all strategies in
    turn don't, with plans that are as good meanwhile; but where they have come nowhere near by then, as on large islands
    whose MP are spread over many units, they never will.

    The MP of many units that make way for each other are proved by none of these. There a model without the order of the
    moves (`order_relaxation`) comes much nearer with the linear relaxation: on dense fronts of 40 units with MA 6 to
    10, whose best plans known cost 126, 134, 160 and 92 MP, it proves 123, 125, 139 and 81 in a minute, where cores proved
    123, 107, 77 and 69; some islands of 60 and 80 are proved by it that weren't. Where cores are near already, they are
    faster. In a first tier it says nothing: without an order every unit gains as if all others had moved before it.

    In between, a burst looks for better solutions near the best one, by large neighbourhoods: on islands of 60 and 80 units
    it finds in a second or two what cores have when they prove it, or never. In a first tier it comes before cores have had
    their time, unless they prove it at once, as they do most fronts, and on large models once more before the long stage;
    very large ones are built too late for one before cores to matter; those that cores don't prove get a second one that is
    longer: on one of five boards of islands of 80 units with 60 convoys it finds another 3 %, on the others nothing.

    The largest models aren't presolved (`MOST_PRESOLVED`): cores get a long time after the burst in place of it.

    Each burst begins with a whole solution: that of the stages before, or the first plan if that is better, of which a fixed
    run works out the rest in a fraction of a second; without it, the burst spends half its time on getting as far.

    Nobody looks for symmetries: that takes half a tenth of a second for each stage on large models. Without it joint
    overruns of 24 units are proved in four fifths of the time; fronts, islands, legs and stacks are no slower.

    Expected values need the linear relaxation, too: cores beside it prove most of these models, and find good plans soon.
    Some are proved by the solver's own search alone; on those that aren't, the mixture moves value and bound.
    """
    if configuration.chancy:
        mixed = ("core", "reduced_costs", "default_lp", "quick_restart")
        return (
            replace(configuration, subsolvers=("core", "default_lp"), presolve=True, probing=False, work=3.0),
            replace(configuration, subsolvers=(), presolve=True, work=100.0),
            replace(configuration, subsolvers=mixed, presolve=True, probing=False),
        )
    if not configuration.subsolvers or configuration.presolve:
        return (configuration,)
    cores = replace(configuration, subsolvers=("core",), work=max(2.0, variables / 8_000))
    presolved = replace(cores, presolve=True, probing=False, work=16.0)
    probed = replace(presolved, probing=True, work=150.0, near=0.5)
    everything = replace(configuration, subsolvers=(*configuration.subsolvers, "quick_restart"), presolve=True)
    # With more workers, one of them looks for better solutions all the time.
    burst = (replace(configuration, near_best=True, work=0.25),) * (configuration.workers == 1)
    # Other neighbourhoods than those of a burst before.
    elsewhere = tuple(replace(each, seed=another(each.seed)) for each in burst)
    first: tuple[Configuration, ...] = ()
    if configuration.soon and burst and variables < VERY_LARGE:
        first = replace(cores, work=SOON), replace(burst[0], work=max(0.1, variables / 80_000))
    unordered: tuple[Configuration, ...] = ()
    if not configuration.soon:
        unordered = (replace(presolved, subsolvers=("max_lp",), probing=True, unordered=True, work=UNORDERED, far=FAR),)
    if variables < LARGE:
        linear = replace(presolved, subsolvers=("max_lp",), probing=True, work=20.0)
        longer = replace(linear, seed=another(linear.seed), work=100.0)  # luck differs between seeds
        brief = replace(presolved, work=3.0)
        return (*first, cores, brief, linear, *burst, *unordered, presolved, longer, everything)
    if variables < VERY_LARGE and configuration.soon:
        return (*first, cores, *elsewhere, replace(presolved, work=variables / 200), *burst, probed, everything)
    longer_burst = tuple(replace(each, work=1.0) for each in elsewhere)
    if variables > MOST_PRESOLVED:
        longest = replace(cores, work=150.0)
        return (*first, cores, *burst, longest, *longer_burst, replace(everything, presolve=False))
    return (
        *first,
        cores,
        presolved,
        *burst,
        *(longer_burst if configuration.soon else ()),
        *unordered,
        probed,
        everything,
    )


def threads(workers: int, variables: int) -> int:
    """Return how many of the threads that may be used a model is given: fewer if it is very large."""
    return max(1, min(workers, MOST_VARIABLES // max(1, variables)))


def another(seed: int) -> int:
    """Return another seed than one."""
    return (seed + 1) % 2**31  # the solver's seeds have 31 bits


@dataclass(frozen=True)
class Solved:
    """What one run found.

    Attributes
    ----------
    outcome : str
        As in `planner.search.result.Status`.
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
    """

    outcome: Outcome
    value: int | None = None
    bound: int | None = None
    holds: Holds | None = None
    solution: Sequence[int] = ()
    settled: Solved | None = None
    useless: bool = False
    work: float = 0.0

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


def holds_in(solution: Sequence[int]) -> Holds:
    """Return what tells of a literal, or plain truth value, whether it holds in a solution."""

    def holds(literal: Literal) -> bool:
        if isinstance(literal, int):
            return bool(literal)
        return is_true(solution, literal.index)

    return holds


PRESOLVE_TIME = 1e-4
"""Seconds that a presolve may take for each variable of a large model; it looks at the time limit only now and then."""

PATIENCE, PATIENCE_FOR_WORK = 3.0, 25.0
"""Seconds that a burst near the best solution may take, and those for each unit of its work.

Neighbourhoods that are solved at once hardly count as work: on some boards the measure stands still, and the burst would
never end. Mostly a unit of it takes 10 to 18 seconds here.
"""

OnChange = Callable[[int | None, int | None], None]
"""Gets value and bound, scaled; None as long as there is none."""

PutRight = Callable[[int, Sequence[int]], "tuple[int, Sequence[int]] | None"]
"""Gets a solution and its value, and returns what it is worth and what it should have claimed.

None: it is no use, and better ones will hardly be any; the search ends.
"""


Relaxed = Callable[
    [Configuration, float | None, threading.Event, Solved | None, int | None, OnChange | None],
    Solved,
]
"""Looks for better solutions and bounds than are known by a model that is easier; see `planner.solver.order_relaxation`."""


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


def run_in_stages(
    model: cp_model.CpModel,
    configuration: Configuration,
    time_limit: float | None,
    stop: threading.Event,
    on_change: OnChange | None = None,
    put_right: PutRight | None = None,
    relaxed: Relaxed | None = None,
) -> Solved:
    """Solve a model by several configurations in turn; parameters as those of `run`.

    Each one begins with the best solution so far; the bound of one holds for all. Stages that do without the order of the
    moves are left to `relaxed`, if it is there and solutions are what they claim.
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit
    variables = len(model.proto.variables)
    configuration = replace(configuration, workers=threads(configuration.workers, variables))
    best: Solved | None = None
    settled: Solved | None = None
    bound: int | None = None
    planned = stages(configuration, variables)
    begun = _Beginning(model)
    for number, stage in enumerate(planned):
        left = None if deadline is None else deadline - time.monotonic()
        if stage.presolve and left is not None and left < PRESOLVE_TIME * variables:
            # Presolve would end late, and everything else with it.
            stage = replace(planned[0], presolve=False, work=None)
        if number and (stop.is_set() or (left is not None and left <= 0)):
            break
        if stage.near is not None and not _is_near(best, bound, stage.near):
            continue
        if stage.far is not None and _is_near(best, bound, stage.far):
            continue
        if stage.near_best and begun.is_partial:
            known = begun.complete(left, stop)
            if known is not None and (best is None or known.worth > best.worth):
                best = known
            if best is not None:
                begin_with(model, best)
            left = None if deadline is None else deadline - time.monotonic()
            if stop.is_set() or (left is not None and left <= 0):
                break
        told = None if on_change is None else carried_on(on_change, settled if put_right is not None else best, bound)
        if not stage.unordered:
            solved = run(model, stage, left, stop, told, put_right)
        elif relaxed is not None and put_right is None and model.has_objective():
            solved = relaxed(stage, left, stop, best, bound, told)
        else:
            continue
        if solved.bound is not None:
            bound = solved.bound if bound is None else min(bound, solved.bound)
        if solved.settled is not None and (settled is None or solved.settled.worth > settled.worth):
            settled = solved.settled
        if solved.holds is not None and (best is None or solved.worth > best.worth):
            best = solved
            begin_with(model, solved)
        if solved.outcome in ("optimal", "infeasible") or (best is not None and best.value is None):
            return replace(solved, settled=settled)
        if best is not None and best.value == bound:
            return replace(best, outcome="optimal", bound=bound, settled=settled)
        if solved.useless:
            return replace(solved, bound=bound, settled=settled)
    if best is None:
        return Solved("unknown", None, bound)
    return replace(best, outcome="feasible", bound=bound, settled=settled)


def _is_near(best: Solved | None, bound: int | None, share: float) -> bool:
    """Tell whether value and bound are no farther apart than a share of the value."""
    if best is None or bound is None:
        return False
    return abs(bound - best.worth) <= share * abs(best.worth)


def carried_on(on_change: OnChange, best: Solved | None, bound: int | None) -> OnChange:
    """Return a function that tells of values and bounds together with those of the stages before."""

    def told(value: int | None, new_bound: int | None) -> None:
        values = [one for one in (value, best.value if best is not None else None) if one is not None]
        bounds = [one for one in (new_bound, bound) if one is not None]
        on_change(max(values, default=None), min(bounds, default=None))

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


def complete_hint(model: cp_model.CpModel, time_limit: float | None, stop: threading.Event) -> Solved | None:
    """Add to a hint what follows from it for all other variables: strategies begin with whole solutions alone.

    Returns the solution, of which nothing is proved; None if there is none, or it wasn't found soon.
    """
    again = Configuration(subsolvers=(), work=2.0, fixed=True)
    solved = run(model, again, time_limit, stop)
    if solved.holds is None:
        return None
    begin_with(model, solved)
    return replace(solved, outcome="feasible", bound=None)


class _Beginning:
    """What a model with an objective is to begin with, if that isn't a whole solution yet.

    Attributes
    ----------
    is_partial : bool
        Whether there is a hint that says nothing of some variables; each is completed once.
    """

    def __init__(self, model: cp_model.CpModel) -> None:
        hint = model.proto.solution_hint
        self._model, self._vars, self._values = model, list(hint.vars), list(hint.values)
        self.is_partial = model.has_objective() and 0 < len(self._vars) < len(model.proto.variables)

    def complete(self, time_limit: float | None, stop: threading.Event) -> Solved | None:
        """Complete the hint with which the model came, whatever it has been given since; see `complete_hint`."""
        self.is_partial = False
        give_hint(self._model, self._vars, self._values)
        return complete_hint(self._model, time_limit, stop)


def run(
    model: cp_model.CpModel,
    configuration: Configuration,
    time_limit: float | None,
    stop: threading.Event,
    on_change: OnChange | None = None,
    put_right: PutRight | None = None,
) -> Solved:
    """Solve a model.

    The solver runs in a thread of its own, so that the caller's thread stays free to notice an interrupt: the solver
    itself would swallow it.

    Parameters
    ----------
    model : CpModel
        What to solve.
    configuration : Configuration
        How; very large models get fewer threads.
    time_limit : float or None
        Seconds.
    stop : threading.Event
        Set it to stop the search.
    on_change : callable, optional
        Gets (value, bound), scaled, a few times a second at most, in the caller's thread.
    put_right : callable, optional
        Puts solutions right that may claim too much; values that are told are those of solutions put right.

    Raises
    ------
    KeyboardInterrupt
        Never: an interrupt sets `stop`, and what has been found is returned.
    """
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    configuration = replace(configuration, workers=threads(configuration.workers, len(model.proto.variables)))
    parameters.num_workers = configuration.workers
    parameters.random_seed = configuration.seed
    parameters.catch_sigint_signal = False
    parameters.cp_model_presolve = configuration.presolve
    parameters.symmetry_level = 0  # looking for symmetries takes longer than they save; see `stages`
    if not configuration.probing:
        parameters.cp_model_probing_level = 0
    if model.has_objective() and configuration.near_best:
        parameters.use_lns_only = parameters.interleave_search = True
    elif model.has_objective() and configuration.subsolvers:
        parameters.subsolvers.extend(configuration.subsolvers)
        if configuration.workers == 1 and len(configuration.subsolvers) > 1:
            parameters.interleave_search = True
    parameters.fix_variables_to_their_hinted_value = configuration.fixed
    if configuration.work is not None:
        parameters.max_deterministic_time = configuration.work
    if configuration.near_best and configuration.work is not None:
        longest = PATIENCE + PATIENCE_FOR_WORK * configuration.work
        time_limit = longest if time_limit is None else min(longest, time_limit)
    if time_limit is not None:
        parameters.max_time_in_seconds = max(0.001, time_limit)
    seen: dict[str, int | None] = {"value": None, "bound": None}

    def new_value(value: int) -> None:
        seen["value"] = value

    def new_bound(bound: float) -> None:
        seen["bound"] = floor(bound + 1e-6)

    has_objective = model.has_objective()
    watcher = _watchers()(new_value, put_right) if has_objective else None
    if has_objective:
        solver.best_bound_callback = new_bound
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
        except KeyboardInterrupt:
            stop.set()
        except BaseException:
            solver.stop_search()  # whoever goes away leaves nothing running behind with a model that may change
            done.wait(PATIENCE)
            raise
    if failures:
        raise failures[0]
    if on_change is not None and (seen["value"], seen["bound"]) != shown:
        on_change(seen["value"], seen["bound"])
    outcomes: dict[cp_model.CpSolverStatus, Outcome] = {
        cp_model.OPTIMAL: "optimal",
        cp_model.FEASIBLE: "feasible",
        cp_model.INFEASIBLE: "infeasible",
    }
    outcome = outcomes.get(statuses[0], "unknown")
    if statuses[0] == cp_model.MODEL_INVALID:
        raise RuntimeError(f"invalid model: {model.validate()}")
    work_done = float(solver.response_proto.deterministic_time)
    if outcome not in ("optimal", "feasible"):
        bound = seen["bound"] if outcome == "unknown" else None
        return Solved(outcome, None, bound, work=work_done)

    solution = list(solver.response_proto.solution)
    holds = holds_in(solution)
    if watcher is None:
        return Solved(outcome, holds=holds, solution=solution, work=work_done)
    bound = floor(solver.best_objective_bound + 1e-6)
    value = round(solver.objective_value)
    return Solved(outcome, value, bound, holds, solution, watcher.settled, watcher.useless, work_done)
