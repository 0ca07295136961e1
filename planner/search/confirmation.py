"""What it is worth that a model has no solution: confirmed by another configuration, as it is, or nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from planner.errors import DisagreementError
from planner.search.context import SearchContext
from planner.search.result import Result
from planner.solver.engine import Configuration, Solved, another, run
from planner.solver.event_layer import Events
from planner.solver.model import Model, build_paths
from planner.solver.tuning import Confirmation
from planner.solver.union_cuts import solve_honestly


def nothing_known(context: SearchContext, model: Model) -> Result:
    """Say nothing: what is impossible among some of all possibilities may be possible."""
    return Result("unknown", context.seconds)


def unconfirmed(context: SearchContext, model: Model) -> Result:
    """Say so without another look, for searches that are one of many."""
    return Result("infeasible", context.seconds)


def confirmed(context: SearchContext, model: Model) -> Result:
    """Ask a second configuration whether a model really has no solution.

    Where steps are few, and cost something, the second model has the explicit form; otherwise, or where that is much the
    harder one, the fast form.

    Raises
    ------
    DisagreementError
        If it finds one.
    """
    limits, scenario, ground = context.limits, context.scenario, context.ground
    reach = ground.reach
    steps = sum(
        len(reach.steps(unit, label))
        for unit in reach.movers
        for label in {*reach.hexes_of(unit), scenario.game.homes[unit]}
    )
    waiting = isinstance(model.layer, Events)
    together = reach.rolls or reach.stack_in_hand  # there units move each by itself
    explicit = steps <= Confirmation.small and not (waiting or together or context.conditions.partial.moves)
    solved = Solved("unknown")
    if explicit:
        second = build_paths(scenario, reach)
        solved = _asked_again(context, second, Confirmation.work)
    if solved.outcome == "unknown" and not limits.late:
        second = ground.build_events() if waiting else ground.build_options(model.coupling.confidence)
        solved = _asked_again(context, second)
    if solved.outcome == "infeasible":
        return Result("infeasible", context.seconds, confirmed=True)
    if solved.holds is not None:
        plan = second.plan(solved.holds)
        if second.coupling.rounded and not context.conditions.hold_for(scenario, plan, context.replay(plan)):
            return Result("unknown", context.seconds)  # it took a value for as much as is asked for that isn't
        raise DisagreementError("one configuration finds no plan, another one does", context.dump(plan))
    return Result("unknown", context.seconds, interrupted=limits.stop.is_set())


def of_another_seed(configuration: Configuration) -> Configuration:
    """Return the configuration that confirms what one has proved."""
    return Configuration(configuration.workers, another(configuration.seed), presolve=True, subsolvers=())


def _asked_again(context: SearchContext, model: Model, work: float | None = None) -> Solved:
    """Ask another configuration whether a model has a solution, with the conditions of the search."""
    context.conditions.post(model)
    if context.limits.stop.is_set():
        return Solved("unknown")
    configuration = replace(of_another_seed(context.configuration), work=work)
    # What several rolls come to is known from above alone, so that a solution may claim more than is asked for.
    solve = partial(run, model.coupling.model, configuration, context.limits)
    return solve_honestly(
        model, solve, most_outcomes=context.replays.most_outcomes, replayed=context.is_replayed_in_groups
    )
