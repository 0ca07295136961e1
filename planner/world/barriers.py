"""What keeps units out of hexes."""

from pydantic import Field

from planner.formats.table import Table
from planner.world.selectors import HexSelector, Names, UnitSelector


class Standing(Table):
    """Something that is in force in one of some countries."""

    status: str = Field(description="What is in force")
    countries: Names = Field(min_length=1, description="In at least one of these countries")


class Barrier(Table):
    """Whom something keeps out of which hexes, unless what.

    A unit of several nationalities is kept out if it is as one of them.
    """

    who: UnitSelector = Field(default=UnitSelector(), description="The units that it binds")
    hexes: HexSelector | None = Field(default=None, description="The hexes, or boxes, that they may not enter")
    origin: HexSelector | None = Field(
        default=None, description="It holds for units that leave such a hex; absent: any"
    )
    unless_home: bool = Field(
        default=False, description="Whether units may enter their home country and its dependents all the same"
    )
    home_status: Names = Field(default=(), description="It binds units in whose home country one of these is in force")
    home_traits: Names = Field(default=(), description="It binds units whose home country has all of these traits")
    while_any: Standing | None = Field(default=None, description="It holds while this is so; absent: always")
    flag: str | None = Field(default=None, description="The flag that must be set for it to hold; absent: always holds")
    unless_flag: str | None = Field(default=None, description="The flag that lifts it; absent: none does")
    because: str = Field(default="", max_length=120, description="What messages say of it")
