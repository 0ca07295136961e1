"""The charts of a game: terrain effects, carriers, and what players know of unit types, markers and nationalities."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, model_validator

from planner.formats.mp import MP
from planner.formats.table import Table
from planner.world.board import Hex
from planner.world.forces import Marker, Unit
from planner.world.selectors import MarkerSelector, Names, UnitSelector

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
"""The name of a trait, terrain, side and so on: small letters, digits and underscores."""


class _Value(Table):
    assumed: bool = Field(default=False, description="No text gives the value; an owner of the game may correct it")


class Price(_Value):
    """What certain units pay in certain phases."""

    units: UnitSelector = Field(default=UnitSelector(), description="The units that pay this")
    phases: Names = Field(default=(), description="The phases in which they do; none named: all")
    weather: Names = Field(
        default=(), description="The weather, in the hex that is entered, in which they do; none named: any"
    )
    mp: MP | None = Field(default=None, description="MP")
    all: bool = Field(
        default=False, description="It takes the whole MA, of which nothing may have been spent; MP beyond it may"
    )
    prohibited: bool = Field(default=False, description="They can't, but by a route")

    @model_validator(mode="after")
    def _says_one_thing(self) -> "Price":
        if (self.mp is not None) + self.all + self.prohibited != 1:
            raise ValueError("a price must have exactly one of mp, all = true and prohibited = true")
        return self

    def fits(self, unit: Unit, phase: str, weather: str = "") -> bool:
        """Tell whether a unit pays this in a phase and in the weather of the hex that it enters."""
        in_force = (not self.phases or phase in self.phases) and (not self.weather or weather in self.weather)
        return in_force and self.units.matches(unit)


@dataclass(frozen=True)
class Cost:
    """What a step costs.

    Attributes
    ----------
    mp : Fraction
        MP; what is due on top of the whole MA where that is taken.
    all : bool
        Whether it takes the whole MA.
    """

    mp: Fraction
    all: bool = False

    def of(self, ma: Fraction) -> Fraction:
        """Return the MP that a unit with an MA pays."""
        return ma if self.all else self.mp


class _Priced(_Value):
    mp: MP = Field(default=Fraction(0), description="MP, for units that no price fits")
    prohibited: bool = Field(default=False, description="Units that no price fits can't enter or cross, but by a route")
    prices: tuple[Price, ...] = Field(default=(), description="Prices of classes of units; the first that fits holds")

    def cost(self, unit: Unit | None, phase: str, weather: str = "") -> Cost | None:
        """Return what it costs a unit, or units in general; None: prohibited."""
        fitting = (price for price in self.prices if unit is not None and price.fits(unit, phase, weather))
        price = next(fitting, None)
        if price is None:
            return None if self.prohibited else Cost(self.mp)
        if price.prohibited:
            return None
        return Cost(price.mp or Fraction(0), price.all)


class Terrain(_Priced):
    """A terrain of the terrain effects chart."""

    name: str = Field(default="", description="What players call it")
    symbol: str = Field(
        default="", max_length=1, description="Its sign in map rows, unless the scenario's legend differs"
    )
    mp: MP = Field(default=Fraction(1), description="MP to enter, for units that no price fits")
    shift: bool = Field(default=False, description="It gives a defender a combat column shift")
    never_part: bool = Field(
        default=False, description="It doesn't count in a hex of another terrain that shows a little of it"
    )


class Assistance(_Value):
    """What a hexside costs while a friend in one of its two hexes helps across, such as a bridging engineer."""

    by: UnitSelector = Field(description="The friends that help")
    units: UnitSelector = Field(default=UnitSelector(), description="The units that may pay this then")
    mp: MP = Field(description="MP to cross, on top of the hex")
    lifts: bool = Field(default=False, description="Whether it helps across units that couldn't cross otherwise, too")
    unmoved: bool = Field(
        default=False, description="Whether friends help only as long as they haven't moved in the phase"
    )
    stays: bool = Field(default=False, description="Whether friends help only if they move no more in the phase")


class Hexside(_Priced):
    """A hexside feature of the terrain effects chart; crossing it costs MP on top of the hex."""

    name: str = Field(default="", description="What players call it")
    one_of: str = Field(
        default="", max_length=40, description="Of the features of this group, only the cheapest on a hexside counts"
    )
    not_with: Names = Field(default=(), description="It doesn't count on a hexside with one of these features")
    unless: Names = Field(default=(), description="`not_with` says nothing of a hexside with one of these features")
    assisted: tuple[Assistance, ...] = Field(
        default=(), description="Friends that help across; a unit pays the least that it is entitled to"
    )

    @model_validator(mode="after")
    def _helps_somebody(self) -> "Hexside":
        for entry in self.assisted:
            bars = self._surely_bars(entry.units)
            if bars and not entry.lifts:
                raise ValueError(
                    "assisted says nothing where those who are helped may not cross: they need a price, or the entry needs "
                    "lifts = true"
                )
            if entry.lifts and not (self.prohibited or any(price.prohibited for price in self.prices)):
                raise ValueError("lifts = true says nothing where everybody may cross")
        return self

    def _surely_bars(self, units: UnitSelector) -> bool:
        """Tell whether, by its prices, none of some units can ever cross it."""
        for price in self.prices:
            always = not (price.phases or price.weather)
            if price.prohibited and always and units.surely_within(price.units):
                return True
            if not price.prohibited and not units.surely_apart(price.units):
                return False
        return self.prohibited

    def helping(self, unit: Unit) -> tuple[Assistance, ...]:
        """Return by whom, and at what prices, a unit may be helped across."""
        return tuple(entry for entry in self.assisted if entry.units.matches(unit))


class Route(Table):
    """A road, a railway, a trail or the like: crossing a hexside along it has a price of its own.

    Unless it overrides the terrain, it is paid only where the terrain would cost more.
    """

    feature: Name = Field(description="The hexside feature")
    prices: tuple[Price, ...] = Field(description="The first that fits a unit and the phase holds")
    not_with: Names = Field(default=(), description="It carries nobody across a hexside with one of these features")
    unless: Names = Field(
        default=(), description="`not_with` says nothing of a hexside with one of these features, such as a bridge"
    )
    overrides: bool = Field(
        default=False, description="Whether its price is due even where the terrain would cost less"
    )
    plus_hexside: bool = Field(
        default=False, description="Whether what other features of the hexside cost is due on top, such as a ford's"
    )


class TerrainChart(Table):
    """What it costs to enter hexes and to cross hexsides."""

    terrain: dict[Name, Terrain] = Field(default_factory=dict, description="By terrain")
    hexsides: dict[Name, Hexside] = Field(default_factory=dict, description="By hexside feature")
    routes: tuple[Route, ...] = Field(default=(), description="Routes, whose price may replace hex and hexside")

    def entry_cost(
        self,
        hexagon: Hex,
        features: Collection[str],
        unit: Unit | None = None,
        phase: str = "",
        helped: Collection[tuple[str, Assistance]] = (),
        weather: str = "",
    ) -> Cost | None:
        """Return what a hex and the features of the hexside crossed cost together; None: prohibited.

        Of several terrains the dearest counts, of the features of one group the cheapest. `helped` tells of the features
        across which a friend helps, by which entry.
        """
        part = [name for name in hexagon.also if not self.terrain[name].never_part]
        into = [self.terrain[name].cost(unit, phase, weather) for name in (hexagon.terrain, *part)]
        dearest, across = max(into, key=_dearness), self.hexside_cost(features, unit, phase, helped, weather)
        if dearest is None or across is None:
            return None
        return Cost(dearest.mp + across.mp, dearest.all or across.all)

    def hexside_cost(
        self,
        features: Collection[str],
        unit: Unit | None = None,
        phase: str = "",
        helped: Collection[tuple[str, Assistance]] = (),
        weather: str = "",
    ) -> Cost | None:
        """Return what the features of a hexside cost; None: prohibited."""
        across: list[Cost | None] = []
        groups: dict[str, list[Cost | None]] = {}
        helps = dict(helped)
        for feature in features:
            side = self.hexsides.get(feature)
            if side is not None and counts_with(side, features):
                cost, help_ = side.cost(unit, phase, weather), helps.get(feature)
                if help_ is not None and (cost is not None or help_.lifts):
                    cost = Cost(help_.mp)
                (groups.setdefault(side.one_of, []) if side.one_of else across).append(cost)
        across += [min(group, key=_dearness) for group in groups.values()]
        if None in across:
            return None
        costs = [cost for cost in across if cost is not None]
        return Cost(sum((cost.mp for cost in costs), Fraction(0)), any(cost.all for cost in costs))

    def carries(self, features: Collection[str]) -> bool:
        """Tell whether a route leads across a hexside with some features, whatever terrain lies behind it."""
        return any(route.feature in features and counts_with(route, features) for route in self.routes)

    def features(self) -> set[str]:
        """Return every hexside feature that the chart knows."""
        return set(self.hexsides) | {route.feature for route in self.routes}

    def amounts(self) -> Iterator[Fraction]:
        """Yield every amount of MP in the chart."""
        yield from (entry.mp for entry in (*self.terrain.values(), *self.hexsides.values()))
        yield from (price.mp for price in self._prices() if price.mp is not None)
        yield from (entry.mp for side in self.hexsides.values() for entry in side.assisted)

    def _prices(self) -> Iterator[Price]:
        for entry in (*self.terrain.values(), *self.hexsides.values()):
            yield from entry.prices
        for route in self.routes:
            yield from route.prices

    @cached_property
    def assisted(self) -> frozenset[str]:
        """The features across which friends may help."""
        return frozenset(name for name, side in self.hexsides.items() if side.assisted)

    @cached_property
    def some_must_stay(self) -> bool:
        """Whether some friends who help across a hexside must stay for the rest of the phase."""
        return any(entry.stays for side in self.hexsides.values() for entry in side.assisted)

    @cached_property
    def takes_whole_ma(self) -> bool:
        """Whether some price takes the whole MA."""
        return any(price.all for price in self._prices())


def counts_with(entry: Hexside | Route, features: Collection[str]) -> bool:
    """Tell whether a feature, or a route, counts on a hexside with some features."""
    barred = any(other in features for other in entry.not_with)
    return not barred or any(other in features for other in entry.unless)


def _dearness(cost: Cost | None) -> tuple[bool, bool, Fraction]:
    """Order costs: MP, then whole MAs, then what is prohibited."""
    return (True, False, Fraction(0)) if cost is None else (False, cost.all, cost.mp)


class Carrier(_Value):
    """What markers of a kind can carry."""

    markers: MarkerSelector = Field(description="The markers")
    carries: UnitSelector = Field(description="The units that each of them can carry, as many as it has capacity for")


class CarrierChart(Table):
    """Which markers carry which units: a marker can carry whatever one of the entries that fit it allows."""

    carriers: tuple[Carrier, ...] = Field(default=(), description="The entries")

    def can_carry(self, marker: Marker, unit: Unit) -> bool:
        """Tell whether a marker of the unit's side can carry it."""
        return marker.side == unit.side and any(
            entry.markers.matches(marker) and entry.carries.matches(unit) for entry in self.carriers
        )


