"""The plain reason comes first, and names what a player has asked about."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.explanation.answer import Explanation
from planner.explanation.confirmed_combats import confirmed
from planner.explanation.direct_ways import is_passable
from planner.explanation.minimal_conflicts import reason_against
from planner.explanation.needs import Aim
from planner.explanation.parse_question import read_destination, read_goals
from planner.explanation.question import Question
from planner.explanation.relaxation import RelaxationMemory
from planner.explanation.relaxed_answers import RelaxedAnswers
from planner.explanation.single_unit_bounds import SingleUnitBounds
from planner.explanation.unnamed import NONE_HELPS
from planner.explanation.without_rules import NO_LUCK, NOT_SURE
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.goals import Eliminate, Hold
from planner.rules.kinds.entry_restriction import EntryRestriction
from planner.scenario import Scenario, build_scenario, load_scenario
from tests.laws.test_claims import is_true
from tests.laws.test_explained_destinations import SYSTEMS
from tests.oracles.positions import draw
from tests.oracles.rulebooks import with_rules
from tests.plain_game import FORCES, OVERRUN, SHUT, Variant, build, effect

NOBODY = "nobody is eliminated while units move: this game has neither overruns nor combats in the middle of moves"


def said(found: Explanation) -> list[str]:
    return [instance.message for instance in found.instances]


def judged(scenario: Scenario, found: Explanation, system: str) -> bool:
    """Tell whether the referee says of each sentence that it is true."""
    return all(
        is_true(scenario, one, system, {}) for reason in found.to_dict()["reasons"] for one in reason["instances"]
    )


def test_where_no_rule_lets_moves_eliminate_anybody_that_is_the_reason() -> None:
    found = planner.explain("great_war/over_the_top", require="eliminate e15", time_limit=60)
    assert (found.status, said(found), found.complete) == ("forbidden", [NOBODY], True)


def test_where_attacks_come_after_the_moves_it_says_how_to_ask_about_them() -> None:
    """By hand: r1 stands in 0706 and r2 in 0708."""
    scenario = load_scenario("crossroads/bridge")
    found = planner.explain(scenario, require="eliminate r1 r2", time_limit=60)
    [sentence] = said(found)
    [question] = re.findall('--require "(.*)" asks', sentence)
    assert sentence.startswith(NOBODY)
    assert question == "empty 0706 with 1/2 and empty 0708 with 1/2"
    assert len(read_goals(scenario, question)) == 2
    # What a value counts is another such question: each of the two counts 1.
    tier = Tier(terms=(Eliminate(kind="eliminate", units=("r1", "r2")),))
    assert planner.explain(replace(scenario, tiers=(tier,)), value="1", time_limit=60).status == "forbidden"


def test_what_nobody_there_is_could_hold_is_not_put_down_to_eliminations() -> None:
    """By hand: none of Blue's eight is mechanized."""
    scenario = load_scenario("crossroads/bridge")
    units = [
        replace(unit, type="infantry") if unit.type == "mechanized" else unit for unit in scenario.game.units.values()
    ]
    game = replace(scenario.game, units={unit.id: unit for unit in units}, _cache={})
    held = Hold.model_validate({"kind": "hold", "hexes": "0506", "by": {"types": "mechanized"}})
    scenario = replace(scenario, game=game, tiers=(), requirements=(held,))
    found = planner.explain(scenario, time_limit=60)
    assert (found.status, said(found)) == ("forbidden", [])


@pytest.mark.parametrize(
    ("scenario", "goals"),
    [
        ("great_war/over_the_top", ["eliminate eg1"]),  # eight infantry units may move
        ("great_war/over_the_top", ["inf2 to D4", "inf2 not in D4"]),
        ("great_war/composed/rifles_in_d1", ["hold D3", "avoid D3"]),
        # Dice decide, whatever the odds.
        pytest.param("ocs/carpet", ["eliminate division1"], marks=pytest.mark.thorough),
    ],
)
def test_what_no_other_position_would_change_leaves_nothing_open(scenario: str, goals: list[str]) -> None:
    found = planner.explain(scenario, require=goals, time_limit=60)
    [reason] = found.reasons
    assert (found.status, len(reason.instances), found.complete) == ("forbidden", 1, True)
    assert (found.remedies, found.beside_changes) == ((), NONE_HELPS)


