"""No two instances of a reason say the same."""

from __future__ import annotations

from planner.explanation.answer import Instance
from planner.explanation.minimal_conflicts import _each_once


def test_no_two_instances_of_a_reason_say_the_same() -> None:
    mud = [Instance("overruns", "13.57", unit, "C2", (), "no overruns in C2: mud") for unit in ("u1", "u0")]
    weak = [
        Instance("overruns", "8.1", unit, "C3", (), "u0 and u1 can't overrun C3: 2 to 6")
        for unit in ("u0", "u1", "u10")
    ]
    assert [one.message for one in _each_once([*mud, *weak])] == [
        "no overruns in C2: mud",
        "no overruns in C2: mud, for u0 too",
        "u0 and u1 can't overrun C3: 2 to 6",
        "u0 and u1 can't overrun C3: 2 to 6, for u10 too",
    ]
