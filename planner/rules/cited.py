"""Paragraphs that verdicts cite for certain units instead of that of the rule."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from planner.formats.table import Table
from planner.world.forces import Unit
from planner.world.selectors import UnitSelector


class Cited(Table):
    """The paragraph that speaks of certain units."""

    units: UnitSelector = Field(description="The units")
    paragraph: str = Field(description="The paragraph")


def paragraph_for(cited: Iterable[Cited], unit: Unit, otherwise: str) -> str:
    """Return the paragraph of the first entry that fits a unit, or another where none does."""
    return next((entry.paragraph for entry in cited if entry.units.matches(unit)), otherwise)
