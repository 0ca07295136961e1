"""What a case of a mutant is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from planner.scenario import Scenario, build_scenario

SIDES = {
    "dai_senso": ("soviet", "axis", "operational_movement"),
    "ocs": ("axis", "allied", "movement"),
    "a_world_at_war": ("axis", "allies", "movement"),
    "classic_hex": ("blue", "red", "movement"),
    "great_war": ("allied", "central", "movement"),
}
"""For each game the phasing side, its enemy, and the phase."""


@dataclass(frozen=True)
class Case:
    """A position, and what it is worth.

    Attributes
    ----------
    hexes : dict from labels to terrain
        The map; several labels may share a string.
    units : dict from ids to (type, values, steps, hex)
        Enemies are called e1 and e2.
    goals : list of terms
        The only tier.
    value : int or str
        What the best plan is worth.
    moves : list of str
        A plan for the judge.
    legal : bool
        Whether it is legal.
    more : dict
        Further keys of the scenario file.
    model : str
        The game.
    """

    hexes: dict[str, str]
    units: dict[str, tuple[str, str, int, str]]
    goals: list[dict[str, Any]]
    value: int | str
    moves: list[str]
    legal: bool = False
    more: dict[str, Any] = field(default_factory=dict)
    model: str = "dai_senso"

    def scenario(self) -> Scenario:
        own, enemy, phase = SIDES[self.model]
        units = [
            {
                "id": unit,
                "side": enemy if unit in ("e1", "e2") else own,
                "type": kind,
                "values": values,
                "steps": steps,
                "at": at,
            }
            for unit, (kind, values, steps, at) in self.units.items()
        ]
        data = {
            "format": "planner/scenario-1",
            "model": self.model,
            "phase": phase,
            "phasing": own,
            "map": {"hexes": self.hexes},
            "unit": units,
            "tier": [{"terms": self.goals}],
        }
        return build_scenario(data | self.more, "mutant")
