"""Of plans that are worth the same, the shortest is shown: the fewest lines, then the least MP."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.objective import Tier
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Hold
from planner.objective.scoring import values_of
from planner.referee.verdict import Verdict
from planner.scenario import Scenario
from planner.search.plan_pool import length
from planner.search.search import Search
from tests.conftest import DEEP
from tests.instances import instance
from tests.oracles.brute_force import TooManyStatesError, best_value
from tests.oracles.positions import drawn
from tests.oracles.skirmishes import skirmish, sorties
from tests.plain_game import FORCES, Variant, build

POSITIONS = 2_000 if DEEP else 16
SKIRMISHES = 200 if DEEP else 8


def shortest(scenario: Scenario) -> tuple[int, Fraction] | None:
    """Return the lines and the MP of the shortest of the best plans, by brute force; None without a plan, or too many."""
    more = (Tier(terms=(UnitsMoved(kind="units_moved"),)), Tier(terms=(MpSpent(kind="mp_spent"),)))
    try:
        value = best_value(replace(scenario, tiers=(*scenario.tiers, *more)), 4_000)
    except TooManyStatesError:
        return None
    return None if value is None else (-int(value[-2]), -value[-1])


@pytest.mark.thorough
def test_where_no_tier_counts_mp_the_plan_is_the_shortest_of_all_that_are_worth_as_much() -> None:
    compared = longer = 0
    for seed in range(POSITIONS):
        scenario = drawn(seed).scenario
        tiers = tuple(tier for tier in scenario.tiers if not any(term.counts_mp for term in tier.terms))
        if not tiers or scenario.game.removable:
            continue
        scenario = replace(scenario, tiers=tiers)
        known = shortest(scenario)
        if known is None:
            continue
        found = Search(scenario).run()
        assert found.plan is not None, f"seed {seed}"
        assert found.verdict is not None
        assert found.status == "optimal"
        assert length(scenario.game, found.plan, found.verdict) == known, f"seed {seed}: {found.plan}"
        compared, longer = compared + 1, longer + (known[0] > 1)
    print(f"{compared} positions, {longer} with plans of several lines")
    assert compared >= POSITIONS / 4
    assert longer >= POSITIONS / 12


@pytest.mark.thorough
def test_where_units_fight_the_plan_is_the_shortest_of_all_that_are_worth_as_much() -> None:
    """Each step is a move to the oracle: units that move, and MP, are compared."""
    compared = 0
    for seed in range(SKIRMISHES):
        scenario, _ = skirmish(seed)
        scenario = replace(scenario, tiers=scenario.tiers[:1])
        try:
            every = list(sorties(scenario, 150))
        except TooManyStatesError:
            continue
        found = Search(scenario).run()
        assert found.verdict is not None

        def shape(verdict: Verdict) -> tuple[int, Fraction]:
            return len(verdict.tally.mp), sum(verdict.tally.mp.values(), Fraction(0))

        known = [shape(one) for _, one in every if values_of(scenario.game, scenario.tiers, one) == found.value]
        assert shape(found.verdict) <= min(known), f"seed {seed}: {found.plan}"
        compared += 1
    assert compared >= SKIRMISHES / 2


@pytest.mark.thorough
@pytest.mark.parametrize(("family", "size"), [("dense", "20/tiers=1"), ("dense", "40/tiers=1"), ("joint", "8")])
def test_one_worker_and_one_seed_come_to_the_same_plan(family: str, size: str) -> None:
    first, second = (planner.suggest(instance(family, size, 0)) for _ in range(2))
    assert first.plan is not None
    assert first.plan == second.plan
    assert first.value == second.value


COMBAT = """
[[rule]]
id = "combat"
kind = "combat_on_entry"
paragraph = "combat"
demoralized = "demoralized"
eliminated_to = [{ box = "dead" }]
columns = [{ from_percent = -100, entries = [[1, 0], [0, 1], [0, 1]] }]
"""


def test_who_may_wait_goes_to_a_combat_in_one_move_with_it(tmp_path: Path) -> None:
    """The way to it, as a move of its own, would be a line more."""
    forces = f'{FORCES}unit_types.shaken = {{ traits = ["demoralized"] }}\n'
    variant = Variant(
        "approach", COMBAT, units=("foot f 03.01 3",), enemies=("foot e 03.03",), turns="waiting = {}\n", forces=forces
    )
    taken = Tier(terms=(Hold(kind="hold", hexes=("03.03",)),))
    found = planner.suggest(replace(build(variant, tmp_path), tiers=(taken,)), time_limit=20)
    assert found.plan is not None
    [line] = found.plan.lines
    assert line.endswith("x03.03")
