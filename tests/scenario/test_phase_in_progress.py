"""A phase in progress: what the rules remember of moves that have been made, in each game, by both faces."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.plans.plan import Plan
from planner.scenario import Scenario, build_scenario
from planner.scenario.phase_in_progress import reached
from planner.solver.plan_judge import judge
from tests.plain_game import Variant, build


def position(model: str, hexes: str, terrain: str, units: list[dict[str, Any]], **more: Any) -> Scenario:
    """Return a scenario in the game's movement phase."""
    data = {
        "format": "planner/scenario-1",
        "model": model,
        "phase": "movement",
        "phasing": "own",
        "map": {"hexes": {hexes: terrain}},
        "unit": units,
        **more,
    }
    return build_scenario(data, "test")


def counter(unit: str, side: str, kind: str, values: str, at: str, **more: Any) -> dict[str, Any]:
    return {"id": unit, "side": side, "type": kind, "values": values, "at": at, **more}


def rules(scenario: Scenario, *moves: str) -> list[str]:
    """Return the paragraphs that moves break, by both faces alike."""
    plan = Plan.parse(moves)
    found = {violation.rule for violation in planner.check(scenario, plan).violations}
    assert {violation.rule for violation in judge(scenario, plan)} == found
    return sorted(found)


def two_stacks(**more: Any) -> Scenario:
    """Return two tanks beside an enemy in open ground: 12 to 4, column 3:1, goes through with 7/12; alone 6 to 4, 1/6."""
    units = [
        counter("a", "axis", "tank", "6-4-8", "10.10"),
        counter("b", "axis", "tank", "6-4-8", "10.10"),
        counter("e", "allied", "infantry", "4-4-2", "10.11"),
    ]
    wanted = [{"terms": [{"kind": "eliminate", "units": ["e"]}]}]
    return position("ocs", "10.09 10.10 10.11 10.12 10.13", "open", units, phasing="axis", tier=wanted, **more)


def test_a_stack_goes_on_with_the_mp_that_are_left_to_it() -> None:
    # The overrun takes 3 of 8 MP: 10.13 is 2 further.
    now = two_stacks().after("a+b 10.10x10.11")
    verdict = planner.check(now, "a+b 10.11-10.12-10.13")
    assert verdict.legal
    assert [played.mp for played in verdict.moves] == [2]
    assert verdict.tally.mp == {"a": 5, "b": 5}
    assert verdict.probability == 1  # what has been rolled is known


def test_a_stack_may_drop_a_unit_where_it_stands_and_go_on() -> None:
    now = two_stacks().after("a+b 10.10x10.11")
    verdict = planner.check(now, "b 10.11-10.12")
    assert verdict.legal
    assert (verdict.position.at["a"], verdict.position.at["b"]) == ("10.11", "10.12")


def test_once_somebody_else_has_moved_a_move_is_over() -> None:
    now = two_stacks().after("a 10.10-10.09")
    assert rules(now, "b 10.10-10.09", "a 10.09-10.10") == ["6.1g"]
    assert rules(now, "a 10.09-10.10", "b 10.10-10.09") == []
    assert rules(now.after("b 10.10-10.09"), "a 10.09-10.10") == ["6.1g"]


def test_nobody_joins_a_move_that_has_begun() -> None:
    now = two_stacks().after("a 10.10-10.09-10.10")
    assert rules(now, "a+b 10.10-10.09") == ["6.1g"]


def test_after_an_overrun_that_has_failed_its_stack_and_others_may_try_again_as_long_as_mp_last() -> None:
    now = two_stacks().after("a+b 10.10!10.11")
    result = planner.suggest(now)
    # 8 - 3 MP are left: one attempt more, 7/12.
    assert (result.status, result.value) == ("optimal", (Fraction(7, 12),))
    assert rules(now, "a+b 10.10x10.11*2") == ["6.1a"]
    assert rules(two_stacks().after("a 10.10!10.11"), "b 10.10x10.11") == []
    again = now.after("a+b 10.10!10.11")
    # 2 MP are left of 8.
    assert planner.suggest(again).value == (Fraction(0),)


def test_a_success_that_was_rolled_is_no_longer_averaged() -> None:
    assert planner.suggest(two_stacks()).value == (Fraction(119, 144),)  # two attempts: 1 - (5/12)²
    result = planner.suggest(two_stacks().after("a+b 10.10x10.11"))
    assert (result.status, result.value) == ("optimal", (Fraction(1),))


