"""What puzzles claim is settled: every shipped scenario holds, and what is wrong with a puzzle is found and reported."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import tomllib
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from planner.cli.verify import text_of
from planner.limits import Limits
from planner.objective.scoring import score, tier_values
from planner.plans.plan import Plan
from planner.puzzles import answer_check, solutions_check
from planner.puzzles.evidence import Evidence
from planner.puzzles.junit import junit_xml
from planner.puzzles.rule_ids import rule_id
from planner.puzzles.sarif import OWN_RULES, sarif
from planner.puzzles.verification import NOT_REACHED, Check, Verification, exit_code
from planner.puzzles.verify import files_in, verify, verify_file
from planner.referee.referee import Referee
from planner.rules.rulebook_file import load_rulebook, model_folder, shipped_models
from planner.scenario import load_scenario
from planner.scenario.shape import AnswerEntry
from tests.command import invoke, run
from tests.conftest import DEEP

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "scenarios"
NAMES = sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.toml"))
SLOW = {"ocs/breakthrough"}
"""Whose optimum takes more than a few seconds to be proved: `test_scenarios` has it by a plain search."""

LONG = {
    "a_world_at_war/puzzles/through_the_gap",
    "a_world_at_war/through_the_line",
    "classic_hex/puzzles/one_after_the_other",
    "classic_hex/puzzles/open_door",
    "classic_hex/puzzles/strong_enough_for_certain",
    "classic_hex/puzzles/the_second_target",
    "crossroads/bridge",
    "crossroads/puzzles/between_the_forts",
    "crossroads/puzzles/not_all_across",
    "crossroads/puzzles/second_wind",
    "crossroads/start",
    "dai_senso/puzzles/overrun_opens_the_port",
    "dai_senso/puzzles/pocket",
    "dai_senso/puzzles/relief_of_the_guard",
    "dai_senso/puzzles/ring_road",
    "dai_senso/puzzles/room_on_the_beach",
    "dai_senso/puzzles/three_pickets",
    "great_war/over_the_top",
    "great_war/puzzles/tank_first",
    "ocs/carpet",
    "ocs/look_first",
    "ocs/puzzles/as_often_as_it_may",
    "ocs/puzzles/both_or_nothing",
    "ocs/puzzles/one_of_two",
    "ocs/puzzles/try_and_go_home",
}
"""Whose claims take longest to be proved; composed puzzles, many and alike, are verified with them."""

AFTER_YOU = (FOLDER / "dai_senso/puzzles/after_you.toml").read_text(encoding="utf-8")


def changed(tmp_path: Path, *pairs: tuple[str, str], text: str = AFTER_YOU, name: str = "puzzle.toml") -> Path:
    """Write a puzzle in which something has been changed."""
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


def outcomes(found: Verification) -> dict[str, str]:
    return {check.name: check.outcome for check in found.checks if check.kind != "verdict"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.thorough if name in LONG or "/composed/" in name else ())
        for name in NAMES
        if DEEP or name not in SLOW
    ],
)
def test_every_shipped_scenario_holds_with_proof(name: str) -> None:
    found = verify_file(FOLDER / f"{name}.toml", time_limit=120, cooks=1 if "/puzzles/" in name else 0)
    assert found.outcome == "holds", [check for check in found.checks if check.outcome != "holds"]
    assert found.claim is not None
    assert exit_code([found]) == 0


@pytest.mark.parametrize("name", sorted(SLOW))
def test_the_moves_of_an_answer_that_is_proved_elsewhere_are_legal_and_worth_its_value(name: str) -> None:
    scenario = load_scenario(FOLDER / f"{name}.toml")
    assert scenario.answer is not None
    verdict = Referee(scenario.game).play(Plan.parse(scenario.answer.moves), scenario.start)
    assert verdict.legal
    worth = tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict))
    assert worth == tuple(map(Fraction, scenario.answer.value))


def test_a_claim_that_is_too_low_fails_with_the_better_plan(tmp_path: Path) -> None:
    """Two units, 3 MP is the optimum; -24 is claimed."""
    found = verify_file(changed(tmp_path, ("value = [1, -23]", "value = [1, -24]")))
    assert outcomes(found) == {"claim": "fails", "solution": "fails", "unique": "skipped"}
    assert found.claim is not None
    [plan] = found.claim.plans
    scenario = load_scenario(tmp_path / "puzzle.toml")
    verdict = Referee(scenario.game).play(plan, scenario.start)
    assert verdict.legal
    assert tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict)) == (1, -23)
    assert exit_code([found]) == 1


def test_a_claim_that_is_too_high_fails_and_the_optimum_is_told(tmp_path: Path) -> None:
    found = verify_file(changed(tmp_path, ("value = [1, -23]", "value = [2, -23]")))
    assert found.claim is not None
    assert found.claim.outcome == "fails"
    assert "1 / -23" in found.claim.message


def test_a_solution_that_is_cooked_fails_where_it_is_said_to_be_unique_and_the_cook_is_shown(tmp_path: Path) -> None:
    found = verify_file(changed(tmp_path, ("unique = false", "unique = true")))
    assert outcomes(found) == {"claim": "holds", "solution": "holds", "unique": "fails"}
    unique = next(check for check in found.checks if check.kind == "unique")
    [cook] = unique.plans
    assert unique.message.startswith("there is one other solution: ")
    assert str(cook).splitlines() == ["alpha w5324-w5325", "bravo w5324-w5325-w5326"]


def test_a_unique_solution_fails_where_others_are_said_to_exist(tmp_path: Path) -> None:
    text = (FOLDER / "dai_senso/puzzles/two_doors.toml").read_text(encoding="utf-8")
    found = verify_file(changed(tmp_path, ("unique = true", "unique = false"), text=text))
    assert outcomes(found)["unique"] == "fails"


def test_an_illegal_solution_names_the_rule_that_it_breaks(tmp_path: Path) -> None:
    answer = AFTER_YOU.index("[answer]")
    text = AFTER_YOU[:answer] + AFTER_YOU[answer:].replace('"bravo w5324-w5323", "alpha', '"alpha')
    found = verify_file(changed(tmp_path, text=text))
    solution = next(check for check in found.checks if check.kind == "solution")
    assert solution.outcome == "fails"
    assert [violation.rule for violation in solution.violations] == ["3.1"]
    assert solution.rules[0].startswith("dai_senso/")
    assert solution.line == text[:answer].count("\n") + 1


HINTS = """
[[answer.hints]]
moves = ["bravo -> w5323"]

