"""Moves that are legal in another order: of many not every order is tried, and none is ruled out."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from tests.plain_game import LIMIT, Variant, build, effect, placed, write_model

ALONE = LIMIT + 'when = "always"\nlimits = [{ units = 1 }]\n'
IDLE = {f"foot {unit} 05.0{row} 1": f"{unit} 05.0{row}-04.0{row}" for row, unit in enumerate("efgh", 1)}
ROW = [("a", "02.01-02.02"), ("b", "02.02-02.03"), ("c", "02.03-02.04")]


@pytest.mark.parametrize("turns", ["", "waiting = {}\n"])
@pytest.mark.parametrize(("row", "status"), [(2, "with_help"), (3, "unknown")])
def test_of_many_moves_it_is_tried_to_make_one_at_another_time(
    row: int, status: str, turns: str, tmp_path: Path
) -> None:
    """Everybody in the row makes room for the one before; of three in a row two would have to move at another time."""
    units = (*(f"foot {unit} {path[:5]} 1" for unit, path in ROW[:row]), *IDLE)
    scenario = build(Variant("alone", ALONE, units=units, turns=turns), tmp_path)
    moves = [f"{unit} {path}" for unit, path in ROW[:row]]
    assert planner.check(scenario, [*reversed(moves), *IDLE.values()]).legal
    found = planner.explain(scenario, [*moves, *IDLE.values()], time_limit=None)
    assert found.status == status
    told = [str(one) for one in found.remedies if one.own]
    assert told == ["if the moves are made in another order"] * (status == "with_help")


def test_whoever_moves_twice_may_have_to_do_so_in_another_order(tmp_path: Path) -> None:
    """By hand: a comes to 03.01 by the second move, and goes on from there by the first one, after four of others."""
    units = ("foot a 02.01 2", *IDLE)
    scenario = build(Variant("plain", units=units, turns="waiting = {}\n"), tmp_path)
    found = planner.explain(scenario, ["a 03.01-03.02", "a 02.01-03.01", *IDLE.values()], time_limit=None)
    assert found.status == "with_help"


def test_of_two_who_help_one_may_have_to_move_before_and_one_after(tmp_path: Path) -> None:
    """By hand: g has to come to 03.02 first, where x is in e's EZOC, and h to leave 03.03 once it has let x in."""
    covered = effect('on = "enter", does = "forbid", negatable = true, movers = { types = "foot" }')
    model = write_model(tmp_path / "any_game", f"{covered}{LIMIT}limits = [{{ units = 1 }}]\n")
    units = [
        {"id": "x", "side": "south", "type": "foot", "at": "03.01", "values": "1-2"},
        {"id": "g", "side": "south", "type": "scout", "at": "02.02", "values": "1-1"},
        {"id": "h", "side": "south", "type": "scout", "at": "03.03", "values": "1-1"},
        {"id": "e", "side": "north", "type": "guard", "at": "04.02", "values": "1-1"},
    ]
    scenario = placed(model, {"02.02 03.01 03.02 03.03 03.04 04.02": "plain"}, units)
    found = planner.explain(scenario, "x 03.01-03.02-03.03", time_limit=None)
    assert found.status == "with_help"
    [own] = [one for one in found.remedies if one.own]
    assert list(map(str, own.plan.moves[:2])) == ["g 02.02-03.02", "x 03.01-03.02-03.03"]
    assert str(own) == f"if g first moves to 03.02 and h moves to {own.plan.moves[2].end} afterwards"
