"""What is told while a search runs carries a plan that is legal and worth what is said."""

from __future__ import annotations

import pytest

import planner
from planner.search.result import Progress


@pytest.mark.parametrize("name", ["dai_senso/manchuria", "ocs/two_overruns", "classic_hex/puzzles/open_door"])
def test_the_plans_that_are_told_are_legal_and_get_no_worse(name: str) -> None:
    told: list[Progress] = []
    scenario = planner.load(name)
    found = planner.suggest(scenario, on_progress=told.append, time_limit=20)
    plans = [(one.plan, one.plan_value) for one in told if one.plan is not None]
    assert plans
    assert all(planner.check(scenario, plan).legal for plan, _ in plans)
    assert [value for _, value in plans] == sorted(value for _, value in plans)
    assert all(value <= found.value for _, value in plans)
