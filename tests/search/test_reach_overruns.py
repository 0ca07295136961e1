"""What a unit can't reach since dice decide the overruns of others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import planner
from planner.plans.plan import Move
from planner.scenario import Scenario
from planner.search import reach_report
from planner.search.reach_entries import Entries
from tests.plain_game import JOINT, SHUT, Variant, build, placed, write_model


@pytest.mark.parametrize(
    ("by", "columns"), [("{ types = 'foot' }", "12"), pytest.param("{}", "12345", marks=pytest.mark.thorough)]
)
def test_who_may_not_overrun_is_known_not_to_pass_enemies_whom_a_friend_may_fail_to_overrun(
    by: str, columns: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enemies hold all of the third column; one roll of two eliminates one of them, so that no other unit can rely on it."""
    monkeypatch.delattr(reach_report, "best_plan")  # it is known without a search
    enemies = tuple(f"scout e{row} 03.0{row} 4" for row in range(1, 7))
    lane = Variant(
        "lane",
        f"{JOINT}by = {by}\n{SHUT}",
        units=("foot f 01.01 9", "scout s 01.01 9"),
        enemies=enemies,
        turns="waiting = {}\n",
    )
    told = planner.reach(build(lane, tmp_path), "s")
    assert "".join(sorted({one.hex[1] for one in (*told.alone, *told.with_help)})) == columns
    assert not told.open


def position_of(folder: Path, units: list[tuple[str, str, str, str, str]], hexes: str, turns: str) -> Scenario:
    """Return a position of overruns at 2:1, which guards support from the next hex."""
    rule = JOINT.replace('odds = "1:1", chance = "1/2"', 'odds = "2:1", chance = 1') + "by = { types = 'foot' }\n"
    rule += "support = { paragraph = 'support', units = { types = 'guard' }, range = 1 }\n"
    entries = [
        {"id": one, "side": side, "type": kind, "at": at, "values": values} for one, side, kind, at, values in units
    ]
    return placed(write_model(folder / "game", rule + SHUT, turns=turns), {hexes: "plain"}, entries)


FOES = [("e", "north", "scout", "01.02", "1-0"), ("d", "north", "scout", "01.03", "3/2-0")]


def test_who_supports_the_second_overrun_of_a_move_is_not_said_to_have_to_do_with_the_first(tmp_path: Path) -> None:
    """2 to 1 overruns e; against d it takes 3, with the 1 of g, which isn't near enough to 01.02."""
    units = [("f", "south", "foot", "01.01", "2-9"), ("g", "south", "guard", "02.03", "1-0"), *FOES]
    told = planner.reach(position_of(tmp_path, units, "01.01 01.02 01.03 02.03", "waiting = {}\n"), "f")
    [there] = [one for one in told.with_help if one.hex == "01.03"]
    assert (there.plan.lines, [str(one) for one in there.help]) == (
        ["f 01.01x01.02x01.03(g)"],
        ["g in the overrun of 01.03"],
    )


def test_of_those_who_move_together_each_helps_as_far_as_it_comes() -> None:
    move = Move.parse("a+b+c 01.01-01.02-01.03x01.04x01.05")
    move = replace(move, drops=((1, "b"), (3, "c")), support=((4, "g"),))
    told = Entries._together(SimpleNamespace(_fights=False), move, ("b", "c"))
    assert [str(one) for one in told] == ["c in the overrun of 01.04", "g in the overrun of 01.05", "b in 01.02"]
