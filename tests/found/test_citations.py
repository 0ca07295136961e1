"""Verdicts cite the paragraph that says so, and blame what is to blame, in both faces of a rule."""

from __future__ import annotations

from typing import Any

import pytest

import planner
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.solver.plan_judge import judge


def _build(model: str, **data: Any) -> Scenario:
    return build_scenario({"format": "planner/scenario-1", "model": model, **data}, "a position")


def _broken(scenario: Scenario, *moves: str) -> list[tuple[str, str | None, str]]:
    """Return the paragraphs that moves break, for which unit and in which hex, having asked both faces."""
    plan = Plan.parse(list(moves))
    verdict = Referee(scenario.game).play(plan, scenario.start)
    assert {one.key for one in judge(scenario, plan)} == {one.key for one in verdict.violations}
    return [(one.rule, one.unit, one.at) for one in verdict.violations]


def _war(**data: Any) -> Scenario:
    board = {"boxes": {"force_pool": {}}, "hexes": {"J10 J11 J12 J13": "clear"}}
    return _build("a_world_at_war", phase="movement", phasing="axis", map=board, **data)


GERMAN = {"side": "axis", "nationality": "germany"}
RUSSIAN = {"side": "allies", "nationality": "russia"}


@pytest.mark.parametrize(
    ("kind", "weather", "expected"),
    [
        ("armor", {"mud": "J11"}, ("13.57", "a", "J11")),
        ("infantry", {}, ("13.51", "a", "J11")),
    ],
)
def test_an_overrun_is_refused_by_the_paragraph_that_says_so(
    kind: str, weather: dict[str, str], expected: tuple[str, str, str]
) -> None:
    """Mud prohibits overruns by 13.57, and only mechanized units make any by 13.51; 12 to 1 is enough in itself."""
    units = [
        {**GERMAN, "id": "a", "type": kind, "values": "12-6", "at": "J10"},
        {**RUSSIAN, "id": "e", "type": "infantry", "values": "1-3", "at": "J11"},
    ]
    scenario = _war(unit=units, weather=weather)
    assert expected in _broken(scenario, "a J10xJ11")
    if weather:
        assert "mud" in str(planner.check(scenario, "a J10xJ11").violations[0])


def test_who_goes_on_after_a_failed_overrun_breaks_what_is_said_of_failed_ones() -> None:
    """13.531, by enemy air in range: 9 to 1 with 1 of support is below 6:1."""
    units = [
        {**GERMAN, "id": "a", "type": "armor", "values": "9-6", "at": "J10"},
        {**RUSSIAN, "id": "e", "type": "infantry", "values": "1-3", "at": "J11"},
        {**RUSSIAN, "id": "air", "type": "air", "values": "1-0", "at": "J13"},
    ]
    scenario = _war(unit=units, margin=0)
    assert _broken(scenario, "a J10!J11") == []
    assert ("13.531", "a", "J10") in _broken(scenario, "a J10!J11", "a J10-J11")


def test_of_waters_that_count_as_one_the_one_that_cannot_be_crossed_is_not_blamed() -> None:
    """OCS 6.2d: on a hexside that is lake and minor river the river counts; what is prohibited is the lake behind it."""
    unit = {"id": "u", "side": "axis", "type": "infantry", "values": "2-2-8", "at": "10.10"}
    both = {"lake_side": ["10.10 10.11"], "minor_river": ["10.10 10.11"]}
    scenario = _build(
        "ocs",
        phase="movement",
        phasing="axis",
        map={"hexes": {"10.10": "open", "10.11": "lake"}, "hexsides": both},
        unit=[unit],
    )
    [message] = [one.message for one in planner.check(scenario, "u 10.10-10.11").violations]
    assert message == "u can't enter 10.11: lake is prohibited"


