"""EZOCs between which a unit may step whatever is rolled: the enemies are gone, or a friend is stuck in one of the hexes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import planner
from planner.plans.partial_plan import PartialPlan
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.side_constraints import Conditions
from tests.plain_game import JOINT, SHUT, TERRAIN, ZOC, placed, write_model

ZONES = f'{ZOC}negated_for_good = true\neffects = [{{ paragraph = "zoc", on = "enter", does = "forbid", '
ZONES += 'from_ezoc = "any", negatable = true }]\n'
EVEN = JOINT + 'by = { types = "foot" }\n'
SURE = EVEN.replace("}]\neliminated", '}, { odds = "3:1", chance = "1" }]\nentry_at_most = 1\neliminated')
SOUTH, NORTH = {"side": "south"}, {"side": "north", "type": "guard"}
"""A guard whose strength is 9 is never overrun."""


def worth(scenario: Scenario, *plan: str) -> object:
    """Return what a search proves to be the best, having seen that a plan is legal."""
    assert planner.check(scenario, list(plan)).legal
    found = Search(scenario).run()
    assert found.status == "optimal"
    return found.value


def test_of_two_enemies_ahead_one_may_be_gone_for_sure_and_the_other_rolled_for(tmp_path: Path) -> None:
    # t is sure of a, which s can't overrun across the river. s overruns b in 1 of 2 cases, and is stuck in 03.03 otherwise:
    # v may go there from the ZOC of g in any case. 10 for v, 10 for a, 10 / 2 for b.
    units = [
        {"id": "s", **SOUTH, "type": "foot", "values": "1-1", "at": "03.03"},
        {"id": "t", **SOUTH, "type": "foot", "values": "3-1", "at": "02.01"},
        {"id": "v", **SOUTH, "type": "scout", "values": "1-1", "at": "03.04"},
        {"id": "a", **NORTH, "values": "1-0", "at": "02.02"},
        {"id": "b", **NORTH, "values": "1-0", "at": "04.02"},
        {"id": "g", **NORTH, "values": "9-0", "at": "04.04"},
    ]
    terrain = TERRAIN + "hexsides.river = { mp = 1 }\n"
    scenario = placed(
        write_model(tmp_path / "any_game", SURE + SHUT + ZONES, terrain=terrain, turns="stacks = true\n"),
        {},
        units,
        map={
            "hexes": {"03.03 02.01 03.04 02.02 04.02 04.04": "plain"},
            "hexsides": {"river": "03.03 02.02"},
        },
        tier=[
            {
                "terms": [
                    {"kind": "end", "unit": "v", "at": "03.03", "weight": 10},
                    {"kind": "eliminate", "units": ["a", "b"], "weight": 10},
                ]
            }
        ],
    )
    assert worth(scenario, "t 02.01x02.02", "s 03.03x04.02", "v 03.04-03.03") == (25,)


def test_who_fails_to_overrun_the_enemy_ahead_is_a_friend_in_the_hex_that_is_left(tmp_path: Path) -> None:
    # If s overruns b, no ZOC reaches 03.03; if not, s is stuck in 03.04, where it lifts that of g. 10 for v, 10 / 2 for b.
    units = [
        {"id": "s", **SOUTH, "type": "foot", "values": "1-1", "at": "03.04"},
        {"id": "v", **SOUTH, "type": "scout", "values": "1-1", "at": "03.04"},
        {"id": "b", **NORTH, "values": "1-0", "at": "02.03"},
        {"id": "g", **NORTH, "values": "9-0", "at": "04.04"},
    ]
    scenario = placed(
        write_model(tmp_path / "any_game", EVEN + SHUT + ZONES, turns="stacks = true\n"),
        {"03.03 03.04 02.03 04.04": "plain"},
        units,
        tier=[
            {
                "terms": [
                    {"kind": "end", "unit": "v", "at": "03.03", "weight": 10},
                    {"kind": "eliminate", "units": "b", "weight": 10},
                ]
            }
        ],
    )
    assert worth(scenario, "s 03.04x02.03", "v 03.04-03.03") == (15,)


def test_who_is_stuck_in_a_hex_or_goes_on_to_overrun_another_lifts_the_ezoc_of_that_one_there(tmp_path: Path) -> None:
    # s overruns b in 1 of 2 cases, and from there a, for sure, whom it can't from 03.03; otherwise it is stuck there, where
    # it lifts the ZOC of a for v. 10 for v, 10 / 2 for each of the others.
    zones = ZONES.replace('from_ezoc = "any"', 'movers = { types = "scout" }')
    units = [
        {"id": "s", **SOUTH, "type": "foot", "values": "3-2", "at": "03.03"},
        {"id": "v", **SOUTH, "type": "scout", "values": "1-1", "at": "03.04"},
        {"id": "a", **NORTH, "values": "1-0", "at": "03.02"},
        {"id": "b", **NORTH, "values": "3-0", "at": "04.02"},
    ]
    goals = [{"kind": "end", "unit": "v", "at": "03.03"}, {"kind": "eliminate", "units": ["a", "b"]}]
    scenario = placed(
        write_model(
            tmp_path / "any_game",
            SURE + SHUT + zones,
            terrain=TERRAIN + "hexsides.river = { mp = 1 }\n",
            turns="stacks = true\n",
        ),
        {},
        units,
        map={"hexes": {"03.03 03.04 03.02 04.02": "plain"}, "hexsides": {"river": "03.03 03.02"}},
        tier=[{"terms": [{**goal, "weight": 10} for goal in goals]}],
    )
    assert worth(scenario, "s 03.03x04.02x03.02", "v 03.04-03.03") == (20,)


def lone_rolls(folder: Path, values: str, at: str, enemies: list[dict[str, object]], start: str) -> Scenario:
    """Return a position in which s may overrun some enemies, and v gets into 03.03 for 10 points; 10 for each enemy."""
    units = [
        {"id": "s", **SOUTH, "type": "foot", "values": values, "at": at},
        {"id": "v", **SOUTH, "type": "scout", "values": "1-1", "at": start},
        *({**NORTH, **enemy} for enemy in enemies),
    ]
    zones = ZONES.replace('from_ezoc = "any"', 'movers = { types = "scout" }')
    goals = [{"kind": "end", "unit": "v", "at": "03.03"}]
    goals.append({"kind": "eliminate", "units": [enemy["id"] for enemy in enemies]})
    return placed(
        write_model(folder / "any_game", SURE + SHUT + zones, turns="stacks = true\n"),
        {" ".join(sorted({"03.03", at, start, *(str(enemy["at"]) for enemy in enemies)})): "plain"},
        units,
        tier=[{"terms": [{**goal, "weight": 10} for goal in goals]}],
    )


def test_who_is_sure_of_one_enemy_and_rolls_for_the_next_from_there_may_be_stuck_there(tmp_path: Path) -> None:
    # s is sure of z, and overruns b from 03.03 in 1 of 2 cases, or is stuck there. 10 for v, 10 for z, 10 / 2 for b.
    enemies: list[dict[str, object]] = [
        {"id": "z", "values": "1-0", "at": "03.03"},
        {"id": "b", "values": "3-0", "at": "04.02"},
    ]
    scenario = lone_rolls(tmp_path, "3-2", "03.04", enemies, "02.03")
    plan = ["s 03.04x03.03x04.02", "v 02.03-03.03"]
    assert planner.check(scenario, plan, solver=True).legal
    assert worth(scenario, *plan) == (25,)


def test_who_rolls_twice_from_a_hex_is_stuck_there_if_either_fails(tmp_path: Path) -> None:
    # 10 for v, 10 / 2 for b, 10 / 4 for c.
    enemies: list[dict[str, object]] = [
        {"id": "b", "values": "3-0", "at": "04.02"},
        {"id": "c", "values": "3-0", "at": "02.02"},
    ]
    scenario = lone_rolls(tmp_path, "3-3", "03.03", enemies, "03.04")
    plan = ["s 03.03x04.02-03.03x02.02", "v 03.04-03.03"]
    assert planner.check(scenario, plan, solver=True).legal
    assert worth(scenario, *plan) == (Fraction(35, 2),)


def test_what_is_sure_once_a_roll_has_gone_through_leaves_nobody_stuck(tmp_path: Path) -> None:
    # s rolls for b from 03.03, and past it is sure of a from 04.02, where it may not end; then it comes back. Nobody gets at
    # a but through b's hex, and nobody is a match for c: 10 for v, 10 / 2 each for b and a.
    enemies: list[dict[str, object]] = [
        {"id": "b", "values": "3-0", "at": "04.02"},
        {"id": "a", "values": "1-0", "at": "05.02"},
        {"id": "c", "values": "9-0", "at": "02.02"},
    ]
    scenario = lone_rolls(tmp_path, "3-4", "03.03", enemies, "03.04")
    plan = ["s 03.03x04.02x05.02-04.02-03.03", "v 03.04-03.03"]
    assert planner.check(scenario, plan, solver=True).legal
    assert worth(scenario, *plan) == (20,)


def test_a_friend_in_the_hex_that_is_left_counts_where_its_enemy_can_be_overrun_from_the_other_one_alone(
    tmp_path: Path,
) -> None:
    # s stays in 03.04, where it lifts the ZOC of b for v. It might overrun b from 03.03, but not across the river.
    units = [
        {"id": "s", **SOUTH, "type": "foot", "values": "1-1", "at": "03.04"},
        {"id": "v", **SOUTH, "type": "scout", "values": "1-1", "at": "03.04"},
        {"id": "a", **NORTH, "values": "9-0", "at": "03.02"},
        {"id": "b", **NORTH, "values": "1-0", "at": "04.03"},
    ]
    terrain = TERRAIN + "hexsides.river = { prohibited = true }\n"
    scenario = placed(
        write_model(tmp_path / "any_game", EVEN + SHUT + ZONES, terrain=terrain, turns="stacks = true\n"),
        {},
        units,
        map={"hexes": {"03.02 03.03 03.04 03.05 04.03": "plain"}, "hexsides": {"river": "03.04 04.03"}},
    )
    assert planner.check(scenario, ["v 03.04-03.03"]).legal
    settled = PartialPlan(ends=(("v", ("03.03",)),))
    assert Search(scenario, conditions=Conditions(settled)).run().plan is not None
