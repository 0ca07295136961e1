"""What all of them have in common: one phase, two sides, steps from hex to hex, no entry of a hex with an enemy in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planner.scenario import Scenario, build_scenario

FORCES = """
counter = ["strength", "ma"]

[sides]
own = "Own"
foe = "Foe"

[phases.movement]
name = "Movement"

[unit_types.foot]
name = "Infantry"

[unit_types.horse]
name = "Cavalry, or armor"
traits = ["fast"]
"""

RULES = """
format = "planner/rulebook-1"
title = "Introductory"

[numbering]
pattern = "{column:02}{row:02}"
straight = "columns"
shifted = "even"
shift = "south"

[[rule]]
id = "movers"
kind = "eligibility"
paragraph = "movement"

[[rule]]
id = "turns"
kind = "sequence"
paragraph = "movement"

[[rule]]
id = "steps"
kind = "hex_to_hex"
paragraph = "movement"

[[rule]]
id = "costs"
kind = "movement_points"
paragraph = "movement"

[[rule]]
id = "enemies"
kind = "entry_restriction"
paragraph = "enemy hexes"
enemy_units = {}
"""


def write_model(folder: Path, rules: str, terrain: str) -> Path:
    """Write a rule set into a folder: what all have in common, its own rules, and its terrain."""
    folder.mkdir()
    for name, text in (("forces", FORCES), ("rulebook", RULES + rules), ("terrain", terrain)):
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


def position(model: Path, rows: str, units: str, **more: Any) -> Scenario:
    """Return a position: rows of a map from 0101 on, and units such as ``a own foot 4-4 0101``, a line each."""
    forces = [
        dict(zip(("id", "side", "type", "values", "at"), line.split(), strict=True)) for line in units.split("\n")
    ]
    entries = [{**unit, "values": unit["values"]} for unit in forces]
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": f"./{model.name}",
            "phase": "movement",
            "phasing": "own",
            "map": {"origin": "0101", "rows": rows.split("/"), **more.pop("map", {})},
            "unit": entries,
            **more,
        },
        "position",
        model.parent,
    )
