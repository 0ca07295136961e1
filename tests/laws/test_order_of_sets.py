"""Answers don't depend on the order of sets, which Python draws anew for each process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import sized

FEW = ("made up:1",)
MORE = (
    *FEW,
    "dai_senso/puzzles/room_in_the_redoubt",
    "attacks:1",
    "classic_hex/no_way_out",
    "at sea:1",
    "other rules:1",
    "dai_senso/manchuria",
)
POSITIONS = sized(FEW, MORE, (*MORE, "escorts:1", "stacks:1", "skirmishes:1", "ocs/carpet"))

TOO_WEAK = """
import planner
from planner.explanation.too_weak import too_weak
from planner.rules.combat_roles import JointlyOverruns
game = planner.load("a_world_at_war/through_the_line").game
print(too_weak(game, game.rulebook.of(JointlyOverruns)[0], "L7").claim.units)
"""

MODELS = """
import planner
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights
from planner.search.combat_bound import CombatBound
for name in ("no_way_out", "three_battles"):
    scenario = planner.load("classic_hex/" + name)
    [rule] = scenario.game.rulebook.of(Fights)
    bound = CombatBound(scenario, ConditionalReach(scenario.game), rule)
    held = sorted(filter(scenario.game.enemies_at, scenario.game.homes.values()))
    print([list(bound._loose.combats(label).refuges) for label in held])
    print(bound.model.proto)
"""


def said(seed: int, *words: str) -> str:
    """Return what a process prints whose sets are in the order of a seed."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    run = subprocess.run([sys.executable, *words], env=environment, check=True, capture_output=True, text=True)
    return run.stdout


def test_every_answer_is_the_same_whatever_the_order_of_sets() -> None:
    one, other = (said(seed, "-m", "tests.oracles.told", *POSITIONS) for seed in (1, 2))
    assert len(one.splitlines()) > 5 * len(POSITIONS)
    assert one == other


@pytest.mark.thorough
def test_the_strongest_of_whom_several_are_as_strong_are_the_first_of_the_scenario() -> None:
    """Beside panzer_1, of strength 6, any of four panzers of strength 5 was named, another one in each process."""
    assert {said(seed, "-c", TOO_WEAK) for seed in range(3)} == {"('panzer_1', 'panzer_2')\n"}


@pytest.mark.thorough
def test_what_a_bound_on_combats_is_made_of_is_in_one_order() -> None:
    told = {said(seed, "-c", MODELS) for seed in (1, 2)}
    assert len(told) == 1
    assert "0" in told.pop()
