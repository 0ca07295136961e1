"""Selectors: which units, hexes and hexsides a rule speaks of.

A selector is a conjunction of simple tests; an empty one matches everything. Rulebooks hold them as tables.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from planner.board import Board, Hex
from planner.forces import Marker, Unit


def _one_or_many(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Names = Annotated[
    tuple[str, ...],
    BeforeValidator(_one_or_many),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
"""One name, or a list of names."""


class _Selector(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class UnitSelector(_Selector):
    """Which units: all given tests must hold."""

    traits: Names = Field(default=(), description="Traits that the unit must have, all of them")
    any_trait: Names = Field(default=(), description="Traits of which it must have at least one")
    without: Names = Field(default=(), description="Traits that it must not have")
    types: Names = Field(default=(), description="Unit types of which it must be one")
    nationalities: Names = Field(default=(), description="Nationalities of which it must be one")
    nationality_traits: Names = Field(default=(), description="Traits that its nationality must have, all of them")
    units: Names = Field(default=(), description="Unit ids of which it must be one")
    sides: Names = Field(default=(), description="Sides of which it must be one")
    steps_min: int | None = Field(default=None, ge=1, description="At least so many steps")
    steps_max: int | None = Field(default=None, ge=1, description="At most so many steps")

    def matches(self, unit: Unit) -> bool:
        """Tell whether a unit passes every test."""
        return (
            unit.traits.issuperset(self.traits)
            and (not self.any_trait or not unit.traits.isdisjoint(self.any_trait))
            and unit.traits.isdisjoint(self.without)
            and (not self.types or unit.type in self.types)
            and (not self.nationalities or unit.nationality in self.nationalities)
            and unit.nationality_traits.issuperset(self.nationality_traits)
            and (not self.units or unit.id in self.units)
            and (not self.sides or unit.side in self.sides)
            and (self.steps_min is None or unit.steps >= self.steps_min)
            and (self.steps_max is None or unit.steps <= self.steps_max)
        )


class HexSelector(_Selector):
    """Which hexes: all given tests must hold."""

    terrain: Names = Field(default=(), description="Terrains of which the hex must have one")
    traits: Names = Field(default=(), description="Traits that it must have, all of them")
    any_trait: Names = Field(default=(), description="Traits of which it must have at least one")
    without: Names = Field(default=(), description="Traits that it must not have")
    areas: Names = Field(default=(), description="Areas in one of which it must lie")
    weather: Names = Field(default=(), description="Weather of which it must have one")
    except_terrain: Names = Field(default=(), description="Terrains of which it must have none")
    except_weather: Names = Field(default=(), description="Weather of which it must have none")

    def matches(self, hexagon: Hex, weather: str = "") -> bool:
        """Tell whether a hex passes every test in the weather that it has."""
        return (
            (not self.terrain or hexagon.terrain in self.terrain)
            and hexagon.traits.issuperset(self.traits)
            and (not self.any_trait or not hexagon.traits.isdisjoint(self.any_trait))
            and hexagon.traits.isdisjoint(self.without)
            and (not self.areas or hexagon.area in self.areas)
            and (not self.weather or weather in self.weather)
            and hexagon.terrain not in self.except_terrain
            and weather not in self.except_weather
        )


class MarkerSelector(_Selector):
    """Which markers: all given tests must hold."""

    types: Names = Field(default=(), description="Marker types of which it must be one")
    traits: Names = Field(default=(), description="Traits that it must have, all of them")

    def matches(self, marker: Marker) -> bool:
        """Tell whether a marker passes every test."""
        return (not self.types or marker.type in self.types) and marker.traits.issuperset(self.traits)


class HexsideSelector(_Selector):
    """Which hexsides: by what lies along them, or by the terrain on either side."""

    features: Names = Field(default=(), description="Features of which the hexside must have one")
    terrain: Names = Field(default=(), description="Terrains of which one of the two hexes must have one")

    def matches(self, board: Board, a: str, b: str) -> bool:
        """Tell whether the hexside between two hexes has one of the features or touches one of the terrains."""
        return not board.hexside(a, b).isdisjoint(self.features) or (
            board.hexes[a].terrain in self.terrain or board.hexes[b].terrain in self.terrain
        )
