"""Goals that a unit ends somewhere else, or sound, and that little is spent, are those of the best of all plans."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from planner.objective import Term, Tier
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import End
from planner.scenario import Scenario
from planner.world.selectors import UnitSelector
from tests.conftest import long_ones, sized
from tests.oracles.families import FAMILIES
from tests.solving import comes_to_the_best

SEEDS = sized(1, 5, 300)


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


@pytest.mark.parametrize("family", long_ones(FAMILIES, "skirmishes", "units that wait"))
def test_a_search_comes_to_the_best_of_all_plans(family: str) -> None:
    comes_to_the_best(family, SEEDS, drawn)
