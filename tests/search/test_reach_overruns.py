"""What a unit can't reach since dice decide the overruns of others."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.search import reach_report
from tests.plain_game import JOINT, SHUT, Variant, build


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