[[answer.hints]]
moves = ["alpha -> w5325", "bravo -> w5326"]

[[answer.hints]]
moves = ["alpha -> w5326"]

[[answer.hints]]
moves = ["alpha w5324-w5323-w5322", "bravo stays"]
"""


def test_a_hint_holds_if_some_solution_does_what_it_says(tmp_path: Path) -> None:
    """The first is that of the solution, the second that of the other one; the third can't be had, the fourth is illegal."""
    found = verify_file(changed(tmp_path, text=AFTER_YOU + HINTS))
    told = outcomes(found)
    assert [told[f"hint {number}"] for number in range(1, 5)] == ["holds", "holds", "fails", "fails"]
    last = found.checks[-1]
    assert [violation.rule for violation in last.violations] == ["3.1"]
    assert last.line == (AFTER_YOU + HINTS).splitlines().index('moves = ["alpha w5324-w5323-w5322", "bravo stays"]')


@pytest.mark.parametrize("claimed", ["-24", "-22"])
def test_hints_are_judged_by_what_is_proved_where_the_claim_is_false(tmp_path: Path, claimed: str) -> None:
    """The optimum is -23; whether too little or too much is claimed, the same hints lead to it, and the same don't."""
    file = changed(tmp_path, ("value = [1, -23]", f"value = [1, {claimed}]"), text=AFTER_YOU + HINTS)
    told = outcomes(verify_file(file))
    assert told["claim"] == "fails"
    assert [told[f"hint {number}"] for number in range(1, 5)] == ["holds", "holds", "fails", "fails"]


