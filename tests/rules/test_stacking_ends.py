"""Whether a hex is crowded as a phase ends is asked once of each stack where the same limit holds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import planner
from planner.rules.kinds.stacking import Stacking
from planner.world.position import Position
from tests.plain_game import LIMIT, Variant, build


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


def test_what_a_limit_is_about_is_called_by_its_name_whatever_words_this_has(tmp_path: Path) -> None:
    """A name with "stay" and "holds" in it came out as "be there-behind" and "would hold"."""
    limit = LIMIT + 'when = "always"\nlimits = []\nat_most = [{ name = "stay-behind", units = {}, at_most = 1 }]\n'
    scenario = build(Variant("names", limit, units=("foot f 03.01 9", "foot g 03.02 9")), tmp_path)
    assert [one.message for one in planner.check(scenario, "f 03.01-03.02").violations] == [
        "03.02 would hold 2 stay-behind units, at most 1 may be there",
        "03.02 holds 2 stay-behind units, at most 1 may stay",
    ]
