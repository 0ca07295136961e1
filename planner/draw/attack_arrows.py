"""Attacks as broad arrows across hexsides, with their odds before and after shifts."""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, degrees

from planner.draw.geometry import Point, between, distance
from planner.draw.markup import Element, add, at, number, width_of, write
from planner.draw.palette import ATTACK, ILLEGAL, PAPER
from planner.rules.attack_referee import AssessedAttack

FROM, TO = 26.0, 22.0
"""How far from the middles of its hexes an arrow begins and ends, in pixels."""
ASIDE = 21.0
"""How far aside one from afar runs."""


def draw_attack(
    parent: Element,
    told: AssessedAttack,
    arrows: Iterable[tuple[Point, Point, bool]],
    marks: Iterable[Point],
    faulty: bool,
) -> None:
    """Draw an attack.

    Parameters
    ----------
    parent : Element
        Where it goes.
    told : AssessedAttack
        What it comes to.
    arrows : iterable of (Point, Point, bool)
        From the middle of which hex to that of which, and whether from afar; the first lie below the others.
    marks : iterable of Point
        Where the odds are written: at the left edge of what is written there.
    faulty : bool
        Whether the attack is illegal.
    """
    colour = ILLEGAL if faulty else ATTACK
    add(parent, "title", str(told))
    for a, b, afar in arrows:
        length = distance(a, b) or 1.0
        if afar:  # beside the counters between them
            aside = Point((a.y - b.y) / length * ASIDE, (b.x - a.x) / length * ASIDE)
            a, b = a.plus(aside), b.plus(aside)
        begin, end = between(a, b, min(FROM / length, 0.45)), between(b, a, min((4.0 if afar else TO) / length, 0.4))
        _arrow(parent, begin, end, colour, "5 3" if afar else None)
    text = told.shifted if told.shifted == told.odds else f"{told.odds} \N{RIGHTWARDS ARROW} {told.shifted}"
    text = text if told.results else f"< {told.odds}"
    wide = width_of(text, 9) + 8
    for mark in marks:
        tag = add(parent, "g", transform=at(mark.x + wide / 2, mark.y))
        add(tag, "rect", x=-wide / 2, y=-6.4, width=wide, height=12.8, rx=2, fill=colour, stroke=PAPER, stroke_width=1)
        write(tag, text, 3.2, 9, "#ffffff")


def sign(parent: Element) -> None:
    """Draw a short one."""
    _arrow(parent, Point(-15, 0), Point(15, 0), ATTACK, None)


def _arrow(parent: Element, a: Point, b: Point, colour: str, dashes: str | None) -> None:
    length, turn = distance(a, b), number(degrees(atan2(b.y - a.y, b.x - a.x)))
    neck = max(length - 9.0, 2.0)
    d = f"M0-3.4H{number(neck)}V-8L{number(length)} 0L{number(neck)} 8V3.4H0Z"
    add(
        parent, "path", d=d, fill=PAPER, fill_opacity=0.92, stroke=colour, stroke_width=2.2, stroke_linejoin="round",
        stroke_dasharray=dashes, transform=f"translate({number(a.x)} {number(a.y)}) rotate({turn})",
    )  # fmt: skip
