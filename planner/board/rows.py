"""The rows of a map as text: which sign stands for which hex, and how one is changed while all else stays as it is."""

from __future__ import annotations

import re

from planner.formats.ids import HEX_LABEL
from planner.world.numbering import NO_HEX, Numbering

_LABELLED = re.compile(rf"\s*({HEX_LABEL})\s*:(?=\s)", re.ASCII)


class MapRows:
    """The rows of a map.

    Parameters
    ----------
    rows : str or list of str
        As the file has them.
    origin : str or None
        The label of the first cell, where no row says its own.
    numbering : Numbering
        Of the game.
    """

    def __init__(self, rows: str | list[str], origin: str | None, numbering: Numbering) -> None:
        self._listed = not isinstance(rows, str)
        text = "\n".join(rows) if not isinstance(rows, str) else rows
        self._signs = list(text)
        self._places: dict[str, int] = {}
        sheet, number, left = ("", 0, 0) if origin is None else numbering.row_and_column(origin)
        down = -1 if numbering.rows_count == "north" else 1
        at = len(text) - len(text.lstrip("\n"))
        for row in text.strip("\n").split("\n"):
            own = _LABELLED.match(row)
            if own is not None:
                sheet, number, left = numbering.row_and_column(own[1])
            column = left
            for offset in range(0 if own is None else own.end(), len(row)):
                if not row[offset].isspace():
                    if row[offset] != NO_HEX:
                        self._places[numbering.label(sheet, number, column)] = at + offset
                    column += 1
            at += len(row) + 1
            number += down

    def __contains__(self, label: str) -> bool:
        return label in self._places

    def put(self, label: str, sign: str) -> None:
        """Give a hex of the rows another sign; `_` takes it off the map."""
        self._signs[self._places[label]] = sign

    @property
    def written(self) -> str | list[str]:
        """The rows as the file is to have them."""
        text = "".join(self._signs)
        return text.split("\n") if self._listed else text
