"""Counters: side colour, symbol of the type, printed values, steps; stacks that show who is in them; markers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from planner.draw.markup import Element, add, at, shortened, width_of, write
from planner.draw.palette import INK, ink_on, side_colours
from planner.draw.symbols import draw_sign
from planner.draw.vocabulary import MARKERS, UNITS, abbreviations, looks_for
from planner.formats.spoken_numbers import spoken_number
from planner.world.appearance import LookChart
from planner.world.charts import Forces
from planner.world.forces import Marker, Unit
from planner.world.position import Position

SIZE = 34.0
"""The side of a counter, in pixels."""

TOP, BOTTOM = -18.0, 22.0
"""Where counters may be in a hex, from its centre: above is the label, below what is said of the hex."""

FANNED = 4
"""Counters of a stack that are fanned; of a larger one the three uppermost are, and the others counted."""

UNSUPPLIED = "out_of_supply"


@dataclass(frozen=True)
class Style:
    """How a game's forces look.

    Attributes
    ----------
    forces : Forces
        The forces.
    colours : dict from sides to colours
        Of counters.
    symbols : dict from unit types to looks
        A look of `planner.draw.symbols`, or an abbreviation.
    signs : dict from marker types to looks
        Likewise.
    badges : dict from conditions to signs
        What is written beside the symbol of a unit in such a condition.
    """

    forces: Forces
    colours: dict[str, str]
    symbols: dict[str, str]
    signs: dict[str, str]
    badges: dict[str, str]


def style_of(forces: Forces, looks: LookChart, conditions: Iterable[str]) -> Style:
    """Return how a game's forces look; `conditions` are those that occur."""
    symbols = looks_for(forces.unit_types, UNITS, looks.unit_types)
    signs = looks_for(forces.marker_types, MARKERS, looks.marker_types)
    badges = abbreviations(sorted(set(conditions)))
    return Style(forces, side_colours(forces.sides, looks.sides), symbols, signs, badges)


def values_of(unit: Unit, forces: Forces) -> str:
    """Return the printed values of a unit, in the order of the game's counters."""
    numbers = {"attack": unit.attack, "defense": unit.defense, "strength": unit.attack, "ma": unit.ma}
    return "-".join(spoken_number(numbers[name]) for name in forces.counter)


def conditions_of(unit: Unit, forces: Forces, position: Position | None = None) -> tuple[str, ...]:
    """Return what is so of a unit beyond its type: traits of its own, and what has become of it in a position."""
    kind = forces.unit_types[unit.type]
    found = dict.fromkeys(sorted(unit.traits - set(kind.traits)))
    if unit.supplied is False:
        found[UNSUPPLIED] = None
    if position is not None:
        sorts = {"demoralized": position.demoralized, "bogged": position.bogged, "used": position.used}
        found.update(dict.fromkeys(name for name, those in sorts.items() if unit.id in those))
    return tuple(found)


def describe(unit: Unit, forces: Forces, conditions: Iterable[str] = ()) -> str:
    """Return a unit in words."""
    kind = forces.unit_types[unit.type].name or unit.type
    called = f"{unit.id}: {unit.name}" if unit.name and unit.name != unit.id else unit.id
    parts = [forces.sides[unit.side], kind, values_of(unit, forces)]
    parts += [forces.nationalities[name].name or name for name in unit.nationalities if name in forces.nationalities]
    parts += [f"{unit.steps} steps"] if unit.steps > 1 else []
    parts += [condition.replace("_", " ") for condition in conditions]
    return f"{called} ({', '.join(parts)})"


def define(defs: Element, name: str, unit: Unit, style: Style, symbol: str) -> None:
    """Add a unit's counter to the definitions, about the origin; `symbol` is the id of its type's symbol."""
    colour = style.colours[unit.side]
    ink = ink_on(colour)
    group = add(defs, "g", id=name)
    _blank(group, colour)
    size = min(6.4, 6.4 * 31 / max(width_of(unit.id, 6.4), 1))
    shown = unit.id if size >= 3.5 else shortened(unit.id, 3.5, 31)
    add(group, "text", shown, y=-10.6, font_size=max(size, 3.5), text_anchor="middle", fill=ink, font_weight="bold")
    add(group, "use", href=f"#{symbol}", transform=at(0, -2.2))
    values = values_of(unit, style.forces)
    size = min(10.0, 10.0 * 32 / max(width_of(values, 10.0), 1))
    add(group, "text", values, y=13.6, font_size=max(size, 4.0), text_anchor="middle", fill=ink, font_weight="bold")
    if 1 < unit.steps <= 4:
        for step in range(unit.steps):
            add(group, "circle", cx=13, cy=-6.6 + 3.6 * step, r=1.4, fill=ink)
    elif unit.steps > 4:
        add(group, "text", str(unit.steps), x=13, y=0, font_size=5.4, text_anchor="middle", fill=ink)
        add(group, "circle", cx=13, cy=-6.6, r=1.4, fill=ink)


