"""Which hexes no rule tells from each other, so that what is said of one step holds for many.

Most steps on a large map lead from one unremarkable hex to another: no enemy in it or beside it, no marker, nothing that a
rule or the scenario names. What the rules say of such a step follows from what the two hexes and the hexside show.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import count

from planner.rules.game import Game
from planner.world.selectors import HexSelector, selectors_in


class EquivalentHexes:
    """Sorts the hexes of a game into classes.

    Parameters
    ----------
    game : Game
        The board, the units, the rules and the situation.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._next = count()  # no number is given twice, whichever thread asks for one
        self._numbers: dict[object, int] = {}
        self._known: dict[str, int | None] = {}
        self._pairs: dict[tuple[int, int, frozenset[str]], int] = {}
        self._around: dict[str, tuple[tuple[str, int | None], ...]] = {}

    def take_over(self, other: EquivalentHexes) -> None:
        """Take over the numbers of the classes of another game with the same board; hexes are sorted anew."""
        self._next, self._pairs = other._next, other._pairs.copy()
        self._numbers = other._numbers.copy()  # after the pairs, of which another thread may find more meanwhile

    def class_of(self, label: str) -> int | None:
        """Return the number of a hex's class; None for a box, and for a hex with something special to it."""
        if label not in self._known:
            self._known[label] = self._class_of(label)
        return self._known[label]

    def around(self, label: str) -> tuple[tuple[str, int | None], ...]:
        """Return the neighbours of a hex that has a class, each with the number of all pairs like those two.

        None: the neighbour has no class.
        """
        found = self._around.get(label)
        if found is None:
            found = self._around[label] = tuple(self._pairs_with(label))
        return found

    def _pairs_with(self, label: str) -> Iterator[tuple[str, int | None]]:
        here, board, pairs = self.class_of(label), self._game.board, self._pairs
        for to in board.neighbours[label]:
            there = self.class_of(to)
            if here is None or there is None:
                yield to, None
            else:
                yield to, pairs.setdefault((here, there, board.hexside(label, to)), -1 - next(self._next))

    def _class_of(self, label: str) -> int | None:
        game = self._game
        place, control = game.board.places[label], game.situation.control.get(label)
        if place.box or label in self._special:
            return None
        key = (
            place.terrain,
            place.also,
            place.traits,
            place.area,
            id(place.country),
            game.weather(label),
            control if control is not None and game.minds_control(label) else None,
        )
        return self._numbers.setdefault(key, next(self._next))

    @cached_property
    def _special(self) -> frozenset[str]:
        """The hexes with something special to them."""
        game, board = self._game, self._game.board
        found = {*game.situation.contested, *board.box_links, *self._named()}
        for members in board.zones.values():
            found.update(members)
        for marker in game.situation.markers:
            if marker.at:
                found.update((marker.at, *board.neighbours.get(marker.at, ())))
        for unit, home in game.homes.items():
            if game.is_enemy(unit):
                found.update((home, *board.neighbours[home]))
            arrives = game.units[unit].arrives
            if arrives is not None:
                found.add(arrives[1])
        return frozenset(found)

    def _named(self) -> Iterator[str]:
        """Yield the hexes that rules, or restrictions of the scenario, name one by one."""
        game = self._game
        barriers = (barrier for those in game.situation.restrictions.values() for barrier in those)
        selectors = (selector for barrier in barriers for _, selector in selectors_in(barrier))
        for selector in (*game.rulebook.selectors, *selectors):
            if isinstance(selector, HexSelector):
                yield from selector.labels
