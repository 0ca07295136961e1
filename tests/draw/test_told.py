"""Explanations, defenses and verified puzzles are drawn with what they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import planner
from planner.cli import app
from planner.draw.told import of_defense, of_explanation, of_verification
from planner.errors import InputError


def run(*words: str) -> int:
    result = CliRunner().invoke(app, list(words))
    return 2 if isinstance(result.exception, InputError) else result.exit_code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("explain", "dai_senso/manchuria", "plv w5525-w5425xw5426"), 1),
        (("defend", "dai_senso/manchuria_defense"), 0),
        (("verify", "dai_senso/nanking"), 0),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_commands_draw_their_answers(words: tuple[str, ...], code: int, tmp_path: Path) -> None:
    file = tmp_path / "told.html"
    assert run(*words, "--draw", str(file)) == code
    assert "<svg" in file.read_text(encoding="utf-8")
    assert run(*words, "--draw", str(tmp_path / "no" / "such.svg")) == 2


def test_draw_explains_at_the_hex_which_paragraph_forbids_it(tmp_path: Path) -> None:
    file = tmp_path / "why.svg"
    assert run("draw", "dai_senso/manchuria", "--explain", "plv w5525-w5425xw5426", "-o", str(file)) == 0
    assert "3.1: plv must stop in w5425: EZOC of kwantung4" in file.read_text(encoding="utf-8")
    both = ("draw", "dai_senso/manchuria", "plv w5525-w5425", "--explain", "plv to w5426", "-o", str(file))
    assert run(*both) == 2


def test_an_explanation_marks_the_hexes_of_its_instances() -> None:
    scenario = planner.load("dai_senso/manchuria")
    found = planner.explain(scenario, "plv w5525-w5425xw5426")
    picture = of_explanation(scenario, found)
    assert {note.at for note in picture.notes} == set(found.hexes) == {"w5425"}
    assert any("inf" in remark for remark in picture.remarks)


def test_a_defense_shows_the_first_placement_and_marks_the_others() -> None:
    scenario = planner.load("dai_senso/manchuria_defense")
    found = planner.defend(scenario, every=True)
    picture = of_defense(scenario, found)
    [(unit, label)] = found.accepted[0].placement.at
    assert f"{unit} in {label}" in picture.remarks
    assert len(picture.notes) == len(found.accepted) - 1


def test_a_verified_puzzle_shows_the_author_s_solution() -> None:
    found = planner.verify("dai_senso/manchuria", cooks=0)
    picture = of_verification(planner.load("dai_senso/manchuria"), found)
    assert found.outcome == "holds"
    assert [str(move) for move in picture.plan.moves] == ["inf w5525-w5425", "plv w5525-w5425xw5426"]
