"""Markers that are removed by units that enter their hex."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.demands import Arc
from planner.rules.play import MoveInPlay
from planner.rules.roles import Removes
from planner.world.forces import Unit
from planner.world.selectors import MarkerSelector, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game


class Clearing(Removes):
    """Ensures that markers of a kind are gone, for all who follow, as soon as a unit of a class has entered their hex."""

    kind: Literal["clearing"]
    by: UnitSelector = Field(default=UnitSelector(), description="The units that remove them")
    markers: MarkerSelector = Field(description="The markers, of any side")

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "A unit of the named class removes the named markers from the hexes that it enters."

    # -- the referee's face

    def settle(self, play: MoveInPlay) -> None:
        """Remove the markers in the hex that has been entered."""
        if self.by.matches(play.unit):
            play.position.lost.update(m.id for m in play.markers_in(play.to) if self.markers.matches(m))

    # -- the solver's face

    def removals(self, game: Game, unit: Unit, arc: Arc) -> Iterable[str]:
        """Return the markers that are gone once the hex is entered."""
        if self.by.matches(unit):
            for marker in game.markers_at(arc.to):
                if self.markers.matches(marker):
                    yield marker.id
