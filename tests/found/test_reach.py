"""Reach tells no hex that no plan reaches, and every one that some plan does."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.cli.text_output import print_reach
from planner.errors import Problem, TooManyOutcomesError
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.reachability.team_reach import TeamReach
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.search.reach_report import Witnesses
from planner.search.reachable import Reachable
from tests.plain_game import LIMIT, OVERRUN, Variant, build, effect


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


@pytest.mark.parametrize(("second", "beyond"), [("6-1", False), ("6-2", True)])
def test_a_hex_that_nobody_else_can_attack_is_the_end_of_the_road(second: str, beyond: bool) -> None:
    """Who has fought moves no further: Y goes on past e only if X, two hexes behind it, has MP enough to have fought there.

    With MA 1 X doesn't come up to e. Every plan is looked at in so small a game; that Y might not come there is known first.
    """
    data = {
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"1009 1010 1011 1012": "clear"}},
        "unit": [
            {"type": "infantry", "id": "X", "side": "blue", "values": second, "at": "1009"},
            {"type": "infantry", "id": "Y", "side": "blue", "values": "6-4", "at": "1010"},
            {"type": "infantry", "id": "e", "side": "red", "values": "2-3", "at": "1011"},
        ],
    }
    scenario = _build("classic_hex", **data)
    assert ("1012" in Witnesses(scenario, Limits()).bound("Y")) is beyond
    found = planner.reach(scenario, "Y")
    assert [entry.hex for entry in found.with_help if entry.hex == "1012"] == ["1012"] * beyond
    assert not found.open


def test_reach_names_the_naval_zones_across_which_a_unit_is_carried() -> None:
    """From Milne Bay to Buna across the Coral Sea, though the plan names no carrier; before, the zones were told, too."""
    found = planner.reach("dai_senso/island_campaign", "brit")
    carried = {entry.hex: entry.zones for entry in found.alone if any(move.carried for move in entry.plan.moves)}
    assert carried
    assert set(carried.values()) == {("coral_sea",)}


@pytest.mark.thorough
def test_what_is_open_when_the_time_runs_out_is_no_farther_than_the_mp_carry() -> None:
    """Infantry of MA 5 reaches 72 of 1,599 hexes; before, all the others were called open as soon as it got late."""
    witnesses = Witnesses(planner.load("ocs/breakthrough"), Limits.within(60.0))
    might = witnesses.bound("infa07")
    found, open_ = witnesses.alone("infa07")
    assert found.keys() <= might
    assert len(might - found.keys()) <= 1
    assert not open_


@pytest.mark.thorough
def test_of_units_that_overrun_together_no_place_is_left_out_beforehand() -> None:
    """tank01 gets behind the front by overruns of a stack; what might be reached has it, and little else."""
    witnesses = Witnesses(planner.load("ocs/breakthrough"), Limits.within(60.0))
    might = witnesses.bound("tank01")
    stack = ("tank01", "moto03")
    ends = {team.ends[0] for team in TeamReach(witnesses._by_itself.reach).possibilities(stack)}
    assert ends
    assert ends - {"14.14"} <= might
    assert len(might) < 400


def test_enemies_who_fall_in_combat_are_not_told_to_be_overrun() -> None:
    fought = Reachable("0303", Fraction(3), ("0304", "0303"), ("e1",), fought=True)
    assert fought.losses == "eliminates e1"
    assert replace(fought, chance=Fraction(1, 2)).losses == "eliminates e1 at best"
    assert replace(fought, fought=False).losses == "overruns e1"
    assert replace(fought, overruns=()).losses == ""


def test_where_the_outcomes_of_combats_are_too_many_to_be_gone_through_hexes_stay_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = Referee.play

    def play(self: Referee, plan: Plan, *args: Any, rolls: bool = True, **kwargs: Any) -> Any:
        if rolls and any(move.end == "1303" for move in plan.moves):
            raise TooManyOutcomesError([Problem("too many outcomes", "moves")])
        return plain(self, plan, *args, rolls=rolls, **kwargs)

    told = planner.reach("classic_hex/three_battles", "c1", alone=True)
    assert not told.open
    monkeypatch.setattr(Referee, "play", play)
    assert planner.reach("classic_hex/three_battles", "c1", alone=True).open == ("1303",)


def test_who_may_retreat_is_eliminated_at_best_though_the_hex_is_sure_to_be_taken() -> None:
    """12 against 4: whatever is rolled e is gone from the hex, but only half of the results destroy it."""
    [there] = [one for one in planner.reach("classic_hex/puzzles/open_door", "x").alone if one.hex == "0405"]
    assert (there.chance, there.losses) == (1, "eliminates e at best")


def test_who_fights_beside_a_unit_is_in_no_overrun() -> None:
    found = planner.reach("classic_hex/three_battles", "a1")
    [there] = [one for one in found.with_help if one.hex == "0303"]
    assert "a2 in the fight for 0303" in [str(one) for one in there.help]


def test_what_has_been_spent_before_is_said_to_be_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """b3 pays half an MP on the road to 0506, and another one back."""
    found = planner.reach("crossroads/start", "b3", alone=True, after="b3 0405-0506")
    assert next(one.mp for one in found.alone if one.hex == "0405") == 1
    print_reach(found, str)
    assert capsys.readouterr().out.startswith("b3 in 0506, MA 4; ½ MP spent before are counted below\n")


@pytest.mark.thorough
def test_stacks_that_find_room_as_things_stand_are_tried_before_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every overrun of a stack in OCS asks for room; since room was taken for help, no stack was ever tried by itself."""
    witnesses = Witnesses(planner.load("ocs/breakthrough"), Limits())
    monkeypatch.setattr(witnesses, "_searched", lambda *_: frozenset())
    found = witnesses.with_help(("moto12", "moto13", "moto14"))
    plans = [plan for hexes, _ in found.values() for plan, _ in hexes.values()]
    assert any(len(move.units) > 1 for plan in plans for move in plan.moves)