def test_who_stands_in_the_way_for_certain_is_still_wished_away_where_dice_decide() -> None:
    """By hand: line alone holds 10.11, between 10.10 and 10.12."""
    found = planner.explain("ocs/look_first", "first to 10.12", time_limit=60)
    assert [str(remedy) for remedy in found.remedies] == ["if line were not there"]


def test_enemies_in_a_box_are_not_said_to_be_what_attacks_may_empty() -> None:
    found = planner.explain("crossroads/start", require="eliminate rt1", time_limit=60)
    assert said(found) == [NOBODY]


def test_that_nobody_is_eliminated_confirms_nothing_else_that_is_to_be_had() -> None:
    """By hand: b1 stands in 0405, from where the clear hex 0505 is one step."""
    bounds = SingleUnitBounds(load_scenario("crossroads/bridge"), RelaxationMemory(), Limits())
    within, beyond = ((Aim("b1", frozenset([label])),) for label in ("0505", "1009"))
    assert confirmed(bounds, None, [()], (), Limits())
    assert confirmed(bounds, None, [(), beyond], (), Limits())
    assert not confirmed(bounds, None, [(), within], (), Limits())


@pytest.mark.thorough
def test_who_cannot_pay_is_told_of_the_hex_that_was_asked_about_not_of_one_to_fight_from() -> None:
    """By hand: from 1308 to 1303, where g1 and g2 stand, it is five steps; c5 has 1 MP, and would fight from 1302."""
    scenario = load_scenario("classic_hex/three_battles")
    found = planner.explain(scenario, "c5 to 1303", time_limit=60)
    assert said(found) == ["c5 can't pay for any way from 1308 to 1303 with 1 MP"]
    [claim] = [one.claim for one in found.instances]
    assert (claim.kind, [move.end for move in claim.plan.moves]) == ("out_of_reach", ["1303"])


@pytest.mark.thorough
def test_who_bars_the_direct_way_is_told_before_what_a_way_round_costs() -> None:
    """By hand: inf14 stands in G5 with 2 MP, inf5 in F5 on its way to E6, and every other way goes round the whole line."""
    scenario = load_scenario("great_war/over_the_top")
    found = planner.explain(scenario, "inf14 to E6", time_limit=60)
    first, second = said(found)
    assert first == "inf14 may not enter F5: it holds inf5"
    assert re.fullmatch(r"inf14 can't pay for the way round, .*, with 2 MP", second)
    assert judged(scenario, found, "the great war")


@pytest.mark.thorough
def test_that_many_units_are_kept_out_by_a_table_is_confirmed_however_they_come_there() -> None:
    """The city costs attackers two columns: even in the best that is left it may be drawn that nothing happens."""
    found = planner.explain("classic_hex/three_battles", require="hold 1303", time_limit=60)
    assert said(found) == ["a table decides each combat, and no combats are sure to open 1303"]
    assert [(reason.minimal, reason.confirmed) for reason in found.reasons] == [(True, True)]
    assert found.complete


def test_a_stack_is_told_who_of_it_has_moved_before() -> None:
    """By hand: `second` has come to `first`, and its move is over; `first` hasn't moved yet."""
    now = planner.load("ocs/look_first").after(["second 10.09-10.10"])
    found = planner.explain(now, moves=["first+second 10.10-10.09"], time_limit=60)
    assert [(one.unit, one.message) for one in found.instances] == [
        ("second", "second may not move again: its move is over")
    ]
    assert judged(now, found, "ocs")
    assert all(reason.confirmed for reason in found.reasons)


def test_all_that_one_rule_has_against_a_step_is_said_in_the_order_of_the_referee() -> None:
    """3.2: infantry overruns nobody, and Hailar is rough; both are of the same rule, unit, step and hex."""
    scenario, moves = load_scenario("dai_senso/manchuria"), "inf w5525xw5625"
    wrong = [violation.message for violation in planner.check(scenario, moves).violations]
    found = planner.explain(scenario, moves=moves, time_limit=60)
    assert said(found) == wrong
    assert wrong[0] == "inf is not a unit that can overrun"
    assert len(wrong) == len(set(wrong)) == 2
    assert judged(scenario, found, "dai senso by land")