def without_answer(name: str, answer: str) -> str:
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    return text[: text.index("[answer]")] + answer


NO_WAY = """[answer]
question = "{}"

[[answer.hints]]
moves = ["alpha -> w5323"]

[[answer.hints]]
moves = ["alpha w5324-w5323-w5322", "bravo stays"]
"""


@pytest.mark.parametrize(("question", "first"), [("reach", "skipped"), ("impossible", "holds")])
def test_where_there_is_no_answer_hints_are_judged_for_legality_alone(
    tmp_path: Path, question: str, first: str
) -> None:
    """Both exits at once can't be had. alpha may go to w5323, where it has to stop."""
    text = without_answer("dai_senso/puzzles/after_you_both", NO_WAY.format(question))
    told = outcomes(verify_file(changed(tmp_path, text=text)))
    assert told == {"claim": told["claim"], "hint 1": first, "hint 2": "fails"} | (
        {"unique": "skipped"} if question == "reach" else {}
    )
    assert told["claim"] == ("fails" if question == "reach" else "holds")


def test_what_the_answer_is_must_be_known_before_a_legal_hint_is_said_to_lead_to_it(tmp_path: Path) -> None:
    """There is no time to search; the author's own moves show that the first hint is legal, and the last one isn't."""
    told = outcomes(verify_file(changed(tmp_path, text=AFTER_YOU + HINTS), time_limit=0))
    assert [told[name] for name in ("claim", "hint 1", "unique")] == ["unknown", "unknown", "skipped"]


