"""The enemy's plans that a defense names have their attacks: without them they aren't worth what is said."""

from __future__ import annotations

import pytest

import planner
from planner.cli.defense_text import print_defense
from planner.scenario import build_scenario


def test_the_enemy_s_plans_have_the_attacks_that_they_are_worth_something_by(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Infantry 8 goes beside infantry 2 and attacks it at 4:1: nowhere to retreat to is there, so all results eliminate."""
    data = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0204 0304 0404": "clear"}},
        "unit": [
            {"id": "b", "side": "blue", "type": "infantry", "values": "8-3-3", "at": "0204"},
            {"id": "r", "side": "red", "type": "infantry", "values": "2-2-3", "at": "0404"},
        ],
        "tier": [{"terms": [{"kind": "enemy_losses", "counting": "units"}]}],
        "defense": {"place": [{"units": ["r"], "hexes": "0404"}]},
    }
    scenario = build_scenario(data, "a defense")
    found = planner.defend(scenario)
    [best] = found.to_dict()["accepted"]
    assert best["plan"] == ["b 0204-0304", "b -> 0404"]
    assert best["value"] == [1]
    print_defense(found, every=False)
    assert "    b 0204-0304; b -> 0404\n" in capsys.readouterr().out
