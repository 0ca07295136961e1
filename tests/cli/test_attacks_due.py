"""A phase doesn't end, and a plan isn't told, as if nobody had to attack."""

from __future__ import annotations

import json
from pathlib import Path

import planner
from planner.playing.position import Position
from tests.command import run

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
    assert "The objective doesn't look at attacks, and none are declared: b must attack." in told
    assert json.loads(run("suggest", str(begin), "--json").stdout)["due"] == {"attack": ["b"], "be_attacked": []}
    result = planner.suggest(begin)
    assert result.verdict is not None
    assert result.verdict.due == (("b",), ())
