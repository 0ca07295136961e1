"""Hexes that may not be entered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.forces import Unit
from planner.rules.base import NEVER, Arc, Demand, Finding, Gone, MoveInPlay, Rule
from planner.selectors import HexSelector, MarkerSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.game import Game
    from planner.rulebook import Rulebook


class EntryRestriction(Rule):
    """Ensures that certain units keep out of certain hexes: by who is there, what lies there, or the hex itself."""

    kind: Literal["entry_restriction"]
    who: UnitSelector = Field(default=UnitSelector(), description="The units that it binds")
    enemy_units: UnitSelector | None = Field(default=None, description="Hexes with such an enemy unit")
    enemy_markers: MarkerSelector | None = Field(default=None, description="Hexes with such an enemy marker")
    hexes: HexSelector | None = Field(default=None, description="Such hexes")
    phases: Names = Field(default=(), description="The phases in which it holds; none named: all")
    flag: str | None = Field(default=None, description="The flag that must be set for it to hold; absent: always holds")
    unless_overrun: bool = Field(default=False, description="Whether an overrun may enter all the same")

    summary: ClassVar[str] = "The named units may not enter the named hexes."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield the names that the game doesn't have."""
        yield from rulebook.unknown("phases", self.phases)
        if self.enemy_markers is not None:
            yield from rulebook.unknown("marker_types", self.enemy_markers.types)

    # -- the referee's face

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding for each reason why the hex may not be entered."""
        game, situation = play.game, play.game.situation
        if (
            (self.unless_overrun and play.overrun)
            or (self.phases and situation.phase not in self.phases)
            or (self.flag is not None and self.flag not in situation.flags)
            or not self.who.matches(play.unit)
        ):
            return
        if self.enemy_units is not None:
            enemies = tuple(e for e in play.enemies_in(play.to) if self.enemy_units.matches(game.units[e]))
            if enemies:
                text = f"{play.unit.id} may not enter {play.to}: it holds {game.names(enemies)}"
                yield Finding(self.paragraph, text, enemies)
        if self.enemy_markers is not None:
            for marker in situation.markers:
                if marker.at == play.to and marker.side != situation.phasing and self.enemy_markers.matches(marker):
                    text = f"{play.unit.id} may not enter {play.to}: it holds an enemy {marker.type}"
                    yield Finding(self.paragraph, text)
                    break
        if self.hexes is not None and self.hexes.matches(game.board.hexes[play.to], game.weather(play.to)):
            yield Finding(self.paragraph, f"{play.unit.id} may not enter {play.to}")

    # -- the solver's face

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield that the enemies there be gone; what lies there, or the hex itself, is there to stay."""
        situation = game.situation
        if arc.overrun and self.unless_overrun:
            return
        if self.phases and situation.phase not in self.phases:
            return
        if (self.flag and self.flag not in situation.flags) or not self.who.matches(unit):
            return
        for enemy in game.enemies_at(arc.to):
            if self.enemy_units is not None and self.enemy_units.matches(game.units[enemy]):
                yield Demand(self.paragraph, (frozenset([Gone(enemy)]),), (enemy,), cause="units", source=self.id)
        barred_by_marker = self.enemy_markers is not None and any(
            self.enemy_markers.matches(marker)
            for marker in situation.markers
            if marker.at == arc.to and marker.side != situation.phasing
        )
        barred_by_hex = self.hexes is not None and self.hexes.matches(game.board.hexes[arc.to], game.weather(arc.to))
        for barred in (barred_by_marker, barred_by_hex):
            if barred:
                yield Demand(self.paragraph, NEVER, source=self.id)
