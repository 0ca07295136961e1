"""What lies along hexsides, such as rivers, and what crosses them, such as roads, as printed maps show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from planner.draw.geometry import Layout, Point, between, distance
from planner.draw.markup import Element, add, at, xy
from planner.draw.palette import INK
from planner.draw.vocabulary import HEXSIDES, looks_of
from planner.world.board import Board
from planner.world.charts import TerrainChart

Pair = tuple[str, str]


@dataclass(frozen=True)
class Line:
    """How a feature of hexsides is drawn.

    Attributes
    ----------
    runs : str
        "along": on the hexside, as a river does. "across": from hex to hex, as a road does. "over": a sign across the
        hexside alone. "": not at all.
    strokes : tuple of (colour, width, dashes)
        Drawn one over the other.
    straight : bool
        Whether it keeps to the hexsides exactly.
    """

    runs: Literal["along", "across", "over", ""]
    strokes: tuple[tuple[str, float, str | None], ...] = ()
    straight: bool = False


LINES = {
    "minor_river": Line("along", (("#ffffff", 4.4, None), ("#3b8fc4", 2.6, None))),
    "river": Line("along", (("#ffffff", 5.6, None), ("#2277b5", 3.8, None))),
    "major_river": Line("along", (("#ffffff", 8.0, None), ("#14599a", 6.2, None), ("#8cc0e6", 1.4, None))),
    "water": Line("along", (("#14599a", 7.0, None), ("#b7d6e8", 4.6, None)), straight=True),
    "barred": Line("along", (("#ffffff", 6.4, None), (INK, 4.6, None), ("#f0c419", 1.8, "4 4")), straight=True),
    "escarpment": Line("along", (("#7d5a2f", 2.0, None), ("#7d5a2f", 6.0, "1.4 3.2")), straight=True),
    "road": Line("across", ((INK, 4.6, None), ("#e0533d", 3.0, None))),
    "secondary_road": Line("across", ((INK, 3.6, None), ("#f7e3a1", 2.2, None))),
    "track": Line("across", (("#6b4c2a", 1.8, "5 3"),)),
    "railroad": Line("across", ((INK, 1.5, None), (INK, 6.0, "1.3 5"))),
    "bridge": Line("over", ((INK, 1.6, None),)),
    "strait": Line("over", (("#14599a", 2.4, None),)),
    "arrow": Line("over", (("#a02c2c", 2.4, None),)),
    "land": Line("along", (("#b08d57", 2.6, "3 2.4"),), straight=True),
    "none": Line(""),
    "?along": Line("along", (("#6a4a8c", 3.4, "7 2.4 1.6 2.4"),), straight=True),
    "?across": Line("across", (("#ffffff", 4.4, None), ("#6a4a8c", 2.6, "2.4 3"))),
}


@dataclass(frozen=True)
class HexsideStyle:
    """How a feature looks.

    Attributes
    ----------
    look : str
        A key of `LINES`.
    shade : int
        0, or how many features of the chart before it look the same: it is dashed otherwise then.
    """

    look: str
    shade: int = 0

    @property
    def strokes(self) -> tuple[tuple[str, float, str | None], ...]:
        """The strokes, those of a second feature of the same look with longer dashes on top."""
        own = LINES[self.look].strokes
        return own if not self.shade or not own else (*own, ("#ffffff", own[-1][1] * 0.5, f"{4 * self.shade} 5"))


def styles(chart: TerrainChart, chosen: Mapping[str, str]) -> dict[str, HexsideStyle]:
    """Return how each hexside feature of a chart looks, no two of them alike."""
    found: dict[str, HexsideStyle] = {}
    routes = {route.feature for route in chart.routes}
    for name in [*chart.hexsides, *(route.feature for route in chart.routes)]:
        if name in found:
            continue
        looks = (chosen[name],) if name in chosen else looks_of(name, HEXSIDES)
        look = looks[0] if looks else _by_effect(name, chart, routes)
        found[name] = HexsideStyle(look, sum(other.look == look for other in found.values()))
    return found


def _by_effect(name: str, chart: TerrainChart, routes: set[str]) -> str:
    """Return what a feature looks like whose name says nothing: by what it does."""
    if name in routes:
        return "?across"
    return "barred" if chart.hexsides[name].prohibited else "?along"


ORDER = (
    *("land", "minor_river", "river", "major_river", "water", "escarpment", "?along", "barred"),
    *("track", "?across", "secondary_road", "road", "railroad", "bridge", "strait", "arrow"),
)
"""What is drawn later lies above."""


def draw(parent: Element, board: Board, layout: Layout, looks: Mapping[str, HexsideStyle]) -> list[str]:
    """Draw every feature of the board's hexsides; return those that it has, as they lie above each other."""
    sides: dict[str, list[Pair]] = {}
    for pair, features in sorted(board.hexsides().items()):
        if pair[0] in layout.centres and pair[1] in layout.centres:
            for feature in features:
                sides.setdefault(feature, []).append(pair)
    shown = sorted(
        (name for name in sides if LINES[looks[name].look].runs),
        key=lambda name: (ORDER.index(looks[name].look), looks[name].shade, name),
    )
    beside: set[Pair] = set()
    for name in shown:
        line = LINES[looks[name].look]
        group = add(parent, "g", data_feature=name)
        if line.runs == "along":
            _strokes(group, _along(sides[name], layout, line.straight), looks[name])
        elif line.runs == "across":
            shift = 3.6 if beside & set(sides[name]) else 0.0
            path = _across(sides[name], layout)
            _strokes(add(group, "g", transform=at(shift, -shift)) if shift else group, path, looks[name])
            beside |= set(sides[name])
        else:
            for a, b in sides[name]:
                _sign(group, looks[name].look, *layout.hexside(a, b), layout.centres[a], layout.centres[b])
    return shown


