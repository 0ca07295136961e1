"""How modes and the like change the movement allowance."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.mp import MP
from planner.formats.table import Table
from planner.rules.roles import Mobilizes
from planner.world.forces import Unit
from planner.world.selectors import Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.rulebook import Rulebook


class Factor(Table):
    """By what the MA of certain units is multiplied in certain phases."""

    units: UnitSelector = Field(default=UnitSelector(), description="The units")
    phases: Names = Field(default=(), description="The phases; none named: all")
    times: MP = Field(default=Fraction(1), description="By what their MA is multiplied")
    most: MP | None = Field(default=None, description="What it then is at most; absent: no limit")


class Allowance(Mobilizes):
    """Ensures that units have the MA that their mode gives them: the printed one, multiplied, and never rounded.

    It is applied to the counters before anything else looks at them, so that both faces of every rule see the MA that holds
    in the phase.
    """

    kind: Literal["allowance"]
    factors: tuple[Factor, ...] = Field(description="The first that fits a unit and the phase holds")

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Modes multiply the printed MA; fractions are kept."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield the names that the game doesn't have."""
        for factor in self.factors:
            yield from rulebook.unknown("phases", factor.phases)

    def effective(self, unit: Unit, phase: str) -> Fraction:
        """Return a unit's MA in a phase, by its printed one."""
        for factor in self.factors:
            if (not factor.phases or phase in factor.phases) and factor.units.matches(unit):
                ma = unit.ma * factor.times
                return ma if factor.most is None else min(ma, factor.most)
        return unit.ma
