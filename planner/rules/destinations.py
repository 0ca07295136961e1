"""Where eliminated units go."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from planner.world.forces import Unit
from planner.world.selectors import UnitSelector


class Destination(BaseModel):
    """Where certain eliminated units go."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    units: UnitSelector = Field(default=UnitSelector(), description="The units that go there")
    box: str = Field(description="The box")


def box_of(unit: Unit, places: Sequence[Destination]) -> str:
    """Return the box to which an eliminated unit goes; without one that fits it, a box of that name."""
    return next((place.box for place in places if place.units.matches(unit)), "eliminated")
