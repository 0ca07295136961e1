"""Writes SVG. ElementTree escapes whatever a file may hold; what XML can't hold is replaced before."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable

from planner.printable import STEERING

Element = ET.Element

FONTS = "'DejaVu Sans', Verdana, 'Noto Sans', 'Liberation Sans', 'Segoe UI', Helvetica, Arial, sans-serif"
"""Fonts of pictures, the first that there is."""

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_NOT_XML = re.compile("[\ufffe\uffff]")


def clean(text: str) -> str:
    """Return a text as a picture may show it: what XML can't hold, or steers whoever shows it, is replaced."""
    return STEERING.sub(_replaced, _NOT_XML.sub(_REPLACEMENT, text))


def _replaced(found: re.Match[str]) -> str:
    return found[0] if found[0] in "\t\n\r" else _REPLACEMENT


def number(value: float) -> str:
    """Write a length with at most one decimal: a tenth of a pixel is nothing, and files stay small."""
    text = f"{value:.1f}"
    return "0" if text == "-0.0" else text.removesuffix(".0")


def add(parent: Element | None, tag: str, text: str | None = None, /, **attributes: str | float | None) -> Element:
    """Add an element.

    Parameters
    ----------
    parent : Element or None
        Where it goes; None: nowhere yet.
    tag : str
        Its name.
    text : str, optional
        Its text.
    **attributes
        ``stroke_width`` stands for ``stroke-width``, ``class_`` for ``class``; None is left out.
    """
    written = {
        key.rstrip("_").replace("_", "-"): clean(value) if isinstance(value, str) else number(value)
        for key, value in attributes.items()
        if value is not None
    }
    element = ET.Element(tag, written) if parent is None else ET.SubElement(parent, tag, written)
    if text:
        element.text = clean(text)
    return element


def write(parent: Element, text: str, y: float, size: float, ink: str, x: float | None = None) -> None:
    """Write something in bold about a point of its base line; absent: x is that of the parent."""
    add(parent, "text", text, x=x, y=y, font_size=size, font_weight="bold", text_anchor="middle", fill=ink)


def at(x: float, y: float, scale: float = 1) -> str:
    """Return a ``transform`` that puts something somewhere."""
    moved = f"translate({number(x)} {number(y)})"
    return moved if scale == 1 else f"{moved} scale({scale:.3g})"


def points(corners: Iterable[tuple[float, float]]) -> str:
    """Return the ``points`` of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def xy(point: tuple[float, float]) -> str:
    """Return a point as paths have it."""
    return f"{number(point[0])} {number(point[1])}"


def text_of(root: Element) -> str:
    """Return an element as text."""
    return ET.tostring(root, encoding="unicode")


def width_of(text: str, size: float) -> float:
    """Estimate how wide a text is, in pixels; a little too wide rather than too narrow."""
    wide = sum(0.9 if sign in "MWmw@%—" else 0.38 if sign in "iljtfI.,:;'|!()[] -" else 0.64 for sign in text)
    return wide * size


def shortened(text: str, size: float, room: float) -> str:
    """Return a text, or as much of it as the room holds, with an ellipsis."""
    if width_of(text, size) <= room:
        return text
    # What differs between names is often their end.
    for kept in range(len(text) - 1, 1, -1):
        tail = min(3, kept // 2)
        short = f"{text[: kept - tail]}…{text[len(text) - tail :]}"
        if width_of(short, size) <= room:
            return short
    return text[:1] + "…"


def lines_of(text: str, size: float, room: float) -> list[str]:
    """Fold a text into lines that the room holds; a word longer than a line is shortened."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(shortened(word, size, room))
    return lines
