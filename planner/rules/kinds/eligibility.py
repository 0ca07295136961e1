"""Who may move at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER
from planner.rules.demands import Demand, Tick, no_tick
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Admits
from planner.world.forces import Unit
from planner.world.selectors import Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game


class Eligibility(Admits):
    """Ensures that only units of the phasing side that are of the right class, with some MA, move."""

    kind: Literal["eligibility"]
    who: UnitSelector = Field(default=UnitSelector(), description="The units that may move")
    phases: Names = Field(default=(), description="The phases in which the rule holds; none named: all")
    because: str = Field(default="", max_length=120, description="Why others may not, as messages say it")
    other_sides: bool = Field(default=True, description="Whether it is this rule that bars the units of other sides")
    needs_ma: bool = Field(default=True, description="Whether a unit with MA 0 stays where it is")

    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Only the phasing side's units of the named class, with MA above zero, may move."

    def check_pick_up(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what forbids the unit to begin its move."""
        unit, phasing = play.unit, play.game.situation.phasing
        if self.phases and play.game.situation.phase not in self.phases:
            return
        if unit.side != phasing:
            if not self.other_sides:
                return
            yield Finding(
                self.paragraph, f"{unit.id} may not move: it belongs to {unit.side}, and {phasing} is phasing"
            )
        elif not self.who.matches(unit):
            why = self.because or "it is not a unit that moves in this phase"
            if not self.because and self._by_type(play):
                why = f"units of its type ({unit.type}) don't move in this phase"
            yield Finding(self.paragraph, f"{unit.id} may not move: {why}")
        if self.needs_ma and unit.ma <= 0:
            yield Finding(self.paragraph, f"{unit.id} may not move: its MA is 0")

    def _by_type(self, play: MoveInPlay) -> bool:
        """Tell whether a unit's type keeps it from moving: of another type it might, and none of its own may."""
        unit, types = play.unit, play.game.rulebook.forces.unit_types
        printed = types[unit.type].traits if unit.type in types else ()
        others = (
            replace(unit, type=name, traits=unit.traits.difference(printed).union(entry.traits))
            for name, entry in types.items()
        )
        same = (one for one in play.game.units.values() if (one.type, one.side) == (unit.type, unit.side))
        return any(map(self.who.matches, others)) and not any(map(self.who.matches, same))

    def pick_up_demands(self, game: Game, unit: Unit, origin: str, tick: Tick = no_tick) -> Iterable[Demand]:
        """Yield what the unit needs to begin its move."""
        if self.phases and game.situation.phase not in self.phases:
            return
        strange = unit.allied or game.is_enemy(unit.id)
        if strange and not self.other_sides:
            return
        if strange or not self.who.matches(unit):
            yield Demand(self.paragraph, NEVER, source=self.id)
        if self.needs_ma and unit.ma == 0:
            yield Demand(self.paragraph, NEVER, source=self.id)
