"""Mixtures of all kinds of rules that no game has together: both faces agree, and the best plan is found.

Units move one by one here, or as stacks, and nothing is rolled: test_rolled_mixtures looks at that.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

import planner
from planner.plans.partial_plan import PartialPlan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from tests.conftest import sized
from tests.oracles import mixtures
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.every_plan import EveryPlan
from tests.oracles.plans import Walker

SEEDS, CAP = sized(range(2), range(60), range(5_000)), 400
"""Positions; those with more standings than the cap aren't held against every plan."""
FEW = {"battle", "capture"}
"""Kinds of rules for which standings don't say all that matters."""


def mixture(seed: int) -> tuple[Scenario, random.Random] | None:
    """Return a position, and the generator that drew it; None for those of other laws."""
    rng = random.Random(f"mixture {seed}")
    scenario = mixtures.mixed(rng)
    book = scenario.game.rulebook
    waits = any(book.lets_wait(unit) for unit in scenario.game.units.values())
    return None if book.rolled or waits else (scenario, rng)


def test_both_faces_find_the_same_things_wrong_with_a_plan() -> None:
    for scenario, rng in filter(None, map(mixture, SEEDS)):
        far = any(not way.plain for way in scenario.game.rulebook.ways)
        plan = Walker(scenario, rng, rng.choice((1, 0.9, 0.7)), far).plan()
        referee = Counter(violation.key for violation in Referee(scenario.game).play(plan, scenario.start).violations)
        assert Counter(violation.key for violation in judge(scenario, plan)) == referee, f"{scenario}:\n{plan}"


def test_the_best_plan_is_that_of_trying_every_plan_on_the_referee_alone() -> None:
    for seed in SEEDS:
        if (drawn := mixture(seed)) is None or drawn[0].game.rulebook.stacks:
            continue
        if FEW & {rule.kind for rule in drawn[0].game.rulebook.rules}:
            continue
        try:
            best = EveryPlan(drawn[0], CAP).best()
        except TooManyStatesError:
            continue
        result = Search(drawn[0]).run()
        assert (result.value or None) == best, f"{seed}:\n{result.plan}"
        assert result.status == ("infeasible" if best is None else "optimal"), f"{seed}"


@pytest.mark.thorough
def test_the_best_that_completes_wishes_is_that_of_trying_every_plan_on_the_referee_alone() -> None:
    """One unit is to end in one of two hexes, and another is left alone, where there is another."""
    settled = impossible = 0
    for seed in SEEDS:
        if (drawn := mixture(seed)) is None or drawn[0].game.rulebook.stacks:
            continue
        scenario, rng = drawn
        if FEW & {rule.kind for rule in scenario.game.rulebook.rules}:
            continue
        own = [unit for unit in scenario.game.friends if unit in scenario.start.at and scenario.game.may_be_moved(unit)]
        goes, *stays = rng.sample(sorted(own), min(len(own), 2))
        hexes = tuple(rng.sample(sorted(scenario.game.board.hexes), 2))
        try:
            every = list(EveryPlan(scenario, CAP).standings())
        except TooManyStatesError:
            continue
        fit = (value for at, mp, value in every if at.at.get(goes) in hexes and not mp.keys() & {*stays})
        best = max(fit, default=None)
        result = planner.complete(scenario, PartialPlan(ends=((goes, hexes),), stays=tuple(stays)))
        told = f"{seed}: {goes} -> {hexes}, {stays} stay, {best}, not {result.value}:\n{result.plan}"
        assert result.status == ("infeasible" if best is None else "optimal"), told
        assert (result.value or None) == best, told
        settled, impossible = settled + 1, impossible + (best is None)
    assert 0 < impossible < settled


@pytest.mark.thorough
def test_every_kind_comes_in_one_of_forty_positions_or_more() -> None:
    drawn = [mixtures.mixed(random.Random(f"mixture {seed}")).game.rulebook for seed in range(200)]
    number = Counter(kind for book in drawn for kind in {rule.id for rule in book.rules})
    assert all(number[kind] >= 5 for kind in mixtures.KINDS), number
