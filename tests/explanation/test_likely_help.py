"""Help that is likely enough: an overrun that goes through more often than a cheaper one."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.plans.plan import Plan
from tests.plain_game import JOINT, SHUT, TERRAIN, placed, write_model

AGAIN = JOINT.replace("results", 'after_failure = "go_on"\nattempts = 2\nresults')
HALVED = JOINT.replace(
    "results", 'modifiers = [{ of = "attack", hexsides = { features = "river" }, times = "1/2" }]\nresults'
)
HALVED = HALVED.replace('chance = "1/2" }', 'chance = "1/2" }, { odds = "2:1", chance = "3/4" }')


@pytest.mark.parametrize(
    ("rules", "helps"), [(AGAIN, "y 03.01x03.02*2"), (HALVED, "y 03.01-02.01x03.02")], ids=["again", "round"]
)
def test_help_that_is_likely_enough_only_by_a_dearer_overrun_is_not_ruled_out(
    rules: str, helps: str, tmp_path: Path
) -> None:
    """By hand: straight on, over the river, y opens the hex in one of two cases; again, or from 02.01, in three of four."""
    model = write_model(
        tmp_path / "any_game", rules + SHUT.format("{}"), terrain=TERRAIN + "hexsides.river = { mp = 0 }\n"
    )
    units = [
        {"id": "x", "side": "south", "type": "foot", "at": "03.01", "values": "0-3"},
        {"id": "y", "side": "south", "type": "foot", "at": "03.01", "values": "2-3"},
        {"id": "e", "side": "north", "type": "foot", "at": "03.02", "values": "1-1"},
    ]
    ground = {"hexes": {"02.01 03.01 03.02 03.03": "plain"}, "hexsides": {"river": ["03.01 03.02"]}}
    if rules == AGAIN:
        units[1]["values"] = "1-3"
    scenario = placed(model, {}, units, map=ground, confidence="3/4")
    move = "x 03.01-03.02-03.03"
    assert planner.check(scenario, [helps, move]).legal
    found = planner.explain(scenario, move, time_limit=None)
    assert (found.status, found.help) == ("with_help", "found")
    assert [str(one) for one in found.remedies if one.own] == ["if y first moves to 03.02, overrunning it"]
    assert found.remedies[0].plan == Plan.parse([helps, move])
