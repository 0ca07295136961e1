"""What an overrun by several units comes to on a board."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import JointlyOverruns
from tests.plain_game import FORCES, JOINT, Variant, build

TABLE = '[{ odds = "1:1", chance = "1/3" }, { odds = "2:1", chance = "1/2" }, { odds = "3:1", chance = 1 }]'
RULES = JOINT.replace('[{ odds = "1:1", chance = "1/2" }]', TABLE)
MODIFIED = '[[rule.modifiers]]\nof = "attack"\nunits = {}\nwhere = { terrain = "hill" }\ntimes = 2\n'
SUPPORT = '[rule.support]\nparagraph = "support"\nunits = { types = "train" }\nrange = 1\n'


@pytest.mark.parametrize(
    ("more", "turns", "rows", "best"),
    [
        ("", "", ". . . . .\n", Fraction(1, 2)),  # 2 and 3 to 2
        ("most_units = 1\n", "", ". . . . .\n", Fraction(1, 3)),  # 3 to 2
        ("most_units = 1\nattempts = 2\n", "", ". . . . .\n", Fraction(5, 9)),  # 1 - (2/3)²
        (MODIFIED, "", ". . h . .\n", Fraction(1)),  # 10 to 2
        (SUPPORT, "waiting = {}\n", ". . . . .\n", Fraction(1)),  # 6 to 2: t may come within range
    ],
)
def test_the_likeliest_overrun_on_a_board_is_that_of_the_strongest_units_wherever_they_stand(
    tmp_path: Path, more: str, turns: str, rows: str, best: Fraction
) -> None:
    units = ("foot a 01.01 2-2-4", "foot b 05.01 3-2-4", "train t 01.01 1-1-3")
    rules = RULES.replace('paragraph = "overrun"\n', 'paragraph = "overrun"\nby = { types = "foot" }\n')
    printed = FORCES.replace('["strength", "ma"]', '["attack", "defense", "ma"]')
    stacks = turns or "stacks = true\n"
    variant = Variant("odds", rules + more, "", units, ("guard e 03.02 0-2-0",), rows * 6, turns=stacks, forces=printed)
    scenario = build(variant, tmp_path)
    [rule] = scenario.game.rulebook.of(JointlyOverruns)
    assert rule.best_chance(scenario.game) == best
    assert ConditionalReach(scenario.game).relies_on_rolls == (best == 1)


def test_a_table_whose_chances_fall_as_odds_rise_is_refused(tmp_path: Path) -> None:
    """Whoever is stronger is nowhere less likely to get through: what can't be had is told by that."""
    falling = RULES.replace('odds = "3:1", chance = 1', 'odds = "3:1", chance = "1/4"')
    with pytest.raises(InputError, match="the chances of results mustn't fall as odds rise"):
        build(Variant("falling", falling), tmp_path)
