"""What must be had whatever is rolled is had by the best of all plans that have it, or it is proved that none has it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import planner
from planner.objective.goals import Eliminate, End, Hold
from tests.conftest import DEEP
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.families import FAMILIES

SEEDS = 500 if DEEP else 8


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "skirmishes"])
@pytest.mark.thorough
def test_what_must_be_had_is_had_if_some_plan_has_it(family: str) -> None:
    """One goal of the objective must be reached, or two."""
    draw, best_of_all = FAMILIES[family]
    possible = impossible = 0
    for seed in range(SEEDS):
        scenario, rng = draw(seed)
        goals = [term for term in scenario.tiers[0].terms if isinstance(term, (Eliminate, End, Hold))]
        wanted = tuple(rng.sample(goals, min(len(goals), rng.choice((1, 1, 2)))))
        required = replace(scenario, requirements=wanted)
        try:
            best = best_of_all(required)
        except TooManyStatesError:
            continue
        result = planner.suggest(required)
        where = f"seed {seed}: {wanted}"
        if best is None:
            assert (result.status, result.confirmed) == ("infeasible", True), where
        else:
            assert (result.status, result.value) == ("optimal", best), where
        possible, impossible = possible + (best is not None), impossible + (best is None)
    print(f"{family}: what is required can be had in {possible} positions, and can't in {impossible}")
    assert possible >= SEEDS / 12
    assert impossible >= SEEDS / 12
