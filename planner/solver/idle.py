"""Leaves out of a plan what is of no use: whole moves, and units that others don't need beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from planner.objective import Tally
from planner.plan import Move, Plan
from planner.position import Position
from planner.referee import Referee


class Prefixes:
    """Plays plans that begin alike: what they have in common is played once. As if all rolls went well.

    Parameters
    ----------
    referee : Referee
        Plays the moves.
    start : Position
        Where they begin.
    """

    def __init__(self, referee: Referee, start: Position) -> None:
        self._referee = referee
        self._moves: list[Move] = []
        self._after: list[tuple[Position, Tally]] = [(start.copy(), Tally())]

    def play(self, moves: Sequence[Move], same: int) -> tuple[Position, Tally] | None:
        """Play a plan; None: it breaks a rule, and is played no further.

        Parameters
        ----------
        moves : sequence of Move
            Of the plan.
        same : int
            How many of them, from the first on, are those of a plan that is legal.
        """
        common = 0
        while common < min(same, len(self._moves)) and self._moves[common] == moves[common]:
            common += 1
        del self._moves[common:], self._after[common + 1 :]
        for index in range(common, same):
            further = self._copy()
            self._make(moves, index, *further)
            self._moves.append(moves[index])
            self._after.append(further)
        position, tally = self._copy()
        for index in range(same, len(moves)):
            if not self._make(moves, index, position, tally):
                return None
        return None if self._referee.check_end(position) else (position, tally)

    def _copy(self) -> tuple[Position, Tally]:
        position, tally = self._after[-1]
        return position.copy(), Tally(dict(tally.mp))

    def _make(self, moves: Sequence[Move], index: int, position: Position, tally: Tally) -> bool:
        later = frozenset(unit for move in moves[index + 1 :] for unit in move.units)
        violations, played = self._referee.play_move(moves[index], position, tally.mp.keys(), index, later)
        tally.mp.update(played.spent)
        return not violations


def without_idle_moves(
    plan: Plan, accepts: Callable[[Plan, int], bool], needed: Callable[[Move], bool], late: Callable[[], bool]
) -> Plan:
    """Return a plan without the moves that can be left out, the last ones first, as those before them may serve them.

    Parameters
    ----------
    plan : Plan
        The plan.
    accepts : callable
        Tells whether a shorter plan is as good; gets how many of its first moves are those of a plan that is.
    needed : callable
        Tells of moves of which it is known that they can't be left out; they aren't tried.
    late : callable
        Tells whether there is no time for more: what is left is left.
    """
    moves = list(plan.moves)
    # Most of what is of no use serves nothing that is: all of that is tried at once.
    wanted = [move for move in moves if needed(move)]
    of_use = _serving(moves, {index for index, move in enumerate(moves) if move in wanted})
    few = [move for index, move in enumerate(moves) if index in of_use]
    if len(few) < len(moves) - 1 and not late() and accepts(Plan(tuple(few)), 0):
        moves = few
    for index in reversed(range(len(moves))):
        if late():
            break
        if moves[index] in wanted:
            continue
        for shorter in _less(moves[index]):
            tried = [*moves[:index], *shorter, *moves[index + 1 :]]
            if accepts(Plan(tuple(tried)), index):
                moves = tried
                break
    return Plan(tuple(moves))


def _serving(moves: list[Move], needed: set[int]) -> set[int]:
    """Return the moves that are needed, and those that may serve them, or serve those that do.

    Who overruns somebody may serve anybody; who ends where another one passes, or leaves the hex in which it ends, may serve
    that one. There may be other ways: whoever asks tries without the rest.
    """
    found = {*needed, *(index for index, move in enumerate(moves) if move.overruns)}
    open_ = list(found)
    while open_:
        served = moves[open_.pop()]
        for index, move in enumerate(moves):
            if index not in found and (move.path[-1] in served.path or move.path[0] == served.path[-1]):
                found.add(index)
                open_.append(index)
    return found


def _less(move: Move) -> Iterator[tuple[Move, ...]]:
    """Yield what may be left of a move: nothing, or what it is without one of its units."""
    yield ()
    if len(move.units) > 1:
        for unit in reversed(move.units):
            rest = replace(
                move,
                units=tuple(other for other in move.units if other != unit),
                drops=tuple(drop for drop in move.drops if drop[1] != unit),
            )
            if not any(rest.faults()):
                yield (rest,)