def test_a_friend_on_whose_account_another_unit_went_on_stays() -> None:
    """The truck g passes 10.11 in the EZOC of e because f stands there; then f may not leave, unless h does the same."""
    units = [
        counter("f", "axis", "infantry", "3-3-4", "10.11"),
        counter("g", "axis", "hq", "0-0-12", "10.10"),
        counter("h", "axis", "infantry", "3-3-4", "10.10"),
        counter("e", "allied", "infantry", "4-4-2", "11.11"),
    ]
    scenario = position("ocs", "09.11 10.10 10.11 10.12 10.13 11.11", "open", units, phasing="axis")
    now = scenario.after("g 10.10-10.11-10.12")
    assert rules(now, "f 10.11-10.10") == ["6.3b"]
    assert rules(now, "h 10.10-10.11", "f 10.11-10.10") == ["6.3b"]  # h wasn't there when g passed
    with_h = scenario.after(["h 10.10-10.11", "g 10.10-10.11-10.12"])
    assert rules(with_h, "f 10.11-10.10") == []


def test_who_went_on_beside_a_friend_in_a_second_move_binds_him_as_in_one() -> None:
    """The truck g has stopped in 10.11 in the EZOC of e; it goes on since f stands there, and stays from then on."""
    units = [
        counter("f", "axis", "infantry", "3-3-4", "10.11"),
        counter("g", "axis", "hq", "0-0-12", "10.10"),
        counter("h", "axis", "hq", "0-0-12", "10.10"),
        counter("i", "axis", "infantry", "3-3-4", "10.10"),
        counter("e", "allied", "infantry", "4-4-2", "11.11"),
    ]
    wanted = [
        {"terms": [{"kind": "end", "unit": unit, "at": label}]} for unit, label in (("g", "10.12"), ("f", "10.10"))
    ]
    hexes = "09.11 10.10 10.11 10.12 10.13 11.11"
    scenario = position("ocs", hexes, "open", units, phasing="axis", tier=wanted)
    now = scenario.after("g 10.10-10.11")
    assert rules(now, "g 10.11-10.12") == []
    assert rules(now, "f 10.11-10.10") == []  # g's move is over
    assert rules(now, "g 10.11-10.12", "f 10.11-10.10") == ["6.3b"]
    assert rules(now, "g 10.11-10.12", "i 10.10-10.11", "f 10.11-10.10") == ["6.3b"]  # i wasn't there when g went on
    # Of 10.12 for g and 10.10 for f, only one can be had, and the first tier wants the first.
    assert planner.suggest(now).value == (1, 0)
    with_i = scenario.after(["i 10.10-10.11", "g 10.10-10.11"])
    assert rules(with_i, "g 10.11-10.12", "f 10.11-10.10") == []
    assert planner.suggest(with_i).value == (1, 1)


def test_who_has_been_eliminated_since_has_moved_no_more() -> None:
    """The truck g passes 10.11, where f and h stand: as h falls there, f may leave, as in a whole plan."""
    units = [
        counter("f", "axis", "infantry", "3-3-4", "10.11"),
        counter("h", "axis", "infantry", "3-3-4", "10.11"),
        counter("g", "axis", "hq", "0-0-12", "10.10"),
        counter("e", "allied", "infantry", "4-4-2", "11.11"),
    ]
    scenario = position("ocs", "09.11 10.10 10.11 10.12 10.13 11.11", "open", units, phasing="axis")
    done = Plan.parse(["g 10.10-10.11-10.12"])
    after = scenario.after(done).start.copy()
    after.remove("h", "eliminated")
    assert rules(reached(scenario, after, done.moves), "f 10.11-10.10") == []
    assert rules(scenario.after(done), "f 10.11-10.10") == []
    assert rules(scenario.after(done), "f 10.11-10.10", "h 10.11-10.10") == ["6.3b"]


