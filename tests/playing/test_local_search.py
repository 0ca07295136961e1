"""A local search makes legal plans, is never worth more than the proved optimum, and leaves the position as it was."""

from __future__ import annotations

import random

import pytest

import planner
from planner.objective.scoring import values_of
from planner.playing.local_search import hoped, improved
from planner.playing.position import Position


@pytest.mark.parametrize(
    "name",
    [
        "dai_senso/kwantung",
        pytest.param("classic_hex/puzzles/open_door", marks=pytest.mark.thorough),
    ],
)
def test_what_is_found_is_worth_what_check_says_and_no_more_than_the_optimum(name: str) -> None:
    scenario = planner.load(name)
    position = Position(scenario)
    moves = improved(position, 0.5, random.Random(1))
    assert position == Position(scenario)
    assert len(position) == 0
    verdict = planner.check(scenario, planner.Plan(moves))
    assert verdict.legal
    value = values_of(scenario.game, scenario.tiers, verdict)
    assert hoped(position, moves, ending=True) == value
    best = planner.suggest(scenario, time_limit=60)
    assert best.status == "optimal"
    assert value <= best.value


@pytest.mark.thorough
def test_moves_that_are_left_out_after_some_results_are_worth_no_more_than_the_best_play() -> None:
    """A second attempt is made only if the first has failed, so that the moves are a policy, of which the best is proved."""
    scenario = planner.load("ocs/two_overruns")
    position = Position(scenario)
    value = hoped(position, improved(position, 2, random.Random(1)), ending=True)
    best = planner.suggest(scenario, adaptive=True, time_limit=60)
    assert best.status == "optimal"
    assert value is not None
    assert 0 < value[0] <= best.value[0]


def test_a_unit_far_from_its_goal_is_sent_there() -> None:
    """Nobody is in the way, and one unit by itself has the goal within its MA: few of its ways end elsewhere for long."""
    data = planner.load("dai_senso/manchuria").to_dict()
    data = {key: value for key, value in data.items() if key not in ("answer", "verdict")}
    data["tier"] = [{"terms": [{"kind": "end", "unit": "inf", "at": "w5424"}]}]
    position = Position(planner.Scenario.from_dict(data))
    found = improved(position, 1, random.Random(0))
    assert hoped(position, found) == (1,)