def _row(model: str, phasing: str, hexes: str, ground: str, *unit: dict[str, Any]) -> Scenario:
    return _build(model, phase="movement", phasing=phasing, map={"hexes": {hexes: ground}}, unit=list(unit))


def test_a_hex_where_stacking_forbids_to_stay_is_passed_and_not_listed() -> None:
    """Three friends of 3 RE in 10.11: with the tank's 3 there would be 12, and 10 may stay."""
    full = [
        {"id": f"f{n}", "side": "axis", "type": "infantry", "values": "1-1-0", "size": 3, "at": "10.11"}
        for n in range(3)
    ]
    tank = {"id": "tank", "side": "axis", "type": "tank", "values": "4-4-8", "size": 3, "at": "10.10"}
    scenario = _row("ocs", "axis", "10.10 10.11 10.12", "open", tank, *full)
    found = planner.reach(scenario, "tank")
    assert [entry.hex for entry in found.alone] == ["10.12"]
    assert (found.with_help, found.open) == ((), ())
    assert [one.rule for one in planner.check(scenario, "tank 10.10-10.11").violations] == ["4.8"]


def test_hexes_behind_an_overrun_that_is_rolled_come_with_its_probability() -> None:
    """11 in 12 each time, and 8 MP are enough to try twice and go on."""
    tank = {"id": "tank", "side": "axis", "type": "tank", "values": "12-4-8", "at": "10.10"}
    enemy = {"id": "e", "side": "allied", "type": "infantry", "values": "1-1-4", "at": "10.11"}
    scenario = _row("ocs", "axis", "10.10 10.11 10.12 10.13", "open", tank, enemy)
    [played] = planner.check(scenario, "tank 10.10x10.11").moves
    assert [roll.chance for roll in played.rolls] == [Fraction(11, 12)]
    found = planner.reach(scenario, "tank")
    twice = 1 - Fraction(1, 12) ** 2
    assert {entry.hex: entry.chance for entry in found.alone} == dict.fromkeys(["10.11", "10.12", "10.13"], twice)