def test_who_must_stop_since_it_has_fought_is_told_whom_and_goes_on_without_them() -> None:
    """By hand: e alone stands between 0404 and 0406, in a row of four hexes of which a unit may enter three."""
    found = planner.explain("classic_hex/six_against_four", "x to 0406", time_limit=None)
    assert found.status == "forbidden"
    assert [str(one) for one in found.instances] == [
        f"3.3: {unit} must stop in 0405: it has fought e" for unit in ("x", "y")
    ]
    assert [str(one) for one in found.remedies] == ["if e were not there"]


def test_what_forbids_moves_is_told_in_the_order_in_which_it_is_met() -> None:
    """u1 and u3 are cut off, and may not begin; besides, each has MP for one step less."""
    scenario = build_scenario(draw(random.Random("two faces 720001")).data, "drawn")
    found = planner.explain(scenario, ["u1 w2922-w2822-w2922-w2822", "u3 w2722-w2821-w2722"], time_limit=60)
    assert [(one.move, one.paragraph) for one in found.instances] == [(0, "3"), (0, "3.1.1"), (1, "3"), (1, "3.1.1")]


def test_each_sentence_is_put_down_to_the_rule_that_says_it_where_two_of_a_paragraph_forbid_a_step() -> None:
    scenario = load_scenario("dai_senso/manchuria")
    closed = {"kind": "entry_restriction", "paragraph": "9.9", "hexes": {"labels": ["w5425"]}}
    rules = [
        EntryRestriction.model_validate({**closed, "id": name, "because": because})
        for name, because in (("flooded", "it is flooded"), ("mined", "it is mined"))
    ]
    found = planner.explain(with_rules(scenario, [*scenario.game.rulebook.rules, *rules]), "plv w5525-w5425")
    told = [(one.rule, one.message) for one in found.instances if one.paragraph == "9.9"]
    assert told == [
        ("flooded", "plv may not enter w5425: it is flooded"),
        ("mined", "plv may not enter w5425: it is mined"),
    ]


@pytest.mark.thorough
def test_who_is_too_weak_for_any_result_isnt_told_that_he_may_not_move() -> None:
    """By hand: u0 may move, but 3 against 4 and 2 in a forest is at odds for which the table has no result that wins."""
    scenario = SYSTEMS["classic hex"][0](46000121)
    for found in (
        planner.explain(scenario, "u0 to 0504", time_limit=None),
        planner.explain(scenario, require="hold 0504"),
    ):
        assert (found.status, said(found)) == ("forbidden", [NO_LUCK])


def test_results_that_harm_both_sides_may_do_what_the_best_of_each_combat_is_not_enough_for() -> None:
    """By hand: a at 1 to 4 goes back at best; else both are harmed (1/6 each time), and after that e falls to b: 1/36."""
    unit = {"side": "blue", "type": "infantry"}
    data = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0804": "city", "0504": "forest", "0603 0704": "clear"}},
        "unit": [
            {**unit, "id": "b", "at": "0504", "values": "3-3"},
            {**unit, "id": "a", "at": "0603", "values": "3-2", "traits": "demoralized"},
            {"side": "red", "type": "infantry", "id": "e", "at": "0804", "values": "4-2"},
        ],
    }
    found = planner.explain(build_scenario(data, "luck"), "b to 0804")
    assert [chance.probability for chance in found.chances] == [Fraction(1, 36)]
    assert (found.status, said(found)) == ("forbidden", [NOT_SURE])


BARE = "even if nothing were forbidden and nothing cost MP"


@pytest.mark.parametrize(
    ("name", "goals", "told"),
    [
        # An island, to which no steps lead from India; 2 MP have nothing to do with it.
        (
            "dai_senso/quit_india",
            ["indian to w3119", "indian at most 2 MP"],
            f"indian ends in w3119 can't be had, {BARE}: no steps lead there",
        ),
        # It is required that bt1 ends in 0904; b3 is in nobody's way.
        pytest.param(
            "crossroads/puzzles/between_the_forts",
            ["b3 to 0805", "bt1 to 0603"],
            f"bt1 ends in 0603 and bt1 ends in 0904 can't be had together, {BARE}",
            marks=pytest.mark.thorough,
        ),
        # Nobody else is there.
        ("great_war/taking_ground", ["stay tank", "hold E6"], f"tank stays and hold E6 can't be had together, {BARE}"),
    ],
)
def test_of_goals_that_no_rules_are_needed_to_forbid_those_are_named_that_cannot_be_had(
    name: str, goals: list[str], told: str
) -> None:
    found = planner.explain(name, require=goals, time_limit=60)
    assert (found.status, said(found), found.complete) == ("forbidden", [told], True)


