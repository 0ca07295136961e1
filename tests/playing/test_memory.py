"""What a position keeps in mind to save time is bounded, and nothing depends on it."""

from __future__ import annotations

import random

import pytest

import planner.playing.moment as moment
from planner import Position


def kept(position: Position) -> int:
    """Return how many moves the moments of the present phase know the consequences of."""
    phase = position._now.phase
    return sum(len(one.known) + len(one.played) for one in {**phase._old, **phase._young})


@pytest.mark.thorough
def test_playouts_below_a_position_keep_no_more_than_a_bound() -> None:
    """Some 3,000 moves are listed, and each playout goes another way."""
    position, rng, listed = Position("crossroads/start"), random.Random(1), 0
    for _ in range(25):
        while len(position) < 4:
            moves = list(position.legal_moves(rng.choice(list(position.at)[:6])))
            listed += len(moves)
            if not moves:
                break
            position.push(rng.choice(moves))
            while position.outcomes:
                position.roll(rng)
        while len(position):
            position.pop()
        assert kept(position) <= 2 * moment.MOST_KEPT
    assert listed > 2 * moment.MOST_KEPT


def test_what_has_been_forgotten_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[list[str]] = []
    for most in (moment.MOST_KEPT, 2):
        monkeypatch.setattr(moment, "MOST_KEPT", most)
        position, rng, line = Position("dai_senso/manchuria"), random.Random(2), list[str]()
        for _ in range(3):
            moves = list(position.legal_moves())
            line += [str(one) for one in moves]
            if moves:
                position.push(rng.choice(moves))
        lines.append(line)
    assert lines[0] == lines[1]


def test_a_phase_that_is_over_keeps_nothing() -> None:
    position = Position("crossroads/start")
    list(position.legal_moves())
    before = position.copy()
    position.end_phase()
    assert kept(before) == 0
    position.pop()
    assert position == before
    assert [str(one) for one in position.legal_moves("b4")] == [str(one) for one in before.legal_moves("b4")]
