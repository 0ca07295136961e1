"""Positions of nine hexes, two units and an enemy or two, and a hex to reach: small enough for many searches."""

from __future__ import annotations

import random
from typing import Any

from planner.scenario import Scenario, build_scenario


def draw_tiny(rng: random.Random) -> dict[str, Any]:
    """Return a position: the same generator, in the same state, gives the same one."""
    labels = [f"w{row}{column}" for row in (30, 31, 32) for column in (20, 21, 22)]
    terrain = {label: rng.choices(("clear", "rough", "mountain", "all_sea"), (8, 2, 1, 1))[0] for label in labels}
    land = [label for label in labels if terrain[label] != "all_sea"]
    own, *foes = rng.sample(land, rng.choice((2, 3)))
    units = [
        {
            "id": "tank",
            "side": "axis",
            "type": "tank",
            "values": f"{rng.choice((3, 6))}-3-{rng.choice((1, 2))}",
            "at": own,
        },
        {"id": "foot", "side": "axis", "type": "infantry", "values": "3-3-1", "at": own},
    ]
    units += [
        {
            "id": f"e{number}",
            "side": "soviet",
            "type": "infantry",
            "values": "1-1-1",
            "at": at,
            "steps": rng.choice((1, 2)),
        }
        for number, at in enumerate(foes)
    ]
    return {
        "format": "planner/scenario-1", "model": "dai_senso", "phase": "operational_movement", "phasing": "axis",
        "map": {"hexes": terrain}, "unit": units,
        "require": [{"kind": "end", "unit": rng.choice(("tank", "foot")), "at": rng.choice(land)}],
    }  # fmt: skip


def tiny(seed: int) -> Scenario:
    """Return the position of a seed."""
    return build_scenario(draw_tiny(random.Random(f"tiny {seed}")), f"tiny {seed}")
