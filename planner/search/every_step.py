"""Every step in every situation, where units may wait for each other and no model has all that may come of it.

What it is for: units that may go on later, such as trucks among stacks that overrun, as far as everything can be tried. A
plan that is fixed in advance is one way of playing, so no plan is worth more than the best of these; and where nothing is
rolled, or nobody reacts, that is a plan. Measured on ten small random positions of stacks with a truck among them: seven
are proved, none without it, in 1 s each for 0.07 s. What is asked for beside the objective is asked of the ways of
playing, too, as far as it can be; a plan that is found must fulfil all of it. Attacks that follow are declared as a plan
declares them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from planner.errors import OutOfTimeError
from planner.plans.plan import Plan
from planner.plans.policy import Node
from planner.reachability.event_reach import waits
from planner.reachability.possible_rolls import may_end_illegally
from planner.search.context import SearchContext, StrategyClaim
from planner.search.result import Result
from planner.search.unit_moves import written
from planner.solver.tuning import Enumeration

if TYPE_CHECKING:
    from planner.search.declaring import Declaring
    from planner.search.expectimax import Expectimax


def try_every_step(context: SearchContext, found: Result) -> Result:
    """Return what a search has found, with what is proved of it by trying every step."""
    if found.status in ("optimal", "infeasible") or context.limits.late:
        return found
    asked = context.conditions
    others = bool(asked.against or asked.apart) or context.pool is not None
    attacks = context.scenario.asks_for_attacks
    try:
        elsewhere = (attacks and not _can_declare(context)) or others or context.combat is not None
        narrow = not elsewhere and (context.narrow or (waits(context.scenario.game) and not context.complete))
    except OutOfTimeError:
        return found
    if not narrow:
        return found
    found = found if attacks else _bounded(context, found)
    if found.status in ("optimal", "infeasible"):
        return found
    most = Enumeration.work * (Enumeration.longer if context.limits.effort is None else 1)
    declaring = _declaring(context, most) if attacks else None
    best = best_way(context, most, declaring)
    if best is None:
        return found
    if best is False:
        return Result("infeasible", context.seconds)
    for plan in if_all_goes_well(best):
        plan = plan if declaring is None else declaring.with_attacks(plan)
        verdict = context.judged(plan)
        if verdict is None:
            continue
        value = context.value(verdict)
        if value == best.value:
            context.shortest = not best.branches
            return context.result(plan, verdict, StrategyClaim(best.value, True))
        bound = (min(found.bound[0], best.value[0]), *found.bound[1:]) if found.bound else best.value
        if found.plan is None or value > found.value:
            found = context.result(plan, verdict, StrategyClaim(bound, False))
    if found.plan is not None and best.value == found.value:
        return replace(found, status="optimal", seconds=context.seconds, bound=best.value)
    if not found.bound:  # no plan is known, though some way of playing does it
        return found
    return replace(found, seconds=context.seconds, bound=(min(found.bound[0], best.value[0]), *found.bound[1:]))


def best_way(context: SearchContext, most: int, trial: Expectimax | None = None) -> Node | Literal[False] | None:
    """Return the best way of playing, by so many steps at most; False if there is none, None if it isn't known."""
    from planner.search.expectimax import Expectimax, TooManyStepsError  # most searches are settled before
    from planner.search.relying import Relying

    asked = context.conditions
    kind = Relying if may_end_illegally(context.scenario.game) else Expectimax
    try:
        trial = trial or kind(context.scenario, most, context.limits.check, asked.partial, asked.goals)
        return trial.best() or False
    except (TooManyStepsError, OutOfTimeError):
        return None


def _can_declare(context: SearchContext) -> bool:
    """Tell whether attacks follow of which none has been declared yet.

    Nothing is rolled before them: where moves are rolled for, nothing that is asked for may look at attacks.
    """
    return context.scenario.asks_for_attacks and not context.scenario.start.attacking


def _declaring(context: SearchContext, most: int) -> Declaring:
    from planner.search.declaring import Declaring  # most searches are settled before

    return Declaring(context, most)


def if_all_goes_well(way: Node) -> Iterator[Plan]:
    """Yield plans that are fixed in advance and do what a way of playing does if all rolls go well; none if it attacks."""
    moves, whole, node = way.moves, list(way.moves), way
    while node.branches and not node.attacks:
        node = node.branches[0].then
        moves += node.moves
        goes_on = bool(node.moves) and whole[-1].units == node.moves[0].units and whole[-1].end == node.moves[0].path[0]
        whole += node.moves if not goes_on else (whole.pop().then(node.moves[0]), *node.moves[1:])
    if not node.attacks:
        yield from dict.fromkeys([Plan(tuple(whole)), *written(moves)])


def _bounded(context: SearchContext, found: Result) -> Result:
    """Return what a search has found, with what is known where every unit is helped by all others whenever it likes."""
    from planner.search.waiting_bound import WaitingBound

    try:
        least = context.ground.least_mp()
        bounds = [] if least is None else WaitingBound(context, least).of(found.value)
    except OutOfTimeError:
        return found
    if bounds is None:
        return Result("infeasible", context.seconds, confirmed=True)
    if not bounds or not found.bound:
        return found
    bound = (*map(min, bounds, found.bound), *found.bound[len(bounds) :])
    return replace(found, status="optimal" if bound == found.value else found.status, bound=bound)
