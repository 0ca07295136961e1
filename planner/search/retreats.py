"""Where enemies may get to who give way in combats, one after another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import combinations

from planner.rules.combat_roles import Fights
from planner.rules.game import Game
from planner.search.combat_routes import Routes
from planner.world.forces import Unit


class PossibleRetreats:
    """Tells which enemies might come into others' hexes.

    Whenever units give way together, one of them is hit, and nobody survives two hits. So a single unit gives way once, and
    the more of them meet, the farther they get.

    Parameters
    ----------
    game : Game
        The position.
    rule : Fights
        The rule.
    routes : mapping from units to Routes
        Where units may go.

    Attributes
    ----------
    held : frozenset of str
        The places in which own units may stand at any time.
    """

    def __init__(self, game: Game, rule: Fights, routes: Mapping[str, Routes]) -> None:
        self._game, self._rule = game, rule
        own = [home for unit, home in game.homes.items() if unit in game.friends]
        targets = [to for ways in routes.values() for _, to in ways.attacks]
        self.held = frozenset(own).union(targets, *(ways.ends for ways in routes.values()))
        enemies = filter(game.is_enemy, game.homes)
        self._everybody = [game.units[enemy] for enemy in enemies]
        self._known: dict[str, set[str]] = {}
        self._driven: dict[str, set[str]] = {}
        self._strangers: dict[frozenset[str], frozenset[str]] = {}

    def refuges(self, origin: str, label: str) -> list[str]:
        """Return where defenders of a hex may give way who are attacked from another: never past one that is open to all."""
        found = list[str]()
        barred = self.held | self.strangers(self._everybody)
        open_to_all = set(self._rule.refuges(self._game, origin, label, self._everybody) or ()) - barred
        for place in self._rule.refuges(self._game, origin, label, []) or ():
            found.append(place)
            if place in open_to_all:
                break
        return found

    def strangers(self, enemies: Iterable[Unit]) -> frozenset[str]:
        """Return where those are, or may get by giving way, who are enemies of some enemies as well: too many places."""
        sides = frozenset(unit.side for unit in enemies)
        if sides not in self._strangers:
            at_odds = self._game.rulebook.forces.at_odds
            others = (one for one in self._everybody if any(at_odds((one.side, side)) for side in sides))
            found = edge = {self._game.homes[one.id] for one in others}
            while edge:
                edge = {refuge for place in edge for refuge in self._refuges_of(place)} - found
                found = found | edge
            self._strangers[sides] = frozenset(found)
        return self._strangers[sides]

    def _refuges_of(self, place: str) -> set[str]:
        """Return where enemies might give way from a place, whoever is where."""
        origins = self._game.board.neighbours.get(place, ()) if place in self.held else ()
        return {to for origin in origins for to in self._rule.refuges(self._game, origin, place, []) or ()}

    def visitors(self, label: str) -> tuple[str, ...]:
        """Return the enemies of other hexes who might have given way into an enemies' hex when it is attacked."""
        [group] = [group for group in self._meeting if label in group]
        homes = [home for home in group - {label} if label in self.driven(home)]
        return self._game.sorted([enemy for home in homes for enemy in self._game.enemies_at(home)])

    def driven(self, label: str) -> set[str]:
        """Return where enemies of a hex may get by giving way, the hex among it."""
        if label not in self._driven:
            [group] = [group for group in self._meeting if label in group]
            self._driven[label] = self._spread([label], self._hops(group))
        return self._driven[label]

    @cached_property
    def _meeting(self) -> list[frozenset[str]]:
        """The hexes of enemies, those together that might meet by giving way."""
        here = [home for enemy, home in self._game.homes.items() if self._game.is_enemy(enemy)]
        groups = [frozenset([home]) for home in dict.fromkeys(here)]
        while True:
            spread = [(group, self._spread(group, self._hops(group))) for group in groups]
            pairs = ((one, other) for (one, far), (other, wide) in combinations(spread, 2) if far & wide)
            if (pair := next(pairs, None)) is None:
                return groups
            groups = [group for group in groups if group not in pair] + [pair[0] | pair[1]]

    def _hops(self, homes: Collection[str]) -> int:
        """Return how often units can give way at most: somebody is hit each time, and nobody survives two hits."""
        return 2 * sum(len(self._game.enemies_at(home)) for home in homes) - 1

    def _spread(self, homes: Collection[str], hops: int) -> set[str]:
        """Return where enemies may get by giving way so often."""
        found = edge = set(homes)
        for _ in range(hops):
            edge = {refuge for place in edge for refuge in self._given_way(place)} - found
            found = found | edge
        return found

    def _given_way(self, place: str) -> set[str]:
        """Return where enemies may give way from a place in which somebody might fight them, from wherever."""
        if place not in self._known:
            origins = self._game.board.neighbours.get(place, ()) if place in self.held else ()
            self._known[place] = {refuge for origin in origins for refuge in self.refuges(origin, place)}
        return self._known[place]
