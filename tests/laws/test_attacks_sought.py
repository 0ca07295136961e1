"""What odds an attack can be brought to, by whatever moves: as every plan, tried one by one, has it."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Never, cast

import planner
from planner.explanation.attack_size import fewest_needed
from planner.explanation.attack_sought import Sought, sought
from planner.limits import Limits
from planner.objective import Tally, Tier
from planner.plans.plan import Plan
from planner.rules.attack_table import AttackRule
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position
from tests.conftest import sized
from tests.oracles.attack_plans import best_plan, field
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.rulebooks import with_rules
from tests.seeds import in_chunks

SEEDS = sized(2, 50, 500)
FEWEST = sized(6, 60, 600)
RAISED = sized(1, 50, 500)


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


class Sparing(Sought):
    """Is worth more the fewer have moved, or join from where they stand, so that an attack reaches a column."""

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        if super().score(game, position, tally) < self.full_at:
            return Fraction(0)
        [joined] = [{*one.attackers} for one in tally.attacks if one.hexes == self.attack.hexes]
        return Fraction(100 - len(joined.union(position.under_way).difference(self._still(position))))

    def _still(self, position: Position) -> set[str]:
        return {*self.attack.attackers} - position.under_way.keys()


@in_chunks(FEWEST, 60)
def test_no_fewer_than_it_takes_as_strengths_tell_bring_an_attack_to_its_odds(seeds: range) -> None:
    several = exact = 0
    for seed in seeds:
        rng, scenario = random.Random(f"fewest {seed}"), without_duties(field(seed))
        game, [rule] = scenario.game, scenario.game.rulebook.of(AttackRule)
        own = [unit for unit in game.homes if not game.is_enemy(unit)]
        hexes = rng.choice([game.homes[unit] for unit in game.homes if game.is_enemy(unit)])
        attack = DeclaredAttack((rng.choice(own),), (hexes,))
        for least in range(len(rule.columns)):
            term = Sparing(attack=attack, full_at=least + 1)
            tier = Tier.model_construct(terms=cast("tuple[Never, ...]", (term,)))
            try:
                best = best_plan(replace(scenario, requirements=(), tiers=(tier,)), 1_000)
            except TooManyStatesError:
                break
            assert best is not None
            if not best[0][0]:
                break
            size, needed = 100 - best[0][0], fewest_needed(scenario, rule, attack, least, Limits())
            assert needed <= size, f"seed {seed}: {attack} in column {least}: {best}"
            several += needed > 1
            exact += needed == size
    assert exact > len(seeds) / 4
    assert several or len(seeds) < 50


@in_chunks(RAISED, 50)
def test_what_raises_an_attack_that_can_be_made_does_so_and_nothing_does_only_where_no_plan_does(seeds: range) -> None:
    raised = hopeless = 0
    for seed in seeds:
        scenario = field(seed)
        game = scenario.game
        own, foes = ([unit for unit in game.homes if game.is_enemy(unit) == enemy] for enemy in (False, True))
        for attack in (DeclaredAttack((unit,), (game.homes[foe],)) for unit in own for foe in foes):
            found = planner.explain(scenario, str(attack), time_limit=None)
            if found.status != "possible" or found.odds is None or found.odds.lacking is None:
                continue
            [told], better = found.odds.told, found.odds.told[0].columns[1] + 1
            assert told == planner.check(scenario, Plan((), (attack,))).attacks[0]
            assert found.odds.settled, f"seed {seed}: {attack}"
            for remedy in found.odds.raising:
                [then] = planner.check(without_duties(scenario), remedy.plan).attacks
                assert then.columns[1] >= better, f"seed {seed}: {remedy.plan}"
                assert {*attack.attackers} <= {*then.attack.attackers}
            raised += bool(found.odds.raising)
            if not found.odds.raising:
                term = Sought(attack=attack, full_at=better + 1)
                tier = Tier.model_construct(terms=cast("tuple[Never, ...]", (term,)))
                try:
                    best = best_plan(replace(without_duties(scenario), requirements=(), tiers=(tier,)), 1_000)
                except TooManyStatesError:
                    continue
                assert best is not None
                assert best[0][0] <= better, f"seed {seed}: {attack}: {best}"
                hopeless += 1
    assert raised or len(seeds) < 50
    assert hopeless or len(seeds) < 50


def without_duties(scenario: Scenario) -> Scenario:
    [rule] = scenario.game.rulebook.of(AttackRule)
    free = rule.model_copy(update={"must_attack": None, "must_be_attacked": None})
    rules = [free if one is rule else one for one in scenario.game.rulebook.rules]
    return with_rules(scenario, rules)
