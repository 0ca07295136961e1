"""Searches lose nothing of what they have told, and that nobody moves is the answer from the first moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.referee.referee import Referee
from planner.search import greedy
from planner.search.result import Progress


def test_an_interrupt_loses_no_plan_that_was_told_however_long_its_rolls_take_to_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is told is worth more than the plan made by hand; each replay takes longer than the search waited before."""
    stop, told = threading.Event(), list[Fraction]()
    real = Referee.play

    def slow(self: Referee, *args: Any, check_time: Callable[[], None] | None = None, **more: Any) -> Any:
        if check_time is not None:
            check_time()
            time.sleep(0.5)
            check_time()
        return real(self, *args, **more)

    def on_progress(progress: Progress) -> None:
        if progress.tier == 0 and progress.value is not None:
            told.append(progress.value)
        if len(set(told)) > 1:
            stop.set()

    monkeypatch.setattr(Referee, "play", slow)
    found = planner.suggest("ocs/two_overruns", stop=stop, on_progress=on_progress)
    assert len(set(told)) > 1
    assert found.value[0] >= max(told)


@pytest.mark.parametrize(
    "scenario", ["ocs/breakthrough", "classic_hex/three_battles", "great_war/over_the_top", "dai_senso/island_campaign"]
)
def test_without_any_time_the_answer_is_at_least_that_nobody_moves(scenario: str) -> None:
    """Nothing is required, so standing still is legal: no search needs to answer that it knows no plan."""
    found = planner.suggest(scenario, time_limit=0.0)
    assert found.status == "feasible"
    assert found.plan is not None
    assert planner.check(scenario, found.plan).legal


def test_where_something_is_required_no_time_means_that_no_plan_is_known() -> None:
    found = planner.suggest("great_war/puzzles/wire_and_tank", partial=["rifles -> E3"], time_limit=0.0)
    assert (found.status, found.plan) == ("unknown", None)


def test_a_first_plan_scores_the_board_as_it_stands_once_for_each_term(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once for each of the many moves that lead to the same hex: that took most of the time of many searches."""
    changes = list[tuple[object, ...]]()
    real = greedy.FirstPlan._change

    def counted(self: greedy.FirstPlan, board: Any, found: Any) -> Any:
        changes.append((id(self), len(board.moves), found.unit, found.end, found.kills, found.mp))
        return real(self, board, found)

    monkeypatch.setattr(greedy.FirstPlan, "_change", counted)
    planner.suggest("dai_senso/island_campaign")
    assert len(changes) == len(set(changes)) > 0
