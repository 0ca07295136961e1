"""The optima of shipped scenarios at sea are those that trying every plan on the referee alone comes to."""

from __future__ import annotations

import pytest

from planner.scenario import load_scenario
from planner.search.search import Search
from tests.conftest import DEEP
from tests.oracles.every_plan import EveryPlan

SCENARIOS = [
    "hanoi_beachhead",
    "hopeh",
    "island_campaign_cut",
    "micronesia",
    "micronesia_coral_sea",
    "puzzles/fleet_train",
    "puzzles/last_berth",
    "puzzles/room_on_the_beach",
    "puzzles/two_bases",
    "puzzles/two_ships_make_no_train",
    "puzzles/whose_ship",
]
SLOW = ["kwantung", "puzzles/overrun_opens_the_port", "puzzles/changing_the_guard", "puzzles/marines_first"]


@pytest.mark.parametrize("name", SCENARIOS + (SLOW if DEEP else []))
@pytest.mark.thorough
def test_no_plan_is_better_than_the_optimum(name: str) -> None:
    scenario = load_scenario(f"dai_senso/{name}")
    result = Search(scenario).run()
    best = EveryPlan(scenario).best()
    if best is None:
        assert result.status == "infeasible"
    else:
        assert (result.status, result.value) == ("optimal", best)
