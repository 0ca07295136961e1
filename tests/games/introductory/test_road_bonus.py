"""After the desert game of 1964: ten hexes more along the road, before the move, in the middle of it or after it.

Sure: along the coast road a unit has ten hexes more than its allowance, which it may use before its other steps, between
them or after them; a unit stops in an EZOC. Assumed: that it stops there on the road, too; that friends don't negate; that
every hex costs 1 MP, escarpments left out; three units a hex at the end of the phase.
"""

from __future__ import annotations

import pytest

import planner
from planner.scenario import Scenario
from tests.games.introductory.common import position, write_model

RULES = """
[[rule]]
id = "bonus"
kind = "further_allowance"
paragraph = "road"
allowances = [{ mp = 10, along = "road" }]

[[rule]]
id = "zoc"
kind = "zone_of_control"
paragraph = "zones"
exerted_by = {}

  [[rule.effects]]
  paragraph = "zones"
  on = "enter"
  does = "stop"
  negatable = false

[[rule]]
id = "stacking"
kind = "stacking"
paragraph = "stacking"
limits = [{ units = 3 }]
"""
TERRAIN = """
[terrain.desert]
symbol = "."

[[routes]]
feature = "road"
prices = [{ mp = 1 }]
"""
UNITS = """a own foot 2-2 0102
b own horse 3-3 0103
e foe foot 2-2 0901"""
ROAD = "0102 0202 0302 0402 0502 0602 0702 0802 0902 1002 1102 1202 1302 1402"


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    """Row 2 of fourteen columns, the even ones lower, is the road, and the enemy's ZOC closes 0902 of it."""
    model = write_model(tmp_path_factory.mktemp("games") / "bonus", RULES, TERRAIN)
    goal = [{"terms": [{"kind": "distance", "to": "1402"}]}, {"terms": [{"kind": "mp_spent"}]}]
    return position(model, "/".join([". " * 14] * 3), UNITS, map={"hexsides": {"road": [ROAD]}}, tier=goal)


@pytest.mark.parametrize("solver", [False, True], ids=["referee", "solver"])
@pytest.mark.parametrize(
    ("moves", "rule"),
    [
        (["a 0102-0202-0302-0402-0502-0602-0702-0802"], ""),  # 7 along the road, of 2 and 10
        (["a 0102-0103-0203"], ""),  # 2 across country
        (["a 0102-0103-0203-0303"], "movement"),  # 3 of 2: the bonus is for the road
        (["b 0103-0202-0302-0402-0303-0403"], ""),  # 1 before the road, 2 after it
        (["b 0103-0202-0302-0402-0303-0403-0503"], "movement"),
        (["a 0102-0202-0203-0202-0302-0402"], ""),  # between two steps along the road
        (["a 0102-0202-0302-0402-0502-0602-0702-0802-0902-1002"], "zones"),  # the ZOC closes the road
    ],
)
def test_verdicts_worked_out_by_hand(field: Scenario, moves: list[str], rule: str, solver: bool) -> None:
    verdict = planner.check(field, moves, solver=solver)
    assert [violation.rule for violation in verdict.violations][:1] == ([rule] if rule else [])


def test_both_go_round_the_enemy_and_back_onto_the_road(field: Scenario) -> None:
    """The horse pays 1 to the road, 2 to go round 0902 by 0903, and ten hexes along the road: 1402, for 13 MP.

    The foot pays 2 for the way round, and ten hexes: 1302, a hex short, for 12 MP.
    """
    result = planner.suggest(field)
    assert result.status == "optimal"
    assert result.value == (-1, -25)
