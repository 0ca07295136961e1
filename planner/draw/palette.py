"""Colours that colour-blind people can tell apart.

Sides have the eight colours of M. Okabe and K. Ito (*Color Universal Design*, 2008; B. Wong, *Nature Methods* 8, 2011, 441),
which were chosen to differ under protanopia, deuteranopia and tritanopia; dark grey stands in for their black, on which no
black symbol would be seen. Everything else that has a colour has a pattern, a shape or a text as well, so that a grey print
tells it apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

SIDES = {
    "blue": "#0072b2",
    "orange": "#e69f00",
    "green": "#009e73",
    "purple": "#cc79a7",
    "vermilion": "#d55e00",
    "sky": "#56b4e9",
    "yellow": "#f0e442",
    "grey": "#505050",
}
"""Colours of counters, in the order in which sides get them."""

INK = "#1a1a1a"
PAPER = "#fffdf6"
GROUND = "#f7f3e6"
"""On which the map of a page lies."""
EZOC = "#c1272d"
REACH = ("#deebf7", "#08519c")
"""From the dearest hex to the cheapest one: one hue, so that lightness tells the MP."""
ILLEGAL = "#d00000"
GOOD = "#005a9c"
OBJECTIVE = "#ffd23f"
ARROW = "#111111"
ATTACK = "#8c2d04"


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb``, from 0 to 1 (WCAG 2.1)."""

    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2.1)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def ink_on(colour: str) -> str:
    """Return black or white, whichever is read better on a colour."""
    return max((INK, "#ffffff"), key=lambda ink: contrast(ink, colour))


def mix(one: str, other: str, share: float) -> str:
    """Return a colour between two: `share` 0 is the first, 1 the second."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def side_colours(sides: Iterable[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return a colour for each side: the one chosen, or the first that none has; beyond eight sides they come again."""
    sides = list(sides)
    taken = {chosen[side] for side in sides if side in chosen}
    free = [name for name in SIDES if name not in taken] or list(SIDES)
    found, others = {}, 0
    for side in sides:
        if side in chosen:
            found[side] = SIDES[chosen[side]]
        else:
            found[side] = SIDES[free[others % len(free)]]
            others += 1
    return found
