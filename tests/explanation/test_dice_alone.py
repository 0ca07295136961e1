"""Where dice alone spoil what is asked about, nothing else is cited beside them, and nothing is left in doubt."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest

import planner
from planner.explanation.minimal_conflicts import reason_against
from planner.explanation.needs import Aim
from planner.explanation.parse_question import read_goals
from planner.explanation.question import Question
from planner.explanation.relaxation import RelaxationMemory, Scope
from planner.explanation.single_unit_bounds import SingleUnitBounds
from planner.limits import Limits
from planner.scenario import load_scenario
from tests.conftest import long_ones

AROUND = ("E4 E5 E1 E2 E3 D3 D4", "E4 E5 D3 D4 E3 D5")
"""Hexes beside the crater in E6, and others from which it may be come to."""


def field(ground: dict[str, str], **units: tuple[str, str]) -> planner.Scenario:
    """Return a few hexes of the center, by their terrain, and own units there, each with its type and its hex."""
    data = {
        "format": "planner/scenario-1",
        "model": "great_war",
        "phase": "movement",
        "phasing": "allied",
        "orders": {"center": 3},
        "map": {"hexes": {label: {"traits": ["center"], "terrain": terrain} for label, terrain in ground.items()}},
        "unit": [{"id": id, "side": "allied", "type": type_, "at": at} for id, (type_, at) in units.items()],
    }
    return planner.Scenario.from_dict(data, "a field")


def cited(scenario: planner.Scenario, asked: str) -> tuple[set[tuple[str, str | None, str | None]], bool, bool]:
    """Return what forbids a goal: rule, unit and hex; whether that is confirmed; whether all is proved to be needed."""
    reason = reason_against(scenario, Question(tuple(read_goals(scenario, asked))))
    assert reason is not None
    return {(one.rule, one.unit, one.hex) for one in reason.instances}, reason.confirmed, reason.minimal


@pytest.mark.parametrize("hexes", long_ones(["E4 E5 D5", *AROUND], *AROUND))
def test_that_a_tank_may_bog_down_where_it_is_to_end_sound_is_all_that_is_cited(hexes: str) -> None:
    """By hand: in the crater, whatever way it comes; without dice it would simply go there."""
    ground = dict.fromkeys(hexes.split(), "countryside") | {"E6": "shell_crater"}
    scenario = field(ground, tank=("mark_iv", "E4"))
    assert cited(scenario, "tank sound and tank to E6") == ({("bogging", "tank", "E6")}, True, True)


def test_an_overrun_that_is_never_sure_is_needed_also_where_more_is_asked_than_that_its_hex_is_opened() -> None:
    """By hand: if dice decided nothing, B would go through 10.11 with an overrun, on to 10.13."""
    unit = {"side": "axis", "type": "tank", "at": "10.10"}
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.10 10.11 10.12 10.13 11.11": "open"}},
        "unit": [
            {**unit, "id": "A", "values": "6-4-8"},
            {**unit, "id": "B", "values": "4-4-8"},
            {"id": "E", "side": "allied", "type": "infantry", "values": "2-2-4", "at": "10.11"},
        ],
    }
    scenario = planner.Scenario.from_dict(data, "through")
    found = cited(scenario, "eliminate E and B to 10.13")
    assert found == ({("overruns", None, "10.11")}, True, True)


def test_a_sure_way_is_known_beside_one_that_costs_as_much_and_takes_luck() -> None:
    """By hand: where steps are free, the way by D4 and D5 costs what the one through the crater in E5 does: nothing."""
    ground = dict.fromkeys(("E4", "E6", "D4", "D5"), "countryside") | {"E5": "shell_crater"}
    bounds = SingleUnitBounds(field(ground, tank=("mark_iv", "E4")), RelaxationMemory(), Limits())
    bounds.surely = True
    scopes = [Scope("bogging", "tank", frozenset(["E5"]))]
    assert str(next(bounds.legal_moves(scopes, Aim("tank", frozenset(["E6"]))))) == "tank E4-D4-D5-E6"


@pytest.mark.thorough
@pytest.mark.parametrize("where", ["C5", "D4", "D5"])
def test_on_the_whole_battlefield_what_keeps_a_tank_from_being_sure_to_arrive_is_proved_to_be_needed(
    where: str,
) -> None:
    """Each has a sure way round, too long for 3 MP, of which no search knew within half a minute."""
    scenario = load_scenario("great_war/over_the_top")
    found = planner.explain(scenario, f"tank2 to {where}", time_limit=60)
    assert found.status == "forbidden"
    [reason] = found.reasons
    assert reason.confirmed
    assert reason.minimal
    assert {one.rule for one in reason.instances} == {"distance", "bogging"}
    [unpaid] = [one.message for one in reason.instances if one.rule == "distance"]
    assert re.search(r"can't pay for the way round, of \d+ steps, with 3 MP", unpaid)  # some lead through enemies


@pytest.mark.thorough
def test_on_the_whole_battlefield_a_tank_that_rolls_at_the_only_place_is_kept_from_being_sound_by_that_alone() -> None:
    """By hand: a trench and a fortified position in C5, two dice whatever way it comes, and 23 others help nothing."""
    scenario = load_scenario("great_war/over_the_top")
    assert cited(scenario, "tank1 sound and tank1 to C5") == ({("bogging", "tank1", "C5")}, True, True)


@pytest.mark.parametrize("asked", [{"moves": "tank to D5"}, {"require": "tank to D5"}])
def test_that_a_tank_may_bog_down_is_told_where_later_moves_may_rely_on_that_it_does_not(asked: dict[str, str]) -> None:
    """The tank rolls in D4, its second hex, and gets on with 5/6: likely enough to be relied on, but not certain."""
    plain = field(
        dict.fromkeys(("D2", "D3", "D4", "D5", "E2", "E3", "E4"), "countryside"),
        tank=("later_tank", "D2"),
        i=("infantry", "D3"),
    )
    situation = replace(plain.game.situation, confidence=Fraction(1, 2))
    scenario = replace(plain, game=replace(plain.game, situation=situation, _cache={}))
    found = planner.explain(scenario, **asked, time_limit=60)
    assert (found.status, found.complete) == ("forbidden", True)
    assert [one.message for one in found.instances] == ["tank may bog down in D4: dice decide"]
    assert [chance.probability for chance in found.chances] == [Fraction(5, 6)] * ("moves" in asked)
