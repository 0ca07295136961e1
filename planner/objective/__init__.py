"""Objectives: tiers of terms, and hard requirements."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from planner.formats.table import Table
from planner.objective.base import Linear, OutcomeModel, Tally, Term
from planner.objective.control import Control
from planner.objective.together import AnyPart, Together

AnyTerm = Annotated[AnyPart | Together, Field(discriminator="kind")]
"""A term of any kind, told apart by `kind`: a part of a tier, or a hard requirement."""


class Tier(Table):
    """A tier of the objective: a weighted sum of terms, infinitely more important than the tiers after it."""

    name: str = Field(default="", max_length=120, description="What players call it")
    terms: tuple[AnyTerm, ...] = Field(min_length=1, max_length=1000, description="Its terms")


__all__ = ["AnyTerm", "Control", "Linear", "OutcomeModel", "Tally", "Term", "Tier"]
