"""Steps that take all that is left of the MA."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER
from planner.rules.demands import Arc, Demand
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Exempts, Exhausts
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, HexsideSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class Exhaustion(Exhausts):
    """Ensures that certain steps are made while MP are left, and take all of them: across a river, say.

    They cost what others do, which must be left; what is left of the MA after that is spent, too, and MP beyond it lapse.
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
        yield from rulebook.unknown("phases", self.phases)
        yield from rulebook.beside_caps("stop_on_entry may stand for it")

    def cap(self, unit: Unit, phase: str) -> Fraction | None:
        """Return 1: nothing is left for another such step."""
        return Fraction(1) if self.who.matches(unit) and phase in (self.phases or (phase,)) else None

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

    def adds(self, play: MoveInPlay, mp: Fraction) -> Fraction:
        """Return 1 for such a step, and 0 for any other."""
        return Fraction(int(self.exhausts(play)))

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if no MP are left."""
        if not self.exhausts(play) or play.some_left:
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

    def arc_adds(self, game: Game, unit: Unit, arc: Arc, mp: Fraction) -> Fraction:
        """Return 1 for such a step, and 0 for any other."""
        return Fraction(int(self.arc_exhausts(game, unit, arc) is not None))

    def tally_demand(self, game: Game, unit: Unit, label: str) -> Demand | None:
        """Return nothing: what fails at a second such step is that no MP are left."""
        return None
