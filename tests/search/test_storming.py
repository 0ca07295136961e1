"""Hexes that all who can come beside them storm together, so that another unit passes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.scenario import Scenario, build_scenario

FORD = """
. . . . .
. . . . .
. . . . .
. . . . .
. . . . .
"""


def ford(more: str = "") -> Scenario:
    """E holds the one way across a lake; by hand: 5 + 2 + 2 against 3 are at +200 %, which always drives it back.

    Two of the three are not enough: 7 against 3 are at +100 %, where 1:1 may be drawn.
    """
    infantry: dict[str, Any] = {"side": "blue", "type": "infantry"}
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "classic_hex",
            "phase": "movement",
            "phasing": "blue",
            "map": {
                "origin": "0101",
                "rows": FORD,
                "hexes": {f"0401 0403 0404 0405 {more}".strip(): "lake"},
            },
            "unit": [
                {**infantry, "id": "u", "values": "1-6", "at": "0202"},
                {**infantry, "id": "a", "values": "5-6", "at": "0104"},
                {**infantry, "id": "b", "values": "2-6", "at": "0203"},
                {**infantry, "id": "c", "values": "2-6", "at": "0102"},
                {"id": "e", "side": "red", "type": "infantry", "values": "3-3", "at": "0402"},
            ],
        },
        "a position",
    )


def test_reach_tells_hexes_behind_enemies_whom_only_all_together_are_sure_to_drive_back() -> None:
    found = planner.reach(ford(), "u", time_limit=20)
    [entry] = [one for one in found.with_help if one.hex == "0503"]
    assert entry.chance > 0
    assert {unit for move in entry.plan.moves for unit in move.units} == {"u", "a", "b", "c"}
    assert not found.open


@pytest.mark.thorough
def test_explain_knows_such_a_plan() -> None:
    told = planner.explain(ford(), "u to 0503", time_limit=60)
    assert told.status == "with_help"
    assert told.help == "found"


@pytest.mark.thorough
def test_explain_tells_how_likely_a_way_is_of_which_nobody_knows_whether_it_can_be_sure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By hand: from 0302 e is destroyed in half of all cases, else it is in 0503, where u, 1 to half of 3, wins half."""
    found = planner.explain(ford("0303"), "u to 0503", time_limit=10)
    [chance] = found.chances
    assert (chance.helped, chance.probability) == (True, Fraction(3, 4))
    print_explanation(replace(found, status="unknown", reasons=(), remedies=()))  # with more time it might be known
    told = capsys.readouterr().out
    assert "u to 0503: possible; whether for certain is unknown." in told
    assert "Whether any plan is sure of it is not known" in told


@pytest.mark.thorough
def test_reach_writes_each_combat_as_one() -> None:
    """Entering a hex of the enemy's is a combat, however it is written; half of them had "-"."""
    found = planner.reach(ford(), "a", time_limit=20)
    [entry] = [one for one in found.alone if one.hex == "0402"]
    assert str(entry.plan).endswith("x0402")
    assert planner.check(ford(), entry.plan).legal
