"""The look of hexes: a colour and a pattern for each terrain, so that the pattern tells where the colour doesn't."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from zlib import crc32

from planner.draw.geometry import Layout, Point
from planner.draw.markup import Element, add, number, points
from planner.draw.palette import mix
from planner.draw.vocabulary import TERRAIN, looks_of
from planner.world.board import Hex

VERSIONS = 3
"""Hexes of one terrain don't all look the same; so many drawings of each do."""

GRID = "#8d8570"


@dataclass(frozen=True)
class Motif:
    """A pattern of hexes.

    Attributes
    ----------
    ground : str
        The colour of the hex.
    shapes : tuple of (path, fill, stroke)
        What is strewn over it, drawn about its own middle; "none" for no fill or stroke.
    count : int
        How many of them a hex has; 0: the shapes are drawn once, about the middle of the hex.
    apart : float
        How far they are from each other at least, in pixels.
    """

    ground: str
    shapes: tuple[tuple[str, str, str], ...] = ()
    count: int = 0
    apart: float = 8.0


MOTIFS = {
    "clear": Motif("#f2ecd6"),
    "forest": Motif(
        "#d3dfb8",
        (("M0 6V2", "none", "#5b4a32"), ("M-4.2 1.5a4.2 4.6 0 1 1 8.4 0a4.2 3 0 1 1-8.4 0Z", "#7d9c5f", "#4c6b38")),
        9,
        10,
    ),
    "jungle": Motif(
        "#b5cd98",
        (("M-5 3a3.4 3.4 0 0 1 1-6.4a4 4 0 0 1 7.6 0a3.4 3.4 0 0 1 1.4 6.4Z", "#2f6f4f", "#1d4a33"),),
        11,
        9,
    ),
    "mountain": Motif(
        "#ded0bb",
        (("M-8 6L0-8L8 6Z", "#b39a7d", "#6a5138"), ("M0-8L8 6H2L3 1L-.5-1Z", "#7d6248", "none")),
        6,
        13,
    ),
    "hills": Motif("#eadfc0", (("M-7 3Q0-8 7 3M-3.5 0v3M0-1.6v4M3.5 0v3", "none", "#a5814f"),), 6, 13),
    "rough": Motif("#e6dac2", (("M-4 3L-.6-3L2 1L4-1.4L6 3", "none", "#8c6d49"),), 8, 11),
    "swamp": Motif("#d2e0d4", (("M-6 2.5H6M0 2.5V-4M-2.6 2.5L-4.4-2M2.6 2.5L4.4-2", "none", "#3f7a70"),), 7, 12),
    "desert": Motif("#f6e7b9", (("M-1 0a1 1 0 1 1 2 0a1 1 0 1 1-2 0Z", "#c39b45", "none"),), 26, 6),
    "village": Motif("#f2ecd6", (("M-3.6 3.2V-1.2L0-4.4L3.6-1.2V3.2Z", "#8b7a6b", "#4d4238"),), 6, 11),
    "city": Motif("#e3ded5", (("M-5-4.4H5V4.4H-5Z", "#8e8782", "#55504c"),), 11, 9.5),
    "building": Motif("#e8e0d0", (("M-6-4.5H6V4.5H0V0H-6Z", "#a0705a", "#5d3a2b"),), 5, 14),
    "rubble": Motif("#dcd5ca", (("M-3 1.6L-1-2.4L2.4-1.4L3 1.8L0 2.8Z", "#98897b", "#5d5249"),), 14, 7),
    "trench": Motif(
        "#ece3c8",
        (
            ("M-30 20h7v-5h7v5h7v-5h7v5h7v-5h7v5h7v-5h7v5", "none", "#5b4a32"),
            ("M-29-14h7v-5h7v5", "none", "#5b4a32"),
            ("M8-14h7v-5h7v5h6", "none", "#5b4a32"),
        ),
    ),
    "crater": Motif(
        "#e9dfc6",
        (
            ("M-5.4 0a5.4 3.8 0 1 1 10.8 0a5.4 3.8 0 1 1-10.8 0Z", "#8c7a5e", "#5c4c36"),
            ("M-3 .8Q0-2 3 .8", "none", "#d9cba9"),
        ),
        6,
        13,
    ),
    "ford": Motif("#d6e6ea", (("M-6 0q3-3.4 6 0t6 0", "none", "#5b9bb5"), ("M-2 4h4", "none", "#8d7d5c")), 6, 12),
    "water": Motif("#b7d6e8", (("M-6 0q3-3.4 6 0t6 0", "none", "#7fb0cd"),), 6, 13),
}  # fmt: skip

STRANGE = tuple(
    Motif(ground, ((path, "none", "#6a5a78"),), 9, 10)
    for path, ground in (
        ("M-3 0a3 3 0 1 1 6 0a3 3 0 1 1-6 0Z", "#ece4f0"),
        ("M-4 4L4-4", "#e4e8f0"),
        ("M-3-3L3 3M-3 3L3-3", "#f0e6e4"),
        ("M-3-3H3V3H-3Z", "#e6f0ea"),
        ("M-4 3H4L0-4Z", "#f0eee0"),
        ("M-4 0H4M0-4V4", "#eae4e0"),
    )
)
"""Patterns for terrains whose names say nothing, in the order in which a chart has them."""


