"""Puts the moves of a plan in the order in which players read them best: who leaves a hex goes before who comes to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from graphlib import CycleError

from planner.plans.plan import Move, units_of
from planner.referee.referee import Referee
from planner.search.context import SearchContext
from planner.search.result import Result
from planner.solver.move_order import one_by_one
from planner.solver.tuning import LeavingFirst
from planner.world.position import Position


def let_leavers_go_first(context: SearchContext, result: Result) -> Result:
    """Put moves in another order, where that is legal and comes to the same; of plans with rolls, leave it as it is."""
    if result.plan is None or result.verdict is None or result.verdict.outcomes:
        return result
    game, first = context.scenario.game, result.plan
    found, judge = result, EarlyJudge(Referee(game), context.scenario.start, first.moves)

    def accepts(moves: Sequence[Move]) -> bool:
        nonlocal found
        if judge.refuses(moves):
            return False
        plan = replace(first, moves=tuple(moves))
        verdict = context.replay(plan)
        if not verdict.legal or not context.fulfils(plan, verdict) or context.value(verdict) != result.value:
            return False
        found = replace(result, plan=plan, verdict=verdict, terms=tuple(context.replays.scores(verdict)))
        return True

    leaving_first(first.moves, accepts, lambda: context.late_for_replays)
    return found


class EarlyJudge:
    """Refuses orders of the moves of a legal plan at the first move that can't be made then, without the rest.

    Parameters
    ----------
    referee : Referee
        Who judges them.
    start : Position
        Who stands where before the first move; left as it is.
    moves : sequence of Move
        The plan. What other orders have in common with it at the beginning is played once.
    """

    def __init__(self, referee: Referee, start: Position, moves: Sequence[Move]) -> None:
        self._referee, self._moves = referee, tuple(moves)
        self._before: list[tuple[Position, frozenset[str]]] = [(start, frozenset(start.under_way))]
        """Who stands where before each of its moves, as far as anybody has asked, and who has moved by then."""

    def refuses(self, moves: Sequence[Move]) -> bool:
        """Tell whether some move of an order can't be made; those that are refused are illegal for the referee, too."""
        same = next((i for i, pair in enumerate(zip(moves, self._moves, strict=True)) if pair[0] != pair[1]), 0)
        while len(self._before) <= same:
            self._before.append(self._after(self._moves, len(self._before) - 1, *self._before[-1])[1])
        now = self._before[same]
        for index in range(same, len(moves)):
            legal, now = self._after(moves, index, *now)
            if not legal:
                return True
        return False

    def _after(
        self, moves: Sequence[Move], index: int, before: Position, moved: frozenset[str]
    ) -> tuple[bool, tuple[Position, frozenset[str]]]:
        """Return whether one of the moves is legal, and who stands where after it, and who has moved."""
        position = before.copy()
        later = units_of(moves[index + 1 :])
        broken, played = self._referee.play_move(moves[index], position, moved, index, later)
        return not broken, (position, moved.union(unit for unit, _ in played.spent))


def leaving_first(
    moves: tuple[Move, ...], accepts: Callable[[Sequence[Move]], bool], late: Callable[[], bool]
) -> tuple[Move, ...]:
    """Return moves in the order in which as many as may be leave a hex before another one ends there.

    Parameters
    ----------
    moves : tuple of Move
        Of a legal plan.
    accepts : callable
        Tells whether another order is legal, and comes to the same.
    late : callable
        Tells whether there is no time for more: then it stays as it is.
    """
    seen: set[tuple[Move, ...]] = set()
    while True:
        for order in _better(moves):
            if len(seen) == LeavingFirst.tried or late():
                return moves
            if order not in seen:
                seen.add(order)
                if accepts(order):
                    moves = order
                    break
        else:
            return moves


def _better(moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    """Yield orders in which more of those who leave go first: all of them, if there is such an order, then one by one."""
    wrong = _in_each_others_way(moves)
    if not wrong:
        return
    pairs = [(i, j) for i, one in enumerate(moves) for j, other in enumerate(moves) if i != j and _leaves(one, other)]
    with suppress(CycleError):
        names = [str(i) for i in range(len(moves))]
        yield tuple(moves[int(i)] for i in one_by_one(names, [(names[i], names[j]) for i, j in pairs], int))
    for comes, leaves in wrong:
        rest = (*moves[:leaves], *moves[leaves + 1 :])
        order = (*rest[:comes], moves[leaves], *rest[comes:])
        if len(_in_each_others_way(order)) < len(wrong):
            yield order


def _in_each_others_way(moves: Sequence[Move]) -> list[tuple[int, int]]:
    """Return the places of each two moves of which the first ends in a hex that the second has still to leave."""
    return [(i, j) for j, later in enumerate(moves) for i, earlier in enumerate(moves[:j]) if _leaves(later, earlier)]


def _leaves(move: Move, other: Move) -> bool:
    """Tell whether a move leaves a hex in which some unit of another one ends."""
    return any(other.path[other.last_step(unit)] == move.path[0] for unit in other.units) and move.end != move.path[0]
