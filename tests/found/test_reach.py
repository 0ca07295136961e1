"""Reach tells no hex that no plan reaches, and every one that some plan does."""

from __future__ import annotations

from typing import Any

import planner
from planner.scenario import Scenario, build_scenario


def _build(model: str, **data: Any) -> Scenario:
    return build_scenario({"format": "planner/scenario-1", "model": model, **data}, "a position")


def test_a_hex_that_nobody_can_leave_is_not_reached_with_help() -> None:
    """Two infantry in a dead end: each could move only if the other left, so neither ever does."""
    unit = {"side": "allied", "type": "infantry", "traits": "ordered"}
    data = {
        "phase": "movement",
        "phasing": "allied",
        "map": {"hexes": {"E1 E2": "countryside"}},
        "unit": [{**unit, "id": "a", "at": "E1"}, {**unit, "id": "b", "at": "E2"}],
    }
    scenario = _build("great_war", **data)
    assert not planner.check(scenario, "a E1-E2").legal
    found = planner.reach(scenario, "a")
    assert (found.hindrances, found.alone, found.with_help, found.open) == ((), (), (), ())


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


def test_reach_names_the_naval_zones_across_which_a_unit_is_carried() -> None:
    """From Milne Bay to Buna across the Coral Sea, though the plan names no carrier; before, the zones were told, too."""
    found = planner.reach("dai_senso/island_campaign", "brit")
    carried = {entry.hex: entry.zones for entry in found.alone if any(move.carried for move in entry.plan.moves)}
    assert carried
    assert set(carried.values()) == {("coral_sea",)}