@dataclass(frozen=True)
class TerrainStyle:
    """How a terrain looks.

    Attributes
    ----------
    patterns : tuple of str
        Names of motifs, that of the ground first; ``?0`` and so on: of `STRANGE`.
    shade : int
        0, or how many terrains of the chart before it look the same: it is darker then, and its pattern larger.
    """

    patterns: tuple[str, ...]
    shade: int = 0


def motif(name: str) -> Motif:
    """Return a motif by its name."""
    return STRANGE[int(name[1:]) % len(STRANGE)] if name.startswith("?") else MOTIFS[name]


def styles(terrains: Iterable[str], chosen: Mapping[str, str]) -> dict[str, TerrainStyle]:
    """Return how each terrain of a chart looks, no two of them alike."""
    found: dict[str, TerrainStyle] = {}
    strange = 0
    for name in terrains:
        patterns = (chosen[name],) if name in chosen else looks_of(name, TERRAIN)
        if not patterns:
            patterns, strange = (f"?{strange}",), strange + 1
        shade = sum(other.patterns == patterns for other in found.values())
        found[name] = TerrainStyle(patterns, shade)
    return found


def _strewn(seed: str, count: int, apart: float) -> list[Point]:
    """Return points strewn over a hex, the same for the same seed; fewer where there is no room."""
    dice = random.Random(seed)
    found: list[Point] = []
    for _ in range(60 * count):
        angle, away = dice.uniform(0, 2 * pi), 25 * dice.uniform(0.02, 1) ** 0.5
        point = Point(away * cos(angle), away * sin(angle))
        if all(hypot(point.x - other.x, point.y - other.y) >= apart for other in found):
            found.append(point)
            if len(found) == count:
                break
    return sorted(found, key=lambda point: point.y)


def define(
    defs: Element, name: str, style: TerrainStyle, also: tuple[TerrainStyle, ...], version: int, layout: Layout
) -> None:
    """Add the drawing of a hex to the definitions; `also` are further terrains that it shows."""
    group = add(defs, "g", id=name)
    ground = motif(style.patterns[0]).ground
    ground = mix(ground, "#5b5140", min(0.12 * style.shade, 0.4))
    add(group, "polygon", points=points(layout.corners), fill=ground, stroke=GRID, stroke_width=0.7)
    every = [(pattern, style.shade) for pattern in style.patterns]
    every += [(pattern, other.shade) for other in also for pattern in other.patterns]
    for pattern, shade in every:
        draw_motif(group, pattern, shade, version, 1 / len(every))


def draw_motif(parent: Element, pattern: str, shade: int, version: int, share: float) -> None:
    """Draw a motif's shapes about the origin, `share` of as many as it has."""
    one = motif(pattern)
    if not one.shapes:
        return
    group = add(parent, "g", stroke_linejoin="round", stroke_linecap="round")
    size = 1 + 0.35 * min(shade, 2)
    if one.count == 0:
        places = [Point(0, 0)] if share == 1 else [Point(0, -4)]
    else:
        places = _strewn(f"{pattern} {version} {share}", max(2, round(one.count * share / size)), one.apart * size)
    for path, fill, stroke in one.shapes:
        d = "".join(_shifted(path, point, size if one.count else 1) for point in places)
        width = 1.6 if one.count == 0 else 1.0
        add(
            group,
            "path",
            d=d,
            fill=fill,
            stroke=None if stroke == "none" else stroke,
            stroke_width=None if stroke == "none" else width,
        )


def _shifted(path: str, to: Point, scale: float) -> str:
    """Return a path moved elsewhere, and scaled."""
    return "".join(_moved(command, arguments, to, scale) for command, arguments in _commands(path))


_ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "T": 2, "A": 7, "Z": 0}


def _commands(path: str) -> Iterable[tuple[str, list[float]]]:
    import re

    for command, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(value) for value in re.findall(r"-?(?:\d+\.\d+|\.\d+|\d+)", rest)]
        arity = _ARITY[command.upper()]
        if not arity:
            yield command, []
        for start in range(0, len(numbers), arity or 1):
            yield command, numbers[start : start + arity]


def _moved(command: str, values: list[float], to: Point, scale: float) -> str:
    kind, absolute = command.upper(), command.isupper()
    scaled = [value * scale for value in values]
    if kind == "A":
        scaled[2:5] = values[2:5]
    if absolute:
        if kind == "H":
            scaled[0] += to.x
        elif kind == "V":
            scaled[0] += to.y
        elif kind == "A":
            scaled[5] += to.x
            scaled[6] += to.y
        else:
            scaled = [value + (to.x, to.y)[index % 2] for index, value in enumerate(scaled)]
    return command + " ".join(map(number, scaled))


def version_of(label: str) -> int:
    """Return which drawing of its terrain a hex gets: always the same."""
    return crc32(label.encode()) % VERSIONS


def key_of(hexagon: Hex) -> tuple[str, ...]:
    """Return what decides how a hex looks: its terrains."""
    return (hexagon.terrain, *hexagon.also)
