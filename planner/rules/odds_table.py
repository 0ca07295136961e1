"""What the results of overruns depend on: strengths and what modifies them, columns of odds and what shifts them.

The functions are the solver's face's: the referee's face works out strengths, odds and ranges for itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain, combinations
from math import prod
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from planner.formats.mp import MP
from planner.formats.odds import Odds
from planner.formats.probability import Probability
from planner.formats.table import Table
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, HexsideSelector, MarkerSelector, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game


class Shift(Table):
    """A source of a combat column shift for the defender; whatever could give one bars the overrun."""

    name: str = Field(description="What gives the shift, as messages say it")
    terrain: bool = Field(default=False, description="The terrain of the hex, where the terrain chart says so")
    where: HexSelector | None = Field(default=None, description="The hex itself, if it is one of these")
    markers: MarkerSelector | None = Field(default=None, description="An enemy marker in the hex")
    hexsides: HexsideSelector | None = Field(default=None, description="The hexside that the overrun crosses")
    support: UnitSelector | None = Field(default=None, description="An enemy unit within range")
    range: int = Field(
        default=0, ge=0, le=100, description="The range of support in hexes, unless the unit has its own"
    )
    supplied: bool = Field(default=False, description="Whether only supplied units give support")
    assumed: bool = Field(default=False, description="Whether the range stands in for a value that no text gives")


class Modifier(Table):
    """By what the strength of certain units is multiplied in an overrun of certain hexes, or across certain hexsides."""

    of: Literal["attack", "defense"] = Field(description="Whose strength")
    units: UnitSelector = Field(default=UnitSelector(), description="The units")
    where: HexSelector = Field(default=HexSelector(), description="The hexes that are overrun")
    hexsides: HexsideSelector | None = Field(
        default=None, description="The hexsides that the overrun crosses; absent: any"
    )
    times: MP = Field(description="By what their strength is multiplied")
    assumed: bool = Field(default=False, description="No text gives the value")


class Column(Table):
    """A column of the table of results."""

    odds: Odds = Field(description="The odds from which on it holds, attack to defense, such as 3:1")
    chance: Probability = Field(description="The probability that the defenders are gone")
    assumed: bool = Field(default=False, description="No text gives the value")


class Support(Table):
    """Units that add their strength to an overrun from afar, or to the defense against it."""

    paragraph: str = Field(description="The printed paragraph that verdicts cite")
    units: UnitSelector = Field(description="The units that support")
    range: int = Field(
        default=0, ge=0, le=10_000, description="How far, in hexes, unless a unit has a range of its own"
    )
    becomes: str | None = Field(
        default=None, description="The trait of units that have given support for certain, until it is taken off"
    )


def factor(game: Game, modifiers: Sequence[Modifier], unit: Unit, origin: str, label: str) -> Fraction:
    """Return by what some modifiers multiply a unit's strength when a hex is overrun from one beside it."""
    place, weather = game.board.places[label], game.weather(label)
    fitting = (m for m in modifiers if m.where.matches(place, weather) and m.units.matches(unit))
    return prod(
        (m.times for m in fitting if m.hexsides is None or m.hexsides.matches(game.board, origin, label)),
        start=Fraction(1),
    )


def chance_at(results: Sequence[Column], attack: Fraction, defense: Fraction) -> Fraction | None:
    """Return the probability that one attempt goes through; None: the odds are too low."""
    columns = [column for column in results if column.odds * defense <= attack]
    return max(columns, key=lambda column: column.odds).chance if columns else None


def in_range(game: Game, support: Support | None, unit: str, at: str, label: str) -> bool:
    """Tell whether a unit can support, from where it stands, what happens in a hex."""
    counter = game.units[unit]
    if support is None or not support.units.matches(counter):
        return False
    own = counter.support_range
    return game.board.within(at, label, support.range if own is None else own)


def subsets(units: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """Yield every set of some units, small ones first."""
    return chain.from_iterable(combinations(units, size) for size in range(len(units) + 1))
