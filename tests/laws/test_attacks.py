"""Every declaration of attacks in random positions: referee and an oracle written apart agree on legality and results."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from planner.rules.attack_referee import AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.scenario import Scenario
from tests.conftest import long_ones, sized
from tests.oracles.attack_declarations import FAMILIES, Board, draw, written

SEEDS = sized(60, 125, 1_000)
"""Positions of each of the four families: 500 in all."""

OFTEN = ("legal", "illegal", "allowed", "forbidden", "results", "losses", "shifted", "entered")


def compare(scenario: Scenario, board: Board | None = None) -> Counter[str]:
    """Hold referee and oracle, which may read another rule, against each other in a position; return what was seen.

    Every attack by itself, and every way to declare several of those that are allowed: what else is declared is forbidden
    for the same reason.
    """
    board, seen = board or Board(scenario), Counter[str]()
    rule = attack_rule(scenario.game)
    assert rule is not None
    judge = AttackReferee(rule, scenario.game, scenario.start)
    for attackers, aim in board.attacks():
        [attack], allowed = written([(attackers, aim)]), board.allowed(attackers, aim)
        faults = [one.finding.message for one in judge.check((attack,)) if one.attack == 0]
        assert (not faults) == allowed, f"{attack}: {faults}"
        seen["allowed" if allowed else "forbidden"] += 1
        if not allowed:
            continue
        told = judge.assess(attack)
        assert {one.code: one.probability for one in told.results} == board.chances(attackers, aim), str(attack)
        for one in told.results:
            lost = {**dict(one.own.steps), **dict(one.enemy.steps)}
            assert (lost, {*one.emptied}, {*one.enterable}) == board.outcome(attackers, aim, one.code), attack
            dead = {unit for unit, steps in lost.items() if steps == scenario.game.units[unit].steps}
            assert dead == {*one.own.eliminated, *one.enemy.eliminated}
            seen["results"] += 1
            seen["losses"] += bool(lost)
            seen["entered"] += bool(one.enterable)
        seen["shifted"] += bool(told.shifts)
        seen["several hexes"] += len(aim[0]) > 1
        seen["apart"] += bool(aim[1])
    for declaration in board.declarations():
        legal, together = board.legal(declaration), written(declaration)
        found = [one.finding.message for one in judge.check(together)]
        assert (not found) == legal, f"{list(map(str, together))}: {found}"
        seen["legal" if legal else "illegal"] += 1
    return seen


@pytest.mark.parametrize("family", long_ones(FAMILIES, "artillery", "mandatory"))
def test_all_declarations_and_results_agree_with_an_oracle(family: str) -> None:
    seen = Counter[str]()
    for seed in range(SEEDS):
        seen += compare(draw(family, random.Random(f"{family} {seed}")))
    assert min(seen[what] for what in OFTEN) >= SEEDS / 5, seen
    assert min(seen["several hexes"], seen["apart"]) > 0, seen
