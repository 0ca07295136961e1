"""Moves as numbered arrows, with the MP spent by each step."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, sin

from planner.draw.frames import Frame
from planner.draw.geometry import APOTHEM, Point, between, distance
from planner.draw.markup import Element, add, at, number, width_of, write, xy
from planner.draw.palette import ARROW, GOOD, ILLEGAL, PAPER
from planner.formats.spoken_numbers import spoken_number
from planner.plans.plan import Move

LANE = 12.5
"""Arrows across the same hexside lie so far apart, in pixels."""

START, END = 27.0, 20.5
"""How far from the middle of its hexes an arrow begins and ends, so that it doesn't hide the counters."""

ROUND = 38.0
"""How far aside an arrow is pulled that goes round counters; it gets three quarters as far."""


def lanes(moves: Sequence[Move]) -> dict[tuple[int, int], float]:
    """Return how far aside each step lies, by move and step: those that cross the same hexside lie side by side."""
    users: dict[frozenset[str], list[tuple[int, int]]] = {}
    for index, move in enumerate(moves):
        for step, (a, b) in enumerate(pairwise(move.path), 1):
            users.setdefault(frozenset((a, b)), []).append((index, step))
    found = {}
    for those in users.values():
        apart = min(LANE, 2 * APOTHEM * 0.5 / len(those))
        for place, key in enumerate(those):
            found[key] = (place - (len(those) - 1) / 2) * apart
    return found


def _aside(a: Point, b: Point, by: float) -> Point:
    """Return how far something lies aside that is moved across the line between two points, whichever way that is drawn."""
    length = distance(a, b) or 1.0
    side = Point(-(b.y - a.y) / length, (b.x - a.x) / length)
    if (side.x, side.y) < (0.0, 0.0):
        side = Point(-side.x, -side.y)
    return Point(side.x * by, side.y * by)


def _towards(a: Point, b: Point, by: float) -> Point:
    """Return the point so far from a towards b, but never beyond two fifths of the way."""
    length = distance(a, b) or 1.0
    return between(a, b, min(by / length, 0.4))


@dataclass(frozen=True)
class ArrowRoute:
    """Where the arrow of a move runs.

    Attributes
    ----------
    centres : sequence of Point
        The middle of each place of its path.
    asides : sequence of float
        How far aside each step lies; see `lanes`.
    crowded : container of int
        The indices into the path of the hexes whose counters the arrow goes round.
    end : float
        How far from the middle of its last hex it ends.
    """

    centres: Sequence[Point]
    asides: Sequence[float]
    crowded: Container[int] = ()
    end: float = END


def draw_move(parent: Element, frame: Frame, route: ArrowRoute) -> None:
    """Draw a move as it was played."""
    move = frame.move
    assert move is not None
    colour = ILLEGAL if frame.violations else ARROW
    centres, last, carried = route.centres, len(route.centres) - 1, dict(move.carried)
    offsets = [_aside(a, b, by) for (a, b), by in zip(pairwise(centres), route.asides, strict=True)]
    add(parent, "title", f"{frame.number}. {move}")
    tips: list[tuple[Point, Point]] = []
    for step, offset in enumerate(offsets, 1):
        a, b = centres[step - 1].plus(offset), centres[step].plus(offset)
        tips.append((_towards(a, b, START) if step == 1 else a, _towards(b, a, route.end) if step == last else b))
    for d, dashes in zip(_paths(tips, offsets, carried, route), (None, "9 5"), strict=True):
        if d:
            add(parent, "path", d=d, stroke=PAPER, stroke_width=5.6, fill="none", stroke_linecap="round", opacity=0.85)
            add(parent, "path", d=d, stroke=colour, stroke_width=2.8, fill="none", stroke_dasharray=dashes)
    _head(parent, *tips[-1], colour)
    spent = {step.index: spoken_number(step.total) for step in frame.steps}
    for step, offset in enumerate(offsets, 1):
        if step in move.overruns:
            middle = between(centres[step - 1], centres[step], 0.55).plus(offset)
            _burst(parent, middle, spent.get(step, ""), colour, move.failed and step == last)
    for step, (a, b) in enumerate(tips, 1):
        if step in spent and step not in move.overruns:
            middle = between(a, b, 0.5 if step > 1 else 0.62 if last == 1 else 0.56)
            _chip(parent, between(middle, _bend(a, b)) if step in carried else middle, spent[step], colour)
    _number(parent, tips[0][0], frame.number, colour)
    if move.bogs:
        add(parent, "text", "bogged", x=centres[-1].x, y=centres[-1].y + 28, class_="tag", fill=colour)


