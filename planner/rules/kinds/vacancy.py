"""One unit a hex: nobody enters, or passes through, a hex in which a friend stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.demands import Arc, Demand, Vacant, when
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Spaces
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game


class Vacancy(Spaces):
    """Ensures that a unit enters a hex only when no friend stands in it, so that friends must clear the way first."""

    kind: Literal["vacancy"]
    who: UnitSelector = Field(default=UnitSelector(), description="The units that need the hex to be empty")
    of: UnitSelector = Field(default=UnitSelector(), description="The friends that must not be in it")
    where: HexSelector = Field(
        default=HexSelector(), description="The hexes in which it holds; boxes are named as such"
    )

    only_forbids: ClassVar[bool] = True
    summary: ClassVar[str] = "No unit enters, or passes through, a hex that holds a friend."

    # -- the referee's face

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if a friend is in the hex."""
        game = play.game
        if self.who.matches(play.unit) and self.where.matches(game.board.places[play.to], game.weather(play.to)):
            inside = game.sorted(unit for unit in play.friends_in(play.to) if self.of.matches(game.units[unit]))
            if inside:
                yield Finding(
                    self.paragraph, f"{play.unit.id} may not enter {play.to}: {game.names(inside)} is there", inside
                )

    # -- the solver's face

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the friends that take up hexes."""
        return {self.id: frozenset(unit for unit in game.phasing if self.of.matches(game.units[unit]))}

    def concerns(self, game: Game, unit: Unit) -> bool:
        """Tell whether the unit needs empty hexes."""
        return self.who.matches(unit)

    def same_from_anywhere(self, game: Game) -> bool:
        """Tell whether what it asks doesn't depend on the hex left: it looks at the hex entered alone."""
        return True

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield that the hex is empty of friends when the unit comes."""
        if self.who.matches(unit) and self.where.matches(game.board.places[arc.to], game.weather(arc.to)):
            yield Demand(self.paragraph, when(Vacant(arc.to, self.id)), cause="friend", source=self.id)
