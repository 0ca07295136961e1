"""The tiers before the first in which MP count, proved first: they need much less of what the units can do.

Where only it matters who ends where and whom it eliminates, of all ways to do the same those count alone that need the
least of others, whatever MP they cost. Units with long legs have many ways to do the same, and on large maps the model
of the leading tiers has a tenth of all possibilities (`ReachCache.to_begin_with`). Once it is solved, what it has chosen is
made cheaper among possibilities that are like it, and the model of everything begins with that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from planner.reachability.possibility import Possibility
from planner.search.context import SearchContext
from planner.search.reach_cache import Possibilities
from planner.solver.cp_sat import maximize
from planner.solver.engine import Configuration, Solved, complete_hint, run
from planner.solver.model import Model
from planner.solver.possibility_layer import Options
from planner.solver.tuning import LeadingTiers
from planner.solver.warm_start import hint_solution

CHEAPER = Configuration(presolve=True, probing=False, subsolvers=("core",), work=LeadingTiers.work)
"""How the small model of possibilities that are alike is solved."""


def made_cheaper(context: SearchContext, model: Model, solved: Solved, proved: Sequence[int]) -> tuple[Model, Solved]:
    """Look for cheaper ways to do what a solution of the leading tiers does; return a model with its solution.

    Parameters
    ----------
    context : SearchContext
        The search.
    model : Model
        The model of the leading tiers.
    solved : Solved
        Its solution.
    proved : sequence of int
        What the leading tiers are worth, scaled.
    """
    how = context.configuration
    cheaper = replace(CHEAPER, workers=how.workers, seed=how.seed)
    small = context.ground.build_options(possibilities=like(context.ground.relevant, made(model, solved)))
    _fix(small, proved)
    for index in range(len(proved), len(small.tiers)):
        hint_solution(small, made(model, solved), model, solved)
        expression = small.coupling.expression(small.tiers[index])
        if isinstance(expression, int):
            continue
        maximize(small.coupling.model, expression)
        found = run(small.coupling.model, cheaper, context.limits)
        if found.holds is None:
            break
        model, solved = small, found
        small.coupling.model.add(expression >= found.value)
    return model, solved


def of_all_tiers(context: SearchContext, model: Model, solved: Solved, proved: Sequence[int]) -> Model:
    """Build the model of all that can matter, with what is proved of the leading tiers; begin it with a solution."""
    whole = widened(context, model, solved, proved, context.ground.relevant)
    complete_hint(whole.coupling.model, context.limits)
    return whole


def widened(
    context: SearchContext, model: Model, solved: Solved, proved: Sequence[int], possibilities: Possibilities
) -> Model:
    """Build a model of other possibilities, with what is proved of the first tiers; hint at a solution of another one."""
    chosen = made(model, solved)
    everything = {
        unit: list(dict.fromkeys([*those, *([chosen[unit]] if unit in chosen else [])]))
        for unit, those in possibilities.items()
    }
    whole = context.ground.build_options(possibilities=everything)
    _fix(whole, proved)
    hint_solution(whole, chosen, model, solved)
    return whole


def made(model: Model, solved: Solved) -> dict[str, Possibility]:
    """Return what each unit that moves by itself does in a solution of a model in the fast form."""
    assert isinstance(model.layer, Options)
    assert solved.holds is not None
    return {
        unit: option
        for unit, options in model.layer.chosen.items()
        for option, literal in options
        if solved.holds(literal)
    }


def like(possibilities: Possibilities, chosen: Mapping[str, Possibility]) -> Possibilities:
    """Return, for each unit that moves, what it does and the cheapest possibilities that do the same or end there."""
    found: Possibilities = {}
    for unit, mine in chosen.items():
        as_much = [other for other in possibilities.get(unit, ()) if set(other.removes) >= set(mine.removes)]
        by_mp = sorted(as_much, key=lambda other: (other.mp, len(other.needs)))
        there = [other for other in by_mp if other.end == mine.end]
        found[unit] = list(dict.fromkeys([mine, *by_mp[: LeadingTiers.alike], *there[: LeadingTiers.alike]]))
    return found


def _fix(model: Model, values: Sequence[int]) -> None:
    """Ensure that the first tiers have the values that are proved."""
    for tier, value in zip(model.tiers, values, strict=False):
        expression = model.coupling.expression(tier)
        if not isinstance(expression, int):
            model.coupling.model.add(expression == value)
