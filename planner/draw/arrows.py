"""Moves as numbered arrows, with the MP spent by each step."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import pairwise
from math import atan2, cos, sin

from planner.draw.frames import Frame
from planner.draw.geometry import APOTHEM, Point, between, distance
from planner.draw.markup import Element, add, at, number, width_of
from planner.draw.palette import ARROW, GOOD, ILLEGAL, PAPER
from planner.formats.mp import format_mp
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


def _plus(a: Point, b: Point) -> Point:
    return Point(a.x + b.x, a.y + b.y)


def _towards(a: Point, b: Point, by: float) -> Point:
    """Return the point so far from a towards b, but never beyond two fifths of the way."""
    length = distance(a, b) or 1.0
    return between(a, b, min(by / length, 0.4))


def draw_move(
    parent: Element,
    index: int,
    frame: Frame,
    where: Sequence[Point],
    aside: Mapping[tuple[int, int], float],
    crowded: Container[int] = (),
    end: float = END,
) -> None:
    """Draw one move.

    Parameters
    ----------
    parent : Element
        Where it goes.
    index : int
        The place of the move in the plan.
    frame : Frame
        The move as it was played.
    where : sequence of Point
        The middle of each place of its path.
    aside : mapping
        See `lanes`.
    crowded : container of int
        The indices into the path of the hexes whose counters the arrow goes round.
    end : float
        How far from the middle of its last hex it ends.
    """
    move = frame.move
    assert move is not None
    colour = ILLEGAL if frame.violations else ARROW
    centres = list(where)
    offsets = [_aside(a, b, aside.get((index, step), 0.0)) for step, (a, b) in enumerate(pairwise(centres), 1)]
    add(parent, "title", f"{index + 1}. {move}")
    tips: list[tuple[Point, Point]] = []
    for step in range(1, len(centres)):
        a, b = _plus(centres[step - 1], offsets[step - 1]), _plus(centres[step], offsets[step - 1])
        tips.append((_towards(a, b, START) if step == 1 else a, _towards(b, a, end) if step == len(centres) - 1 else b))
    carried = dict(move.carried)
    solid, dashed = _paths(tips, centres, offsets, carried, crowded)
    for d, dashes in ((solid, None), (dashed, "9 5")):
        if d:
            add(parent, "path", d=d, stroke=PAPER, stroke_width=5.6, fill="none", stroke_linecap="round", opacity=0.85)
            add(parent, "path", d=d, stroke=colour, stroke_width=2.8, fill="none", stroke_dasharray=dashes)
    _head(parent, *tips[-1], colour)
    spent = {step.index: step for step in frame.steps}
    middles = [between(centres[i], centres[i + 1], 0.55) for i in range(len(centres) - 1)]
    middles = [_plus(middle, offset) for middle, offset in zip(middles, offsets, strict=True)]
    for step in range(1, len(centres)):
        if step in move.overruns:
            failed = move.failed and step == len(centres) - 1
            _burst(
                parent, middles[step - 1], str(format_mp(spent[step].total)) if step in spent else "", colour, failed
            )
    for step, (a, b) in enumerate(tips, 1):
        if step in spent and step not in move.overruns:
            middle = between(a, b, (0.62 if len(tips) == 1 else 0.56) if step == 1 else 0.5)
            _chip(
                parent,
                between(middle, _bend(a, b), 0.5) if step in carried else middle,
                str(format_mp(spent[step].total)),
                colour,
            )
    _number(parent, tips[0][0], index + 1, colour)
    if move.bogs:
        last = centres[-1]
        add(parent, "text", "bogged", x=last.x, y=last.y + 28, class_="tag", fill=colour)


def _paths(
    tips: Sequence[tuple[Point, Point]],
    centres: Sequence[Point],
    offsets: Sequence[Point],
    carried: Mapping[int, str],
    crowded: Container[int],
) -> tuple[str, str]:
    """Return the path of what is walked, and that of what is carried."""
    solid: list[str] = []
    dashed: list[str] = []
    for step, (a, b) in enumerate(tips, 1):
        path = dashed if step in carried else solid
        if step in carried:
            bend = _bend(a, b)
            path.append(f"M{_xy(a)}Q{_xy(bend)} {_xy(b)}")
            continue
        begin = a if step == 1 or step - 1 in carried else between(*tips[step - 2])
        if step == 1 or step - 1 in carried:
            path.append(f"M{_xy(begin)}")
        if step == len(tips) or step + 1 in carried:
            path.append(f"L{_xy(b)}")
        else:
            middle, onward = between(a, b), between(*tips[step])
            if step == 1:
                path.append(f"L{_xy(middle)}")
            corner = _plus(centres[step], between(offsets[step - 1], offsets[step]))
            if step in crowded:
                away = _aside(middle, onward, ROUND)
                away = away if away.y >= 0 else Point(-away.x, -away.y)
                path.append(f"C{_xy(_plus(middle, away))} {_xy(_plus(onward, away))} {_xy(onward)}")
            else:
                path.append(f"Q{_xy(corner)} {_xy(onward)}")
    return "".join(solid), "".join(dashed)


def _bend(a: Point, b: Point) -> Point:
    """Return the point towards which a passage bends, so that it isn't taken for a march."""
    middle = between(a, b)
    aside = _aside(a, b, distance(a, b) * 0.14)
    return Point(middle.x + aside.x, middle.y + aside.y)


