"""Reach tells no hex that no plan reaches, and every one that some plan does."""

from __future__ import annotations

from typing import Any

import planner
from planner.scenario import Scenario, build_scenario


def _build(model: str, **data: Any) -> Scenario:
    return build_scenario({"format": "planner/scenario-1", "model": model, **data}, "a position")


def test_a_hex_that_stands_full_since_nobody_can_leave_it_is_not_reached_with_help() -> None:
    """Two infantry in a dead end: b can only go to E1, where a stands; so neither can ever move."""
    unit = {"side": "british", "type": "infantry"}
    scenario = planner.load("great_war/over_the_top")
    sides = {one.side for one in scenario.game.units.values()}
    unit["side"] = scenario.game.units[next(iter(scenario.game.phasing))].side
    assert unit["side"] in sides
    data = {
        "phase": scenario.game.situation.phase,
        "phasing": unit["side"],
        "orders": {"left": 2, "center": 2, "right": 2},
        "map": {"hexes": {"E1 E2": "countryside"}},
        "unit": [{**unit, "id": "a", "at": "E1"}, {**unit, "id": "b", "at": "E2"}],
    }
    found = planner.reach(_build("great_war", **data), "a")
    assert (found.alone, found.with_help, found.open) == ((), (), ())


def test_a_unit_goes_on_where_combat_has_opened_the_road() -> None:
    """X, 6 against 3, clears 1011 on a road of one hex's width; Y, who can't, goes after it to the end of the road."""
    unit = {"type": "infantry"}
    data = {
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"1010 1011 1012 1112 1113": "clear"}},
        "unit": [
            {**unit, "id": "X", "side": "blue", "values": "6-3", "at": "1010"},
            {**unit, "id": "Y", "side": "blue", "values": "1-3", "at": "1010"},
            {**unit, "id": "e", "side": "red", "values": "2-3", "at": "1011"},
        ],
    }
    scenario = _build("classic_hex", **data)
    found = planner.reach(scenario, "Y")
    [entry] = [entry for entry in found.with_help if entry.hex == "1113"]
    assert any("X" in move.units for move in entry.plan.moves)
    assert planner.check(scenario, entry.plan).legal
