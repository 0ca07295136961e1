"""Positions to look at: a scenario with a few things otherwise, drawn by a seed."""

from __future__ import annotations

import random
from typing import cast

from planner.errors import PlannerError
from planner.referee.referee import Referee
from planner.scenario import Scenario

CHANGES = 4
"""How many changes there are at most."""

FAR = 2
"""How many hexes a unit is put aside at most."""

Units = list[dict[str, object]]


def varied(scenario: Scenario, draw: random.Random) -> Scenario | None:
    """Return the scenario with a few units elsewhere, exchanged, with each other's values, or gone; None if that is none.

    What it states of its answer, and of verdicts, is left out. None, too, if the position can't come about: enemies stand
    together, or more stand together than may, where they don't in the scenario.
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
    found = made_of(data, scenario)
    return None if found is None or _odd(found) - _odd(scenario) else found


def _odd(scenario: Scenario) -> set[object]:
    """Return what no play leads to: hexes in which enemies stand together, and what forbids a phase to end so."""
    game, at = scenario.game, scenario.start.at
    sides = {(label, game.is_enemy(unit)) for unit, label in at.items()}
    shared = {label for label, enemy in sides if enemy and (label, False) in sides}
    return shared | {violation.key for violation in Referee(game).check_end(scenario.start)}


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
