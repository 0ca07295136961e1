"""`--short` tells long runs of steps by their ends, in text and where it is asked for alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.plans.plan import Move
from tests.command import run

ROAD = """
format = "planner/scenario-1"
model = "ocs"
phase = "movement"
phasing = "axis"

[map]
origin = "10.19"
rows = [".", ".", ".", ".", ".", ".", ".", ".", ".", "."]

[[unit]]
id = "tank"
side = "axis"
type = "tank"
values = "5-4-14"
at = "10.10"

[[tier]]
terms = [{ kind = "hold", hexes = "10.19" }]
"""
LONG = "tank 10.10-10.11-10.12-10.13-10.14-10.15-10.16-10.17-10.18-10.19"
SHORT = "tank 10.10-…-10.19 (9 hexes)"


@pytest.fixture
def road(tmp_path: Path) -> str:
    """A tank at the end of a row of ten hexes."""
    file = tmp_path / "road.toml"
    file.write_text(ROAD, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("move", "short"),
    [
        (LONG, SHORT),
        ("a 10.10-10.11-10.12-10.13", "a 10.10-10.11-10.12-10.13"),  # two hexes fewer: not worth it
        ("a 10.10-10.11-10.12-10.13-10.14", "a 10.10-…-10.14 (4 hexes)"),
        ("a 10.10-10.11-10.12-10.13-10.14x10.15-10.16", "a 10.10-…-10.14x10.15-10.16 (6 hexes)"),
        ("a+b 10.10-10.11-10.12/a-10.13-10.14-10.15-10.16", "a+b 10.10-10.11-10.12/a-…-10.16 (6 hexes)"),
        ("t E1-E2-E3-E4-E5!", "t E1-…-E5! (4 hexes)"),
        ("i e1-e2-e3-e4-e5~e9(ship)-e10", "i e1-…-e5~e9(ship)-e10 (6 hexes)"),
        ("a+b 01-02-03-04-05x06=0:1", "a+b 01-…-05x06=0:1 (5 hexes)"),
    ],
)
def test_of_a_long_run_of_plain_steps_the_ends_are_told_and_everything_else(move: str, short: str) -> None:
    found = Move.parse(move)
    assert found.shortened() == short
    assert str(found) == move


def test_a_shortened_move_is_not_taken_for_a_whole_one() -> None:
    with pytest.raises(InputError):
        Move.parse(SHORT)


@pytest.mark.parametrize(
    "words", [("suggest",), ("suggest", "--adaptive"), ("check", LONG), ("check", "tank -> 10.19", "--complete")]
)
def test_moves_are_shortened_on_request_alone(words: tuple[str, ...], road: str) -> None:
    command, *rest = words
    whole, short = (run(command, road, *rest, *extra).stdout for extra in ((), ("--short",)))
    assert LONG in whole
    assert "…" not in whole
    assert SHORT in short
    assert LONG not in short


def test_paths_of_a_reach_are_shortened_on_request_alone(road: str) -> None:
    assert "10.10-…-10.19 (9 hexes)" in run("reach", road, "tank", "--short").stdout
    assert LONG.partition(" ")[2] in run("reach", road, "tank").stdout


def test_the_moves_of_a_plan_that_cannot_be_applied_are_shortened_on_request(road: str, tmp_path: Path) -> None:
    """The last step is ten hexes long."""
    words = ("apply", road, f"{LONG}-10.10", "-o", str(tmp_path / "after.toml"))
    assert "10.10-…-10.10 (10 hexes)" in run(*words, "--short").stdout
    assert "…" not in run(*words).stdout


def test_json_keeps_moves_whole(road: str) -> None:
    answer = json.loads(run("suggest", road, "--short", "--json").stdout)
    [move] = answer["plan"]["moves"]
    assert len(move["path"]) == 10
