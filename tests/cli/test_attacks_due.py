"""A phase doesn't end, and a plan isn't told, as if nobody had to attack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import planner
from planner.cli.text_output import print_verdict
from planner.playing.position import Position
from tests.command import run
from tests.oracles.attack_games import attack, position

SCENARIO = """
format = "planner/scenario-1"
model = "crossroads"
phase = "movement"
phasing = "blue"
map = { origin = "0101", rows = ". . . .\\n. . . .\\n. . . .\\n" }
unit = [
    { id = "b", side = "blue", type = "infantry", values = "4-4-4", at = "0102" },
    { id = "r", side = "red", type = "infantry", values = "3-4-4", at = "0302" },
]
tier = [{ terms = [{ kind = "hold", hexes = "0202" }] }]
"""
DUE = "b must attack: it is in the ZOC of r"


def test_apply_ends_no_phase_in_which_somebody_must_still_attack(tmp_path: Path) -> None:
    begin, after = tmp_path / "begin.toml", tmp_path / "after.toml"
    begin.write_text(SCENARIO, encoding="utf-8")
    done = run("apply", str(begin), "b 0102-0202", "-o", str(after))
    assert done.returncode == 1
    assert f"7.3: {DUE}" in done.stdout
    assert not after.exists()
    position = Position(begin)
    position.push("b 0102-0202")
    assert [one.message for one in position.problems()] == [DUE]
    assert run("apply", str(begin), "b 0102-0202", "--stay", "-o", str(after)).returncode == 0
    played = ("b 0102-0202", "b -> 0302=AR b 0202-0102")
    assert run("apply", str(begin), *played, "-o", str(after), "--force").returncode == 0


def test_suggest_names_the_attacks_that_must_follow_where_the_objective_does_not_look_at_them(tmp_path: Path) -> None:
    begin = tmp_path / "begin.toml"
    begin.write_text(SCENARIO, encoding="utf-8")
    told = run("suggest", str(begin)).stdout
    assert "The objective doesn't look at attacks, and the plan has none: b must attack." in told
    assert json.loads(run("suggest", str(begin), "--json").stdout)["due"] == {"attack": ["b"], "be_attacked": []}
    result = planner.suggest(begin)
    assert result.verdict is not None
    assert result.verdict.due == (("b",), ())


def test_who_has_declared_an_attack_need_not_declare_one(tmp_path: Path) -> None:
    begin = tmp_path / "begin.toml"
    begin.write_text(SCENARIO, encoding="utf-8")
    after = ("--after", "b 0102-0202", "--after", "b -> 0302")
    told = "b has declared an attack, which must still be made."
    assert f"Nothing is said of attacks: {told}" in run("check", str(begin), *after).stdout
    assert f"the plan has none: {told}" in run("suggest", str(begin), *after).stdout


def test_an_attack_that_no_column_allows_is_told_as_illegal_and_has_no_chances(
    capsys: pytest.CaptureFixture[str],
) -> None:
    woods = [{"name": "the woods", "columns": -1, "hexes": {"terrain": "woods"}}]
    units = {"a": ("1-1-1", "0302"), "e": ("2-2-4", "0303")}
    scenario = position(attack(below="forbidden", shifts=woods), units, hexes={"0303": "woods"})
    verdict = planner.check(scenario, ["a -> 0303"])
    print_verdict(verdict)
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "a -> 0303  less than 1:1: illegal",
        "Illegal:",
        "  attack 1: 7: a can't attack 0303: 1 to 2 is less than 1:1",
    ]
    [data] = verdict.to_dict()["attacks"]
    assert data["results"] == []
    assert data["odds"] == {"strengths": [1, 2], "column": "1:1", "shifted": "1:1", "below": True}
    assert "&lt; 1:1" in planner.picture(scenario, ["a -> 0303"]).svg()


def test_of_an_attack_that_may_not_be_declared_no_chances_are_told(tmp_path: Path) -> None:
    begin = tmp_path / "begin.toml"
    begin.write_text(SCENARIO, encoding="utf-8")
    done = run("check", str(begin), "b -> 0302", "--no-nearest")
    assert done.stdout.splitlines()[:2] == ["b -> 0302  illegal", "Illegal:"]
    assert run("check", str(begin), "b 0102-0202", "b -> 0302").stdout.startswith("1.  b 0102-0202")
    # What is wrong with what was rolled leaves the attack as it is.
    rolled = run("check", str(begin), "b 0102-0202", "b -> 0302=AR b 0202-0302", "--no-nearest").stdout
    assert "b -> 0302  1:1: AE 1/6" in rolled
    assert "illegal" not in rolled


def test_a_file_of_a_plan_that_reacts_is_told_from_one_of_a_plan(tmp_path: Path) -> None:
    begin, policy = tmp_path / "begin.toml", tmp_path / "policy.json"
    begin.write_text(SCENARIO, encoding="utf-8")
    policy.write_text(json.dumps({"format": "planner/policy-1", "root": {"moves": [], "branches": []}}))
    for command in (("check",), ("check", "--complete"), ("suggest",), ("draw", "-o", str(tmp_path / "x.svg"))):
        done = run(command[0], str(begin), "--plan", str(policy), *command[1:])
        assert done.returncode == 2
        assert done.stderr.strip() == (
            f"is a plan that reacts, planner/policy-1: check and draw take it with --policy @ {policy}"
        )


def test_an_attack_against_nobody_has_its_line_and_its_place() -> None:
    """It had no line, and in JSON, where violations name attacks by their number, the others had its number."""
    asked = ("crossroads/bridge", "bt -> 0307", "b1+b2 -> 0706")
    said = run("check", *asked, "--no-nearest").stdout.splitlines()
    assert said[:4] == [
        "bt -> 0307  illegal",
        "b1+b2 -> 0706  illegal",
        "Illegal:",
        "  attack 1: 7.1: there is nobody to attack in 0307",
    ]
    told = json.loads(run("check", *asked, "--no-nearest", "--json").stdout)
    assert [one["attackers"] for one in told["attacks"]] == [["bt"], ["b1", "b2"]]
    assert {one["attack"] for one in told["violations"] if one["unit"] in ("b1", "b2")} == {1}


def test_check_says_that_it_does_not_look_for_the_nearest_legal_plan_where_attacks_are_declared(tmp_path: Path) -> None:
    begin = tmp_path / "begin.toml"
    begin.write_text(SCENARIO, encoding="utf-8")
    told = "The nearest legal plan is not looked for: attacks are declared."
    assert told in run("check", str(begin), "b -> 0302").stdout
    none = run("check", str(begin), "b 0102-0202", "no attacks").stdout
    assert "The nearest legal plan is not looked for: the plan says that no attack is declared." in none
    assert told not in run("check", str(begin), "b -> 0302", "--no-nearest").stdout
    assert told not in run("check", str(begin), "b 0102-0302").stdout
