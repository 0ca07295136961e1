"""MP beyond the MA that hold on part of the map only: a road bonus, movement by rail, strategic movement."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.mp import MP
from planner.formats.table import Table
from planner.rules.demands import Arc, Demand
from planner.rules.play import NO_MP, MoveInPlay
from planner.rules.roles import Tallies
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class Further(Table):
    """MP that certain units have beyond their MA, and for which steps they hold."""

    units: UnitSelector = Field(default=UnitSelector(), description="The units")
    mp: MP = Field(description="So many MP more")
    along: Names = Field(
        default=(), description="They pay for steps along a hexside with such a route or feature, but for overruns"
    )
    into: HexSelector | None = Field(
        default=None,
        description="They pay for steps into such hexes, but for overruns: of a terrain, say, or an area; with `along`, for "
        "those that are both",
    )
    whole: bool = Field(
        default=False, description="Whether a unit has them only as long as all its steps of the phase are such steps"
    )


class FurtherAllowance(Tallies):
    """Ensures that units have further MP for some of their steps: before the others, between them or after them.

    Of several such rules a unit uses one in a phase, whichever serves it best.
    """

    kind: Literal["further_allowance"]
    allowances: tuple[Further, ...] = Field(min_length=1, description="The first that fits a unit holds")
    phases: Names = Field(default=(), description="The phases in which they have them; none named: all")

    always_in_force: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Units have further MP for steps along certain routes."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield the phases that the game doesn't have, and kinds of rules with which it doesn't go."""
        yield from super().problems(rulebook)
        for further in self.allowances:
            yield from rulebook.unknown("features", further.along)
            if not further.along and further.into is None:
                yield "an allowance must have along or into, or both"

    def amounts(self) -> Iterable[Fraction]:
        """Return the further MP."""
        return (further.mp for further in self.allowances)

    def _of(self, unit: Unit) -> Further | None:
        return next((further for further in self.allowances if further.units.matches(unit)), None)

    def cap(self, unit: Unit, phase: str) -> Fraction | None:
        """Return how many MP a unit may spend on other steps: its own, or none where all its steps must be such steps."""
        further = self._of(unit)
        if further is None or (self.phases and phase not in self.phases):
            return None
        return NO_MP if further.whole else unit.ma

    def further_mp(self, unit: Unit, phase: str) -> Fraction | None:
        """Return the MP beyond its MA that a unit has."""
        further = self._of(unit)
        return NO_MP if further is None else further.mp

    # -- the referee's face

    def adds(self, play: MoveInPlay, mp: Fraction) -> Fraction:
        """Return what a step costs that the further MP don't pay; 1 where no such step may be made."""
        further = self._of(play.unit)
        if further is None:
            return NO_MP
        board, along, into = play.game.board, further.along, further.into
        paid = not play.overrun and (not along or not board.hexside(play.origin, play.to).isdisjoint(along))
        if paid and (into is None or into.matches(board.places[play.to], play.game.weather(play.to))):
            return NO_MP
        return Fraction(1) if further.whole else mp

    # -- the solver's face

    def arc_adds(self, game: Game, unit: Unit, arc: Arc, mp: Fraction) -> Fraction:
        """Return what a step costs that the further MP don't pay; 1 where no such step may be made."""
        for further in self.allowances:
            if further.units.matches(unit):
                fits = arc.victims is None
                if further.along:
                    fits = fits and bool(game.board.hexside(arc.origin, arc.to).intersection(further.along))
                if further.into is not None:
                    fits = fits and further.into.matches(game.board.places[arc.to], game.weather(arc.to))
                return NO_MP if fits else Fraction(further.whole) or mp
        return NO_MP

    def tally_demand(self, game: Game, unit: Unit, label: str) -> Demand | None:
        """Return nothing: without further MP, the MA still holds."""
        return None
