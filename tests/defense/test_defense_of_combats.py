"""Where entering an enemy's hex is a combat, the enemy's plans can be played where they are told of."""

from __future__ import annotations

import planner
from planner.scenario import build_scenario


def test_what_breaks_a_placement_can_be_played_there_as_it_is_written() -> None:
    """With d in 0404, x fights there at 9 to 1 and wins for certain; with d in 0406 nobody is in 0404, and x just goes.

    "x 0304x0404" was told of both; with d in 0406, `check` says that no enemy can be in 0404.
    """
    data = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0303 0304 0305 0404 0405 0406": "clear"}},
        "unit": [
            {"id": "x", "side": "blue", "type": "infantry", "values": "9-3", "at": "0304"},
            {"id": "d", "side": "red", "type": "infantry", "values": "1-3", "at": "0404"},
        ],
        "require": [{"kind": "end", "unit": "x", "at": "0404"}],
    }
    found = planner.defend(build_scenario(data, "placed"), place="d in 0406")
    assert (found.status, found.rejected) == ("fails", 2)
    for place in ("0404", "0406"):
        there = build_scenario(data, "written").with_units([{"id": "d", "at": place}])
        plans = [one.plan for one in found.refutations if one.breaks({"d": place})]
        assert plans
        assert all(planner.check(there, plan.lines).legal for plan in plans)
