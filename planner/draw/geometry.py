"""Where hexes lie on the paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin, sqrt
from typing import NamedTuple

from planner.world.board import Board
from planner.world.numbering import Coordinates

RADIUS = 36.0
"""From the centre of a hex to its corners, in pixels."""

APOTHEM = RADIUS * sqrt(3) / 2
"""From the centre to the middle of a hexside."""

WIDEST_GAP = 6
"""Empty rows or columns side by side beyond which the paper is torn, in hexes; a tear keeps two."""


class Point(NamedTuple):
    """A place on the paper, in pixels; y grows downward."""

    x: float
    y: float

    def plus(self, by: tuple[float, float]) -> Point:
        """Return the point that lies so far away."""
        return Point(self.x + by[0], self.y + by[1])


def between(a: Point, b: Point, share: float = 0.5) -> Point:
    """Return the point at a share of the way from a to b."""
    return Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)


def distance(a: Point, b: Point) -> float:
    """Return how far two points are from each other."""
    return sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2)


class Layout:
    """Where each hex lies.

    Map sheets stand side by side. Where rows or columns without any hex make a wide gap, the paper is torn.

    Parameters
    ----------
    board : Board
        The map.
    sheets : sequence of str
        Sheets from west to east; others follow in the order of their letters.

    Attributes
    ----------
    pointy : bool
        Whether hexes have a point on top: rows run straight then.
    centres : dict from labels to Point
        The centre of every hex.
    corners : tuple of Point
        The corners of a hex, from its centre.
    width, height : float
        Of the whole map.
    tears : list of (Point, Point)
        Where paper is left out.
    """

    def __init__(self, board: Board, sheets: Sequence[str] = ()) -> None:
        numbering = board.numbering
        self.pointy = numbering.straight == "rows"
        self._down = 1 if numbering.rows_count == "south" else -1
        start = -pi / 2 if self.pointy else 0.0
        self.corners = tuple(
            Point(RADIUS * cos(start + i * pi / 3), RADIUS * sin(start + i * pi / 3)) for i in range(6)
        )
        self.half = (APOTHEM, RADIUS) if self.pointy else (RADIUS, APOTHEM)
        self.centres: dict[str, Point] = {}
        self.tears: list[tuple[Point, Point]] = []
        by_sheet: dict[str, dict[str, Coordinates]] = {}
        for label, where in board.coordinates.items():
            by_sheet.setdefault(where.sheet, {})[label] = where
        order = sorted(by_sheet, key=lambda sheet: (sheets.index(sheet) if sheet in sheets else len(sheets), sheet))
        right = 0.0
        for sheet in order:
            right = self._lay(by_sheet[sheet], right + (2 * RADIUS if right else 0.0))
        self.width = right
        self.height = max((centre.y for centre in self.centres.values()), default=0.0) + self.half[1]

    def _lay(self, hexes: dict[str, Coordinates], left: float) -> float:
        """Lay one sheet, and return its right edge."""
        lines, line_tears = _closed_up({where.line for where in hexes.values()}, 1)
        places, place_tears = _closed_up({where.place for where in hexes.values()}, 2)
        raw = {label: self._point(lines[w.line], places[w.place]) for label, w in hexes.items()}
        low_x = min(point.x for point in raw.values()) - self.half[0]
        low_y = min(point.y for point in raw.values()) - self.half[1]
        moved = {label: Point(p.x - low_x + left, p.y - low_y) for label, p in raw.items()}
        self.centres.update(moved)
        right = max(point.x for point in moved.values()) + self.half[0]
        bottom = max(point.y for point in moved.values()) + self.half[1]
        for tears, along_line in ((line_tears, True), (place_tears, False)):
            for value in tears:
                point = self._point(value, 0) if along_line else self._point(0, value)
                if along_line == self.pointy:
                    y = point.y - low_y
                    self.tears.append((Point(left, y), Point(right, y)))
                else:
                    x = point.x - low_x + left
                    self.tears.append((Point(x, 0), Point(x, bottom)))
        return right

    def _point(self, line: float, place: float) -> Point:
        across, along = 1.5 * RADIUS * line, APOTHEM * place
        return Point(along, self._down * across) if self.pointy else Point(across, self._down * along)

    def hexside(self, a: str, b: str) -> tuple[Point, Point]:
        """Return the ends of the hexside between two neighbours."""
        one, other = self.centres[a], self.centres[b]
        middle = between(one, other)
        length = distance(one, other) or 1.0
        along = Point(-(other.y - one.y) / length * RADIUS / 2, (other.x - one.x) / length * RADIUS / 2)
        return Point(middle.x - along.x, middle.y - along.y), Point(middle.x + along.x, middle.y + along.y)


def _closed_up(values: Iterable[int], unit: int) -> tuple[dict[int, int], list[float]]:
    """Close wide gaps between numbers, by even amounts, and tell in whose middle each gap now lies."""
    found: dict[int, int] = {}
    tears: list[float] = []
    left_out, before = 0, None
    for value in sorted(values):
        if before is not None and value - before > (WIDEST_GAP + 1) * unit:
            last = before - left_out
            left_out += (value - before - 3 * unit) // 2 * 2
            tears.append((last + value - left_out) / 2)
        found[value] = value - left_out
        before = value
    return found, tears
