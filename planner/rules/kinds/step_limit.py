"""How many steps of a kind a unit may make in a phase, or in a turn."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER
from planner.rules.demands import Arc, Demand
from planner.rules.play import NO_MP, Finding, MoveInPlay
from planner.rules.roles import Tallies
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, HexsideSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game


class StepLimit(Tallies):
    """Ensures that a unit makes at most so many steps of a kind in a phase, or in a turn: one across a river, say."""

    kind: Literal["step_limit"]
    who: UnitSelector = Field(default=UnitSelector(), description="The units that it binds")
    across: HexsideSelector | None = Field(default=None, description="Steps across such hexsides; absent: any")
    into: HexSelector | None = Field(default=None, description="Steps into such hexes, or boxes; absent: any")
    overruns: bool = Field(default=False, description="Overruns alone; otherwise they count like other steps")
    most: int = Field(default=1, ge=0, description="So many such steps at most")
    per: Literal["phase", "turn"] = Field(
        default="phase",
        description="turn: steps count that were made in earlier phases of the turn, as far as the rule holds in those",
    )
    phases: Names = Field(default=(), description="The phases in which it holds; none named: all")

    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "A unit makes at most so many steps of a kind in a phase, or in a turn."

    @property
    def per_turn(self) -> bool:
        """Whether the steps of earlier phases of the turn count."""
        return self.per == "turn"

    def cap(self, unit: Unit, phase: str) -> Fraction | None:
        """Return how many such steps a unit may make."""
        return Fraction(self.most) if self.who.matches(unit) and phase in (self.phases or (phase,)) else None

    # -- the referee's face

    def adds(self, play: MoveInPlay, mp: Fraction) -> Fraction:
        """Return 1 for a step of the kind, and 0 for any other."""
        game, board = play.game, play.game.board
        if self.overruns and not play.overrun:
            return NO_MP
        if self.into is not None and not self.into.matches(board.places[play.to], game.weather(play.to)):
            return NO_MP
        near = board.adjacent(play.origin, play.to)
        if self.across is not None and not (near and self.across.matches(board, play.origin, play.to)):
            return NO_MP
        return Fraction(1)

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if it is one such step too many."""
        most = self.cap(play.unit, play.game.situation.phase)
        if most is None:
            return
        so_far, more = play.tallies.get(self.id, NO_MP), self.adds(play, NO_MP)
        if more and so_far + more > most:
            text = f"{play.unit.id} may not go from {play.origin} to {play.to}"
            many = "no such step" if not most else f"{most} such step{'s' if most > 1 else ''}"
            yield Finding(self.paragraph, f"{text}: it may make {many} in the {self.per}")

    # -- the solver's face

    def arc_adds(self, game: Game, unit: Unit, arc: Arc, mp: Fraction) -> Fraction:
        """Return 1 for a step of the kind, and 0 for any other."""
        fits = not self.overruns or arc.overrun
        if fits and self.into is not None:
            fits = self.into.matches(game.board.places[arc.to], game.weather(arc.to))
        if fits and self.across is not None:
            beside = arc.to in game.board.neighbours.get(arc.origin, ())
            fits = beside and self.across.matches(game.board, arc.origin, arc.to)
        return Fraction(int(fits))

    def tally_demand(self, game: Game, unit: Unit, label: str) -> Demand | None:
        """Return that nothing lets a unit make one such step more."""
        return Demand(self.paragraph, NEVER, cause="too many", source=self.id)
