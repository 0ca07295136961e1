"""What the layers of a map have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.draw.sheet import Sheet


class Layer:
    """A part of a map that draws itself.

    Parameters
    ----------
    sheet : Sheet
        The map.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.game, self.board = sheet.game, sheet.board
        self.forces, self.layout = sheet.forces, sheet.layout
        self.frames, self.prefix = sheet.frames, sheet.prefix
