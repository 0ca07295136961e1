"""Counts move sequences: the numbers by which authors of engines hold theirs against others'."""

from __future__ import annotations

from planner.playing.position import Position


def perft(position: Position, depth: int) -> int:
    """Count the sequences of moves of a length that may be made one after another within the phase.

    Moves are those of `Position.legal_moves`, each of one unit. Each result of a roll begins sequences of its own, however
    likely it is, and takes nothing of the length.

    Parameters
    ----------
    position : Position
        Where to begin; it is as before in the end.
    depth : int
        The length, from 0.

    Raises
    ------
    RollDueError
        If a roll is due.
    """
    return _count(position, depth, {})


def _count(position: Position, depth: int, known: dict[object, int]) -> int:
    if position.outcomes:
        found = 0
        for one in position.outcomes:
            position.roll(result=one.move)
            found += _count(position, depth, known)
            position.pop()
        return found
    if not depth:
        return 1
    name = position.key, depth
    if name not in known:
        found = 0
        for move in list(position.legal_moves()):
            position.push(move)
            found += _count(position, depth - 1, known)
            position.pop()
        known[name] = found
    return known[name]
