"""Hexes that must be empty of friends, beside rules by which nobody knows for certain who comes where."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from tests.oracles.rolled_plans import EveryRolledPlan
from tests.plain_game import JOINT, SHUT, placed, write_model


@pytest.mark.parametrize("when", ["always", "move"])
def test_whom_an_overrun_may_take_to_a_hex_is_in_the_way_there(when: str, tmp_path: Path) -> None:
    """By hand: a gets through e to 03.04 in 1 of 2 cases, for 2 + 8, and then b can't go there for 2: so b stays, for 5."""
    vacancy = f'[[rule]]\nid = "vacancy"\nkind = "vacancy"\nparagraph = "vacancy"\nwhen = "{when}"\n'
    goals = [
        {"kind": "eliminate", "units": "e", "weight": 2},
        {"kind": "end", "unit": "a", "at": "03.04", "weight": 8},
        {"kind": "end", "unit": "b", "at": "03.04", "weight": 2},
    ]
    scenario = placed(
        write_model(tmp_path / "any_game", SHUT + JOINT + vacancy),
        {"03.02 03.03 03.04 02.04": "plain"},
        [
            {"id": "a", "side": "south", "type": "foot", "values": "2-3", "at": "03.02"},
            {"id": "b", "side": "south", "type": "foot", "values": "1-1", "at": "02.04"},
            {"id": "e", "side": "north", "type": "foot", "values": "1-0", "at": "03.03"},
        ],
        tier=[{"terms": goals}],
    )
    found = planner.suggest(scenario)
    assert (found.status, found.value, str(found.plan)) == ("optimal", (5,), "a 03.02x03.03-03.04")
    every = EveryRolledPlan(scenario, 10_000)
    assert every.best(every.judged()) == (5,)
