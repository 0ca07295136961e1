"""In the middle of a stack's move: every answer is that of trying every way to go on on the referee alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import planner
from planner.errors import TooManyOutcomesError
from planner.plans.plan import Plan
from planner.referee.verdict import Verdict
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from tests.conftest import sized
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.rolled_plans import EveryRolledPlan, stack_in_hand

SEEDS, CAP = sized(range(6), range(24), range(2_000)), sized(60, 120, 600)
"""Positions, and the number of plans beyond which one isn't held against them."""


def positions() -> Iterator[tuple[str, Scenario, EveryRolledPlan, list[tuple[Plan, Verdict]]]]:
    """Yield the positions with few plans, what they are, and all their plans."""
    for seed in SEEDS:
        if (drawn := position(seed)) is not None:
            yield drawn


@cache
def position(seed: int) -> tuple[str, Scenario, EveryRolledPlan, list[tuple[Plan, Verdict]]] | None:
    """Return a position, what it is, and all its plans; None: there are too many."""
    scenario, kinds = stack_in_hand(random.Random(f"in hand {seed}"))
    every = EveryRolledPlan(scenario, CAP)
    try:
        return f"{seed} {kinds}", scenario, every, every.judged()
    except (TooManyStatesError, TooManyOutcomesError):
        return None


def test_the_best_way_to_go_on_is_that_of_trying_every_plan() -> None:
    compared = 0
    for name, scenario, every, judged in positions():
        best = every.best(judged)
        result = Search(scenario).run()
        assert (result.status, result.value or None) == ("infeasible" if best is None else "optimal", best), name
        compared += 1
    assert compared


def test_where_who_goes_on_can_get_is_what_some_legal_plan_says() -> None:
    compared = 0
    for name, scenario, every, judged in positions():
        ends = every.ends(judged)
        for one in planner.reach_all(scenario):
            told = {end.hex for end in (*one.alone, *one.with_help)}
            assert not one.open, name
            assert told - {one.at} == ends.get(one.unit, set()) - {one.at}, f"{name} {one.unit}"
            compared += 1
    assert compared


def test_both_faces_pass_and_refuse_the_same_ways_to_go_on() -> None:
    compared = 0
    for name, scenario, _, judged in positions():
        for plan, verdict in judged[:: max(1, len(judged) // 6)]:
            assert bool(judge(scenario, plan)) == bool(verdict.violations), f"{name}\n{plan}"
            compared += 1
    assert compared
