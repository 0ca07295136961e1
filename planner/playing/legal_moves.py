"""The moves that may be made now, one after another, each cheapest of its end.

Candidates come from the search that lists what units can do while nobody else moves; each is judged by the referee before
anybody sees it. A move ends with its first fight, and may roll on its way: what is left of it follows if that goes well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from heapq import heapify, heappop, heappush
from math import lcm
from operator import le

from planner.errors import InputError, Problem
from planner.limits import Limits
from planner.plans.plan import Move
from planner.playing.kept_lists import Judge, Judged
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.possibility import Possibility
from planner.rules.combat_roles import Fights
from planner.rules.play import NO_MP, overrun_links
from planner.world.position import Position, UnitProgress


class MoveGenerator:
    """Lists what may be done in one position.

    Parameters
    ----------
    reach : ConditionalReach
        What units can do in the position.
    now : Judged
        Who stands where, who judges, and which moves have been judged.
    stop : threading.Event, optional
        Set it from another thread: `OutOfTimeError` is raised instead of listing any more.
    """

    def __init__(self, reach: ConditionalReach, now: Judged, stop: threading.Event | None = None) -> None:
        self._game, self._start, self._now = reach.game, now.standing, now
        self._reach = reach
        if stop is not None:
            self._reach = copy(reach)  # what it knows of steps is shared
            self._reach.limits = Limits(stop=stop)

    @property
    def movers(self) -> tuple[str, ...]:
        """The units that might move, in the order of the scenario."""
        return tuple(self._game.sorted(self._reach.movers))

    def unknown(self, team: Iterable[str]) -> list[str]:
        """Return those that are no units of the game."""
        return [unit for unit in team if unit not in self._game.units]

    def ends(self, unit: str) -> dict[str, tuple[Fraction, tuple[str, ...]]]:
        """Return where a unit can end, with the MP and the cheapest way, as the search lists it: nobody has judged it yet.

        That takes a third of the time that the judged moves take. Ways that fight aren't among them.
        """
        home, found = self._start.at.get(unit), dict[str, tuple[Fraction, tuple[str, ...]]]()
        for one in _by_mp(self._reach.alone(unit)):
            if one.end not in found and one.end != home and not one.overruns and one.end not in self._held:
                found[one.end] = one.mp, one.path
        return found

    def moves(self, team: tuple[str, ...], to: str | None = None) -> Iterator[Move]:
        """Yield what units that stand in one hex may do together: plain moves by MP, then those that end with a fight.

        Parameters
        ----------
        team : tuple of str
            Phasing units on the map; one, but for games in which stacks move.
        to : str, optional
            Only what ends in this hex, or beside it, need be judged: fights in it begin beside it.
        """
        if not all(map(self._reach.may_begin, team)):
            return
        self._reach.check_time()
        judge, alone = Judge(self._now, team, self._reach.check_time), [self._reach.alone(unit) for unit in team]
        able = judge.source
        if not (isinstance(able, _Able) and able.is_of(alone)):
            able = _Able(team, alone)
        if to is not None:
            yield from self._listed(team, able, judge, to)
            return
        known = judge.moves_from(able, len(able.moves))
        if known is not None:
            yield from known
            return
        found, whole = list[Move](), False
        try:
            for move in self._listed(team, able, judge):
                found.append(move)
                yield move
            whole = True
        finally:
            judge.keep(able, tuple(found) if whole else None)

    def _listed(self, team: tuple[str, ...], able: _Able, judge: Judge, to: str | None = None) -> Iterator[Move]:
        """Yield what units may do, of what they are able to."""
        home = self._start.at[team[0]]
        near = None if to is None else {to, *overrun_links(self._game, to)}

        def wanted(end: str) -> bool:
            return end != home and (near is None or end in near)  # who comes back might as well stay

        plain: dict[str, Move] = {}
        dear: dict[str, Move] = {}
        ways, fights = [Move(team, (home,))], dict[tuple[str, ...], Move]()
        for move in able.moves:
            end = move.path[-1]
            if move.overruns:
                fights.setdefault(move.path[-2:], move)
                continue
            ways.append(move)
            if wanted(end) and end not in plain and (mp := judge.mp(move)) is not None:
                if mp > able.least.get(end, NO_MP):
                    dear.setdefault(end, move)
                else:
                    plain[end] = move
                    yield move
        begun, others = ways if len(team) == 1 else ways[:1], list[Move]()
        if any(wanted(end) and end not in plain for end in able.unsure):
            others = [*self._around(begun, able.unsure, judge, judge.mp)]
        for move in sorted([*others, *dear.values()], key=judge.known):
            if wanted(move.end) and move.end not in plain:
                plain[move.end] = move
                yield move
        through = self._through(begun, {*plain, home}, judge)
        for move in self._fights([ways[0], *plain.values(), *others, *through], fights.values(), judge):
            if wanted(move.end):
                yield move

    def _through(self, ways: Sequence[Move], known: Collection[str], judge: Judge) -> Iterator[Move]:
        """Yield the plain moves to hexes in which they may not end, from where they may still fight."""
        book = self._game.rulebook
        if self._held and book.halting and (book.overrunning or book.of(Fights)):
            yield from self._around(ways, self._game.board.neighbours.keys() - known, judge, judge.mp_of_passing)

    def _around(
        self,
        ways: Sequence[Move],
        into: Collection[str],
        judge: Judge,
        mp_of: Callable[[Move], Fraction | None],
    ) -> Iterator[Move]:
        """Yield the plain moves on from some into certain hexes only, by MP, but those that are no better than others."""
        board, free = self._game.board, frozenset(into) - self._held
        near = {label for to in free for label in board.neighbours.get(to, ())}
        known: dict[str, list[tuple[UnitProgress, ...]]] = {}
        queue = [
            (mp, len(move.path), move.path, number, move)
            for number, move in enumerate(ways)
            if move.end in near and (mp := NO_MP if len(move.path) == 1 else mp_of(move)) is not None
        ]
        heapify(queue)
        while queue:
            _, _, path, number, move = heappop(queue)
            if len(path) > 1:
                progress = judge.progress(move)
                if any(_as_good(one, progress) for one in known.setdefault(path[-1], [])):
                    continue
                known[path[-1]].append(progress)
            if number < 0:
                yield move
            for to in board.neighbours.get(path[-1], ()):
                further = replace(move, path=(*path, to))
                if to in free and to != path[0] and (mp := mp_of(further)) is not None:
                    heappush(queue, (mp, len(further.path), further.path, -1, further))

    @cached_property
    def _held(self) -> frozenset[str]:
        """The hexes in which enemies stand."""
        start, friends = self._start, self._game.friends
        return frozenset(label for label in start.occupied() if start.units_but(label, friends))

    def _fights(self, ways: Sequence[Move], listed: Iterable[Move], judge: Judge) -> Iterator[Move]:
        """Yield the moves that end with an overrun, or with a combat, from wherever they may go plainly."""
        book, held = self._game.rulebook, self._held
        if not book.overrunning and not book.of(Fights):
            return
        found: set[tuple[str, ...]] = set()
        moves = [
            *listed,
            *(
                replace(way, path=(*way.path, to), overruns=frozenset([len(way.path)]))
                for way in ways
                for to in overrun_links(self._game, way.path[-1])
                if to in held
            ),
        ]
        for move in sorted(moves, key=lambda one: len(one.path)):
            last = move.path[-2:]
            if last not in found and judge.mp(move) is not None:
                found.add(last)
                yield move


class _Able:
    """What units can do alone, and what that tells of what they can do together.

    Parameters
    ----------
    team : tuple of str
        The units.
    alone : list of list of Possibility
        What each can do.

    Attributes
    ----------
    moves : tuple of Move
        Moves that may be legal, the cheapest first, each up to its first overrun; those of teams have none.
    least : dict from labels to Fraction
        What it takes them at least to get somewhere together.
    unsure : collection of str
        The hexes to which another way may be cheaper than any that is listed: one around an overrun that is cheaper still,
        or one that none of several prefers.
    """

    def __init__(self, team: tuple[str, ...], alone: list[list[Possibility]]) -> None:
        self._of = alone
        self._alone = [_by_mp(some) for some in alone]
        mp = [{one.end: one.mp for one in reversed(some)} for some in self._alone]
        self.least = {end: max(some[end] for some in mp) for end in mp[0] if all(end in some for some in mp)}
        self.unsure: Collection[str] = self.least.keys()
        if len(alone) == 1:
            least = self.least
            self.unsure -= {
                one.end
                for one in alone[0]
                if not one.overruns and (one.mp is least[one.end] or one.mp == least[one.end])
            }
        self.moves = tuple(self._moves(team))

    def is_of(self, alone: list[list[Possibility]]) -> bool:
        """Tell whether it comes from what units can do alone."""
        return all(one is other for one, other in zip(self._of, alone, strict=True))

    def _moves(self, team: tuple[str, ...]) -> Iterator[Move]:
        if len(team) == 1:
            for one in self._alone[0]:
                yield from _cut(one.move)
            return
        ways: list[dict[str, tuple[str, ...]]] = [
            {one.end: one.path for one in reversed(some) if not one.overruns and not one.carried}
            for some in self._alone
        ]
        for end in sorted(self.least, key=lambda end: self.least[end]):
            yield from (Move(team, path) for path in dict.fromkeys(way[end] for way in ways if end in way))


def _by_mp(some: list[Possibility]) -> list[Possibility]:
    """Return possibilities by MP, then by their paths; whole numbers are compared in a tenth of the time of fractions."""
    common = lcm(*{one.mp.denominator for one in some})
    return sorted(some, key=lambda one: (one.mp.numerator * (common // one.mp.denominator), len(one.path), one.path))


def _as_good(one: tuple[UnitProgress, ...], other: tuple[UnitProgress, ...]) -> bool:
    """Tell whether whoever has got somewhere in one way can go on as well as in the other."""
    return all(
        a.spent <= b.spent
        and a.steps <= b.steps
        and (not a.stops or a.stops == b.stops)
        and (a.way, a.zones) == (b.way, b.zones)
        and all(map(le, (mp for _, mp in a.tallies), (mp for _, mp in b.tallies)))
        for a, b in zip(one, other, strict=True)
    )


def listed(
    generator: MoveGenerator, standing: Position, team: tuple[str, ...], to: str | None = None
) -> Iterator[Move]:
    """Return the moves of units together, or of each one of all; `to` as in `MoveGenerator.moves`.

    Raises
    ------
    InputError
        If there are no such units, or one is named twice.
    """
    if len(set(team)) < len(team):
        raise InputError([Problem(f"must name each unit once, not {'+'.join(team)!r}", "units")])
    unknown = generator.unknown(team)
    if unknown:
        raise InputError([Problem(f"no unit has the id {unit!r}", "units") for unit in unknown])
    return _moves(generator, standing, team, to)


def _moves(generator: MoveGenerator, standing: Position, team: tuple[str, ...], to: str | None) -> Iterator[Move]:
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