@pytest.mark.parametrize(("box", "supplied"), [("eastern_europe_box", True), ("far_box", False)])
def test_out_of_supply_counts_in_every_off_map_box_but_one(box: str, supplied: bool) -> None:
    """3.1.1 supplies who leaves the Eastern Europe Box; of other boxes it says nothing."""
    scenario = _build(
        "dai_senso",
        phase="operational_movement",
        phasing="soviet",
        map={"hexes": {"w5411 w5412": "clear"}, "boxes": {box: {"adjacent": ["w5411"]}}},
        unit=[
            {
                **{"id": "u", "side": "soviet", "nationality": "russia", "type": "infantry", "values": "1-1-2"},
                **{"at": box, "supplied": False},
            }
        ],
    )
    broken = {rule for rule, _, _ in _broken(scenario, f"u [{box}]-w5411")}
    assert ("3" not in broken) is supplied


@pytest.mark.parametrize(
    ("moves", "ma", "expected"),
    [("k 10.10x10.11", 2, "6.1c"), ("k 10.10x10.11*2", 2, "6.1c"), ("k 10.10x10.11*2", 5, "6.1a")],
)
def test_the_minimum_move_is_named_where_it_does_not_help_an_overrun(moves: str, ma: int, expected: str) -> None:
    """An attempt costs 3: with 2 MP only 6.1c would allow the hex, and it excepts overruns; with 5 MP a second is 6.1a."""
    units = [
        {"id": "k", "side": "axis", "type": "tank", "values": f"9-9-{ma}", "at": "10.10"},
        {"id": "e", "side": "allied", "type": "infantry", "values": "1-1-4", "at": "10.11"},
    ]
    scenario = _build("ocs", phase="movement", phasing="axis", map={"hexes": {"10.10 10.11": "open"}}, unit=units)
    assert _broken(scenario, moves) == [(expected, "k", "10.11")]
    if ma < 3:
        assert "one hex in any case" in str(planner.check(scenario, moves).violations[0])


def test_an_overrun_without_the_mf_is_refused_by_what_says_that_one_hex_is_no_overrun() -> None:
    """13.411 gives one hex in any case, overruns excepted: 1 for clear terrain and 1 for the overrun are more than 1."""
    units = [
        {**GERMAN, "id": "a", "type": "armor", "values": "12-1", "at": "J10"},
        {**RUSSIAN, "id": "e", "type": "infantry", "values": "1-3", "at": "J11"},
    ]
    assert _broken(_war(unit=units), "a J10xJ11") == [("13.411", "a", "J11")]


def test_who_leaves_the_eastern_europe_box_in_the_reserve_phase_keeps_out_of_ezocs_by_its_paragraph() -> None:
    """The ban is that of 3.1.1, not that of the phase."""
    foot = {"id": "foot", "side": "soviet", "nationality": "russia", "type": "infantry", "values": "3-3-4"}
    enemy = {"id": "e", "side": "axis", "nationality": "japan", "type": "infantry", "values": "3-3-4", "at": "w5412"}
    scenario = _build(
        "dai_senso",
        phase="reserve_movement",
        phasing="soviet",
        map={
            "hexes": {"w5411 w5412": {"terrain": "clear", "area": "russia"}},
            "boxes": {"eastern_europe_box": {"adjacent": ["w5411"]}},
        },
        unit=[{**foot, "at": "eastern_europe_box"}, enemy],
    )
    assert {rule for rule, _, _ in _broken(scenario, "foot [eastern_europe_box]-w5411")} == {"3.1.1"}


def test_a_unit_in_an_off_map_box_may_be_given_up() -> None:
    """13.21 knows no limit to that."""
    unit = {"id": "u", "side": "axis", "nationality": "germany", "type": "infantry", "values": "1-3", "at": "far"}
    boxes = {"force_pool": {}, "far": {"adjacent": ["L10"]}}
    scenario = _build(
        "a_world_at_war", phase="movement", phasing="axis", map={"hexes": {"L10": "clear"}, "boxes": boxes}, unit=[unit]
    )
    assert not _broken(scenario, "u [far]-[force_pool]")
