"""Enemies that no overrun is sure to eliminate."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.explanation.confirmed_overruns import _beaten
from planner.explanation.minimal_conflicts import reason_against
from planner.explanation.parse_question import read_goals
from planner.explanation.question import Question
from planner.explanation.sure_overruns import never_sure
from planner.explanation.too_weak import beyond_the_table, too_weak
from planner.objective.goals import End
from planner.plans.plan import Plan
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.kinds.joint_overrun import JointOverrun
from planner.rules.odds_table import Column
from planner.scenario import Scenario, build_scenario, load_scenario
from tests.instances import instance
from tests.oracles.rulebooks import with_rules
from tests.plain_game import FORCES, JOINT, LIMIT, SHUT, placed, write_model

WEAK = "all together would come to 6 to 10"
ROLLED = "no overrun of 11.06 is sure to go through: dice decide, whatever the odds"


def carpet(*columns: tuple[str, int]) -> Scenario:
    """Return three trucks of strength 2 beside a division of strength 10, under a table of odds and chances in percent."""
    scenario = load_scenario("ocs/carpet")
    table = tuple(Column.model_validate({"odds": odds, "chance": Fraction(chance, 100)}) for odds, chance in columns)
    return with_rules(
        scenario,
        [
            rule.model_copy(update={"results": table}) if isinstance(rule, JointOverrun) and columns else rule
            for rule in scenario.game.rulebook.rules
        ],
    )


@pytest.mark.thorough
def test_where_every_overrun_is_rolled_for_that_is_why_nobody_is_sure_to_be_eliminated() -> None:
    found = planner.explain("ocs/carpet", require="eliminate division1", time_limit=None)
    assert (found.status, found.complete) == ("forbidden", True)
    assert [str(one) for one in found.instances] == [f"8.1: {ROLLED}"]
    assert found.question == "eliminate division1, for certain"


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ([("1:2", 50), ("1:1", 75)], ROLLED),
        (
            [("1:1", 100)],
            f"11.06 can't be overrun: {WEAK}, less than 1:1",
        ),
        (
            [("1:2", 50), ("1:1", 100)],
            f"no overrun of 11.06 is sure to go through: {WEAK}, and dice decide",
        ),
        ([("1:2", 100)], None),
    ],
)
def test_it_is_said_only_where_all_together_are_too_weak_for_a_sure_result(
    columns: list[tuple[str, int]], told: str | None
) -> None:
    scenario = carpet(*columns)
    reason = never_sure(scenario, Question(tuple(read_goals(scenario, "eliminate division1"))))
    assert [one.message for one in reason.instances] == [told] if reason is not None else told is None
    assert reason is None or (reason.confirmed and reason.minimal)


def test_that_no_overrun_is_sure_is_told_where_later_moves_may_rely_on_likely_ones() -> None:
    """Both tanks overrun e at 16 to 1, which goes through 11 times in 12: likely enough to be relied on, but not certain."""
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "ocs",
            "phase": "movement",
            "phasing": "axis",
            "confidence": "3/4",
            "map": {"hexes": {"10.10 10.11 10.12 11.10 11.11 11.12": "open"}},
            "unit": [
                {"id": "tank", "side": "axis", "type": "tank", "values": "8-4-10", "at": "10.10"},
                {"id": "tank2", "side": "axis", "type": "tank", "values": "8-4-10", "at": "10.10"},
                {"id": "e", "side": "allied", "type": "security", "values": "1-1-4", "at": "10.11"},
            ],
        },
        "a likely overrun",
    )
    found = planner.explain(scenario, require="eliminate e", time_limit=60)
    assert (found.status, found.complete) == ("forbidden", True)
    assert [one.message for one in found.instances] == [
        "no overrun of 10.11 is sure to go through: dice decide, whatever the odds"
    ]


def test_who_is_in_the_hex_but_does_not_defend_it_is_not_to_blame() -> None:
    """The infantry alone makes it 4 to 2; of air units nothing counts for the defense of a hex."""
    kind = {"side": "allies", "nationality": "russia", "at": "E5"}
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "a_world_at_war",
            "phase": "movement",
            "phasing": "axis",
            "map": {"hexes": {"E4 E5": "clear"}, "boxes": {"force_pool": {}}},
            "unit": [
                {"id": "tank", "side": "axis", "type": "armor", "nationality": "germany", "values": "4-6", "at": "E4"},
                {"id": "army", "type": "infantry", "values": "2-3", **kind},
                {"id": "fighters", "type": "air", "values": "1-0", "support_range": 3, **kind},
            ],
        },
        "an airfield",
    )
    [rule] = scenario.game.rulebook.of(JointlyOverruns)
    weak = too_weak(scenario.game, rule, "E5")
    assert weak is not None
    assert weak.message.endswith("would come to 4 to 2, less than 6:1")
    assert weak.blame == ("army",)


def test_support_that_the_strongest_overrun_does_not_survive_is_the_reason_with_exact_strengths() -> None:
    """By hand: panzers of 6 and 5 against 1 in L7, which no air unit of theirs reaches; with fighters_1 it would take 12."""
    scenario = load_scenario("a_world_at_war/through_the_line")
    [rule] = scenario.game.rulebook.of(JointlyOverruns)
    told = too_weak(scenario.game, rule, "L7")
    assert told is not None
    assert (str(told), told.blame) == (
        "13.531: L7 can't be overrun: the 2 strongest together, with all support, would come to 11 to 1, "
        "but must survive support of 1 by fighters_1, not just 5/6",
        ("army_11", "fighters_1"),
    )
    assert too_weak(scenario.game, rule, "H6") is None  # panzer_1 does it by itself
    homes = {unit: at for unit, at in scenario.game.homes.items() if unit != "fighters_1"}
    assert too_weak(replace(scenario.game, homes=homes, _cache={}), rule, "L7") is None


def test_who_might_be_overrun_first_supports_nobody_for_sure() -> None:
    """With an army beside them in K9, whoever overruns it eliminates the fighters, too."""
    scenario = load_scenario("a_world_at_war/through_the_line")
    [rule] = scenario.game.rulebook.of(JointlyOverruns)
    homes = {**scenario.game.homes, "army_13": "K9"}
    assert rule.withstanding(scenario.game, "L7") == (("fighters_1",), 1)
    assert rule.withstanding(replace(scenario.game, homes=homes, _cache={}), "L7") == ((), 0)


def test_who_is_nobody_to_be_overrun_is_called_so() -> None:
    found = planner.explain("a_world_at_war/uncommitted_fighters", require="eliminate fighters", time_limit=None)
    assert (found.question, found.status, found.complete) == ("eliminate fighters", "forbidden", True)
    assert [one.message for one in found.instances] == [
        "no overrun eliminates fighters: nobody in L18 is a unit that can be overrun"
    ]


@pytest.mark.thorough
def test_a_unit_is_kept_out_by_what_it_pays_and_an_enemy_whom_no_overrun_eliminates() -> None:
    """By hand: leaving G8 and G9, beside the tanks in H8, costs 2 more; against H8 17 to 2 is too little with fighters_1.

    Of the others' MP only those of luftflotte_3 count: if it might come up to support an overrun, that would be at 19 to 2.
    That this is needed no search proves.
    """
    scenario = load_scenario("a_world_at_war/through_the_line")
    question = Question((End(kind="end", unit="corps_3", at=("H9",)),))
    reason = reason_against(scenario, question)
    assert reason is not None
    assert (reason.confirmed, reason.minimal) == (True, False)
    assert [str(one) for one in reason.instances] == [
        "13.41: corps_3 can't pay for G7-G8-G9-H9 with 3 MP",
        "13.531: H8 can't be overrun: the 2 strongest together, with all support, would come to 17 to 2, "
        "but must survive support of 1 by fighters_1, not just 5/6",
        "13.41: luftflotte_3 has to pay for every step out of its 0 MP",
    ]


@pytest.mark.thorough
def test_mp_alone_are_told_where_nobody_gets_beside_the_enemy_in_the_way() -> None:
    # That overruns need odds, and that air units support them, is needed for nothing: it was told as well.
    found = planner.explain(instance("joint", "12", 0), "u4 to K5", time_limit=60)
    [reason] = found.reasons
    assert reason.confirmed
    assert {one.paragraph for one in reason.instances} == {"13.41"}


@pytest.mark.thorough
def test_a_hex_that_no_overrun_is_sure_to_open_is_told_once_for_all_who_might_hold_it() -> None:
    """By hand: div10 stands in 31.31, and the table of overruns has no result that is sure."""
    found = planner.explain("ocs/breakthrough", require="hold 31.31", time_limit=60)
    assert [one.message for one in found.instances] == [
        "tank16 may not enter 31.31: it holds div10; likewise for all others",
        "no overrun of 31.31 is sure to go through: dice decide, whatever the odds",
    ]
    assert [(reason.minimal, reason.confirmed) for reason in found.reasons] == [(True, True)]
    assert found.complete


@pytest.mark.thorough
def test_of_a_destination_no_number_of_a_move_is_told_that_nobody_has_asked_about(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """tank01 alone is kept from 44.20, where gar2 stands; "move 1:" stood before that."""
    print_explanation(planner.explain("ocs/breakthrough", "tank01 to 44.20", time_limit=30))
    assert "\n  6.3b: tank01 may not enter 44.20: it holds gar2 [gar2]\n" in capsys.readouterr().out


def test_an_air_unit_that_could_come_up_to_support_an_overrun_is_held_back_by_a_reason_of_its_own() -> None:
    """By hand: 3 against 1 is too weak, 3 and 3 in support isn't: in B2, to which it may not go, w would be in range."""
    own = {"side": "axis", "nationality": "germany", "attack": 3}
    enemy = {"side": "allies", "nationality": "russia", "attack": 1}
    data = {
        "format": "planner/scenario-1",
        "model": "a_world_at_war",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"B1 B2 B3": "clear"}, "boxes": {"force_pool": {}}},
        "unit": [
            {**own, "id": "u", "type": "armor", "at": "B2", "defense": 1, "ma": 3},
            {**own, "id": "w", "type": "air", "at": "B1", "defense": 0, "ma": 0, "support_range": 1},
            {**enemy, "id": "e", "type": "infantry", "at": "B3", "defense": 1, "ma": 0},
        ],
    }
    found = planner.explain(build_scenario(data, "out of range"), require="eliminate e", time_limit=60)
    assert found.complete
    assert [str(one) for one in found.instances] == [
        "13.52: u can't overrun B3: 3 to 1 is less than 6:1",
        "13.31: w may not enter B2: air units stage before ground units move",
    ]


