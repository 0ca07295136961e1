"""Taking places: a unit that enters makes them friendly, and enemy markers there are gone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.demands import Arc, control_of
from planner.rules.play import MoveInPlay
from planner.rules.roles import Captures
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, MarkerSelector, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game


class Capture(Captures):
    """Ensures that a unit that enters an enemy hex takes it at once: the hex is friendly, and certain markers are gone."""

    kind: Literal["capture"]
    by: UnitSelector = Field(default=UnitSelector(), description="The units that take hexes")
    where: HexSelector = Field(default=HexSelector(), description="The hexes that can be taken")
    markers: MarkerSelector | None = Field(
        default=None, description="Enemy markers that are eliminated in it; absent: none are"
    )

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "A unit that enters an enemy hex takes it at once, with the markers of a kind there."

    # -- the referee's face

    def settle(self, play: MoveInPlay) -> None:
        """Take the hex that has been entered."""
        game = play.game
        if not self.by.matches(play.unit):
            return
        if not self.where.matches(game.board.places[play.to], game.weather(play.to)):
            return
        if not game.situation.befriends(game.situation.holder(play.to, play.position)):
            play.position.taken[play.to] = None
        for marker in play.markers_in(play.to):
            enemy = not game.situation.befriends(marker.side)
            if enemy and self.markers is not None and self.markers.matches(marker):
                play.position.lost.add(marker.id)

    # -- the solver's face

    def removals(self, game: Game, unit: Unit, arc: Arc) -> Iterable[str]:
        """Return what is gone once the hex is entered: enemy control, and the markers."""
        place, own = game.board.places[arc.to], {game.situation.phasing, *game.situation.allies}
        if not self.by.matches(unit) or not self.where.matches(place, game.weather(arc.to)):
            return
        if game.situation.control.get(arc.to, "") not in own:
            yield control_of(arc.to)
        for marker in game.markers_at(arc.to):
            if marker.side not in own and self.markers is not None and self.markers.matches(marker):
                yield marker.id
