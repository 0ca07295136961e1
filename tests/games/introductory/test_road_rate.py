"""After the tactical armor game of 1970: no ZOCs, and a road rate of half an MP a hex.

Sure: a step along a road costs ½ MP, whatever the road crosses; it must follow the road from hex to hex; there are no
ZOCs; hexes with enemies are closed. Assumed: woods 2 MP, three units a hex at the end of the phase, and that vehicles keep
out of woods but for roads. A road bonus that adds hexes to the allowance is another rule, and not this one.
"""

from __future__ import annotations

import pytest

import planner
from planner.scenario import Scenario
from tests.games.introductory.common import position, write_model

RULES = """
[[rule]]
id = "stacking"
kind = "stacking"
paragraph = "stacking"
limits = [{ units = 3 }]
"""
TERRAIN = """
[terrain.clear]
symbol = "."

[terrain.woods]
symbol = "w"
mp = 2
prices = [{ units = { types = "horse" }, prohibited = true, assumed = true }]
assumed = true

[hexsides.stream]
mp = 1
assumed = true

[[routes]]
feature = "road"
prices = [{ mp = "1/2" }]
"""
UNITS = """a own foot 2-1 0102
t own horse 6-2 0101
e foe foot 4-4 0301"""


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    """Row 2 is a road from 0102 to 0702, through woods in 0302 and across a stream between 0402 and 0502."""
    model = write_model(tmp_path_factory.mktemp("games") / "road", RULES, TERRAIN)
    lines = {"road": ["0102 0202 0302 0402 0502 0602 0702"], "stream": ["0402 0502"]}
    goal = [{"terms": [{"kind": "distance", "to": "0702"}]}, {"terms": [{"kind": "mp_spent"}]}]
    rows = ". . . . . . ./. . w . . . ./. . . . . . ."
    return position(model, rows, UNITS, map={"hexsides": lines}, tier=goal)


@pytest.mark.parametrize("solver", [False, True], ids=["referee", "solver"])
@pytest.mark.parametrize(
    ("moves", "rule"),
    [
        (["a 0102-0202-0302"], ""),  # ½ + ½, woods or not
        (["a 0102-0202-0302-0402"], "movement"),  # 1½ of 1
        (["a 0102-0103"], ""),  # off the road: 1
        (["a 0102-0202-0203"], "movement"),  # ½ + 1
        (["t 0101-0102-0202-0302"], ""),  # 1 to get to the road, then ½ + ½: 2 of 2, and woods along it are open
        (["t 0101-0201-0302"], "movement"),  # across country they are not
        (["t 0101-0201-0301"], "enemy hexes"),
    ],
)
def test_verdicts_worked_out_by_hand(field: Scenario, moves: list[str], rule: str, solver: bool) -> None:
    verdict = planner.check(field, moves, solver=solver)
    assert [violation.rule for violation in verdict.violations][:1] == ([rule] if rule else [])


def test_the_road_decides_how_far_both_come(field: Scenario) -> None:
    """The foot ends in 0302, 4 away, for 1 MP; the vehicle comes by 0102 and 0202 to 0302, too, for 2 MP.

    Straight to the road, by 0201, it would pay 2 MP to 0202, 5 away.
    """
    result = planner.suggest(field)
    assert result.status == "optimal"
    assert result.value == (-8, -3)
