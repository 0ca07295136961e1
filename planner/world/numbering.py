"""Printed hex labels to hex coordinates and back.

Coordinates are *doubled*: a hex is (sheet, line, place), where a line is one straight row (or column) of hexes and
places along it count in half hexes. So neighbours differ by (0, ±2) or (±1, ±1), whatever the map's orientation
(https://www.redblobgames.com/grids/hexagons/, "Doubled coordinates").
"""

import re
from functools import cached_property
from typing import Literal, NamedTuple, Self

from pydantic import Field, field_validator, model_validator

from planner.formats.hex_lists import Rows
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


NO_HEX = "_"
"""Stands for no hex in tables of labels, and in maps."""

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

    A label is optional letters (the map sheet) and two numbers, or stands in a table. Straight rows mean hexes with a
    point on top, straight columns mean hexes with a flat top.
    """

    pattern: str = Field(
        default="{row:02}{column:02}",
        description="The label: {sheet}, {row:02} and {column:02} in the printed order; 02 = two digits, {row} = as "
        "many as it needs, where it can be told where it ends. {row:A} or {column:A} counts A to Z, then AA, BB and so on",
        max_length=60,
    )
    straight: Literal["rows", "columns"] = Field(
        default="rows", description="Which of the two run straight: rows of hexes, or columns of hexes"
    )
    rows_count: Literal["north", "south"] = Field(
        default="south", description="The direction in which row numbers grow"
    )
    shifted: Literal["odd", "even", "each"] = Field(
        default="odd",
        description="Which of the straight lines are shifted by half a hex; each: every one against the one with the number "
        "before, so that one number runs along diagonals",
    )
    shift: Literal["west", "east", "north", "south"] = Field(
        default="east", description="The direction in which those lines are shifted"
    )
    labels: Rows = Field(
        default=(),
        description="A table of labels that follow no pattern: a line for each row from the top of the map down, with "
        "spaces between the labels, _ where there is no hex. The first row and the first column have the number 1",
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
            raise ValueError(
                "must make labels such as w5525, 5525 or 55.25: digits, letters before them, and at most one point"
            )
        return pattern

    @model_validator(mode="after")
    def _can_be_read_back(self) -> Self:
        if self.labels and self.rows_count == "north":
            raise ValueError("labels are listed from the top of the map down: rows_count must be south")
        every = [label for row in self.labels for label in row if label != NO_HEX]
        for label in every:
            if re.fullmatch(HEX_LABEL, label, re.ASCII) is None:
                raise ValueError(
                    "a label is digits, with letters before them and one point between them at most, such as w5525, 7 or "
                    f"55.25, not {label[:40]!r}: by the digits, plans tell hexes from units"
                )
        if len(set(every)) < len(every):
            twice = next(label for label in every if every.count(label) > 1)
            raise ValueError(f"labels must differ, but {twice} comes twice")
        return self

    @cached_property
    def _table(self) -> dict[str, tuple[int, int]]:
        """The row and column of each label that is listed."""
        return {
            label: (row, column)
            for row, labels in enumerate(self.labels, 1)
            for column, label in enumerate(labels, 1)
            if label != NO_HEX
        }

    @cached_property
    def _written(self) -> tuple[str, bool, bool]:
        """The pattern for `str.format`, and whether rows and columns are letters."""
        return _plain(self.pattern), "{row:A}" in self.pattern, "{column:A}" in self.pattern

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        numbers = [(name, width) for name, width in re.findall(_FIELD, self.pattern) if name != "sheet"]
        apart = re.search(r":A\}|\.", self.pattern) is not None  # something else than digits stands on either side
        fixed = any(width for _, width in numbers)

        def group(match: re.Match[str]) -> str:
            name, width = match.group(1), match.group(2)
            if name == "sheet":
                return rf"(?P<{name}>[A-Za-z]*)"
            if width == "A":
                return rf"(?P<{name}>[A-Z]{{1,16}})"
            if width is None:
                return rf"(?P<{name}>0|[1-9]\d{{0,5}})" if apart or fixed else rf"(?P<{name}>\d)"
            return rf"(?P<{name}>\d{{{width}}})"

        # A point between row and column is a point, not any sign.
        return re.compile(re.sub(_FIELD, group, self.pattern.replace(".", r"\.")), re.ASCII)

    def _offset(self, line: int) -> int:
        """Return by how many half hexes a line is shifted."""
        # East and the direction in which rows count are positive along a line.
        half = 1 if self.shift == "east" or self.shift == self.rows_count else -1
        if self.shifted == "each":
            return half * line
        return half if (line % 2 == 1) == (self.shifted == "odd") else 0

    def _row_and_column(self, line: int, place: int) -> tuple[int, int]:
        along = (place - self._offset(line)) // 2
        return (line, along) if self.straight == "rows" else (along, line)

    def coordinates(self, label: str) -> Coordinates:
        """Return where a label lies.

        Raises
        ------
        ValueError
            If the label doesn't follow the pattern, or isn't listed.
        """
        sheet = ""
        if self.labels:
            if label not in self._table:
                raise ValueError(f"hex label {label!r} must be one of those that the rulebook lists")
            row, column = self._table[label]
        else:
            match = self._regex.fullmatch(label)
            if match is None:
                raise ValueError(f"hex label {label!r} must have the form {self.pattern}")
            row, column = _number(match["row"]), _number(match["column"])
            sheet = match.groupdict().get("sheet", "")
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
        """Return the printed label of a hex; where there is none, something that is no label."""
        if self.labels:
            listed = 1 <= row <= len(self.labels) and 1 <= column <= len(self.labels[row - 1])
            return self.labels[row - 1][column - 1] if listed else NO_HEX
        plain, row_lettered, column_lettered = self._written
        return plain.format(
            sheet=sheet,
            row=_letters(row) if row_lettered else row,
            column=_letters(column) if column_lettered else column,
        )

    def ring(self, label: str) -> list[str]:
        """Return the labels of the six neighbours, in the order of `NEIGHBOUR_OFFSETS`; empty where none can have one."""
        sheet, line, place = self.coordinates(label)
        spots = (self._row_and_column(line + lines, place + places) for lines, places in NEIGHBOUR_OFFSETS)
        found = [self.label(sheet, row, column) if row >= 0 and column >= 0 else NO_HEX for row, column in spots]
        return ["" if other == NO_HEX else other for other in found]

    @property
    def directions(self) -> tuple[str, ...]:
        """In which direction each neighbour lies, in the order of `NEIGHBOUR_OFFSETS`."""
        down, up = ("S", "N") if self.rows_count == "south" else ("N", "S")
        if self.straight == "rows":  # along a line eastward, from line to line the way rows count
            return ("E", f"{down}E", f"{down}W", "W", f"{up}W", f"{up}E")
        return (down, f"{down}E", f"{up}E", up, f"{up}W", f"{down}W")

    def neighbours(self, label: str) -> list[str]:
        """Return the labels of the neighbours that can have one, in order around the hex; some may be off the map."""
        return [other for other in self.ring(label) if other]

    def distance(self, a: str, b: str) -> int | None:
        """Return the number of hexsides between two hexes, or None on different sheets."""
        return distance(self.coordinates(a), self.coordinates(b))
