"""Whoever can come to one hex beside the enemy fights together: found at once, where a search is long in finding it."""

from __future__ import annotations

from typing import Any

import pytest

import planner
from planner.explanation.all_joining import sure_together
from planner.explanation.parse_question import read_goals
from planner.explanation.question import Question
from planner.limits import Limits
from planner.scenario import Scenario, build_scenario


def board(**units: tuple[str, str]) -> Scenario:
    """Return five columns of four hexes; e, of strength 4, stands in 0302, and 0201, 0202 and 0301 are beside it."""
    every: dict[str, tuple[str, str]] = {"e": ("4-2", "0302"), "f": ("3-3", "0403"), **units}
    entries: list[dict[str, Any]] = [
        {"id": name, "side": "red" if name in "ef" else "blue", "type": "infantry", "values": values, "at": at}
        for name, (values, at) in every.items()
    ]
    rows = "\n".join([". . . . ."] * 4)
    data = {"format": "planner/scenario-1", "model": "classic_hex", "phase": "movement", "phasing": "blue"}
    return build_scenario({**data, "map": {"origin": "0101", "rows": rows}, "unit": entries}, "all joining")


THREE = {"x": ("6-3", "0103"), "y": ("4-4", "0102"), "z": ("3-2", "0101")}


@pytest.mark.parametrize("goals", ["x to 0302", "hold 0302", "x sound and x to 0302"])
def test_three_who_come_together_are_sure_to_win(goals: str) -> None:
    """13 against 4 is +225 %, and the column of +200 % has no result by which the attackers lose; 10 against 4 has one.

    z, with 2 MP, comes up to 0201 alone, and so the others have to go there.
    """
    scenario = board(**THREE)
    plan = sure_together(scenario, Question(tuple(read_goals(scenario, goals))), Limits())
    assert plan is not None
    assert {move.end for move in plan.moves[:-1]} == {"0201"}
    assert set(plan.moves[-1].units) == set(THREE)
    assert planner.check(scenario, plan).legal
    two = board(x=THREE["x"], y=THREE["y"])
    assert sure_together(two, Question(tuple(read_goals(two, goals))), Limits()) is None


@pytest.mark.thorough
def test_a_destination_that_is_sure_with_help_is_told_as_that_and_not_as_likely() -> None:
    found = planner.explain(board(**THREE), "x to 0302", time_limit=10)
    assert found.status == "with_help"
    assert all(not chance.helped for chance in found.chances)
    assert planner.explain(board(**THREE), require="hold 0302", time_limit=10).status == "possible"
