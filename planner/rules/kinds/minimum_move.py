"""The first hex, or any while MP are left, whatever it costs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER
from planner.rules.demands import Demand
from planner.rules.play import MoveInPlay
from planner.rules.roles import Exempts
from planner.world.forces import Unit
from planner.world.position import Stop
from planner.world.selectors import UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class MinimumMove(Exempts):
    """Ensures that a unit can always pay for its first hex, and that it stops there if that overdraws its MA.

    With `anywhere`, the same is true of any hex that it enters while it has any MP left.
    """

    kind: Literal["minimum_move"]
    who: UnitSelector = Field(default=UnitSelector(), description="The units that have a minimum move")
    overruns: bool = Field(default=True, description="Whether that first hex may be overrun, if with one try")
    phases: tuple[str, ...] = Field(default=(), description="The phases in which they have it; none named: all")

    boxes: bool = Field(default=True, description="Whether that first place may be a box")
    anywhere: bool = Field(
        default=False, description="Whether the same is true of any hex that is entered while MP are left"
    )

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "The first hex may cost more than the MA; the unit then stops in it."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield kinds of rules with which `anywhere` doesn't go."""
        if self.anywhere:
            instead = "without anywhere, it holds for the first hex"
            yield from (f"anywhere: {text}" for text in rulebook.beside_caps(instead))

    def exempts_from_ma(self, play: MoveInPlay) -> bool:
        """Tell whether this is the first hex, or another one for which it holds, of a unit that has a minimum move."""
        return (
            (play.first or (self.anywhere and play.some_left))
            and (self.boxes or not play.game.board.places[play.to].box)
            and (self.overruns or not play.overrun)
            and play.attempts == 1
            and self.who.matches(play.unit)
            and (not self.phases or play.game.situation.phase in self.phases)
        )

    def may_stop(self, game: Game, unit: Unit) -> bool:
        """Tell whether the unit has a minimum move in this phase."""
        return self.who.matches(unit) and (not self.phases or game.situation.phase in self.phases)

    def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
        """Yield a stop if the first hex overdrew the MA."""
        if play.overdrawn and self.exempts_from_ma(play):
            what = "its first hex cost more than its MA" if play.first else "the hex cost more than was left of its MA"
            yield Stop(self.paragraph, what, play.step, play.to)

    def overdraft_demand(self, game: Game, unit: Unit, overrun: bool = False, to: str | None = None) -> Demand | None:
        """Return that nothing lets the unit move on after an overdraft, if it may overdraw at all."""
        if (
            not self.who.matches(unit)
            or (overrun and not self.overruns)
            or (to is not None and not self.boxes and game.board.places[to].box)
            or (self.phases and game.situation.phase not in self.phases)
        ):
            return None
        return Demand(self.paragraph, NEVER, onward=True, source=self.id)