def test_what_dice_decide_is_said_not_to_be_had_for_certain_where_mp_are_limited_besides(tmp_path: Path) -> None:
    # 2 to 1 is at 1:1, where e falls in one case of two, for the 1 MP of its hex.
    model = write_model(tmp_path / "model", JOINT + SHUT)
    units = [{"id": "a", "side": "south", "type": "foot", "values": "2-1", "at": "03.01"}]
    units += [{"id": "e", "side": "north", "type": "foot", "values": "1-1", "at": "03.02"}]
    tier, require = [{"terms": [{"kind": "mp_spent"}]}], [{"kind": "mp_spent", "most": 2}]
    position = placed(model, {"03.01 03.02": "plain"}, units, tier=tier, require=require)
    assert planner.explain(position, require="hold 03.02").question.endswith(", for certain")


@pytest.mark.parametrize(("strength", "beyond"), [(1, True), (2, False)])
def test_at_just_the_lowest_odds_of_the_table_dice_decide(tmp_path: Path, strength: int, beyond: bool) -> None:
    """The table begins at 1:1, and e defends with 2."""
    units = [
        {"id": "a", "side": "south", "type": "foot", "at": "03.01", "values": f"{strength}-4"},
        {"id": "e", "side": "north", "type": "foot", "at": "03.02", "values": "2-4"},
    ]
    game = placed(write_model(tmp_path / "any_game", JOINT), {"03.01 03.02": "plain"}, units).game
    [rule] = game.rulebook.of(JointlyOverruns)
    told = too_weak(game, rule, "03.02")
    assert told is not None
    assert (beyond_the_table(game, rule, "03.02"), told.claim.kind == "falls_short") == (beyond, beyond)


