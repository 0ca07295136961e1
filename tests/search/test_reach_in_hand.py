"""Who may go on with the move that his stack has begun: where each can end by itself, where nobody overruns together."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from tests.plain_game import BOGGING, Variant, build


@pytest.mark.parametrize("rules", ["", BOGGING], ids=["nothing is rolled", "who goes on may bog down"])
def test_who_has_moved_in_a_stack_may_go_on_by_itself_wherever_it_has_the_mp(rules: str, tmp_path: Path) -> None:
    """With 2 MP each, a and b are one hex on, and each has one left."""
    units = ("foot a 03.03 2", "foot b 03.03 2")
    now = build(Variant("stacks", rules, units=units, turns="stacks = true\n"), tmp_path).after(["a+b 03.03-03.04"])
    near = now.game.board.neighbours["03.04"]
    assert len(near) == 6
    for report in (planner.reach(now, "a"), planner.reach(now, "b"), *planner.reach_all(now)):
        assert {end.hex for end in report.alone} == set(near)
        assert not report.with_help
        assert not report.open
        assert all(planner.check(now, end.plan).legal for end in report.alone)