class CountryEntry(Table):
    """A country or region; its name is that of its area on the map, and of its nationality."""

    name: str = Field(default="", description="What players call it")
    traits: tuple[Name, ...] = Field(default=(), description="What rules need to know of it")
    side: Name | None = Field(
        default=None, description="The side to which it belongs, unless the scenario says otherwise"
    )
    dependent_of: Name | None = Field(default=None, description="The country whose dependent it is, likewise")
    capital: str = Field(default="", description="The hex of its capital, likewise")


class UnitType(Table):
    """A type of unit."""

    name: str = Field(default="", description="What players call it")
    traits: tuple[Name, ...] = Field(default=(), description="What rules need to know of it")
    size: MP = Field(default=Fraction(1), description="What such a unit counts towards stacking limits by size")
    ma: MP | None = Field(default=None, description="The movement allowance of such a unit, unless it has its own")


class Size(_Value):
    """A size of units, such as a battalion."""

    name: str = Field(default="", description="What players call it")
    size: MP = Field(description="What such a unit counts towards stacking limits by size")


class MarkerType(Table):
    """A type of marker."""

    name: str = Field(default="", description="What players call it")
    traits: tuple[Name, ...] = Field(default=(), description="What rules need to know of it")
    status: Name | None = Field(default=None, description="What is in force in a country whose capital bears one")
    capacity: int = Field(default=1, ge=1, le=100, description="How many units such a carrier takes in a phase")


