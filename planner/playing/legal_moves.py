"""The moves that may be made now, one after another, each cheapest of its end.

Candidates come from the search that lists what units can do while nobody else moves; each is judged by the referee before
anybody sees it. A move ends with its first fight, and may roll on its way: what is left of it follows if that goes well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import chain
from typing import Protocol

from planner.plans.plan import Move
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.referee import Referee
from planner.referee.shared_steps import SharedSteps
from planner.referee.verdict import PlayedMove
from planner.rules.combat_roles import Fights
from planner.world.position import Position

Played = tuple[Position, PlayedMove]
"""Who stands where after a move, and the move as it was played."""


class Judged(Protocol):
    """What is known at one time."""

    @property
    def standing(self) -> Position:
        """Who stands where."""

    @property
    def played(self) -> Mapping[Move, Played]:
        """What becomes of moves that have been judged already, if they are legal."""

    def becomes(self, move: Move, played: Played) -> None:
        """Keep in mind what becomes of a legal move."""


class MoveGenerator:
    """Lists what may be done in one position.

    Parameters
    ----------
    reach : ConditionalReach
        What units can do in the position.
    referee : Referee
        Who judges in its phase.
    now : Judged
        Who stands where, and which moves have been judged.
    """

    def __init__(self, reach: ConditionalReach, referee: Referee, now: Judged) -> None:
        self._game, self._start, self._now = reach.game, now.standing, now
        self._reach, self._referee = reach, referee

    @property
    def movers(self) -> tuple[str, ...]:
        """The units that might move, in the order of the scenario."""
        return tuple(self._game.sorted(self._reach.movers))

    def moves(self, team: tuple[str, ...], to: str | None = None) -> Iterator[Move]:
        """Yield what units that stand in one hex may do together: plain moves by MP, then those that end with a fight.

        Parameters
        ----------
        team : tuple of str
            Phasing units on the map; one, but for games in which stacks move.
        to : str, optional
            Only what ends in this hex, or beside it, need be judged: fights in it begin beside it.
        """
        if not set(team) <= set(self._reach.movers):
            return
        steps = SharedSteps(self._referee, self._start)
        plain: dict[str, tuple[str, ...]] = {}
        fights: dict[tuple[str, ...], Move] = {}
        near = None if to is None else {to, *self._game.board.neighbours.get(to, ())}
        for move in self._candidates(team):
            if near is not None and move.end not in near and move.path[-1] not in near:
                continue
            key = move.end  # whoever comes back to where it stands might as well stay
            if move.overruns:
                fights.setdefault(move.path[-2:], move)
            elif key not in plain and key != move.path[0] and self._is_legal(move, steps):
                plain[key] = move.path
                yield move
        if len(team) == 1 and any(one.overruns for one in self._reach.alone(team[0])):
            yield from self._around(team, plain, steps)
        yield from self._fights(team, plain, fights.values(), steps)

    def _around(self, team: tuple[str, ...], plain: dict[str, tuple[str, ...]], steps: SharedSteps) -> Iterator[Move]:
        """Yield the plain moves to hexes that are listed only by ways through an overrun, the cheapest first."""
        board, home = self._game.board, self._start.at[team[0]]
        queue: list[tuple[Fraction, int, tuple[str, ...], bool]] = [(Fraction(0), 1, (home,), True)]
        queue += [
            (self._now.played[Move(team, path)][1].mp, len(path), path, True)
            for path in plain.values()
            if Move(team, path) in self._now.played
        ]
        heapify(queue)
        while queue:
            _, _, path, is_listed = heappop(queue)
            if not is_listed:
                if path[-1] in plain:
                    continue
                plain[path[-1]] = path
                yield Move(team, path)
            for to in board.neighbours.get(path[-1], ()):
                free = not any(self._game.is_enemy(unit) for unit in self._start.units_in(to))
                move = Move(team, (*path, to))
                if free and to not in plain and to != home and self._is_legal(move, steps):
                    heappush(queue, (self._now.played[move][1].mp, len(move.path), move.path, False))

    def _is_legal(self, move: Move, steps: SharedSteps) -> bool:
        """Let the referee judge a move, and keep what becomes of a legal one."""
        if move in self._now.played:
            return True
        broken, played, after = steps.play(move)
        if broken or not played.played:
            return False
        self._now.becomes(move, (after, played))
        return True

    def _candidates(self, team: tuple[str, ...]) -> Iterator[Move]:
        """Yield what they might do, cheapest first, up to the first overrun of each."""
        if len(team) == 1:
            for one in sorted(self._reach.alone(team[0]), key=lambda one: (one.mp, len(one.path), one.path)):
                yield from _cut(Move(team, one.path, one.overruns, tuple((step, "") for step, _ in one.carried)))
            return
        ways = [{one.end: one for one in self._candidates((unit,)) if not one.overruns} for unit in reversed(team)]
        for end in ways[0]:
            if all(end in way for way in ways):
                yield from (Move(team, path) for path in dict.fromkeys(way[end].path for way in ways))

    def _fights(
        self, team: tuple[str, ...], plain: dict[str, tuple[str, ...]], listed: Iterable[Move], steps: SharedSteps
    ) -> Iterator[Move]:
        """Yield the moves that end with an overrun, or with a combat, from wherever they may go plainly."""
        book, board, start = self._game.rulebook, self._game.board, self._start
        if not book.overrunning and not book.of(Fights):
            return
        home = start.at[team[0]]
        found: dict[str, None] = {}
        near = chain([(home,)], plain.values())
        moves = [*listed]
        for path in near:
            for to in board.neighbours.get(path[-1], ()):
                if any(self._game.is_enemy(unit) for unit in start.units_in(to)):
                    moves.append(Move(team, (*path, to), frozenset([len(path)])))
        for move in sorted(moves, key=lambda one: len(one.path)):
            if str(move) not in found and self._is_legal(move, steps):
                found[str(move)] = None
                yield move


def listed(
    generator: MoveGenerator, standing: Position, team: tuple[str, ...], to: str | None = None
) -> Iterator[Move]:
    """Yield the moves of units together, or of each one of all; `to` as in `MoveGenerator.moves`."""
    if not team:
        for unit in generator.movers:
            if unit in standing.at:
                yield from generator.moves((unit,), to)
    elif len({standing.at.get(unit) for unit in team}) == 1 and team[0] in standing.at:
        yield from generator.moves(team, to)


def _cut(move: Move) -> Iterator[Move]:
    """Yield a move up to its first overrun, and that up to the hex before it."""
    first = min(move.overruns, default=None)
    yield move if first is None else move.until(first)
    if first is not None and first > 1:
        yield move.until(first - 1)
