"""What must be had whatever is rolled is had by the best of all plans that have it, or it is proved that none has it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

import planner
from planner.objective.goals import Eliminate, End, Hold
from planner.scenario import Scenario
from tests.conftest import DEEP
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.every_plan import EveryPlan
from tests.oracles.islands import islands
from tests.oracles.stacks import EveryStackPlan, stacks
from tests.oracles.trenches import trenches
from tests.oracles.waiting import Interleaved, waiting

SEEDS = 500 if DEEP else 8
CAP = 400 if DEEP else 150

Value = tuple[Fraction, ...]


def whatever_is_rolled(scenario: Scenario, longest: int) -> Value | None:
    """Return the best of all plans that fulfil the requirements in every outcome; None if there is none."""
    return max(
        (
            value
            for _, verdict, value in EveryStackPlan(scenario, CAP, longest).plans()
            if all(
                goal.holds(scenario.game, position, tally)
                for goal in scenario.requirements
                for position, tally in verdict.all_outcomes()
            )
        ),
        default=None,
    )


FAMILIES: dict[str, tuple[Callable[[int], tuple[Scenario, random.Random]], Callable[[Scenario], Value | None]]] = {
    "units that wait": (waiting, lambda scenario: Interleaved(scenario, 10 * CAP).best()),
    "stacks": (stacks, lambda scenario: whatever_is_rolled(scenario, 4)),
    "trenches": (trenches, lambda scenario: whatever_is_rolled(scenario, 3)),
    "islands": (islands, lambda scenario: EveryPlan(scenario, 4 * CAP, longest=5).best()),
}


@pytest.mark.parametrize("family", FAMILIES)
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
