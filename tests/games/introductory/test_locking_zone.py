"""After the small Napoleonic introduction of 1971: a ZOC that locks, and never more than one unit a hex.

Sure: a unit stops in an EZOC; it leaves one only by combat, so never in the movement phase; friends there change nothing of
that; units may pass through friends, and two never stay in one hex; the MP that are left are lost. Assumed: that woods cost
2 MP; the strengths and allowances are the position's own.
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
  paragraph = "zones: leaving"
  on = "leave"
  does = "forbid"
  negatable = false

[[rule]]
id = "stacking"
kind = "stacking"
paragraph = "stacking"
limits = [{ units = 1 }]
"""
TERRAIN = """
[terrain.clear]
symbol = "."

[terrain.woods]
symbol = "w"
mp = 2
assumed = true
"""
UNITS = """a own foot 4-4 0103
b own horse 5-5 0203
c own foot 3-4 0402
e foe foot 4-4 0503"""


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    """Seven columns of four hexes, the even ones lower. The enemy's ZOC: 0502, 0504, 0402, 0403, 0602 and 0603."""
    model = write_model(tmp_path_factory.mktemp("games") / "locking", RULES, TERRAIN)
    goal = [{"terms": [{"kind": "distance", "to": "0703", "of": {"units": "b"}}]}, {"terms": [{"kind": "mp_spent"}]}]
    return position(model, ". . . . . . ./. . w . . . ./. . . . . . ./. . . . . . .", UNITS, tier=goal)


@pytest.mark.parametrize("solver", [False, True], ids=["referee", "solver"])
@pytest.mark.parametrize(
    ("moves", "rule"),
    [
        (["b 0203-0303-0403"], ""),  # into the EZOC, and it ends there
        (["b 0203-0303-0403-0404"], "zones: entering"),
        (["c 0402-0401"], "zones: leaving"),  # it began in the EZOC
        (["c 0402-0403"], "zones: leaving"),  # neither straight into another hex of it
        (["a 0103-0203-0303"], ""),  # through a friend
        (["a 0103-0203"], "stacking"),
        (["b 0203-0303", "a 0103-0203"], ""),  # who stood there has gone
        (["b 0203-0202-0302"], ""),  # woods: 3 of 5 MP
        (["a 0103-0202-0302-0301"], ""),  # 1 + 2 + 1
        (["a 0103-0202-0302-0301-0401"], "movement"),  # 5 of 4 MP
    ],
)
def test_verdicts_worked_out_by_hand(field: Scenario, moves: list[str], rule: str, solver: bool) -> None:
    verdict = planner.check(field, moves, solver=solver)
    assert [violation.rule for violation in verdict.violations][:1] == ([rule] if rule else [])


def test_the_lock_decides_how_near_the_cavalry_comes(field: Scenario) -> None:
    """0203-0303-0404 costs 2; 0504, in the EZOC, is 2 from 0703, for 3 MP.

    To come to 0603 or 0602, 1 from 0703, it would have to leave the ZOC that it enters on the way.
    """
    result = planner.suggest(field)
    assert result.status == "optimal"
    assert result.value == (-2, -3)
