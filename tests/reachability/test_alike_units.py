"""Which units nothing tells apart but their names."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.scenario import Scenario
from tests.plain_game import BOGGING, placed, write_model


def before_a_town(folder: Path, homes: dict[str, str], *wanted: str) -> Scenario:
    """Return units that are alike but for where they are, and who is wanted in 03.01; in the town half-way there is mud."""
    mud = BOGGING.replace("move = [{}]", 'features = [{ name = "mud", hexes = { terrain = "town" } }]')
    return placed(
        write_model(folder / "any_game", mud, turns="waiting = {}\n"),
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
