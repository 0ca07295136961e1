"""Printed hex labels to hex coordinates and back.

Coordinates are *doubled*: a hex is (sheet, line, place), where a line is one straight row (or column) of hexes and
places along it count in half hexes. So neighbours differ by (0, ±2) or (±1, ±1), whatever the map's orientation
(https://www.redblobgames.com/grids/hexagons/, "Doubled coordinates").
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal, NamedTuple

from pydantic import Field, field_validator

from planner.formats.ids import HEX_LABEL
from planner.formats.table import Table


class Coordinates(NamedTuple):
    """Where a hex lies.

    Attributes
    ----------
    sheet : str
        The map sheet's letters, possibly empty. Hexes of different sheets are not neighbours.
    line : int
        The number of the straight row or column of hexes.
    place : int
        The place along that line, in half hexes.
    """

    sheet: str
    line: int
    place: int


NEIGHBOUR_OFFSETS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
"""(line, place) offsets of the six neighbours, in order around the hex."""


def distance(a: Coordinates, b: Coordinates) -> int | None:
    """Return the number of hexsides between two hexes, or None if they lie on different sheets."""
    if a.sheet != b.sheet:
        return None
    lines, places = abs(a.line - b.line), abs(a.place - b.place)
    return lines + max(0, (places - lines) // 2)


_FIELD = r"\{(\w+)(?::0?(\d|A))?\}"


def _plain(pattern: str) -> str:
    """Return a pattern that `str.format` understands."""
    return pattern.replace(":A}", "}")


def _number(text: str) -> int:
    """Read a number, or letters that count A to Z, then AA, BB and so on."""
    if text.isdigit():
        return int(text)
    if len(set(text)) > 1:
        raise ValueError(f"letters of a hex label must be the same letter again, such as AA, not {text!r}")
    return 26 * (len(text) - 1) + ord(text[0]) - ord("A") + 1


def _letters(number: int) -> str:
    """Write a number with letters; what is no such number becomes a label that no map has."""
    return "-" if number < 1 else chr(ord("A") + (number - 1) % 26) * (1 + (number - 1) // 26)


class Numbering(Table):
    """How a game's map numbers its hexes.

    A label is optional letters (the map sheet) and two numbers. Straight rows mean hexes with a point on top,
    straight columns mean hexes with a flat top.
    """

    pattern: str = Field(
        default="{row:02}{column:02}",
        description="The label: {sheet}, {row:02} and {column:02} in the printed order; 02 = two digits at least. "
        "{row:A} or {column:A} counts A to Z, then AA, BB and so on",
        max_length=60,
    )
    straight: Literal["rows", "columns"] = Field(
        default="rows", description="Which of the two run straight: rows of hexes, or columns of hexes"
    )
    rows_count: Literal["north", "south"] = Field(
        default="south", description="The direction in which row numbers grow"
    )
    shifted: Literal["odd", "even"] = Field(
        default="odd", description="Which of the straight lines are shifted by half a hex"
    )
    shift: Literal["west", "east", "north", "south"] = Field(
        default="east", description="The direction in which those lines are shifted"
    )

    @field_validator("pattern")
    @classmethod
    def _names_row_and_column(cls, pattern: str) -> str:
        fields = re.findall(_FIELD, pattern)
        names = [name for name, _ in fields]
        if sorted(set(names) - {"sheet"}) != ["column", "row"] or len(names) != len(set(names)):
            raise ValueError("must name {row:…} and {column:…} once each, and {sheet} at most once")
        try:
            example = _plain(pattern).format(
                sheet="w", row="A" if "{row:A}" in pattern else 1, column="A" if "{column:A}" in pattern else 1
            )
        except (ValueError, KeyError, IndexError) as error:
            raise ValueError("must name {sheet}, {row:02} and {column:02}, in any order") from error
        if re.fullmatch(HEX_LABEL, example, re.ASCII) is None:
            raise ValueError("must make labels such as w5525, 5525 or 55.25: letters, digits, and at most one point")
        return pattern

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        def group(match: re.Match[str]) -> str:
            name, width = match.group(1), match.group(2) or "1"
            if width == "A":
                return rf"(?P<{name}>[A-Z]{{1,3}})"
            if match.group(2) is None and name != "sheet" and re.search(r":A\}|\.", self.pattern):
                return rf"(?P<{name}>0|[1-9]\d{{0,5}})"  # something else than digits stands on either side
            return rf"(?P<{name}>[A-Za-z]*)" if name == "sheet" else rf"(?P<{name}>\d{{{width}}})"

        # A point between row and column is a point, not any sign.
        return re.compile(re.sub(_FIELD, group, self.pattern.replace(".", r"\.")), re.ASCII)

    def _offset(self, line: int) -> int:
        """Return by how many half hexes a line is shifted."""
        if (line % 2 == 1) != (self.shifted == "odd"):
            return 0
        # East and the direction in which rows count are positive along a line.
        return 1 if self.shift == "east" or self.shift == self.rows_count else -1

    def _row_and_column(self, line: int, place: int) -> tuple[int, int]:
        along = (place - self._offset(line)) // 2
        return (line, along) if self.straight == "rows" else (along, line)

    def coordinates(self, label: str) -> Coordinates:
        """Return where a label lies.

        Raises
        ------
        ValueError
            If the label doesn't follow the pattern.
        """
        match = self._regex.fullmatch(label)
        if match is None:
            raise ValueError(f"hex label {label!r} must have the form {self.pattern}")
        row, column = _number(match["row"]), _number(match["column"])
        sheet = match["sheet"] if "sheet" in match.groupdict() else ""
        line, along = (row, column) if self.straight == "rows" else (column, row)
        return Coordinates(sheet, line, 2 * along + self._offset(line))

    def row_and_column(self, label: str) -> tuple[str, int, int]:
        """Return (sheet, row, column) as printed.

        Raises
        ------
        ValueError
            If the label doesn't follow the pattern.
        """
        sheet, line, place = self.coordinates(label)
        return (sheet, *self._row_and_column(line, place))

    def label(self, sheet: str, row: int, column: int) -> str:
        """Return the printed label of a hex."""
        lettered = {
            name: _letters(n) if f"{{{name}:A}}" in self.pattern else n
            for name, n in (("row", row), ("column", column))
        }
        return _plain(self.pattern).format(sheet=sheet, **lettered)

    def neighbours(self, label: str) -> list[str]:
        """Return the labels of the six neighbours, in order around the hex; some may be off the map."""
        sheet, line, place = self.coordinates(label)
        found = []
        for lines, places in NEIGHBOUR_OFFSETS:
            row, column = self._row_and_column(line + lines, place + places)
            if row >= 0 and column >= 0:
                found.append(self.label(sheet, row, column))
        return found

    def distance(self, a: str, b: str) -> int | None:
        """Return the number of hexsides between two hexes, or None on different sheets."""
        return distance(self.coordinates(a), self.coordinates(b))