OUT_TO_THE_WEST = (FOLDER / "dai_senso/puzzles/out_to_the_west.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("seconds", [0, None])
def test_a_length_that_the_author_s_own_solution_beats_fails_with_it(tmp_path: Path, seconds: float | None) -> None:
    """Two units are enough, as the solution shows, whether or not a search has the time to find that."""
    file = changed(tmp_path, ("length = 2", "length = 3"), text=OUT_TO_THE_WEST)
    found = verify_file(file, time_limit=seconds)
    claim = found.claim
    assert claim is not None
    assert claim.outcome == "fails"
    assert "2 units that move, where 3 units that move are claimed" in claim.message
    assert [str(plan).splitlines() for plan in claim.plans] == [
        ["bravo w5324-w5323", "alpha w5324-w5323-w5322"],
    ]


def test_a_best_value_that_the_author_s_own_solution_beats_fails_without_a_search(tmp_path: Path) -> None:
    found = verify_file(changed(tmp_path, ("value = [1, -23]", "value = [1, -24]")), time_limit=0)
    assert outcomes(found) == {"claim": "fails", "solution": "fails", "unique": "skipped"}


def test_what_is_said_to_be_impossible_and_is_not_fails_with_the_plan_that_does_it(tmp_path: Path) -> None:
    text = without_answer("dai_senso/puzzles/out_to_the_west", '[answer]\nquestion = "impossible"\ngoal = [1]\n')
    found = verify_file(changed(tmp_path, text=text))
    claim = found.claim
    assert claim is not None
    assert claim.outcome == "fails"
    [plan] = claim.plans
    # By hand: alpha can't pass w5323 unless a friend stands there, and bravo is the only one who can.
    assert str(plan).splitlines() == ["bravo w5324-w5323", "alpha w5324-w5323-w5322"]
    assert str(plan) in text_of(found).replace("    ", "")
    assert [result["message"]["text"] for result in sarif([found])["runs"][0]["results"]] == [
        "claim: the goal can be reached, as this plan shows\nbravo w5324-w5323; alpha w5324-w5323-w5322"
    ]
    [failure] = ElementTree.fromstring(junit_xml([found])).iter("failure")
    assert failure.text == str(plan)


def test_where_a_goal_is_reached_without_a_solution_of_the_author_s_the_plan_is_shown(tmp_path: Path) -> None:
    text = without_answer("dai_senso/puzzles/out_to_the_west", '[answer]\nquestion = "reach"\ngoal = [1]\n')
    found = verify_file(changed(tmp_path, text=text), cooks=0)
    assert found.outcome == "holds"
    assert "    alpha w5324-w5323-w5322\n" in text_of(found)


def test_a_solution_that_says_what_is_rolled_fails(tmp_path: Path) -> None:
    """Together they get the hex with 2/3; who says that 0:2 is drawn would have it for certain."""
    text = (FOLDER / "classic_hex" / "six_against_four.toml").read_text(encoding="utf-8")
    answer = (
        '[answer]\nvalue = ["2/3"]\nmoves = ["x+y 0404x0405"]',
        '[answer]\nvalue = [1]\nmoves = ["x+y 0404x0405=0:2"]',
    )
    found = verify_file(changed(tmp_path, answer, text=text))
    assert found.fault is None
    assert outcomes(found)["claim"] == outcomes(found)["solution"] == "fails"
    told = "the solution is legal, but it says what is rolled, which nobody can choose: x+y 0404x0405=0:2"
    assert told in [check.message for check in found.checks]


def test_uniqueness_that_rests_on_a_false_claim_is_skipped_in_junit(tmp_path: Path) -> None:
    found = verify_file(changed(tmp_path, ("value = [1, -23]", "value = [1, -24]")))
    [suite] = ElementTree.fromstring(junit_xml([found]))
    assert (suite.get("failures"), suite.get("errors"), suite.get("skipped")) == ("2", "0", "1")
    [case] = [case for case in suite if case.find("skipped") is not None]
    assert case.get("name") == "unique"


@pytest.mark.thorough
def test_why_uniqueness_is_open_is_said() -> None:
    """On this map three battles far from each other can be prepared in more orders than can be gone through."""
    found = verify_file(FOLDER / "classic_hex" / "three_battles.toml", cooks=1)
    unique = next(check for check in found.checks if check.kind == "unique")
    assert unique.outcome == "noted"
    assert unique.message.endswith("plans are looked at one by one here, and there are too many of them")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_leaves_a_report_of_what_was_not_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is pressed when the first claim of the second of three files is about to be settled."""
    for name in ("a", "b", "c"):
        changed(tmp_path, text=AFTER_YOU + HINTS, name=f"{name}.toml")
    real = answer_check.settled

    def settled(evidence: Evidence, *given: Any) -> Any:
        if evidence.scenario.where.endswith("b.toml"):
            os.kill(os.getpid(), signal.SIGINT)
        return real(evidence, *given)

    monkeypatch.setattr(answer_check, "settled", settled)
    junit, log = tmp_path / "a.xml", tmp_path / "a.sarif"
    done = invoke("verify", str(tmp_path), "--json", "--junit", str(junit), "--sarif", str(log))
    assert done.exit_code == 130
    answer = json.loads(done.output)
    assert answer["exit_code"] == 130
    assert [one["outcome"] for one in answer["files"]] == ["fails", "unknown", "not reached"]
    assert [one["interrupted"] for one in answer["files"]] == [False, True, True]
    stopped = {one["name"]: one["outcome"] for one in answer["files"][1]["checks"]}
    assert stopped["claim"] == "unknown"
    assert [stopped[name] for name in ("unique", "hint 1", "hint 4")] == ["skipped"] * 3
    suites = {Path(suite.get("name", "")).stem: suite for suite in ElementTree.parse(junit).getroot()}
    assert [suites[name].get("skipped") for name in "abc"] == ["0", "5", "1"]
    [ran] = json.loads(log.read_text(encoding="utf-8"))["runs"]
    assert ran["invocations"] == [{"executionSuccessful": False}]
    unreached = [result["message"]["text"] for result in ran["results"] if result["ruleId"] == "puzzle/skipped"]
    assert unreached == [f"{name}: {NOT_REACHED}" for name in ("unique", "hint 1", "hint 2", "hint 3", "hint 4")] + [
        NOT_REACHED
    ]


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_is_told_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [str(changed(tmp_path, name=f"{name}.toml")) for name in ("a", "b", "c")]

    def unique(*_: object) -> Check:
        os.kill(os.getpid(), signal.SIGINT)
        return Check("unique", "unique", "unknown", "in the middle of it")

    monkeypatch.setattr(solutions_check, "unique", unique)
    done = invoke("verify", *files)
    assert done.exit_code == 130
    assert f"{files[0]}: unknown (" in done.output
    assert f"{files[1]}: not reached\n{files[2]}: not reached\n" in done.output
    assert done.output.endswith("3 files: 1 unknown, 2 not reached.\n")


def test_an_interrupt_while_cooks_are_looked_for_that_nobody_asked_about_is_one_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything that is claimed holds, but not all was looked at."""
    stop, real = threading.Event(), Evidence.solutions

    def solutions(self: Evidence, *given: Any) -> Any:
        stop.set()
        return real(self, *given)

    monkeypatch.setattr(Evidence, "solutions", solutions)
    found = verify_file(changed(tmp_path, ("unique = false\n", "")), limits=Limits.within(None, stop=stop))
    assert outcomes(found) == {"claim": "holds", "solution": "holds", "unique": "noted"}
    assert found.checks[-1].message.endswith("it was interrupted")
    assert (found.outcome, found.interrupted, exit_code([found])) == ("holds", True, 130)


def test_an_interrupt_that_comes_when_everything_is_settled_changes_nothing(tmp_path: Path) -> None:
    stop = threading.Event()
    found = []
    for one in verify([changed(tmp_path)], limits=Limits.within(None, stop=stop)):
        stop.set()
        found.append(one)
    assert [one.interrupted for one in found] == [False]
    assert exit_code(found) == 0


def test_a_verdict_that_does_not_come_out_as_stated_fails(tmp_path: Path) -> None:
    legal = 'moves = ["bravo w5324-w5323", "alpha w5324-w5323-w5322"]\nlegal = '
    found = verify_file(changed(tmp_path, (f"{legal}true", f"{legal}false")))
    assert [check.name for check in found.checks if check.outcome == "fails"] == ["verdict 1"]
    other = verify_file(changed(tmp_path, ('blame = ["westpost"]', 'blame = ["eastpost"]')))
    assert [check.name for check in other.checks if check.outcome == "fails"] == ["verdict 3"]


def test_dice_that_are_not_rolled_as_stated_fail(tmp_path: Path) -> None:
    text = (FOLDER / "great_war/first_hex_early.toml").read_text(encoding="utf-8")
    stated = re.search(r"dice = \[(\d+)", text)
    assert stated is not None
    more = f"dice = [{int(stated[1]) + 1}"
    found = verify_file(changed(tmp_path, (stated[0], more), text=text), cooks=0)
    assert [check.name for check in found.checks if check.outcome == "fails"] == ["verdict 1"]


def test_what_takes_too_long_is_unknown_and_exits_with_3(tmp_path: Path) -> None:
    found = verify_file(changed(tmp_path), time_limit=0)
    assert outcomes(found)["claim"] == "unknown"
    assert exit_code([found]) == 3


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ((("value = [1, -23]", 'value = [1, "x"]'),), "answer.value[1]"),
        ((("value = [1, -23]", "value = [1]"),), "for each of the 2 tiers"),
        ((("value = [1, -23]", 'value = [1, -23]\nquestion = "shortest"'),), "length must be given"),
        ((("value = [1, -23]", 'question = "reach"'),), "a goal or a hard requirement"),
        (
            (("value = [1, -23]", 'question = "reach"\ngoal = [1]\nvalue = [99]'),),
            'a value must be given only where the question is "best"',
        ),
        ((("value = [1, -23]", 'question = "impossible"'),), "neither moves nor a unique solution"),
        (
            (('moves = ["bravo w5324-w5323", "alpha w5324-w5323-w5322"]\nwhy', 'moves = ["zulu w1"]\nwhy'),),
            "answer.moves",
        ),
        ((("[answer]", '[answer]\nhints = [{ moves = ["nobody stays"] }]'),), "answer.hints[0]"),
    ],
)
def test_a_claim_that_makes_no_sense_is_bad_input_with_its_place(
    tmp_path: Path, pairs: tuple[tuple[str, str], ...], told: str
) -> None:
    found = verify_file(changed(tmp_path, *pairs))
    assert found.outcome == "bad input"
    assert any(told in str(problem) for problem in found.problems), found.problems
    assert exit_code([found]) == 2


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A puzzle that holds, one that fails, a broken file, a scenario without a claim, and a file that is no scenario."""
    folder = tmp_path_factory.mktemp("collection")
    changed(folder, ("unique = false", "unique = true"), name="a_fails.toml")
    (folder / "b_broken.toml").write_text("format = ", encoding="utf-8")
    changed(folder, name="c_holds.toml")
    (folder / "d_nothing.toml").write_text(AFTER_YOU[: AFTER_YOU.index("[[verdict]]")], encoding="utf-8")
    (folder / "other.toml").write_text('name = "not a scenario"', encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def reported(collection: Path) -> tuple[subprocess.CompletedProcess[str], ElementTree.Element, dict[str, Any]]:
    junit, log = collection / "report.xml", collection / "report.sarif"
    done = run("verify", ".", "--json", "--junit", str(junit), "--sarif", str(log), cwd=collection)
    return done, ElementTree.parse(junit).getroot(), json.loads(log.read_text(encoding="utf-8"))


Reported = tuple[subprocess.CompletedProcess[str], ElementTree.Element, dict[str, Any]]


def test_a_bad_file_does_not_keep_the_others_from_being_verified(reported: Reported) -> None:
    done, _, _ = reported
    answer = json.loads(done.stdout)
    assert answer["format"] == "planner/verification-1"
    assert {Path(one["file"]).name: one["outcome"] for one in answer["files"]} == {
        "a_fails.toml": "fails",
        "b_broken.toml": "bad input",
        "c_holds.toml": "holds",
        "d_nothing.toml": "nothing claimed",
    }
    assert done.returncode == answer["exit_code"] == 2
    assert not done.stderr


def test_junit_counts_what_fails_and_what_could_not_be_read(reported: Reported) -> None:
    _, root, _ = reported
    assert root.tag == "testsuites"
    suites = {Path(suite.get("name", "")).name: suite for suite in root}
    assert suites["a_fails.toml"].get("failures") == "1"
    assert suites["b_broken.toml"].get("errors") == "1"
    assert suites["d_nothing.toml"].get("skipped") == "1"
    for suite in root:
        cases = suite.findall("testcase")
        assert suite.get("tests") == str(len(cases))
        assert all(case.get("name") and case.get("classname") for case in cases)
        for tag, counted in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert suite.get(counted) == str(len(suite.findall(f"testcase/{tag}")))
    assert root.get("tests") == str(len(root.findall("testsuite/testcase")))
    assert root.get("failures") == "1"


SARIF_SHAPE: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs", "$schema"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "rules"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription"],
                                            "properties": {"shortDescription": {"required": ["text"]}},
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["ruleId", "ruleIndex", "level", "message", "locations"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string", "minLength": 1},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": {"type": "object", "required": ["text"]},
                                "properties": {"type": "object"},
                                "locations": {
                                    "type": "array",
                                    "minItems": 1,
                                    "items": {
                                        "type": "object",
                                        "required": ["physicalLocation"],
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation", "region"],
                                                "properties": {
                                                    "artifactLocation": {
                                                        "type": "object",
                                                        "required": ["uri"],
                                                        "properties": {
                                                            "uri": {"type": "string", "format": "uri-reference"}
                                                        },
                                                    },
                                                    "region": {
                                                        "type": "object",
                                                        "required": ["startLine"],
                                                        "properties": {"startLine": {"type": "integer", "minimum": 1}},
                                                    },
                                                },
                                            }
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}
"""The properties of the SARIF 2.1.0 schema that are used, as that schema has them."""


def test_sarif_follows_the_schema_and_points_at_lines(reported: Reported) -> None:
    _, _, log = reported
    jsonschema.validate(log, SARIF_SHAPE)
    [sarif_run] = log["runs"]
    rules = [rule["id"] for rule in sarif_run["tool"]["driver"]["rules"]]
    for result in sarif_run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert (result["ruleId"] in OWN_RULES) or result["ruleId"].split("/")[0] in shipped_models()
    found = {(result["ruleId"], result["level"]) for result in sarif_run["results"]}
    assert found == {("puzzle/unique", "error"), ("puzzle/input", "error")}
    [cooked] = [result for result in sarif_run["results"] if result["ruleId"] == "puzzle/unique"]
    line = cooked["locations"][0]["physicalLocation"]["region"]["startLine"]
    assert AFTER_YOU.splitlines()[line - 1] == "[answer]"


@pytest.mark.parametrize("model", shipped_models())
def test_every_paragraph_of_a_rulebook_leads_to_one_of_its_rules(model: str) -> None:
    rulebook = load_rulebook(model_folder(model))
    for rule in rulebook.rules:
        name = rule_id(rulebook, rule.paragraph)
        assert name.startswith(f"{model}/")
        assert rulebook.by_id[name.removeprefix(f"{model}/")].paragraph == rule.paragraph
    for scenario in FOLDER.joinpath(model).rglob("*.toml"):
        for entry in load_scenario(scenario).verdicts:
            if entry.rule is not None:
                assert rule_id(rulebook, entry.rule).removeprefix(f"{model}/") in rulebook.by_id, entry.rule


def test_text_says_what_holds_and_shows_the_cook(collection: Path) -> None:
    done = run("verify", "a_fails.toml", "c_holds.toml", cwd=collection)
    assert done.returncode == 1
    assert "a_fails.toml: fails" in done.stdout
    assert "alpha w5324-w5325\n" in done.stdout
    assert "2 files: 1 fails, 1 holds." in done.stdout
    (collection / "d_holds.toml").write_bytes((collection / "c_holds.toml").read_bytes())
    done = run("verify", "c_holds.toml", "d_holds.toml", cwd=collection)
    assert done.stdout.endswith("2 files: 2 hold.\n")


def test_files_that_are_not_there_and_empty_folders_are_bad_input(tmp_path: Path) -> None:
    assert run("verify", str(tmp_path / "nothing.toml")).returncode == 2
    empty = run("verify", str(tmp_path))
    assert empty.returncode == 2
    assert "no scenarios are there" in empty.stderr
    assert run("verify", "dai_senso/manchuria", "--cooks", "0", "--sarif", "/nowhere/at/all.sarif").returncode == 2


@pytest.mark.parametrize("value", ["1e999999999", "1/0", "1" * 5_000])
def test_values_that_would_take_hours_to_be_worked_out_are_bad_input(tmp_path: Path, value: str) -> None:
    found = verify_file(changed(tmp_path, ("value = [1, -23]", f'value = [1, "{value}"]')))
    assert found.outcome == "bad input"
    assert [problem.what for problem in found.problems] == ['must be a number or a fraction such as "5/6"']


def test_reports_that_cannot_be_written_are_found_before_the_work(tmp_path: Path) -> None:
    done = run("verify", "dai_senso/manchuria", "--junit", str(tmp_path / "no" / "a.xml"), "--sarif", str(tmp_path))
    assert done.returncode == 2
    assert not done.stdout
    assert len(done.stderr.splitlines()) == 2
    assert "a.xml" in done.stderr


def test_all_that_is_wrong_with_verdicts_and_answer_is_told_at_once(tmp_path: Path) -> None:
    found = verify_file(
        changed(
            tmp_path,
            ("value = [1, -23]", 'value = [1, "x"]'),
            ('moves = ["bravo w5324-w5323", "alpha w5324-w5323-w5322"]\nlegal', 'moves = ["brave w5324-w5323"]\nlegal'),
        )
    )
    assert [problem.where.partition(": ")[2] for problem in found.problems] == ["verdict[0].moves", "answer.value[1]"]
    assert "did you mean 'bravo'?" in found.problems[0].what


NO_WAY_OUT = (FOLDER / "classic_hex/no_way_out.toml").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_whether_a_solution_by_combats_is_the_only_one_is_settled(tmp_path: Path) -> None:
    """Y may stay behind the enemy, follow into the hex or go back: 0406, 0405, 0404 and 0407. With few moves it stays."""
    unique = ("value = [2]", "value = [2]\nunique = true")
    found = verify_file(changed(tmp_path, unique, text=NO_WAY_OUT), cooks=9)
    assert outcomes(found) == {"claim": "holds", "solution": "holds", "unique": "fails"}
    assert len(next(check for check in found.checks if check.kind == "unique").plans) == 3
    short = ("[[verdict]]", '[[tier]]\nterms = [{ kind = "mp_spent" }]\n\n[[verdict]]')
    found = verify_file(changed(tmp_path, short, ("value = [2]", "value = [2, -2]\nunique = true"), text=NO_WAY_OUT))
    assert outcomes(found) == {"claim": "holds", "solution": "holds", "unique": "holds"}


@pytest.mark.parametrize("seconds", [0, 0.05, 0.3])
def test_time_that_runs_out_anywhere_leaves_things_unknown(tmp_path: Path, seconds: float) -> None:
    found = verify_file(changed(tmp_path, text=NO_WAY_OUT), time_limit=seconds)
    assert found.outcome in ("unknown", "holds")
    assert not found.problems


def test_a_goal_that_combats_cannot_reach_is_proved_impossible_by_trying_every_plan(tmp_path: Path) -> None:
    """F alone can't be destroyed by y, which is weaker: with x away nobody is."""
    text = NO_WAY_OUT[: NO_WAY_OUT.index("[answer]")].replace('values = "12-3"', 'values = "12-0"')
    text += '[answer]\nquestion = "impossible"\ngoal = [1]\n'
    file = tmp_path / "impossible.toml"
    file.write_text(text[: text.index("[[verdict]]")] + text[text.index("[answer]") :], encoding="utf-8")
    assert outcomes(verify_file(file)) == {"claim": "holds"}


