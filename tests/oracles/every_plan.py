"""Every legal plan of a position, on the referee alone: by land and by sea, over boxes and beaches.

Slower than `brute_force`, which knows land alone, and as plain as can be: whatever the referee lets pass is tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from planner.objective import Tally
from planner.objective.scoring import Value, score_position, tier_values
from planner.referee.referee import Referee
from planner.rules.play import MoveInPlay
from planner.scenario import Scenario
from planner.world.position import Position, UnitProgress
from tests.oracles.brute_force import TooManyStatesError


class EveryPlan:
    """The best that a position offers, by trying every order and every path.

    Parameters
    ----------
    scenario : Scenario
        The position.
    cap : int
        The number of standings beyond which it gives up.
    longest : int
        The most steps of a path.
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
        return max((value for _, _, value in self.standings()), default=None)

    def standings(self) -> Iterator[tuple[Position, dict[str, Fraction], Value]]:
        """Yield every position in which the phase may end, with the MP of those who have moved, and its value.

        Raises
        ------
        TooManyStatesError
            If there are more standings than the cap.
        """
        done: set[object] = set()
        known: set[object] = set()
        # With those of whom it has been said that they move later, so that they haven't helped.
        start, nobody = self._scenario.start.copy(), frozenset[str]()
        stack: list[tuple[object, Position, dict[str, Fraction], frozenset[str]]] = [
            ((self._key(start, {}), nobody), start, {}, nobody)
        ]
        while stack:
            name, position, mp, owing = stack.pop()
            if name in done:
                continue
            done.add(name)
            value = self._value(position, mp)
            if value is not None and not owing:
                yield position, mp, value
            for unit in self._game.order:
                if unit in self._game.friends and unit in position.at and unit not in mp:
                    for later in self._moving_later(unit, position, mp, owing):
                        ends: dict[object, tuple[Position, Fraction]] = {}
                        for after, spent in self._moves(unit, position, later):
                            rival = ends.get(key := self._key(after, mp))
                            if rival is None or spent < rival[1]:
                                ends[key] = (after, spent)
                        for after, spent in ends.values():
                            paid = {**mp, unit: spent}
                            name = self._key(after, paid), later
                            known.add(name)
                            if len(known) >= self._cap:  # with the first, or those that wait to be looked at
                                raise TooManyStatesError
                            stack.append((name, after, paid, later))

    def _moving_later(
        self, unit: str, position: Position, mp: dict[str, Fraction], owing: frozenset[str]
    ) -> Iterator[frozenset[str]]:
        """Yield who may be said to move later, where it matters who does."""
        free = [u for u in self._game.order if u in self._game.friends and u in position.at and u not in mp]
        others = [u for u in free if u != unit and u not in owing] if self._game.rulebook.terrain.some_must_stay else []
        for size in range(len(others) + 1):
            for more in combinations(others, size):
                yield (owing - {unit}).union(more)

    @staticmethod
    def _key(position: Position, mp: dict[str, Fraction]) -> object:
        legs = frozenset((leg.unit, leg.step, leg.carriers, leg.linked) for leg in position.legs)
        return (
            frozenset(position.at.items()),
            frozenset(mp.items()),
            frozenset(position.lost),
            frozenset(position.taken),
            frozenset(position.relied),
            frozenset(Counter((rule, label) for rule, label, _ in position.entered).items()),  # nobody moves twice
            legs,
        )

    def _value(self, position: Position, mp: dict[str, Fraction]) -> Value | None:
        tally = Tally(dict(mp))
        if self._referee.check_end(position):
            return None
        for term in self._scenario.requirements:
            if not term.holds(self._game, position, tally):
                return None
        return tier_values(self._scenario.tiers, score_position(self._game, self._scenario.tiers, position, tally))

    def _forms(self, play: MoveInPlay) -> Iterator[tuple[str, bool, str | None]]:
        """Yield (place, overrun, carrier) for each step that some rule might allow."""
        board, here = self._game.board, play.to
        linked = board.box_links.get(here, ())
        near = {*board.neighbours[here], *linked, *(p for p, hexagon in board.places.items() if hexagon.box)}
        if board.places[here].box:
            near.update(board.hexes)
        far = [way for way in self._game.rulebook.ways if not way.plain and not way.carries]
        near.update(to for way in far for to in board.hexes if way.joins(self._game, play.unit, here, to))
        for to in sorted(near - {here}):
            yield to, False, None
            hostile = any(self._game.is_enemy(other) for other in play.position.units_in(to))
            if hostile and self._game.rulebook.overrunning:
                yield to, True, None
        for to in sorted({place for zone in board.zones_of(here) for place in board.zones[zone]} - {here}):
            yield to, False, ""

    def _moves(self, unit: str, position: Position, later: frozenset[str]) -> Iterator[tuple[Position, Fraction]]:
        """Yield the position after each legal move of a unit, with its MP; of equal standings, the cheapest goes on."""
        home = position.at[unit]
        first = MoveInPlay(self._game, position.copy(), self._game.units[unit], home, home, moving_later=later)
        first.tallies = dict(first.unit.steps_made)
        if any(True for rule in self._game.rulebook.rules for _ in rule.check_pick_up(first)):
            return
        cheapest: dict[object, Fraction] = {}
        queue = [first]
        while queue:
            play = queue.pop()
            for to, overrun, carrier in self._forms(play):
                further = replace(play, position=play.position.copy(), stops=list(play.stops))
                further.aim(to, overrun, carrier)
                if self._referee.findings(further) or self._referee.findings_together([further]):
                    continue
                self._referee.make_steps([further])
                after = further.position
                after.under_way[unit] = UnitProgress(further.spent, further.step)
                way = further.way.procedure if further.way is not None else ""
                key = (
                    self._key(after, {}),
                    way,
                    further.zones,
                    tuple(further.stops),
                    further.step,
                    tuple(further.tallies.items()),
                )
                if (known := cheapest.get(key)) is None or further.spent < known:
                    cheapest[key] = further.spent
                    if further.to == home or not self._referee.findings_at_end([further], further.to):
                        yield after, further.spent
                    if further.step < self._longest:
                        queue.append(further)
