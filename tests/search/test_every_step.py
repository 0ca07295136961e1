"""Where trucks may wait among stacks, what no plan exceeds is told truly, and proved where every step can be tried."""

from __future__ import annotations

import random
from typing import Any

import pytest

import planner
from planner.scenario import Scenario, build_scenario
from tests.conftest import DEEP
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.play import BestPlay
from tests.oracles.stacks import EveryStackPlan, draw_stacks

POSITIONS, CAP, SITUATIONS = (150, 2_000, 1_500) if DEEP else (4, 300, 150)


def scenario(*units: dict[str, Any], goals: list[dict[str, Any]], **more: Any) -> Scenario:
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "unit": [{"side": "axis", **unit} for unit in units],
        "tier": [{"terms": goals}, {"terms": [{"kind": "mp_spent"}]}],
        **more,
    }
    return build_scenario(data, "trucks")


TRUCK = {"id": "truck", "type": "transport", "values": "0-0-3", "at": "10.10"}
TANK = {"id": "tank", "type": "tank", "values": "2-2-3", "at": "10.11"}


def test_where_nothing_is_rolled_the_best_of_all_plans_is_proved() -> None:
    """Both get where they are wanted, with one step each, which costs trucks 2 MP, and tanks 1."""
    goals = [{"kind": "end", "unit": "truck", "at": "10.11"}, {"kind": "end", "unit": "tank", "at": "10.12"}]
    found = planner.suggest(scenario(TRUCK, TANK, goals=goals, map={"hexes": {"10.10 10.11 10.12": "open"}}))
    assert (found.status, found.value) == ("optimal", (2, -3))


def test_what_is_impossible_is_proved() -> None:
    """Nobody gets over the lake."""
    require = [{"kind": "end", "unit": "truck", "at": "10.13"}]
    hexes = {"10.10 10.11 10.13": "open", "10.12": "lake"}
    found = planner.suggest(scenario(TRUCK, TANK, goals=require, map={"hexes": hexes}, require=require))
    assert found.status == "infeasible"


def drawn(seed: int) -> Scenario:
    """Return a position of stacks, one unit of which may wait."""
    rng = random.Random(f"trucks {seed}")
    data = draw_stacks(rng)
    own = [unit for unit in data["unit"] if unit["side"] == data["phasing"]]
    rng.choice(own)["traits"] = ["transport_points"]
    return build_scenario(data, f"trucks {seed}")


@pytest.mark.thorough
def test_no_plan_exceeds_the_bound_and_what_is_proved_is_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    if not DEEP:
        monkeypatch.setattr("planner.solver.tuning.Enumeration.work", 4_000)
    settled, proved, seed = 0, 0, 0 if DEEP else 6  # the first six are large for brute force
    while settled < POSITIONS and seed < 40 * POSITIONS:
        seed += 1
        position = drawn(seed)
        try:
            played = BestPlay(position, SITUATIONS).value()
            fixed = EveryStackPlan(position, CAP).best()
        except TooManyStatesError:
            continue
        settled += 1
        found = planner.suggest(position)
        told = f"seed {seed}"
        if fixed is None or played is None:
            continue
        if found.status == "optimal":
            proved += 1
            assert fixed <= found.value <= played, told
        assert found.value <= played, told
        assert not found.bound or max(fixed[0], found.value[0]) <= found.bound[0], told
    print(f"{settled} settled, {proved} proved, of {seed}")
    assert settled >= POSITIONS / 2
    assert proved >= settled / 3
