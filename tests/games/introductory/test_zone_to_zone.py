"""After the operational games of the seventies: units stop in an EZOC, may leave it, but never straight into another.

Sure: a unit stops where it enters an EZOC; one that begins there may leave it; it may not go from EZOC to EZOC in one step.
Assumed: that it is anybody's EZOC, not that of the same enemy alone; that friends don't negate; that two units may stay in
a hex.
"""

from __future__ import annotations

import pytest

import planner
from planner.scenario import Scenario
from tests.games.introductory.common import position, write_model

RULES = """
[[rule]]
id = "zoc"
kind = "zone_of_control"
paragraph = "zones"
exerted_by = {}

  [[rule.effects]]
  paragraph = "zones: entering"
  on = "enter"
  does = "stop"
  negatable = false

  [[rule.effects]]
  paragraph = "zones: from one to another"
  on = "enter"
  does = "forbid"
  from_ezoc = "any"
  negatable = false

[[rule]]
id = "stacking"
kind = "stacking"
paragraph = "stacking"
limits = [{ units = 2 }]
"""
TERRAIN = """
[terrain.clear]
symbol = "."
"""
UNITS = """a own foot 4-4 0302
b own horse 5-6 0202
e foe foot 4-4 0402
f foe foot 4-4 0404"""


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    """Six columns of five hexes, the even ones lower. One enemy's ZOC holds 0302 and 0303, the other's 0304 and 0305."""
    model = write_model(tmp_path_factory.mktemp("games") / "zones", RULES, TERRAIN)
    goal = [{"terms": [{"kind": "hold", "hexes": "0303 0304"}]}, {"terms": [{"kind": "mp_spent"}]}]
    return position(model, "/".join([". . . . . ."] * 5), UNITS, tier=goal)


@pytest.mark.parametrize("solver", [False, True], ids=["referee", "solver"])
@pytest.mark.parametrize(
    ("moves", "rule"),
    [
        (["a 0302-0202"], ""),  # out of the EZOC: 0202 is free
        (["a 0302-0303"], "zones: from one to another"),
        (["a 0302-0202-0303"], ""),  # by way of a free hex: it stops there
        (["a 0302-0202-0303-0403"], "zones: entering"),
        (["b 0202-0303-0304"], "zones: entering"),
        (["b 0202-0203-0304"], ""),
    ],
)
def test_verdicts_worked_out_by_hand(field: Scenario, moves: list[str], rule: str, solver: bool) -> None:
    verdict = planner.check(field, moves, solver=solver)
    assert rule in [violation.rule for violation in verdict.violations] if rule else verdict.legal


def test_the_ban_decides_who_holds_which_hex(field: Scenario) -> None:
    """The horse comes to 0303 for 1 MP, and the foot by 0202 and 0203 to 0304 for 3: 4 in all.

    The other way round it is 2 and 2. Nobody steps from 0302 into 0303, or from there into 0304.
    """
    result = planner.suggest(field)
    assert result.status == "optimal"
    assert result.value == (2, -4)
