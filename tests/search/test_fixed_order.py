"""What is settled of a plan is made in the order in which it is written, in every game."""

from __future__ import annotations

import pytest

import planner
from planner.scenario import Scenario

COMBATS = """
format = "planner/scenario-1"
model = "classic_hex"
phase = "movement"
phasing = "blue"
map.hexes."0404 0405 0406" = "clear"
unit = [
    { id = "u0", side = "blue", type = "infantry", values = "1-3", at = "0404" },
    { id = "u1", side = "blue", type = "infantry", values = "9-3", at = "0404" },
    { id = "e", side = "red", type = "infantry", values = "1-2", at = "0405", traits = "demoralized" },
]
tier = [{ terms = [{ kind = "hold", hexes = "0406" }] }]
"""

OVERRUNS = """
format = "planner/scenario-1"
model = "a_world_at_war"
phase = "movement"
phasing = "axis"
map.hexes."B2 B3 B4" = "clear"
map.boxes.force_pool = {}
unit = [
    { id = "u0", side = "axis", type = "armor", nationality = "germany", attack = 9, defense = 1, ma = 4, at = "B2" },
    { id = "u1", side = "axis", type = "armor", nationality = "germany", attack = 9, defense = 1, ma = 4, at = "B2" },
    { id = "e", side = "allies", type = "infantry", nationality = "russia", attack = 1, defense = 1, ma = 0, at = "B3" },
]
tier = [{ terms = [{ kind = "hold", hexes = "B4" }] }]
"""

CLEARED = [
    (COMBATS, "u1 0404-0405", "u0 0404-0405-0406"),
    (OVERRUNS, "u1 B2xB3", "u0 B2-B3-B4"),
]
"""Each with the move that clears the hex of the enemy, and one that leads through it: only after that."""


@pytest.mark.parametrize(("text", "clears", "through"), CLEARED)
def test_who_goes_through_a_hex_before_it_is_cleared_is_no_part_of_a_plan(text: str, clears: str, through: str) -> None:
    """Either move may be made, and both: the way through comes second. Written first, it can't be made."""
    scenario = Scenario.loads(text)
    assert planner.complete(scenario, [clears, through]).status == "optimal"
    assert planner.complete(scenario, [through]).status == "optimal"
    assert planner.complete(scenario, [through, clears]).status == "infeasible"


def test_what_must_come_before_all_moves_isnt_made_after_one_that_is_settled() -> None:
    """Who eliminates itself (13.21) does so before others move: not after u0, which has gone to B3, and perhaps back."""
    scenario = Scenario.loads(OVERRUNS.replace('at = "B3"', 'at = "B4"'))
    assert planner.complete(scenario, ["u1 B2-[force_pool]", "u0 B2-B3"]).status == "optimal"
    assert planner.complete(scenario, ["u0 B2-B3", "u1 B2-[force_pool]"]).status == "infeasible"
    assert planner.complete(scenario, ["u0 B2-B3", "u1 B2-[force_pool]", "u0 B3-B2"]).status == "infeasible"


def test_moves_that_dont_need_each_other_may_be_written_in_any_order() -> None:
    """Whether u0 goes aside before u1 attacks, or after that, comes to the same: u1 alone destroys e for certain."""
    scenario = Scenario.loads(COMBATS.replace("0404 0405", "0403 0404 0405"))
    for lines in (["u0 0404-0403", "u1 0404-0405"], ["u1 0404-0405", "u0 0404-0403"]):
        found = planner.complete(scenario, lines)
        assert found.status == "optimal"
        assert found.plan is not None
        assert [str(move).split()[0] for move in found.plan.moves] == [line.split()[0] for line in lines]