@pytest.mark.parametrize("turns", ["", "waiting = {}\n"])
def test_who_has_moved_and_waits_may_overrun_later(tmp_path: Path, turns: str) -> None:
    """A alone is strong enough; once b has moved, a's move is over unless it may wait. Whoever moved last may go on."""
    units = [
        {"id": name, "side": side, "type": "foot", "at": at, "values": values}
        for name, side, at, values in (
            ("a", "south", "03.01", "4-4"),
            ("b", "south", "03.01", "1-4"),
            ("e", "north", "03.04", "4-4"),
        )
    ]
    model = write_model(tmp_path / "any_game", JOINT, turns=turns)
    scenario = placed(model, {"03.01 03.02 03.03 03.04": "plain"}, units)
    for made, over in ((["a 03.01-03.02"], False), (["a 03.01-03.02", "b 03.01-03.02"], not turns)):
        game = scenario.after(made).game
        [rule] = game.rulebook.of(JointlyOverruns)
        assert beyond_the_table(game, rule, "03.04") == over


@pytest.mark.parametrize(("values", "beaten"), [("2", False), ("1", True)])
def test_whom_friends_crowd_isnt_confirmed_to_be_too_weak(values: str, beaten: bool, tmp_path: Path) -> None:
    """By hand: from where g stands, f at 1:1 overruns e for certain once g has gone; f at 1:2 never does."""
    rules = JOINT.replace('chance = "1/2"', "chance = 1") + "size_at_most = 1\n"
    model = write_model(tmp_path / "any_game", rules, FORCES.replace('["strength"', '["attack", "defense"'))
    own = {"side": "south", "type": "foot"}
    units = [
        {**own, "id": "f", "values": f"{values}-2-4", "at": "03.01"},
        {**own, "id": "g", "values": "1-1-4", "at": "03.02"},
        {**own, "id": "e", "side": "north", "values": "1-2-4", "at": "03.03"},
    ]
    scenario = placed(model, {"02.02 03.01 03.02 03.03": "plain"}, units)
    if not beaten:
        assert planner.check(scenario, ["g 03.02-02.02", "f 03.01-03.02x03.03"]).legal
    [rule] = scenario.game.rulebook.of(JointlyOverruns)
    assert _beaten(scenario, rule, ("f",), "03.02", "03.03") == beaten


