"""The geometry of Tiled's hexagonal maps: from cells to pixels and back.

Source: the Tiled documentation, *TMX Map Format* (``hexsidelength``, ``staggeraxis``, ``staggerindex``).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, hypot

Cell = tuple[int, int]
Point = tuple[float, float]


@dataclass(frozen=True)
class TiledGrid:
    """The grid of a hexagonal map.

    Attributes
    ----------
    width, height : int
        Of a tile, in pixels.
    side : int
        The length of the hexsides that are parallel to the stagger axis, in pixels.
    axis : str
        ``x`` where columns run straight and every other one is shifted down, ``y`` where rows do and are shifted right.
    even : bool
        Whether the lines with even numbers, counted from 0, are shifted; otherwise those with odd ones.
    """

    width: int
    height: int
    side: int
    axis: str
    even: bool

    def shifted(self, line: int) -> bool:
        """Tell whether a line, counted from 0, is shifted."""
        return (line % 2 == 0) == self.even

    def centre(self, cell: Cell) -> Point:
        """Return the centre of a cell, its column and row, in pixels."""
        column, row = cell
        if self.axis == "x":
            left, top = (
                column * (self.width + self.side) // 2,
                row * self.height + self.shifted(column) * self.height // 2,
            )
        else:
            left, top = column * self.width + self.shifted(row) * self.width // 2, row * (self.height + self.side) // 2
        return left + self.width / 2, top + self.height / 2

    def nearest(self, x: float, y: float) -> list[Cell]:
        """Return the cells around a point, the nearest first."""
        if self.axis == "x":
            column, row = floor(x / ((self.width + self.side) / 2)), floor(y / self.height)
        else:
            column, row = floor(x / self.width), floor(y / ((self.height + self.side) / 2))
        around = [(column + right, row + down) for right in range(-2, 3) for down in range(-2, 3)]
        return sorted(around, key=lambda cell: (hypot(self.centre(cell)[0] - x, self.centre(cell)[1] - y), cell))

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the six cells around one."""
        column, row = cell
        if self.axis == "x":
            above = row if self.shifted(column) else row - 1
            beside = [(column + step, above + down) for step in (-1, 1) for down in (0, 1)]
            return ((column, row - 1), (column, row + 1), *beside)
        left = column if self.shifted(row) else column - 1
        beside = [(left + right, row + step) for step in (-1, 1) for right in (0, 1)]
        return ((column - 1, row), (column + 1, row), *beside)
