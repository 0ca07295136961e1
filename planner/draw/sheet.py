"""The map of a picture, layer by layer: hexes, hexsides, areas, EZOCs, signs, counters, arrows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from planner.draw import counters, hexsides, symbols, terrain
from planner.draw.counters import Card
from planner.draw.counters_layer import CountersLayer
from planner.draw.frames import Frame
from planner.draw.geometry import Layout, Point
from planner.draw.ground_layer import GroundLayer
from planner.draw.legend import Entry, Heading, Item
from planner.draw.markup import Element, add
from planner.draw.moves_layer import MovesLayer
from planner.draw.notes import Note
from planner.draw.objectives import wanted
from planner.draw.palette import EZOC
from planner.draw.panels import PanelsLayer
from planner.draw.vocabulary import HEX_TRAITS, looks_for
from planner.scenario import Scenario
from planner.search.reachable import ReachReport
from planner.world.board import Hex
from planner.world.forces import Marker

WEATHER = (
    ("M2 8q2-3 4 0M8 3q2-3 4 0", "#5c4326"),
    ("M3 3l-2 5M9 6l-2 5", "#1f4e79"),
    ("M3 1v4M1 3h4M9 7v4M7 9h4", "#4a6fa5"),
)
"""Patterns of weather: a path, and its colour."""


@dataclass(eq=False)
class Sheet:
    """Draws a map with what stands on it.

    Parameters
    ----------
    scenario : Scenario
        The position.
    frames : sequence of Frame
        Positions, each with the move that led to it.
    shown : int
        The frame that is seen at first.
    every : bool
        Whether the other frames are drawn as well, hidden, for a page that steps through them.
    prefix : str
        With what ids begin, so that several pictures fit into one page.
    report : ReachReport, optional
        What a unit reaches.
    notes : sequence of Note
        What else is to be said of hexes.
    """

    scenario: Scenario
    frames: Sequence[Frame]
    shown: int
    every: bool
    prefix: str
    report: ReachReport | None
    notes: Sequence[Note]

    def __post_init__(self) -> None:
        self.game, self.board = self.scenario.game, self.scenario.game.board
        rulebook = self.game.rulebook
        self.forces, looks = rulebook.forces, rulebook.looks
        self.layout = Layout(self.board, looks.sheets)
        self.terrains = terrain.styles(rulebook.terrain.terrain, looks.terrain)
        self.hexsides = hexsides.styles(rulebook.terrain, looks.hexsides)
        traits = self.forces.hex_traits
        found = looks_for([name for name in traits if name not in looks.hex_traits], HEX_TRAITS, {})
        self.traits = {name: looks.hex_traits.get(name) or found[name] for name in traits}
        self.cards = [
            {label: self.cards_in(frame, label) for label in frame.position.occupied()} for frame in self.frames
        ]
        units = dict.fromkeys(u for frame in self.frames for u in (*frame.position.at, *frame.position.boxes))
        self.units = [self.game.units[unit] for unit in units]
        considered = self.cards if self.every else [self.cards[self.shown]]
        self.occupied = {label for state in considered for label in state} | {m.at for m in self.game.situation.markers}
        seen = [card for state in considered for cards in state.values() for card in cards]
        conditions = {condition for card in seen for condition in card.conditions}
        self.style = counters.style_of(self.forces, looks, conditions)
        self.places, self.enemies = wanted(self.scenario)
        self.legend: dict[str, list[Item]] = {}
        self.panels = PanelsLayer(self)
        self.where: dict[str, Point] = {}

    # -- what stands where

    def cards_in(self, frame: Frame, label: str) -> tuple[Card, ...]:
        """Return the counters in a place, the lowest first."""
        units, position = self.game.units, frame.position
        return tuple(Card(u, counters.conditions_of(units[u], self.forces, position)) for u in position.units_in(label))

    def markers(self, frame: Frame, label: str) -> tuple[Marker, ...]:
        """Return the markers that lie in a place."""
        return tuple(m for m in self.game.markers_at(label) if m.id not in frame.position.lost)

    def timed(self, parent: Element, start: int, end: int, **attributes: str | float | None) -> Element | None:
        """Add a group that is seen from a frame until another; None where nothing of it is to be drawn."""
        seen = start <= self.shown < end
        if not self.every:
            return add(parent, "g", **attributes) if seen else None
        if start == 0 and end == len(self.frames):
            return add(parent, "g", **attributes)
        classes = (attributes.pop("class_", None), None if seen else "off")
        class_ = " ".join(name for name in classes if isinstance(name, str)) or None
        return add(parent, "g", class_=class_, data_from=str(start), data_to=str(end), **attributes)

    def near(self, parent: Element) -> Element:
        """Return where counters go that a page hides where they are too small to be read; see `far`."""
        return add(parent, "g", class_="near") if self.every else parent

    def far(self, parent: Element, cards: Sequence[Card], side: float, where: tuple[float, float]) -> None:
        """Draw what a page shows instead of counters that are too small to be read."""
        if self.every and cards:
            colour = self.style.colours[self.game.units[cards[-1].unit].side]
            counters.draw_distant(parent, colour, len(cards), side, where)

    def note(self, part: str, text: str, draw: Callable[[Element], None] | None = None) -> None:
        """Add an entry to a part of the legend."""
        self.legend.setdefault(part, []).append(Entry(text, draw))

    # -- drawing

    def define(self, defs: Element) -> None:
        """Add what is used more than once."""
        p = self.prefix
        self.drawings: dict[tuple[str, ...], str] = {}
        hexes = self.board.hexes.values()
        for key, version in dict.fromkeys((terrain.key_of(one), terrain.version_of(one.label)) for one in hexes):
            name = self.drawings.setdefault(key, f"{p}-t{len(self.drawings)}")
            styles = [self.terrains[part] for part in key]
            terrain.define(defs, f"{name}-{version}", styles[0], tuple(styles[1:]), version, self.layout)
        types = {unit.type for unit in self.units}
        self.types = [name for name in self.forces.unit_types if name in types]
        for name in self.types:
            symbols.define(defs, f"{p}-u-{name}", self.style.symbols[name])
        for unit in self.units:
            counters.define(defs, f"{p}-c-{unit.id}", unit, self.style, f"{p}-u-{unit.type}")

        def pattern(name: str, size: float, turn: str | None = None) -> Element:
            units = "userSpaceOnUse"
            return add(
                defs, "pattern", id=f"{p}-{name}", width=size, height=size, patternUnits=units, patternTransform=turn
            )

        hatch = pattern("hatch", 7, "rotate(45)")
        add(hatch, "rect", width=7, height=7, fill="#ffffff")
        add(hatch, "rect", width=2.6, height=7, fill="#2171b5")
        lines = pattern("ezoc", 6, "rotate(-45)")
        add(lines, "rect", width=6, height=6, fill=EZOC, fill_opacity=0.11)
        add(lines, "rect", width=1.1, height=6, fill=EZOC, fill_opacity=0.36)
        for index, (d, colour) in enumerate(WEATHER):
            add(pattern(f"weather{index}", 12), "path", d=d, fill="none", stroke=colour, stroke_width=1.2)

    def draw(self, parent: Element, panels: Callable[[Element], None]) -> None:
        """Draw every layer.

        Parameters
        ----------
        parent : Element
            Where the map's upper left corner is the origin.
        panels : callable
            Draws the boxes beside the map before what lies on them, and fills `where` with their middles.

        Notes
        -----
        On a page `dusk` lies over the ground, but under whatever stands on it: a rectangle that the page lays over all of
        the map, and shows where it is dark.
        """
        self.where = dict(self.layout.centres)
        ground, standing, movement = GroundLayer(self), CountersLayer(self), MovesLayer(self)
        ground.draw_hexes(add(parent, "g", class_="hexes"))
        ground.draw_weather(add(parent, "g", class_="quiet"))
        ground.draw_hexsides(add(parent, "g", class_="quiet"))
        ground.draw_borders(add(parent, "g", class_="quiet"))
        ground.draw_ezocs(add(parent, "g", class_="ezocs"))
        panels(parent)
        ground.draw_reach(add(parent, "g"))
        ground.draw_labels(add(parent, "g", class_="quiet"))
        if self.every:
            self.dusk = add(parent, "rect", class_="dusk")
        standing.draw_signs(add(parent, "g"))
        standing.draw_counters(add(parent, "g", class_="counters"))
        movement.draw_moves(add(parent, "g", class_="moves"))
        movement.draw_violations(add(parent, "g", class_="violations"))
        if any(frame.attacks for frame in self.frames):
            movement.draw_attacks(add(parent, "g", class_="attacks"))

    def _named(self, names: Iterable[str], chart: Mapping[str, str]) -> list[str]:
        return [chart.get(name) or name.replace("_", " ") for name in names]

    def describe(self, hexagon: Hex) -> str:
        """Return a hex, or a box, in words."""
        chart = self.game.rulebook.terrain.terrain
        parts = [chart[name].name or name for name in terrain.key_of(hexagon) if name in chart]
        parts += self._named(sorted(hexagon.traits), self.forces.hex_traits)
        parts += self._named(
            [hexagon.area] if hexagon.area else [], {n: c.name for n, c in self.forces.countries.items()}
        )
        weather = self.game.weather(hexagon.label)
        parts += self._named([weather] if weather else [], self.forces.weather)
        held = self.game.situation.control.get(hexagon.label)
        parts += [f"held by {self.forces.sides[held]}"] if held in self.forces.sides else []
        parts += [f"touches {zone.replace('_', ' ')}" for zone in self.board.zones_of(hexagon.label)]
        return f"{hexagon.label}: {', '.join(parts)}"

    def legend_items(self) -> list[Item]:
        """Return the legend."""
        parts = ("Objective", "Moves", "Reach", "Units", "Markers", "Map", "Terrain", "Hexsides", "Situation")
        self._note_situation()
        return [item for part in parts if part in self.legend for item in (Heading(part), *self.legend[part])]

    def _note_situation(self) -> None:
        situation = self.game.situation
        for section, count in situation.orders.items():
            name = self.forces.hex_traits.get(section) or section
            self.note("Situation", f"Orders, {name}: {count}")
        for flag in sorted(situation.flags):
            self.note("Situation", self.forces.flags.get(flag) or flag.replace("_", " "))
