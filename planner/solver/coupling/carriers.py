"""The markers that carry units: each carries one of them."""

from __future__ import annotations

from collections.abc import Iterator

from planner.reachability.departure import chains
from planner.rules.atoms import Carried
from planner.rules.roles import Commands
from planner.solver.coupling.variables import Berth, Variables
from planner.solver.cp_sat import Literal, cp_model
from planner.world.position import Leg


def a_carrier_each(model: Variables) -> Iterator[Berth]:
    """Ensures that each passage has a marker of its own; yields who may be aboard which.

    Markers that are the same to every unit are one class, with a capacity.
    """
    asked: dict[str, list[tuple[str, Carried, Literal]]] = {}
    for taken in _taken_before(model):
        asked.setdefault(taken[1].zone, []).append(taken)
    for unit, variables in model.units.items():
        for atom, literal in variables.needs.items():
            if isinstance(atom, Carried):
                asked.setdefault(atom.zone, []).append((unit, atom, literal))
    for wanted in asked.values():
        sets = list(dict.fromkeys(atom.by for _, atom, _ in wanted))
        classes: dict[tuple[bool, ...], list[str]] = {}
        for marker in dict.fromkeys(marker for by in sets for marker in by):
            classes.setdefault(tuple(marker in by for by in sets), []).append(marker)
        aboard: dict[tuple[bool, ...], list[cp_model.IntVar]] = {key: [] for key in classes}
        for unit, atom, literal in wanted:
            choices = []
            for key, markers in classes.items():
                if key[sets.index(atom.by)]:
                    choice = model.new_literal()
                    model.model.add_implication(choice, literal)
                    aboard[key].append(choice)
                    choices.append(choice)
                    yield Berth(unit, atom, markers, choice)
            model.model.add(sum(choices) == literal)
        if model.ensures("carriers"):
            for key, choices in aboard.items():
                if len(choices) > len(classes[key]):
                    model.model.add(sum(choices) <= len(classes[key]))


def _taken_before(model: Variables) -> Iterator[tuple[str, Carried, Literal]]:
    """Yield who has been carried, or ordered, before what is asked, by what, and if what holds.

    A unit that goes on says itself across which zones it has been carried.
    """
    game = model.game
    if game.begun is None:
        return
    for rule in game.rulebook.of(Commands):
        for unit, passage in rule.given(game):
            yield unit, passage, True
    legs: dict[str, list[Leg]] = {}
    for leg in game.begun.position.legs:
        legs.setdefault(leg.unit, []).append(leg)
    for unit, those in legs.items():
        ways = [(chain, model.new_literal()) for chain in chains(those)]
        rests = model.negate(model.units[unit].moves) if unit in model.units else True
        model.model.add(sum(literal for _, literal in ways) == rests)
        for chain, literal in ways:
            for number, passage in enumerate(chain):
                yield unit, passage.on_leg(number - len(chain)), literal
