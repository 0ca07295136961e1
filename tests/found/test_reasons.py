"""Reasons are what a player needs to know: who supports, which base closes a port, why a friend doesn't count."""

from __future__ import annotations

import time
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.cli.text_output import print_verdict
from planner.explanation.answer import Explanation, Instance, Reason
from planner.explanation.relaxation import Scope, relaxed
from planner.limits import Limits
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.team_reach import TeamReach
from planner.scenario import Scenario, build_scenario
from tests.conftest import DEEP

MICRONESIA = Path(__file__).parents[2] / "scenarios/dai_senso/micronesia.toml"


def _build(model: str, phase: str, side: str, **data: Any) -> Scenario:
    given = {"format": "planner/scenario-1", "model": model, "phase": phase, "phasing": side}
    return build_scenario({**given, **data}, "a position")


def _told(found: Explanation) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.paragraph, one.message, one.blame) for one in found.instances]


# -- support from afar


def _under_cover(armor: int = 2) -> Scenario:
    """Return armor with attack 4 each beside e with defense 1, whom an air unit in range supports with 1.

    By hand: two attack at 8 to 1, which is enough for 6:1, and survives support of 8/6 - 1 = 1/3 only.
    """
    german = {"side": "axis", "nationality": "germany", "at": "J10"}
    russian = {"side": "allies", "nationality": "russia"}
    units = [{**german, "id": f"a{number}", "type": "armor", "values": "4-6"} for number in range(armor)]
    units += [
        {**russian, "id": "e", "type": "infantry", "values": "1-3", "at": "J11"},
        {**russian, "id": "air", "type": "air", "values": "1-0", "at": "J13"},
    ]
    hexes = {"J10 J11 J12 J13 I10 I11": "clear"}
    board = {"hexes": hexes, "boxes": {"force_pool": {}}}
    return _build("a_world_at_war", "movement", "axis", map=board, unit=units, margin="all")


@pytest.mark.thorough
def test_an_overrun_that_only_support_prevents_is_explained_by_the_support() -> None:
    """13.531, and air is to blame: the odds are high enough for two; that one alone is too weak is no reason."""
    for question in ({"require": "eliminate e"}, {"moves": "a0 to J11"}):
        found = planner.explain(_under_cover(), **question, time_limit=60)
        assert found.status == "forbidden"
        overruns = [one for one in _told(found) if "overrun" in one[1]]
        assert {(paragraph, blame) for paragraph, _, blame in overruns} == {("13.531", ("air",))}, overruns
        expected = "a0 and a1 can't overrun J11: 8 to 1 would do without air, but must survive support of 1, not just ⅓"
        assert {message for _, message, _ in overruns} == {expected}


def test_among_many_attackers_the_strongest_together_tell_why_an_overrun_fails() -> None:
    found = planner.explain(_under_cover(3), require="eliminate e", time_limit=60)
    overruns = [one for one in _told(found) if "overrun" in one[1]]
    assert {(paragraph, blame) for paragraph, _, blame in overruns} == {("13.531", ("air",))}, overruns


def test_attackers_who_fail_for_the_same_reason_share_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_explanation(planner.explain(_under_cover(3), require="eliminate e", time_limit=60))
    lines = [line for line in capsys.readouterr().out.splitlines() if "13.531" in line]
    assert len(lines) == 1
    assert "a0 and a1 can't overrun" in lines[0]  # who is named needs no "likewise"
    assert lines[0].endswith("; likewise for a2 [air]")


def test_too_low_odds_are_those_of_the_strongest_who_can_attack_together() -> None:
    units = [
        {"side": "axis", "nationality": "germany", "type": "armor", "values": "2-6", "at": "J10", "id": "a0"},
        {"side": "axis", "nationality": "germany", "type": "armor", "values": "2-6", "at": "I10", "id": "a1"},
        {"side": "allies", "nationality": "russia", "type": "infantry", "values": "1-3", "at": "J11", "id": "e"},
    ]
    board = {"hexes": {"J10 J11 J12 J13 I10 I11": "clear"}, "boxes": {"force_pool": {}}}
    scenario = _build("a_world_at_war", "movement", "axis", map=board, unit=units)
    found = planner.explain(scenario, require="eliminate e", time_limit=60)
    assert {message for _, message, _ in _told(found)} == {"a0 and a1 can't overrun J11: 4 to 1 is less than 6:1"}


# -- by sea


def _micronesia(**changed: str) -> Scenario:
    """Return the example of the text, in which units have other values, or aren't there where these are empty."""
    data = tomllib.loads(MICRONESIA.read_text(encoding="utf-8"))
    units = [{**one, "values": changed.get(one["id"], one["values"])} for one in data["unit"]]
    data["unit"] = [one for one in units if one["values"]]
    for key in ("tier", "verdict", "answer"):
        del data[key]
    return build_scenario(data, "micronesia")