def test_a_folder_may_be_named_as_shipped_and_each_file_comes_once() -> None:
    files = list(files_in(["ocs/puzzles", FOLDER / "ocs" / "puzzles", "ocs/puzzles/twice"]))
    assert [file.name for file in files] == sorted(file.name for file in (FOLDER / "ocs" / "puzzles").iterdir())


def test_the_puzzle_of_the_guide_is_one_that_is_shipped() -> None:
    block, *_ = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "puzzles.md").read_text(encoding="utf-8"), re.DOTALL)
    shown = AnswerEntry.model_validate(tomllib.loads(block)["answer"])
    shipped = load_scenario("dai_senso/puzzles/out_to_the_west").answer
    assert shipped is not None
    for key in ("question", "goal", "length", "unique", "moves"):
        assert getattr(shown, key) == getattr(shipped, key)
    assert shown.hints[0] == shipped.hints[0]


def test_where_no_plan_reaches_the_goal_it_is_not_said_that_there_is_no_plan(tmp_path: Path) -> None:
    """With 1 MP a may well move, but not to 0405, two hexes away."""
    file = tmp_path / "far.toml"
    file.write_text(
        'format = "planner/scenario-1"\nmodel = "classic_hex"\nphase = "movement"\nphasing = "blue"\n'
        '[map]\nhexes = { "0403" = "clear", "0404" = "clear", "0405" = "clear" }\n'
        '[[unit]]\nid = "a"\nside = "blue"\ntype = "infantry"\nvalues = "4-1"\nat = "0403"\n'
        '[[tier]]\nterms = [{ kind = "hold", hexes = "0405" }]\n'
        '[answer]\nquestion = "shortest"\ngoal = [1]\nlength = 1\n'
    )
    [claim] = [check for check in verify_file(file).checks if check.kind == "claim"]
    assert (claim.outcome, claim.message) == ("fails", "no plan reaches the goal, proved")
