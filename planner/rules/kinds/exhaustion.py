"""Steps that take all that is left of the MA."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.demands import NEVER, Arc, Demand
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Exempts, Exhausts
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, HexsideSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class Exhaustion(Exhausts):
    """Ensures that certain steps are made while MP are left, and take all of them: across a river, say.

    They cost what others do, which must be left; what is left after that is spent, too.
    """

    kind: Literal["exhaustion"]
    who: UnitSelector = Field(default=UnitSelector(), description="The units that it concerns")
    across: HexsideSelector | None = Field(default=None, description="Steps across such hexsides; absent: any")
    into: HexSelector | None = Field(default=None, description="Steps into such hexes, or boxes; absent: any")
    phases: Names = Field(default=(), description="The phases in which it holds; none named: all")

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Certain steps take all MP that are left, of which there must be some."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield the phases that the game doesn't have, and kinds of rules with which it doesn't go."""
        yield from super().problems(rulebook)
        yield from rulebook.beside_combat("stop_on_entry may stand for it")
        yield from rulebook.beside_further_mp("it", "stop_on_entry, or a step_limit, may stand for it")

    # -- the referee's face

    def exhausts(self, play: MoveInPlay) -> bool:
        """Tell whether the step takes all MP that are left."""
        game, board = play.game, play.game.board
        if not self.who.matches(play.unit) or (self.phases and game.situation.phase not in self.phases):
            return False
        if self.into is not None and not self.into.matches(board.places[play.to], game.weather(play.to)):
            return False
        near = board.adjacent(play.origin, play.to)
        return self.across is None or (near and self.across.matches(board, play.origin, play.to))

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if no MP are left."""
        if play.spent < play.unit.ma or not self.exhausts(play):
            return
        if not any(rule.exempts_from_ma(play) for rule in play.game.rulebook.of(Exempts)):
            text = f"{play.unit.id} may not go from {play.origin} to {play.to}: that takes all MP left, and none are"
            yield Finding(self.paragraph, text)

    # -- the solver's face

    def arc_exhausts(self, game: Game, unit: Unit, arc: Arc) -> Demand | None:
        """Return what fails if such a step is made when no MP are left; None: it is no such step, in any phase."""
        fits = self.who.matches(unit)
        if fits and self.into is not None:
            fits = self.into.matches(game.board.places[arc.to], game.weather(arc.to))
        if fits and self.across is not None:
            beside = arc.to in game.board.neighbours.get(arc.origin, ())
            fits = beside and self.across.matches(game.board, arc.origin, arc.to)
        return Demand(self.paragraph, NEVER, cause="none are left", source=self.id) if fits else None
