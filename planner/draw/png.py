"""Pictures as PNG, by resvg, which draws SVG without a browser; the extra ``png`` brings it."""

from __future__ import annotations

import re

from planner.draw.markup import FONTS
from planner.errors import InputError, Problem

LARGEST = 16_000
"""Pixels; a picture with a longer side would not be opened by many programs."""

ZOOM = 2.0
"""Pixels of the PNG for one of the SVG, where there is room."""


def available() -> None:
    """Ensure that PNG can be made.

    Raises
    ------
    InputError
        If the extra isn't installed.
    """
    try:
        import resvg_py  # noqa: F401
    except ImportError as error:
        raise InputError([Problem("PNG needs another package: pip install resvg-py", "--output")]) from error


def png(svg: str) -> bytes:
    """Return an SVG as PNG.

    Raises
    ------
    InputError
        If the extra isn't installed, or no font is.
    """
    available()
    import resvg_py

    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert size is not None
    longest = max(float(size[1]), float(size[2]))
    if not has_font():
        raise InputError([Problem("PNG needs a font: install DejaVu Sans, say", "--output")])
    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, zoom=min(ZOOM, LARGEST / longest), sans_serif_family="DejaVu Sans")
    )


def has_font() -> bool:
    """Tell whether there is a font: a letter must leave something behind."""
    import resvg_py

    def drawn(text: str) -> bytes:
        inside = f'<text x="2" y="16" font-family="{FONTS}">{text}</text>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{inside}</svg>'
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, sans_serif_family="DejaVu Sans"))

    return drawn("W") != drawn("")
