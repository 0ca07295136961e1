"""On small random positions, every form of the solver comes to the optimum that brute force finds on the referee alone."""

from __future__ import annotations

import random

import pytest

from planner.objective.scoring import Value
from planner.reachability.conditional_reach import ConditionalReach
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.model import build_options, build_paths
from tests.conftest import DEEP, long_ones, sized
from tests.instances import list_possibilities
from tests.oracles.brute_force import BruteForce, TooManyStatesError, order_matters
from tests.oracles.every_plan import EveryPlan
from tests.oracles.positions import draw, drawn, under_newer_rules, with_newer_objective
from tests.seeds import in_chunks
from tests.solving import differing, searched, solved_tier_by_tier

SEEDS = sized(3, 25, 10_000)
OTHER_FORMS = sized(1, 10, 2_000)
RANDOM_RULEBOOKS = sized(1, 25, 4_000)
NEWER = sized(1, 30, 10_000)
"""About every second of them is small enough."""
ORDER_SEEDS = sized(8, 25, 1_000)


def by_paths(scenario: Scenario) -> Value | None:
    return solved_tier_by_tier(build_paths(scenario, ConditionalReach(scenario.game)))


def by_options_without_dominance(scenario: Scenario) -> Value | None:
    reach = ConditionalReach(scenario.game, prune=False)
    return solved_tier_by_tier(build_options(scenario, list_possibilities(reach), reach))


@in_chunks(SEEDS, 25)
def test_every_form_comes_to_the_optimum_of_brute_force(seeds: range) -> None:
    """A search does on all positions; explicit paths, and possibilities that others dominate, on the first of them."""
    assert not differing(seeds, searched)
    some = range(seeds.start, min(seeds.stop, OTHER_FORMS))
    assert not differing(some, by_paths), "explicit paths"
    assert not differing(some, by_options_without_dominance), "possibilities without dominance"


@in_chunks(RANDOM_RULEBOOKS)
def test_a_search_under_random_rulebooks_comes_to_the_optimum_of_brute_force(seeds: range) -> None:
    assert not differing(seeds, searched, random_rulebook=True)


@in_chunks(NEWER)
def test_a_search_under_kinds_of_rules_that_the_game_lacks_comes_to_the_optimum_of_every_plan(seeds: range) -> None:
    settled = 0
    for seed in seeds:
        new = draw(random.Random(f"newer {seed}"))
        scenario = with_newer_objective(new, under_newer_rules(new))
        try:
            best = None if scenario is None else EveryPlan(scenario, 500).best()
        except TooManyStatesError:
            continue
        if scenario is not None:
            settled += 1
            found = Search(scenario).run()
            assert (found.status, found.value or None) == ("infeasible" if best is None else "optimal", best), seed
    assert settled >= len(seeds) // 6


@pytest.mark.thorough
def test_in_more_than_a_third_of_the_positions_the_order_of_the_optimal_moves_matters() -> None:
    ordered = 0
    for seed in range(ORDER_SEEDS):
        scenario = drawn(seed).scenario
        plan = Search(scenario).run().plan
        ordered += plan is not None and order_matters(scenario, plan)
    print(f"order matters in {ordered} of {ORDER_SEEDS} optima: {ordered / ORDER_SEEDS:.0%}")
    assert ordered > ORDER_SEEDS / 3


@pytest.mark.thorough
def test_the_memory_of_brute_force_changes_nothing() -> None:
    for seed in range(0, 50 if DEEP else 25, 8):
        scenario = drawn(seed).scenario
        assert BruteForce(scenario, memo=False).run() == drawn(seed).best


@pytest.mark.parametrize("seed", long_ones([536, 769, 866], 769, 866))
def test_its_memory_counts_alike_units_of_one_hex_where_stacking_holds_at_any_time(seed: int) -> None:
    # Found at random: two units of one class in a hex were remembered as one. By then the limit lets nobody else in.
    position = drawn(seed, random_rulebook=True)
    assert BruteForce(position.scenario, memo=False).run() == position.best == searched(position.scenario)


def test_the_same_seed_gives_the_same_position() -> None:
    first = drawn(3).data
    drawn.cache_clear()
    assert drawn(3).data == first
