"""Tiled maps as they are written, in JSON (``.tmj``) and in XML (``.tmx``): layers of tiles, objects, tilesets.

Written here, not taken from a library: pytiled-parser, the one that is kept, has no geometry of hexes, reads XML with its
entities, unpacks layers of any size, and opens whatever file a map names.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, cast

from planner.errors import InputError, Problem
from planner.exchange.tiled_geometry import TiledGrid
from planner.exchange.xml import parse_xml
from planner.formats.files import parse_json, read_text

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_TILES = 200_000
"""Of all layers together."""
FARTHEST = 100_000
"""Tiles and pixels: no map has so many in a row."""
_FLIPS = 0x0FFFFFFF
"""The bits of a tile's number that don't say how it is turned."""

Node = dict[str, object]
"""An object of the JSON format; XML is read into the same form."""


@dataclass
class TiledObject:
    """An object of a layer: a unit, or a line along hexsides.

    Attributes
    ----------
    key : str
        Its number in the file.
    name, sort : str
        Its name, and its class.
    layer : str
        The layer.
    x, y : float
        Its middle, in pixels.
    tile : int
        The global number of its tile; 0 if it has none.
    line : list of (float, float)
        The points of a line, in pixels; empty if it is none.
    properties : dict from str to str
        Its own properties.
    """

    key: str
    name: str
    sort: str
    layer: str
    x: float
    y: float
    tile: int
    line: list[tuple[float, float]]
    properties: dict[str, str]


@dataclass
class TiledMap:
    """A map.

    Attributes
    ----------
    grid : TiledGrid
        Its geometry.
    layers : list of (str, dict from cells to int)
        The layers of tiles from below: name, and the global number of the tile of each cell that has one.
    objects : list of TiledObject
        The objects of all layers.
    tiles : dict from int to (str, dict)
        By the global number of a tile: the word for it, and its properties.
    """

    grid: TiledGrid
    layers: list[tuple[str, dict[tuple[int, int], int]]] = field(default_factory=list)
    objects: list[TiledObject] = field(default_factory=list)
    tiles: dict[int, tuple[str, dict[str, str]]] = field(default_factory=dict)


def load_map(path: Path) -> TiledMap:
    """Read a map.

    Raises
    ------
    InputError
        If it can't be read, isn't hexagonal, or is too large; with every problem at once.
    """
    reader = _Reader(path)
    found = reader.map(_root(path, "map"))
    if reader.problems:
        raise InputError(dict.fromkeys(reader.problems))
    return found


def _root(path: Path, tag: str) -> Node:
    """Return the outermost object of a file, in whichever of the two formats it is."""
    text = read_text(path)
    if not text.lstrip(" \t\r\n").startswith("<"):
        data = parse_json(text, str(path))
        if not isinstance(data, dict):
            raise InputError([Problem(f"must be a {tag} of Tiled", str(path))])
        return data
    root = parse_xml(text.encode(), str(path))
    if root.tag != tag:
        raise InputError([Problem(f"must be a {tag} of Tiled, not <{root.tag[:40]}>", str(path))])
    return _as_node(root)


_LISTS = {"tileset": "tilesets", "tile": "tiles", "object": "objects", "chunk": "chunks"}
_LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "group": "group", "imagelayer": "imagelayer"}
_LINES = ("polyline", "polygon")


def _as_node(element: Element) -> Node:
    """Return an element of the XML format as an object of the JSON format."""
    node: Node = dict(element.attrib)
    for child in element:
        if child.tag in _LAYERS and element.tag != "tile":
            inner = {**_as_node(child), "type": _LAYERS[child.tag]}
            cast("list[Node]", node.setdefault("layers", [])).append(inner)
        elif child.tag == "properties":
            node["properties"] = [
                {"name": one.get("name", ""), "value": one.get("value", one.text or "")} for one in child
            ]
        elif child.tag == "data":
            node |= {key: child.get(key, "") for key in ("encoding", "compression")}
            chunks = child.findall("chunk")
            if chunks:
                node["chunks"] = [{**one.attrib, "data": _xml_data(one, child)} for one in chunks]
            node["data"] = _xml_data(child, child)
        elif child.tag in _LINES:
            points = child.get("points", "").split()
            node[child.tag] = [dict(zip("xy", point.split(","), strict=False)) for point in points]
        elif child.tag == "image":
            node["image"] = child.get("source", "")
        elif child.tag in _LISTS:
            cast("list[Node]", node.setdefault(_LISTS[child.tag], [])).append(_as_node(child))
    return node


def _xml_data(element: Element, data: Element) -> object:
    """Return the tiles of a layer or chunk: text, or numbers."""
    if data.get("encoding") is None:
        return [tile.get("gid", "0") for tile in element.findall("tile")]
    text = (element.text or "").strip()
    return text.replace("\n", "").split(",") if data.get("encoding") == "csv" else text


class _Reader:
    """Reads a map, and notes what is wrong with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self._left = MOST_TILES

    def map(self, node: Node) -> TiledMap:
        if node.get("orientation") != "hexagonal":
            what = f"a map must be hexagonal (Map > Map Properties), not {str(node.get('orientation'))[:20]!r}"
            raise InputError([Problem(what, str(self.path))])
        sizes = [self._whole(node, name, 1) for name in ("tilewidth", "tileheight")]
        side = self._whole(node, "hexsidelength", 0)
        axis = str(node.get("staggeraxis", "y"))
        if axis not in ("x", "y") or node.get("staggerindex", "odd") not in ("odd", "even"):
            self._problem("must have staggeraxis x or y, and staggerindex odd or even")
        grid = TiledGrid(sizes[0], sizes[1], side, axis, node.get("staggerindex") == "even")
        found = TiledMap(grid)
        for entry in self._nodes(node, "tilesets"):
            self._tileset(entry, found)
        for layer in self._layers(node):
            name = str(layer.get("name", ""))[:200]
            if layer.get("type") == "tilelayer":
                found.layers.append((name, self._tiles(layer)))
            elif layer.get("type") == "objectgroup":
                found.objects += [self._object(one, name, layer) for one in self._nodes(layer, "objects")]
        return found

    def _layers(self, node: Node, deep: int = 0) -> Iterator[Node]:
        """Yield layers from below, those of groups in their place."""
        for layer in self._nodes(node, "layers"):
            if layer.get("type") == "group" and deep < 20:
                yield from self._layers(layer, deep + 1)
            else:
                yield layer

    def _tileset(self, entry: Node, found: TiledMap) -> None:
        first = self._whole(entry, "firstgid", 1)
        if source := str(entry.get("source", "")):
            name = PurePosixPath(source.replace("\\", "/"))
            if name.is_absolute() or ".." in name.parts or ":" in source or "\0" in source:
                self._problem(f"a tileset must lie beside the map or below it, not at {source[:60]!r}")
                return
            try:
                entry = _root(self.path.parent / name, "tileset")
            except InputError as error:
                self.problems += error.problems
                return
        name_of_set = str(entry.get("name", ""))[:80]
        # A tileset may say nothing of most of its tiles; they are known by their number in it.
        for number in range(min(self._whole(entry, "tilecount", 0), MOST_TILES)):
            found.tiles[first + number] = f"{name_of_set}#{number}", {}
        for tile in self._nodes(entry, "tiles"):
            number = self._whole(tile, "id", 0)
            properties = self._properties(tile)
            image = PurePosixPath(str(tile.get("image", "")).replace("\\", "/")).stem
            word = properties.get("terrain") or str(tile.get("type") or tile.get("class") or "") or image
            found.tiles[first + number] = word or f"{name_of_set}#{number}", properties

    def _tiles(self, layer: Node) -> dict[tuple[int, int], int]:
        """Return the tiles of a layer by their cells."""
        found: dict[tuple[int, int], int] = {}
        pieces = self._nodes(layer, "chunks") or [layer]
        for piece in pieces:
            width, height = (self._whole(piece, name, 0) for name in ("width", "height"))
            left, top = (self._whole(piece, name, -FARTHEST) for name in ("x", "y"))
            self._left -= width * height
            if self._left < 0:
                raise InputError(
                    [Problem(f"a map must have at most {MOST_TILES:,} tiles in its layers", str(self.path))]
                )
            numbers = self._numbers(piece.get("data"), layer, width * height)
            for index, number in enumerate(numbers):
                if number & _FLIPS:
                    found[left + index % width, top + index // width] = number & _FLIPS
        return found

    def _numbers(self, data: object, layer: Node, count: int) -> list[int]:
        """Return the global numbers of tiles, of which there must be so many."""
        where = f"layer {str(layer.get('name', ''))[:40]!r}"
        try:
            if isinstance(data, str) and layer.get("encoding") == "base64":
                content = _unpacked(
                    base64.b64decode(data, validate=True), str(layer.get("compression") or ""), 4 * count
                )
                numbers = list(struct.unpack(f"<{len(content) // 4}I", content))
            elif isinstance(data, list) and len(data) <= MOST_TILES:
                numbers = [self._tile_number(one) for one in data]
            else:
                raise ValueError("its tiles must be a list, or base64")
            if len(numbers) != count:
                raise ValueError(f"it must have {count} tiles, not {len(numbers)}")
        except (ValueError, binascii.Error, struct.error, zlib.error, EOFError) as error:
            self._problem(f"{where} can't be read: {error}")
            return []
        return numbers

    @staticmethod
    def _tile_number(value: object) -> int:
        text = str(value).strip()
        if re.fullmatch(r"\d{1,10}", text, re.ASCII) is None or int(text) >= 2**32:
            raise ValueError(f"the number of a tile must be whole, not {text[:20]!r}")
        return int(text)

    def _object(self, node: Node, layer: str, holder: Node) -> TiledObject:
        x, y, width, height = (self._real(node, name) for name in ("x", "y", "width", "height"))
        x, y = x + self._real(holder, "offsetx"), y + self._real(holder, "offsety")
        try:
            tile = self._tile_number(node.get("gid", 0)) & _FLIPS
        except ValueError as error:
            self._problem(str(error))
            tile = 0
        line: list[tuple[float, float]] = []
        for key in _LINES:
            points = [(x + self._real(point, "x"), y + self._real(point, "y")) for point in self._nodes(node, key)]
            line = points + points[:1] * (key == "polygon") if points else line
        # Tiles hang from their lower left corner, other objects from the upper one.
        middle = (x + width / 2, y - height / 2 if tile else y + height / 2)
        sort = str(node.get("type") or node.get("class") or "")[:200]
        key, name = str(node.get("id", ""))[:20], str(node.get("name", ""))[:200]
        return TiledObject(key, name, sort, layer, *middle, tile, line, self._properties(node))

    def _properties(self, node: Node) -> dict[str, str]:
        found: dict[str, str] = {}
        for one in self._nodes(node, "properties")[:200]:
            value = one.get("value", "")
            text = str(value).lower() if isinstance(value, bool) else str(value)
            found[str(one.get("name", ""))[:100]] = text[:1_000]
        return found

    def _nodes(self, node: Mapping[str, object], key: str) -> list[Node]:
        value = node.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self._problem(f"{key} must be a list of objects")
            return []
        return value

    def _whole(self, node: Node, key: str, least: int) -> int:
        value = str(node.get(key, max(least, 0))).strip()
        if re.fullmatch(r"-?\d{1,6}", value, re.ASCII) is None or not least <= int(value) <= 2 * MOST_TILES:
            self._problem(f"{key} must be a whole number from {least} to {2 * MOST_TILES}, not {value[:20]!r}")
            return max(least, 1)
        return int(value)

    def _real(self, node: Node, key: str) -> float:
        try:
            value = float(str(node.get(key) or 0))
        except ValueError:
            value = float("nan")
        if not isfinite(value) or abs(value) > 100 * FARTHEST:
            self._problem(f"{key} must be a number of pixels, not {str(node.get(key))[:20]!r}")
            return 0.0
        return value

    def _problem(self, what: str) -> None:
        self.problems.append(Problem(what, str(self.path)))


def _unpacked(content: bytes, compression: str, most: int) -> bytes:
    """Return unpacked bytes, of which there must be no more than so many.

    Raises
    ------
    ValueError
        If there are, or the compression isn't known.
    """
    if compression in ("zlib", "gzip"):
        unpacker = zlib.decompressobj(wbits=31 if compression == "gzip" else 15)
        content = unpacker.decompress(content, most + 1)
    elif compression == "zstd":
        content = _zstd(content, most + 1)
    elif compression:
        raise ValueError(f"compression must be zlib, gzip or zstd, not {compression[:20]!r}")
    if len(content) > most:
        raise ValueError("it unpacks to more tiles than it has")
    return content


def _zstd(content: bytes, most: int) -> bytes:
    try:
        from zstandard import ZstdDecompressor, ZstdError
    except ImportError as error:
        raise ValueError("zstd needs another library: pip install '.[zstd]' in a clone") from error
    try:
        with ZstdDecompressor(max_window_size=2**27).stream_reader(content) as stream:
            found: bytes = stream.read(most)
            return found
    except ZstdError as error:
        raise ValueError(str(error)) from error
