"""Of plans that are worth the same, the shortest: the fewest moves, which are the plan's lines, and of these the least MP.

Players want to see no move that could be spared, and no detour, even where nothing that they ask for counts them. Once
all tiers are proved, their values are constraints of one model more, in which the lines are made as few as they go, then
the MP as little. It is no tier: it has neither value nor bound, and whatever it comes to, the answer is proved, or not, as
before. It gets little work, and a tenth of the time that is left; by then the best so far counts, without the moves that
can be left out of it (`redundant_moves`).

Where no tier counts MP, what can matter to the tiers leaves out ways that are shorter and need more of others. Then the
model is made of all that can matter if MP count, too, as long as that isn't much more; otherwise of the moves that are
there already, and those that do the same for less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from planner.errors import OutOfTimeError
from planner.objective import Linear, terms_of
from planner.objective.costs import MpSpent
from planner.plans.plan import Plan
from planner.search.context import SearchContext
from planner.search.leading_tiers import like, made, widened
from planner.search.reach_cache import size
from planner.solver.cp_sat import maximize
from planner.solver.engine import Configuration, Solved, complete_hint, run
from planner.solver.model import Model
from planner.solver.possibility_layer import Options
from planner.solver.step_layer import Paths
from planner.solver.tuning import TieBreak
from planner.solver.union_cuts import solve_honestly
from planner.world.selectors import UnitSelector

BRIEFLY = Configuration(subsolvers=("core",))
NEAR = Configuration(near_best=True, work=TieBreak.near)
"""How the solver searches for it: for a proof, and, where that brings nothing, for something better nearby."""


def break_ties(context: SearchContext, model: Model, solved: Solved, proved: Sequence[int]) -> tuple[Plan | None, bool]:
    """Return a plan that is worth the same and is the shortest that was found, and whether none is shorter.

    Parameters
    ----------
    context : SearchContext
        The search, of which all tiers are proved.
    model : Model
        Its model, in which the tiers have the values that are proved.
    solved : Solved
        Its solution.
    proved : sequence of int
        These values, scaled.
    """
    limits = context.limits.part(TieBreak.share)
    settled = _are_mp_settled(context)
    work = TieBreak.lines if settled else TieBreak.lines_and_mp + TieBreak.share * context.work
    stages = (replace(BRIEFLY, work=work),) if settled else (replace(BRIEFLY, work=work), NEAR)
    try:
        model, everything = _with_shorter_ways(context, model, solved, proved)
    except OutOfTimeError:
        return None, False
    everything = everything and knows_lines(model)
    shorter = model.coupling.expression(length_of(context, model).times(-1))
    if isinstance(shorter, int):
        return None, everything
    maximize(model.coupling.model, shorter)
    best: Solved | None = None
    for stage in stages:
        if limits.late:
            break
        if stage is NEAR:
            complete_hint(model.coupling.model, limits)
        how = replace(stage, workers=context.configuration.workers, seed=context.configuration.seed)
        found = solve_honestly(model, partial(run, model.coupling.model, how, limits))
        if found.holds is not None:
            best = found
            break
    if best is None or best.holds is None:
        return None, False
    return model.plan(best.holds), everything and best.outcome == "optimal"


def has_shorter_ways(context: SearchContext, model: Model) -> bool:
    """Tell whether a model has all that is of use to make its plans shorter.

    Raises
    ------
    OutOfTimeError
        If the time is up before that is known.
    """
    if not context.plain or not isinstance(model.layer, Options):
        return True
    return size(context.ground.relevant_if_mp_count) == sum(map(len, model.layer.chosen.values()))


def knows_lines(model: Model) -> bool:
    """Tell whether it is known in a model which moves are written as one line; of stacks, and who waits, it isn't."""
    return isinstance(model.layer, Options) and not model.stacks


def length_of(context: SearchContext, model: Model) -> Linear:
    """Return what is to be made little: lines first, then the MP of all units unless they are settled."""
    assert not isinstance(model.layer, Paths)
    lines = model.layer.lines()
    if _are_mp_settled(context):
        return lines
    mp = MpSpent(kind="mp_spent").post(model.coupling)
    return Linear.sum_of([lines.times(1 + sum(weight for weight, _ in mp.terms)), mp])


def _are_mp_settled(context: SearchContext) -> bool:
    """Tell whether a tier counts the MP of all units."""
    terms = terms_of(context.scenario.tiers)
    return any(isinstance(term, MpSpent) and term.of == UnitSelector() for term in terms)


def _with_shorter_ways(
    context: SearchContext, model: Model, solved: Solved, proved: Sequence[int]
) -> tuple[Model, bool]:
    """Return a model of what makes plans shorter, and whether that is all of it."""
    if has_shorter_ways(context, model):
        return model, True
    assert isinstance(model.layer, Options)
    wide, known = context.ground.relevant_if_mp_count, sum(map(len, model.layer.chosen.values()))
    everything = size(wide) <= max(TieBreak.many, TieBreak.wider * known)
    chosen = wide if everything else like(wide, made(model, solved))
    return widened(context, model, solved, proved, chosen), everything
