"""Scenarios of every rule system that are drawn, with their plans."""

from __future__ import annotations

from pathlib import Path

from planner.plans.plan import Plan
from planner.scenario import Scenario, load_scenario

ROOT = Path(__file__).resolve().parents[2]
EVERY = sorted(str(path.relative_to(ROOT / "scenarios")) for path in (ROOT / "scenarios").rglob("*.toml"))
PLANS = [
    "dai_senso/manchuria",
    "dai_senso/island_campaign",
    "dai_senso/puzzles/relief_line",
    "ocs/carpet",
    "a_world_at_war/through_the_line",
    "great_war/over_the_top",
    "great_war/puzzles/wire_and_tank",
    "classic_hex/three_battles",
    "crossroads/start",
]
"""Scenarios with an answer, of all six systems."""


def with_plan(name: str) -> tuple[Scenario, Plan]:
    """Return a scenario and the plan of its answer."""
    scenario = load_scenario(name)
    assert scenario.answer is not None
    return scenario, Plan.parse(scenario.answer.moves)