def test_of_a_stack_in_an_ezoc_one_must_stay_so_that_the_other_may_go_on() -> None:
    """The truck g and the infantry i have come to 10.11, where f stands or not: f or i must stay, so that g may go on."""
    units = [
        counter("f", "axis", "infantry", "3-3-4", "10.11"),
        counter("g", "axis", "hq", "0-0-12", "10.10"),
        counter("i", "axis", "infantry", "3-3-4", "10.10"),
        counter("e", "allied", "infantry", "4-4-2", "11.11"),
    ]
    hexes = "09.11 10.10 10.11 10.12 10.13 11.11"
    scenario = position("ocs", hexes, "open", units, phasing="axis")
    now = scenario.after("g+i 10.10-10.11")
    assert rules(now, "g+i 10.11-10.12") == []
    assert rules(now, "g+i 10.11-10.12", "f 10.11-10.10") == ["6.3b"]
    assert rules(now, "g 10.11-10.12", "f 10.11-10.10") == []
    alone = position("ocs", hexes, "open", units[1:], phasing="axis").after("g+i 10.10-10.11")
    assert rules(alone, "g 10.11-10.12") == []
    assert rules(alone, "g+i 10.11-10.12") == ["6.3b"]
    assert rules(alone.after("g 10.11-10.12"), "i 10.11-10.10") == ["6.1g"]


def trench_lane(**more: Any) -> Scenario:
    """Return a tank and infantry in a lane with one order, and two dice for the tank's second hex."""
    units = [
        {"id": "front", "side": "allied", "type": "infantry", "at": "E2"},
        {"id": "rear", "side": "allied", "type": "infantry", "at": "E1"},
    ]
    terrain = {"terrain": "countryside", "traits": "left"}
    return position("great_war", "C2 D1 D2 E1 E2 E3", terrain, units, phasing="allied", **more)


def test_an_order_that_has_been_used_is_gone() -> None:
    assert rules(trench_lane(orders={"left": 1}).after("front E2-E3"), "rear E1-E2") == ["Movement"]
    assert rules(trench_lane(orders={"left": 2}).after("front E2-E3"), "rear E1-E2") == []
    # The same unit goes on by the same order.
    assert rules(trench_lane(orders={"left": 1}).after("rear E1-D1"), "rear D1-D2") == []


def test_who_has_bogged_down_moves_no_more_and_who_has_not_goes_on() -> None:
    units = [{"id": "tank", "side": "allied", "type": "mark_iv", "at": "E1"}]
    terrain = {"terrain": "countryside", "traits": "left"}
    lane = position("great_war", "E1 E2 E3 E4", terrain, units, phasing="allied", orders={"left": 1})
    first = planner.check(lane, "tank E1-E2-E3")
    assert first.legal
    assert 0 < first.probability < 1
    assert planner.check(lane.after("tank E1-E2-E3"), "").probability == 1
    bogged = lane.after(["tank E1-E2-E3!"])
    assert bogged.start.bogged == {"tank"}
    assert planner.reach(bogged, "tank").alone == ()


def test_an_unknown_draw_must_be_told() -> None:
    scenario = planner.load("classic_hex/three_battles")
    with pytest.raises(planner.InputError, match="must say what was drawn: one of =0:0"):
        scenario.after(["a1 0305-0304", "a1 0304x0303"])


def test_moves_that_have_been_made_must_be_legal_and_all_that_is_wrong_is_told() -> None:
    with pytest.raises(planner.InputError) as found:
        two_stacks().after(["a 10.10-10.12", "zz 10.10-10.11"])
    assert [str(problem) for problem in found.value.problems] == [
        "no unit has the id 'zz' @ after: moves[1] (zz 10.10-10.11)"
    ]
    with pytest.raises(
        planner.InputError, match=r"must be legal, but 6.1: 10.10 and 10.12 are not adjacent @ after\[0\]"
    ):
        two_stacks().after(["a 10.10-10.12"])


def test_air_units_that_have_given_support_and_enemy_ones_that_may_have_are_remembered() -> None:
    # 6 against 1 is 6:1. Two of defensive air in reach would come, so the overrun of L12 has failed by one of them.
    units = [
        counter("west", "axis", "armor", "6-4", "L11", nationality="germany"),
        counter("east", "axis", "armor", "6-4", "L14", nationality="germany"),
        counter("e12", "allies", "infantry", "1-1", "L12", nationality="russia"),
        counter("e15", "allies", "infantry", "1-1", "L15", nationality="russia"),
        counter("air", "allies", "air", "1-1", "L16", nationality="russia", support_range=6),
    ]
    hexes = "L10 L11 L12 L13 L14 L15 L16"
    scenario = position("a_world_at_war", hexes, "clear", units, phasing="axis", margin="all")
    assert rules(scenario, "east L14xL15") == ["13.531"]  # the air unit may come
    assert rules(scenario.after("west L11!L12"), "east L14xL15") == []  # it has come to L12
    assert rules(scenario.after("west L11!L12"), "west L11xL12") == ["13.531"]  # no second attempt


