"""The table of results of a combat, what it leads to, and the hexes round the one that is fought for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pydantic import Field

from planner.formats.table import Table
from planner.world.board import Board
from planner.world.numbering import NEIGHBOUR_OFFSETS
from planner.world.selectors import HexSelector, HexsideSelector


class CombatColumn(Table):
    """A column of a combat results table: every entry is equally likely."""

    from_percent: int = Field(
        ge=-100, description="By how many percent of the defense the attack exceeds it at least; negative: falls short"
    )
    entries: tuple[tuple[int, int], ...] = Field(
        min_length=1, max_length=100, description="Damage to attackers and defenders, for each entry"
    )
    assumed: bool = Field(default=False, description="No text gives the column")


class CombatShift(Table):
    """Terrain that shifts the column in the defenders' favour."""

    hexes: HexSelector | None = Field(default=None, description="The hex of the defenders")
    hexsides: HexsideSelector | None = Field(default=None, description="The hexside that the attackers have crossed")
    columns: int = Field(ge=1, le=100, description="By so many columns")
    assumed: bool = Field(default=False, description="No text gives the shift")


@dataclass(frozen=True)
class Aftermath:
    """What a combat may lead to, as the solver sees it.

    Attributes
    ----------
    good : bool
        Whether the attackers hold the hex.
    shaken, eliminated : frozenset of str
        Who is demoralized for the first time, and who is destroyed.
    back : frozenset of (str, str)
        Who goes back where.
    probability : Fraction
        How likely it is.
    entries : frozenset of (int, int)
        The entries of the table that lead to it.
    """

    good: bool
    shaken: frozenset[str]
    eliminated: frozenset[str]
    back: frozenset[tuple[str, str]]
    probability: Fraction = Fraction(0)
    entries: frozenset[tuple[int, int]] = frozenset()


def told(lost: Sequence[str], shaken: Sequence[str], moved: Sequence[tuple[str, str]]) -> str:
    """Return in words what a combat has led to: who is destroyed or demoralized, and who goes back where."""
    parts = []
    if lost:
        parts.append(f"{', '.join(lost)} destroyed")
    if shaken:
        parts.append(f"{', '.join(shaken)} demoralized")
    if moved:
        parts.append(f"{', '.join(unit for unit, _ in moved)} back to {moved[0][1]}")
    return "; ".join(parts) or "nothing"


def ring_of(board: Board, label: str) -> list[str]:
    """Return the six neighbours of a hex in order round it, an empty string for what is off the map."""
    places = {coordinates: other for other, coordinates in board.coordinates.items()}
    sheet, line, place = board.coordinates[label]
    return [places.get(type(board.coordinates[label])(sheet, line + a, place + b), "") for a, b in NEIGHBOUR_OFFSETS]
