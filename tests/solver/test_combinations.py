"""Smallest combinations of units that are enough: against all subsets."""

from __future__ import annotations

import random
from itertools import product

import pytest

from planner.solver.coupling.combinations import smallest


def total(numbers: dict[int, int]) -> int:
    return sum(strength * number for strength, number in numbers.items())


@pytest.mark.parametrize("seed", range(40))
def test_smallest_combinations_are_those_that_are_enough_and_not_without_any_unit(seed: int) -> None:
    rng = random.Random(f"combinations {seed}")
    units = {rng.randint(1, 9): rng.randint(1, 4) for _ in range(rng.randint(1, 4))}
    least = rng.randint(1, total(units) + 3)
    wanted = []
    for numbers in product(*(range(number + 1) for number in units.values())):
        some = {strength: number for strength, number in zip(units, numbers, strict=True) if number}
        if total(some) >= least and all(total(some) - strength < least for strength in some):
            wanted.append(some)
    assert sorted(map(sorted, map(dict.items, smallest(units, least)))) == sorted(map(sorted, map(dict.items, wanted)))


def test_nine_by_units_of_four_takes_three_and_none_where_there_are_two() -> None:
    assert list(smallest({4: 5}, 9)) == [{4: 3}]
    assert list(smallest({4: 2}, 9)) == []


def test_whoever_counts_nothing_is_in_no_combination() -> None:
    assert list(smallest({0: 3, 2: 1}, 2)) == [{2: 1}]
