"""Selectors: which units, hexes and hexsides a rule speaks of.

A selector is a conjunction of simple tests; an empty one matches everything. Rulebooks hold them as tables.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Annotated, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema

from planner.formats.hex_lists import STRINGS, Labels
from planner.formats.table import Table
from planner.world.board import Board, Hex
from planner.world.forces import Marker, Unit


def _one_or_many(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Names = Annotated[
    tuple[str, ...],
    BeforeValidator(_one_or_many),
    WithJsonSchema(STRINGS),
]
"""One name, or a list of names."""


class Selector(Table):
    """A conjunction of tests.

    Attributes
    ----------
    charts : dict of str to str
        For each test that names something of a game's charts: which chart, as `Rulebook.unknown` calls it.
    tests : dict of str to callable
        For each test: the function of the selector and of what it is asked about that makes it.
    """

    charts: ClassVar[dict[str, str]] = {}
    tests: ClassVar[dict[str, Callable[..., bool]]] = {}

    @cached_property
    def _tests(self) -> tuple[Callable[..., bool], ...]:
        """The tests that are made at all: most selectors make one or none, and they are asked often."""
        return tuple(test for name, test in self.tests.items() if getattr(self, name) not in ((), None))

    def __getstate__(self) -> dict[object, object]:
        state = super().__getstate__()
        # The tests are looked up anew where they are needed: they can't be pickled.
        return {**state, "__dict__": {key: value for key, value in state["__dict__"].items() if key != "_tests"}}

    def __copy__(self) -> Self:
        copied = super().__copy__()
        copied.__dict__.pop("_tests", None)
        return copied


_PLAIN = frozenset({bool, int, str, frozenset, Fraction, type(None)})
"""Of what type most values are, in which no selector is: whoever looks for one asks no more of them."""


def selectors_in(value: object, place: str = "") -> Iterator[tuple[str, Selector]]:
    """Yield every selector in a rule or the like, however deep, with where it stands."""
    if isinstance(value, BaseModel):
        if isinstance(value, Selector):
            yield place, value
        for key in type(value).model_fields:
            item = getattr(value, key)
            if type(item) not in _PLAIN:
                yield from selectors_in(item, _inside(place, key))
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            if type(item) not in _PLAIN:
                yield from selectors_in(item, f"{place}[{index}]")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if type(item) not in _PLAIN:
                yield from selectors_in(item, _inside(place, str(key)))


def _inside(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


class UnitSelector(Selector):
    """Which units: all given tests must hold."""

    charts: ClassVar[dict[str, str]] = {
        "traits": "unit_traits",
        "any_trait": "unit_traits",
        "without": "unit_traits",
        "types": "unit_types",
        "nationalities": "nationalities",
        "except_nationalities": "nationalities",
        "nationality_traits": "nationality_traits",
        "sides": "sides",
    }

    traits: Names = Field(default=(), description="Traits that the unit must have, all of them")
    any_trait: Names = Field(default=(), description="Traits of which it must have at least one")
    without: Names = Field(default=(), description="Traits that it must not have")
    types: Names = Field(default=(), description="Unit types of which it must be one")
    nationalities: Names = Field(default=(), description="Nationalities of which it must have one")
    except_nationalities: Names = Field(
        default=(), description="It must have a nationality that is none of these; multi-national units have several"
    )
    nationality_traits: Names = Field(default=(), description="Traits that its nationality must have, all of them")
    units: Names = Field(default=(), description="Unit ids of which it must be one")
    sides: Names = Field(default=(), description="Sides of which it must be one")
    steps_min: int | None = Field(default=None, ge=1, description="At least so many steps")
    steps_max: int | None = Field(default=None, ge=1, description="At most so many steps")
    supplied: bool | None = Field(
        default=None, description="Whether it is supplied: a unit is unless the scenario says otherwise; absent: either"
    )
    allied: bool | None = Field(
        default=None, description="Whether it belongs to an ally of the side whose phase it is; absent: either"
    )
    any_of: "tuple[UnitSelector, ...]" = Field(
        default=(), description="Selectors of which one at least must fit it as well"
    )
    but: "UnitSelector | None" = Field(default=None, description="Units that aren't meant all the same")

    tests: ClassVar[dict[str, Callable[["UnitSelector", Unit], bool]]] = {
        "traits": lambda self, unit: unit.traits.issuperset(self.traits),
        "any_trait": lambda self, unit: not unit.traits.isdisjoint(self.any_trait),
        "without": lambda self, unit: unit.traits.isdisjoint(self.without),
        "types": lambda self, unit: unit.type in self.types,
        "nationalities": lambda self, unit: not set(unit.nationalities).isdisjoint(self.nationalities),
        "except_nationalities": lambda self, unit: self.as_nationality(unit) != (),
        "nationality_traits": lambda self, unit: unit.nationality_traits.issuperset(self.nationality_traits),
        "units": lambda self, unit: unit.id in self.units,
        "sides": lambda self, unit: unit.side in self.sides,
        "steps_min": lambda self, unit: self.steps_min is None or unit.steps >= self.steps_min,
        "steps_max": lambda self, unit: self.steps_max is None or unit.steps <= self.steps_max,
        "supplied": lambda self, unit: (unit.supplied is not False) == self.supplied,
        "allied": lambda self, unit: unit.allied == self.allied,
        "any_of": lambda self, unit: any(one.matches(unit) for one in self.any_of),
        "but": lambda self, unit: self.but is None or not self.but.matches(unit),
    }

    def matches(self, unit: Unit) -> bool:
        """Tell whether a unit passes every test."""
        for test in self._tests:  # noqa: SIM110 - a loop is twice as fast here
            if not test(self, unit):
                return False
        return True

    def surely_within(self, other: "UnitSelector") -> bool:
        """Tell whether every unit that passes passes another selector, too, as far as their tests tell."""
        for name in type(self).model_fields:
            mine, theirs = getattr(self, name), getattr(other, name)
            if theirs in ((), None) or mine == theirs:
                continue
            one_of, all_of = name in ("types", "units", "sides", "any_trait"), name in ("traits", "without")
            if not (one_of and mine and set(mine) <= set(theirs)) and not (all_of and set(mine) >= set(theirs)):
                return False
        return True

    def surely_apart(self, other: "UnitSelector") -> bool:
        """Tell whether no unit passes both this selector and another one, as far as their types and traits tell."""
        types = bool(self.types and other.types) and set(self.types).isdisjoint(other.types)
        return types or not (set(self.traits).isdisjoint(other.without) and set(other.traits).isdisjoint(self.without))

    def as_nationality(self, unit: Unit) -> tuple[str, ...]:
        """Return the nationalities as which a unit is meant; a unit without any has one without a name."""
        own = unit.nationalities or ("",)
        return tuple(
            nationality
            for nationality in own
            if nationality not in self.except_nationalities
            and (not self.nationalities or nationality in self.nationalities)
        )


class HexSelector(Selector):
    """Which hexes, or which off-map boxes: all given tests must hold."""

    charts: ClassVar[dict[str, str]] = {
        "terrain": "terrain",
        "traits": "hex_traits",
        "any_trait": "hex_traits",
        "without": "hex_traits",
        "weather": "weather",
        "except_terrain": "terrain",
        "except_weather": "weather",
        "country_sides": "sides",
        "country_traits": "country_traits",
        "status": "status",
    }

    boxes: bool = Field(default=False, description="Whether boxes are meant; otherwise hexes alone are")
    labels: Labels = Field(default=(), description="Hexes, or ids of boxes, of which it must be one")
    terrain: Names = Field(default=(), description="Terrains of which the hex must have one")
    traits: Names = Field(default=(), description="Traits that it must have, all of them")
    any_trait: Names = Field(default=(), description="Traits of which it must have at least one")
    without: Names = Field(default=(), description="Traits that it must not have")
    areas: Names = Field(default=(), description="Areas in one of which it must lie")
    weather: Names = Field(default=(), description="Weather of which it must have one")
    except_terrain: Names = Field(default=(), description="Terrains of which it must have none")
    except_weather: Names = Field(default=(), description="Weather of which it must have none")
    except_areas: Names = Field(default=(), description="Areas in none of which it may lie")
    country_sides: Names = Field(default=(), description="Sides to one of which its country must belong")
    country_traits: Names = Field(default=(), description="Traits that its country must have, all of them")
    status: Names = Field(default=(), description="Of these, one must be in force in its country")
    dependent: bool | None = Field(default=None, description="Whether its country must be a dependent; absent: either")
    dependents_of: Names = Field(default=(), description="Countries of one of which its country must be a dependent")
    except_dependents_of: Names = Field(default=(), description="Countries of none of which it may be a dependent")
    any_of: "tuple[HexSelector, ...]" = Field(
        default=(), description="Selectors of which one at least must fit it as well"
    )
    but: "HexSelector | None" = Field(default=None, description="Hexes, or boxes, that aren't meant all the same")

    tests: ClassVar[dict[str, Callable[["HexSelector", Hex, str], bool]]] = {
        "labels": lambda self, place, _: place.label in self.labels,
        "terrain": lambda self, place, _: any(name in self.terrain for name in (place.terrain, *place.also)),
        "traits": lambda self, place, _: place.traits.issuperset(self.traits),
        "any_trait": lambda self, place, _: not place.traits.isdisjoint(self.any_trait),
        "without": lambda self, place, _: place.traits.isdisjoint(self.without),
        "areas": lambda self, place, _: place.area in self.areas,
        "weather": lambda self, _, weather: weather in self.weather,
        "except_terrain": lambda self, place, _: {place.terrain, *place.also}.isdisjoint(self.except_terrain),
        "except_weather": lambda self, _, weather: weather not in self.except_weather,
        "except_areas": lambda self, place, _: place.area not in self.except_areas,
        "country_sides": lambda self, place, _: place.country.side in self.country_sides,
        "country_traits": lambda self, place, _: place.country.traits.issuperset(self.country_traits),
        "status": lambda self, place, _: not place.country.status.isdisjoint(self.status),
        "dependent": lambda self, place, _: bool(place.country.dependent_of) == self.dependent,
        "dependents_of": lambda self, place, _: place.country.dependent_of in self.dependents_of,
        "except_dependents_of": lambda self, place, _: place.country.dependent_of not in self.except_dependents_of,
        "any_of": lambda self, place, weather: any(one._passes(place, weather) for one in self.any_of),
        "but": lambda self, place, weather: self.but is None or not self.but._passes(place, weather),
    }

    def matches(self, hexagon: Hex, weather: str = "") -> bool:
        """Tell whether a hex or box passes every test in the weather that it has."""
        if hexagon.box != self.boxes:
            return False
        for test in self._tests:  # noqa: SIM110 - a loop is twice as fast here
            if not test(self, hexagon, weather):
                return False
        return True

    def _passes(self, place: Hex, weather: str) -> bool:
        """Tell whether a hex or box passes every test, as a part of another selector, which says which of them is meant."""
        return all(test(self, place, weather) for test in self._tests)


class MarkerSelector(Selector):
    """Which markers: all given tests must hold."""

    charts: ClassVar[dict[str, str]] = {
        "types": "marker_types",
        "traits": "marker_traits",
        "sides": "sides",
        "nationalities": "nationalities",
    }

    types: Names = Field(default=(), description="Marker types of which it must be one")
    traits: Names = Field(default=(), description="Traits that it must have, all of them")
    sides: Names = Field(default=(), description="Sides of which it must belong to one")
    nationalities: Names = Field(default=(), description="Nationalities of which it must be one")

    def matches(self, marker: Marker) -> bool:
        """Tell whether a marker passes every test."""
        return (
            (not self.types or marker.type in self.types)
            and marker.traits.issuperset(self.traits)
            and (not self.sides or marker.side in self.sides)
            and (not self.nationalities or marker.nationality in self.nationalities)
        )


class HexsideSelector(Selector):
    """Which hexsides: by what lies along them, or by the terrain on either side."""

    charts: ClassVar[dict[str, str]] = {"features": "features", "terrain": "terrain", "without": "features"}

    features: Names = Field(default=(), description="Features of which the hexside must have one")
    terrain: Names = Field(default=(), description="Terrains of which one of the two hexes must have one")
    without: Names = Field(
        default=(), description="Features of which the hexside must have none; alone: all hexsides but those"
    )

    def matches(self, board: Board, a: str, b: str) -> bool:
        """Tell whether the hexside between two hexes has one of the features or touches one of the terrains.

        With nothing given but what it must not have, all others fit; with nothing given at all, none does.
        """
        features = board.hexside(a, b)
        every = bool(self.without) and not self.features and not self.terrain
        return features.isdisjoint(self.without) and (
            every
            or not features.isdisjoint(self.features)
            or board.places[a].terrain in self.terrain
            or board.places[b].terrain in self.terrain
        )
