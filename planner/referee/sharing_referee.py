"""A referee that plays what plans have in common once: the first moves of plans, and the first steps of moves.

It says what any referee says. What it has played it keeps for as long as it is there, so that there must be one for each
question; of other positions than those that it has made itself, and those from which it was asked to play, it knows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from planner.plans.plan import Move
from planner.referee.move_record import MoveUnderWay, twin_of
from planner.referee.referee import PlayedOn, Referee
from planner.rules.game import Game
from planner.world.board import NOTHING
from planner.world.position import Position

MOST_KEPT = 4_000
"""How many positions are kept before all of them are forgotten; some 40 MB.

Twice as many at most if they are of one unit's moves, and more of them are asked for.
"""


class _State:
    """How far those who make a move have got, and what comes of a further step, or of the end."""

    __slots__ = ("further", "under_way")

    def __init__(self, under_way: MoveUnderWay) -> None:
        self.under_way = under_way
        self.further: dict[object, _State | None] = {}

    def to_be_ended(self, halting: bool) -> MoveUnderWay:
        """Return the move, to be ended: that changes who has got how far and, if rules are `halting`, its record."""
        further = twin_of(self.under_way)
        further.position = self.under_way.position.with_further_progress()
        if halting:
            further.record = self.under_way.record.copy()
        return further


class SharingReferee(Referee):
    """Judges plans that begin alike.

    Parameters
    ----------
    game : Game
        The board, the units, the rules and the situation.
    thorough : bool
        Whether all that is wrong with a plan is told; if not, it is played no further than to its first illegal step.
    """

    def __init__(self, game: Game, thorough: bool = True) -> None:
        super().__init__(game)
        self.thorough = thorough
        # By the identity of positions, which are kept with what was played from them, so that it stays theirs.
        # By the paths that have been gone from there, as long as nothing but steps is said of them, how far that is.
        self._begun: dict[object, tuple[Position, _State, dict[tuple[str, ...], _State]]] = {}
        self._made: dict[object, tuple[Position, PlayedOn]] = {}
        self._kept = 0

    def play_on(
        self,
        position: Position,
        move: Move,
        moved: Iterable[str],
        index: int = 0,
        later: frozenset[str] = frozenset(),
        results: Mapping[int, int] | None = None,
    ) -> PlayedOn:
        """Play one move from a position, which nobody may change any more, as `Referee.play_on` does."""
        moved = frozenset(move.units).intersection(moved)
        if later and not moved and not position.relied:  # who moves later is asked about along the way alone
            at = position.at
            later = frozenset([unit for unit in later if at.get(unit) in move.path])
        begun = id(position), move.units, move.path[0], moved, index, later
        whole = begun, move, tuple((results or {}).items())
        if (known := self._made.get(whole)) is not None:
            return known[1]
        if self._kept > (2 * MOST_KEPT if begun in self._begun else MOST_KEPT):
            self._begun, self._made, self._kept = {}, {}, 0
        if begun not in self._begun:
            before = position.copy()
            before.in_hand = NOTHING
            again = position.in_hand.issuperset(move.units)
            self._begun[begun] = position, _State(self.begin_move(move, before, moved, index, later, again)), {}
        _, state, along = self._begun[begun]
        path, overruns, plain = move.path, move.overruns, not results and _plain(move)
        walks = plain and not overruns
        made = len(path) - 1 if walks else 0
        while made and path[: made + 1] not in along:
            made -= 1
        state = along[path[: made + 1]] if made else state
        for step in range(made + 1, len(path)):
            if not self.thorough and state.under_way.record.violations:
                break
            name = (path[step], step in overruns) if plain else _name(move, step, (results or {}).get(step, 0))
            if name in state.further:
                further = state.further[name]
            else:
                further = self._stepped(state, move, step, (results or {}).get(step, 0), name)
            if further is None:
                break
            state = further
            if walks:
                along[path[: step + 1]] = state
        under_way = state.to_be_ended(bool(self.game.rulebook.halting))
        result = (under_way.position, *self.end_move(move, under_way))
        self._made[whole] = position, result
        self._kept += 1
        return result

    def _stepped(self, state: _State, move: Move, step: int, number: int, name: object) -> _State | None:
        """Return how far those who make a move have got after one more step; None: there is nobody to make it."""
        under_way = state.under_way.copy()
        made = self.play_step(move, step, under_way, number)
        further = state.further[name] = _State(under_way) if made else None
        self._kept += made
        return further


def _plain(move: Move) -> bool:
    """Tell whether one unit moves, and nothing is said of its steps but where they lead, and whether they overrun."""
    said = move.carried or move.attempts or move.support or move.failed or move.damage is not None or move.made
    return len(move.units) == 1 and not said


def _name(move: Move, step: int, number: int) -> object:
    """Return all of a move on which one of its steps depends, besides the steps before it."""
    to, overrun = move.path[step], step in move.overruns
    if _plain(move) and not number:
        return to, overrun
    ending = step == len(move.path) - 1 and (move.failed or move.damage is not None)
    return (
        to,
        overrun,
        move.carrier(step),
        move.tries(step),
        move.supporters(step),
        ending and (move.failed, move.damage),
        step <= move.made,
        # Who goes on is no matter to a unit that moves by itself.
        len(move.units) > 1 and tuple(unit for unit in move.units if move.last_step(unit) > step),
        number,
    )
