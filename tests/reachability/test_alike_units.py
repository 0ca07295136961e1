"""Which units nothing tells apart but their names."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.scenario import Scenario, build_scenario
from tests.plain_game import BOGGING, TERRAIN, placed, write_model

MUD = BOGGING.replace("move = [{}]", 'features = [{ name = "mud", hexes = { terrain = "town" } }]')


def before_a_town(folder: Path, homes: dict[str, str], *wanted: str) -> Scenario:
    """Return units that are alike but for where they are, and who is wanted in 03.01; in the town half-way there is mud."""
    return placed(
        write_model(folder / "any_game", MUD, turns="waiting = {}\n"),
        {"03.01 03.03 03.04": "plain", "03.02": "town"},
        [{"id": unit, "side": "south", "type": "foot", "values": "1-2", "at": at} for unit, at in homes.items()],
        tier=[{"terms": [{"kind": "end", "unit": unit, "at": "03.01", "weight": 6} for unit in wanted]}],
    )


@pytest.mark.parametrize("unit", ["f", "k"])
def test_who_is_wanted_is_not_like_who_is_not(unit: str, tmp_path: Path) -> None:
    # It bogs down in 1 of 6 cases.
    assert planner.suggest(before_a_town(tmp_path, {"f": "03.03", "k": "03.03"}, unit)).value == (5,)


def test_who_has_come_on_the_way_is_not_like_who_has_been_there(tmp_path: Path) -> None:
    # In 03.03 f has 1 MP left, and k 2: k alone may get to 03.01.
    position = planner.Position(before_a_town(tmp_path, {"f": "03.04", "k": "03.03"}, "f", "k"))
    assert position.suggest().value == (5,)
    position.push("f 03.04-03.03")
    assert position.suggest().value == (5,)


ONCE = """
[[rule]]
id = "once"
kind = "step_limit"
paragraph = "once"
across = { features = "river" }
"""


@pytest.mark.parametrize("order", ["fk", "kf"])
def test_who_has_crossed_a_river_is_not_like_who_has_not(order: str, tmp_path: Path) -> None:
    # Both come to 03.03 for 1 MP, f across a river, which nobody may do twice: k alone crosses the other one, to 03.02.
    homes = {"f": "03.04", "k": "02.03"}
    model = write_model(
        tmp_path / "any_game", MUD + ONCE, terrain=f"{TERRAIN}hexsides.river = {{ mp = 0 }}\n", turns="waiting = {}\n"
    )
    unit = {"side": "south", "type": "foot", "values": "1-3"}
    data = {
        "format": "planner/scenario-1",
        "model": str(model),
        "phase": "day",
        "phasing": "south",
        "map": {
            "hexes": {"02.03 03.03 03.04": "plain", "03.02": "town"},
            "hexsides": {"river": ["03.04 03.03", "03.03 03.02"]},
        },
        "unit": [{"id": name, "at": homes[name], **unit} for name in order],
        "tier": [{"terms": [{"kind": "end", "unit": name, "at": "03.02", "weight": 6} for name in order]}],
    }
    now = build_scenario(data, "two rivers").after(["f 03.04-03.03", "k 02.03-03.03"])
    found = planner.suggest(now)
    # Who bogs down has entered the town.
    assert (found.status, found.value, str(found.plan)) == ("optimal", (6,), "k 03.03-03.02")
