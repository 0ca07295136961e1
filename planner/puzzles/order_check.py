"""Whether the author's moves do what is claimed in their order alone: every other order is tried on the referee.

Orders that begin alike are tried together: once a move is illegal after others, no order that begins like that is legal, as
what comes later never mends a move. A puzzle in which the order decides has few beginnings left; where there are too many,
nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from planner.plans.plan import Move, Plan, units_of
from planner.puzzles.author import Author, falls_short
from planner.puzzles.claim import PuzzleClaim
from planner.puzzles.evidence import Evidence
from planner.puzzles.solutions_check import not_looked_at
from planner.puzzles.verification import Check, Outcome
from planner.referee.referee import Referee
from planner.world.position import Position

MOST_PLAYED = 100_000
"""So many moves are played at most, about half a minute: all orders of seven moves that don't matter to each other."""


def look_at_order(evidence: Evidence, claim: PuzzleClaim, author: Author) -> Check:
    """Say whether any other order of the author's moves is legal, and does what is claimed, too."""
    line, claimed = evidence.lines.answer, claim.answer.order
    if author.check.outcome != "holds":
        return not_looked_at("order", "in which orders the moves work", author.check, line)
    orders = _Orders(evidence, author.plan)
    for plan in orders:
        verdict = evidence.replay(plan)
        if verdict.legal and not falls_short(evidence, claim, verdict):
            outcome: Outcome = "fails" if claimed else "holds"
            return Check("order", "order", outcome, "the moves do it in this order, too", plans=(plan,), line=line)
    if orders.cut:
        evidence.interrupted = evidence.limits.stop.is_set()
        why = "it was interrupted" if evidence.interrupted else "the time ran out"
        why = why if evidence.limits.late else "there are too many orders to be tried"
        told = f"no other order is known to work, and none is ruled out: {why}"
        return Check("order", "order", "unknown", told, line=line)
    told = "the moves do it in no other order, proved by trying every one"
    return Check("order", "order", "holds" if claimed else "fails", told, line=line)


class _Orders:
    """Every other order of a plan's moves that may be legal: no move is illegal at its turn, if all goes well.

    Attributes
    ----------
    cut : bool
        Whether it ended before all had been tried.
    """

    def __init__(self, evidence: Evidence, plan: Plan) -> None:
        self._referee = Referee(evidence.scenario.game)
        self._start, self._limits, self._plan = evidence.scenario.start, evidence.limits, plan
        self._left = MOST_PLAYED
        self.cut = False

    def __iter__(self) -> Iterator[Plan]:
        moves = self._plan.moves
        for index in range(len(moves) - 1):  # the likeliest first: two that have nothing to do with each other
            swapped = (*moves[:index], moves[index + 1], moves[index], *moves[index + 2 :])
            if swapped != moves:
                yield replace(self._plan, moves=swapped)
        for order in self._after((), moves, self._start.copy(), frozenset()):
            if order != moves:
                yield replace(self._plan, moves=order)

    def _after(
        self, made: tuple[Move, ...], left: tuple[Move, ...], position: Position, moved: frozenset[str]
    ) -> Iterator[tuple[Move, ...]]:
        """Yield the orders that begin with some moves, after which a position has come about."""
        if not left:
            yield made
        for move in dict.fromkeys(left):  # of two that are the same, either
            if self._left <= 0 or self._limits.late:
                self.cut = True
                return
            self._left -= 1
            index = left.index(move)
            others = (*left[:index], *left[index + 1 :])
            later = units_of(others)
            after = position.copy()
            broken, _ = self._referee.play_move(move, after, moved, len(made), later)
            if not broken:
                yield from self._after((*made, move), others, after, moved.union(move.units))
