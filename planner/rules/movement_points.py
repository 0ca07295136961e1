"""What a step costs, and that the MA covers it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.forces import Unit
from planner.mp import format_mp
from planner.rules.base import NEVER, Arc, Demand, Finding, MoveInPlay, Rule

if TYPE_CHECKING:
    from planner.charts import TerrainChart
    from planner.game import Game


class MovementPoints(Rule):
    """Ensures that a unit pays for the hex entered and the hexside crossed, in full, out of its MA.

    Where a road, a railway or the like carries the hexside, its price may be paid in place of both. What the terrain chart
    calls prohibited can't be entered or crossed at all, but by such a route.
    """

    kind: Literal["movement_points"]
    routes_optional: bool = Field(
        default=True, description="Whether a unit may pay for the terrain where a route would cost more"
    )

    summary: ClassVar[str] = "Each hex and hexside costs the MP of the terrain chart, paid in full before entry."

    # -- the referee's face

    def _prices(self, play: MoveInPlay) -> list[Fraction]:
        """List what may be paid for the step; nothing: prohibited."""
        own = None if play.way is None else play.way.price(play)
        if own is not None:
            return [own]
        chart, board, unit = play.game.rulebook.terrain, play.game.board, play.unit
        features = board.hexside(play.origin, play.to)
        prices = []
        for route in chart.routes:
            if route.feature in features:
                for price in route.prices:
                    if price.units.matches(unit) and (not price.phases or play.game.situation.phase in price.phases):
                        prices.append(price.mp)
                        break
        if prices and not self.routes_optional:
            return [min(prices)]
        if board.places[play.to].box:
            return []  # a box has no terrain
        terrain = chart.terrain[board.places[play.to].terrain]
        sides = [chart.hexsides[feature] for feature in features if feature in chart.hexsides]
        if not terrain.prohibited and not any(side.prohibited for side in sides):
            prices.append(terrain.mp + sum(side.mp for side in sides))
        return prices

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the step is prohibited terrain or more than the MA that remains."""
        prices = self._prices(play)
        if not prices:
            terrain = play.game.board.places[play.to].terrain
            what = " and ".join(sorted(play.game.board.hexside(play.origin, play.to))) or terrain
            yield Finding(self.paragraph, f"{play.unit.id} can't enter {play.to}: {what} is prohibited")
            return
        cost, left = min(prices), max(play.unit.ma - play.spent, Fraction(0))
        if play.spent + cost > play.unit.ma and not any(
            rule.exempts_from_ma(play) for rule in play.game.rulebook.rules
        ):
            yield Finding(
                self.paragraph,
                f"{play.unit.id} can't pay for {play.to}: remaining MA {format_mp(left)}, cost {format_mp(cost)}",
            )

    def step_cost(self, play: MoveInPlay) -> Fraction:
        """Return the cheapest price of the step, 0 where it is prohibited."""
        return min(self._prices(play), default=Fraction(0))

    # -- the solver's face

    def _tariff(self, game: Game, unit: Unit, arc: Arc) -> Fraction | None:
        """Return the price of an arc, None if it is prohibited."""
        way = next((way for way in game.rulebook.ways if way.id == arc.way), None)
        special = None if way is None else way.tariff(game, unit, arc)
        if special is not None:
            return special
        chart: TerrainChart = game.rulebook.terrain
        along = game.board.hexside(arc.origin, arc.to)
        phase = game.situation.phase
        by_route = [
            next(
                (p.mp for p in route.prices if (phase in p.phases or not p.phases) and p.units.matches(unit)),
                None,
            )
            for route in chart.routes
            if route.feature in along
        ]
        best = min((mp for mp in by_route if mp is not None), default=None)
        if best is not None and not self.routes_optional:
            return best
        into = game.board.places[arc.to]
        total = None if into.box else chart.entry_cost(into.terrain, along)
        if total is None:
            return best
        return total if best is None else min(best, total)

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield an impossible demand for prohibited terrain."""
        if self._tariff(game, unit, arc) is None:
            yield Demand(self.paragraph, NEVER, source=self.id)

    def arc_cost(self, game: Game, unit: Unit, arc: Arc) -> Fraction:
        """Return the price of an arc, 0 where it is prohibited."""
        return self._tariff(game, unit, arc) or Fraction(0)

    def budget_demand(self, game: Game, unit: Unit) -> Demand | None:
        """Return what fails when a step costs more than the MA that remains."""
        return Demand(self.paragraph, NEVER, source=self.id)
