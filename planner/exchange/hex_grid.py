"""VASSAL's hex grids: from pixels to the number of a hex, and back, to the pixel as VASSAL has it.

Source: the HexGrid and HexGridNumbering of VASSAL 3.7, whose roundings are kept. In a grid that lies *sideways* x and
y change places: its straight lines are rows, otherwise columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import floor

Pixel = tuple[int, int]

MOST_CELLS = 200_000
"""So many hexes of one grid are listed at most."""


def _round(value: float) -> int:
    return floor(value + 0.5)


@dataclass(frozen=True)
class GridNumbers:
    """How a grid numbers its hexes.

    Attributes
    ----------
    first : str
        ``H`` where the column comes first, ``V`` where the row does.
    separator : str
        What stands between the two.
    types, leading, offsets, descending : pairs
        Of columns and of rows, in which VASSAL calls straight lines columns even where they lie sideways (only
        `descending` goes by what one sees: from right to left, and from below): ``N`` for numbers or ``A`` for
        letters, how many noughts more than one digit are written at most, the number of the first one, and whether
        they are counted from the other end.
    stagger : bool
        Whether the shifted lines begin one number later.
    form : str
        The label, with ``$gridLocation$``, ``$row$`` and ``$column$``.
    """

    first: str = "H"
    separator: str = ""
    types: tuple[str, str] = ("N", "N")
    leading: tuple[int, int] = (1, 1)
    offsets: tuple[int, int] = (1, 1)
    descending: tuple[bool, bool] = (False, False)
    stagger: bool = True
    form: str = "$gridLocation$"

    def label(self, column: int, row: int) -> str:
        """Return the label of a hex, whose column and row are counted from 0."""
        names = [
            _name(number + offset, sort, leading)
            for number, offset, sort, leading in zip((column, row), self.offsets, self.types, self.leading, strict=True)
        ]
        location = self.separator.join(names if self.first == "H" else names[::-1])
        said = {"gridLocation": location, "column": names[0], "row": names[1]}
        return re.sub(r"\$(\w+)\$", lambda found: said.get(found[1], ""), self.form)


def _name(number: int, sort: str, leading: int) -> str:
    sign, number = "-" * (number < 0), abs(number)
    if sort == "A":
        return sign + chr(ord("A") + number % 26) * (1 + number // 26)
    return f"{sign}{number:0{min(leading, 12) + 1}}"


@dataclass(frozen=True)
class HexGrid:
    """A hex grid of VASSAL.

    Attributes
    ----------
    dx, dy : float
        The distance from one straight line to the next, and from one hex to the next along it; in pixels.
    origin : pair of int
        The centre of the first hex, x and y; of a sideways grid they have changed places.
    sideways : bool
        Whether rows run straight.
    numbers : GridNumbers
        How its hexes are called.
    """

    dx: float
    dy: float
    origin: Pixel = (0, 32)
    sideways: bool = False
    numbers: GridNumbers = field(default_factory=GridNumbers)

    def cell(self, x: int, y: int) -> tuple[int, int]:
        """Return line and place along it of the hex in which a pixel lies, as VASSAL finds it."""
        if self.sideways:
            x, y = y, x
        x, y = x - self.origin[0], y - self.origin[1]
        line = floor(x / self.dx + 0.5)
        return line, _round((y - self.dy / 2 * (line % 2)) / self.dy)

    def centre(self, line: int, place: int) -> Pixel:
        """Return the pixel to which pieces snap in a hex."""
        x = int(self.dx * line + self.origin[0])
        y = int(self.dy * place + (int(self.dy / 2) if line % 2 else 0) + self.origin[1])
        return (y, x) if self.sideways else (x, y)

    def label(self, line: int, place: int, size: Pixel | None) -> str:
        """Return what a hex is called.

        Parameters
        ----------
        line, place : int
            The hex.
        size : pair of int or None
            Width and height of the board or zone, in pixels, by which numbers are counted that run the other way;
            None: unknown.

        Raises
        ------
        ValueError
            If the size would be needed and isn't known.
        """
        across, along = self.numbers.descending[:: -1 if self.sideways else 1]
        column, row = line, place
        if across or along:
            if size is None:
                raise ValueError("the size of the board must be known: its hex numbers run backwards")
            width, height = size
            # VASSAL divides heights by the distance of lines and widths by that of hexes, whichever way the grid lies.
            lines, places = _round(height / self.dx), _round(width / self.dy)
            if not self.sideways:
                lines, places = places, lines
            column = lines - line if across else line
            row = places - place if along else place
        if self.numbers.stagger and line % 2:
            row += -1 if along else 1
        return self.numbers.label(column, row)

    def cells(self, corner: Pixel, size: Pixel) -> Iterator[tuple[int, int]]:
        """Yield the hexes whose centres lie in a rectangle.

        Parameters
        ----------
        corner, size : pairs of int
            Its upper left corner, width and height, in pixels.

        Raises
        ------
        ValueError
            If there are more than `MOST_CELLS`.
        """
        left, top, width, height = *corner, *size
        if self.sideways:
            left, top, width, height = top, left, height, width
        if (width / self.dx + 3) * (height / self.dy + 3) > MOST_CELLS:
            raise ValueError(f"a board must have at most {MOST_CELLS:,} hexes")
        first = floor((left - self.origin[0]) / self.dx) - 1
        for line in range(first, floor((left + width - self.origin[0]) / self.dx) + 2):
            above = floor((top - self.origin[1]) / self.dy) - 1
            for place in range(above, floor((top + height - self.origin[1]) / self.dy) + 2):
                x, y = self.centre(line, place)
                if self.sideways:
                    x, y = y, x
                if left <= x < left + width and top <= y < top + height:
                    yield line, place


def neighbours(line: int, place: int) -> tuple[tuple[int, int], ...]:
    """Return the six hexes around one, in a grid whose odd lines are shifted forward by half a hex."""
    near = place if line % 2 else place - 1
    return (
        (line, place - 1),
        (line, place + 1),
        (line - 1, near),
        (line - 1, near + 1),
        (line + 1, near),
        (line + 1, near + 1),
    )