@pytest.mark.parametrize("others", [{}, {"inf_majuro": "", "majuro_second": ""}])
def test_the_base_that_closes_a_port_is_the_first_reason_not_to_get_there(others: dict[str, str]) -> None:
    """3.1.2, the text's own example: Majuro is two hexes from Kwajalein; nothing else is in the way from Guadalcanal."""
    found = planner.explain(_micronesia(**others), "inf_guadalcanal to e3515", time_limit=60)
    expected = "inf_guadalcanal can't be carried from e2611 to e3515: "
    expected += "the port is closed by the enemy base in e3513 (2 hexes away)"
    assert _told(found)[0] == ("3.1.2", expected, ("kwajalein",))
    assert "if kwajalein were not there" in [str(remedy) for remedy in found.remedies]


@pytest.mark.thorough
def test_who_cannot_move_at_all_is_not_said_to_lack_a_carrier() -> None:
    """No convoy takes two steps, and Kwajalein is no friendly port, but with MA 0 it doesn't matter."""
    for values in ("0-2-0", "2-2-0"):
        for label in ("e2611", "e3513", "e3408"):
            found = planner.explain(_micronesia(inf_majuro=values), f"inf_majuro to {label}", time_limit=60)
            assert _told(found) == [("3", "inf_majuro may not move: its MA is 0", ())], label


# -- friends in an EZOC


def _contact(**friend: str) -> Scenario:
    """Return u, who passes 10.11 beside the enemy E, and a friend f who stands there."""
    unit = {"side": "axis", "at": "10.10", "type": "motorized", "values": "2-2-8"}
    friend = {**unit, "id": "f", "at": "10.11", "type": "infantry", "values": "2-2-4", **friend}
    enemy = {"id": "E", "side": "allied", "type": "infantry", "values": "9-99-4", "at": "11.12"}
    board = {"hexes": {"10.10 10.11 10.12 10.13 11.12 11.11": "open"}}
    return _build("ocs", "movement", "axis", map=board, unit=[{**unit, "id": "u"}, friend, enemy])


def test_of_a_friend_who_moves_later_it_is_said_that_he_does_not_negate() -> None:
    """4.5b: who is to negate spends no MP later in the phase; if f stays where it is, u goes on."""
    assert planner.check(_contact(), "u 10.10-10.11-10.12").legal
    [broken] = planner.check(_contact(), ["u 10.10-10.11-10.12", "f 10.11-10.10"]).violations
    assert broken.message == "u must stop in 10.11: EZOC of E, which f there doesn't negate: it moves later"


def test_of_a_friend_who_is_no_combat_unit_it_is_said_that_he_does_not_negate() -> None:
    [broken] = planner.check(_contact(type="transport", values="0-0-8"), "u 10.10-10.11-10.12").violations
    assert broken.message == "u must stop in 10.11: EZOC of E, which f there doesn't negate: it is no unit that does"


def _in_mud(weather: str = "snow") -> Scenario:
    """Return two Soviet units beside a Japanese one: u passes w5425, where f stands."""
    russian = {"side": "soviet", "nationality": "russia", "type": "cav_mech", "values": "3-3-4"}
    japanese = {"side": "axis", "nationality": "japan", "type": "infantry", "values": "1-1-1", "at": "w5426"}
    return _build(
        "dai_senso",
        "operational_movement",
        "soviet",
        map={"hexes": {"w5525 w5425 w5426 w5424": "clear"}},
        unit=[
            {**russian, "id": "u", "at": "w5525"},
            {**russian, "id": "f", "at": "w5425"},
            {**japanese, "id": "E"},
        ],
        weather={weather: "w5425"},
    )


def test_where_no_friend_negates_it_is_said_so() -> None:
    """3.1.4: in snow, as in storms and mud, friends don't negate EZOCs; in fair weather f does."""
    told = {one.message for one in planner.check(_in_mud(), "u w5525-w5425-w5424").violations}
    assert "u must stop in w5425: EZOC of E, which f there doesn't negate: nobody does (3.1.4)" in told
    told = {one.message for one in planner.check(_in_mud("mud"), "u w5525-w5425-w5424").violations}
    assert "u may not leave w5425: EZOC of E, which f there doesn't negate: nobody does (3.1.4)" in told


# -- what the solver says as a judge


def test_the_solver_as_a_judge_says_what_the_rule_is_and_what_would_fulfil_it() -> None:
    [broken] = planner.check(_contact(), ["u 10.10-10.11-10.12", "f 10.11-10.10"], solver=True).violations
    assert broken.rule == "6.3b"
    assert broken.message == (
        "u can't move on from 10.11 (E): an enemy zone of control stops, bars or costs a unit that enters or leaves a hex "
        "in it; it would do if E were gone, or if a friend who moves no more were in 10.11"
    )


