"""What a search has listed goes when its answer is there, without Python's collector, which would take its time."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import planner
from tests.conftest import DEEP
from tests.instances import instance

SCENARIOS = Path(__file__).parents[2] / "scenarios"
FAMILIES = [("islands", "8/convoys=4"), ("stacks", "8"), ("goals", "8")]
FAMILIES += [("dense", "20"), ("legs", "8/hexes=500"), ("stacks", "12"), ("joint", "8")] if DEEP else []
FORMS = [
    "ocs/two_overruns",  # plans that rely on what is likely
    "a_world_at_war/rendezvous",  # units that wait
    "classic_hex/no_way_out",  # combats
    "crossroads/bridge",  # attacks
]
# The first has fleets: the matching of carriers.
FORMS += ["dai_senso/island_campaign", "dai_senso/manchuria", "great_war/over_the_top"] if DEEP else []

OTHERS = ["dai_senso/puzzles/doorkeeper", *(["dai_senso/manchuria", "classic_hex/no_way_out"] if DEEP else [])]


def left_behind(work: Callable[[], Any]) -> list[str]:
    """Return of what sort those objects of the planner, or of the solver, are that only the collector would find."""
    work()  # what is loaded and kept for good is there by now
    gc.collect()
    gc.disable()
    debug = gc.get_debug()
    try:
        work()
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        return [kind for kind in map(_kind, gc.garbage) if kind.startswith(("planner.", "ortools."))]
    finally:
        gc.set_debug(debug)
        gc.garbage.clear()
        gc.enable()


def _kind(found: object) -> str:
    module = found.__module__ if callable(found) and hasattr(found, "__qualname__") else type(found).__module__
    return f"{module}.{getattr(found, '__qualname__', type(found).__qualname__)}"


@pytest.mark.parametrize(("family", "size"), FAMILIES)
@pytest.mark.thorough
def test_a_search_of_a_generated_board_leaves_nothing_for_the_collector(family: str, size: str) -> None:
    scenario = instance(family, size, 0)
    assert left_behind(lambda: planner.suggest(scenario, time_limit=20)) == []


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.thorough
def test_a_search_in_each_form_leaves_nothing_for_the_collector(name: str) -> None:
    scenario = planner.load(name)
    assert left_behind(lambda: planner.suggest(scenario, time_limit=20)) == []


@pytest.mark.thorough
def test_a_search_that_runs_out_of_time_leaves_nothing_for_the_collector() -> None:
    scenario = planner.load("ocs/breakthrough")
    assert left_behind(lambda: planner.suggest(scenario, time_limit=0)) == []
    assert left_behind(lambda: planner.suggest(scenario, time_limit=0.5)) == []


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.thorough
def test_other_answers_leave_nothing_for_the_collector(name: str) -> None:
    scenario = planner.load(name)
    assert left_behind(lambda: planner.alternatives(scenario, 2)) == []
    assert left_behind(lambda: planner.explain(scenario, value=[10**6])) == []
    assert left_behind(lambda: planner.nearest(scenario, [])) == []
    assert left_behind(lambda: planner.verify(SCENARIOS / f"{name}.toml")) == []
    if name == "dai_senso/manchuria":
        defense = planner.load("dai_senso/manchuria_defense")
        assert left_behind(lambda: planner.defend(defense)) == []


@pytest.mark.thorough
def test_what_stays_behind_would_be_noticed() -> None:
    def round_and_round() -> None:
        plan: Any = planner.Plan(())
        circle = [plan]
        circle.append(circle)

    assert "planner.plans.plan.Plan" in left_behind(round_and_round)
