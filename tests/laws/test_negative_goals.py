"""Goals that a unit ends somewhere else, or sound, and that little is spent, are those of the best of all plans."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

import planner
from planner.objective import Term, Tier
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import End
from planner.objective.scoring import values_of
from planner.scenario import Scenario
from planner.world.selectors import UnitSelector
from tests.conftest import DEEP, long_ones, sized
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.every_plan import EveryPlan
from tests.oracles.islands import islands
from tests.oracles.skirmishes import skirmish, sorties
from tests.oracles.stacks import EveryStackPlan, stacks
from tests.oracles.trenches import trenches
from tests.oracles.waiting import Interleaved, waiting

SEEDS = sized(2, 5, 300)
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


def of_all_sorties(scenario: Scenario) -> Value | None:
    """Return the best of all plans with combats that fulfil the requirements in every outcome."""
    return max(
        (
            values_of(scenario.game, scenario.tiers, verdict)
            for _, verdict in sorties(scenario, 4 * CAP)
            if all(
                goal.holds(scenario.game, position, tally)
                for goal in scenario.requirements
                for position, tally in verdict.all_outcomes()
            )
        ),
        default=None,
    )


Family = tuple[Callable[[int], tuple[Scenario, random.Random]], Callable[[Scenario], Value | None]]
FAMILIES: dict[str, Family] = {
    "units that wait": (waiting, lambda scenario: Interleaved(scenario, 10 * CAP).best()),
    "stacks": (stacks, lambda scenario: whatever_is_rolled(scenario, 4)),
    "trenches": (trenches, lambda scenario: whatever_is_rolled(scenario, 3)),
    "islands": (islands, lambda scenario: EveryPlan(scenario, 4 * CAP, longest=5).best()),
    "skirmishes": (skirmish, of_all_sorties),
}


def negative_goal(scenario: Scenario, rng: random.Random) -> Term:
    """Return a goal that one of the own units ends elsewhere, or sound."""
    game = scenario.game
    unit = rng.choice([unit for unit in game.homes if unit in game.friends])
    home = game.homes[unit]
    near = [home, *game.board.neighbours[home]]
    form = rng.choice(("elsewhere", "elsewhere", "sound", "sound there"))
    if form == "elsewhere":
        return End(kind="end", unit=unit, not_at=tuple(rng.sample(near, min(len(near), rng.randint(1, 3)))))
    if form == "sound":
        return End(kind="end", unit=unit, sound=True, not_at=(home,) if rng.random() < 0.5 else ())
    return End(kind="end", unit=unit, sound=True, at=tuple(rng.sample(near, min(len(near), 2))))


def limit(scenario: Scenario, rng: random.Random) -> Term:
    """Return a requirement that not much is spent, by all or by one unit."""
    own = [unit for unit in scenario.game.homes if unit in scenario.game.friends]
    of = UnitSelector(units=(rng.choice(own),)) if rng.random() < 0.5 else UnitSelector()
    if rng.random() < 0.3:
        return UnitsMoved(kind="units_moved", of=of, most=Fraction(rng.randint(0, 1)))
    return MpSpent(kind="mp_spent", of=of, most=Fraction(rng.choice((0, 1, 2, 3, 4, 6)), rng.choice((1, 1, 2))))


def drawn(scenario: Scenario, rng: random.Random) -> Scenario:
    """Return a position with such goals among those of the objective, and perhaps as requirements."""
    first, *others = scenario.tiers
    more = tuple(
        negative_goal(scenario, rng).model_copy(update={"weight": rng.randint(1, 9)}) for _ in range(rng.choice((1, 2)))
    )
    required = tuple(
        draw(scenario, rng) for draw, share in ((negative_goal, 0.3), (limit, 0.5)) if rng.random() < share
    )
    return replace(scenario, tiers=(Tier(terms=(*first.terms, *more)), *others), requirements=required)


@pytest.mark.parametrize("family", long_ones(FAMILIES, "skirmishes"))
def test_a_search_comes_to_the_best_of_all_plans(family: str) -> None:
    draw, best_of_all = FAMILIES[family]
    settled = 0
    for seed in range(SEEDS):
        scenario, rng = draw(seed)
        scenario = drawn(scenario, rng)
        try:
            best = best_of_all(scenario)
        except TooManyStatesError:
            continue
        settled += 1
        result = planner.suggest(scenario)
        where = f"seed {seed}: {scenario.tiers[0].terms} {scenario.requirements}"
        if best is None:
            assert result.status == "infeasible", where
        elif family == "skirmishes" and result.status == "feasible":
            assert result.value <= best <= tuple(result.bound), where
        else:
            assert (result.status, result.value) == ("optimal", best), where
    assert settled >= SEEDS / 3
