"""Every legal plan of a position, on the referee alone: by land and by sea, over boxes and beaches.

Slower than `brute_force`, which knows land alone, and as plain as can be: whatever the referee lets pass is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from planner.objective import Tally
from planner.plan import Move
from planner.position import Position
from planner.referee import Referee
from planner.results import score, tier_values
from planner.scenario import Scenario
from tests.oracles.brute_force import TooManyStatesError

Value = tuple[Fraction, ...]


class EveryPlan:
    """The best that a position offers, by trying every order and every path.

    Parameters
    ----------
    scenario : Scenario
        The position.
    cap : int
        The number of standings beyond which it gives up.
    longest : int
        The most places of a path.
    """

    def __init__(self, scenario: Scenario, cap: int = 20_000, longest: int = 7) -> None:
        self._scenario, self._cap, self._longest = scenario, cap, longest
        self._game = scenario.game
        self._referee = Referee(scenario.game)

    def best(self) -> Value | None:
        """Return the optimal value of each tier, or None if no plan fulfils the requirements.

        Raises
        ------
        TooManyStatesError
            If there are more standings than the cap.
        """
        found: Value | None = None
        done: set[object] = set()
        stack: list[tuple[Position, dict[str, Fraction]]] = [(self._scenario.start.copy(), {})]
        while stack:
            position, mp = stack.pop()
            key = self._key(position, mp)
            if key in done:
                continue
            done.add(key)
            if len(done) > self._cap:
                raise TooManyStatesError
            value = self._value(position, mp)
            if value is not None and (found is None or value > found):
                found = value
            for unit in self._game.order:
                if unit in self._game.phasing and unit in position.at and unit not in mp:
                    ends: dict[object, tuple[Position, Fraction]] = {}
                    for after, spent in self._moves(unit, position, mp, Move((unit,), (position.at[unit],))):
                        rival = ends.get(key := self._key(after, mp))
                        if rival is None or spent < rival[1]:
                            ends[key] = (after, spent)
                    stack += [(after, {**mp, unit: spent}) for after, spent in ends.values()]
        return found

    @staticmethod
    def _key(position: Position, mp: dict[str, Fraction]) -> object:
        legs = frozenset((leg.unit, leg.step, leg.carriers, leg.linked) for leg in position.legs)
        return (
            frozenset(position.at.items()),
            frozenset(mp.items()),
            frozenset(position.lost),
            frozenset(position.taken),
            legs,
        )

    def _value(self, position: Position, mp: dict[str, Fraction]) -> Value | None:
        tally = Tally(dict(mp))
        if self._referee.check_end(position):
            return None
        for term in self._scenario.requirements:
            if term.score(self._game, position, tally) < term.full(self._game):
                return None
        return tier_values(self._scenario.tiers, score(self._game, self._scenario.tiers, position, tally))

    def _targets(self, label: str) -> list[str]:
        """Return the places to which any rule might let a unit step: neighbours, places of a common zone, boxes."""
        board = self._game.board
        found = {*board.neighbours[label], *board.box_links.get(label, ())}
        for zone in board.zones_of(label):
            found.update(board.zones[zone])
        if board.places[label].box:
            found.update(board.hexes)
        found.update(place for place, hexagon in board.places.items() if hexagon.box)
        return sorted(found - {label})

    def _moves(
        self, unit: str, position: Position, mp: dict[str, Fraction], so_far: Move
    ) -> Iterator[tuple[Position, Fraction]]:
        """Yield the position after each legal move that begins so, with its MP."""
        if len(so_far.path) == self._longest:
            return
        step = len(so_far.path)
        for to in self._targets(so_far.path[-1]):
            path = (*so_far.path, to)
            forms = [Move((unit,), path, so_far.overruns, so_far.carried)]
            forms.append(Move((unit,), path, so_far.overruns, (*so_far.carried, (step, ""))))
            if any(self._game.is_enemy(other) for other in position.units_in(to)):
                forms.append(Move((unit,), path, so_far.overruns | {step}, so_far.carried))
            for move in forms:
                after = position.copy()
                violations, played = self._referee.play_move(move, after, mp.keys())
                if not violations:
                    yield after, played.mp
                    yield from self._moves(unit, position, mp, move)
