"""A map of Tiled as hexes, units and hexsides."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, hypot
from pathlib import Path

from planner.exchange.found import Found, FoundPiece
from planner.exchange.mapping import BoardEntry
from planner.exchange.patterns import fill
from planner.exchange.tiled_file import TiledMap, TiledObject, load_map
from planner.exchange.tiled_geometry import Cell, TiledGrid
from planner.rules.rulebook import Rulebook

_AS_NEAR = 0.15
"""A point lies on a hexside if its two nearest hexes are as near to it, up to this part of the size of a hex."""
_MOST_STEPS = 2_000
"""So many hexes are looked for along one part of a line."""


def read_tiled(path: Path, entry: BoardEntry, rulebook: Rulebook | None) -> Found:
    """Read a map.

    Parameters
    ----------
    path : Path
        The file, ``.tmj`` or ``.tmx``.
    entry : BoardEntry
        With which numbers columns and rows begin.
    rulebook : Rulebook or None
        The game, by whose numbering hexes are called; None: by column and row, two digits each.

    Raises
    ------
    InputError
        If it can't be read.
    """
    read = load_map(path)
    cells: dict[Cell, list[str]] = {}
    strange: set[int] = set()
    for _, tiles in read.layers:
        for cell, tile in tiles.items():
            if tile not in read.tiles:
                strange.add(tile)
                continue
            cells.setdefault(cell, []).append(read.tiles[tile][0])
    found = Found(notes=[f"{len(cells)} hexes in {len(read.layers)} layers of {path.name}"])
    found.remarks += [f"tile {tile} of {path.name} is in no tileset" for tile in sorted(strange)[:100]]
    lowest = max((row for _, row in cells), default=0)

    def label(cell: Cell) -> str:
        column, row = cell[0] + entry.first_column, cell[1] + entry.first_row
        if rulebook is None:
            plain = f"{column:02}{row:02}"
        else:
            if rulebook.numbering.rows_count == "north":
                row = lowest - cell[1] + entry.first_row
            plain = rulebook.numbering.label(entry.sheet, row, column)
        return fill(entry.label, {"label": plain})

    for cell, words in cells.items():
        found.hexes[label(cell)] = words
        found.near[label(cell)] = {label(other) for other in read.grid.neighbours(cell) if other in cells}
    for one in read.objects:
        if one.line:
            sides = [(a, b) for a, b in _along(one, read.grid) if a in cells and b in cells]
            found.hexsides += [(one.sort or one.name, label(a), label(b)) for a, b in sides]
            if not sides:
                found.remarks.append(f"line {one.name or one.key!r} of layer {one.layer!r}: it follows no hexsides")
        else:
            found.pieces.append(_piece(one, read, cells, label(read.grid.nearest(one.x, one.y)[0])))
    return found


def _piece(one: TiledObject, read: TiledMap, cells: dict[Cell, list[str]], label: str) -> FoundPiece:
    word, properties = read.tiles.get(one.tile, ("", {}))
    inside = read.grid.nearest(one.x, one.y)[0] in cells
    said = {**properties, "tile": word, "class": one.sort, **one.properties}
    where = f"layer {one.layer}, {one.x:g},{one.y:g}"
    return FoundPiece(one.key, one.name or one.sort or word, label if inside else "", one.layer, where, word, said)


def _along(one: TiledObject, grid: TiledGrid) -> list[tuple[Cell, Cell]]:
    """Return the pairs of hexes that a line means: to both sides of it along hexsides, or those it joins."""
    found: list[tuple[Cell, Cell]] = []
    size = min(grid.width, grid.height)
    for (ax, ay), (bx, by) in pairwise(one.line):
        middle = (ax + bx) / 2, (ay + by) / 2
        first, second = grid.nearest(*middle)[:2]
        far = [hypot(grid.centre(cell)[0] - middle[0], grid.centre(cell)[1] - middle[1]) for cell in (first, second)]
        from_hex = grid.nearest(ax, ay)[0]
        at_centre = hypot(grid.centre(from_hex)[0] - ax, grid.centre(from_hex)[1] - ay) < size / 4
        if not at_centre and far[1] - far[0] < _AS_NEAR * size and hypot(bx - ax, by - ay) < size:
            found.append((first, second))
            continue
        steps = min(ceil(hypot(bx - ax, by - ay) / (size / 8)) + 1, _MOST_STEPS)
        spots = [
            grid.nearest(ax + (bx - ax) * part / steps, ay + (by - ay) * part / steps)[0] for part in range(steps + 1)
        ]
        found += [(a, b) for a, b in pairwise(spots) if a != b and b in grid.neighbours(a)]
    return list(dict.fromkeys(found))
