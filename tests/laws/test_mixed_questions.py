"""Mixtures of rules that no game has together: alternatives and defenses are what trying every plan comes to.

Units move one by one here, and nothing is rolled.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from planner.defense.search import defend
from planner.objective.scoring import Value, score, tier_values
from planner.referee.plan_facts import Substance, facts_of
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.search.alternatives import Alternatives
from planner.search.alternatives_search import AlternativesSearch
from planner.solver.model import what_matters
from tests.conftest import sized
from tests.defense.test_defense import every_placement, hexes_for, in_order, named, rebuilt
from tests.laws.test_mixtures import CAP, FEW, mixture
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.every_plan import EveryPlan
from tests.oracles.substances import essential

SEEDS = sized(range(20), range(45), range(3_000))
STANDINGS = sized(60, 60, CAP)
"""Positions with more of them are passed over."""
LONGEST = 12
"""The most steps of a path: along roads some are free."""
COUNT = 4
SHARES = (Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1))

Known = dict[Substance, set[Value]]


def positions() -> Iterator[tuple[int, Scenario, Random]]:
    """Yield the positions in which standings say all that matters."""
    for seed in SEEDS:
        if (drawn := mixture(seed)) is not None:
            book = drawn[0].game.rulebook
            if not (book.stacks or FEW & {rule.kind for rule in book.rules}):
                yield seed, *drawn


def every_substance(scenario: Scenario) -> Known:
    """Return what every plan comes to, with all that this may be worth; nothing where the position is too large."""
    known: Known = {}
    try:
        for position, mp, value in EveryPlan(scenario, STANDINGS, LONGEST).standings():
            known.setdefault(facts_of(scenario.game, position, mp), set()).add(value)
    except TooManyStatesError:
        return {}
    return known


def ensure_legal(scenario: Scenario, found: Alternatives) -> None:
    for plan in found.plans:
        assert plan.result.plan is not None
        verdict = Referee(scenario.game).play(plan.result.plan, scenario.start)
        assert verdict.legal
        assert all(verdict.meets(term, scenario.game) for term in scenario.requirements)
        assert tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict)) == plan.result.value


@pytest.mark.thorough
def test_the_best_plans_that_differ_in_substance_are_those_of_trying_every_plan() -> None:
    settled = 0
    for seed, scenario, _ in positions():
        best = essential({substance: max(values) for substance, values in every_substance(scenario).items()})
        if not best:
            continue
        settled += 1
        found = AlternativesSearch(scenario).best(COUNT)
        ensure_legal(scenario, found)
        told = [(plan.result.value, plan.substance) for plan in found.plans]
        assert [value for value, _ in told] == [value for value, _ in best[:COUNT]], f"seed {seed}"
        assert len(set(told)) == len(told), f"seed {seed}"
        assert set(told) <= set(best), f"seed {seed}"
        assert found.proved, f"seed {seed}"
        assert (len(best) < COUNT) <= found.exhausted <= (len(best) <= COUNT), f"seed {seed}"
    assert settled > len(SEEDS) / 10


@pytest.mark.thorough
def test_each_of_diverse_plans_is_as_far_from_those_before_it_as_any_that_is_good_enough() -> None:
    apart = 0
    for seed, scenario, rng in positions():
        if not (known := every_substance(scenario)):
            continue
        share, places = rng.choice(SHARES), what_matters(scenario)
        found = AlternativesSearch(scenario).diverse(3, share)
        ensure_legal(scenario, found)
        first, *others = found.plans
        assert first.result.value == max(map(max, known.values())), f"seed {seed}"
        least = [value - share * abs(value) for value in first.result.value]
        fit = {
            substance: [value for value in values if all(a >= b for a, b in zip(value, least, strict=True))]
            for substance, values in known.items()
        }
        good, chosen = {substance: max(values) for substance, values in fit.items() if values}, [first.substance]
        for plan in (*others, None):
            away = {substance: min(substance.distance(one, places) for one in chosen) for substance in good}
            farthest = max(away.values())
            if plan is None:
                assert len(chosen) == 3 or (farthest == 0 and found.exhausted), f"seed {seed}"
                assert not (farthest and found.exhausted), f"seed {seed}"
                break
            assert plan.distance == away[plan.substance] == farthest, f"seed {seed}"
            worth = max(value for substance, value in good.items() if away[substance] == farthest)
            assert (plan.result.status, plan.result.value) == ("optimal", worth), f"seed {seed}"
            chosen.append(plan.substance)
            apart += 1
    assert apart > len(SEEDS) / 10


@pytest.mark.thorough
def test_the_placements_that_hold_or_are_worst_for_the_enemy_are_those_of_trying_every_plan() -> None:
    """One enemy may be placed in one of two hexes; where nothing else is asked for, to hold one of them is, at times."""
    settled = held = 0
    for seed, scenario, rng in positions():
        data = copy.deepcopy(dict(scenario.data))
        foes = [unit["id"] for unit in data["unit"] if unit["side"] == "north"]
        hexes = hexes_for(scenario, foe := rng.choice(foes), rng, 2) if foes else []
        if not hexes:
            continue
        data["defense"] = {"place": [{"units": [foe], "hexes": hexes}]}
        if "require" not in data and rng.random() < 0.3:
            data["require"] = [{"kind": "hold", "hexes": hexes[0]}]
        tried = []
        try:
            for places in every_placement(data):
                placed = rebuilt(data, places)
                free = EveryPlan(replace(placed, requirements=()), STANDINGS, LONGEST).best()
                achieved = bool(placed.requirements) and EveryPlan(placed, STANDINGS, LONGEST).best() is not None
                tried.append((places, None if free is None else free[:1], achieved))
        except TooManyStatesError:
            continue
        worth = [value for _, value, _ in tried if value is not None]
        if len(worth) < len(tried):
            continue  # under some, the enemy has no legal plan at all
        found = defend(build_scenario(copy.deepcopy(data), f"mixture {seed}"), every=True)
        holds = [places for places, _, achieved in tried if not achieved] if "require" in data else []
        wanted = holds or [places for places, value, _ in tried if value == min(worth)]
        assert found.status == ("holds" if holds else "best"), f"seed {seed}"
        assert found.complete, f"seed {seed}"
        assert in_order(named(found, data)) == in_order(wanted), f"seed {seed}"
        assert all(one.confirmed for one in found.accepted), f"seed {seed}"
        assert holds or all(one.value == min(worth) for one in found.accepted), f"seed {seed}"
        settled, held = settled + 1, held + bool(holds)
    assert 0 < held < settled
