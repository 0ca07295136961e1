"""Sequences of moves are counted, and what can't be counted is said at once."""

from __future__ import annotations

import threading

import pytest

import planner
from planner import InputError, Position, perft
from planner.errors import OutOfTimeError


@pytest.mark.parametrize("depth", [-1, 1.5, "2", True, None])
def test_only_whole_numbers_from_0_are_lengths(depth: object) -> None:
    with pytest.raises(InputError, match="depth"):
        perft(Position("dai_senso/manchuria"), depth)  # type: ignore[arg-type]


def test_what_is_stopped_counts_nothing_and_leaves_the_position_as_it_was() -> None:
    position, stop = Position("dai_senso/manchuria"), threading.Event()
    before = position.copy()
    stop.set()
    with pytest.raises(OutOfTimeError):
        perft(position, 3, stop=stop)
    assert position == before
    assert len(position) == 0
    assert planner.perft(position, 0, stop=stop) == 1


def test_the_numbers_of_our_own_game_are_what_they_were() -> None:
    """As they were on the day when they were first counted; each move of them is legal by the referee."""
    position = Position("crossroads/puzzles/second_wind")
    assert (perft(position, 1), perft(position, 2)) == (39, 1200)
