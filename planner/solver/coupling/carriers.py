"""The markers that carry units: each carries one of them."""

from __future__ import annotations

from collections.abc import Iterator

from planner.rules.demands import Carried
from planner.solver.coupling.variables import Berth, Variables
from planner.solver.cp_sat import Literal, cp_model


def a_carrier_each(model: Variables) -> Iterator[Berth]:
    """Ensures that each passage has a marker of its own; yields who may be aboard which.

    Markers that are the same to every unit are one class, with a capacity.
    """
    asked: dict[str, list[tuple[str, Carried, Literal]]] = {}
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
                    choice = model.new_literal(f"{unit} aboard {markers[0]} for step {atom.leg}")
                    model.model.add_implication(choice, literal)
                    aboard[key].append(choice)
                    choices.append(choice)
                    yield Berth(unit, atom, markers, choice)
            model.model.add(sum(choices) == literal)
        if model.ensures("carriers"):
            for key, choices in aboard.items():
                if len(choices) > len(classes[key]):
                    model.model.add(sum(choices) <= len(classes[key]))