@pytest.mark.parametrize("asked", ["moves", "require"])
@pytest.mark.parametrize("confidence", ["1", "3/4", "1/2"])
def test_who_may_stay_if_an_overrun_that_is_relied_on_makes_room_is_sure_to(
    asked: str, confidence: str, tmp_path: Path
) -> None:
    """There is room for one of two in 03.01: a leaves it if its overrun goes through, 1/2, and b is there in any case."""
    model = write_model(tmp_path / "game", SHUT + JOINT + LIMIT + "limits = [{ units = 1 }]\n")
    units = [
        {"id": unit, "side": side, "type": "foot", "values": f"1-{ma}", "at": at}
        for unit, side, ma, at in (("a", "south", 1, "03.01"), ("b", "south", 0, "03.01"), ("e", "north", 0, "03.02"))
    ]
    scenario = placed(model, {"03.01 03.02": "plain"}, units, confidence=confidence)
    question: dict[str, Any] = {asked: "b to 03.01"}
    found = planner.explain(scenario, **question, time_limit=20)
    if confidence != "1/2":
        assert (found.status, found.plan) == ("forbidden", None)
        return
    assert (found.status, found.plan) == (
        "with_help" if asked == "moves" else "possible",
        Plan.parse(["a 03.01x03.02"]),
    )


def test_who_bars_an_overrun_is_nobody_to_be_overrun_though_another_in_its_hex_is(tmp_path: Path) -> None:
    """An overrun could eliminate d; e, which is in the hex, too, bars that, and none eliminates it."""
    rule = JOINT.replace("1/2", "1") + 'by = {}\ndefenders = { types = "guard" }\nbystanders = false\n'
    units = [("f", "south", "foot", "01.01"), ("d", "north", "guard", "01.02"), ("e", "north", "scout", "01.02")]
    entries = [{"id": one, "side": side, "type": kind, "values": "4-2", "at": at} for one, side, kind, at in units]
    scenario = placed(write_model(tmp_path / "game", rule + SHUT), {"01.01 01.02 01.03": "plain"}, entries)
    found = planner.explain(scenario, require="eliminate e", time_limit=None)
    assert (found.status, [one.message for one in found.instances]) == (
        "forbidden",
        ["no overrun eliminates e (01.02): it is not a unit that can be overrun"],
    )