class Nationality(Table):
    """A nationality of units."""

    name: str = Field(default="", description="What players call it")
    traits: tuple[Name, ...] = Field(default=(), description="What rules need to know of it")


class Phase(Table):
    """A phase in which units move."""

    name: str = Field(default="", description="What players call it")
    next: str | None = Field(
        default=None,
        description="The movement phase that follows it, when `apply` writes it; absent: the side's next step of the turn",
    )
    moves: Literal["phasing", "other"] = Field(
        default="phasing", description="Whether the phasing side moves, or the other one, of two"
    )


class TurnStep(Table):
    """A step of the turn: a phase of one side."""

    side: Name = Field(description="The side whose phase it is")
    phase: Name = Field(description="The phase")


class Forces(Table):
    """What players know of units: sides, types, markers, nationalities and phases."""

    sides: dict[Name, str] = Field(description="Sides, with what players call them")
    counter: tuple[Literal["attack", "defense", "strength", "ma"], ...] = Field(
        default=("attack", "defense", "ma"),
        description="The printed values of a counter, in order; strength is both attack and defense",
    )
    unit_types: dict[Name, UnitType] = Field(default_factory=dict, description="Types of units")
    marker_types: dict[Name, MarkerType] = Field(default_factory=dict, description="Types of markers")
    nationalities: dict[Name, Nationality] = Field(default_factory=dict, description="Nationalities of units")
    countries: dict[Name, CountryEntry] = Field(default_factory=dict, description="Countries and regions")
    country_traits: dict[Name, str] = Field(default_factory=dict, description="Traits that countries may have")
    status: dict[Name, str] = Field(default_factory=dict, description="What may be in force in a country")
    phases: dict[Name, Phase] = Field(description="Phases, in the order of the turn")
    alliances: tuple[tuple[Name, ...], ...] = Field(
        default=(),
        description="Sides that are no enemies of each other: in the phase of one, units of others are friends who stay",
    )
    turn: tuple[TurnStep, ...] = Field(
        default=(), description="The steps of a turn, in their order; absent: side by side, each with all phases"
    )
    weather: dict[Name, str] = Field(default_factory=dict, description="Weather, with what players call it")
    sizes: dict[Name, Size] = Field(default_factory=dict, description="Sizes of units")
    unit_traits: dict[Name, str] = Field(default_factory=dict, description="Traits that single units may have")
    hex_traits: dict[Name, str] = Field(default_factory=dict, description="Traits that hexes may have")
    flags: dict[Name, str] = Field(default_factory=dict, description="Anything else that may be in force")

    def allies_of(self, side: str) -> frozenset[str]:
        """Return the sides that are no enemies of a side, beside itself."""
        return frozenset(other for alliance in self.alliances if side in alliance for other in alliance) - {side}

    def at_odds(self, sides: Iterable[str]) -> bool:
        """Tell whether some of these sides are enemies of each other, whoever moves."""
        some = set(sides)
        return any(some - self.allies_of(side) - {side} for side in some)