@pytest.mark.thorough
def test_where_one_of_several_goals_is_out_of_reach_by_itself_that_one_is_explained() -> None:
    """By hand: north stands in 10.11, and any overrun of it is rolled for: neither unit is sure to get there."""
    found = planner.explain("ocs/puzzles/both_or_nothing", require=["armor to 10.11", "mech to 10.11"], time_limit=60)
    assert said(found) == [
        "armor may not enter 10.11: it holds north",
        "no overrun of 10.11 is sure to go through: dice decide, whatever the odds",
    ]
    assert found.complete


def test_that_no_steps_lead_to_a_hex_that_is_to_be_held_is_said() -> None:
    """D7 and all else round D8 is off the map."""
    found = planner.explain("great_war/puzzles/the_gun_can_wait", require="hold D8", time_limit=20)
    assert [str(one) for one in found.instances] == [f"no steps lead to D8, {BARE}"]
    assert found.complete


def test_who_has_fought_before_is_kept_by_what_has_been_done_not_by_bad_luck() -> None:
    """The unit x has fought, in vain, and moves no further; 0504 is empty, and it would have had the MP to go there."""
    unit = {"side": "blue", "type": "infantry"}
    data = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0404 0405 0406 0504 0505": "clear"}},
        "unit": [
            {**unit, "id": "x", "values": "6-3", "at": "0404"},
            {**unit, "id": "y", "values": "4-3", "at": "0404"},
            {"id": "e", "side": "red", "type": "infantry", "values": "4-1", "at": "0405"},
        ],
    }
    found = planner.explain(planner.Scenario.from_dict(data, "in vain"), "x to 0504", after="x 0404x0405=1:0")
    assert (found.status, said(found)) == ("forbidden", ["x has had to stop in 0404: it has fought e"])


@pytest.mark.parametrize("after", [None, "x 0404x0405=1:0"])
def test_that_somebody_ends_sound_who_has_been_harmed_before_is_impossible_at_once(after: str | None) -> None:
    """Whoever is demoralized stays so for the phase, whether it began so or has fought in vain: no plan need be tried."""
    unit = {"side": "blue", "type": "infantry"}
    data = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0404 0405 0406 0504 0505 0506": "clear"}},
        "unit": [
            {**unit, "id": "x", "values": "6-3", "at": "0404", "traits": [] if after else ["demoralized"]},
            {**unit, "id": "y", "values": "4-3", "at": "0404"},
            {**unit, "id": "z", "values": "2-2", "at": "0504"},
            {"id": "e", "side": "red", "type": "infantry", "values": "4-1", "at": "0405"},
        ],
        "require": [{"kind": "end", "unit": "x", "sound": True}],
    }
    scenario = planner.Scenario.from_dict(data, "harmed")
    found = planner.explain(scenario, after=after)
    assert (found.status, found.complete) == ("forbidden", True)
    assert said(found) == ["x has been harmed before: nobody is sound again in the same phase"]
    changes = [str(change) for remedy in found.remedies for change in remedy.changes]
    assert changes == ([] if after else ["x did not count as demoralized"])
    searched = planner.suggest(scenario, after=after)
    assert (searched.status, searched.how_ruled_out) == ("infeasible", "proved and confirmed")


