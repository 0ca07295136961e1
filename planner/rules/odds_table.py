"""What the results of overruns depend on: strengths and what modifies them, columns of odds and what shifts them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from planner.formats.mp import MP
from planner.formats.odds import Odds
from planner.formats.probability import Probability
from planner.world.selectors import HexSelector, MarkerSelector, UnitSelector


class Shift(BaseModel):
    """A source of a combat column shift for the defender; whatever could give one bars the overrun."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(description="What gives the shift, as messages say it")
    terrain: bool = Field(default=False, description="The terrain of the hex, where the terrain chart says so")
    where: HexSelector | None = Field(default=None, description="The hex itself, if it is one of these")
    markers: MarkerSelector | None = Field(default=None, description="An enemy marker in the hex")
    support: UnitSelector | None = Field(default=None, description="An enemy unit within range")
    range: int = Field(
        default=0, ge=0, le=100, description="The range of support in hexes, unless the unit has its own"
    )
    supplied: bool = Field(default=False, description="Whether only supplied units give support")
    assumed: bool = Field(default=False, description="Whether the range stands in for a value that no text gives")


class Modifier(BaseModel):
    """By what the strength of certain units is multiplied in an overrun of certain hexes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    of: Literal["attack", "defense"] = Field(description="Whose strength")
    units: UnitSelector = Field(default=UnitSelector(), description="The units")
    where: HexSelector = Field(default=HexSelector(), description="The hexes that are overrun")
    times: MP = Field(description="By what their strength is multiplied")
    assumed: bool = Field(default=False, description="No text gives the value")


class Column(BaseModel):
    """A column of the table of results."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    odds: Odds = Field(description="The odds from which on it holds, attack to defense, such as 3:1")
    chance: Probability = Field(description="The probability that the defenders are gone")
    assumed: bool = Field(default=False, description="No text gives the value")


class Support(BaseModel):
    """Units that add their strength to an overrun from afar, or to the defense against it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paragraph: str = Field(description="The printed paragraph that verdicts cite")
    units: UnitSelector = Field(description="The units that support")
    range: int = Field(
        default=0, ge=0, le=10_000, description="How far, in hexes, unless a unit has a range of its own"
    )
    becomes: str | None = Field(
        default=None, description="The trait of units that have given support, until it is taken off"
    )
