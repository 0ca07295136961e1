"""Explanations say nothing that `check` refutes, the plain reason first, and what the scenario itself requires."""

from __future__ import annotations

import re
from typing import Any

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.explanation import chances, counterfactuals
from planner.explanation.answer import Change, Remedy
from planner.explanation.explain import explain_destination
from planner.explanation.relaxed_answers import RelaxedAnswers
from planner.limits import Limits
from planner.objective.goals import End
from planner.plans.plan import Move, Plan
from planner.scenario import Scenario, build_scenario


def _two_ends(**changed: Any) -> Scenario:
    """Return a position in which L is to end in 10.12, and R in 10.14, which E's EZOC in 10.13 keeps it from alone."""
    unit = {"side": "axis", "at": "10.10"}
    data: dict[str, Any] = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.10 10.11 10.13 10.14 11.14": "open", "10.12": "hills"}},
        "unit": [
            {**unit, "id": "L", "type": "infantry", "values": "2-2-4"},
            {**unit, "id": "K", "type": "tank", "values": "2-2-8"},
            {**unit, "id": "R", "type": "motorized", "values": "2-2-12"},
            {"id": "E", "side": "allied", "type": "infantry", "values": "9-99-4", "at": "11.14"},
        ],
        "require": [{"kind": "end", "unit": "L", "at": "10.12"}, {"kind": "end", "unit": "R", "at": "10.14"}],
    }
    return build_scenario({**data, **changed}, "two ends")


@pytest.mark.thorough
def test_no_way_is_said_to_be_too_dear_that_check_finds_legal() -> None:
    """By hand: K pays 2 + 2 MP for 10.11 and the hills, L 1 + 2: both get to 10.12. What forbids it is E."""
    scenario = _two_ends()
    assert planner.check(scenario, "K 10.10-10.11-10.12").legal
    assert planner.check(scenario, "L 10.10-10.11-10.12").legal
    found = planner.explain(scenario, require="K to 10.12", time_limit=60)
    assert found.status == "forbidden"
    for one in found.instances:
        if "pay" in one.message:  # where there is little time, other ways stay in the reason: each is too dear indeed
            said = planner.check(scenario, one.claim.plan).violations
            assert any(other.unit == one.unit and other.cost is not None for other in said), one
    assert "R must stop in 10.13: EZOC of E" in [one.message for one in found.instances]


@pytest.mark.thorough
def test_the_answer_says_that_what_the_scenario_requires_was_asked_beside_the_goal() -> None:
    found = planner.explain(_two_ends(), require="K to 10.12", time_limit=60)
    assert found.question == (
        "K ends in 10.12, beside what the scenario requires (L ends in 10.12 and R ends in 10.14)"
    )


@pytest.mark.thorough
def test_without_a_question_a_scenario_explains_what_it_requires() -> None:
    """K, dropped in 10.13, negates the EZOC for R; nobody could be in 11.14, which E holds."""
    assert planner.explain(_two_ends(), time_limit=60).status == "possible"
    held = [{"kind": "end", "unit": "R", "at": "11.14"}]
    found = planner.explain(_two_ends(require=held), time_limit=60)
    assert found.question == "what the scenario requires (R ends in 11.14)"
    assert (found.status, found.help) == ("forbidden", "none")
    both = planner.explain(_two_ends(require=held), require="K to 10.12", time_limit=60)
    assert both.question.endswith("which can't be had even by itself")


def test_without_a_question_a_scenario_that_requires_nothing_says_what_may_be_asked() -> None:
    with pytest.raises(planner.InputError, match="since the scenario requires nothing"):
        planner.explain("dai_senso/manchuria")


def test_a_way_that_cannot_be_paid_is_named_as_the_referee_would_judge_it() -> None:
    """Each way that is named can't be paid indeed: on the board as it is, check says so of the same moves."""
    scenario = planner.load("classic_hex/puzzles/closed_door")
    found = planner.explain(scenario, "x to 0406", time_limit=60)
    [way] = [one for one in found.instances if "pay" in one.message]
    assert way.claim.in_force is None
    said = planner.check(scenario, way.claim.plan).violations
    assert ("x", way.claim.left, way.claim.cost) in [(one.unit, one.left, one.cost) for one in said]


def test_who_is_dropped_on_the_way_is_not_said_to_move_to_the_end() -> None:
    move = Move(("G", "X"), ("10.11", "10.12", "10.13"), drops=((1, "G"),))
    told = str(Remedy((move,), (), Plan((move, Move(("K",), ("10.10", "10.11")))), True))
    assert re.fullmatch(r"if G and X first move to 10\.13 \(G only to 10\.12\)", told)


