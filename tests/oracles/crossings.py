"""Small random positions in which ships take units across a strait, and units may bog down on land."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import planner
from planner.scenario import Scenario
from tests.plain_game import LIMIT, write_model

WEST, EAST = ("01.01", "01.02", "02.01"), ("05.01", "05.02", "04.01")


def _rules(rng: random.Random) -> str:
    port = '{ terrain = "town" }'
    procedure = rng.choice(("hex_to_hex", "port_to_port"))
    sea = f'[[rule]]\nid = "sea"\nkind = "transport"\nparagraph = "sea"\nprocedure = "{procedure}"\n'
    sea += f"embark = [{port}]\ndebark = [{port}]\n" + rng.choice(("takes = 1\n", "", "from_start = true\n"))
    where = rng.choice(("hill", "plain", "town", ""))
    dice = (
        f'features = [{{ name = "mud", hexes = {{ terrain = "{where}" }}, dice = 1 }}]\n' if where else "move = [{}]\n"
    )
    bogs = '[[rule]]\nid = "bog"\nkind = "bogging"\nparagraph = "bog"\nwho = {}\nbad_side = "1/6"\n'
    bogs += dice
    stacks = LIMIT + f"limits = [{{ units = {rng.choice((1, 2))} }}]\n"
    return sea + bogs + rng.choice((stacks, ""))


def muddy_crossing(seed: int) -> Scenario:
    """Return the position of a seed, under a rulebook of its own."""
    rng = random.Random(f"crossing {seed}")
    terrain = {label: rng.choice(("plain", "plain", "hill", "town")) for label in (*WEST, *EAST)}
    terrain |= {label: "town" for coast in (WEST, EAST) for label in rng.sample(coast, rng.choice((1, 2)))}
    towns = " ".join(label for label, name in terrain.items() if name == "town")
    units = [
        {"id": unit, "side": "south", "type": "foot", "values": f"1-{rng.choice((2, 3))}", "at": rng.choice(WEST)}
        for unit in rng.choice(("fg", "fg", "fgh"))
    ]
    ships = [
        {"id": f"ship{number}", "type": "boat", "side": "south", "zone": "sea"}
        for number in range(rng.choice((1, 1, 2)))
    ]
    goals = [{"kind": "end", "unit": unit, "at": rng.choice(EAST), "weight": rng.randint(1, 4)} for unit in "fg"]
    held = f"{rng.choice(EAST)} {rng.choice(WEST)}"
    with tempfile.TemporaryDirectory() as folder:
        turns = rng.choice(("", "", "waiting = {}\n", 'waiting = { units = "f" }\n'))
        model = write_model(Path(folder) / "model", _rules(rng), turns=turns)
        (model / "carriers.toml").write_text("[[carriers]]\nmarkers = {}\ncarries = {}\n")
        data = {
            "format": "planner/scenario-1",
            "model": str(model),
            "phase": "day",
            "phasing": "south",
            "control": {"south": towns},
            "map": {"hexes": {label: {"terrain": name} for label, name in terrain.items()}, "zones": {"sea": towns}},
            "unit": units,
            "marker": ships,
            "tier": [
                {"terms": [*goals, {"kind": "hold", "hexes": held, "weight": 2}]},
                {"terms": [{"kind": "mp_spent"}]},
            ],
        }
        return planner.Scenario.from_dict(data, f"crossing {seed}")
