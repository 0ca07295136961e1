"""The charts of a game: terrain effects, carriers, and what players know of unit types, markers and nationalities."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from planner.forces import Marker, Unit
from planner.mp import MP
from planner.selectors import MarkerSelector, Names, UnitSelector

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
"""The name of a trait, terrain, side and so on: small letters, digits and underscores."""


class _Chart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Value(_Chart):
    assumed: bool = Field(default=False, description="No text gives the value; an owner of the game may correct it")


class Terrain(_Value):
    """A terrain of the terrain effects chart."""

    name: str = Field(default="", description="What players call it")
    symbol: str = Field(
        default="", max_length=1, description="Its sign in map rows, unless the scenario's legend differs"
    )
    mp: MP = Field(default=Fraction(1), description="MP to enter")
    prohibited: bool = Field(default=False, description="Units can't enter, but by a route")
    shift: bool = Field(default=False, description="It gives a defender a combat column shift")


class Hexside(_Value):
    """A hexside feature of the terrain effects chart."""

    name: str = Field(default="", description="What players call it")
    mp: MP = Field(default=Fraction(0), description="MP to cross, on top of the hex")
    prohibited: bool = Field(default=False, description="Units can't cross, but by a route")


class RoutePrice(_Value):
    """What certain units pay along a route in certain phases."""

    units: UnitSelector = Field(default=UnitSelector(), description="The units that pay this")
    phases: Names = Field(default=(), description="The phases in which they do; none named: all")
    mp: MP = Field(description="MP for the hexside")


class Route(_Chart):
    """A road, a railway or the like: crossing a hexside along it has a price of its own."""

    feature: Name = Field(description="The hexside feature")
    prices: tuple[RoutePrice, ...] = Field(description="The first that fits a unit and the phase holds")


class TerrainChart(_Chart):
    """What it costs to enter hexes and to cross hexsides."""

    terrain: dict[Name, Terrain] = Field(default_factory=dict, description="By terrain")
    hexsides: dict[Name, Hexside] = Field(default_factory=dict, description="By hexside feature")
    routes: tuple[Route, ...] = Field(default=(), description="Routes, whose price may replace hex and hexside")

    def entry_cost(self, terrain: str, features: Iterable[str]) -> Fraction | None:
        """Return the MP for a hex and the features of the hexside crossed; None if one of them is prohibited."""
        entry = self.terrain[terrain]
        if entry.prohibited:
            return None
        total = entry.mp
        for feature in features:
            side = self.hexsides.get(feature)
            if side is not None:
                if side.prohibited:
                    return None
                total += side.mp
        return total

    def features(self) -> set[str]:
        """Return every hexside feature that the chart knows."""
        return set(self.hexsides) | {route.feature for route in self.routes}


class Carrier(_Value):
    """What markers of a kind can carry."""

    markers: MarkerSelector = Field(description="The markers")
    carries: UnitSelector = Field(description="The units of which each of them can carry one")


class CarrierChart(_Chart):
    """Which markers carry which units: a marker can carry whatever one of the entries that fit it allows."""

    carriers: tuple[Carrier, ...] = Field(default=(), description="The entries")

    def can_carry(self, marker: Marker, unit: Unit) -> bool:
        """Tell whether a marker of the unit's side can carry it."""
        return marker.side == unit.side and any(
            entry.markers.matches(marker) and entry.carries.matches(unit) for entry in self.carriers
        )


class CountryEntry(_Chart):
    """A country or region; its name is that of its area on the map, and of its nationality."""

    name: str = Field(default="", description="What players call it")
    traits: tuple[Name, ...] = Field(default=(), description="What rules need to know of it")
    side: Name | None = Field(
        default=None, description="The side to which it belongs, unless the scenario says otherwise"
    )
    dependent_of: Name | None = Field(default=None, description="The country whose dependent it is, likewise")
    capital: str = Field(default="", description="The hex of its capital, likewise")


class UnitType(_Chart):
    """A type of unit."""

    name: str = Field(default="", description="What players call it")
    traits: tuple[Name, ...] = Field(default=(), description="What rules need to know of it")


class MarkerType(_Chart):
    """A type of marker."""

    name: str = Field(default="", description="What players call it")
    traits: tuple[Name, ...] = Field(default=(), description="What rules need to know of it")
    status: Name | None = Field(default=None, description="What is in force in a country whose capital bears one")


class Nationality(_Chart):
    """A nationality of units."""

    name: str = Field(default="", description="What players call it")
    traits: tuple[Name, ...] = Field(default=(), description="What rules need to know of it")


class Phase(_Chart):
    """A phase in which units move."""

    name: str = Field(default="", description="What players call it")
    next: str | None = Field(default=None, description="The movement phase that follows it; absent: itself")


class Forces(_Chart):
    """What players know of units: sides, types, markers, nationalities and phases."""

    sides: dict[Name, str] = Field(description="Sides, with what players call them")
    counter: tuple[str, ...] = Field(
        default=("attack", "defense", "ma"), description="The printed values of a counter, in order"
    )
    unit_types: dict[Name, UnitType] = Field(default_factory=dict)
    marker_types: dict[Name, MarkerType] = Field(default_factory=dict)
    nationalities: dict[Name, Nationality] = Field(default_factory=dict)
    countries: dict[Name, CountryEntry] = Field(default_factory=dict, description="Countries and regions")
    country_traits: dict[Name, str] = Field(default_factory=dict, description="Traits that countries may have")
    status: dict[Name, str] = Field(default_factory=dict, description="What may be in force in a country")
    phases: dict[Name, Phase] = Field(description="Phases, in the order of the turn")
    weather: dict[Name, str] = Field(default_factory=dict, description="Weather, with what players call it")
    unit_traits: dict[Name, str] = Field(default_factory=dict, description="Traits that single units may have")
    hex_traits: dict[Name, str] = Field(default_factory=dict, description="Traits that hexes may have")
    flags: dict[Name, str] = Field(default_factory=dict, description="Anything else that may be in force")