def test_where_a_unit_can_only_fight_its_way_the_answer_says_how_and_with_which_odds() -> None:
    """By hand: 8 to 4 is 5/12 against, 12 to 4 too; with 7 MP an attempt of 3 may be made twice.

    Alone armor goes through with 1 - (7/12)^2 = 95/144, with mech beside it with 1 - (5/12)^2 = 119/144.
    """
    found = planner.explain("ocs/puzzles/not_for_certain", "armor to 10.11", time_limit=60)
    assert found.status == "forbidden"
    assert [str(one) for one in found.chances] == [
        "armor 10.10x10.11*2: 8 to 4 in 10.11, probability 95/144 (66.0%)",
        "armor+mech 10.10x10.11*2: 12 to 4 in 10.11, probability 119/144 (82.6%)",
    ]
    assert [(one.best, one.helped) for one in found.chances] == [(True, False), (True, True)]
    for one in found.chances:
        verdict = planner.check("ocs/puzzles/not_for_certain", one.plan)
        assert verdict.chance_to_end("armor", ("10.11",)) == one.probability


@pytest.mark.thorough
def test_even_where_nothing_is_proved_in_time_the_answer_says_how_to_attack() -> None:
    """11 to 5 in 0303: a1 and a2 together; what the others do in the middle of the map has no part in it."""
    found = planner.explain("classic_hex/three_battles", "a1 to 0303", time_limit=20)
    assert found.chances
    assert {unit for one in found.chances for move in one.plan.moves for unit in move.units} <= {"a1", "a2"}


def test_an_answer_that_gets_late_while_combats_are_listed_is_an_answer() -> None:
    found = planner.explain("classic_hex/three_battles", "a1 to 0303", time_limit=0.5)
    assert found.status in ("unknown", "forbidden", "with_help")
    assert not found.complete


@pytest.mark.thorough
def test_who_must_be_eliminated_is_not_wished_away() -> None:
    """That inf111 were not there would make nothing possible: it is what the scenario asks for."""
    found = planner.explain("dai_senso/manchuria_hq", time_limit=60)
    assert [str(remedy) for remedy in found.remedies] == ["if harbin_hq were not there"]


@pytest.mark.thorough
def test_of_a_try_it_is_said_once_that_the_mp_run_out() -> None:
    found = planner.explain("ocs/breakthrough", "moto19 to 33.36", time_limit=4)
    paid = [(one.unit, one.move) for one in found.obstacles if "pay" in one.message]
    assert len(paid) == len(set(paid))


class _NoTimeAlone(Limits):
    """Limits that leave no time to look at what a unit can do by itself, and plenty for all else."""

    def part(self, share: float, most: float | None = None) -> Limits:
        return Limits.within(0 if share == 0.3 else 30)


@pytest.mark.parametrize(("unit", "label", "moves"), [("K", "10.10", []), ("K", "10.12", ["K 10.10-10.11-10.12"])])
def test_a_plan_in_which_nobody_else_moves_is_no_help_of_others(unit: str, label: str, moves: list[str]) -> None:
    """Where the time is too short for a unit by itself, what is found with everybody may still be its own doing."""
    scenario = _two_ends(require=[])
    found = explain_destination(scenario, End(kind="end", unit=unit, at=(label,)), _NoTimeAlone())
    assert found.plan is not None
    assert (found.status, found.plan.lines, found.remedies) == ("possible", moves, ())


def _leave_no_time_for_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no time to look for what may be if rolls go well, and plenty for all else."""
    look = chances.chances
    monkeypatch.setattr(chances, "chances", lambda plain, goal, _: look(plain, goal, Limits.within(0)))


@pytest.mark.parametrize("told", [False, True])
def test_what_may_be_if_rolls_go_well_is_not_called_impossible_for_want_of_time(
    told: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """2 against 2: a table decides whether a takes 1011."""
    if not told:
        _leave_no_time_for_chances(monkeypatch)
    data = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"1010 1011": "clear"}},
        "unit": [
            {"id": "a", "side": "blue", "type": "infantry", "values": "2-3", "at": "1010"},
            {"id": "e", "side": "red", "type": "infantry", "values": "2-3", "at": "1011"},
        ],
    }
    scenario = build_scenario(data, "one against one")
    found = explain_destination(scenario, End(kind="end", unit="a", at=("1011",)), Limits())
    assert (found.status, found.chances_known, bool(found.chances)) == ("forbidden", told, told)
    print_explanation(found)
    out = capsys.readouterr().out
    assert "a to 1011: not for certain, proved." in out
    assert "Nothing that other units do makes it certain: proved." in out
    assert "It would be certain" in out
    assert "possible" not in out
    assert ("Whether it may get there if rolls go well isn't known." in out) != told


@pytest.mark.thorough
def test_where_help_makes_it_possible_it_is_known_that_the_unit_may_get_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little time there was to look for rolls that go well."""
    _leave_no_time_for_chances(monkeypatch)
    found = explain_destination(_two_ends(require=[]), End(kind="end", unit="R", at=("10.14",)), Limits())
    assert (found.status, found.chances, found.chances_known) == ("with_help", (), True)


