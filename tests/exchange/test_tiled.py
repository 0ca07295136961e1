"""Tiled's hexagonal maps become scenarios, in whichever way they are written."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import zlib
from itertools import product
from math import hypot
from pathlib import Path

import pytest
import zstandard

from planner.errors import InputError
from planner.exchange.tiled_file import load_map
from planner.exchange.tiled_geometry import TiledGrid
from planner.scenario import load_scenario
from tests.command import run

WIDTH, HEIGHT = 4, 3
GROUND = [1, 1, 2, 1, 1, 3, 1, 1, 0, 1, 1, 1]
GRID = TiledGrid(36, 32, 16, "x", False)
TILES = [
    {"id": 0, "type": "clear"},
    {"id": 1, "properties": [{"name": "terrain", "type": "string", "value": "forest"}]},
]


def packed(numbers: list[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


def layer(numbers: list[int], **more: object) -> dict[str, object]:
    return {
        "type": "tilelayer",
        "name": "ground",
        "width": WIDTH,
        "height": HEIGHT,
        "x": 0,
        "y": 0,
        "data": numbers,
        **more,
    }


def tiled(*layers: dict[str, object], **more: object) -> dict[str, object]:
    tileset = {"firstgid": 1, "name": "land", "tilecount": 4, "tiles": TILES}
    grid = {"tilewidth": 36, "tileheight": 32, "hexsidelength": 16, "staggeraxis": "x", "staggerindex": "odd"}
    size = {"width": WIDTH, "height": HEIGHT}
    return {
        "type": "map",
        "orientation": "hexagonal",
        **size,
        **grid,
        "tilesets": [tileset],
        "layers": [*layers],
        **more,
    }


def words(path: Path) -> list[str]:
    """Return the words of the tiles, row by row; - for none."""
    found = load_map(path)
    [(_, tiles)] = found.layers
    return [found.tiles[tiles[x, y]][0] if (x, y) in tiles else "-" for y in range(HEIGHT) for x in range(WIDTH)]


def write(path: Path, data: object) -> Path:
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


WORDS = ["clear", "clear", "forest", "clear", "clear", "land#2", "clear", "clear", "-", "clear", "clear", "clear"]
BYTES = packed([GROUND[0] | 0x80000000, *GROUND[1:]])
ENCODED = {
    "": BYTES,
    "zlib": zlib.compress(BYTES),
    "gzip": gzip.compress(BYTES),
    "zstd": zstandard.ZstdCompressor().compress(BYTES),
}


@pytest.mark.parametrize("compression", ENCODED)
def test_layers_are_unpacked_and_turned_tiles_are_the_same_tiles(tmp_path: Path, compression: str) -> None:
    data = base64.b64encode(ENCODED[compression]).decode()
    path = write(tmp_path / "m.tmj", tiled(layer([], data=data, encoding="base64", compression=compression)))
    assert words(path) == WORDS


CHUNKS = [
    {"x": 0, "y": 0, "width": 2, "height": 3, "data": [1, 1, 1, 3, 0, 1]},
    {"x": 2, "y": 0, "width": 2, "height": 3, "data": [2, 1, 1, 1, 1, 1]},
]


def test_infinite_maps_are_read_chunk_by_chunk(tmp_path: Path) -> None:
    given = layer([], chunks=CHUNKS)
    del given["data"]
    assert words(write(tmp_path / "m.tmj", tiled(given, infinite=True))) == WORDS


TSX = '<tileset name="land" tilecount="4"><tile id="0" type="clear"/><tile id="1" class="x">\
<properties><property name="terrain" value="forest"/></properties></tile></tileset>'
TSJ = {"name": "land", "tilecount": 4, "tiles": TILES}
HEAD = '<map orientation="hexagonal" width="4" height="3" tilewidth="36" tileheight="32" hexsidelength="16"\
 staggeraxis="x" staggerindex="odd">'
XML_DATA = {
    "csv": f'<data encoding="csv">{",".join(map(str, GROUND))}</data>',
    "base64": f'<data encoding="base64" compression="zlib">\n {base64.b64encode(ENCODED["zlib"]).decode()}\n</data>',
    "tiles": "<data>" + "".join(f"<tile gid='{one}'/>" for one in GROUND) + "</data>",
    "chunks": '<data encoding="csv"><chunk x="0" y="0" width="2" height="3">1,1,\n1,3,\n0,1</chunk>'
    '<chunk x="2" y="0" width="2" height="3">2,1,1,1,1,1</chunk></data>',
}


@pytest.mark.parametrize(("how", "external"), [*product(XML_DATA, [TSX, json.dumps(TSJ)])])
def test_xml_and_external_tilesets_say_the_same(tmp_path: Path, how: str, external: str) -> None:
    name = "land.tsx" if external.startswith("<") else "land.tsj"
    write(tmp_path / name, external)
    text = f'{HEAD}<tileset firstgid="1" source="{name}"/><layer name="a" width="4" height="3">{XML_DATA[how]}</layer></map>'
    assert words(write(tmp_path / "m.tmx", text)) == WORDS


@pytest.mark.parametrize(("axis", "even"), [*product("xy", [False, True])])
def test_the_six_nearest_hexes_are_the_neighbours(axis: str, even: bool) -> None:
    grid = TiledGrid(36, 32, 16, "x", even) if axis == "x" else TiledGrid(32, 36, 16, "y", even)
    for cell in product(range(4), range(4)):
        x, y = grid.centre(cell)
        assert grid.nearest(x + 3, y - 3)[0] == cell
        assert set(grid.nearest(x, y)[1:7]) == set(grid.neighbours(cell))
        assert all(hypot(grid.centre(one)[0] - x, grid.centre(one)[1] - y) < 33 for one in grid.neighbours(cell))


def corner(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> tuple[float, float]:
    """Return where three hexes meet."""
    spots = [GRID.centre(cell) for cell in (a, b, c)]
    return sum(x for x, _ in spots) / 3, sum(y for _, y in spots) / 3


def line(sort: str, *points: tuple[float, float]) -> dict[str, object]:
    x, y = points[0]
    return {
        "id": 9,
        "name": "",
        "class": sort,
        "x": x,
        "y": y,
        "polyline": [{"x": a - x, "y": b - y} for a, b in points],
    }


MAPPING = """
format = "planner/mapping-1"
model = "crossroads"
phase = "movement"
phasing = "blue"
[terrain]
forest = "woods"
"land#*" = ""
[hexsides]
stream = "river"
"""


def test_a_map_becomes_a_scenario_with_units_roads_and_rivers(tmp_path: Path) -> None:
    x, y = GRID.centre((1, 1))
    guards = {"id": 1, "name": "Guards", "gid": 4, "x": x - 18, "y": y + 16, "width": 36, "height": 32}
    guards["properties"] = [{"name": name, "value": value} for name, value in (("side", "Red"), ("values", "4-4-4"))]
    lost = {
        "id": 2,
        "name": "Lost",
        "class": "infantry",
        "x": 900.0,
        "y": 900.0,
        "point": True,
        "properties": guards["properties"],
    }
    river = line(
        "stream", corner((0, 0), (1, 0), (0, 1)), corner((0, 1), (1, 0), (1, 1)), corner((1, 1), (1, 0), (2, 1))
    )
    road = line("road", GRID.centre((0, 0)), GRID.centre((2, 1)), GRID.centre((3, 1)))
    lines = {"type": "objectgroup", "name": "lines", "objects": [river, road]}
    units = {"type": "objectgroup", "name": "units", "objects": [guards, lost]}
    land = tiled(layer(GROUND), {"type": "group", "name": "g", "layers": [lines, units]})
    land["tilesets"][0]["tiles"] = [*TILES, {"id": 3, "properties": [{"name": "type", "value": "Infantry"}]}]
    write(tmp_path / "m.tmj", land)
    write(tmp_path / "map.toml", MAPPING)
    done = run("import", "m.tmj", "--mapping", "map.toml", "-o", "s.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == [
        "hexes without terrain, which are left out: 0202",
        "'Guards' (layer units, 44,64): hex 0202 is not on the map",
        "'Lost' (layer units, 900,900): no rule of the mapping fits it",
    ]
    write(tmp_path / "map.toml", MAPPING.replace('"land#*" = ""', '"land#*" = "hills"'))
    done = run("import", "m.tmj", "--mapping", "map.toml", "-o", "s.toml", cwd=tmp_path)
    scenario = load_scenario(tmp_path / "s.toml")
    board = scenario.game.board
    # Cell 1,0 is hex 0201; the columns with even numbers are shifted down, as the game has them.
    assert {label: one.terrain for label, one in board.hexes.items() if one.terrain != "clear"} == {
        "0301": "woods",
        "0202": "hills",
    }
    assert "0103" not in board.hexes
    assert scenario.start.at == {"guards": "0202"}
    assert scenario.game.units["guards"].side == "red"
    pairs = [(a, b) for a in board.hexes for b in board.numbering.neighbours(a) if b in board.hexes and a < b]
    assert {(a, b) for a, b in pairs if "river" in board.hexside(a, b)} == {("0102", "0201"), ("0201", "0202")}
    assert {(a, b) for a, b in pairs if "road" in board.hexside(a, b)} == {
        ("0101", "0201"),
        ("0201", "0302"),
        ("0302", "0402"),
    }


def test_a_map_that_is_staggered_otherwise_is_refused_until_the_mapping_says_where_numbers_begin(
    tmp_path: Path,
) -> None:
    write(tmp_path / "m.tmj", tiled(layer([1] * 12), staggerindex="even"))
    write(tmp_path / "map.toml", MAPPING)
    done = run("import", "m.tmj", "--mapping", "map.toml", "-o", "s.toml", cwd=tmp_path)
    assert (done.returncode, "as the game numbers them" in done.stderr) == (2, True)
    write(tmp_path / "map.toml", MAPPING + "[board]\nfirst_column = 0\n")
    assert run("import", "m.tmj", "--mapping", "map.toml", "-o", "s.toml", cwd=tmp_path).returncode == 0


BOMB = base64.b64encode(zlib.compress(b"\1\0\0\0" * 10_000_000)).decode()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (tiled(layer(GROUND), orientation="isometric"), "must be hexagonal"),
        (tiled(layer(GROUND[:5])), "must have 12 tiles, not 5"),
        (tiled(layer([], data=BOMB, encoding="base64", compression="zlib")), "unpacks to more tiles than it has"),
        (tiled(layer([], data="%%", encoding="base64")), "can't be read"),
        (tiled(layer([], data="AAAA", encoding="base64", compression="zlib")), "can't be read"),
        (tiled(layer([], data="AAAA", encoding="base64", compression="zstd")), "can't be read"),
        (tiled(layer([], data="AAAA", encoding="base64", compression="lzma")), "compression must be zlib, gzip or zstd"),
        (tiled(layer(GROUND, width=400_000)), "at most 200,000 tiles"),
        (tiled(layer(GROUND, width=10**9)), "width must be a whole number"),
        (tiled(layer(["x"] * 12)), "the number of a tile must be whole"),
        (tiled(layer(GROUND), tilewidth="1e9"), "tilewidth must be a whole number"),
        (tiled(layer(GROUND), staggeraxis="z"), "staggeraxis x or y"),
        (tiled(layer(GROUND), tilesets=[{"firstgid": 1, "source": "../../etc/land.tsx"}]), "beside the map or below it"),
        (tiled(layer(GROUND), tilesets=[{"firstgid": 1, "source": "/etc/land.tsx"}]), "beside the map or below it"),
        (tiled(layer(GROUND), tilesets=[{"firstgid": 1, "source": "none.tsx"}]), "no such file"),
        (tiled(layer(GROUND), layers=3), "layers must be a list of objects"),
        (tiled({"type": "objectgroup", "objects": [{"x": "far", "gid": -1}]}), "x must be a number of pixels"),
        ([], "must be a map of Tiled"),
        ("<tileset/>", "must be a map of Tiled, not <tileset>"),
        ('<!DOCTYPE a [<!ENTITY b "ha">]><map>&b;</map>', "no document type and no entities"),
    ],
)  # fmt: skip
def test_maps_without_sense_are_refused(tmp_path: Path, data: object, says: str) -> None:
    with pytest.raises(InputError, match=says):
        load_map(write(tmp_path / "m.tmj", data))
