"""What a search for moves and attacks has found by then is there when the time is up."""

from __future__ import annotations

import pytest

from planner.errors import OutOfTimeError
from planner.search.search import Search
from planner.solver.coupling.attack_results import AttackResultSums
from tests.oracles.attack_plans import field


def test_a_tier_that_there_is_no_time_to_write_leaves_what_is_proved_before(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = field(5)  # steps are lost
    best = Search(scenario).run()

    def late(*_: object) -> None:
        raise OutOfTimeError("the time is up")

    monkeypatch.setattr(AttackResultSums, "own_losses", late)
    found = Search(scenario).run()
    assert found.status == "feasible"
    assert found.value[0] == best.value[0] == found.bound[0]
    assert found.bound[1] == 0
