"""Counts move sequences: the numbers by which authors of engines hold theirs against others'."""

from __future__ import annotations

import threading

from planner.arguments import checked
from planner.errors import InputError, OutOfTimeError, Problem
from planner.playing.position import Position


@checked
def perft(position: Position, depth: int, *, stop: threading.Event | None = None) -> int:
    """Count the sequences of moves of a length that may be made one after another within the phase.

    Moves are those of `Position.legal_moves`, each of one unit. Each result of a roll begins sequences of its own, however
    likely it is, and takes nothing of the length.

    Parameters
    ----------
    position : Position
        Where to begin; it is left as it is.
    depth : int
        The length, from 0.
    stop : threading.Event, optional
        Set it from another thread to stop.

    Raises
    ------
    InputError
        If it isn't a position, or the length isn't a whole number from 0.
    OutOfTimeError
        If somebody has stopped it: part of a count is of no use.
    RollDueError
        If a roll is due.
    """
    if not isinstance(position, Position):
        raise InputError([Problem(f"must be a Position, not {position!r:.60}", "position")])
    return _count(position.copy(), depth, {}, stop)


def _count(position: Position, depth: int, known: dict[object, int], stop: threading.Event | None) -> int:
    if position.outcomes:
        found = 0
        for one in position.outcomes:
            position.roll(result=one.move)
            found += _count(position, depth, known, stop)
            position.pop()
        return found
    if not depth:
        return 1
    name = position.key, depth
    if name not in known:
        found = 0
        for move in position.legal_moves():
            if stop is not None and stop.is_set():
                raise OutOfTimeError("it was stopped while sequences were counted")
            position.push(move)
            found += _count(position, depth - 1, known, stop)
            position.pop()
        known[name] = found
    return known[name]