@pytest.mark.parametrize(
    ("scenario", "goals", "told"),
    [
        ("classic_hex/three_battles", "stay a1 and a1 to 0304", "a1 stays and a1 ends in 0304"),
        ("classic_hex/three_battles", "a1 to 0304 and a1 to 0205", "a1 ends in 0304 and a1 ends in 0205"),
        ("classic_hex/three_battles", "avoid 0305 and stay a1 a2", "avoid 0305 and a1 a2 stay"),
        ("classic_hex/three_battles", "a1 to 0304 and a1 not in 0304", "a1 ends in 0304 and a1 does not end in 0304"),
        ("great_war/over_the_top", "tank1 to D4 and stay tank1", "tank1 ends in D4 and tank1 stays"),
        ("crossroads/bridge", "stay b1 and b1 to 0606", "b1 stays and b1 ends in 0606"),
    ],
)
def test_two_goals_that_leave_a_unit_no_hex_to_end_in_are_named_at_once(scenario: str, goals: str, told: str) -> None:
    """They clash whatever the rules say: however many units there are, nothing is searched for, or left open."""
    found = planner.explain(scenario, require=goals, time_limit=20)
    assert (found.status, found.complete, found.remedies) == ("forbidden", True, ())
    assert said(found) == [f"{told} can't be had together, {BARE}"]


@pytest.mark.parametrize(
    "goals",
    [
        ["stay a1", '{kind = "end", unit = "a1", at = "0304 0305"}'],
        ["stay a1 and avoid 0304 and a1 not in 0304"],
        ['{kind = "end", unit = "a1", at = "0205 0305"}', "a1 not in 0205"],
    ],
)
def test_goals_that_leave_a_unit_one_hex_to_end_in_are_no_contradiction(goals: list[str]) -> None:
    """By hand: a1 stands in 0305, and that is where each lets it end."""
    assert planner.explain("classic_hex/three_battles", require=goals).status == "possible"


@pytest.mark.thorough
def test_one_rule_that_keeps_a_unit_from_where_it_is_to_end_by_way_of_several_hexes_is_told_of_each() -> None:
    """The corps may sail to e2205 itself, or to e2207 and ride on: both ports are the enemy's: e2207 alone was told."""
    found = planner.explain("dai_senso/puzzles/marines_first", "corps to e2205", time_limit=20)
    [reason] = found.reasons
    assert (reason.confirmed, reason.minimal) == (True, True)
    assert [(one.paragraph, one.hex, one.message) for one in reason.instances] == [
        ("3.1.2", label, f"corps can't be carried from e1805 to {label}: {label} is not a friendly port")
        for label in ("e2205", "e2207")
    ]


@pytest.mark.thorough
def test_that_what_units_pay_counts_is_said_once_for_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    """In `classic_hex/three_battles` it was said 21 times, a line each."""
    print_explanation(
        planner.explain("dai_senso/manchuria", require="at most 2 MP and eliminate inf111", time_limit=30)
    )
    told = "inf has to pay for its steps, and what is paid counts; likewise for plv"
    assert f"  3.1.1: {told}\n" in capsys.readouterr().out