@pytest.mark.parametrize(("unit", "other"), [("X", "Y"), ("Y", "X")])
def test_an_enemy_whom_two_must_overrun_together_is_cleared_by_both(unit: str, other: str) -> None:
    """3 each against 1: 6 to 1 takes both, and either of them may go on."""
    armor = [
        {"id": name, "side": "axis", "nationality": "germany", "type": "armor", "values": "3-6", "at": "L11"}
        for name in "XY"
    ]
    enemy = {"id": "e", "side": "allies", "nationality": "russia", "type": "infantry", "values": "1-3", "at": "L12"}
    found = planner.reach(_row("a_world_at_war", "axis", "L10 L11 L12 L13", "clear", *armor, enemy), unit)
    assert [entry.hex for entry in found.alone] == ["L10"]
    assert [(entry.hex, [one.by for one in entry.help]) for entry in found.with_help] == [
        ("L12", [(other,)]),
        ("L13", [(other,)]),
    ]


def test_no_help_is_told_of_without_somebody_who_gives_it() -> None:
    """6 to 1: the tank overruns the army by itself, and has no MP left to go on with."""
    tank = {"id": "T", "side": "axis", "nationality": "germany", "type": "armor", "values": "6-2", "at": "L10"}
    army = {"id": "e", "side": "allies", "nationality": "russia", "type": "infantry", "values": "1-3", "at": "L11"}
    found = planner.reach(_row("a_world_at_war", "axis", "L10 L11 L12 L13", "clear", tank, army), "T")
    assert [entry.hex for entry in found.alone] == ["L11"]
    assert (found.with_help, found.open) == ((), ())


def test_without_help_nothing_is_told_of_help() -> None:
    both = planner.reach("dai_senso/manchuria", "plv")
    alone = planner.reach("dai_senso/manchuria", "plv", alone=True)
    assert both.with_help
    assert (alone.alone, alone.with_help, alone.open) == (both.alone, (), ())


@pytest.mark.thorough
def test_explain_says_as_reach_does_that_it_takes_a_friend_who_supports_and_stays() -> None:
    """The fighters keep west from the overrun of L12 unless the fleet supports it; before, that was called possible."""
    scenario = planner.load("a_world_at_war/uncommitted_fighters")
    assert {"L12", "L13", "L14"} == {one.hex for one in planner.reach(scenario, "west").with_help}
    found = planner.explain(scenario, "west to L12")
    [remedy] = found.remedies
    assert (found.status, found.help, str(remedy)) == ("with_help", "found", "if fleet supports the overrun of L12")
    assert planner.check(scenario, remedy.plan).legal
    assert [(one.unit, one.hex) for one in found.obstacles] == [("west", "L12")]
    assert found.left_open == ("what forbids every way without that support, which isn't looked for",)


@pytest.mark.thorough
def test_who_makes_room_is_not_said_to_help_by_what_it_takes_elsewhere() -> None:
    """The tank has to leave E5, wherever it goes; the wire that it eliminates in D4 is on nobody's way but that to C5."""
    found = planner.reach("great_war/over_the_top", "inf1")
    told = {entry.hex: [str(help_) for help_ in entry.help] for entry in found.with_help}
    assert told["E5"] == ["E5 left by tank1"]
    assert told["C5"] == ["wire_D4 eliminated by tank1"]


def test_where_the_time_ends_while_lines_of_supply_are_traced_hexes_stay_open() -> None:
    """Not even who may move is known then."""
    reports = planner.reach_all("dai_senso/puzzles/pocket", time_limit=0)
    assert all(not report.alone and not report.with_help for report in reports)
    [staff] = [report for report in reports if report.unit == "staff"]
    assert staff.open


def test_a_friend_who_must_screen_a_hex_is_not_said_to_make_room_where_it_comes_from() -> None:
    """Through 0302 it could pass anyhow; what it takes is b in 0303, which lets a go on to 0403."""
    unit = {"side": "blue", "type": "infantry", "values": "4-4-4"}
    data = {
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0301 0302 0303 0304 0403": "clear"}},
        "unit": [
            {**unit, "id": "a", "at": "0301"},
            {**unit, "id": "b", "at": "0302"},
            {**unit, "id": "e", "side": "red", "at": "0304"},
        ],
    }
    [entry] = planner.reach(_build("crossroads", **data), "a").with_help
    assert (entry.hex, [str(one) for one in entry.help]) == ("0403", ["b in 0303"])


