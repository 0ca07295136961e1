"""Units that have to move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER
from planner.rules.demands import Demand
from planner.rules.end_state import EndState
from planner.rules.play import Finding
from planner.rules.roles import Ends, Obliges
from planner.world.position import Position
from planner.world.selectors import Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game


class Obligation(Ends, Obliges):
    """Ensures that units of a class make a move in certain phases."""

    kind: Literal["obligation"]
    who: UnitSelector = Field(description="The units that have to move")
    phases: Names = Field(default=(), description="The phases in which they have to; none named: all")
    because: str = Field(default="", max_length=120, description="What messages say of it")

    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "The named units have no choice but to move."

    # -- the referee's face

    def check_end(self, game: Game, position: Position) -> Iterable[tuple[str | None, Finding]]:
        """Yield a finding for each unit that has not moved though it had to."""
        if self.phases and game.situation.phase not in self.phases:
            return
        for unit in game.sorted(game.homes):
            bound = game.may_be_moved(unit) and self.who.matches(game.units[unit])
            if bound and unit in position.at and unit not in position.under_way:
                because = f": {self.because}" if self.because else ""
                text = f"{unit} has to move{because}"
                yield None, Finding(self.paragraph, text, (unit,), game.homes[unit])

    # -- the solver's face

    def post_end(self, end: EndState) -> None:
        """Ensure that each of the units moves."""
        game = end.game
        in_force = not self.phases or game.situation.phase in self.phases
        for unit in (u for u in game.order if u in game.friends and u in game.homes and in_force):
            if game.units[unit].allied or not self.who.matches(game.units[unit]):
                continue
            demand = Demand(self.paragraph, NEVER, (unit,), at=game.homes[unit], cause=unit, source=self.id)
            end.at_most([(1, end.negate(end.moves(unit)))], 0, demand)
