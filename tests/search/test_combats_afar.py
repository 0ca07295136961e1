"""Where entering a hex is a combat, nobody fights who comes from afar, or into a box: and goes on, as the referee has it."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.scenario import Scenario, build_scenario
from tests.plain_game import FORCES, write_model

COMBAT = """
[[rule]]
id = "combat"
kind = "combat_on_entry"
paragraph = "combat"
demoralized = "tired"
columns = [{ from_percent = -100, entries = [[0, 1]] }]
eliminated_to = [{ box = "dead" }]
[[rule]]
id = "march"
kind = "passage"
paragraph = "march"
takes = 1
first_only = false
"""
BY_BOX = COMBAT + "reads = { origin = { boxes = true }, to = { boxes = true } }\n"
AFAR = COMBAT + 'adjacent = false\nrange = 2\nreads = { origin = { traits = "port" } }\n'


def scenario(folder: Path, rules: str, board: dict[str, object], places: tuple[str, str, str]) -> Scenario:
    """Return a unit that is to go from the first place to the last, and an enemy in the one between."""
    units = [("a", "south", places[0]), ("e", "north", places[1])]
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": str(write_model(folder, rules, forces=FORCES + 'unit_traits = { tired = "Tired" }\n')),
            "phase": "day",
            "phasing": "south",
            "map": board,
            "unit": [
                {"id": one, "side": side, "type": "foot", "at": label, "values": "1-2"} for one, side, label in units
            ],
            "tier": [{"terms": [{"kind": "end", "unit": "a", "at": places[2]}]}],
        },
        "position.toml",
    )


@pytest.mark.parametrize("afar", [False, True])
def test_who_comes_by_no_hexside_goes_on_past_the_enemy(tmp_path: Path, afar: bool) -> None:
    # Two steps of 1 MP each; nothing else leads to the last place with 2 MP.
    if afar:
        hexes = {"01.01": {"terrain": "plain", "traits": "port"}, "01.02": "hill", "01.03": "plain", "01.04": "plain"}
        position = scenario(tmp_path, AFAR, {"hexes": hexes}, ("01.01", "01.03", "01.04"))
    else:
        boxes = {"west": {"adjacent": ["middle"]}, "middle": {"adjacent": ["east"]}, "east": {}, "dead": {}}
        board = {"hexes": {"01.01": "plain"}, "boxes": boxes}
        position = scenario(tmp_path, BY_BOX, board, ("west", "middle", "east"))
    plan = "a 01.01-01.03-01.04" if afar else "a [west]-[middle]-[east]"
    for solver in (False, True):
        assert planner.check(position, plan, solver=solver).legal
    result = planner.suggest(position)
    assert (result.status, result.value, str(result.plan)) == ("optimal", (1,), plan)
    assert planner.explain(position, f"a to {plan.split('-')[-1].strip('[]')}").status == "possible"
    reached = {one.hex for one in planner.reach(position, "a").alone}
    assert reached == ({"01.03", "01.04"} if afar else {"middle", "east"})
