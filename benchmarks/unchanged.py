"""How much of a model is about units that can still do what they could: what may be kept of it for a changed position."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from planner.scenario import Scenario
from planner.search.reach_cache import Possibilities, ReachCache
from planner.solver.model import Model
from planner.solver.possibility_layer import Options

if TYPE_CHECKING:
    from ortools.sat.python.cp_model_helper import ConstraintProto

KINDS = ("bool_or", "bool_and", "at_most_one", "exactly_one")


def unchanged(before: Possibilities, scenario: Scenario) -> dict[str, float]:
    """Return the shares of a model's units, variables and constraints that are about units that can do what they could."""
    cache = ReachCache(scenario)
    after = cache.relevant
    model = cache.build_options(possibilities=after)
    others = {unit for unit, own in after.items() if own != before.get(unit)}
    owners, among = _owners(model), list[set[str]]()
    for constraint in model.coupling.model.proto.constraints:
        indices = [max(index, ~index) for index in _literals(constraint)]
        units = set[str]().union(*(owners[index] for index in indices if index in owners))
        for index in indices:
            owners.setdefault(index, units)  # it stands for something of the others
        among.append(units)
    groups = {"units": [{unit} for unit in after], "variables": owners.values(), "constraints": among}
    return {what: _without(others, some) for what, some in groups.items()}


def _without(others: set[str], groups: Iterable[set[str]]) -> float:
    apart = [others.isdisjoint(units) for units in groups]
    return sum(apart) / len(apart)


def _literals(constraint: ConstraintProto) -> list[int]:
    """Return the literals of a constraint."""
    found = list(constraint.enforcement_literal)
    if constraint.has_linear():  # whoever looks at what it isn't makes it that
        return found + list(constraint.linear.vars)
    return found + [
        one for kind in KINDS if getattr(constraint, f"has_{kind}")() for one in getattr(constraint, kind).literals
    ]


def _owners(model: Model) -> dict[int, set[str]]:
    """Return whose choices, needs and order the variables of a model are, as far as they don't stand for others."""
    coupling, layer = model.coupling, model.layer
    assert isinstance(layer, Options)
    assert coupling.order is not None
    literals = [(literal, {unit}) for unit, own in layer.chosen.items() for _, literal in own]
    for unit, variables in coupling.units.items():
        every = (variables.moves, *variables.ends.values(), *variables.removes.values(), *variables.needs.values())
        literals += [(literal, {unit}) for literal in every if not isinstance(literal, bool)]
    literals += [(one, set(pair)) for pair, one in coupling.order.pairs().items() if not isinstance(one, bool)]
    found: dict[int, set[str]] = {}
    for literal, units in literals:
        found.setdefault(max(literal.index, ~literal.index), units)
    return found
