"""Where no time is left, `reach` leaves open what it doesn't know."""

from __future__ import annotations

import pytest

import planner
from tests.instances import instance


@pytest.mark.parametrize(("family", "size"), [("legs", "6"), ("dense", "10")])
def test_without_time_whatever_units_can_reach_is_told_or_left_open(family: str, size: str) -> None:
    known = {
        one.unit: {entry.hex for entry in (*one.alone, *one.with_help)}
        for one in planner.reach_all(instance(family, size, 0))
    }
    for one in planner.reach_all(instance(family, size, 0), time_limit=0):
        assert known[one.unit] <= {entry.hex for entry in (*one.alone, *one.with_help)} | set(one.open)
