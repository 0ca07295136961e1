"""Where no time is left, `reach` leaves open what it doesn't know."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

import planner
from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.reachability.kept_reach import KeptReach
from planner.reachability.label_search import LabelSearch
from planner.search.reach_cache import ReachCache
from planner.search.reach_report import Witnesses
from tests.instances import instance


@pytest.mark.parametrize(("family", "size"), [pytest.param("legs", "6", marks=pytest.mark.thorough), ("dense", "10")])
def test_without_time_whatever_units_can_reach_is_told_or_left_open(family: str, size: str) -> None:
    known = {
        one.unit: {entry.hex for entry in (*one.alone, *one.with_help)}
        for one in planner.reach_all(instance(family, size, 0))
    }
    for one in planner.reach_all(instance(family, size, 0), time_limit=0):
        assert known[one.unit] <= {entry.hex for entry in (*one.alone, *one.with_help)} | set(one.open)


def test_when_the_time_runs_out_while_a_plan_that_was_searched_for_is_looked_at_the_rest_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only with a2 does a1 get to 0303, by a combat, which the search finds."""

    def late(*_: object) -> None:
        raise OutOfTimeError("late")

    scenario = planner.load("classic_hex/three_battles")
    monkeypatch.setattr(Witnesses, "_accept_all", late)
    found = planner.reach(scenario, "a1")
    assert not found.with_help
    assert found.open == ("0303",)


def test_what_is_recalled_of_units_ends_in_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def searched(self: LabelSearch) -> None:
        raise AssertionError("it is recalled")

    scenario = instance("dense", "10", 0)
    planner.reach_all(scenario)
    monkeypatch.setattr(LabelSearch, "run", searched)
    for limits in (Limits(), Limits.within(0)):
        for kept in scenario.memory.of(KeptReach):
            kept.relaxed = None  # of each unit by itself it is still known
        reach = ReachCache(scenario, limits=limits).reach
        with pytest.raises(OutOfTimeError) if limits.late else nullcontext():
            assert reach._relaxed_reach.ends
