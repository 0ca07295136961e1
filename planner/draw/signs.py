"""Small drawings about the origin of their element: on the map, and in the legend."""

from __future__ import annotations

from planner.draw import arrows, symbols
from planner.draw.geometry import Point
from planner.draw.markup import Element, add, at, points, write
from planner.draw.palette import EZOC, INK, OBJECTIVE, PAPER


def line(parent: Element, colour: str, width: float, dashes: str | None) -> None:
    """Draw a line."""
    add(parent, "path", d="M-15 0H15", stroke=colour, stroke_width=width, stroke_dasharray=dashes, fill="none")


def patch(parent: Element, fill: str) -> None:
    """Draw a patch of a colour or pattern."""
    add(parent, "rect", x=-13, y=-9, width=26, height=18, fill=fill, stroke="#8d8570", stroke_width=0.7)


def reference(parent: Element, to: str, transform: str | None = None) -> None:
    """Draw what the definitions have under an id."""
    add(parent, "use", href=f"#{to}", transform=transform)


def word(parent: Element, text: str) -> None:
    """Write a short text."""
    write(parent, text, 4, 11, INK)


def ezoc(parent: Element, prefix: str, corners: tuple[Point, ...], negated: bool) -> None:
    """Tint a hex in an EZOC, or outline one whose EZOCs are negated."""
    if negated:
        add(
            parent, "polygon", points=points(corners), fill="none", stroke=EZOC, stroke_width=2.2, stroke_dasharray="2.4 4",
            transform="scale(.9)", class_="negated",
        )  # fmt: skip
    else:
        add(parent, "polygon", points=points(corners), fill=f"url(#{prefix}-ezoc)", class_="ezoc")


def sign(parent: Element, look: str) -> None:
    """Draw a small sign on its card."""
    add(parent, "rect", x=-6.4, y=-6.4, width=12.8, height=12.8, rx=2.4, fill=PAPER, stroke="#6d6654", stroke_width=0.7)
    symbols.draw_sign(add(parent, "g", transform=at(0, 0, 0.94)), look)


def star(parent: Element) -> None:
    """Mark what the objective asks for."""
    path, _ = symbols.SIGNS["objective"]
    add(
        parent, "path", d=path, fill=OBJECTIVE, stroke=INK, stroke_width=0.9, transform="scale(1.3)", stroke_linejoin="round"
    )  # fmt: skip


def target(parent: Element) -> None:
    """Mark an enemy that the objective is about."""
    add(parent, "circle", r=4.6, fill=OBJECTIVE, stroke=INK, stroke_width=0.9)
    d = "M-6.2 0H6.2M0-6.2V6.2M-2 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0Z"
    add(parent, "path", d=d, fill="none", stroke=INK, stroke_width=0.9)


def flag(parent: Element, colour: str) -> None:
    """Draw the flag of a side."""
    d = "M-3.6 5V-5H4.4L2.4-2.4L4.4 .2H-3.6"
    add(parent, "path", d=d, fill=colour, stroke=INK, stroke_width=0.9, stroke_linejoin="round")


def chip(parent: Element, colour: str) -> None:
    """Draw a blank counter."""
    add(parent, "rect", x=-11, y=-9, width=22, height=18, rx=2.4, fill=colour, stroke=INK, stroke_width=1)


def badge(parent: Element, text: str, colour: str = INK) -> None:
    """Draw the badge of a condition."""
    add(parent, "rect", x=-8, y=-6, width=16, height=12, rx=2.4, fill="#ffffff", stroke=INK, stroke_width=0.7)
    write(parent, text, 3.2, 8.6, colour)


def arrow(parent: Element) -> None:
    """Draw a short arrow with a number and its MP."""
    line(parent, INK, 2.6, None)
    add(parent, "polygon", points="17,0 8,5 10,0 8,-5", fill=INK)
    add(parent, "circle", cx=-11, cy=0, r=6, fill=INK)
    write(parent, "1", 3, 8.4, PAPER, -11)
    add(parent, "rect", x=-2.5, y=-4.4, width=9, height=8.8, rx=4.4, fill=PAPER, stroke=INK, stroke_width=0.8)
    add(parent, "text", "2", x=2, y=2.6, class_="mp", fill=INK)


def overrun(parent: Element) -> None:
    """Draw the burst of an overrun."""
    add(parent, "path", d=arrows.BURST, fill="#f0c419", stroke=INK, stroke_width=1.2)
    add(parent, "text", "2", y=2.6, class_="mp", fill=INK)
