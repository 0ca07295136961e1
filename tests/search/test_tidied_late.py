"""Plans that are found when the time runs out are tidied, too."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction

import pytest

from planner.limits import Limits
from planner.objective import Tier
from planner.objective.costs import MpSpent
from planner.objective.goals import Hold
from planner.plans.plan import Plan
from planner.search.context import SearchContext, StrategyClaim
from planner.search.result import Result
from planner.search.search import Search
from tests.search.test_storming import ford


def _found_late(moves: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the moves that are shown of a plan, where a search goes on until its time is up and has no other."""

    def lingering(context: SearchContext) -> Result:
        plan = Plan.parse(moves)
        verdict = context.replay(plan)
        while not context.limits.late:
            time.sleep(0.001)
        return context.result(plan, verdict, StrategyClaim((Fraction(9), Fraction(0))))

    monkeypatch.setattr("planner.search.search._found", lingering)
    hold, mp = Hold(kind="hold", hexes=("0302",)), MpSpent(kind="mp_spent")
    scenario = replace(ford(), tiers=(Tier(terms=(hold,)), Tier(terms=(mp,))))
    found = Search(scenario, Limits.within(5)).run()
    assert found.plan is not None
    assert "The time ran out" in found.reason
    return found.plan.lines


@pytest.mark.thorough
def test_moves_that_are_of_no_use_are_left_out_of_what_is_found_when_the_time_runs_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert _found_late(["a 0104-0103", "u 0202-0302", "b 0203-0103"], monkeypatch) == ["u 0202-0302"]


@pytest.mark.thorough
def test_no_combat_is_written_where_nobody_can_be_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _found_late(["u 0202x0302"], monkeypatch) == ["u 0202-0302"]
