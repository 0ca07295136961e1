"""Every declaration of attacks in random positions: referee and an oracle written apart agree on legality and results."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from planner.rules.attack_referee import AttackReferee, attack_rule
from planner.scenario import Scenario
from tests.conftest import DEEP
from tests.oracles.attack_declarations import FAMILIES, Board, draw, written

SEEDS = 125 if DEEP else 15
"""Positions of each of the four families."""


def compare(scenario: Scenario, board: Board | None = None) -> Counter[str]:
    """Hold referee and oracle, which may read another rule, against each other in a position; return what was seen."""
    board, seen = board or Board(scenario), Counter[str]()
    rule = attack_rule(scenario.game)
    assert rule is not None
    judge = AttackReferee(rule, scenario.game, scenario.start)
    known: set[object] = set()
    for declaration in board.declarations():
        attacks = written(declaration)
        legal = board.legal(declaration)
        faults = judge.check(attacks)
        assert (not faults) == legal, f"{list(map(str, attacks))}: {[one.finding.message for one in faults]}"
        seen["legal" if legal else "illegal"] += 1
        for (attackers, hexes), attack in zip(declaration, attacks, strict=True):
            if (attackers, hexes) in known:
                continue
            known.add((attackers, hexes))
            told = judge.assess(attack)
            assert {one.code: one.probability for one in told.results} == board.chances(attackers, hexes), str(attack)
            for one in told.results:
                lost = {**dict(one.own.steps), **dict(one.enemy.steps)}
                assert lost == board.losses(attackers, hexes, one.code), f"{attack}={one.code}"
                dead = {unit for unit, steps in lost.items() if steps == scenario.game.units[unit].steps}
                assert dead == {*one.own.eliminated, *one.enemy.eliminated}
                seen["results"] += 1
                seen["losses"] += bool(lost)
            seen["shifted"] += bool(told.shifts)
            seen["several hexes"] += len(hexes) > 1
    return seen


@pytest.mark.parametrize("family", FAMILIES)
def test_all_declarations_and_results_agree_with_an_oracle(family: str) -> None:
    seen = Counter[str]()
    for seed in range(SEEDS):
        seen += compare(draw(family, random.Random(f"{family} {seed}")))
    assert min(seen[what] for what in ("legal", "illegal", "results", "losses", "shifted", "several hexes")) >= SEEDS, (
        seen
    )