def _walkers(model: str, side: str, hexes: dict[str, str], units: dict[str, tuple[str, str]], **more: Any) -> Scenario:
    data = {
        "format": "planner/scenario-1",
        "model": model,
        "phase": "movement",
        "phasing": side,
        "map": {"hexes": hexes, **more},
        "unit": [
            {"id": unit, "side": side, "type": "infantry", "values": values, "at": at}
            for unit, (values, at) in units.items()
        ],
    }
    return build_scenario(data, "walkers")


def test_where_half_an_mp_is_enough_no_more_is_asked_for() -> None:
    """A road of the system costs half an MP a hex; u has none, and so has v, where both are asked about."""
    road = {"hexsides": {"road": ["10.10 10.11", "10.11 10.12"]}}
    for label, more in (("10.11", "½"), ("10.12", "1")):
        scenario = _walkers("ocs", "axis", {"10.10 10.11 10.12": "open"}, {"u": ("2-2-0", "10.10")}, **road)
        found = planner.explain(scenario, f"u to {label}", time_limit=60)
        assert [str(one) for one in found.remedies] == [f"if u had {more} MP more"], label
    both = _walkers("ocs", "axis", {"10.10 10.11 10.12": "open"}, dict.fromkeys("uv", ("2-2-0", "10.10")), **road)
    found = planner.explain(both, require=["u to 10.11", "v to 10.11"], time_limit=60)
    assert [str(one) for one in found.remedies] == ["if u had ½ MP more and v had ½ MP more"]


def test_beside_other_ground_no_more_mp_are_asked_for_than_are_lacked_there() -> None:
    """A forest costs 2 MP, clear hexes 1: u lacks 1 for it, v lacks 2 for the hex behind it; were it clear, 1."""
    hexes = {"1010 1012": "clear", "1011": "forest"}
    scenario = _walkers("classic_hex", "blue", hexes, {"u": ("2-1", "1010"), "v": ("2-1", "1010")})
    found = planner.explain(scenario, ["v 1010-1011-1012", "u 1010-1011"], time_limit=60)
    assert {str(one) for one in found.remedies} == {
        "if v had 2 MP more and u had 1 MP more",
        "if v had 1 MP more and 1011 were clear",
    }


def test_where_no_attacks_are_made_a_question_about_one_is_told_how_to_ask_for_a_hex() -> None:
    """Nobody overruns, fights or attacks in The Great War; examples of other games help nobody."""
    hint = 'no attacks are declared in this game; ask where a unit can get to: "tank to E6"'
    with pytest.raises(planner.InputError, match=re.escape(hint)):
        planner.explain("great_war/taking_ground", ["tank -> E6 at 5:1"])
    assert planner.explain("great_war/taking_ground", "tank to E6", time_limit=60).kind == "destination"


def test_what_single_things_would_do_isnt_called_settled_for_having_been_left_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A search that proves nothing of more MP leaves it open; that there are no two things to try settles nothing."""
    scenario = _walkers("classic_hex", "blue", {"1010": "clear", "1011": "forest"}, {"u": ("2-1", "1010")})
    asked = RelaxedAnswers.ask

    def ask(self: RelaxedAnswers, *args: Any, **how: Any) -> Any:
        return (None, None) if self.scenario.game.units["u"].ma > 1 else asked(self, *args, **how)

    monkeypatch.setattr(RelaxedAnswers, "ask", ask)
    monkeypatch.setattr(counterfactuals, "candidates", lambda *_: [Change("mp", "u")])
    found = planner.explain(scenario, "u to 1011", time_limit=60)
    assert found.status == "forbidden"
    assert not found.beside_changes.none


def test_where_it_stays_open_whether_less_would_do_beside_something_else_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each lacks 1 MP, as the plan with 6 more of u's shows; whether fewer would do isn't known, and so it isn't said."""
    scenario = _walkers(
        "classic_hex",
        "blue",
        {"1010 1110": "clear", "1011 1111": "forest"},
        {"u": ("2-1", "1010"), "v": ("2-1", "1110")},
    )
    asked = RelaxedAnswers.ask

    def ask(self: RelaxedAnswers, *args: Any, **how: Any) -> Any:
        units = self.scenario.game.units
        return (None, None) if units["v"].ma > 1 and 1 < units["u"].ma < 7 else asked(self, *args, **how)

    monkeypatch.setattr(RelaxedAnswers, "ask", ask)
    monkeypatch.setattr(counterfactuals, "candidates", lambda *_: [Change("mp", "u"), Change("mp", "v")])
    found = planner.explain(scenario, require="u to 1011 and v to 1111", time_limit=60)
    told = [remedy for remedy in found.remedies if not remedy.own]
    assert [(str(one), one.fewest) for one in told] == [("if u had 1 MP more and v had 1 MP more", False)]


