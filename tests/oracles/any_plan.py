"""Every legal plan of units that move one by one, whether or not they may wait, on the referee alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from planner.objective import Tally
from planner.objective.scoring import Value, score_position, tier_values
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.world.position import Position
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.growing import begun

LONGEST = 7
"""The most steps of a move."""
MOVES = 25
"""So many moves are played for each position that may be, legal or not, before it gives up."""


class AnyPlan:
    """The ends that a position may come to, by trying every move from wherever the units may stand.

    Nothing is remembered but which positions have come up, each with all that what comes later can depend on.

    Parameters
    ----------
    scenario : Scenario
        The position.
    cap : int
        The number of positions beyond which it gives up.
    """

    def __init__(self, scenario: Scenario, cap: int) -> None:
        self._scenario, self._game, self._cap = scenario, scenario.game, cap
        self._referee, self._moves_left = Referee(scenario.game), MOVES * cap
        book = self._game.rulebook
        self._waiting = {unit for unit in self._game.units if book.lets_wait(self._game.units[unit])}
        self._far = any(not way.plain and not way.carries for way in book.ways)

    def ends(self) -> list[tuple[Position, Plan]]:
        """Return every position in which the phase may end, each with a plan.

        Raises
        ------
        TooManyStatesError
            If there are more positions than the cap, or there is too much to try.
        """
        start = self._scenario.start.copy()
        found, spent, stack = list[tuple[Position, Plan]](), {start.key: Fraction(0)}, [(start, tuple[Move, ...]())]
        while stack:
            position, moves = stack.pop()
            if not self._referee.check_end(position):
                found.append((position, Plan(moves)))
            for move, after in self._moves(position):
                if after.key not in spent:
                    spent[after.key] = Fraction(0)
                    if len(spent) > self._cap:
                        raise TooManyStatesError
                    stack.append((after, (*moves, move)))
        return found

    def value(self, end: Position) -> Value | None:
        """Return what an end is worth; None: it doesn't fulfil the requirements."""
        tally, game = Tally({unit: one.spent for unit, one in end.under_way.items()}), self._game
        if not all(term.holds(game, end, tally) for term in self._scenario.requirements):
            return None
        return tier_values(self._scenario.tiers, score_position(game, self._scenario.tiers, end, tally))

    def _moves(self, position: Position) -> Iterator[tuple[Move, Position]]:
        for unit in self._game.order:
            if unit not in self._game.friends or unit not in position.at or not self._game.may_be_moved(unit):
                continue
            if unit not in position.under_way or unit in self._waiting:
                yield from self._ways(unit, position)

    def _ways(self, unit: str, position: Position) -> Iterator[tuple[Move, Position]]:
        seen: set[object] = set()
        level = [begun(self._referee, Move((unit,), (position.at[unit],)), position)]
        for _ in range(LONGEST):
            longer = []
            for one in (so_far.longer(move) for so_far in level for move in self._further(so_far.move, position)):
                self._moves_left -= 1
                if not self._moves_left:
                    raise TooManyStatesError
                broken, made, after = one.play()
                if made is None or (after.key, one.move.end) in seen:
                    continue
                seen.add((after.key, one.move.end))
                if not broken:
                    yield one.move, after
                longer.append(one)
            level = longer

    def _further(self, move: Move, position: Position) -> Iterator[Move]:
        """Yield the move by a step longer: into each place, overrunning or aboard where that may be."""
        board, here, step = self._game.board, move.path[-1], len(move.path)
        sea = {label for zone in board.zones_of(here) for label in board.zones[zone]}
        far = board.hexes if self._far else ()
        for to in sorted({*board.neighbours.get(here, ()), *sea, *far} - {here}):
            longer = replace(move, path=(*move.path, to))
            yield longer
            if any(self._game.is_enemy(unit) for unit in position.units_in(to)) and self._game.rulebook.overrunning:
                yield replace(longer, overruns=move.overruns | {step})
            if to in sea:
                yield replace(longer, carried=(*move.carried, (step, "")))
