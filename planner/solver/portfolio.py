"""What CP-SAT tries, stage by stage: which strategy, for how long, on models of which size.

How the stages and their numbers (`tuning.Portfolio`) were found stands in docs/benchmarks.md, "The stages of the solver".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from planner.limits import Limits
from planner.solver.cp_sat import bounded, cp_model
from planner.solver.engine import (
    Configuration,
    OnChange,
    PutRight,
    Solved,
    another,
    begin_with,
    carried_on,
    complete_hint,
    give_hint,
    late_for_presolve,
    least,
    run,
    threads,
)
from planner.solver.goal_conflicts import Goals
from planner.solver.tuning import Portfolio

Relaxed = Callable[[Configuration, Limits, Solved | None, int | None, OnChange | None], Solved]
"""Looks for better solutions and bounds than are known by a model that is easier; see `planner.solver.order_relaxation`."""


def stages(configuration: Configuration, variables: int = 0) -> tuple[Configuration, ...]:
    """Return the configurations to be tried one after the other, each with what those before it have found.

    Parameters
    ----------
    configuration : Configuration
        How to search; whoever names strategies of his own, or presolve, gets them alone.
    variables : int
        How many the model has.
    """
    if configuration.chancy:
        return _for_expected_values(configuration, variables)
    if configuration.attacks:
        return _downwards(configuration)
    if not configuration.subsolvers or configuration.presolve:
        return (configuration,)
    if configuration.events:
        return _downwards(configuration)
    soon, single = configuration.soon, configuration.workers == 1

    # Cores alone prove most models, several times faster than with another strategy beside them in turn.
    cores_work = max(Portfolio.cores, variables / Portfolio.cores_variables)
    cores = replace(configuration, subsolvers=("core",), work=cores_work)
    # Of what they don't prove soon, most is proved after a presolve without probing, in half the time.
    presolved = replace(cores, presolve=True, probing=False, work=Portfolio.presolved)
    # With probing and time they prove some of what they have come near to by then.
    probed = replace(presolved, probing=True, work=Portfolio.probed, near=Portfolio.near)
    # Of goals that exclude each other, which do: where cores don't prove the first tier soon, this does, and the tiers after
    # it are nearer to their relaxation by what it finds.
    by_goals = (replace(cores, subsolvers=("no_lp",), probing=False, by_goals=True, work=Portfolio.by_goals),) * soon
    # MP that are spread over many units, as on islands, are proved by the linear relaxation with all its cuts.
    linear = replace(presolved, subsolvers=("max_lp",), probing=True, work=Portfolio.linear)
    linear_again = replace(linear, seed=another(linear.seed), work=Portfolio.linear_again)
    # MP of units that make way for each other: a model without the order of the moves. It says nothing of a first tier,
    # in which every unit gains as if all others had moved before it.
    unordered = (replace(linear, unordered=True, work=Portfolio.unordered, far=Portfolio.far),) * (not soon)
    # Most of what cores don't prove at once is proved so at once; of very large models cores prove more.
    glance = min(max(Portfolio.unordered_soon, variables / Portfolio.unordered_variables), Portfolio.unordered_most)
    at_a_glance = tuple(replace(each, work=glance) for each in unordered)
    soon_cores = (replace(cores, work=Portfolio.cores_soon),) * (not soon and variables < Portfolio.very_large)
    # Better solutions near the best one; with more workers, one of them looks for them all the time. Another seed means
    # other neighbourhoods than those of the burst before.
    burst = (replace(configuration, near_best=True, work=Portfolio.burst),) * single
    elsewhere = tuple(replace(each, seed=another(each.seed)) for each in burst)
    longer_burst = tuple(replace(each, work=Portfolio.longer_burst) for each in elsewhere)
    # Good solutions soon, unless cores prove it at once; very large models are built too late for that.
    at_once = (replace(cores, work=Portfolio.glance),) * (single and variables < Portfolio.large)
    if soon and single and variables < Portfolio.very_large:
        first_burst = max(Portfolio.first_burst, variables / Portfolio.first_variables)
        at_once = replace(cores, work=Portfolio.at_once), replace(burst[0], work=first_burst)
    # What is left gets all strategies that move the bound, and one that moves the value.
    everything = replace(configuration, subsolvers=(*configuration.subsolvers, "quick_restart"), presolve=True)

    if variables < Portfolio.large:
        brief = replace(presolved, work=Portfolio.brief)
        briefly = (replace(each, work=Portfolio.cores) for each in by_goals)
        first = *at_once, *soon_cores, *at_a_glance, *briefly, cores, *by_goals, brief
        return (*first, linear, *burst, *unordered, presolved, linear_again, everything)
    if variables < Portfolio.very_large and soon:
        longer = replace(presolved, work=variables / Portfolio.presolved_variables)
        return (*at_once, cores, *elsewhere, *by_goals, longer, *burst, probed, everything)
    if variables > Portfolio.most_presolved:
        longest = replace(cores, work=Portfolio.probed)
        return (cores, *burst, longest, *longer_burst, replace(everything, presolve=False))
    first = (*soon_cores, *at_a_glance, cores) if soon_cores else (cores, *at_a_glance)
    return (*first, presolved, *burst, *(longer_burst if soon else unordered), probed, everything)


def _for_expected_values(configuration: Configuration, variables: int) -> tuple[Configuration, ...]:
    """Return the stages for models of expected values, whose linear relaxation is close from the start, too."""
    # From the bound of the relaxation downwards: it proves most of them.
    downwards = replace(
        configuration,
        subsolvers=("objective_lb_search_max_lp",),
        presolve=True,
        probing=False,
        work=max(Portfolio.downwards, variables / Portfolio.downwards_variables),
    )
    # Cores beside the relaxation find good plans soon of those that it doesn't.
    cores = replace(downwards, subsolvers=("core", "default_lp"), work=Portfolio.chancy)
    # On what is left, the mixture moves value and bound.
    mixed = ("core", "reduced_costs", "default_lp", "quick_restart")
    last = cores, replace(downwards, subsolvers=mixed, work=configuration.work)
    if variables < Portfolio.large:
        return downwards, *last
    # Of large ones good plans are found near the best one, and that the best have too many outcomes shows there soon. Once
    # these are left out, the relaxation is far away, and good plans come first.
    # Presolve leaves so little of these models that better ones are found several times as fast.
    burst = replace(configuration, near_best=True, presolve=True, probing=False, work=Portfolio.chancy_burst)
    seed = another(burst.seed)
    if configuration.limited:
        return burst, downwards, replace(burst, seed=seed), *last
    # By what a good plan is worth, the relaxation excludes more: what isn't proved in fifteen units without, is in four.
    again = replace(downwards, seed=seed, work=Portfolio.downwards_again)
    return replace(downwards, share=Portfolio.downwards_share), burst, again, *last


def _downwards(configuration: Configuration) -> tuple[Configuration, ...]:
    """Return the stages for models of who attacks whom, and of events: their linear relaxation is close from the start."""
    # From the bound of the relaxation downwards: it proves most of them, and good plans are near it. Of events, probing
    # takes longer than it saves.
    downwards = replace(
        configuration, subsolvers=("objective_lb_search_max_lp",), presolve=True, probing=configuration.attacks
    )
    at_first = Portfolio.downwards_for_attacks if configuration.attacks else Portfolio.downwards
    first = replace(downwards, work=at_first)
    burst = replace(configuration, near_best=True, work=Portfolio.burst)
    longer = replace(downwards, seed=another(configuration.seed), work=Portfolio.downwards_again)
    mixed = ("objective_lb_search_max_lp", "core", "max_lp", "quick_restart")
    return first, burst, longer, replace(configuration, subsolvers=mixed, presolve=True)


def run_in_stages(
    model: cp_model.CpModel,
    configuration: Configuration,
    limits: Limits,
    on_change: OnChange | None = None,
    put_right: PutRight | None = None,
    relaxed: Relaxed | None = None,
) -> Solved:
    """Solve a model by several configurations in turn; parameters as those of `run`.

    Each one begins with the best solution so far; the bound of one holds for all. Stages that do without the order of the
    moves are left to `relaxed`, if it is there and solutions are what they claim.
    """
    variables = len(model.proto.variables)
    configuration = replace(configuration, workers=threads(configuration.workers, variables))
    best: Solved | None = None
    settled: Solved | None = None
    bound: int | None = None
    work = 0.0
    planned = stages(configuration, variables)
    begun = _Beginning(model)
    goals: Goals | None = None
    for number, stage in enumerate(planned):
        if stage.presolve and late_for_presolve(model, limits):
            stage = replace(planned[0], presolve=False, work=None)
        if number and limits.late:
            break
        if stage.near is not None and not _is_near(best, bound, stage.near):
            continue
        if stage.far is not None and _is_near(best, bound, stage.far):
            continue
        if stage.near_best and begun.is_partial:
            known = begun.complete(limits)
            if known is not None and (best is None or known.worth > best.worth):
                best = known
            if best is not None:
                begin_with(model, best)
            if limits.late:
                break
        told = None if on_change is None else carried_on(on_change, settled if put_right is not None else best, bound)
        if stage.by_goals:
            if put_right is not None:
                continue
            goals = goals or Goals(model)
            if not goals.worth:
                continue
            solved = goals.improve(stage, limits, best, bound, told)
        elif not stage.unordered:
            with bounded(model, bound):
                solved = run(model, stage, limits, told, put_right)
        elif relaxed is not None and put_right is None and model.has_objective():
            solved = relaxed(stage, limits, best, bound, told)
        else:
            continue
        bound, work = least(bound, solved.bound), work + solved.work
        if solved.settled is not None and (settled is None or solved.settled.worth > settled.worth):
            settled = solved.settled
        if solved.holds is not None and (best is None or solved.worth > best.worth):
            best = solved
            begin_with(model, solved)
        if solved.outcome in ("optimal", "infeasible") or (best is not None and best.value is None):
            return replace(solved, settled=settled, work=work)
        if best is not None and best.value == bound:
            return replace(best, outcome="optimal", bound=bound, settled=settled, work=work)
        if solved.useless:
            return replace(solved, bound=bound, settled=settled, work=work)
    if best is None:
        return Solved("unknown", None, bound, work=work)
    return replace(best, outcome="feasible", bound=bound, settled=settled, work=work)


def _is_near(best: Solved | None, bound: int | None, share: float) -> bool:
    """Tell whether value and bound are no farther apart than a share of the value."""
    if best is None or bound is None:
        return False
    return abs(bound - best.worth) <= share * abs(best.worth)


class _Beginning:
    """What a model with an objective is to begin with, if that isn't a whole solution yet.

    Attributes
    ----------
    is_partial : bool
        Whether there is a hint that says nothing of some variables; each is completed once.
    """

    def __init__(self, model: cp_model.CpModel) -> None:
        hint = model.proto.solution_hint
        self.is_partial = model.has_objective() and 0 < len(hint.vars) < len(model.proto.variables)
        self._model, self._vars, self._values = model, list[int](), list[int]()
        if self.is_partial:
            self._vars, self._values = list(hint.vars), list(hint.values)

    def complete(self, limits: Limits) -> Solved | None:
        """Complete the hint with which the model came, whatever it has been given since; see `complete_hint`."""
        self.is_partial = False
        give_hint(self._model, self._vars, self._values)
        return complete_hint(self._model, limits)
