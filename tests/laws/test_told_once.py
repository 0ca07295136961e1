"""No answer about a shipped scenario tells the same twice under one heading."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.scenario import Scenario
from tests.conftest import sized

SCENARIOS = Path(__file__).parents[2] / "scenarios"
MOST_UNITS = sized(1, 1, 40)
"""Of scenarios with so many units that may move at most, the answers are looked at."""
LIMIT = 0.5


def _questions(scenario: Scenario) -> list[tuple[str | None, tuple[str, ...]]]:
    """Return questions after the farthest hex, the enemy's hexes, and the enemies' ends."""
    game, board = scenario.game, scenario.game.board
    own = [unit for unit in game.homes if unit in game.friends and game.homes[unit] in board.hexes][:1]
    enemies = [enemy for enemy in game.homes if game.is_enemy(enemy) and game.homes[enemy] in board.hexes][:1]
    found: list[tuple[str | None, tuple[str, ...]]] = [(None, (f"eliminate {enemy}",)) for enemy in enemies]
    for unit in own:
        far = max(sorted(board.hexes), key=lambda label: board.distance(game.homes[unit], label) or 0)
        found += [(f"{unit} to {label}", ()) for label in (far, *(game.homes[enemy] for enemy in enemies))]
    return found


@pytest.mark.thorough
def test_no_answer_about_a_shipped_scenario_has_a_line_twice_under_one_heading(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = 0
    for file in sorted(SCENARIOS.rglob("*.toml")):
        scenario = planner.load(f"{file.relative_to(SCENARIOS).with_suffix('')}")
        if sum(unit in scenario.game.friends for unit in scenario.game.homes) > MOST_UNITS:
            continue
        for moves, require in _questions(scenario):
            try:
                found = planner.explain(scenario, moves, require=require, time_limit=LIMIT)
            except planner.InputError:
                continue  # in this phase nothing of the kind is asked
            print_explanation(found)
            heading, seen = "", set[tuple[str, str]]()
            for line in filter(None, capsys.readouterr().out.splitlines()):
                heading = heading if line.startswith(" ") else line
                assert (heading, line) not in seen, (file.name, moves, require, line)
                seen.add((heading, line))
            told += len(found.instances) > 1
    assert told >= 1
