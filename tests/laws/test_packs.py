"""Rules that bind together, of units that wait or don't: every answer is that of trying every plan on the referee alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

import planner
from planner.plans.plan import Plan
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from planner.world.position import Position
from tests.conftest import sized
from tests.oracles.any_plan import AnyPlan
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.packs import position

SEEDS, CAP = sized(range(0, 34, 3), range(80), range(6_800)), sized(50, 200, 1_000)
"""Positions, and the number of standings beyond which one isn't held against every plan."""


@cache
def tried(seed: int, waits: bool) -> tuple[Scenario, AnyPlan, list[tuple[Position, Plan]]] | None:
    """Return a position, and all that it may come to; None: there are too many standings."""
    scenario, _ = position(seed, waits)
    every = AnyPlan(scenario, CAP)
    try:
        return scenario, every, every.ends()
    except TooManyStatesError:
        return None


def positions(waits: bool) -> Iterator[tuple[int, Scenario, AnyPlan, list[tuple[Position, Plan]]]]:
    """Yield the positions with few standings."""
    for seed in SEEDS:
        if (found := tried(seed, waits)) is not None:
            yield seed, *found


@pytest.mark.parametrize("waits", [False, True])
def test_the_best_plan_is_that_of_trying_every_plan(waits: bool) -> None:
    compared = 0
    for seed, scenario, every, ends in positions(waits):
        best = max((value for end, _ in ends if (value := every.value(end)) is not None), default=None)
        result = Search(scenario).run()
        status = "infeasible" if best is None else "optimal"
        assert (result.status, result.value or None) == (status, best), f"{seed}:\n{result.plan}"
        compared += 1
    assert compared


@pytest.mark.parametrize("waits", [False, True])
def test_who_can_get_where_is_what_some_plan_says(waits: bool) -> None:
    compared = 0
    for seed, scenario, _, ends in positions(waits):
        free = replace(scenario, requirements=())
        reached = {(unit, at): plan for end, plan in ends for unit, at in end.at.items() if unit in free.game.friends}
        for one in planner.reach_all(free):
            told = {(one.unit, entry.hex) for entry in (*one.alone, *one.with_help)}
            wanted = {pair: str(plan) for pair, plan in reached.items() if pair[0] == one.unit and pair[1] != one.at}
            assert not one.open, f"{seed} {one.unit}"
            assert told == wanted.keys(), f"{seed}:\n{ {pair: wanted.get(pair) for pair in told ^ wanted.keys()} }"
            compared += 1
    assert compared


@pytest.mark.parametrize("waits", [False, True])
def test_what_may_come_about_both_faces_pass(waits: bool) -> None:
    compared = 0
    for seed, scenario, _, ends in positions(waits):
        free = replace(scenario, requirements=())
        for _, plan in ends[:: max(1, len(ends) // 8)]:
            assert not judge(free, plan), f"{seed}:\n{plan}"
            compared += 1
    assert compared
