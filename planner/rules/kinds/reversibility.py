"""Steps that could not be made the other way round."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER
from planner.rules.base import Rule
from planner.rules.demands import Arc, Demand
from planner.rules.play import Finding, MoveInPlay
from planner.world.forces import Unit
from planner.world.selectors import UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game


class Reversibility(Rule):
    """Ensures that a unit leaves a hex only as it could have entered it: by road, where the terrain is prohibited to it.

    Only prohibitions of terrain are compared, neither what a step costs nor what enemies do to it. An overrun can't use
    roads, so it can't be made from such a hex at all.
    """

    kind: Literal["reversibility"]
    who: UnitSelector = Field(default=UnitSelector(), description="The units that it binds")

    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "A unit moves from A to B only if the terrain would let it move from B to A."

    def watches(self, game: Game, unit: Unit) -> bool:
        """Tell whether the terrain of any hex is prohibited to the unit, and binds it."""
        places = game.board.places
        looks = game.cached(
            "looks of hexes", lambda: {(p.terrain, p.also, game.weather(at)) for at, p in places.items() if not p.box}
        )
        return self.who.matches(unit) and any(self._barred(game, unit, *look) for look in looks)

    def _barred(self, game: Game, unit: Unit, terrain: str, also: tuple[str, ...], weather: str) -> list[str]:
        """List the terrain of a hex that is prohibited to the unit."""
        chart, known = game.rulebook.terrain, game.cached((self.id, "barred"), dict[object, list[str]])
        barred = known.get(key := (unit.id, terrain, also, weather))
        if barred is None:
            names = [name for name in also if name != terrain and not chart.terrain[name].never_part]
            phase = game.situation.phase
            barred = known[key] = [
                name for name in (terrain, *names) if chart.terrain[name].cost(unit, phase, weather) is None
            ]
        return barred

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the unit could not come back off the road, and doesn't leave by road."""
        game, unit, phase = play.game, play.unit, play.game.situation.phase
        back = game.board.places[play.origin]
        if back.box or not (barred := self._barred(game, unit, back.terrain, back.also, game.weather(play.origin))):
            return
        if not self.who.matches(unit) or not game.board.adjacent(play.origin, play.to):
            return
        features, by_road = game.board.hexside(play.origin, play.to), False
        for route in game.rulebook.terrain.routes:
            fitting = [price for price in route.prices if price.fits(unit, phase, game.weather(play.to))]
            if route.feature in features and fitting and not fitting[0].prohibited:
                by_road = not play.overrun
        if not by_road:
            text = (
                f"{unit.id} can't leave {play.origin} for {play.to}: it could not come back ({barred[0]} is prohibited)"
            )
            yield Finding(self.paragraph, text)

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield an impossible demand if the way back is prohibited and no road leads it."""
        origin, phase = game.board.places[arc.origin], game.situation.phase
        if origin.box or arc.to not in game.board.neighbours[arc.origin] or not self.who.matches(unit):
            return
        there, here = game.weather(arc.to), game.weather(arc.origin)
        if game.rulebook.terrain.entry_cost(origin, frozenset(), unit, phase, (), here) is not None:
            return
        along = game.board.hexside(arc.origin, arc.to)
        routes = [route for route in game.rulebook.terrain.routes if route.feature in along]
        prices = [next((price for price in route.prices if price.fits(unit, phase, there)), None) for route in routes]
        if arc.overrun or all(price is None or price.prohibited for price in prices):
            yield Demand(self.paragraph, NEVER, source=self.id)