@dataclass(frozen=True)
class Card:
    """A counter in a hex.

    Attributes
    ----------
    unit : str
        Its id.
    conditions : tuple of str
        See `conditions_of`.
    """

    unit: str
    conditions: tuple[str, ...] = ()


def fan(count: int) -> list[tuple[float, float, float]]:
    """Return where the counters of a stack go, the lowest first: x, y and scale; at most `FANNED`."""
    if count == 0:
        return []
    shown = min(count, FANNED)
    scale, strip = {1: (1.0, 0.0), 2: (0.94, 7.6), 3: (0.8, 6.5), 4: (0.69, 5.5)}[shown]
    side = SIZE * scale
    low = 3.0 if shown == 1 else BOTTOM - side / 2
    return [(1.3 * (shown - 1 - i) - 0.65 * (shown - 1), low - strip * (shown - 1 - i), scale) for i in range(shown)]


def draw_stack(parent: Element, cards: Sequence[Card], units: Mapping[str, Unit], style: Style, prefix: str) -> None:
    """Draw the counters of a hex about its centre, the last of them on top."""
    places = fan(len(cards))
    hidden = cards[: len(cards) - len(places) + 1] if len(cards) > FANNED else ()
    if hidden:
        x, y, scale = places.pop(0)
        for card in hidden:  # they are there, though under the others
            draw_card(parent, card, units[card.unit], style, prefix, at(x, y, scale))
        group = add(parent, "g", transform=at(x, y, scale), class_="more")
        add(group, "title", f"{len(hidden)} more: {', '.join(card.unit for card in hidden)}")
        _blank(group, "#ffffff")
        text = f"+{len(hidden)} more"
        add(group, "text", text, y=-10.4, font_size=6.6, text_anchor="middle", fill=INK, font_weight="bold")
    for card, (x, y, scale) in zip(cards[len(hidden) :], places, strict=True):
        draw_card(parent, card, units[card.unit], style, prefix, at(x, y, scale))


def _blank(parent: Element, colour: str) -> None:
    half = SIZE / 2
    add(parent, "rect", x=-half, y=-half, width=SIZE, height=SIZE, rx=3, fill=colour, stroke=INK, stroke_width=1.1)


def draw_card(parent: Element, card: Card, unit: Unit, style: Style, prefix: str, transform: str) -> None:
    """Draw one counter."""
    group = add(parent, "g", transform=transform, data_unit=unit.id, class_="unit")
    add(group, "title", describe(unit, style.forces, card.conditions))
    add(group, "use", href=f"#{prefix}-c-{unit.id}")
    for index, condition in enumerate(card.conditions[:2]):
        text = style.badges[condition] if index == 0 or len(card.conditions) == 2 else f"+{len(card.conditions) - 1}"
        y = -5.2 + 6.6 * index
        add(group, "rect", x=-16.4, y=y - 3, width=7, height=6, rx=1.4, fill="#ffffff", stroke=INK, stroke_width=0.5)
        add(group, "text", text, x=-12.9, y=y + 1.6, font_size=4.2, text_anchor="middle", fill=INK, font_weight="bold")


def draw_distant(parent: Element, colour: str, count: int, side: float, where: tuple[float, float]) -> None:
    """Draw what stands for counters that are too small to be read: a plain square with their number, if not one.

    Parameters
    ----------
    parent : Element
        Where it goes.
    colour : str
        That of the side of the uppermost.
    count : int
        How many they are.
    side : float
        How large the square is, in pixels of the map.
    where : (float, float)
        Its middle.
    """
    group = add(parent, "g", class_="far", transform=at(*where))
    half, width = side / 2, side * 0.05
    box = {"x": -half, "y": -half, "width": side, "height": side, "rx": side * 0.16}
    add(group, "rect", **box, fill=colour, stroke=INK, stroke_width=width)
    if count > 1:
        write(group, str(count), side * 0.27, side * (0.78 if count < 10 else 0.62), ink_on(colour))


def describe_marker(marker: Marker, forces: Forces) -> str:
    """Return a marker in words."""
    kind = forces.marker_types[marker.type].name or marker.type
    parts = [forces.sides[marker.side]]
    if marker.nationality in forces.nationalities:
        parts.append(forces.nationalities[marker.nationality].name or marker.nationality)
    parts += ["used"] if marker.used else []
    return f"{marker.id}: {kind} ({', '.join(parts)})"


def draw_marker(parent: Element, marker: Marker, style: Style, transform: str, used: bool) -> None:
    """Draw a marker: a disc of its side's colour with the sign of its type."""
    colour = style.colours[marker.side]
    group = add(parent, "g", transform=transform, data_marker=marker.id, class_="marker")
    add(group, "title", describe_marker(marker, style.forces))
    add(group, "circle", r=6.6, fill=colour, stroke=INK, stroke_width=0.9, opacity=0.45 if used else None)
    draw_sign(add(group, "g", transform=at(0, 0, 0.86)), style.signs[marker.type], ink_on(colour))
    if used:
        add(group, "path", d="M-5.4 5.4L5.4-5.4", stroke=INK, stroke_width=1.4)
