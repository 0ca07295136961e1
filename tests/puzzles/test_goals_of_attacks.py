"""Puzzles may ask for what attacks come to on average: whether it can be had, with how few units, or not at all."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.plans.plan import Plan
from planner.search.result import Result

SCENARIO = """
format = "planner/scenario-1"
model = "crossroads"
phase = "movement"
phasing = "blue"
[map]
hexes."0204 0304 0404 0504 0604" = "clear"
[[unit]]
id = "b"
side = "blue"
type = "infantry"
values = "8-3-3"
at = "0204"
[[unit]]
id = "r"
side = "red"
type = "infantry"
values = "2-2-3"
at = "0404"
[[tier]]
terms = [{ kind = "enemy_losses", counting = "units" }]
[answer]
"""


@pytest.mark.parametrize(
    ("answer", "outcome", "message"),
    [
        (
            'question = "shortest"\ngoal = ["1/2"]\nlength = 1',
            "holds",
            "no plan is better than 1 unit that moves, proved",
        ),
        (
            'question = "shortest"\ngoal = ["1/2"]\nlength = 2',
            "fails",
            "a plan is better: 1 unit that moves, where 2 units that move are claimed",
        ),
        ('question = "shortest"\ngoal = ["2/3"]\nlength = 1', "fails", "there is no plan at all, proved; "),
        ('question = "reach"\ngoal = ["1/2"]', "holds", "the goal can be reached, as this plan shows"),
        ('question = "reach"\ngoal = ["2/3"]', "fails", "the goal can't be reached, proved"),
        ('question = "impossible"\ngoal = ["2/3"]', "holds", "there is no plan, proved and confirmed"),
        ('question = "impossible"\ngoal = ["1/2"]', "fails", "the goal can be reached, as this plan shows"),
    ],
)
def test_whether_attacks_come_to_so_much_is_settled(answer: str, outcome: str, message: str, tmp_path: Path) -> None:
    """At 4:1, once b has gone beside r: EX and DE, 3 of 6, eliminate r, who has room to retreat."""
    path = tmp_path / "puzzle.toml"
    path.write_text(SCENARIO + answer, encoding="utf-8")
    check = planner.verify(path).checks[0]
    assert (check.outcome, check.message[: len(message)]) == (outcome, message)


@pytest.mark.parametrize(
    ("asks", "bound", "told"),
    [
        ("best", (Fraction(4), Fraction(-5)), "no plan is worth more than 4 / -5, proved"),
        ("shortest", (Fraction(-2),), "at least 2 units must move, proved"),
        ("shortest", (Fraction(0),), "nothing is proved"),
        ("best", (), "nothing is proved"),
    ],
)
def test_what_is_proved_of_an_answer_that_is_not_settled_is_said(
    asks: str, bound: tuple[Fraction, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search has found a plan with a move, and ends with some bound."""
    path = tmp_path / "puzzle.toml"
    more = 'goal = ["1/2"]\nlength = 2' if asks == "shortest" else 'value = ["1/2"]'
    path.write_text(f'{SCENARIO}question = "{asks}"\n{more}', encoding="utf-8")
    found = Result("feasible", 0.1, value=(Fraction(-3),), bound=bound, plan=Plan.parse("b 0204-0304"))
    monkeypatch.setattr("planner.puzzles.evidence.Evidence.search", lambda *_: found)
    check = planner.verify(path).checks[0]
    assert check.outcome == "unknown"
    assert check.message.endswith(f", and {told}")
