"""What a unit can reach, as shaded hexes."""

from __future__ import annotations

from collections.abc import Container, Mapping
from fractions import Fraction

from planner.draw.geometry import Point
from planner.draw.markup import Element, add, at, points
from planner.draw.palette import INK, PAPER, REACH, mix
from planner.formats.spoken_numbers import spoken_number
from planner.search.reachable import Reachable, ReachReport


def shade(mp: Fraction, ma: Fraction) -> str:
    """Return the colour of a hex that costs so many MP of an allowance: the cheaper, the darker."""
    share = 1 - min(float(mp / ma), 1.0) if ma else 0.0
    return mix(REACH[0], REACH[1], 0.1 + 0.7 * share)


def draw(
    parent: Element,
    report: ReachReport,
    where: Mapping[str, Point],
    corners: tuple[Point, ...],
    hatch: str,
    occupied: Container[str] = (),
) -> tuple[bool, bool, bool]:
    """Shade what a unit reaches by itself, and hatch what it reaches with help alone.

    Parameters
    ----------
    parent : Element
        Where it goes.
    report : ReachReport
        What the unit reaches.
    where : mapping from labels to Point
        The middle of hexes and boxes.
    corners : tuple of Point
        Of a hex, about its centre.
    hatch : str
        The id of the pattern of what needs help.
    occupied : container of str
        The places where counters leave no room for large numbers.

    Returns
    -------
    tuple of three bool
        Whether anything was shaded, hatched, marked as a stop.
    """
    shown = [(entry, shade(entry.mp, report.ma), "") for entry in report.alone]
    shown += [(entry, f"url(#{hatch})", " with help") for entry in report.with_help]
    for entry, fill, how in shown:
        group = add(parent, "g", transform=at(*where[entry.hex]), data_reach=entry.hex, class_="reach")
        add(group, "title", f"{entry.hex}: {spoken_number(entry.mp)} MP{how}{_remarks(entry)}")
        add(
            group, "polygon", points=points(corners), fill=fill, fill_opacity=0.72, stroke="#08306b",
            stroke_width=1.1, transform="scale(.94)",
        )  # fmt: skip
        text = spoken_number(entry.mp) + ("\N{BLACK SQUARE}" if entry.stop else "")
        low, size = (30.5, 11) if entry.hex in occupied else (8.0, 16)
        style = {"font_weight": "bold", "text_anchor": "middle", "fill": INK}
        add(group, "text", text, y=low, font_size=size, stroke=PAPER, stroke_width=3, stroke_linejoin="round", **style)
        add(group, "text", text, y=low, font_size=size, **style)
    return bool(report.alone), bool(report.with_help), any(entry.stop for entry, _, _ in shown)


def _remarks(entry: Reachable) -> str:
    parts = [str(help_) for help_ in entry.help]
    parts += [entry.losses] if entry.losses else []
    parts += [f"carried across {' and '.join(entry.zones)}"] if entry.zones else []
    parts += [f"must stop, {paragraph}" for paragraph, _ in entry.stop]
    parts += [f"with probability {entry.chance}"] if entry.chance != 1 else []
    return f" ({'; '.join(parts)})" if parts else ""
