"""Who moves in a plan for no other reason than that it has to is told as that."""

from __future__ import annotations

import planner

HEADS = {"format": "planner/scenario-1", "model": "great_war", "phase": "taking_ground", "phasing": "allied"}
VACATED = {"terrain": "countryside", "traits": ["vacated"]}


def test_a_tank_that_must_take_ground_moves_because_it_must_and_not_for_the_wire_that_goes() -> None:
    """Both tanks must move, in whatever order: neither goes where the other one was, nor across the wire."""
    tank = {"side": "allied", "type": "mark_iv", "traits": ["won_close_combat"]}
    scenario = planner.Scenario.from_dict(
        {
            **HEADS,
            "map": {"hexes": {"E1 E5": "countryside", "E2": VACATED, "E4": VACATED}},
            "unit": [{"id": "a", "at": "E1", **tank}, {"id": "b", "at": "E5", **tank}],
            "marker": [{"id": "wire", "type": "wire", "side": "central", "at": "E2"}],
        }
    )
    told = {one.unit: one for one in planner.reach_all(scenario)}
    assert not any(one.alone or one.open for one in told.values())
    assert {unit: (one.hex, *map(str, one.help)) for unit, report in told.items() for one in report.with_help} == {
        "a": ("E2", "b must move, too"),
        "b": ("E4", "a must move, too"),
    }
    [way] = told["b"].to_dict()["with_help"]
    assert way["help"] == [{"obliged": "E1", "by": ["a"]}]
