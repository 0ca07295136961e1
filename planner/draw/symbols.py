"""Symbols of unit types after NATO's (APP-6), as counters have long borne them, and small signs for markers and hexes.

Every symbol is drawn about the origin, in a box of `WIDTH` by `HEIGHT`; small signs in a square of 10 by 10.
"""

from __future__ import annotations

from planner.draw.markup import Element, add, write
from planner.draw.palette import INK

WIDTH, HEIGHT = 18.0, 12.0

_CROSS = "M-9-6L9 6M-9 6L9-6"
_OVAL = "M-3.5-3.6H3.5A3.6 3.6 0 0 1 3.5 3.6H-3.5A3.6 3.6 0 0 1-3.5-3.6Z"
_DOT = "M-2.4 0a2.4 2.4 0 1 1 4.8 0a2.4 2.4 0 1 1-4.8 0Z"
_ANCHOR = "M0-4.4V4.6M-2.4-2.4H2.4M-4 1.4Q-3.4 4.6 0 4.6Q3.4 4.6 4 1.4"
_WHEEL = "M-3.6 0a3.6 3.6 0 1 1 7.2 0a3.6 3.6 0 1 1-7.2 0ZM-3.6 0H3.6M0-3.6V3.6M-2.5-2.5L2.5 2.5M-2.5 2.5L2.5-2.5"

LINES = {
    "infantry": _CROSS,
    "motorized": f"{_CROSS}M0-6V6",
    "mechanized": _CROSS + _OVAL,
    "armor": _OVAL,
    "cavalry": "M-9 6L9-6",
    "armored_cavalry": f"M-9 6L9-6{_OVAL}",
    "mortar": "M-2 3a2 2 0 1 1 4 0a2 2 0 1 1-4 0ZM0 1V-5M-2.4-2.6L0-5L2.4-2.6",
    "machine_gun": "M0 5V-5M-2.6-2.4L0-5L2.6-2.4M-3 5H3M-4 1H4",
    "engineer": "M-5 3.4V-2.6H5V3.4M0-2.6V3.4",
    "airborne": f"{_CROSS}M-4 5.4Q-2 2 0 5.4Q2 2 4 5.4",
    "marine": _CROSS + _ANCHOR,
    "static": f"{_CROSS}M-9 3.4H9",
    "fortress": "M-6 4.5V-3.5H-3.4V-1H-1.4V-3.5H1.4V-1H3.4V-3.5H6V4.5Z",
    "naval": _ANCHOR,
    "port": f"{_ANCHOR}M-7-5H7",
    "supply": "M-9 2.6H9",
    "transport": _WHEEL,
    "air_base": "M-5 0a5 5 0 1 1 10 0a5 5 0 1 1-10 0ZM-3-3L3 3M-3 3L3-3",
    "hedgehog": "M-4 0a4 4 0 1 1 8 0a4 4 0 1 1-8 0ZM-7 0H-4M7 0H4M0-6V-4M0 6V4M-5-5L-3-3M5-5L3-3M-5 5L-3 3M5 5L3 3",
}
"""What is drawn in outline."""

SOLID = {
    "artillery": _DOT,
    "field_artillery": "M-4.4 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0ZM.4 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0Z",
    "air": "M0 0Q3.4-4.4 7-3Q8.6 0 7 3Q3.4 4.4 0 0Q-3.4-4.4-7-3Q-8.6 0-7 3Q-3.4 4.4 0 0Z",
}
"""What is filled."""

WORDS = {"headquarters": "HQ", "security": "SEC", "irregular": "IRR"}
"""What is written."""


def define(defs: Element, name: str, look: str) -> None:
    """Add the symbol of a look to the definitions; a look of no list is written as it stands: an abbreviation."""
    group = add(defs, "g", id=name, stroke_linejoin="round", stroke_linecap="butt")
    box = {"x": -WIDTH / 2, "y": -HEIGHT / 2, "width": WIDTH, "height": HEIGHT}
    add(group, "rect", **box, fill="#fffdf2", stroke=INK, stroke_width=1.1)
    if look in LINES:
        add(group, "path", d=LINES[look], fill="none", stroke=INK, stroke_width=1.1)
    elif look in SOLID:
        add(group, "path", d=SOLID[look], fill=INK)
    else:
        text = WORDS.get(look, look)
        size = 8.5 if len(text) < 3 else 7.0
        write(group, text, size * 0.36, size, INK)


SIGNS = {
    "city": ("M-4.5 4V-1L-2-3.4L.5-1V4ZM.5 4V-4H4.5V4Z", True),
    "port": ("M0-4.6V4.4M-2.4-2.6H2.4M-4.2 1.2Q-3.4 4.4 0 4.4Q3.4 4.4 4.2 1.2", False),
    "fortress": ("M-4.5 4V-4H-2.4V-1.6H-1V-4H1V-1.6H2.4V-4H4.5V4Z", True),
    "objective": ("M0-5L1.4-1.7L4.8-1.5L2.2 .8L3 4.2L0 2.4L-3 4.2L-2.2 .8L-4.8-1.5L-1.4-1.7Z", True),
    "capital": ("M0-5L1.4-1.7L4.8-1.5L2.2 .8L3 4.2L0 2.4L-3 4.2L-2.2 .8L-4.8-1.5L-1.4-1.7ZM-5-5H5V5H-5Z", False),
    "factory": ("M-4.5 4V-1L-1.5-3V-1L1.5-3V-1H2.4V-4.4H4.4V4Z", True),
    "depot": ("M-4.5 3.6V-1L0-4.4L4.5-1V3.6ZM-4.5 1.4H4.5", False),
    "limit": ("M-4-4H4V4H-4ZM-4 4L4-4", False),
    "convoy": ("M-5 .6H5L3.4 3.8H-3.6ZM-2 .6V-2.2H2V.6M0-2.2V-4.6", False),
    "beachhead": ("M-4.6 3.6Q0-6 4.6 3.6M-4.6 3.6H4.6M0 3.6V-1.4", False),
    "wire": ("M-5 0H5M-4-2.4L-1.4 2.4M-4 2.4L-1.4-2.4M1.4-2.4L4 2.4M1.4 2.4L4-2.4", False),
    "airdrop": ("M-4.6-.4A4.6 4.2 0 0 1 4.6-.4ZM-4.6-.4L0 4.6L4.6-.4M0-.4V4.6", False),
    "base": ("M-4 4V-4M-4-4H3.6L1.6-1.8L3.6 .4H-4", False),
    "supply": ("M-4.4-3H4.4V3.4H-4.4ZM-4.4 1H4.4", False),
}
"""Small signs: a path, and whether it is filled."""


def draw_sign(parent: Element, look: str, ink: str = INK) -> None:
    """Draw a small sign about the origin; a look of no list is written: an abbreviation."""
    if look in SIGNS:
        path, filled = SIGNS[look]
        fill = ink if filled else "none"
        add(parent, "path", d=path, fill=fill, stroke=ink, stroke_width=1.1, stroke_linejoin="round")
    else:
        size = 7.0 if len(look) < 3 else 5.0
        write(parent, look, size * 0.36, size, ink)
