"""Units that keep to roads, railways or canals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER
from planner.rules.demands import Arc, Demand
from planner.rules.later_roles import Binds
from planner.rules.play import Finding, MoveInPlay
from planner.world.forces import Unit
from planner.world.selectors import Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class RouteBound(Binds):
    """Ensures that certain units go from hex to hex along certain routes alone, at whatever that costs them.

    That is the price of the ground, unless the terrain chart has one for the route.
    """

    kind: Literal["route_bound"]
    who: UnitSelector = Field(default=UnitSelector(), description="The units that it binds")
    along: Names = Field(
        min_length=1, description="The routes, or other features of hexsides, of which one must lie along"
    )
    phases: Names = Field(default=(), description="The phases in which it holds; none named: all")

    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Certain units go from hex to hex along certain routes alone."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield the phases, and the routes, that the game doesn't have."""
        yield from super().problems(rulebook)
        yield from rulebook.unknown("features", self.along)

    # -- the referee's face

    def watches(self, game: Game, unit: Unit) -> bool:
        """Tell whether the unit is bound in this phase."""
        return self.who.matches(unit) and (not self.phases or game.situation.phase in self.phases)

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if no route lies along a step from hex to hex."""
        if not self.watches(play.game, play.unit) or (play.way is not None and not play.way.plain):
            return
        if play.game.board.hexside(play.origin, play.to).isdisjoint(self.along):
            names = " or ".join(self.along).replace("_", " ")
            text = f"{play.unit.id} may not go from {play.origin} to {play.to}: no {names} leads there"
            yield Finding(self.paragraph, text)

    # -- the solver's face

    def concerns(self, game: Game, unit: Unit) -> bool:
        """Tell whether the unit is bound in this phase."""
        return game.situation.phase in (self.phases or (game.situation.phase,)) and self.who.matches(unit)

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield that a step from hex to hex off the routes is impossible."""
        way = game.rulebook.way(arc.way)
        if (way is None or way.plain) and not game.board.hexside(arc.origin, arc.to) & set(self.along):
            yield Demand(self.paragraph, NEVER, cause="off the routes", source=self.id)