def test_an_enemy_whom_no_overrun_eliminates_is_told_as_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Overruns are of guards alone: the train in 02.02 stays whatever is done, and the guard in 03.02 goes."""
    rules = OVERRUN.replace("defenders = {}", 'defenders = { types = "guard" }')
    enemies = ("train t 02.02", "guard e 03.02")
    scenario = build(Variant("spared", rules, units=("foot f 03.01 9",), enemies=enemies), tmp_path)
    assert planner.explain(scenario, require="eliminate e").status == "possible"
    for goals in ("eliminate t", "eliminate e and eliminate t"):
        print_explanation(planner.explain(scenario, require=goals, time_limit=None))
        assert capsys.readouterr().out.splitlines()[1:3] == [
            "Forbidden:",
            "  overrun: no overrun eliminates t (02.02): it is not a unit that can be overrun [t]",
        ]


def test_what_keeps_the_unit_itself_away_is_told_before_more_that_others_lack(tmp_path: Path) -> None:
    """By hand: s comes across the lake by ship alone, which takes its whole MA.

    That it has to stop in 04.01 because nobody else gets there to help, neither by ship nor by land, is enough as well.
    """
    rules = '[[rule]]\nid = "boats"\nkind = "transport"\nparagraph = "boats"\nprocedure = "boat"\n'
    rules += 'embark = [{ traits = "port" }]\ndebark = [{ traits = "port" }]\n' + effect('on = "enter", does = "stop"')
    rules += '[[rule]]\nid = "enemies"\nkind = "entry_restriction"\nparagraph = "enemies"\nenemy_units = {}\n'
    sea = 'hexes."02.01 02.02 04.01" = { traits = ["port"] }\nzones.lake = "02.01 02.02 04.01"\n'
    sea += 'hexes."03.03 03.05" = "lake"\n[control]\nsouth = "02.01 02.02 04.01"\n'
    sea += '[[marker]]\nid = "ship"\ntype = "boat"\nside = "south"\nzone = "lake"\n'
    units = ("foot a 01.01 3", "foot b 01.02 3", "scout s 02.01 3")
    rows, lake = ". . l . .\n" * 2 + "l l l l l\n" * 4, 'terrain.lake = { symbol = "l", prohibited = true }\n'
    board = Variant("lake", rules, lake, units, ("guard k 04.02 1",), rows, sea)
    found = planner.explain(build(board, tmp_path), "s to 05.01", time_limit=None)
    assert {(one.rule, one.unit) for one in found.instances} == {("costs", "s")}
    assert [(reason.minimal, reason.confirmed) for reason in found.reasons] == [(True, True)]


@pytest.mark.parametrize(
    ("label", "told"),
    [("03.02", "s may not enter 03.02: EZOC of e"), ("03.03", "s may not enter 03.03: it holds e")],
)
def test_where_nobody_overruns_in_the_phase_that_is_told_and_not_how_all_are_kept_from_it(
    label: str, told: str, tmp_path: Path
) -> None:
    """Units f and g, who could overrun e by night, would open the way for s, and need no reason of their own by day."""
    night = 'phases = { day = { name = "Day" }, night = { name = "Night" } }'
    forces = FORCES.replace('phases = { day = { name = "Day" } }', night)
    assert night in forces
    rules = OVERRUN + 'phases = "night"\n' + SHUT + effect('on = "enter", does = "forbid", negatable = false')
    units = ("foot f 01.02 4", "foot g 01.03 4", "scout s 01.01 4")
    by_day = Variant("by day", rules, units=units, enemies=("guard e 03.03 4",), forces=forces)
    found = planner.explain(build(by_day, tmp_path), f"s to {label}")
    assert said(found) == [told, "no overruns in this phase"]
    assert all(reason.minimal and reason.confirmed for reason in found.reasons)


@pytest.mark.parametrize(
    ("name", "asked", "told"),
    [
        ("great_war/over_the_top", "inf2 to A9", "inf2 can't pay for any way from F3 to A9 with 2 MP"),
        ("classic_hex/three_battles", "b2 to 0301", "b2 can't pay for any way from 0805 to 0301 with 3 MP"),
        pytest.param(
            "crossroads/game", "bt2 to 0106", "bt2 can't enter now: it is due in turn 2", marks=pytest.mark.thorough
        ),
    ],
)
def test_what_alone_keeps_a_unit_away_is_told_without_a_search(
    name: str, asked: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whatever way: the shortest to 0301, of as many steps as any other, leads through a lake."""
    monkeypatch.setattr(RelaxedAnswers, "_searched", lambda *_: pytest.fail("a search"))
    scenario = load_scenario(name).without_objective()
    reason = reason_against(scenario, Question((read_destination(scenario, asked),)))
    assert reason is not None
    assert (reason.confirmed, reason.minimal) == (True, True)
    assert [one.message for one in reason.instances] == [told]


