"""Steps with overruns that rest on those without are what they are when all are listed together."""

from __future__ import annotations

import pytest

from planner import api
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_table import StepTable
from tests.conftest import long_ones


@pytest.mark.parametrize(
    "name", long_ones(("ocs/breakthrough", "ocs/two_overruns", "ocs/swamp"), "ocs/breakthrough", "ocs/swamp")
)
def test_no_step_is_lost_and_none_changes_its_place(name: str) -> None:
    """Out of every hex, of each kind of unit: some of the lists have overruns where the game knows joint ones."""
    game = api.load(name).game
    quick, plainly = ConditionalReach(game), ConditionalReach(game)
    units = {id(quick.profile(unit)): unit for unit in quick.movers}
    found = 0
    for unit in units.values():
        for label in game.board.hexes:
            leads = quick.leads(unit, label, overruns=True)
            assert leads == StepTable.leads(plainly, unit, label, overruns=True)
            found += any(step.arc.overrun for _, step in leads)
    assert found
