"""Objectives: tiers of terms, and hard requirements."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from planner.formats.table import Table
from planner.objective.base import Linear, OutcomeModel, Tally, Term
from planner.objective.kinds import AnyTerm


class Tier(Table):
    """A tier of the objective: a weighted sum of terms, infinitely more important than the tiers after it."""

    name: str = Field(default="", max_length=120, description="What players call it")
    terms: tuple[AnyTerm, ...] = Field(min_length=1, max_length=1000, description="Its terms")


def terms_of(tiers: Iterable[Tier], required: Iterable[Term] = ()) -> list[Term]:
    """Return the terms of some tiers, and after them what is required."""
    return [*(term for tier in tiers for term in tier.terms), *required]


__all__ = ["AnyTerm", "Linear", "OutcomeModel", "Tally", "Term", "Tier", "terms_of"]
