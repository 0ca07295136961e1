"""Whether a hex is crowded as a phase ends is asked once of each stack where the same limit holds."""

from __future__ import annotations

import random

import pytest

import planner
from planner.rules.kinds.stacking import Stacking
from planner.world.position import Position


@pytest.mark.parametrize("name", ["crossroads/start", "ocs/breakthrough", "dai_senso/hopeh"])
def test_nothing_crowded_is_passed_over(name: str) -> None:
    """Of 60 positions, one after the other, in which units are thrown together, each hex tells what it tells by itself."""
    game, rng = planner.load(name).game, random.Random(7)
    rules = [rule for rule in game.rulebook.rules if isinstance(rule, Stacking)]
    position, found = Position(game.homes), 0
    some = rng.sample(sorted(game.board.hexes), 3)
    for _ in range(60):
        position = position.copy()
        for unit in rng.sample(sorted(position.at), 3):
            position.move(unit, rng.choice([*some, *some, rng.choice([*position.at.values()])]))
        for rule in rules:
            alone = [
                one
                for label in game.board.hexes
                for one in rule._crowded(game, label, position.units_in(label))
                if not rule.phases or game.situation.phase in rule.phases
            ]
            assert [one for _, one in rule.check_end(game, position)] == alone
            found += len(alone)
    assert found
