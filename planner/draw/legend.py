"""The legend, made of what a map really shows, and how it and the panels are set beside the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from planner.draw.markup import Element, add, at, lines_of
from planner.draw.palette import INK

COLUMN = 236.0
"""The width of a column beside the map, in pixels."""

TEXT = 10.5
LINE = 13.5


@dataclass(frozen=True)
class Entry:
    """A line of the legend.

    Attributes
    ----------
    text : str
        What it says.
    draw : callable or None
        Draws the sign about the origin of the element that it gets, at most 32 by 22 pixels; None: a line of text alone.
    """

    text: str
    draw: Callable[[Element], None] | None = None

    @property
    def _indent(self) -> float:
        return 42.0 if self.draw is not None else 0.0

    @property
    def _lines(self) -> list[str]:
        return lines_of(self.text, TEXT, COLUMN - self._indent) or [""]

    @property
    def height(self) -> float:
        """How high it is, in pixels."""
        return max(len(self._lines) * LINE + 3, 25.0 if self.draw is not None else 0)

    def place(self, parent: Element, x: float, y: float) -> None:
        """Draw it with its upper left corner somewhere."""
        middle = y + self.height / 2
        if self.draw is not None:
            self.draw(add(parent, "g", transform=at(x + 18, middle)))
        lines = self._lines
        top = middle - (len(lines) - 1) * LINE / 2 + 3.6
        for index, line in enumerate(lines):
            add(parent, "text", line, x=x + self._indent, y=top + index * LINE, font_size=TEXT, fill=INK)


@dataclass(frozen=True)
class Heading:
    """A heading of the legend."""

    text: str
    height: float = 24.0

    def place(self, parent: Element, x: float, y: float) -> None:
        """Draw it with its upper left corner somewhere."""
        add(parent, "text", self.text, x=x, y=y + 17, font_size=12, font_weight="bold", fill=INK)


@dataclass(frozen=True)
class Block:
    """Something else of a given height that knows how to draw itself, such as a box beside the map."""

    height: float
    draw: Callable[[Element, float, float], None]

    def place(self, parent: Element, x: float, y: float) -> None:
        """Draw it with its upper left corner somewhere."""
        self.draw(parent, x, y)


Item = Entry | Heading | Block


def set_columns(parent: Element, items: Iterable[Item], x: float, room: float) -> tuple[float, float]:
    """Set items in columns, from the top, as many as the room in height asks for; no column ends with a heading.

    Returns
    -------
    (float, float)
        The right edge of the last column, and the lower edge of the longest.
    """
    items = list(items)
    room = max(room, *(item.height for item in items)) if items else room
    left, top, lowest = x, 0.0, 0.0
    for index, item in enumerate(items):
        follower = items[index + 1].height if isinstance(item, Heading) and index + 1 < len(items) else 0
        if top > 0 and top + item.height + follower > room:
            left, top = left + COLUMN + 20, 0.0
        item.place(parent, left, top)
        top += item.height
        lowest = max(lowest, top)
    return left + COLUMN, lowest
