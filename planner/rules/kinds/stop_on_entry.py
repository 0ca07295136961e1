"""Hexes in which a move ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER, Gone, when
from planner.rules.base import Rule
from planner.rules.demands import Arc, Demand
from planner.rules.play import MoveInPlay
from planner.world.board import Hex
from planner.world.forces import Unit
from planner.world.position import Stop
from planner.world.selectors import HexSelector, MarkerSelector, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class StopOnEntry(Rule):
    """Ensures that a unit ends its move in a hex of a kind, or in one in which a marker of a kind lies when it comes."""

    kind: Literal["stop_on_entry"]
    who: UnitSelector = Field(default=UnitSelector(), description="The units that must stop")
    hexes: HexSelector | None = Field(default=None, description="The hexes in which they must")
    markers: MarkerSelector | None = Field(
        default=None, description="The markers, of any side, in whose hexes they must"
    )
    because: str = Field(default="", max_length=120, description="What messages say of it")

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Certain terrain, and certain markers, end the move of a unit that enters."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield that the rule stops nobody."""
        if self.hexes is None and self.markers is None:
            yield "it must have hexes or markers, or it stops nobody"

    # -- the referee's face

    def may_stop(self, game: Game, unit: Unit) -> bool:
        """Tell whether it binds the unit."""
        return self.who.matches(unit)

    def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
        """Yield a reason to stop for the hex, and one for the markers in it."""
        if not self.may_stop(play.game, play.unit):
            return
        place, weather = play.game.board.places[play.to], play.game.weather(play.to)
        if self.hexes is not None and self.hexes.matches(place, weather):
            yield Stop(self.paragraph, self.because or _looked_at(self.hexes, place, weather), play.step, play.to)
            return
        for marker in play.markers_in(play.to):
            if self.markers is not None and self.markers.matches(marker):
                yield Stop(self.paragraph, self.because or marker.type, play.step, play.to)
                return

    # -- the solver's face

    def tokens(self, game: Game) -> Iterable[str]:
        """Return the markers that can be removed."""
        if self.markers is not None:
            for marker in game.situation.markers:
                if self.markers.matches(marker) and marker.id in game.removable:
                    yield marker.id

    def same_from_anywhere(self, game: Game, way: str) -> bool:
        """Tell whether what it asks doesn't depend on the hex left: it looks at the hex entered alone."""
        return True

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield that moving on is impossible, or needs the markers to be gone."""
        if not self.who.matches(unit):
            return
        place = game.board.places[arc.to]
        if self.hexes is not None and self.hexes.matches(place, game.weather(arc.to)):
            yield Demand(self.paragraph, NEVER, onward=True, cause="stop", source=self.id)
            return
        if self.markers is None:
            return
        lying = [marker.id for marker in game.markers_at(arc.to) if self.markers.matches(marker)]
        if lying:
            any_of = when(*map(Gone, lying)) if game.removable.issuperset(lying) else NEVER
            yield Demand(self.paragraph, any_of, onward=True, cause="stop", source=self.id)


def _looked_at(hexes: HexSelector, place: Hex, weather: str) -> str:
    """Say what of a hex a selector looks at: its terrain, or what else it is by which it fits, if that can be told."""
    asked = (hexes, *hexes.any_of)
    terrain = [name for name in (place.terrain, *place.also) if any(name in one.terrain for one in asked)]
    traits = [name for one in asked for name in (*one.traits, *one.any_trait) if name in place.traits]
    weathers = [weather for one in asked if weather in one.weather]
    return next(iter((*terrain, *traits, *weathers)), place.terrain).replace("_", " ")
