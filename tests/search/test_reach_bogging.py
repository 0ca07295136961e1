"""A unit that may bog down passes by where it has no room to end, if another way is as cheap."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import planner
from tests.plain_game import BOGGING, LIMIT, Variant, build

RULES = BOGGING.format("{}", '{ units = { types = "foot" }, from_hex = 2 }') + LIMIT + "limits = [{ units = 1 }]\n"


def test_who_may_bog_down_where_a_friend_stands_goes_round_by_itself(tmp_path: Path) -> None:
    """From 01.01 to 02.03 are 3 MP, by 02.02 or by 01.03, where s leaves no room if a die shows the bad side."""
    units = ("foot a 01.01 4", "scout b 01.02 1", "scout s 01.03 1")
    scenario = build(Variant("bogs", RULES, units=units), tmp_path)
    for told in (planner.reach(scenario, "a", alone=True), planner.reach(scenario, "a")):
        [way] = [one for one in told.alone if one.hex == "02.03"]
        assert (way.mp, way.chance, "01.03" in way.path) == (3, Fraction(5, 6), False)
        assert planner.check(scenario, way.plan).legal
        assert all(one.help for one in told.with_help)
        assert not told.open
