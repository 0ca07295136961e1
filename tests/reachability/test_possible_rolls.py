"""Whether anything can be rolled in a position: never denied where something can, and denied where nothing obviously can."""

from __future__ import annotations

from itertools import product

import pytest

import planner
from planner.plans.policy import Node
from planner.reachability.possible_rolls import may_roll
from planner.search.expectimax import Expectimax, TooManyStepsError
from tests.conftest import sized
from tests.laws.test_policies import FAMILIES


@pytest.mark.parametrize(
    ("name", "without", "rolls"),
    [
        ("ocs/two_overruns", [], True),
        ("ocs/two_overruns", ["line"], False),  # nobody is left to be overrun
        ("ocs/look_first", [], True),
        ("great_war/first_hex_early", [], True),  # a tank rolls
        ("great_war/puzzles/column", [], False),  # infantry doesn't
        ("classic_hex/six_against_four", [], True),
        ("classic_hex/six_against_four", ["e"], False),
        ("dai_senso/manchuria", [], False),
        ("a_world_at_war/rendezvous", [], False),  # its only column has chance 1
    ],
)
def test_it_depends_on_who_stands_where(name: str, without: list[str], rolls: bool) -> None:
    data = planner.load(name).to_dict()
    data = {key: value for key, value in data.items() if key not in ("tier", "answer", "verdict")}  # they name units
    data["unit"] = [unit for unit in data["unit"] if unit["id"] not in without]
    assert may_roll(planner.Scenario.from_dict(data).game) == rolls


def test_what_has_been_rolled_is_not_rolled_again() -> None:
    """One tank, which has moved."""
    assert not may_roll(planner.load("great_war/first_hex_early").after("tank E4-E5!").game)


def test_where_nothing_can_be_rolled_the_best_way_of_playing_has_no_branch() -> None:
    """Held against every step in every situation: a way of playing that rolls would have a branch."""
    settled = 0
    for family, seed in product(FAMILIES, range(sized(4, 8, 200))):
        scenario = FAMILIES[family](seed)
        if not may_roll(scenario.game):
            trial = Expectimax(scenario, 2_000, lambda: None)
            try:
                found: Node | None = trial.best()
            except TooManyStepsError:
                continue
            settled += 1
            assert found is None or not found.branches, f"{family}, seed {seed}"
            assert not any(len(one.results) > 1 for one in trial._known.values()), f"{family}, seed {seed}"
    assert settled >= 4