def test_the_solver_as_a_judge_names_what_is_too_little() -> None:
    for moves, word in ((["a0 J10xJ11"], "odds"), (["a0+a1 J10xJ11"], "margin")):
        [broken] = planner.check(_under_cover(), moves, solver=True).violations
        assert f"({word})" in broken.message, broken.message


def test_where_one_thing_that_is_wrong_hides_another_the_solver_as_a_judge_says_that_there_may_be_more(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In OCS units of two moves, and hexes that are overrun twice, have no form in the model."""
    once, twice = ["f 10.11x11.12"], ["f 10.11x11.12", "u 10.10-10.11x11.12"]
    for moves, whole in ((once, True), (twice, False)):
        verdict = planner.check(_contact(), moves, solver=True)
        assert not verdict.legal
        assert verdict.complete is whole
        print_verdict(verdict)
        assert ("There may be more" in capsys.readouterr().out) is not whole
    assert planner.check(_contact(), twice).complete


def test_the_solver_as_a_judge_tells_what_is_rolled_as_the_referee_does(capsys: pytest.CaptureFixture[str]) -> None:
    """Two attempts fail 25 times in 144; "probability 1" was told in JSON, and nothing in text."""
    scenario = planner.load("ocs/two_overruns")
    moves = ["armor+mech 10.10x10.11*2/armor-10.12"]
    told = []
    for solver in (False, True):
        verdict = planner.check(scenario, moves, solver=solver)
        print_verdict(verdict, by_solver=solver)
        told.append((verdict.to_dict(), capsys.readouterr().out))
    assert told[0] == told[1]
    assert told[1][0]["probability"] == "119/144"
    assert "goes through with probability 119/144" in told[1][1]


def test_of_moves_after_a_combat_nothing_is_said_that_the_referee_does_not_name() -> None:
    """u0 has fought in 0505 and must stop; where e1 is by the time it comes again is no matter of rules any more."""
    scenario = _build(
        "classic_hex",
        "movement",
        "blue",
        map={"hexes": {"0404": "hills", "0405 0505": "clear", "0604": "lake"}},
        unit=[
            {"id": "u0", "side": "blue", "type": "infantry", "at": "0405", "values": "6-1"},
            {"id": "e1", "side": "red", "type": "infantry", "at": "0505", "values": "3-2"},
        ],
    )
    moves = "u0 0405x0505-0404x0505-0604"
    named = {one.message for one in planner.check(scenario, moves).violations}
    assert {one.message for one in planner.explain(scenario, moves, time_limit=60).instances} <= named


# -- how fast the machine is


SLOW = [("great_war/over_the_top", None)] if DEEP else []


@pytest.mark.parametrize("question", [("classic_hex/no_way_out", "x to 0406"), *SLOW])
@pytest.mark.thorough
def test_how_fast_the_machine_is_changes_no_reason(
    question: tuple[str, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as the time doesn't run out: to a clock that runs a thousand times as fast the machine is slow."""
    scenario, moves = question
    asked = {"value": 22} if moves is None else {"moves": moves}
    first = planner.explain(scenario, **asked, time_limit=None)
    running = time.monotonic
    monkeypatch.setattr("planner.limits.time.monotonic", lambda: 1_000 * running())
    second = planner.explain(scenario, **asked, time_limit=None)
    assert _told(second) == _told(first)
    assert [str(one) for one in second.remedies] == [str(one) for one in first.remedies]


@pytest.mark.thorough
def test_a_limit_that_is_asked_for_is_named_with_what_would_be_enough() -> None:
    """The shipped plan, inf to w5425 and plv through it, takes 3 MP: 1 and 2. Within 2 MP inf111 can't be eliminated."""
    found = planner.explain("dai_senso/manchuria", require=["at most 2 MP", "eliminate inf111"], time_limit=60)
    assert found.status == "forbidden"
    [reason] = found.reasons
    assert str(reason.instances[0]) == "at most 2 MP spent, as is asked"
    assert reason.confirmed
    assert "if 3 MP spent were allowed" in map(str, found.remedies)
    [change] = [change for one in found.remedies for change in one.changes if change.kind == "limit"]
    assert change.to_dict()["amount"] == 3
    assert not any("can't pay" in one.message for one in reason.instances)


@pytest.mark.thorough
def test_a_limit_that_isnt_needed_to_forbid_something_is_not_named() -> None:
    """kwantung4 has two steps and can't be overrun whatever is spent."""
    found = planner.explain("dai_senso/manchuria", require=["at most 1 MP", "eliminate kwantung4"], time_limit=60)
    assert found.status == "forbidden"
    assert all(one.paragraph for one in found.instances)
    assert not any(change.kind == "limit" for one in found.remedies for change in one.changes)


@pytest.mark.thorough
def test_what_bars_the_direct_way_comes_before_a_detour_that_is_too_dear() -> None:
    """By hand: plv would go by w5425, where it must stop; by the other side it would be three hexes, and 4 MP."""
    found = planner.explain("dai_senso/manchuria", "plv to w5426", time_limit=60)
    [reason] = found.reasons
    assert reason.instances[0].message == "plv must stop in w5425: EZOC of kwantung4 and inf111"
    assert reason.instances[-1].message.startswith("plv can't pay")


@pytest.mark.thorough
def test_a_unit_that_is_kept_from_many_hexes_is_held_back_by_what_it_pays() -> None:
    """By hand: inf, MA 1, could help only by going far: that it can't pay says so, not every EZOC on its way."""
    found = planner.explain("dai_senso/manchuria", require=["plv not in w5426", "eliminate inf111"], time_limit=60)
    [reason] = found.reasons
    assert reason.confirmed
    assert len(reason.instances) <= 4
    assert not any(one.unit == "inf" and one.paragraph == "3.1" for one in reason.instances)


# -- what is so already


@pytest.mark.parametrize(
    ("moves", "require", "value"),
    [("plv to w5525", (), None), (None, "plv to w5525", None), (None, "at most 0 units", None), (None, (), "0")],
)
def test_of_what_is_so_already_it_is_told_that_nobody_moves(
    moves: str | None, require: str | tuple[str, ...], value: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """The way out of the hex and back into it is a witness, too, but nobody would think of it."""
    found = planner.explain("dai_senso/manchuria", moves, require=require, value=value)
    print_explanation(found)
    assert found.status == "possible"
    assert found.plan is not None
    assert not found.plan.moves
    assert capsys.readouterr().out.endswith("\n  Nobody moves.\n")


def test_what_is_said_of_an_enemy_alone_is_said_once_whoever_would_overrun_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def against(unit: str) -> Instance:
        return Instance("overruns", "3.2", unit, "w2923", ("e",), "e can't be overrun: it has 2 steps")

    reasons = (Reason((against("a"), against("b")), True, True),)
    print_explanation(Explanation("goal", "?", "forbidden", None, reasons))
    assert "  3.2: e can't be overrun: it has 2 steps (w2923) [e]\n" in capsys.readouterr().out


# -- dice by which tanks bog down


def _lone_tank(kind: str, hexes: str) -> Scenario:
    tank = {"id": "tank", "side": "allied", "type": kind, "at": "E4", "traits": "ordered"}
    return _build("great_war", "movement", "allied", map={"hexes": {hexes: "countryside"}}, unit=[tank])


@pytest.mark.parametrize(
    ("kind", "to", "reason"),
    [
        ("early_tank", "E6", "Tank Movement: tank can't pay for E4-E5-E6 with 1 MP"),
        ("mark_iv", "E7", "Tank Movement: tank can't pay for E4-E5-E6-E7 with 2 MP"),
        ("later_tank", "E7", "Tank Bogged Down: tank may bog down in E6: dice decide"),
        ("later_tank", "E8", "Tank Movement: tank can't pay for E4-E5-E6-E7-E8 with 3 MP"),
    ],
)
def test_what_keeps_a_tank_from_a_hex_is_its_mp_or_else_the_dice_on_the_way(kind: str, to: str, reason: str) -> None:
    """They have 1, 2 and 3 MP, countryside costs 1; the later one rolls from its second hex on, so for E6 and for E7."""
    found = planner.explain(_lone_tank(kind, "E4 E5 E6 E7 E8"), f"tank to {to}", time_limit=60)
    assert [str(one) for one in found.instances] == [reason]
    assert (found.status, found.complete) == ("forbidden", True)


def test_a_tank_is_sure_to_get_to_the_first_hex_for_which_it_rolls() -> None:
    """In E6 it may bog down, but is there then."""
    assert planner.explain(_lone_tank("later_tank", "E4 E5 E6"), "tank to E6").status == "possible"


def test_ways_of_a_tank_whose_steps_are_free_are_listed_to_the_end() -> None:
    """Of going to and fro it has nothing but rolls.

    By hand, in a row of three hexes: battles count up to four hexes that a unit has entered, so that its first three steps
    tell ways apart; from then on it comes by each hex once at most.
    """
    scenario = relaxed(_lone_tank("early_tank", "E4 E5 E6"), [Scope("bogging")])
    reach = ConditionalReach(scenario.game, Limits().of_work(2.0))
    ways = [(one.path, one.chance) for one in TeamReach(reach).all_possibilities()]
    assert (("E4", "E5", "E6"), Fraction(25, 36)) in ways
    assert max(len(path) - 1 for path, _ in ways) == 3 + 3
