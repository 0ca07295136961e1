"""Supply when a unit is picked up."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import ALWAYS, NEVER, Atom, Conjunction, Friend, Gone
from planner.rules.base import Rule
from planner.rules.combat_roles import Fights
from planner.rules.demands import Demand, Tick, no_tick
from planner.rules.play import Finding, MoveInPlay
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, HexsideSelector, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


MOST_ENEMIES = 6
"""Of more enemies than these it isn't asked which of them matter: those are named whom a line from the unit meets first."""


class Supply(Rule):
    """Ensures that a unit is supplied on the board as it stands when it is picked up; what comes later doesn't matter.

    A unit is supplied or not by its own flag. Without one it is supplied if a line of hexes leads from it to a supply source
    of its side, each hex of the line after its own free of enemy units and of EZOCs that no friend negates. A side
    without sources has all its unflagged units supplied.
    """

    kind: Literal["supply"]
    needed_by: UnitSelector = Field(default=UnitSelector(), description="The units that need supply to move")
    range: int | None = Field(default=None, ge=0, le=1000, description="The longest line in hexes; absent: any length")
    always_in: HexSelector | None = Field(
        default=None, description="Places where every unit is supplied, whatever is said of it; absent: none"
    )
    untraced_in: HexSelector | None = Field(
        default=None, description="Places where units are supplied unless it is said that they aren't; absent: none"
    )
    zoc_of: UnitSelector | None = Field(
        default=None, description="The enemy units whose ZOC cuts a line; absent: none does"
    )
    zoc_blocked_by: HexsideSelector = Field(default=HexsideSelector(), description="Hexsides that a ZOC doesn't cross")
    negated_by: UnitSelector | None = Field(
        default=None, description="The friendly units that restore a line in an EZOC; absent: none does"
    )

    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "A unit must be supplied when its move begins; it may move on, and end, without supply."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield that lines aren't traced where enemies may be thrown back into them, or out of them."""
        for rule in rulebook.of(Fights):
            yield (
                f"it doesn't go with {rule.kind} ({rule.id}), by which enemies retreat in the course of the phase: say of "
                "units that they aren't supplied, and let eligibility admit those that are: who = { supplied = true }"
            )

    # -- the referee's face

    def check_pick_up(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the unit is out of supply now."""
        unit, game = play.unit, play.game
        if not self.needed_by.matches(unit):
            return
        place, weather = game.board.places[play.origin], game.weather(play.origin)
        if self.always_in is not None and self.always_in.matches(place, weather):
            return
        if unit.supplied is False:
            yield Finding(self.paragraph, f"{unit.id} may not move: it is out of supply")
            return
        sources = game.situation.supply_sources.get(unit.side, ())
        untraced = self.untraced_in is not None and self.untraced_in.matches(place, weather)
        if unit.supplied is None and sources and not untraced:
            blame = self._cut_off(play, play.origin, sources)
            if blame is not None:
                because = f", cut off by {game.names(blame)}" if blame else ""
                yield Finding(self.paragraph, f"{unit.id} may not move: it is out of supply{because}", blame)

    def _cut_off(self, play: MoveInPlay, start: str, sources: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return None if a line reaches a source, else the enemies that cut it; nobody if there is no line without them."""
        game = play.game
        cutting: dict[str, frozenset[str]] = {}

        def leads(gone: set[str]) -> set[str] | None:
            """Return None if a line is open without some enemies, else those whom it meets."""
            met: set[str] = set()

            def is_open(label: str) -> bool:
                if label not in cutting:
                    cutting[label] = frozenset([*play.enemies_in(label), *self._cutting(play, label)])
                met.update(cutting[label] - gone)
                return gone.issuperset(cutting[label])

            return None if self._leads(game, start, sources, is_open) else met

        met = leads(set())
        if met is None:
            return None
        first, gone = met, set[str]()
        while met:
            gone |= met
            met = leads(gone)
        if met is not None:
            return ()
        return game.sorted(_that_matter(gone, leads) if len(gone) <= MOST_ENEMIES else first)

    def _leads(self, game: Game, start: str, sources: tuple[str, ...], is_open: Callable[[str], bool]) -> bool:
        """Tell whether a line of open hexes leads from a hex to a source."""
        line = deque([(start, 0)])
        seen = {start}
        while line:
            label, length = line.popleft()
            if label in sources:
                return True
            if self.range is not None and length == self.range:
                continue
            for neighbour in game.board.neighbours[label]:
                if neighbour not in seen and game.crossable(label, neighbour):
                    seen.add(neighbour)
                    if is_open(neighbour):
                        line.append((neighbour, length + 1))
        return False

    def _cutting(self, play: MoveInPlay, label: str) -> list[str]:
        """List the enemies whose ZOC cuts a line in a hex."""
        game = play.game
        if self.zoc_of is None:
            return []
        if self.negated_by is not None and any(
            self.negated_by.matches(game.units[friend]) for friend in play.friends_in(label)
        ):
            return []
        return [
            enemy
            for neighbour in game.board.neighbours[label]
            for enemy in play.enemies_in(neighbour)
            if self.zoc_of.matches(game.units[enemy]) and not self.zoc_blocked_by.matches(game.board, neighbour, label)
        ]

    # -- the solver's face

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the friends that restore a supply line."""
        if self.negated_by is None:
            return {}
        return {self.id: frozenset(unit for unit in game.friends if self.negated_by.matches(game.units[unit]))}

    def pick_up_demands(self, game: Game, unit: Unit, origin: str, tick: Tick = no_tick) -> Iterable[Demand]:
        """Yield that one of the possible supply lines be open, unless the unit has begun its move already."""
        progress = None if game.begun is None else game.begun.position.under_way.get(unit.id)
        if progress is not None and progress.steps:
            return
        if not self.needed_by.matches(unit) or unit.supplied is True:
            return
        sure = self.always_in
        if sure is not None and sure.matches(game.board.places[origin], game.weather(origin)):
            return
        if unit.supplied is False:
            yield Demand(self.paragraph, NEVER, source=self.id)
            return
        sources = game.situation.supply_sources.get(unit.side, ())
        known = self.untraced_in
        if sources and not (known is not None and known.matches(game.board.places[origin], game.weather(origin))):
            lines = self._lines(game, origin, frozenset(sources), tick)
            if lines != ALWAYS:
                atoms = {atom for line in lines for atom in line}
                enemies = game.sorted({atom.victim for atom in atoms if atom.victim})
                yield Demand(self.paragraph, lines, enemies, source=self.id)

    def _lines(self, game: Game, start: str, sources: frozenset[str], tick: Tick) -> tuple[Conjunction, ...]:
        """Return the minimal sets of conditions under which a line is open, found with the fewest conditions first."""
        zones = game.cached((self.id, "zones"), lambda: self._zones(game))
        found: list[Conjunction] = []
        best: dict[str, list[tuple[int, Conjunction]]] = {}
        queue: list[tuple[int, int, int, str, Conjunction]] = [(0, 0, 0, start, frozenset())]
        ticket = 0
        while queue:
            _, length, _, label, needs = heapq.heappop(queue)
            tick()
            if any(line <= needs for line in found):
                continue
            if label in sources:
                found.append(needs)
                continue
            if self.range is not None and length == self.range:
                continue
            for neighbour in game.board.neighbours[label]:
                if not self._crossable(game, label, neighbour):
                    continue
                occupants = frozenset(Gone(enemy) for enemy in game.enemies_at(neighbour))
                for extra in self._openings(zones.get(neighbour, ()), neighbour):
                    more = needs | occupants | extra
                    known = best.setdefault(neighbour, [])
                    if any((self.range is None or length + 1 >= far) and more >= less for far, less in known):
                        continue
                    known.append((length + 1, more))
                    ticket += 1
                    heapq.heappush(queue, (len(more), length + 1, ticket, neighbour, more))
        return tuple(found)

    def _openings(self, exerters: tuple[str, ...], label: str) -> Iterable[frozenset[Atom]]:
        yield frozenset(Gone(enemy) for enemy in exerters)
        if exerters and self.negated_by is not None:
            yield frozenset([Friend(label, self.id)])

    def _zones(self, game: Game) -> dict[str, tuple[str, ...]]:
        zones: dict[str, tuple[str, ...]] = {}
        if self.zoc_of is not None:
            for enemy, home in game.homes.items():
                if game.is_enemy(enemy) and self.zoc_of.matches(game.units[enemy]):
                    for label in game.board.neighbours[home]:
                        if not self.zoc_blocked_by.matches(game.board, home, label):
                            zones[label] = (*zones.get(label, ()), enemy)
        return zones

    @staticmethod
    def _crossable(game: Game, origin: str, to: str) -> bool:
        features, chart = game.board.hexside(origin, to), game.rulebook.terrain
        return chart.carries(features) or chart.entry_cost(game.board.hexes[to], features) is not None


def _that_matter(enemies: set[str], leads: Callable[[set[str]], set[str] | None]) -> set[str]:
    """Return those of some enemies who are in a smallest part of them without which a line is open."""
    found = set[str]()
    for enemy in sorted(enemies):
        if enemy not in found:
            gone = set(enemies)
            for other in (*sorted(enemies - {enemy}), enemy):
                if leads(gone - {other}) is None:
                    gone.remove(other)
            found |= gone
    return found