def _strokes(parent: Element, d: str, style: HexsideStyle) -> None:
    for colour, width, dashes in style.strokes:
        cap = "butt" if dashes else "round"
        add(
            parent, "path", d=d, fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes, stroke_linecap=cap,
            stroke_linejoin="round",
        )  # fmt: skip


def _chains(segments: Iterable[tuple[Point, Point]]) -> list[list[Point]]:
    """Join segments that meet at their ends into lines as long as they get without a fork."""
    ends: dict[Point, list[Point]] = {}
    for p, q in segments:
        p, q = Point(round(p.x, 1), round(p.y, 1)), Point(round(q.x, 1), round(q.y, 1))
        a, b = _near(ends, p), _near(ends, q)
        ends.setdefault(a, []).append(b)
        ends.setdefault(b, []).append(a)
    chains = []
    forks_first = sorted(ends, key=lambda point: (len(ends[point]) == 2, point))
    for start in forks_first:
        while ends[start]:
            chain = [start]
            while True:
                here = chain[-1]
                to = ends[here].pop(0)
                ends[to].remove(here)
                chain.append(to)
                if len(ends[to]) != 1 or to == start:
                    break
            chains.append(chain)
    return chains


def _near(ends: Mapping[Point, object], point: Point) -> Point:
    """Return the end that is the same corner as a point, as far as rounding allows."""
    for dx in (0.0, -0.1, 0.1):
        for dy in (0.0, -0.1, 0.1):
            other = Point(round(point.x + dx, 1), round(point.y + dy, 1))
            if other in ends:
                return other
    return point


def _along(pairs: Iterable[Pair], layout: Layout, straight: bool) -> str:
    """Return a path along hexsides; one that isn't straight cuts the corners as rivers do."""
    path = []
    for chain in _chains(layout.hexside(a, b) for a, b in pairs):
        path.append(f"M{xy(chain[0])}")
        if straight or len(chain) < 3:
            path += [f"L{xy(point)}" for point in chain[1:]]
            continue
        path.append(f"L{xy(between(chain[0], chain[1]))}")
        for corner, onward in pairwise(chain[1:]):
            path.append(f"Q{xy(corner)} {xy(between(corner, onward))}")
        path.append(f"L{xy(chain[-1])}")
    return "".join(path)


def _across(pairs: Iterable[Pair], layout: Layout) -> str:
    """Return a path from hex to hex: round a bend in a hex with two of its hexsides, to the middle in others."""
    around: dict[str, list[Point]] = {}
    for a, b in pairs:
        middle = between(layout.centres[a], layout.centres[b])
        around.setdefault(a, []).append(middle)
        around.setdefault(b, []).append(middle)
    path = []
    for label, middles in around.items():
        centre = layout.centres[label]
        if len(middles) == 2:
            path.append(f"M{xy(middles[0])}Q{xy(centre)} {xy(middles[1])}")
        else:
            path += [f"M{xy(middle)}L{xy(centre)}" for middle in middles]
    return "".join(path)


def _sign(parent: Element, look: str, p: Point, q: Point, a: Point, b: Point) -> None:
    """Draw a sign across a hexside with ends p and q between hexes with centres a and b."""
    middle, length = between(p, q), distance(a, b) or 1.0
    over = Point((b.x - a.x) / length, (b.y - a.y) / length)
    side = Point(-over.y, over.x)

    def spot(forth: float, aside: float) -> str:
        return xy(Point(middle.x + over.x * forth + side.x * aside, middle.y + over.y * forth + side.y * aside))

    if look == "bridge":
        d = "".join(f"M{spot(-8, 6.5 * s)}L{spot(-5, 4 * s)}L{spot(5, 4 * s)}L{spot(8, 6.5 * s)}" for s in (1, -1))
        add(parent, "path", d=d, fill="none", stroke="#ffffff", stroke_width=3.6)
        add(parent, "path", d=d, fill="none", stroke=INK, stroke_width=1.6)
        return
    colour, width, _ = LINES[look].strokes[0]
    d = f"M{spot(-9, 0)}L{spot(9, 0)}" + "".join(
        f"M{spot(5 * s, 4)}L{spot(9.5 * s, 0)}L{spot(5 * s, -4)}" for s in (1, -1)
    )
    add(parent, "path", d=d, fill="none", stroke="#ffffff", stroke_width=width + 2)
    add(parent, "path", d=d, fill="none", stroke=colour, stroke_width=width)


def swatch(parent: Element, style: HexsideStyle) -> None:
    """Draw a piece of a feature for the legend, about the origin."""
    if LINES[style.look].runs == "over":
        add(parent, "path", d="M0-8V8", stroke="#8d8570", stroke_width=0.8)
        _sign(parent, style.look, Point(0, -8), Point(0, 8), Point(-10, 0), Point(10, 0))
    else:
        _strokes(parent, "M-13 3L-4-2L4 2L13-3", style)
