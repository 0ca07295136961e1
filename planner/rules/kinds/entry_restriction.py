"""Hexes that may not be entered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER, Gone, when
from planner.rules.demands import Arc, Demand
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Exempts, Restricts
from planner.world.barriers import Barrier
from planner.world.forces import Unit
from planner.world.position import Stop
from planner.world.selectors import MarkerSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class EntryRestriction(Barrier, Restricts):
    """Ensures that certain units keep out of certain hexes: by who is there, what lies there, or the hex itself."""

    kind: Literal["entry_restriction"]
    enemy_units: UnitSelector | None = Field(default=None, description="Hexes with such an enemy unit")
    enemy_markers: MarkerSelector | None = Field(default=None, description="Hexes with such an enemy marker")
    phases: Names = Field(default=(), description="The phases in which it holds; none named: all")
    ways: Names = Field(
        default=(), description="The rules as whose steps it holds, such as a `passage`; none named: any"
    )
    unless_overrun: bool = Field(default=False, description="Whether an overrun may enter all the same")
    unless_minimum_move: bool = Field(
        default=False, description="Whether a unit's minimum move may enter all the same; the unit then stops there"
    )
    by_scenario: bool = Field(
        default=False, description="Whether scenarios may add barriers under this rule, as [[restriction]]"
    )

    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "The named units may not enter the named hexes."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield the names that the game doesn't have."""
        yield from rulebook.unknown("phases", self.phases)
        yield from rulebook.unknown_ways("ways", self.ways)
        yield from rulebook.unknown_in_barrier(self)
        if self.hexes is None and self.enemy_units is None and self.enemy_markers is None and not self.by_scenario:
            yield "it must have hexes, enemy_units, enemy_markers or by_scenario, or it forbids nothing"

    @property
    def tells_first_hex(self) -> bool:
        """Whether it matters for a step whether it is the unit's first of the phase."""
        return self.unless_minimum_move

    # -- the referee's face

    def watches(self, game: Game, unit: Unit) -> bool:
        """Tell whether a barrier may bind the unit in this phase, wherever it goes."""
        if self.phases and game.situation.phase not in self.phases:
            return False
        barriers = [self, *game.situation.restrictions.get(self.id, ())] if self.by_scenario else [self]
        return any(self._bound_as(game, unit, barrier) for barrier in barriers)

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Return a finding for each reason why the hex may not be entered."""
        inside = (self.enemy_units is not None and play.enemies_in(play.to)) or (
            self.enemy_markers is not None and play.markers_in(play.to)
        )
        if not (inside or self._barriers_round(play.game, play.to)) or self._excused_by(play) is not None:
            return ()
        return self._barred(play)

    def may_stop(self, game: Game, unit: Unit) -> bool:
        """Tell whether it may be that only its minimum move allows the unit to enter some hex."""
        return self.unless_minimum_move and self.watches(game, unit)

    def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
        """Yield a stop if only the minimum move allowed the unit to enter the hex."""
        by = self._excused_by(play)
        if by is not None and any(True for _ in self._barred(play)):
            yield Stop(by.paragraph, "only its minimum move allowed it to enter", play.step, play.to)

    def _excused_by(self, play: MoveInPlay) -> Exempts | None:
        """Return the rule by which the step is a minimum move that may enter all the same."""
        if not self.unless_minimum_move or not play.first:
            return None
        return next((rule for rule in play.game.rulebook.of(Exempts) if rule.exempts_from_ma(play)), None)

    def _barriers_round(self, game: Game, label: str) -> list[Barrier]:
        """Return the barriers that are about a hex itself."""
        known: dict[str, list[Barrier]] = game.cached((self.id, "barriers"), dict)
        if (found := known.get(label)) is None:
            place, weather = game.board.places[label], game.weather(label)
            barriers = (self, *(game.situation.restrictions.get(self.id, ()) if self.by_scenario else ()))
            found = known[label] = [b for b in barriers if b.hexes is not None and b.hexes.matches(place, weather)]
        return found

    def _barred(self, play: MoveInPlay) -> Iterable[Finding]:
        game, situation = play.game, play.game.situation
        if (self.unless_overrun and play.overrun) or (self.phases and situation.phase not in self.phases):
            return
        if self.ways and (play.way is None or play.way.id not in self.ways):
            return
        enemies: tuple[str, ...] = ()
        if self.enemy_units is not None:
            enemies = tuple(e for e in play.enemies_in(play.to) if self.enemy_units.matches(game.units[e]))
        if enemies and self._binds(play, self):
            text = f"{play.unit.id} may not enter {play.to}: it holds {game.names(enemies)}"
            yield Finding(self.paragraph, text, enemies)
        if self.enemy_markers is not None:
            for marker in play.markers_in(play.to):
                if not situation.befriends(marker.side) and self.enemy_markers.matches(marker):
                    if self._binds(play, self):
                        text = f"{play.unit.id} may not enter {play.to}: it holds an enemy {marker.type}"
                        yield Finding(self.paragraph, text)
                    break
        for barrier in self._barriers_round(game, play.to):
            if self._binds(play, barrier):
                because = f": {barrier.because}" if barrier.because else ""
                yield Finding(self.paragraph, f"{play.unit.id} may not enter {play.to}{because}")

    @staticmethod
    def _bound_as(game: Game, unit: Unit, barrier: Barrier) -> list[str]:
        """List the nationalities as whose unit a barrier binds a unit; none: it isn't in force, or not for it."""
        situation = game.situation
        if barrier.flag is not None and barrier.flag not in situation.flags:
            return []
        if barrier.unless_flag in situation.flags or not barrier.who.matches(unit):
            return []
        if barrier.while_any is not None:
            countries = [game.country(name) for name in barrier.while_any.countries]
            if not any(barrier.while_any.status in country.status for country in countries):
                return []
        homes = [(nationality, game.country(nationality)) for nationality in barrier.who.as_nationality(unit)]
        return [
            nationality
            for nationality, home in homes
            if not (barrier.home_status and home.status.isdisjoint(barrier.home_status))
            and home.traits.issuperset(barrier.home_traits)
        ]

    def _binds(self, play: MoveInPlay, barrier: Barrier) -> bool:
        """Tell whether a barrier binds the unit that makes the step, as things stand."""
        game = play.game
        origin = game.board.places[play.origin]
        if barrier.origin is not None and not barrier.origin.matches(origin, game.weather(play.origin)):
            return False
        into = game.board.places[play.to].country
        return any(
            not (barrier.unless_home and nationality != "" and nationality in (into.id, into.dependent_of))
            for nationality in self._bound_as(game, play.unit, barrier)
        )

    # -- the solver's face

    @property
    def favours_overruns(self) -> bool:
        """Whether overruns may enter what is barred not only on account of the enemies who are there."""
        others = self.hexes is not None or self.enemy_markers is not None or self.by_scenario
        return self.unless_overrun and (others or self.enemy_units is None)

    def tokens(self, game: Game) -> Iterable[str]:
        """Return the markers that keep units out, and can be removed."""
        if self.enemy_markers is not None:
            for marker in game.situation.markers:
                if self.enemy_markers.matches(marker) and marker.id in game.removable:
                    yield marker.id

    def same_from_anywhere(self, game: Game, way: str) -> bool:
        """Tell whether what it asks doesn't depend on the hex left: nobody asks where a unit comes from."""
        return all(barrier.origin is None for barrier in self._barriers(game))

    def concerns(self, game: Game, unit: Unit) -> bool:
        """Tell whether the rule, or a barrier of the scenario under it, may keep the unit out of anything."""
        if self.phases and game.situation.phase not in self.phases:
            return False
        return any(self._roles(game, unit, barrier) for barrier in self._barriers(game))

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield that the enemies, and the markers, there be gone; the hex itself is there to stay."""
        barring = list(self._barring(game, unit, arc))
        if barring and self.unless_minimum_move and arc.before is None:
            exempting = (rule.overdraft_demand(game, unit, arc.overrun, arc.to) for rule in game.rulebook.of(Exempts))
            over = next((demand for demand in exempting if demand is not None), None)
            if over is not None:
                # It stops where this rule is in force, as for the referee: what lets it in may not be, in a relaxed game.
                yield replace(over, any_of=NEVER)
                return
        yield from barring

    def _barring(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        situation = game.situation
        if (arc.overrun and self.unless_overrun) or (self.ways and arc.way not in self.ways):
            return
        if self.phases and situation.phase not in self.phases:
            return
        mind_others = self.enemy_units is not None or self.enemy_markers is not None
        there = mind_others and (game.enemies_at(arc.to) or game.markers_at(arc.to))
        if there and self._keeps_out(game, unit, arc, self):
            for enemy in game.enemies_at(arc.to):
                if self.enemy_units is not None and self.enemy_units.matches(game.units[enemy]):
                    yield Demand(self.paragraph, when(Gone(enemy)), (enemy,), cause="units", source=self.id)
            if self.enemy_markers is not None:
                foreign = (marker for marker in game.markers_at(arc.to) if not situation.befriends(marker.side))
                barring = [marker.id for marker in foreign if self.enemy_markers.matches(marker)]
                if barring:
                    any_of = when(*map(Gone, barring)) if game.removable.issuperset(barring) else NEVER
                    yield Demand(self.paragraph, any_of, cause="markers", source=self.id)
        for number, barrier in enumerate(self._barriers(game)):
            if barrier.hexes is not None:
                barred = barrier.hexes.matches(game.board.places[arc.to], game.weather(arc.to))
                if barred and self._keeps_out(game, unit, arc, barrier):
                    yield Demand(self.paragraph, NEVER, cause=f"hexes {number}", source=self.id)

    def _barriers(self, game: Game) -> tuple[Barrier, ...]:
        """Return the rule's own barrier, and those of the scenario under it."""
        return self, *(game.situation.restrictions.get(self.id, ()) if self.by_scenario else ())

    def _keeps_out(self, game: Game, unit: Unit, arc: Arc, barrier: Barrier) -> bool:
        """Tell whether a barrier binds a unit on an arc."""
        roles = game.cached((self.id, id(barrier), unit.id), lambda: self._roles(game, unit, barrier))
        if not roles:
            return False
        if barrier.origin is not None:
            left = game.board.places[arc.origin]
            if not barrier.origin.matches(left, game.weather(arc.origin)):
                return False
        if not barrier.unless_home:
            return True
        country = game.board.places[arc.to].country
        return any(not role or role not in {country.id, country.dependent_of} for role in roles)

    def _roles(self, game: Game, unit: Unit, barrier: Barrier) -> tuple[str, ...]:
        """Return as units of which nationality a barrier binds a unit at all; none: it isn't in force, or not for it."""
        if not self._in_force(game, barrier) or not barrier.who.matches(unit):
            return ()
        return tuple(role for role in barrier.who.as_nationality(unit) if self._role_fits(game, barrier, role))

    @staticmethod
    def _in_force(game: Game, barrier: Barrier) -> bool:
        if barrier.flag and barrier.flag not in game.situation.flags:
            return False
        if barrier.unless_flag is not None and barrier.unless_flag in game.situation.flags:
            return False
        standing = barrier.while_any
        return standing is None or any(standing.status in game.country(c).status for c in standing.countries)

    @staticmethod
    def _role_fits(game: Game, barrier: Barrier, nationality: str) -> bool:
        home = game.country(nationality)
        if barrier.home_status and not set(barrier.home_status) & home.status:
            return False
        return set(barrier.home_traits) <= home.traits
