"""Plans that can be completed are; hints hold only where they are legal as they are written."""

from __future__ import annotations

from typing import Any

import planner
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.scenario import Scenario, build_scenario
from planner.search.context import Conditions


def _held(scenario: Scenario, hint: str, *moves: str) -> bool:
    """Tell whether a plan does what a partial plan settles, as the referee plays it."""
    verdict = planner.check(scenario, list(moves))
    assert verdict.legal
    return Conditions(PartialPlan.parse(hint)).hold_for(scenario, Plan.parse(list(moves)), verdict)


def test_a_step_into_a_hex_that_a_combat_has_cleared_is_no_combat() -> None:
    """X takes 0405, whatever is drawn; y goes through it to 0506: legal as it stands, so it can be completed."""
    moves = ["x 0404x0405", "y 0404-0405-0506"]
    scenario = planner.load("classic_hex/puzzles/open_door")
    assert planner.check(scenario, moves).legal
    found = planner.complete(scenario, moves)
    assert found.plan is not None
    assert planner.check(scenario, found.plan).legal


def test_a_step_that_is_not_written_as_a_combat_may_be_one() -> None:
    scenario = planner.load("classic_hex/puzzles/open_door")
    for written in ("x 0404x0405", "x 0404-0405"):
        found = planner.complete(scenario, [written])
        assert found.plan is not None, written
        assert planner.check(scenario, found.plan).position.at["x"] == "0405"
    assert _held(scenario, "x 0404-0405", "x 0404x0405")
    assert _held(scenario, "x 0404x0405", "x 0404-0405")


def _stack(ma: int) -> Scenario:
    unit: dict[str, Any] = {"side": "axis", "type": "tank", "values": f"8-4-{ma}", "at": "10.10"}
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.10 10.11 10.12": "open"}},
        "unit": [
            {**unit, "id": "t1"},
            {**unit, "id": "t2"},
            {"id": "e", "side": "allied", "type": "infantry", "values": "1-1-3", "at": "10.11"},
        ],
    }
    return build_scenario(data, "a stack")


def test_a_hint_of_two_attempts_does_not_hold_where_one_is_made() -> None:
    """An attempt costs 3 MP: with 5 MP there is one, with 8 there are two."""
    poor, rich = _stack(5), _stack(8)
    assert not planner.check(poor, "t1+t2 10.10x10.11*2").legal
    assert not _held(poor, "t1+t2 10.10x10.11*2", "t1+t2 10.10x10.11")
    assert _held(rich, "t1+t2 10.10x10.11*2", "t1+t2 10.10x10.11*2")
