"""After an attack whose result is known: what it has brought counts, and what is left is the best of what may be done."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from planner.objective import Tally
from planner.objective.scoring import score_position, tier_values
from planner.plans.plan import Plan
from planner.playing.attacking import possible_results
from planner.referee.referee import Referee, tally_of
from planner.scenario import Scenario
from tests.conftest import sized
from tests.oracles.attack_plans import allotments, field
from tests.seeds import in_chunks
from tests.solving import searched

SEEDS = sized(20, 40, 600)


@in_chunks(SEEDS, 40)
def test_after_an_attack_a_search_finds_the_best_of_what_may_still_be_declared(seeds: range) -> None:
    settled = Counter[bool]()
    for seed in seeds:
        scenario = replace(field(seed), requirements=())
        for now in after_an_attack(scenario, random.Random(f"made {seed}")):
            best = the_best_declaration(now)
            told = f"seed {seed}, after {now.done.attacks}"
            assert searched(now) == best, told
            settled[best is not None] += 1
    assert settled[True] > len(seeds) / 4


@in_chunks(SEEDS, 40)
def test_what_may_come_of_an_attack_is_on_average_what_it_promised(seeds: range) -> None:
    """Where nothing but the attack itself is looked at: what the terms promise is what becomes of it, on average."""
    looked_at = {"enemy_losses", "own_losses", "emptied", "attack_results", "attack_odds", "weak_attacks"}
    settled = 0
    for seed in seeds:
        scenario = replace(field(seed), requirements=())
        game, rng = scenario.game, random.Random(f"promised {seed}")
        tiers = tuple(
            replace_terms
            for tier in scenario.tiers
            if (
                replace_terms := tier.model_copy(update={"terms": tuple(t for t in tier.terms if t.kind in looked_at)})
            ).terms
        )
        attacks = [some[0] for some in allotments(scenario, scenario.start) if len(some) == 1] if tiers else []
        for attack in rng.sample(attacks, min(2, len(attacks))):
            tally = tally_of(scenario.start, Plan((), (attack,)))
            promised = tier_values(tiers, score_position(game, tiers, scenario.start, tally))
            mean = [Fraction(0)] * len(tiers)
            for made, chance in possible_results(game, scenario.start, attack):
                position = scenario.start.copy()
                assert not Referee(game).make_attack(made, position)
                came = tier_values(tiers, score_position(game, tiers, position, tally_of(position)))
                mean = [total + chance * one for total, one in zip(mean, came, strict=True)]
            assert tuple(mean) == promised, f"seed {seed}: {attack}"
            settled += 1
    assert settled > len(seeds) / 3


def after_an_attack(scenario: Scenario, rng: random.Random) -> Iterator[Scenario]:
    """Yield a position after an attack, with a result, where there is a legal one."""
    attacks = [some for some in allotments(scenario, scenario.start) if some]
    if attacks:
        attack = rng.choice(rng.choice(attacks))
        results = [made for made, _ in possible_results(scenario.game, scenario.start, attack)]
        made = rng.choice(results)
        if not Referee(scenario.game).make_attack(made, scenario.start.copy()):
            yield scenario.after(Plan((), (made,)))


def the_best_declaration(now: Scenario) -> tuple[Fraction, ...] | None:
    """Return what the best way to attack after what has been done is worth, on the referee alone; nobody moves."""
    game, best = now.game.at_first, None
    if Referee(game).check_end(now.start):
        return None
    for attacks in allotments(replace(now, game=game), now.start):
        value = tier_values(now.tiers, score_position(game, now.tiers, now.start, Tally({}, attacks)))
        best = value if best is None else max(best, value)
    return best
