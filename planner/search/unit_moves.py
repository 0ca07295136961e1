"""Every move that a unit can make from a position, on the referee alone: one for each thing that it comes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations
from operator import le

from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.verdict import PlayedMove
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.play import ways_from
from planner.world.position import Position

LARGEST_TEAM = 3
"""So many units of a stack are tried together at most."""


class UnitMoves:
    """The legal moves of the phasing units.

    Parameters
    ----------
    referee : Referee
        Plays the moves.
    limits : Limits, optional
        When to stop.
    """

    def __init__(self, referee: Referee, limits: Limits | None = None) -> None:
        self._referee, self._game, self._limits = referee, referee.game, limits or Limits()
        rules = self._game.rulebook.rules
        self._sequence = self._game.rulebook.sequence
        self._overruns = bool(self._game.rulebook.overrunning)
        self._fights = bool(self._game.rulebook.of(Fights))
        self._counts = max((rule.counts_hexes for rule in rules), default=0)

    @property
    def stacks(self) -> bool:
        """Whether units may move as a stack."""
        return self._sequence is not None and self._sequence.stacks

    @property
    def exhaustive(self) -> bool:
        """Whether no move is left out: units move alone, and once, and it doesn't help to try an overrun again."""
        waits = self._sequence is not None and self._sequence.waiting is not None
        unsure = self._game.situation.confidence < 1
        again = unsure and any(rule.attempts > 1 for rule in self._game.rulebook.of(JointlyOverruns))
        return not self.stacks and not waits and not again

    def may_go_on(self, unit: str) -> bool:
        """Tell whether a unit may go on after it has moved."""
        return self._sequence is not None and self._sequence.lets_wait(self._game.units[unit])

    def teams(self, position: Position, but: frozenset[str] = frozenset()) -> Iterator[tuple[str, ...]]:
        """Yield who may make a move: each unit, and where stacks move, units that stand together."""
        fresh = [
            unit
            for unit in self._game.order
            if unit in self._game.friends
            and unit in position.at
            and unit not in but
            and (unit not in position.under_way or self.may_go_on(unit))
        ]
        for unit in fresh:
            yield (unit,)
        if self.stacks:
            for label in dict.fromkeys(position.at[unit] for unit in fresh):
                here = [unit for unit in fresh if position.at[unit] == label]
                for size in range(2, min(len(here), LARGEST_TEAM) + 1):
                    yield from combinations(here, size)

    def moves(
        self,
        team: tuple[str, ...],
        position: Position,
        later: frozenset[str] = frozenset(),
        shortest: bool = False,
    ) -> Iterator[tuple[Move, Position]]:
        """Yield the legal moves of a unit, or of a stack that overruns or fights, each with the position after it.

        Of moves that come to the same, the cheapest is yielded, and of those the first; of a stack each that is cheaper for
        some unit of it than the others: what it comes to later may hang on any of them. Short paths come first.

        Parameters
        ----------
        team : tuple of str
            The units; they stand in one hex.
        position : Position
            The board as it stands; left as it is.
        later : frozenset of str
            The units that move afterwards.
        shortest : bool
            Whether of moves that come to the same one with the fewest steps is yielded instead.

        Raises
        ------
        OutOfTimeError
            If it gets late; before that, what has been found is yielded.
        """
        cheapest: dict[object, list[tuple[Fraction, ...]]] = {}
        found: dict[tuple[object, tuple[Fraction, ...]], tuple[Move, Position]] = {}
        level = [Move(team, (position.at[team[0]],))]
        try:
            while level:
                following = []
                for move in level:
                    for further in self.extended(move, position):
                        self._limits.check()
                        gone = position.under_way.keys()
                        after, broken, played = self._referee.play_on(position, further, gone, 0, later)
                        if not played.played or not all(one.halt for one in broken):
                            continue
                        key = self.key(after, team), _rolled(further, played)
                        spent = tuple(mp for _, mp in played.spent)
                        dearer = add_cheaper(cheapest.setdefault(key, []), spent)
                        if dearer is None:
                            continue
                        for more in dearer:
                            found.pop((key, more), None)
                        if not broken and (len(team) == 1 or further.overruns or any(r.results for r in played.rolls)):
                            found.setdefault((key, () if shortest else spent), (further, after))
                        if len(further.path) <= len(self._game.board):
                            following.append(further)
                level = following
        except OutOfTimeError:
            yield from found.values()
            raise
        yield from found.values()

    def further(
        self, team: tuple[str, ...], position: Position, later: frozenset[str] = frozenset()
    ) -> Iterator[tuple[Move, Position]]:
        """Yield the moves of a team on which those of `moves` can be built: of units that may go on later, single steps.

        Parameters are those of `moves`.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        if not all(map(self.may_go_on, team)) or self._game.rulebook.halting:
            yield from self.moves(team, position, later)
            return
        for move in self.extended(Move(team, (position.at[team[0]],)), position):
            self._limits.check()
            after, broken, played = self._referee.play_on(position, move, position.under_way.keys(), 0, later)
            if not broken and played.played and (len(team) == 1 or move.overruns):
                yield move, after

    def outcome(
        self, move: Move, position: Position, later: frozenset[str] = frozenset(), goes_on: bool = False
    ) -> tuple[object, Fraction] | None:
        """Return what a move comes to, the same for moves that come to the same, and its MP; None if it is illegal.

        `goes_on`: whether it is a part of a move, which needn't be allowed to end there.
        """
        after = position.copy()
        broken, played = self._referee.play_move(move, after, position.under_way.keys(), 0, later)
        if not played.played or not all(goes_on and one.halt for one in broken):
            return None
        key = self.key(after, move.units), _rolled(move, played)
        return key, sum((mp for _, mp in played.spent), Fraction(0))

    def extended(self, move: Move, position: Position) -> Iterator[Move]:
        """Yield a move with one more step, in each form that some rule might allow."""
        board, here, step = self._game.board, move.path[-1], len(move.path)
        near = dict.fromkeys([*board.neighbours[here], *board.box_links.get(here, ())])
        unit, ways = self._game.units[move.units[0]], ways_from(self._game, here)
        afar = (way.joined_to(self._game, unit, here) for way in ways if not (way.plain or way.carries))
        near.update(dict.fromkeys(chain.from_iterable(afar)))
        near.update(dict.fromkeys(label for label, place in board.places.items() if place.box))
        if board.places[here].box:
            near.update(dict.fromkeys(board.hexes))
        near.pop(here, None)
        for to in near:
            longer = replace(move, path=(*move.path, to))
            enemies = any(self._game.is_enemy(unit) for unit in position.units_in(to))
            if enemies and (self._overruns or self._fights):
                yield replace(longer, overruns=move.overruns | {step})
            if not enemies or self._overruns:
                yield longer
        zones = board.zones_of(here)
        for to in dict.fromkeys(place for zone in zones for place in board.zones[zone]):
            if to != here:
                yield replace(move, path=(*move.path, to), carried=(*move.carried, (step, "")))

    def key(self, position: Position, team: tuple[str, ...]) -> object:
        """Return what counts of a position in which a team has moved, but for the MP that it has spent."""
        ways = tuple(
            (tuple(p.stops), p.way, p.zones, min(p.steps, self._counts), p.tallies)
            for p in (position.under_way[unit] for unit in team if unit in position.under_way)
        )
        return (
            frozenset(position.at.items()),
            self._game.counted(position.taken),
            *position.happened,
            ways,
        )


def add_cheaper(known: list[tuple[Fraction, ...]], spent: tuple[Fraction, ...]) -> list[tuple[Fraction, ...]] | None:
    """Add what each of some units has spent to what they have otherwise, without all of that in which none has spent less.

    Returned is what is dropped; None: nothing is added, since there is one already in which none has spent more.
    """
    if any(all(map(le, less, spent)) for less in known):
        return None
    dearer = [more for more in known if all(map(le, spent, more))]
    known[:] = [*(more for more in known if more not in dearer), spent]
    return dearer


def _rolled(move: Move, played: PlayedMove) -> object:
    """Return in what moves may differ that come to the same if all goes well: what else may come of attacks, and where.

    Who bogs down does so in the hex itself, on one way or another; whose overrun fails stays in the hex before it.
    """
    return tuple(
        roll.results or (move.path[roll.step - (not roll.bogs) : roll.step + 1], roll.chance) for roll in played.rolls
    )


def written(moves: tuple[Move, ...]) -> Iterator[Plan]:
    """Yield moves as a plan: with those written as one that the same units make one after the other, then as they are."""
    joined: list[Move] = []
    for move in moves:
        last = joined[-1] if joined else None
        if last is None or last.units != move.units or last.end != move.path[0] or last.overruns:
            joined.append(move)
        else:
            joined[-1] = last.then(move)
    yield from dict.fromkeys([Plan(tuple(joined)), Plan(moves)])
