"""Moves that grow step by step, on the referee alone: what longer ones begin with is played once, not for each of them."""

from __future__ import annotations

from planner.plans.plan import Move
from planner.referee.move_record import MoveUnderWay
from planner.referee.referee import Referee
from planner.referee.verdict import PlayedMove, Violation
from planner.world.position import Position


class Growing:
    """A move from a position.

    Parameters
    ----------
    referee : Referee
        Who plays it.
    move : Move
        The move.
    before : MoveUnderWay
        The move before its last step, or before its first if it has none as yet; nobody may change it.
    """

    def __init__(self, referee: Referee, move: Move, before: MoveUnderWay) -> None:
        self.move = move
        self._referee, self._before = referee, before
        self._made: MoveUnderWay | None = None

    def longer(self, move: Move) -> Growing:
        """Return a move that is the same but for one step more."""
        if self._made is not None and len(move.units) == 1:
            return Growing(self._referee, move, self._made)
        before = self._before
        if len(self.move.path) > 1:  # a stack makes a step otherwise if some of it go on
            before = before.copy()
            self._referee.play_step(move, len(self.move.path) - 1, before)
        return Growing(self._referee, move, before)

    def play(self) -> tuple[list[Violation], PlayedMove | None, Position]:
        """Return what is wrong with the move, and what comes of it; None if a step of it is illegal."""
        made = self._made = self._before.copy()
        self._referee.play_step(self.move, len(self.move.path) - 1, made)
        if made.record.violations:
            return made.record.violations, None, made.position
        ended = made.copy()
        broken, played = self._referee.end_move(self.move, ended)
        return broken, played, ended.position


def begun(referee: Referee, move: Move, position: Position) -> Growing:
    """Return a move that hasn't made any step yet; the position is left as it is."""
    before, in_hand = position.copy(), position.in_hand.issuperset(move.units)
    before.in_hand = frozenset()
    return Growing(referee, move, referee.begin_move(move, before, frozenset(position.under_way), in_hand=in_hand))
