"""Procedures of movement, and who may use which."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER
from planner.rules.base import Rule
from planner.rules.demands import Arc, Demand
from planner.rules.play import Finding, MoveInPlay
from planner.world.forces import Unit
from planner.world.selectors import Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class Procedures(Rule):
    """Ensures that a unit keeps to one procedure of movement in a phase, or that certain units don't use certain ones."""

    kind: Literal["procedures"]
    who: UnitSelector = Field(default=UnitSelector(), description="The units that it binds")
    one_only: bool = Field(default=False, description="Whether all steps of a move must be of one procedure")
    barred: Names = Field(default=(), description="Procedures that these units may not use")

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "A unit uses one procedure of movement in a phase; some units may not use some of them."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield the procedures that no rule has."""
        known = {way.procedure for way in rulebook.ways}
        for name in self.barred:
            if name not in known:
                yield f"procedure {name!r} must be one of {', '.join(sorted(known))}"

    # -- the referee's face

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding for a procedure that is barred, or that is not the one of the step before."""
        if play.way is None or not self.who.matches(play.unit):
            return
        now = play.way.procedure
        if now in self.barred:
            yield Finding(self.paragraph, f"{play.unit.id} may not move by {_words(now)}")
        if self.one_only and play.before is not None and play.before[0] != now:
            text = (
                f"{play.unit.id} may not go on by {_words(now)}: it has moved by {_words(play.before[0])} in this phase"
            )
            yield Finding(self.paragraph, text)

    # -- the solver's face

    def same_from_anywhere(self, game: Game, way: str) -> bool:
        """Tell whether what it asks doesn't depend on the hex left: it looks at how the unit moves alone."""
        return True

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield an impossible demand for a procedure that is barred, or that is not the one of the step before."""
        if not self.who.matches(unit):
            return
        procedure = next((way.procedure for way in game.rulebook.ways if way.id == arc.way), "")
        if procedure in self.barred:
            yield Demand(self.paragraph, NEVER, cause="barred", source=self.id)
        if self.one_only and arc.before is not None and arc.before[0] != procedure:
            yield Demand(self.paragraph, NEVER, cause="one procedure", source=self.id)


def _words(procedure: str) -> str:
    return procedure.replace("_", " ")
