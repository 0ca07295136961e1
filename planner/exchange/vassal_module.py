"""A module of VASSAL: its maps with boards, zones and hex numbers, and the prototypes of its pieces (``buildFile.xml``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from planner.errors import InputError, Problem
from planner.exchange.archive import Archive
from planner.exchange.hex_grid import GridNumbers, HexGrid, Pixel
from planner.exchange.image_size import image_size
from planner.exchange.sequences import decode
from planner.exchange.vassal_piece import Chain, TraitError, chain
from planner.exchange.xml import parse_xml

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

BUILD_FILE = ("buildFile.xml", "buildFile")
_BOARD = "VASSAL.build.module.map.boardPicker."
_FARTHEST = 1_000_000
"""Pixels; no board has so many."""


@dataclass(frozen=True)
class Zone:
    """A part of a board.

    Attributes
    ----------
    name : str
        What it is called.
    path : tuple of pairs of int
        The corners of its outline, in pixels of the board.
    grid : HexGrid or None
        Its own grid, if it has one of hexes.
    form : str
        What its places are called, with ``$name$`` and ``$gridLocation$``.
    """

    name: str
    path: tuple[Pixel, ...]
    grid: HexGrid | None
    form: str = "$name$"

    @property
    def corner(self) -> Pixel:
        """The upper left corner of the rectangle around it."""
        return min(x for x, _ in self.path), min(y for _, y in self.path)

    @property
    def size(self) -> Pixel:
        """Width and height of the rectangle around it."""
        left, top = self.corner
        return max(x for x, _ in self.path) - left, max(y for _, y in self.path) - top

    def contains(self, x: int, y: int) -> bool:
        """Tell whether a pixel lies within."""
        inside = False
        for (ax, ay), (bx, by) in zip(self.path, (*self.path[1:], self.path[0]), strict=True):
            if (ay > y) != (by > y) and (x - ax) * abs(by - ay) < (bx - ax) * (y - ay) * (1 if by > ay else -1):
                inside = not inside
        return inside

    def label(self, location: str) -> str:
        """Return what a place in it is called."""
        said = {"name": self.name, "gridLocation": location}
        return re.sub(r"\$(\w+)\$", lambda found: said.get(found[1], ""), self.form)


@dataclass(frozen=True)
class ModuleBoard:
    """A board that can lie on a map.

    Attributes
    ----------
    name : str
        What it is called.
    size : pair of int or None
        Width and height in pixels; None if nothing says it.
    grid : HexGrid or None
        The grid of what lies in no zone of its own.
    zones : tuple of Zone
        Its zones; where two overlap, the first counts.
    image : str
        The member of the archive with its picture; empty if it has none.
    """

    name: str
    size: Pixel | None = None
    grid: HexGrid | None = None
    zones: tuple[Zone, ...] = ()
    image: str = ""

    def zone_of(self, x: int, y: int) -> Zone | None:
        """Return the zone in which a pixel lies; None if in none."""
        return next((zone for zone in self.zones if zone.contains(x, y)), None)

    def place(self, x: int, y: int) -> tuple[str, bool]:
        """Return what VASSAL calls the place of a pixel, and whether it is a hex; empty if it has no name.

        Raises
        ------
        ValueError
            If the size of the board would be needed and isn't known.
        """
        zone = self.zone_of(x, y)
        grid = self.grid if zone is None else zone.grid
        if grid is None:
            return ("" if zone is None else zone.label("") or zone.name), False
        label = grid.label(*grid.cell(x, y), self.size if zone is None or zone.grid is self.grid else zone.size)
        return (label if zone is None else zone.label(label)), True

    def cells(self) -> Iterator[tuple[str, HexGrid, tuple[int, int]]]:
        """Yield every hex of the board: what it is called, its grid, and line and place in it.

        Raises
        ------
        ValueError
            If the size of the board isn't known, or it has too many hexes.
        """
        areas = [(zone.grid, zone.corner, zone.size) for zone in self.zones if zone.grid not in (None, self.grid)]
        if self.grid is not None:
            if self.size is None:
                raise ValueError("the size of the board must be known")
            areas.append((self.grid, (0, 0), self.size))
        for grid, corner, size in areas:
            assert grid is not None
            for cell in grid.cells(corner, size):
                x, y = grid.centre(*cell)
                zone = self.zone_of(x, y)
                if (self.grid if zone is None else zone.grid) is grid:
                    yield self.place(x, y)[0], grid, cell


@dataclass(frozen=True)
class Window:
    """A map of a module, in a window of its own.

    Attributes
    ----------
    name : str
        What it is called.
    edge : pair of int
        The width of the edge to the left and above, in pixels.
    boards : mapping from names to ModuleBoard
        The boards that can lie on it.
    """

    name: str
    edge: Pixel
    boards: dict[str, ModuleBoard]


@dataclass
class Module:
    """What a module has.

    Attributes
    ----------
    name : str
        The game.
    sides : list of str
        The sides that players can take.
    windows : dict from names to Window
        Its maps.
    prototypes : dict from names to chains
        The prototypes of its pieces.
    remarks : list of str
        What couldn't be read, and is passed over.
    """

    name: str = ""
    sides: list[str] = field(default_factory=list)
    windows: dict[str, Window] = field(default_factory=dict)
    prototypes: dict[str, Chain] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def load_module(path: Path) -> Module:
    """Read a module.

    Raises
    ------
    InputError
        If it is no sound archive, or has no build file that can be read; with every problem of its grids at once.
    """
    archive = Archive(path)
    member = next((name for name in BUILD_FILE if name in archive), None)
    if member is None:
        raise InputError([Problem("must be a VASSAL module, with buildFile.xml", str(path))])
    where = f"{path}: {member}"
    return _Reader(archive, where).module(parse_xml(archive.read(member), where))


class _Reader:
    """Reads a build file."""

    def __init__(self, archive: Archive, where: str) -> None:
        self._archive = archive
        self._where = where
        self._problems: list[Problem] = []

    def module(self, root: Element) -> Module:
        found = Module(root.get("name", "")[:200])
        for entry in root.iter("entry"):
            found.sides.append((entry.text or "").strip())
        for prototype in root.iter("VASSAL.build.module.PrototypeDefinition"):
            called, fields = prototype.get("name", ""), decode((prototype.text or "").strip(), "/")
            if len(fields) < 3:
                continue
            try:
                found.prototypes[called] = chain(fields[2] if fields[0] == "+" else fields[1], fields[-1])
            except TraitError as error:
                found.remarks.append(f"prototype {called[:60]!r} of the module: {error}")
        for element in root.iter():
            name = element.get("mapName")
            if name and element.tag.startswith("VASSAL.build.module."):
                edge = self._number(element, "edgeWidth", 0), self._number(element, "edgeHeight", 0)
                boards = [self._board(one) for one in element.iter(f"{_BOARD}Board")]
                found.windows[name] = Window(name, edge, {board.name: board for board in boards})
        if self._problems:
            raise InputError(dict.fromkeys(self._problems))
        return found

    def _board(self, element: Element) -> ModuleBoard:
        name, image = element.get("name", ""), element.get("image", "")
        size: Pixel | None = (self._number(element, "width", 0), self._number(element, "height", 0))
        member = f"images/{image}" if image else ""
        if member:
            size = image_size(self._archive.beginning(member, 2**18))
        if size is None or min(size) <= 0:
            size = None
        zoned = element.find(f"{_BOARD}board.ZonedGrid")
        holder = element if zoned is None else zoned
        grid = self._hex_grid(holder)
        zones = []
        for zone in () if zoned is None else zoned.iter(f"{_BOARD}board.mapgrid.Zone"):
            path = self._path(zone.get("path", ""))
            own = grid if zone.get("useParentGrid") == "true" else self._hex_grid(zone)
            if path:
                zones.append(Zone(zone.get("name", ""), path, own, zone.get("locationFormat", "$name$")))
        return ModuleBoard(name, size, grid, tuple(zones), member if member in self._archive else "")

    def _hex_grid(self, holder: Element) -> HexGrid | None:
        grid = holder.find(f"{_BOARD}board.HexGrid")
        if grid is None:
            return None
        dy = self._real(grid, "dy", 64.0)
        dx = self._real(grid, "dx", 3**0.5 / 2 * dy)
        for name, value in (("dx", dx), ("dy", dy)):
            if not 1 <= value <= _FARTHEST:
                self._problems.append(Problem(f"{name} of a HexGrid must be at least 1, not {value:g}", self._where))
        numbers = grid.find(f"{_BOARD}board.mapgrid.HexGridNumbering")
        origin = self._number(grid, "x0", 0), self._number(grid, "y0", 32)
        how = GridNumbers() if numbers is None else self._numbers(numbers)
        return HexGrid(max(dx, 1), max(dy, 1), origin, grid.get("sideways") == "true", how)

    def _numbers(self, element: Element) -> GridNumbers:
        return GridNumbers(
            element.get("first", "H")[:1],
            element.get("sep", "")[:20],
            (element.get("hType", "N")[:1], element.get("vType", "N")[:1]),
            (self._number(element, "hLeading", 1), self._number(element, "vLeading", 1)),
            (self._number(element, "hOff", 1), self._number(element, "vOff", 1)),
            (element.get("hDescend") == "true", element.get("vDescend") == "true"),
            element.get("stagger", "true") == "true",
            element.get("locationFormat", "$gridLocation$")[:200],
        )

    def _path(self, text: str) -> tuple[Pixel, ...]:
        found = []
        for corner in text.split(";") if text else ():
            x, _, y = corner.partition(",")
            if not all(re.fullmatch(r"-?\d{1,6}", one.strip(), re.ASCII) for one in (x, y)):
                self._problems.append(
                    Problem(f"a zone must have corners such as 12,34, not {corner[:20]!r}", self._where)
                )
                return ()
            found.append((int(x), int(y)))
        return tuple(found)

    def _number(self, element: Element, name: str, default: int) -> int:
        text = element.get(name) or str(default)
        if re.fullmatch(r"-?\d{1,6}", text, re.ASCII) is None:
            self._problems.append(
                Problem(f"{name} must be a whole number below a million, not {text[:20]!r}", self._where)
            )
            return default
        return int(text)

    def _real(self, element: Element, name: str, default: float) -> float:
        text = element.get(name) or str(default)
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not isfinite(value) or abs(value) > _FARTHEST:
            self._problems.append(Problem(f"{name} must be a number of pixels, not {text[:20]!r}", self._where))
            return default
        return value