def test_who_makes_room_for_a_helper_is_said_to_leave_its_hex() -> None:
    """One unit a hex, and three in a row: c makes room for b, and b for a."""
    unit = {"side": "allied", "type": "infantry", "traits": "ordered"}
    data = {
        "phase": "movement",
        "phasing": "allied",
        "map": {"hexes": {"E1 E2 E3 E4": "countryside"}},
        "unit": [{**unit, "id": name, "at": at} for name, at in (("a", "E1"), ("b", "E2"), ("c", "E3"))],
    }
    told = {
        one.hex: [str(help_) for help_ in one.help] for one in planner.reach(_build("great_war", **data), "a").with_help
    }
    assert told["E2"] == ["E3 left by c", "E2 left by b"]


def test_nobody_is_told_to_help_who_can_stay_where_it_is() -> None:
    """Engineers in 0605 do: they screen it, too. b1, who could come there in their place, was told to come as well."""
    found = planner.reach("crossroads/start", "b5")
    [entry] = [entry for entry in found.with_help if entry.hex == "0705"]
    assert [str(one) for one in entry.help] == ["be in 0605"]


def test_whose_support_an_overrun_needs_is_told_to_help_whoever_goes_on_through_the_hex() -> None:
    """The fighters keep west, 9 to 3, from the overrun of L12 unless the fleet supports it."""
    found = planner.reach("a_world_at_war/uncommitted_fighters", "guards")
    assert {str(one) for entry in found.with_help for one in entry.help} == {"left eliminated by west and fleet"}


def test_out_of_an_overfull_hex_as_few_leave_as_need_be() -> None:
    """Of 13 RE 10 may stay in 10.10: two leave beside u0; with them, the overrun of 10.12 is 9:1, not 3:1, and likelier."""
    stack = [
        {"id": f"u{n}", "side": "axis", "type": "infantry", "values": "3-3-4", "size": 1, "at": "10.10"}
        for n in range(13)
    ]
    enemy = {"id": "e", "side": "allied", "type": "infantry", "values": "1-1-2", "at": "10.12"}
    hexes = " ".join(f"{column:02}.{row:02}" for column in (9, 10, 11) for row in range(9, 13))
    found = planner.reach(_row("ocs", "axis", hexes, "open", *stack, enemy), "u0")
    assert (found.alone, found.open) == ((), ())
    assert len(found.with_help) == 11
    for entry in found.with_help:
        assert {len(move.units) for move in entry.plan.moves} == ({3} if entry.hex == "10.12" else {1})
        assert len({unit for move in entry.plan.moves for unit in move.units}) == 3
        assert planner.check(_row("ocs", "axis", hexes, "open", *stack, enemy), entry.plan).legal
    [overrun] = [entry for entry in found.with_help if entry.hex == "10.12"]
    assert overrun.chance == Fraction(11, 12)


ENEMIES = '[[rule]]\nid = "enemies"\nkind = "entry_restriction"\nparagraph = "enemies"\nenemy_units = {}\n'
ENEMIES += "unless_overrun = true\n"
STOPS = effect('on = "enter", does = "stop"')
ONE_AFTER_EACH_MOVE = LIMIT + 'limits = [{ units = 1 }]\nwhen = "move"\n'


