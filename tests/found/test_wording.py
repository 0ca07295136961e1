"""Messages are sentences: they say what happened, of as many as it happened to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.cli.text_output import print_verdict
from planner.explanation.answer import Explanation, Instance, Reason
from planner.explanation.unnamed import Unnamed
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import build_scenario


def _told(data: dict[str, Any], *moves: str) -> list[str]:
    scenario = build_scenario({"format": "planner/scenario-1", **data}, "a position")
    verdict = Referee(scenario.game).play(Plan.parse("\n".join(moves)), scenario.start)
    return [violation.message for violation in verdict.violations]


def test_several_friends_hold_a_hex() -> None:
    data = {
        "model": "great_war",
        "phase": "movement",
        "phasing": "allied",
        "map": {"hexes": {"E1 E2 E3 D2": "countryside"}},
        "unit": [
            {"id": unit, "side": "allied", "type": "infantry", "at": at, "traits": "ordered"}
            for unit, at in (("a", "E1"), ("b", "E3"), ("c", "D2"))
        ],
    }
    told = _told(data, "a E1-E2", "b E3-E2", "c D2-E2")
    assert "c may not enter E2: it holds a and b" in told


def test_a_combat_is_not_called_an_overrun() -> None:
    data = {
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"1010 1011 1012 1013": "clear"}},
        "unit": [
            {"id": "a", "side": "blue", "type": "infantry", "values": "2-3", "at": "1010"},
            {"id": "b", "side": "blue", "type": "infantry", "values": "2-3", "at": "1010"},
            {"id": "e", "side": "red", "type": "infantry", "values": "2-3", "at": "1011"},
        ],
    }
    told = _told(data, "a 1010x1011", "b 1010-1011-1012")
    assert any(message.startswith("if the combat for 1011 fails, ") for message in told), told
    assert not any("overrun" in message for message in told)


def test_what_is_certain_is_not_told_with_a_probability(capsys: pytest.CaptureFixture[str]) -> None:
    """12 against 4: whatever is rolled e is gone from the hex."""
    print_verdict(planner.check("classic_hex/puzzles/open_door", "x 0404x0405"))
    told = capsys.readouterr().out
    assert "takes the hex for certain; at best, with probability 1/2 (50.0%), e destroyed" in told
    assert "All of it goes through, whatever is rolled; values are averages." in told


def _explained(capsys: pytest.CaptureFixture[str], **question: Any) -> list[str]:
    data = {
        "model": "great_war",
        "phase": "movement",
        "phasing": "allied",
        "map": {"hexes": {"E1": "countryside", "E2": "waterway"}},
        "unit": [{"id": "a", "side": "allied", "type": "infantry", "at": "E1", "traits": "ordered"}],
    }
    scenario = build_scenario({"format": "planner/scenario-1", **data}, "a position")
    print_explanation(planner.explain(scenario, **question, time_limit=60))
    return capsys.readouterr().out.splitlines()


def test_what_no_plan_does_isnt_said_to_be_beyond_the_help_of_others(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a goal all units were asked: there are no others."""
    told = "Nothing that other units do makes it possible: proved."
    assert told in _explained(capsys, moves="a to E2")
    goal = _explained(capsys, require="a to E2")
    assert "impossible, proved" in goal[0]
    assert told not in goal


def test_where_nothing_is_named_no_changes_to_it_are_spoken_of(capsys: pytest.CaptureFixture[str]) -> None:
    told = "None of the changes that were tried, to what is named above, makes it possible."
    most = Instance("", "", None, None, (), "the first tier can't come to more than 2, whatever is done")
    for one, named in ((most, False), (replace(most, hex="E2"), True)):
        reasons, none = (Reason((one,), True, True),), Unnamed(0, True)
        print_explanation(Explanation("value", "value 8", "forbidden", None, reasons, beside_changes=none))
        assert (told in capsys.readouterr().out) == named


def test_what_forbids_two_steps_into_the_same_hex_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    found = _explained(capsys, moves=["a E1-E2-E1-E2"])
    assert found.count("  move 1: Terrain: a can't enter E2: waterway is prohibited") == 1


@pytest.mark.parametrize("told", [True, False])
def test_who_may_get_there_by_luck_alone_needs_help_only_to_be_certain(
    told: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Y, 1 against 2, wins 1011 with 1/6 by itself, also where there was no time to say so; with X it is sure to."""
    unit = {"type": "infantry", "side": "blue", "at": "1010"}
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "classic_hex",
            "phase": "movement",
            "phasing": "blue",
            "map": {"hexes": {"1010 1011 1012": "clear"}},
            "unit": [
                {**unit, "id": "X", "values": "6-3"},
                {**unit, "id": "Y", "values": "1-3"},
                {**unit, "id": "e", "side": "red", "values": "2-3", "at": "1011"},
            ],
        },
        "a position",
    )
    found = planner.explain(scenario, "Y to 1011")
    assert [str(move) for chance in found.chances for move in chance.plan.moves] == ["Y 1010x1011"]
    print_explanation(found if told else replace(found, chances=()))
    text = capsys.readouterr().out
    assert text.startswith("Y to 1011: certain with help only.")
    assert "It would be certain:\n  if e were not there" in text
    assert "possible with help only" not in text


@pytest.mark.parametrize(
    ("scenario", "shown"),
    [
        ("ocs/swamp", "tanks 10.12-10.11"),
        ("classic_hex/three_battles", "a1 0305-0204"),
        ("great_war/second_hex", "tank E4-"),
    ],
)
def test_how_moves_are_written_is_shown_by_a_unit_and_hexes_of_the_position(scenario: str, shown: str) -> None:
    """They were those of Dai Senso, whatever the game."""
    for ask in (planner.check, planner.complete):
        with pytest.raises(planner.InputError) as caught:
            ask(scenario, ["onwards!"])
        assert shown in caught.value.problems[0].what


def test_a_line_of_a_partial_plan_is_shown_by_a_unit_and_a_hex_of_the_position() -> None:
    with pytest.raises(planner.InputError, match=r'"tanks -> 10\.11" is a line of a partial plan'):
        planner.check("ocs/swamp", ["trucks -> 10.11"])


@pytest.mark.parametrize("asked", ["inf to D3", "inf E5-E4-D3"])
def test_where_it_is_by_its_way_that_a_unit_helps_the_way_is_told(asked: str) -> None:
    """A tank takes the wire in E4, wherever it ends: "if tank first moves to F3 or E3" was told, but F3-E3 does nothing."""
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "great_war",
            "phase": "movement",
            "phasing": "allied",
            "map": {"hexes": {"D3 E3 E4 E5 F3": "countryside"}},
            "marker": [{"type": "wire", "side": "central", "at": "E4"}],
            "unit": [
                {"id": "tank", "side": "allied", "type": "mark_iv", "at": "F3", "traits": "ordered"},
                {"id": "inf", "side": "allied", "type": "infantry", "at": "E5", "traits": "ordered"},
            ],
        },
        "wire",
    )
    [found] = [one for one in planner.explain(scenario, asked, time_limit=None).remedies if one.own]
    told = str(found).removeprefix("if tank first moves to ").replace(" or ", ", ").split(", ")
    assert sorted(told) == ["E3 (F3-E4-E3)", "E4 and back"]
    assert not planner.check(scenario, "tank F3-E3; inf E5-E4-D3").legal
