"""Changes that must not change what the best plan is worth, and one that must not make it worse."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from planner.objective.scoring import Value
from planner.scenario import Scenario, build_scenario
from tests.conftest import DEEP, sized
from tests.oracles.positions import drawn
from tests.oracles.transform import (
    in_turn,
    moved_map,
    relabelled,
    reordered,
    scaled,
    symmetries,
    with_island,
    with_ma,
)
from tests.seeds import in_chunks
from tests.solving import searched

SEEDS = sized(2, 15, 1_500)
ALIKE = 1_500 if DEEP else 1


def optimum(scenario: Scenario | dict[str, Any]) -> Value | None:
    """Return the value that a search proves of a scenario, or of what its file would hold."""
    return searched(build_scenario(scenario, "changed") if isinstance(scenario, dict) else scenario)


@in_chunks(SEEDS, 20)
def test_the_optimum_survives_every_rotation_and_reflection_of_the_map(seeds: range) -> None:
    """All of them on the first positions, one of them in turn on each of the others."""
    for seed in seeds:
        position = drawn(seed)
        best = optimum(position.scenario)
        moved = {name: moved_map(position.data, position.scenario, symmetry) for name, symmetry in symmetries()}
        assert len(moved) == 12
        for name, other in in_turn(moved, seed, ALIKE).items():
            assert optimum(other) == best, f"seed {seed}, {name}"


@in_chunks(SEEDS, 20)
def test_the_names_of_units_mean_nothing(seeds: range) -> None:
    for seed in seeds:
        position = drawn(seed)
        ids = list(position.scenario.game.units)
        names = [f"x{index}" for index in range(len(ids))]
        random.Random(seed).shuffle(names)
        renamed = relabelled(position.data, dict(zip(ids, names, strict=True)))
        assert optimum(renamed) == optimum(position.scenario), f"seed {seed}"


@in_chunks(SEEDS, 20)
def test_the_order_of_units_in_the_file_means_nothing_to_the_optimum(seeds: range) -> None:
    for seed in seeds:
        position = drawn(seed)
        assert optimum(reordered(position.data, random.Random(seed))) == optimum(position.scenario), f"seed {seed}"


@in_chunks(SEEDS, 20)
def test_three_times_all_mp_and_weights_is_three_times_the_value(seeds: range) -> None:
    for seed in seeds:
        scenario = drawn(seed).scenario
        best = optimum(scenario)
        tripled = optimum(scaled(scenario, Fraction(3), others=3, mp=1))
        assert tripled == (None if best is None else tuple(3 * value for value in best)), f"seed {seed}"


@in_chunks(SEEDS, 20)
def test_half_of_all_mp_at_twice_the_weight_is_the_same_value(seeds: range) -> None:
    for seed in seeds:
        scenario = drawn(seed).scenario
        assert optimum(scaled(scenario, Fraction(1, 2), others=1, mp=2)) == optimum(scenario), f"seed {seed}"


@in_chunks(SEEDS, 20)
def test_a_war_on_an_island_far_away_means_nothing(seeds: range) -> None:
    for seed in seeds:
        position = drawn(seed)
        assert optimum(with_island(position.data, position.scenario)) == optimum(position.scenario), f"seed {seed}"


@in_chunks(SEEDS, 20)
def test_more_ma_is_never_worse(seeds: range) -> None:
    """A larger MA allows every move that a smaller one does: what was an overdraft of the first hex is then paid for."""
    for seed in seeds:
        position = drawn(seed)
        best = optimum(position.scenario)
        unit = random.Random(seed).choice(sorted(position.scenario.game.friends))
        better = optimum(with_ma(position.data, unit, 1))
        assert best is None or (better is not None and better >= best), f"seed {seed}, {unit}"