def test_that_a_table_may_leave_an_enemy_unharmed_is_told_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lake lies beside 0303: no more than a1 and a2 come up together, and no strength is sure to do any harm."""
    monkeypatch.setattr(RelaxedAnswers, "_searched", lambda *_: (None, None))
    scenario = load_scenario("classic_hex/three_battles").without_objective()
    reason = reason_against(scenario, Question(tuple(read_goals(scenario, "eliminate e1"))))
    assert reason is not None
    assert reason.confirmed
    assert reason.instances[0].message.startswith(
        "a table decides each combat: even if all who might come attack together"
    )


def test_the_way_that_is_told_leads_round_a_lake_if_that_is_no_longer() -> None:
    """From 0403 to 0505 by the lake in 0404, or by 0504 in as many steps; to 0405 behind it by three hexes, or the lake."""
    hexes = {"0403 0504 0505 0405": "clear", "0404": "lake"}
    unit = {"id": "u", "side": "blue", "type": "infantry", "values": "1-1-1", "at": "0403"}
    head = {"format": "planner/scenario-1", "model": "crossroads", "phase": "movement", "phasing": "blue"}
    scenario = build_scenario({**head, "map": {"hexes": hexes}, "unit": [unit]}, "a lake")
    bounds = SingleUnitBounds(scenario, RelaxationMemory(), Limits())
    ways = [bounds.straight("u", label) for label in ("0505", "0405")]
    assert list(map(str, ways)) == ["u 0403-0504-0505", "u 0403-0404-0405"]
    assert [is_passable(scenario.game, way.path) for way in ways if way is not None] == [True, False]


@pytest.mark.parametrize("asked", [{"moves": "guns to C2"}, {"require": ["guns to C2", "i1 to D3"]}])
def test_what_keeps_the_unit_itself_away_is_told_before_anybody_else_is_looked_at(
    asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: no guns in a ford. Who lacks an order, and stands in the way, was put together first, in ten seconds."""

    def grown(*_: object) -> None:
        raise AssertionError("a set was grown of what binds everybody")

    monkeypatch.setattr("planner.explanation.minimal_conflicts._Growth._by_units", grown)
    kind = {"side": "allied", "traits": "ordered"}
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "great_war",
            "phase": "movement",
            "phasing": "allied",
            "map": {"hexes": {"D2 E2 E3 D3": "countryside", "C2": "ford"}},
            "unit": [
                {"id": "guns", "type": "field_artillery", "at": "D2", **kind},
                {"id": "i1", "type": "infantry", "at": "E2", **kind},
                {"id": "i2", "type": "infantry", "at": "E3", **kind},
            ],
        },
        "a ford",
    )
    found = planner.explain(scenario, **asked, time_limit=60)
    assert said(found) == ["guns can't enter C2: ford is prohibited"]
    assert [(reason.minimal, reason.confirmed) for reason in found.reasons] == [(True, True)]


@pytest.mark.thorough
def test_what_a_unit_may_not_do_is_told_by_a_way_that_does_not_wander_through_what_else_is_forbidden() -> None:
    """In the relaxed games moresby walks about in the sea before it embarks: then it didn't begin the phase in the port."""
    found = planner.explain("dai_senso/island_campaign", "moresby to e2709")
    [reason] = found.reasons
    assert [one.message for one in reason.instances] == [
        "moresby can't be carried from e2407 to e2709: the port is closed by the enemy base in e2808 (1 hex away)",
        "moresby can't be carried from e2407 to e2808: e2808 is not a friendly port",
    ]


def test_more_moves_than_are_allowed_are_not_put_down_to_that_nobody_overruns_in_the_phase() -> None:
    kind = {"side": "soviet", "type": "cavalry", "nationality": "russia", "values": "2-2-3", "at": "w5521"}
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "dai_senso",
            "phase": "reserve_movement",
            "phasing": "soviet",
            "map": {"hexes": {"w5520 w5521 w5522": "clear"}},
            "unit": [{"id": "a", **kind}, {"id": "b", **kind}],
        },
        "two units",
    )
    found = planner.explain(scenario, require=["a to w5520", "b to w5522", "at most 1 unit"], time_limit=60)
    assert (said(found), found.complete) == (["at most 1 unit moved, as is asked"], True)


def test_goals_that_contradict_each_other_are_not_put_down_to_dice_that_decide_another() -> None:
    """That e goes is never sure; but whatever is rolled, a doesn't end in another hex if it stays."""
    kind = {"side": "axis", "type": "tank", "values": "8-4-10", "at": "10.10"}
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "ocs",
            "phase": "movement",
            "phasing": "axis",
            "map": {"hexes": {"10.10 10.11 10.12 11.11": "open"}},
            "unit": [
                {"id": "a", **kind},
                {"id": "b", **kind},
                {"id": "e", "side": "allied", "type": "security", "values": "1-1-4", "at": "10.11"},
            ],
        },
        "two goals and dice",
    )
    found = planner.explain(scenario, require=["a to 11.11", "stay a", "eliminate e"], time_limit=60)
    assert (said(found), found.complete) == ([f"a ends in 11.11 and a stays can't be had together, {BARE}"], True)
