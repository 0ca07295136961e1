"""No answer about a shipped scenario has a heading twice, or tells the same twice under one."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.scenario import Scenario
from planner.world.board import Board
from tests.conftest import sized

TOGETHER = ("Forbidden, by these together", "Without help, by these together")
LONGEST = 5
"""Moves into enemies have at most so many steps."""

SCENARIOS = Path(__file__).parents[2] / "scenarios"
EVERY = sized(100, 6, 1)
"""Of so many scenarios, the answers about one are looked at."""
LIMIT = sized(10.0, 0.3, 2.0)
"""The few questions of a quick run take a third of a second; a short limit would make what is told depend on the clock."""


def _questions(scenario: Scenario) -> list[tuple[str | list[str] | None, tuple[str, ...]]]:
    """Return questions after the farthest hex, the enemy's hexes (held too), the enemies' ends, and moves straight there."""
    game, board = scenario.game, scenario.game.board
    own = [unit for unit in game.homes if unit in game.friends and game.homes[unit] in board.hexes][:2]
    enemies = [enemy for enemy in game.homes if game.is_enemy(enemy) and game.homes[enemy] in board.hexes][:2]
    found: list[tuple[str | list[str] | None, tuple[str, ...]]] = [(None, (f"eliminate {enemy}",)) for enemy in enemies]
    found += [(None, (f"hold {game.homes[enemy]}",)) for enemy in enemies]
    found += [(None, (f"eliminate {enemy}", "at most 1 unit")) for enemy in enemies]
    for unit in own:
        far = max(sorted(board.hexes), key=lambda label: board.distance(game.homes[unit], label) or 0)
        found += [(f"{unit} to {label}", ()) for label in (far, *(game.homes[enemy] for enemy in enemies))]
    moves = [_straight(board, game.homes[unit], game.homes[foe]) for unit, foe in zip(own, enemies, strict=False)]
    found.append(([f"{unit} {way}" for unit, way in zip(own, moves, strict=False) if way], ()))
    return [(asked, required) for asked, required in found if asked or required]


def _straight(board: Board, at: str, to: str) -> str:
    """Return the first steps of a straight way, with the overrun at its end; empty where there is none."""
    path = [at]
    while path[-1] != to and len(path) <= LONGEST:
        away = {near: far for near in board.neighbours[path[-1]] if (far := board.distance(near, to)) is not None}
        if not away:
            break
        path.append(min(away, key=lambda near: away[near]))
    return "" if len(path) == 1 else f"{'-'.join(path[:-1])}{'x' if path[-1] == to else '-'}{path[-1]}"


def test_no_answer_about_a_shipped_scenario_tells_anything_twice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = 0
    for file in sorted(SCENARIOS.rglob("*.toml"))[::EVERY]:
        scenario = planner.load(f"{file.relative_to(SCENARIOS).with_suffix('')}")
        for moves, require in _questions(scenario):
            try:
                found = planner.explain(scenario, moves, require=require, time_limit=LIMIT)
            except planner.InputError:
                continue  # in this phase nothing of the kind is asked
            print_explanation(found)
            heading, seen = "", set[tuple[str, str]]()
            for line in filter(None, capsys.readouterr().out.splitlines()):
                heading = heading if line.startswith(" ") else line
                again = line.startswith(TOGETHER)  # several sets may each forbid it
                assert again or (heading, line) not in seen, (file.name, moves, require, line)
                seen.add((heading, line))
            told += len(found.instances) > 1
    assert told >= 1
