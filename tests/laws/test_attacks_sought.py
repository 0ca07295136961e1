"""What odds an attack can be brought to, by whatever moves: as every plan, tried one by one, has it."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Never, cast

from planner.explanation.attack_sought import Sought, sought
from planner.limits import Limits
from planner.objective import Tier
from planner.rules.attack_table import AttackRule
from planner.scenario import Scenario
from planner.world.declared_attack import DeclaredAttack
from tests.conftest import sized
from tests.oracles.attack_plans import best_plan, field
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.rulebooks import with_rules
from tests.seeds import in_chunks

SEEDS = sized(5, 50, 500)


@in_chunks(SEEDS, 50)
def test_the_best_odds_of_an_attack_are_those_of_the_best_plan(seeds: range) -> None:
    settled = made = 0
    for seed in seeds:
        rng, scenario = random.Random(f"sought {seed}"), field(seed)
        game = scenario.game
        own = [unit for unit in game.homes if not game.is_enemy(unit)]
        hexes = rng.choice([game.homes[unit] for unit in game.homes if game.is_enemy(unit)])
        attack = DeclaredAttack(game.sorted(rng.sample(own, min(len(own), rng.randint(1, 2)))), (hexes,))
        [rule] = game.rulebook.of(AttackRule)
        term = Sought(attack=attack, full_at=len(rule.columns))
        tier = Tier.model_construct(terms=cast("tuple[Never, ...]", (term,)))
        try:
            best = best_plan(replace(without_duties(scenario), requirements=(), tiers=(tier,)), 1_000)
        except TooManyStatesError:
            continue
        assert best is not None
        settled += 1
        [value] = best[0]
        made += value > 0
        for least in range(len(rule.columns)):
            possible, plan = sought(scenario, attack, least, Limits())
            assert possible == (value > least), f"seed {seed}: {attack} in column {least}: {best}"
            assert (plan is None) == (value == 0), f"seed {seed}: {attack}"
    assert settled > len(seeds) / 2
    assert made > settled / 4


def without_duties(scenario: Scenario) -> Scenario:
    [rule] = scenario.game.rulebook.of(AttackRule)
    free = rule.model_copy(update={"must_attack": None, "must_be_attacked": None})
    rules = [free if one is rule else one for one in scenario.game.rulebook.rules]
    return with_rules(scenario, rules)
