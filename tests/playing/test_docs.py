"""The programs of the guide to playing run as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.playing.game_record import GameRecord, record_of
from planner.scenario import Scenario
from tests.conftest import sized

PAGE = (Path(__file__).parents[2] / "docs" / "playing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("program", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_a_program_of_the_guide_runs(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(program, "docs/playing.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out


def first_ai() -> dict[str, Any]:
    """Return the names of the AI of the guide, as it stands there."""
    program = next(one for one in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "def play_game" in one)
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(program, "docs/playing.md", "exec"), names)
    return names


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "turns", "games"),
    [("classic_hex/three_battles", 4, sized(5, 10, 20)), ("crossroads/game", 7, sized(1, 1, 20))],
)
def test_the_first_ai_plays_whole_games_without_an_illegal_move(name: str, turns: int, games: int) -> None:
    """What it does is judged twice: when it is done, and from the record, as `planner check` reads it."""
    begin = Scenario.from_dict({"turn": 1, **planner.load(name).to_dict(), "last_turn": turns})
    ai, over = first_ai(), 0
    for seed in range(games):
        end = ai["play_game"](begin, seed)
        over += end.turn == turns + 1
        record = GameRecord.from_dict(record_of(end).to_dict())
        played = list(record.positions())
        assert {position.side for _, position, _ in played} == {"blue", "red"}
        assert sum(len(entry.made) for entry, *_ in played) > 20, seed
    assert over >= 0.9 * games  # a side that is shut in may be unable to end its phase


def test_the_first_ai_is_as_short_as_its_heading_says() -> None:
    """What plays, without what is said about it, and without the lines that let it play."""
    program = next(one for one in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "def play_game" in one)
    lines = [line.strip() for line in program.partition("def play_game")[0].splitlines()]
    assert "## Your first AI in 60 lines" in PAGE
    assert sum(bool(line) and not line.startswith('"""') for line in lines) <= 60
