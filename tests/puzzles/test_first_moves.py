"""Puzzles in which who looks at the dice begins with another move; their files have the optimum worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from planner.plans.plan import Plan
from planner.scenario import load_scenario
from planner.search.expectimax import Expectimax

PUZZLES = [
    "ocs/look_first",
    "ocs/puzzles/try_and_go_home",
    "ocs/puzzles/as_often_as_it_may",
    "ocs/puzzles/one_of_two",
    "classic_hex/puzzles/one_after_the_other",
    "classic_hex/puzzles/strong_enough_for_certain",
    "classic_hex/puzzles/the_second_target",
    "great_war/puzzles/tank_first",
    "great_war/puzzles/the_gun_can_wait",
]


@pytest.mark.parametrize("name", PUZZLES)
def test_the_first_move_of_the_best_way_of_playing_is_none_of_the_best_fixed_plan(name: str) -> None:
    """That both are the best, `verify` proves of every scenario that ships."""
    scenario = load_scenario(name)
    best = Expectimax(scenario, 4_000, lambda: None).best()
    assert best is not None
    assert scenario.answer is not None
    assert best.value > tuple(map(Fraction, scenario.answer.value))
    fixed = Plan.parse([str(move) for move in scenario.answer.moves])
    first = best.moves[0]
    assert best.branches
    assert all(move.units != first.units or move.path[: len(first.path)] != first.path for move in fixed.moves)