def _xy(point: Point) -> str:
    return f"{number(point.x)} {number(point.y)}"


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
    add(
        parent,
        "rect",
        x=where.x - wide / 2,
        y=where.y - 4.6,
        width=wide,
        height=9.2,
        rx=4.6,
        fill=PAPER,
        stroke=colour,
        stroke_width=0.9,
    )
    add(parent, "text", text, x=where.x, y=where.y + 2.6, class_="mp", fill=colour)


def _number(parent: Element, where: Point, value: int, colour: str) -> None:
    """Write the number of a move."""
    add(parent, "circle", cx=where.x, cy=where.y, r=6.2, fill=colour, stroke=PAPER, stroke_width=1)
    size = {1: 9.0, 2: 7.4}.get(len(str(value)), 5.6)
    add(
        parent,
        "text",
        str(value),
        x=where.x,
        y=where.y + size * 0.35,
        font_size=size,
        font_weight="bold",
        text_anchor="middle",
        fill=PAPER,
    )


def draw_violations(
    parent: Element,
    where: Point,
    rules: Sequence[str],
    messages: Sequence[str],
    corners: str,
    good: bool = False,
    free: bool = False,
) -> None:
    """Mark a hex where rules are broken, with their paragraphs; or, if `good`, with what speaks for it: without an outline.

    `free` tells whether nothing stands in the hex, so that the mark fits into its middle.
    """
    colour, sign = (GOOD, "\N{CHECK MARK}") if good else (ILLEGAL, "\N{MULTIPLICATION SIGN}")
    low = 0.0 if good and free else 22.0
    group = add(parent, "g", transform=at(where.x, where.y))
    add(group, "title", "\n".join(messages))
    if corners and not good:
        add(group, "polygon", points=corners, fill="none", stroke=PAPER, stroke_width=5, transform="scale(.93)")
        add(group, "polygon", points=corners, fill="none", stroke=colour, stroke_width=2.6, transform="scale(.93)")
    text = f"{sign} " + ", ".join(dict.fromkeys(rule or "illegal" for rule in rules))
    wide = width_of(text, 8) + 6
    add(group, "rect", x=-wide / 2, y=low, width=wide, height=11.4, rx=3, fill=colour, stroke=PAPER, stroke_width=0.8)
    add(group, "text", text, y=low + 8.6, font_size=8, font_weight="bold", text_anchor="middle", fill="#ffffff")