@pytest.mark.thorough
def test_a_way_that_must_come_first_is_looked_at_after_a_step_where_the_rule_is_not_in_force() -> None:
    """Carried on from where it didn't begin, u1 opens w3229 and so w3227: what keeps it out is of the reason, too."""
    ports = {"w3122": "clear", "w3227": "clear", "w3229": "rough"}
    hexes = {label: {"terrain": terrain, "traits": ["port"]} for label, terrain in ports.items()}
    us = {"side": "western", "nationality": "us", "steps": 1, "at": "w3228"}
    base = {"type": "detachment", "side": "axis"}
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "western",
        "map": {
            "hexes": {**hexes, "w3128": "clear", "w3228": "all_sea"},
            "zones": {"n": "w3122 w3227 w3229 w3228", "s": "w3122 w3227 w3229"},
        },
        "unit": [
            {**us, "id": "u0", "type": "tank", "ma": 2},
            {**us, "id": "u1", "type": "infantry", "ma": 1, "traits": ["exp"]},
        ],
        "marker": [
            {"id": "ship0", "type": "standard_convoy", "side": "western", "nationality": "us", "zone": "s"},
            {"id": "ship1", "type": "standard_convoy", "side": "western", "nationality": "us", "zone": "s"},
            {"id": "ship2", "type": "standard_convoy", "side": "western", "nationality": "britain", "zone": "n"},
            {**base, "id": "base0", "at": "w3229"},
            {**base, "id": "base1", "at": "w3227"},
            {"type": "beachhead", "side": "western", "at": "w3228", "facing": "w3128"},
        ],
        "control": {"western": "w3122 w3227"},
    }
    found = planner.explain(planner.Scenario.from_dict(data, "by sea"), "u0 to w3227", time_limit=60)
    assert "u1 can't be carried from w3228 to w3229: w3229 is not a friendly port" in repr(found)


def test_who_lacks_the_mp_is_told_so_before_searches_ask_whether_dice_alone_would_keep_it_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where plans may rely on likely results that took ten seconds, and no sentence of the reason was sure any more."""

    def searched(*_: object) -> tuple[None, None]:
        raise AssertionError("no search is needed")

    monkeypatch.setattr(RelaxedAnswers, "_searched", searched)
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "great_war",
            "phase": "movement",
            "phasing": "allied",
            "confidence": "1/2",
            "map": {"hexes": {"D4 E4 F4": "countryside"}},
            "unit": [{"id": "tank", "side": "allied", "type": "early_tank", "at": "F4", "traits": "ordered"}],
        },
        "an early tank",
    )
    monkeypatch.setattr(counterfactuals, "candidates", lambda *_: [])
    [reason] = planner.explain(scenario, "tank to D4", time_limit=None).reasons
    assert [str(one) for one in reason.instances] == ["Tank Movement: tank can't pay for F4-E4-D4 with 1 MP"]
    assert (reason.minimal, reason.confirmed) == (True, True)


def test_whoever_makes_room_stays_on_the_map_if_it_can() -> None:
    """That one of three be eliminated costs no MP; "us1 L10-[force_pool]" came first of what was advised."""
    units = [("us1", "L10"), ("us2", "L10"), ("us3", "M10")]
    kind = {"side": "allies", "nationality": "usa", "type": "infantry", "values": "3-3"}
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "a_world_at_war",
            "phase": "movement",
            "phasing": "allies",
            "map": {"hexes": {"L10 L11 M10": "clear"}, "boxes": {"force_pool": {}}},
            "unit": [{"id": unit, "at": at, **kind} for unit, at in units],
        },
        "a position",
    )
    found = planner.explain(scenario, "us3 to L10")
    assert found.plan is not None
    assert str(found.plan.moves[0]).endswith("L10-L11")
    helped = [one for one in found.remedies if one.own]
    assert {one.moves[0].end for one in helped} == {"L11"}
    assert any(move.end == "force_pool" for one in helped for move in one.elsewhere)