def _paths(
    tips: Sequence[tuple[Point, Point]], offsets: Sequence[Point], carried: Container[int], route: ArrowRoute
) -> tuple[str, str]:
    """Return the path of what is walked, and that of what is carried."""
    solid: list[str] = []
    dashed: list[str] = []
    for step, (a, b) in enumerate(tips, 1):
        path = dashed if step in carried else solid
        if step in carried:
            bend = _bend(a, b)
            path.append(f"M{xy(a)}Q{xy(bend)} {xy(b)}")
            continue
        begin = a if step == 1 or step - 1 in carried else between(*tips[step - 2])
        if step == 1 or step - 1 in carried:
            path.append(f"M{xy(begin)}")
        if step == len(tips) or step + 1 in carried:
            path.append(f"L{xy(b)}")
        else:
            middle, onward = between(a, b), between(*tips[step])
            if step == 1:
                path.append(f"L{xy(middle)}")
            corner = route.centres[step].plus(between(offsets[step - 1], offsets[step]))
            if step in route.crowded:
                away = _aside(middle, onward, ROUND)
                away = away if away.y >= 0 else Point(-away.x, -away.y)
                path.append(f"C{xy(middle.plus(away))} {xy(onward.plus(away))} {xy(onward)}")
            else:
                path.append(f"Q{xy(corner)} {xy(onward)}")
    return "".join(solid), "".join(dashed)


def _bend(a: Point, b: Point) -> Point:
    """Return the point towards which a passage bends, so that it isn't taken for a march."""
    return between(a, b).plus(_aside(a, b, distance(a, b) * 0.14))


def _head(parent: Element, a: Point, b: Point, colour: str) -> None:
    angle = atan2(b.y - a.y, b.x - a.x)

    def spot(forth: float, aside: float) -> str:
        x, y = forth * cos(angle) - aside * sin(angle), forth * sin(angle) + aside * cos(angle)
        return f"{number(b.x + x)},{number(b.y + y)}"

    corners = f"{spot(6, 0)} {spot(-6, 6)} {spot(-3, 0)} {spot(-6, -6)}"
    add(parent, "polygon", points=corners, fill=colour, stroke=PAPER, stroke_width=1)


BURST = "M0-9L2-4.4L6.6-6.6L4.8-2L9.4 0L4.8 2L6.4 6.6L2 4.6L0 9L-2 4.6L-6.6 6.6L-4.6 2L-9.4 0L-4.8-2L-6.6-6.6L-2-4.6Z"


def _burst(parent: Element, where: Point, text: str, colour: str, failed: bool) -> None:
    """Mark an overrun with what has been spent; a failed one is pale, and has an exclamation mark."""
    group = add(parent, "g", transform=at(where.x, where.y))
    add(group, "path", d=BURST, fill=PAPER if failed else "#f0c419", stroke=colour, stroke_width=1.2)
    add(group, "text", f"{text}!" if failed else text or "x", y=2.6, class_="mp", fill=colour)


def _chip(parent: Element, where: Point, text: str, colour: str) -> None:
    """Write what has been spent."""
    wide = max(9.0, width_of(text, 7) + 4)
    box = {"x": where.x - wide / 2, "y": where.y - 4.6, "width": wide, "height": 9.2, "rx": 4.6}
    add(parent, "rect", **box, fill=PAPER, stroke=colour, stroke_width=0.9)
    add(parent, "text", text, x=where.x, y=where.y + 2.6, class_="mp", fill=colour)


def _number(parent: Element, where: Point, value: int, colour: str) -> None:
    """Write the number of a move."""
    add(parent, "circle", cx=where.x, cy=where.y, r=6.2, fill=colour, stroke=PAPER, stroke_width=1)
    size = {1: 9.0, 2: 7.4}.get(len(str(value)), 5.6)
    write(parent, str(value), where.y + size * 0.35, size, PAPER, where.x)


def draw_violations(
    parent: Element, where: Point, said: Sequence[tuple[str, str]], corners: str, good: bool, free: bool
) -> None:
    """Mark a hex where rules are broken, with their paragraphs; or, if `good`, with what speaks for it: without an outline.

    What is `said` comes in pairs: a tag and a sentence. `free` tells whether nothing stands in the hex, so that the mark
    fits into its middle.
    """
    colour, sign = (GOOD, "\N{CHECK MARK}") if good else (ILLEGAL, "\N{MULTIPLICATION SIGN}")
    low = 0.0 if good and free else 22.0
    group = add(parent, "g", transform=at(where.x, where.y))
    add(group, "title", "\n".join(text for _, text in said))
    if corners and not good:
        add(group, "polygon", points=corners, fill="none", stroke=PAPER, stroke_width=5, transform="scale(.93)")
        add(group, "polygon", points=corners, fill="none", stroke=colour, stroke_width=2.6, transform="scale(.93)")
    text = f"{sign} " + ", ".join(dict.fromkeys(tag or "illegal" for tag, _ in said))
    wide = width_of(text, 8) + 6
    add(group, "rect", x=-wide / 2, y=low, width=wide, height=11.4, rx=3, fill=colour, stroke=PAPER, stroke_width=0.8)
    write(group, text, low + 8.6, 8, "#ffffff")
