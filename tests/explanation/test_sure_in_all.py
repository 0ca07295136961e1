"""Overruns of which none is sure, where more is asked besides, or the phase is in progress.

a and b, who can overrun 03.02 from 02.01, are at most 5 to e's 2 together; b alone is 3 to k's 1 in 02.02, beside it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.scenario import Scenario
from tests.plain_game import FORCES, Variant, build

RULES = """
[[rule]]
id = "overruns"
kind = "joint_overrun"
paragraph = "overrun"
by = { types = "foot" }
most_units = 2
results = [{ odds = "1:1", chance = "1/3" }, { odds = "3:1", chance = 1 }]
eliminated_to = [{ box = "dead" }]
[[rule]]
id = "enemies"
kind = "entry_restriction"
paragraph = "enemies"
enemy_units = {}
unless_overrun = true
"""
NEVER = "no overrun of 03.02 is sure to go through: the 2 strongest together would come to {} to 2, "
NEVER += "and dice decide"
AGAIN = "nobody can try 03.02 again: an overrun of it has failed in this phase"


def board(folder: Path) -> Scenario:
    units = ("foot a 01.01 2-2-4", "foot b 01.02 3-2-4", "foot s 02.04 1-1-6", "train t 01.01 1-1-3")
    printed = FORCES.replace('["strength", "ma"]', '["attack", "defense", "ma"]')
    enemies = ("guard e 03.02 0-2-0", "guard k 02.02 0-1-0")
    return build(Variant("sure", RULES, units=units, enemies=enemies, turns="stacks = true\n", forces=printed), folder)


def told(found: planner.Explanation) -> list[str]:
    assert found.complete
    [reason] = found.reasons
    assert reason.confirmed
    assert reason.minimal
    return [one.message for one in reason.instances]


@pytest.mark.parametrize("more", [pytest.param("eliminate k", marks=pytest.mark.thorough), "t to 02.02", "s to 02.03"])
def test_that_an_overrun_is_never_sure_is_needed_whatever_is_asked_besides(tmp_path: Path, more: str) -> None:
    """Without the rule of overruns a may go for e, and whoever is asked about where he is to go, or for k."""
    found = planner.explain(board(tmp_path), require=["eliminate e", more], time_limit=None)
    assert told(found) == [NEVER.format(5)]
    assert found.question.endswith(", for certain")


def test_that_a_unit_may_not_walk_in_is_needed_where_another_is_to_go_elsewhere(tmp_path: Path) -> None:
    found = planner.explain(board(tmp_path), require="a to 03.02 and s to 02.02", time_limit=None)
    assert told(found) == ["a may not enter 03.02: it holds e", NEVER.format(5)]


def test_two_who_are_to_end_in_the_hex_may_walk_in_one_after_the_other(tmp_path: Path) -> None:
    found = planner.explain(board(tmp_path), require="a to 03.02 and b to 03.02", time_limit=None)
    assert told(found) == ["a may not enter 03.02: it holds e", NEVER.format(5)]


@pytest.mark.thorough
def test_a_hex_whose_overrun_has_failed_is_not_said_to_be_a_matter_of_dice(tmp_path: Path) -> None:
    after = board(tmp_path).after(["a 01.01-02.01!03.02"])
    for goals in ("eliminate e", "eliminate e and eliminate k"):
        found = planner.explain(after, require=goals, time_limit=None)
        assert told(found) == [AGAIN]
        assert found.question == goals


@pytest.mark.thorough
def test_who_has_moved_is_not_among_the_strongest_unless_it_may_go_on(tmp_path: Path) -> None:
    """B's move is over once a has moved, who may go on: 2 and 1 are left."""
    scenario = board(tmp_path)
    for moves, left in ((["b 01.02-01.03"], 5), (["b 01.02-01.03", "a 01.01-01.02"], 3)):
        found = planner.explain(scenario.after(moves), require="eliminate e", time_limit=None)
        assert told(found) == [NEVER.format(left)]
