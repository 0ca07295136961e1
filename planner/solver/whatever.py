"""The position after the last move as far as it is certain, whatever is rolled: what hard requirements look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.solver.coupling import Coupling


class Whatever:
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

    def ends(self, unit: str, label: str) -> Any:
        """The unit ends the phase in the hex."""
        variables = self._coupling.units.get(unit)
        return self._coupling.ends(unit, label) if variables is None else variables.reliable_ends.get(label, False)

    def possible_ends(self, unit: str) -> Sequence[str]:
        """The hexes in which the unit might end."""
        return self._coupling.possible_ends(unit)

    def gone(self, enemy: str) -> Any:
        """The enemy is eliminated by the end of the phase."""
        coupling = self._coupling
        if enemy not in coupling.game.homes:
            return True
        return coupling.any_of(
            variables.reliable_kills[enemy]
            for variables in coupling.units.values()
            if enemy in variables.reliable_kills
        )
