"""Who leaves a stack that goes on is judged as the position is then."""

from __future__ import annotations

from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.rules.kinds.hex_to_hex import HexToHex
from planner.rules.kinds.movement_points import MovementPoints
from planner.rules.kinds.sequence import Sequence
from planner.rules.kinds.zone_of_control import ZoneOfControl
from planner.scenario import Scenario, build_scenario
from planner.solver.plan_judge import judge
from tests.oracles.rulebooks import with_rules


def scenario() -> Scenario:
    """Return a position in which an EZOC stops infantry, guns negate it, and units wait for each other."""
    at = {"a": ("blue", "infantry", "0101"), "g": ("blue", "artillery", "0101"), "e": ("red", "infantry", "0303")}
    found = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "crossroads",
            "phase": "movement",
            "phasing": "blue",
            "map": {"origin": "0101", "rows": "\n".join(["....."] * 4)},
            "unit": [
                {"id": name, "side": side, "type": type_, "values": "1-1-4", "at": hex_}
                for name, (side, type_, hex_) in at.items()
            ],
        },
        "a stack that drops a unit",
    )
    stop = {"paragraph": "5", "on": "enter", "does": "stop", "movers": {"types": "infantry"}}
    zone = {"exerted_by": {}, "effects": [stop], "negated_by": {"types": "artillery"}}
    costs = {"paragraph": "4", "prohibited_paragraph": "4"}
    return with_rules(
        found,
        (
            Sequence.model_validate(
                {"id": "order", "kind": "sequence", "paragraph": "4", "stacks": True, "waiting": {}}
            ),
            HexToHex.model_validate({"id": "steps", "kind": "hex_to_hex", "paragraph": "4", "overruns": False}),
            MovementPoints.model_validate({"id": "costs", "kind": "movement_points", **costs}),
            ZoneOfControl.model_validate({"id": "zoc", "kind": "zone_of_control", "paragraph": "5", **zone}),
        ),
    )


def test_whoever_is_dropped_in_an_ezoc_isnt_freed_by_the_gun_that_goes_on() -> None:
    # a is dropped in 0302, beside e; the gun, which would negate the EZOC there, goes on to 0402. So a has had to stop.
    position = scenario()
    plan = Plan((Move.parse("a+g 0101-0201-0302/a-0402"), Move.parse("a 0302-0202")))
    told = Referee(position.game).play(plan, position.start.copy()).violations
    assert [(one.rule, one.at, one.blame) for one in told] == [("5", "0302", ("e",))]
    assert [(one.rule, one.at, one.blame) for one in judge(position, plan)] == [("5", "0302", ("e",))]
    assert Referee(position.game).play(Plan(plan.moves[:1]), position.start.copy()).legal
