"""Moves and attacks together: a search finds the best of all plans, whatever the rule of attacks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from planner.limits import Limits
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search import tier_by_tier
from planner.search.search import Search
from planner.solver.cp_sat import cp_model
from planner.solver.plan_judge import judge
from planner.solver.reduced_costs import keep_to_best
from planner.solver.side_constraints import Conditions
from planner.solver.tuning import ReducedCosts
from planner.world.declared_attack import DeclaredAttack
from tests.conftest import DEEP, sized
from tests.oracles.attack_plans import best_plan, field
from tests.oracles.brute_force import TooManyStatesError
from tests.seeds import in_chunks
from tests.solving import searched

SEEDS = sized(3, 306, 1_000)
CAP = 20_000 if DEEP else 1_000
FIELDS = sized(12, 100, 2_000)
SETTLED = sized(2, 40, 500)
KEPT = sized(2, 60, 500)
DECLARED = 20 if DEEP else 5


def compared(drawn: Iterable[tuple[int, Scenario]], cap: int) -> tuple[int, int]:
    """Hold what searches find against the best of all plans; return how many were settled, and how many of these attack."""
    settled = attacking = 0
    for seed, scenario in drawn:
        try:
            best = best_plan(scenario, cap)
        except TooManyStatesError:
            continue
        settled += 1
        value, told = best or (None, "")
        attacking += "->" in told
        assert searched(scenario) == value, f"seed {seed}: {told}"
    return settled, attacking


@in_chunks(SEEDS, 100)
def test_a_search_finds_the_best_moves_and_attacks_together(seeds: range) -> None:
    settled, attacking = compared(((seed, field(seed)) for seed in seeds), CAP)
    assert settled >= 0.98 * len(seeds)
    assert attacking > settled / 4


@in_chunks(KEPT, 100)
def test_a_search_that_tells_each_tier_what_the_best_plans_so_far_have_in_common_finds_the_best(
    seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it does where a tier took some time to prove."""
    said: Counter[bool] = Counter()

    def counted(model: cp_model.CpModel, value: int, limits: Limits) -> None:
        before = len(model.proto.constraints)
        keep_to_best(model, value, limits)
        said[len(model.proto.constraints) > before] += 1

    monkeypatch.setattr(ReducedCosts, "worthwhile", 0.0)
    monkeypatch.setattr(tier_by_tier, "keep_to_best", counted)
    settled, _ = compared(((seed, field(seed)) for seed in seeds), CAP)
    assert settled > len(seeds) / 2
    assert said[True] > said.total() / 4


@in_chunks(SETTLED, 100)
def test_a_search_completes_attacks_that_are_settled_in_the_best_way(seeds: range) -> None:
    """Attacks of some plan, or less than it declares, or by fewer; others may be made besides, or none."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        scenario, rng = field(seed), random.Random(f"settled {seed}")
        every: dict[tuple[DeclaredAttack, ...], None] = {}
        try:
            best_plan(scenario, CAP, lambda attacks, every=every: every.setdefault(attacks) is None)  # type: ignore[misc]
        except TooManyStatesError:
            continue
        several = [attacks for attacks in every if attacks]
        for _ in range(2 if several else 0):
            drawn = list(rng.choice(several))
            partial = PartialPlan(attacks=tuple(drawn[: rng.randint(1, len(drawn))]), closed=rng.random() < 0.4)
            if len(partial.attacks[0].attackers) > 1 and rng.random() < 0.3:
                fewer = replace(partial.attacks[0], attackers=partial.attacks[0].attackers[1:])
                partial = replace(partial, attacks=(fewer, *partial.attacks[1:]))

            def allowed(attacks: tuple[DeclaredAttack, ...], partial: PartialPlan = partial) -> bool:
                made = {(frozenset(one.attackers), frozenset(one.hexes), frozenset(one.defenders)) for one in attacks}
                must = {(frozenset(a.attackers), frozenset(a.hexes), frozenset(a.defenders)) for a in partial.attacks}
                return must <= made and (not partial.closed or must == made)

            best = best_plan(scenario, CAP, allowed)
            found = Search(scenario, conditions=Conditions(partial)).run()
            assert found.status == ("infeasible" if best is None else "optimal"), f"seed {seed}: {partial}"
            assert found.value == (() if best is None else best[0]), f"seed {seed}: {partial}"
            seen[found.status] += 1
    assert seen["optimal"] > sum(seen.values()) / 3


@in_chunks(FIELDS, 50)
def test_both_faces_find_the_same_wrong_with_attacks_that_are_declared(seeds: range) -> None:
    found: Counter[bool] = Counter()
    for seed in seeds:
        scenario, rng = field(seed), random.Random(f"declared {seed}")
        for attacks in declared(scenario, rng):
            plan = Plan((), attacks)
            told = Counter(
                (*one.key, one.attack) for one in Referee(scenario.game).play(plan, scenario.start).violations
            )
            judged = Counter((*one.key, one.attack) for one in judge(scenario, plan))
            assert judged.keys() == told.keys(), f"seed {seed}: {' / '.join(map(str, attacks))}"
            found[not told] += 1
    assert min(found[True], found[False]) > sum(found.values()) / 20


def declared(scenario: Scenario, rng: random.Random) -> Iterator[tuple[DeclaredAttack, ...]]:
    """Yield some attacks, most of which break a rule."""
    game, everybody = scenario.game, list(scenario.game.homes)
    own = [unit for unit in everybody if not game.is_enemy(unit)]
    hexes = sorted({game.homes[unit] for unit in everybody if game.is_enemy(unit)})
    for _ in range(DECLARED):
        found = []
        for _ in range(rng.choice((0, 1, 1, 2))):
            where = tuple(rng.sample(hexes, min(len(hexes), rng.choice((1, 1, 2)))))
            if rng.random() < 0.05:
                where = (rng.choice(sorted(game.board.hexes)),)
            who = rng.sample(own, rng.randint(1, len(own)))
            if rng.random() < 0.05:
                who = [rng.choice(everybody)]
            there = [unit for label in where for unit in game.enemies_at(label)]
            named = tuple(rng.sample(there, 1)) if there and rng.random() < 0.2 else ()
            found.append(DeclaredAttack(game.sorted(who), where, named))
        yield tuple(found)
