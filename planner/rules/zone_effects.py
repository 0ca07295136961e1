"""What enemy zones of control do to units."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from pydantic import Field

from planner.formats.mp import MP
from planner.formats.table import Table
from planner.world.selectors import HexSelector, HexsideSelector, Names, UnitSelector


class Blocking(Table):
    """The hexsides across which the ZOC of certain units doesn't reach."""

    units: UnitSelector = Field(description="The units")
    blocked_by: HexsideSelector = Field(default=HexsideSelector(), description="The hexsides; absent: none")


class Effect(Table):
    """What an EZOC does to a unit that enters or leaves a hex in it."""

    paragraph: str = Field(description="The printed paragraph that verdicts cite")
    on: Literal["enter", "leave"] = Field(description="Whether entering or leaving a hex in an EZOC counts")
    does: Literal["stop", "forbid", "cost"] = Field(
        description="stop: the move ends in the hex then entered. forbid: the step may not be made. cost: it costs more MP"
    )
    mp: MP = Field(
        default=Fraction(0),
        description="How much more, however many EZOCs lie on the hex; whoever is carried, or takes its whole MA for "
        "a step, can't pay it unless `except_ways` names that way",
    )
    movers: UnitSelector = Field(default=UnitSelector(), description="The units that it binds")
    where: HexSelector = Field(default=HexSelector(), description="The hexes in an EZOC where it holds")
    phases: Names = Field(default=(), description="The phases in which it holds; none named: all")
    negatable: bool = Field(default=True, description="Whether a friend in the hex lifts it")
    from_ezoc: Literal["no", "any", "same"] = Field(
        default="no",
        description="Whether it binds only those who enter the hex straight from another one in an EZOC: in anybody's, "
        "or in that of the same enemy; a friend who negates does so in either hex",
    )
    overrun_lifts: bool = Field(
        default=True,
        description="Whether the EZOC of a unit doesn't count that is overrun at once: in the step after entering, "
        "or in the step that leaves",
    )
    ways: Names = Field(default=(), description="The ids of rules as steps of which alone it holds; none named: all")
    except_ways: Names = Field(default=(), description="The ids of rules as steps of which it doesn't hold")
    any_overrun_lifts: bool = Field(
        default=False, description="Whether a unit that must stop may overrun all the same, whoever stops it"
    )
