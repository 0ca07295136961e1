"""The position after the last move as far as it is certain, whatever is rolled: what hard requirements look at."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from planner.objective import Linear
from planner.solver.coupling import Coupling
from planner.solver.cp_sat import Literal


class RobustOutcome:
    """A coupling layer's outcome, in which only what no roll can change has happened.

    Parameters
    ----------
    coupling : Coupling
        The layer.
    """

    def __init__(self, coupling: Coupling) -> None:
        self._coupling = coupling

    def __getattr__(self, name: str) -> Any:
        return getattr(self._coupling, name)

    def ends(self, unit: str, label: str) -> Literal:
        """The unit ends the phase in the hex."""
        variables = self._coupling.units.get(unit)
        return self._coupling.ends(unit, label) if variables is None else variables.reliable_ends.get(label, False)

    def ends_among(self, unit: str, labels: Collection[str]) -> Literal:
        """The unit ends the phase in one of some hexes, perhaps in one or another as the dice have it."""
        coupling = self._coupling
        variables = coupling.units.get(unit)
        if variables is None or not variables.places:
            return coupling.any_of(self.ends(unit, label) for label in coupling.possible_ends(unit) if label in labels)
        chances: dict[int, tuple[Fraction, Literal]] = {}
        for label in dict.fromkeys(labels):
            for chance, literal in variables.places.get(label, ()):
                had = chances.get(id(literal), (Fraction(0), literal))[0]
                chances[id(literal)] = had + chance, literal
        return coupling.any_of(literal for chance, literal in chances.values() if chance >= coupling.confidence)

    def mp(self, unit: str) -> Linear:
        """The MP that the unit spends if all goes well: one of the things that may come out, and it never spends more."""
        return self._coupling.most_mp(unit)

    def gone(self, enemy: str) -> Literal:
        """The enemy is eliminated by the end of the phase, whatever is rolled."""
        return self._coupling.surely_gone(enemy)
