"""Friends who help across hexsides: what a step costs that nobody can help with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import planner
from planner.explanation.relaxation import Scope, relaxed
from planner.objective.goals import End
from tests.plain_game import Variant, build

RIVER = 'hexsides.river = { prohibited = true, assisted = [{ by = { types = "scout" }, mp = 1, lifts = true }] }\n'
ACROSS = 'hexsides.river = ["03.01 03.02", "03.01 02.01", "03.01 04.01", "03.02 02.01", "03.02 04.01"]\n'


@pytest.mark.parametrize("scouts", [False, True])
def test_what_help_would_cost_is_no_price_where_nobody_could_give_it(scouts: bool, tmp_path: Path) -> None:
    """By hand: with the help of s, which is far away, 03.02 would cost f 2 MP, and it has 1; with no s there is no price."""
    units = ("foot f 03.01 1", *(["scout s 05.06 0"] if scouts else []))
    scenario = build(Variant("river", chart=RIVER, units=units, hexsides=ACROSS), tmp_path)
    [wrong] = planner.check(scenario, "f 03.01-03.02").violations
    assert wrong.message == "f can't enter 03.02: river is prohibited without help"
    # Where that isn't in force, and what it pays is, both faces let f go there for nothing, or for what help would cost.
    goal = End(kind="end", unit="f", at=("03.02",))
    lifted = replace(relaxed(scenario, [Scope("costs", pays=True)]), requirements=(goal,), tiers=())
    assert planner.suggest(lifted).status == ("infeasible" if scouts else "optimal")


def test_what_no_help_opens_is_not_said_to_be_prohibited_without_help(tmp_path: Path) -> None:
    """Scouts help across the river; into the lake nobody comes."""
    chart = RIVER + 'terrain.lake = { symbol = "L", prohibited = true }\n'
    rows = ". . . . .\n. . L . .\n" + ". . . . .\n" * 4
    scenario = build(Variant("lake", chart=chart, rows=rows, units=("foot f 03.01 9",), hexsides=ACROSS), tmp_path)
    [wrong] = planner.check(scenario, "f 03.01-03.02").violations
    assert wrong.message == "f can't enter 03.02: lake is prohibited, and river without help"
