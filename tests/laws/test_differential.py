"""On small random positions, every form of the solver comes to the optimum that brute force finds on the referee alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction

import pytest

from planner.reachability.conditional_reach import ConditionalReach
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.engine import Configuration, run
from planner.solver.model import Model, build_options, build_paths, unscaled
from tests.conftest import DEEP
from tests.instances import list_possibilities
from tests.oracles.brute_force import BruteForce, order_matters
from tests.oracles.positions import drawn

CHUNK = 25
SEEDS = 10_000 if DEEP else 250
OTHER_FORMS = 2_000 if DEEP else 75
RANDOM_RULEBOOKS = 4_000 if DEEP else 100
ORDER_SEEDS = 1_000 if DEEP else 120
CHUNKS = [range(first, first + CHUNK) for first in range(0, SEEDS, CHUNK)]

Value = tuple[Fraction, ...]


def chunk_name(seeds: range) -> str:
    return f"{seeds.start}-{seeds.stop - 1}"


def searched(scenario: Scenario) -> Value | None:
    """Return the value that a search proves, None where it proves that there is no plan."""
    result = Search(scenario).run()
    if result.status == "infeasible":
        assert result.confirmed
        return None
    assert result.status == "optimal"
    assert result.bound == result.value
    return result.value


def solved_tier_by_tier(model: Model) -> Value | None:
    """Return the optimum of a model, each tier fixed before the next, by the solver's own choice of strategies."""
    values: list[Fraction] = []
    configuration = Configuration(presolve=True, subsolvers=())
    for tier in model.tiers:
        expression = model.coupling.expression(tier)
        model.coupling.model.clear_objective()
        if not isinstance(expression, int):
            model.coupling.model.maximize(expression)
        solved = run(model.coupling.model, configuration, None, threading.Event())
        if solved.outcome == "infeasible":
            return None
        assert solved.outcome == "optimal"
        value = expression if isinstance(expression, int) else solved.value
        assert value is not None
        values.append(unscaled(value, model.scale))
        if not isinstance(expression, int):
            model.coupling.model.add(expression == value)
    return tuple(values)


def by_paths(scenario: Scenario) -> Value | None:
    return solved_tier_by_tier(build_paths(scenario, ConditionalReach(scenario.game)))


def by_options_without_dominance(scenario: Scenario) -> Value | None:
    reach = ConditionalReach(scenario.game, prune=False)
    return solved_tier_by_tier(build_options(scenario, list_possibilities(reach), reach))


def differing(
    seeds: range, optimum: Callable[[Scenario], Value | None], random_rulebook: bool = False
) -> dict[int, object]:
    """Return the seeds whose optimum isn't that of brute force, with both."""
    found = {}
    for seed in seeds:
        position = drawn(seed, random_rulebook)
        value = optimum(position.scenario)
        if value != position.best:
            found[seed] = (value, position.best)
    return found


@pytest.mark.parametrize("seeds", CHUNKS, ids=chunk_name)
def test_a_search_comes_to_the_optimum_of_brute_force(seeds: range) -> None:
    assert not differing(seeds, searched)


@pytest.mark.parametrize("seeds", CHUNKS[: OTHER_FORMS // CHUNK], ids=chunk_name)
def test_explicit_paths_come_to_the_optimum_of_brute_force(seeds: range) -> None:
    assert not differing(seeds, by_paths)


@pytest.mark.parametrize("seeds", CHUNKS[: OTHER_FORMS // CHUNK], ids=chunk_name)
def test_dominated_possibilities_never_change_the_optimum(seeds: range) -> None:
    assert not differing(seeds, by_options_without_dominance)


@pytest.mark.parametrize("seeds", CHUNKS[: RANDOM_RULEBOOKS // CHUNK], ids=chunk_name)
def test_a_search_under_random_rulebooks_comes_to_the_optimum_of_brute_force(seeds: range) -> None:
    assert not differing(seeds, searched, random_rulebook=True)


def test_in_more_than_a_third_of_the_positions_the_order_of_the_optimal_moves_matters() -> None:
    ordered = 0
    for seed in range(ORDER_SEEDS):
        scenario = drawn(seed).scenario
        plan = Search(scenario).run().plan
        ordered += plan is not None and order_matters(scenario, plan)
    print(f"order matters in {ordered} of {ORDER_SEEDS} optima: {ordered / ORDER_SEEDS:.0%}")
    assert ordered > ORDER_SEEDS / 3


def test_the_memory_of_brute_force_changes_nothing() -> None:
    for seed in range(0, 2 * CHUNK, 8):
        scenario = drawn(seed).scenario
        assert BruteForce(scenario, memo=False).run() == drawn(seed).best


@pytest.mark.parametrize("seed", [536, 769, 866])
def test_its_memory_counts_alike_units_of_one_hex_where_stacking_holds_at_any_time(seed: int) -> None:
    # Found at random: two units of one class in a hex were remembered as one. By then the limit lets nobody else in.
    position = drawn(seed, random_rulebook=True)
    assert BruteForce(position.scenario, memo=False).run() == position.best == searched(position.scenario)


def test_the_same_seed_gives_the_same_position() -> None:
    first = drawn(3).data
    drawn.cache_clear()
    assert drawn(3).data == first