def test_own_air_that_has_supported_an_overrun_supports_no_other_in_the_phase() -> None:
    """4 against 1 needs 2 of support for 6:1. So the search, too, eliminates one of both enemies, after that no other."""
    units = [
        counter("west", "axis", "armor", "4-4", "L11", nationality="germany"),
        counter("east", "axis", "armor", "4-4", "L14", nationality="germany"),
        counter("wing", "axis", "air", "2-2", "L13", nationality="germany"),
        counter("e12", "allies", "infantry", "1-1", "L12", nationality="russia"),
        counter("e15", "allies", "infantry", "1-1", "L15", nationality="russia"),
    ]
    wanted = [{"terms": [{"kind": "eliminate", "units": [one]} for one in ("e12", "e15")]}]
    scenario = position("a_world_at_war", "L10 L11 L12 L13 L14 L15", "clear", units, phasing="axis", tier=wanted)
    assert rules(scenario, "west L11xL12(wing)") == rules(scenario, "east L14xL15(wing)") == []
    assert rules(scenario, "west L11xL12(wing)", "east L14xL15(wing)") == ["13.53"]
    now = scenario.after("west L11xL12(wing)")
    assert rules(now, "east L14xL15(wing)") == ["13.53"]
    assert rules(now, "east L14xL15") == ["13.52"]
    assert [planner.suggest(one).value for one in (scenario, now)] == [(1,), (1,)]
    found = [planner.reach(one, "east") for one in (scenario, now)]
    assert ["L15" in {one.hex for one in (*each.alone, *each.with_help)} for each in found] == [True, False]


def test_what_has_been_done_is_written_and_read_again(tmp_path: Path) -> None:
    scenario = planner.load("ocs/two_overruns")
    from planner.scenario.next_phase import write_in_progress

    now = scenario.after(["armor+mech 10.10!10.11", "armor+mech 10.10x10.11"])
    file = tmp_path / "now.toml"
    write_in_progress(now, file)
    again = planner.load(file)
    assert again.done.moves == now.done.moves
    assert again.start == now.start
    assert again.start.under_way == now.start.under_way
    assert planner.suggest(again).value == planner.suggest(now).value


def test_a_move_that_is_to_be_part_of_the_plan_has_what_is_left_of_the_ma(tmp_path: Path) -> None:
    """Of its 2 MP, f has spent one: it may be told to go to 03.03, and not on to 03.04."""
    begun = build(Variant("in hand", units=("foot f 03.01 2", "foot g 01.01 1")), tmp_path).after("f 03.01-03.02")
    found = planner.suggest(begun, partial=["f 03.02-03.03"])
    assert (found.status, found.value) == ("optimal", (3, -2))
    assert planner.suggest(begun, partial=["f 03.02-03.03-03.04"]).status == "infeasible"


def test_a_hex_from_which_the_enemy_is_gone_is_entered_as_written_also_in_the_middle_of_the_phase() -> None:
    """Where entering a hex is a combat, `-` and `x` mean the same: e falls to a in 0201, and b follows, either way."""
    unit = {"type": "infantry", "values": "4-4"}
    data = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0101 0201 0301 0401": "clear"}},
        "unit": [
            {**unit, "id": "a", "side": "blue", "at": "0101"},
            {**unit, "id": "b", "side": "blue", "at": "0301"},
            {**unit, "id": "e", "side": "red", "at": "0201", "traits": "demoralized"},
        ],
    }
    position = planner.Position(planner.Scenario.from_dict(data))
    for move in ("a 0101x0201=0:1", "b 0301x0201"):
        position.push(move)
    scenario = planner.Scenario.from_dict(data).after(["a 0101x0201=0:1"])
    for text in ("b 0301x0201", "b 0301-0201"):
        assert planner.check(scenario, text).legal
    with pytest.raises(planner.InputError, match="no enemy can be in 0401: to enter it is no combat"):
        planner.check(scenario, "b 0301x0401")


def test_who_has_retreated_is_fought_where_he_is_by_then_also_as_the_moves_are_written_in_a_file() -> None:
    """Beaten in 0405, both retreat to 0406, the one hex beside it that is no lake and not held; there y meets them."""
    made = ("x 0404x0405=0:2", "y 0407x0406=1:2")
    now = planner.load("classic_hex/no_way_out").after(made)
    again = Scenario.from_dict(now.to_dict())
    assert again.done.lines == [*made]
    assert again.start.at == now.start.at == {"x": "0405", "y": "0406"}
