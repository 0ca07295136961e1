"""The tiers before the first in which MP count, proved first: they need much less of what the units can do.

Where only it matters who ends where and whom it eliminates, of all ways to do the same those count alone that need the
least of others, whatever MP they cost. Units with long legs have many ways to do the same, and on large maps the model
of the leading tiers has a tenth of all possibilities. Once it is solved, what it has chosen is made cheaper among
possibilities that are like it, and the model of everything begins with that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from planner.reachability.conditional_reach import Possibility
from planner.search.reach_cache import Groundwork
from planner.solver.engine import Configuration
from planner.solver.model import Model
from planner.solver.possibility_layer import Options
from planner.solver.tuning import LeadingTiers

Possibilities = dict[str, list[Possibility]]

CHEAPER = Configuration(presolve=True, probing=False, subsolvers=("core",), work=LeadingTiers.work)
"""How the small model of possibilities that are alike is solved."""


def to_begin_with(ground: Groundwork, tiers: int) -> tuple[Possibilities, int]:
    """Return the possibilities of the first model, and how many tiers it is about; 0: about all of them.

    Parameters
    ----------
    ground : Groundwork
        Of a search for nothing but the objective.
    tiers : int
        How many tiers the objective has.
    """
    if ground.reach.rolls:
        return ground.relevant, 0  # what teams do isn't among the possibilities
    everything = _size(ground.possibilities)
    if everything < LeadingTiers.many or not 0 < ground.leading < tiers:
        return ground.relevant, 0
    few = _size(ground.relevant_to_leading)
    if few > everything / 2 or (everything < LeadingTiers.very_many and few > _size(ground.relevant) / 2):
        return ground.relevant, 0
    return ground.relevant_to_leading, ground.leading


def _size(possibilities: Mapping[str, Sequence[Possibility]]) -> int:
    return sum(map(len, possibilities.values()))


def made(model: Model, holds: Any) -> dict[str, Possibility]:
    """Return what each unit that moves does in a solution of a model in the fast form, without teams."""
    assert isinstance(model.layer, Options)
    return {
        unit: option for unit, options in model.layer.chosen.items() for option, literal in options if holds(literal)
    }


def like(possibilities: Possibilities, chosen: Mapping[str, Possibility]) -> Possibilities:
    """Return, for each unit that moves, what it does and the cheapest possibilities that do the same or end there."""
    found: Possibilities = {}
    for unit, mine in chosen.items():
        as_much = [other for other in possibilities.get(unit, ()) if set(other.kills) >= set(mine.kills)]
        by_mp = sorted(as_much, key=lambda other: (other.mp, len(other.needs)))
        there = [other for other in by_mp if other.end == mine.end]
        found[unit] = list(dict.fromkeys([mine, *by_mp[: LeadingTiers.alike], *there[: LeadingTiers.alike]]))
    return found


def together(possibilities: Possibilities, others: Possibilities) -> Possibilities:
    """Return the possibilities of both."""
    return {unit: list(dict.fromkeys([*those, *others.get(unit, ())])) for unit, those in possibilities.items()}


def fix(model: Model, values: Sequence[int]) -> None:
    """Ensure that the first tiers have the values that are proved."""
    for tier, value in zip(model.tiers, values, strict=False):
        expression = model.coupling.expression(tier)
        if not isinstance(expression, int):
            model.coupling.model.add(expression == value)


def cheaply(configuration: Configuration) -> Configuration:
    """Return how to solve the small model, with the seed and the threads of a configuration."""
    return replace(CHEAPER, workers=configuration.workers, seed=configuration.seed)