@pytest.mark.parametrize(
    ("overruns", "out_of_reach"),
    [
        ("", {"02.02", "03.01"}),
        (OVERRUN.replace("by = {}", 'by = { types = "scout" }'), {"02.02", "03.01"}),
        (OVERRUN.replace("target = {}", "target = { steps_max = 1 }"), {"03.01"}),
    ],
)
def test_who_may_wait_never_comes_where_an_enemy_is_that_nobody_removes(
    overruns: str, out_of_reach: set[str], tmp_path: Path
) -> None:
    """One unit a hex after each move, and nobody to overrun e, or only scouts, or only e: d has two steps."""
    units, enemies = ("foot f 01.01 3", "foot g 01.02 3"), ("foot e 02.02 3", "foot d 03.01 3")
    rules, more = ENEMIES + ONE_AFTER_EACH_MOVE + overruns, {"d": "steps = 2"}
    variant = Variant(
        "waiting", rules, "", units, enemies, ". . .\n" * 3 + "_ _ .\n" * 2, turns="waiting = {}\n", more=more
    )
    scenario = replace(build(variant, tmp_path), tiers=())
    witnesses = Witnesses(scenario, Limits())
    for unit in "fg":
        assert not out_of_reach & witnesses.bound(unit)  # on larger boards it was left open: there not all can be tried
        found = planner.reach(scenario, unit)
        assert not found.open
        assert {"02.02", "03.01"} - {entry.hex for entry in (*found.alone, *found.with_help)} == out_of_reach


def test_who_lets_another_one_pass_an_ezoc_is_told_to_stand_there_though_the_hex_is_taken(tmp_path: Path) -> None:
    """F, with 2 MP, gets to 04.02 by 03.03 alone, where the guard stops it unless g is there."""
    rules = STOPS + '[[rule]]\nid = "capture"\nkind = "capture"\nparagraph = "capture"\n'
    units, control = ("foot f 02.03 2", "foot g 02.02 2"), '[control]\nnorth = "03.03"\n'
    variant = Variant("taken", rules, "", units, ("guard e 04.03 2",), hexsides=control)
    found = planner.reach(replace(build(variant, tmp_path), tiers=()), "f")
    told = {entry.hex: [str(one) for one in entry.help] for entry in found.with_help}
    assert told["04.02"] == ["g in 03.03"]


def test_a_search_lists_for_itself_what_units_can_do_where_they_wait_and_roll() -> None:
    """With the engineer in 12.11 the truck crosses, overruns v, and comes to 14.13; its search took a list without it."""
    unit = {"side": "axis", "type": "motorized", "values": "4-3-12", "at": "10.11"}
    enemy = {"side": "allied", "type": "infantry", "values": "2-2-4"}
    scenario = _build(
        "ocs",
        phase="movement",
        phasing="axis",
        map={
            "origin": "10.13",
            "rows": ". . h . .\n. . m . .\n. . . v .\n. h . . .",
            "hexsides": {
                "minor_river": ["12.10 13.11 12.11 13.12 12.12 13.13"],
                "road": ["10.11 11.11 12.11 13.12 14.11"],
            },
        },
        unit=[
            {**unit, "id": "truck"},
            {**unit, "id": "lorry", "type": "transport"},
            {**unit, "id": "eng", "type": "engineer", "values": "1-1-10", "traits": "bridging", "at": "11.11"},
            {**enemy, "id": "v", "at": "13.12"},
            {**enemy, "id": "h", "at": "12.13"},
        ],
    )
    found, _ = Witnesses(scenario, Limits().of_work(3)).with_help(["truck"])["truck"]
    assert "14.13" in found


def test_whoever_makes_room_stays_on_the_map_if_it_can() -> None:
    """Three are too many in L10. That one of them be eliminated costs no MP; "us1 L10-[force_pool]" was advised."""
    units = [("us1", "L10"), ("us2", "L10"), ("us3", "M10")]
    kind = {"side": "allies", "nationality": "usa", "type": "infantry", "values": "3-3"}
    scenario = _build(
        "a_world_at_war",
        phase="movement",
        phasing="allies",
        map={"hexes": {"L10 L11 M10": "clear"}, "boxes": {"force_pool": {}}},
        unit=[{"id": unit, "at": at, **kind} for unit, at in units],
    )
    [entry] = [one for one in planner.reach(scenario, "us3").with_help if one.hex == "L10"]
    assert str(entry.plan) == "us1 L10-L11\nus3 M10-L10"
