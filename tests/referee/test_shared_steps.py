"""Moves that begin alike are judged as if each were played from its beginning."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from planner.plans.plan import Move
from planner.playing.position import Position
from planner.referee.referee import Referee
from planner.referee.shared_steps import KnownSteps, SharedSteps
from planner.world.position import Position as Standing
from tests.conftest import DEEP
from tests.oracles.progress import FAMILIES


@pytest.mark.thorough
@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_shared_changes_nothing(family: str) -> None:
    """Legal and illegal moves in any order, of one unit and of two, in positions of one phase that share what they know."""
    broken = whole = 0
    for seed in range(60 if DEEP else 2):
        scenario, _, rng = FAMILIES[family](seed)
        position = Position(scenario)
        referee = Referee(scenario.game)
        known, tried = KnownSteps(referee), dict[tuple[str, ...], list[Move]]()
        for _ in range(3):
            start = position.scenario.start
            for team in _teams(position, start):
                shared = SharedSteps(referee, start, known)
                moves = tried.setdefault(team, [])
                moves += [
                    _walk(team, start.at[team[0]], position.scenario.game.board.neighbours, rng) for _ in range(6)
                ]
                for move in moves[-12:]:
                    after = start.copy()
                    violations, played = referee.play_move(move, after, start.under_way.keys())
                    told = f"{family}, seed {seed}, after {position.made}: {move}"
                    assert shared.play(move)[:2] == (violations, played), told
                    assert shared.play(move)[2].key == after.key, told
                    assert list(shared.play(move)[2].taken) == list(after.taken), told
                    broken, whole = broken + bool(violations), whole + (not violations)
            if listed := list(position.legal_moves()):
                position.push(rng.choice(listed))
                while position.outcomes:
                    position.roll(rng)
    assert broken
    assert whole


def _teams(position: Position, start: Standing) -> list[tuple[str, ...]]:
    """Return some units, and some pairs that stand together."""
    pairs = [
        pair
        for pair in combinations(sorted(position.scenario.game.friends & start.at.keys()), 2)
        if _together(start, pair)
    ]
    return [*[(unit,) for unit in start.at][:6], *pairs[:3]]


def _together(start: Standing, pair: tuple[str, ...]) -> bool:
    return start.at[pair[0]] == start.at[pair[1]]


def _walk(team: tuple[str, ...], home: str, neighbours: dict[str, tuple[str, ...]], rng: random.Random) -> Move:
    path = [home]
    for _ in range(rng.randrange(1, 5)):
        if not neighbours.get(path[-1]):
            break
        path.append(rng.choice(neighbours[path[-1]][:2]))
    overruns = frozenset(step for step in range(1, len(path)) if rng.random() < 0.15)
    return Move(team, tuple(path) if len(path) > 1 else (home, home), overruns)
