"""Positions to look at: a scenario with a few things otherwise, drawn by a seed."""

from __future__ import annotations

import random
from typing import cast

from planner.errors import PlannerError
from planner.scenario import Scenario

CHANGES = 4
"""How many changes there are at most."""

FAR = 2
"""How many hexes a unit is put aside at most."""

Units = list[dict[str, object]]


def varied(scenario: Scenario, draw: random.Random) -> Scenario | None:
    """Return the scenario with a few units elsewhere, exchanged, with each other's values, or gone; None if that is none.

    What it states of its answer, and of verdicts, is left out.
    """
    data = scenario.to_dict()
    for key in ("verdict", "answer", "defense", "done"):
        data.pop(key, None)
    data["description"] = "Find the best plan."
    units = cast(Units, data["unit"])
    for _ in range(draw.randint(1, CHANGES)):
        placed = [entry for entry in units if "at" in entry]
        if not placed:
            return None
        entry = draw.choice(placed)
        change = draw.random()
        if change < 0.5:
            entry["at"] = draw.choice(_near(scenario, str(entry["at"])))
        elif change < 0.7:
            other = draw.choice(placed)
            entry["at"], other["at"] = other["at"], entry["at"]
        elif change < 0.85:
            other = draw.choice([one for one in units if one["side"] == entry["side"] and "values" in one] or [entry])
            if "values" in entry and "values" in other:
                entry["values"] = other["values"]
        elif len(units) > 3:
            units.remove(entry)
    return made_of(data, scenario)


def made_of(data: dict[str, object], scenario: Scenario) -> Scenario | None:
    """Return the scenario that data make; None if they make none."""
    try:
        return Scenario.from_dict(data, scenario.where, scenario.beside)
    except PlannerError:
        return None


def without(scenario: Scenario, id_: str) -> Scenario | None:
    """Return the scenario without a unit, nor its name in the objective, nor an answer; None if it is none."""
    data = scenario.to_dict()
    data.pop("answer", None)
    data["unit"] = [entry for entry in cast(Units, data["unit"]) if entry["id"] != id_]
    for tier in data.get("tier", []):
        for term in tier.get("terms", []):
            if isinstance(term.get("units"), list) and len(term["units"]) > 1:
                term["units"] = [unit for unit in term["units"] if unit != id_]
    return made_of(data, scenario)


def _near(scenario: Scenario, label: str) -> list[str]:
    """Return the hexes near one, itself included."""
    board = scenario.game.board
    return [other for other in board.hexes if label in board.hexes and board.within(label, other, FAR)] or [label]
