"""Carriers: each of several units that are carried takes a berth of its own, whoever moves with it, and whenever."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from tests.plain_game import Variant, build

FERRY = '[[rule]]\nid = "ferry"\nkind = "transport"\nparagraph = "ferry"\ntakes = 1\nprocedure = "hex_to_hex"\n'
FERRY += 'embark = [{ traits = "port" }]\ndebark = [{ traits = "port" }]\n'
STACKS, WAITING = "stacks = true\n", "waiting = {}\n"
Harbour = Callable[..., Scenario]


@pytest.fixture
def harbour(tmp_path: Path) -> Harbour:
    """Return what builds three ports on two seas, two units of 4 MP in the first of them, and boats in some seas."""

    def built(turns: str, *seas: str) -> Scenario:
        ports = "03.01 03.03 03.05"
        terrain = "".join(f'hexes."{port}" = {{ terrain = "plain", traits = "port" }}\n' for port in ports.split())
        zones = f'zones = {{ west = "{ports}", east = "{ports}" }}\n[control]\nsouth = "{ports}"\n'
        boats = "".join(f'[[marker]]\ntype = "boat"\nside = "south"\nzone = "{sea}"\n' for sea in seas)
        units = ("foot a 03.01 4", "foot b 03.01 4")
        return build(Variant("ports", FERRY, units=units, hexsides=terrain + zones + boats, turns=turns), tmp_path)

    return built


def found(scenario: Scenario, *moves: str) -> list[str]:
    """Return what the referee finds wrong with a plan."""
    return list(map(str, Referee(scenario.game).play(Plan.parse(moves), scenario.start).violations))


def test_a_stack_needs_a_berth_for_each_of_its_units(harbour: Harbour) -> None:
    together = "a+b 03.01~03.03"
    scenario = harbour(STACKS, "west")
    assert found(scenario, "a 03.01~03.03") == found(scenario, "b 03.01~03.03") == []
    assert found(scenario, together) == [
        "ferry: b can't be carried from 03.01 to 03.03: no carrier is left in west or east: they carry a"
    ]
    assert Referee(scenario.game).play(Plan.parse([together]), scenario.start).violations[0].unit == "b"
    assert [one.key for one in judge(scenario, Plan.parse(together))] == [("ferry", "b", 0, 1, "03.03")]
    assert found(harbour(STACKS, "west", "east"), together) == []


def test_each_of_a_stack_crosses_another_sea_with_its_next_leg(harbour: Harbour) -> None:
    """Four berths are enough for four legs, but each unit must cross the eastern sea once."""
    whole = "a+b 03.01~03.03~03.05"
    assert found(harbour(STACKS, "west", "west", "east", "east"), whole) == []
    scenario = harbour(STACKS, "west", "west", "west", "east")
    assert found(scenario, whole)
    assert judge(scenario, Plan.parse(whole))


def test_who_goes_on_after_others_were_carried_still_crosses_another_sea(harbour: Harbour) -> None:
    moves = ("a 03.01~03.03", "b 03.01~03.03", "a 03.03~03.05", "b 03.03~03.05")
    assert found(harbour(WAITING, "west", "west", "east", "east"), *moves) == []
    assert found(harbour(WAITING, "west", "west", "west", "east"), *moves) == [
        "ferry: b can't be carried from 03.03 to 03.05: no carrier is left in west or east: they carry a"
    ]


def test_a_search_comes_to_the_best_that_the_referee_lets_a_stack_do(harbour: Harbour) -> None:
    """The boat takes one of them to 03.03 for 1 MP, and the other walks to 02.02 for 2: 3 for each of the two hexes."""
    scenario = harbour(STACKS, "west")
    result = Search(scenario).run()
    assert (result.status, *map(int, result.value)) == ("optimal", 6, -3)
    assert result.plan is not None
    assert found(scenario, *map(str, result.plan.moves)) == []
