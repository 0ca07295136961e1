"""A position as a map of Tiled (JSON)."""

from __future__ import annotations

from planner.errors import InputError, Problem
from planner.exchange.exporting import unit_entries
from planner.exchange.tiled_geometry import Cell, TiledGrid
from planner.printable import json_text
from planner.scenario import Scenario
from planner.world.position import Position

_SHORT, _LONG = 64, 72
"""Pixels from a hexside to the opposite one, and, near enough to a regular hexagon, from corner to corner."""

Node = dict[str, object]


def to_tiled(scenario: Scenario, position: Position) -> str:
    """Return a map of Tiled (JSON) with the terrain, what lies on hexsides, and the units of a position.

    Raises
    ------
    InputError
        If the numbers of the game's hexes run along diagonals, or the map has several sheets.
    """
    board = scenario.game.board
    grid, cells = _laid_out(scenario)
    across, down = (max(cell[index] for cell in cells.values()) + 1 for index in (0, 1))
    terrains = list(dict.fromkeys(one.terrain for one in board.hexes.values()))
    tiles = [0] * (across * down)
    for label, (x, y) in cells.items():
        tiles[x + y * across] = terrains.index(board.hexes[label].terrain) + 1
    tileset: Node = {
        **{"firstgid": 1, "name": "terrain", "tilecount": len(terrains), "columns": 0, "margin": 0, "spacing": 0},
        **{"tilewidth": grid.width, "tileheight": grid.height},
        "tiles": [{"id": index, "type": name} for index, name in enumerate(terrains)],
    }
    layers: list[Node] = [
        {"name": "terrain", "type": "tilelayer", "width": across, "height": down, "data": tiles},
        {"name": "hexsides", "type": "objectgroup", "draworder": "topdown", "objects": _lines(scenario, grid, cells)},
        {
            "name": "units",
            "type": "objectgroup",
            "draworder": "topdown",
            "objects": _units(scenario, position, grid, cells),
        },
    ]
    layers = [
        {"id": 1 + index, "x": 0, "y": 0, "opacity": 1, "visible": True, **one} for index, one in enumerate(layers)
    ]
    written: Node = {
        **{
            "type": "map",
            "version": "1.10",
            "orientation": "hexagonal",
            "renderorder": "right-down",
            "infinite": False,
        },
        **{"width": across, "height": down, "tilewidth": grid.width, "tileheight": grid.height},
        **{"hexsidelength": grid.side, "staggeraxis": grid.axis, "staggerindex": "even" if grid.even else "odd"},
        **{"nextlayerid": 4, "nextobjectid": 10_000_000, "tilesets": [tileset], "layers": layers},
    }
    return json_text(written)


def _laid_out(scenario: Scenario) -> tuple[TiledGrid, dict[str, Cell]]:
    """Return the grid, and the cell of each hex."""
    numbering = scenario.game.board.numbering
    spots = {label: numbering.row_and_column(label) for label in scenario.game.board.hexes}
    if numbering.shifted == "each" or len({sheet for sheet, *_ in spots.values()}) > 1:
        what = "a map for Tiled must be of one sheet, whose rows and columns run straight or zigzag"
        raise InputError([Problem(what, scenario.where)])
    straight = numbering.straight == "columns"
    left = min(column for *_, column in spots.values())
    rows, north = [row for _, row, _ in spots.values()], numbering.rows_count == "north"
    top = max(rows) if north else min(rows)
    cells = {label: (column - left, abs(row - top)) for label, (_, row, column) in spots.items()}
    even = _even_lines(numbering.shifted, numbering.shift, left if straight else top)
    width, height = (_LONG, _SHORT) if straight else (_SHORT, _LONG)
    return TiledGrid(width, height, _LONG // 2, "x" if straight else "y", even), cells


def _lines(scenario: Scenario, grid: TiledGrid, cells: dict[str, Cell]) -> list[Node]:
    """Return what lies on hexsides, a line along each."""
    board, lines = scenario.game.board, list[Node]()
    for label in board.hexes:
        for other in board.numbering.neighbours(label):
            if other in cells and label < other:
                edge = _edge(grid, cells[label], cells[other])
                lines += [_line(feature, edge, 1 + len(lines)) for feature in sorted(board.hexside(label, other))]
    return lines


def _units(scenario: Scenario, position: Position, grid: TiledGrid, cells: dict[str, Cell]) -> list[Node]:
    """Return the units on the map, a point in the middle of its hex for each."""
    units = list[Node]()
    for entry in unit_entries(scenario, position):
        if entry["hex"] in cells:
            x, y = grid.centre(cells[str(entry["hex"])])
            said = {key: " ".join(value) if isinstance(value, list) else str(value) for key, value in entry.items()}
            properties = [{"name": key, "type": "string", "value": value} for key, value in said.items() if value]
            shape: Node = {"x": x, "y": y, "point": True, "width": 0, "height": 0, "rotation": 0, "visible": True}
            number = 5_000_000 + len(units)
            units.append({"id": number, "name": said["name"], "type": said["type"], **shape, "properties": properties})
    return units


def _even_lines(shifted: str, shift: str, first: int) -> bool:
    """Tell whether Tiled's lines with even numbers, counted from 0, are those that lie further south or east."""
    odd = (shifted == "odd") == (shift in ("south", "east"))
    return odd == (first % 2 == 1)


def _edge(grid: TiledGrid, one: tuple[int, int], other: tuple[int, int]) -> list[tuple[float, float]]:
    """Return the ends of the hexside between two neighbours: it stands upright on the line between their centres."""
    (ax, ay), (bx, by) = grid.centre(one), grid.centre(other)
    half = grid.side / 2 / ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    middle = (ax + bx) / 2, (ay + by) / 2
    return [(middle[0] + sign * half * (ay - by), middle[1] + sign * half * (bx - ax)) for sign in (-1, 1)]


def _line(feature: str, ends: list[tuple[float, float]], number: int) -> Node:
    (x, y), end = ends
    points = [{"x": 0, "y": 0}, {"x": end[0] - x, "y": end[1] - y}]
    return {
        "id": number, "name": "", "type": feature, "x": x, "y": y, "width": 0, "height": 0, "rotation": 0,
        "visible": True, "polyline": points,
    }  # fmt: skip
