"""Moves that begin alike, as lists of legal moves are full of: what they have in common is played once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from planner.plans.plan import Move, Plan
from planner.referee.move_record import MoveUnderWay
from planner.referee.referee import tally_of
from planner.referee.verdict import PlayedMove, Verdict, Violation
from planner.world.position import Position, Progress

if TYPE_CHECKING:
    from planner.referee.referee import Referee

_Steps = tuple[tuple[str, ...], frozenset[int], tuple[tuple[int, str], ...]]
"""The first steps of a move: their path, which of them overrun, and who carries."""


class SharedSteps:
    """Plays moves from one position.

    Parameters
    ----------
    referee : Referee
        Who judges them.
    start : Position
        Who stands where before each of them; left as it is.
    """

    def __init__(self, referee: Referee, start: Position) -> None:
        self._referee, self._start = referee, start
        self._moved = frozenset(start.under_way)
        self._known: dict[tuple[tuple[str, ...], _Steps, bool], MoveUnderWay] = {}

    def play(self, move: Move) -> tuple[list[Violation], PlayedMove, Position]:
        """Play a move as `Referee.play_move` does; return what is wrong, what became of it, and who stands where then."""
        if not _plain(move) or self._goes_on(move):
            position = self._start.copy()
            return *self._referee.play_move(move, position, self._moved), position
        known = self._after(move, len(move.path) - 1)
        end = known.copy() if self._referee.game.rulebook.halting else known.to_end()
        return *self._referee.end_move(move, end), end.position

    def progress(self, move: Move) -> tuple[Progress, ...]:
        """Return how far each of those who have made a move has got if they go on together: none is left in its end."""
        if self._goes_on(move):
            under_way = self.play(move)[2].under_way
            return tuple(under_way[unit] for unit in move.units)
        longer = replace(move, path=(*move.path, move.path[0]))
        plays = self._after(longer, len(move.path) - 1).plays
        return tuple(plays[unit].progress() for unit in move.units)

    def _goes_on(self, move: Move) -> bool:
        """Tell whether a move goes on with one that isn't over."""
        hand = self._start.in_hand
        return hand is not None and hand.units.issuperset(move.units)

    def _after(self, move: Move, steps: int) -> MoveUnderWay:
        """Return a move whose first steps have been made."""
        made = steps
        while (known := self._known.get(_name(move, made))) is None and made:
            made -= 1
        if known is None:
            position = self._start.copy()
            position.in_hand = None  # another move begins
            known = self._known[_name(move, 0)] = self._referee.begin_move(move, position, self._moved)
        for step in range(made + 1, steps + 1):
            further = known.copy()
            if not self._referee.play_step(move, step, further):
                break
            known = self._known[_name(move, step)] = further
        return known

    def verdict(self, plan: Plan) -> tuple[bool, Verdict | None]:
        """Judge a plan of one move; None if it is illegal.

        Returns
        -------
        sure : bool
            Whether nothing in it is left to chance; otherwise the verdict is as if all went well.
        verdict : Verdict or None
            What `Referee.play` says of it, but for what follows if something fails.
        """
        [move] = plan.moves
        broken, played, position = self.play(move)
        if broken or not played.played or plan.attacks is not None or self._referee.check_end(position):
            return plan.attacks is None, None
        tally = tally_of(self._start, plan)
        tally.mp.update(played.spent)
        sure = not played.rolls and all(one.possible <= one.strength for one in played.survivals)
        return sure, Verdict((), (played,), position, tally)


def _plain(move: Move) -> bool:
    """Tell whether nothing is said of a move's steps but where they lead, whether they overrun, and who carries."""
    return not (move.drops or move.attempts or move.support or move.failed or move.damage or move.made)


def _name(move: Move, steps: int) -> tuple[tuple[str, ...], _Steps, bool]:
    """Return what the first steps of moves that begin alike have in common.

    Those who end a move together are friends to each other where they do; on their way they aren't.
    """
    ends = len(move.units) > 1 and steps == len(move.path) - 1
    if not move.overruns and not move.carried:
        return move.units, (move.path[: steps + 1], move.overruns, ()), ends
    overruns = frozenset(one for one in move.overruns if one <= steps)
    carried = tuple(one for one in move.carried if one[0] <= steps)
    return move.units, (move.path[: steps + 1], overruns, carried), ends
