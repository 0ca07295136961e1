"""The options layer: each non-dominated possibility of a unit is one literal. The fast form, for search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planner.conditional_reach import Possibility
from planner.objective import Linear
from planner.rules.base import Atom
from planner.solver.coupling import Coupling, UnitVariables


class Options:
    """Posts the possibilities of every unit into a coupling layer.

    Parameters
    ----------
    coupling : Coupling
        The layer that gets the units.
    possibilities : mapping from units to possibilities
        As conditional reach lists them; staying is always one more.
    """

    def __init__(self, coupling: Coupling, possibilities: Mapping[str, Sequence[Possibility]]) -> None:
        self.chosen: dict[str, list[tuple[Possibility, Any]]] = {}
        self._coupling = coupling
        for unit, options in possibilities.items():
            if options:
                self._add_unit(unit, options)

    def _add_unit(self, unit: str, options: Sequence[Possibility]) -> None:
        """Ensure that a unit takes exactly one of its possibilities, or stays."""
        coupling = self._coupling
        literals = [coupling.new_literal(f"{unit} {'-'.join(option.path)}") for option in options]
        stays = coupling.new_literal(f"{unit} stays")
        coupling.model.add_exactly_one([stays, *literals])
        self.chosen[unit] = list(zip(options, literals, strict=True))
        ends: dict[str, list[Any]] = {coupling.game.homes[unit]: [stays]}
        kills: dict[str, list[Any]] = {}
        needed: dict[Atom, list[Any]] = {}
        for option, literal in self.chosen[unit]:
            ends.setdefault(option.end, []).append(literal)
            for enemy in option.kills:
                kills.setdefault(enemy, []).append(literal)
            for atom in sorted(option.needs, key=repr):
                needed.setdefault(atom, []).append(literal)
        spent = tuple(
            (int(option.mp * coupling.mp_scale), literal) for option, literal in self.chosen[unit] if option.mp
        )
        coupling.add_unit(
            unit,
            UnitVariables(
                moves=~stays,
                ends={label: coupling.any_of(found) for label, found in ends.items()},
                kills={enemy: coupling.any_of(found) for enemy, found in kills.items()},
                mp=Linear(spent),
            ),
        )
        for atom, found in needed.items():
            for literal in found:
                coupling.model.add_implication(literal, coupling.need(unit, atom))
