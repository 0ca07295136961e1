"""Where eliminated units go."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from planner.formats.table import Table
from planner.world.forces import Unit
from planner.world.selectors import UnitSelector


class Destination(Table):
    """Where certain eliminated units go."""

    units: UnitSelector = Field(default=UnitSelector(), description="The units that go there")
    box: str = Field(description="The box")


def box_of(unit: Unit, places: Sequence[Destination]) -> str:
    """Return the box to which an eliminated unit goes; without one that fits it, a box of that name."""
    return next((place.box for place in places if place.units.matches(unit)), "eliminated")
