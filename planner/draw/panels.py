"""What lies beside the map: off-map boxes, naval zones with their markers, and units that are off the board."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

from planner.draw import counters
from planner.draw.counters import Card
from planner.draw.frames import Frame, spans
from planner.draw.geometry import Point
from planner.draw.layer import Layer
from planner.draw.legend import COLUMN, Block, Heading, Item
from planner.draw.markup import Element, add, at, lines_of, shortened
from planner.draw.palette import INK
from planner.world.forces import Marker

if TYPE_CHECKING:
    from planner.draw.sheet import Sheet

CELL = 38.0
ROW = int((COLUMN - 12) // CELL)


ORIGIN = Point(0, 0)


@dataclass
class Panel:
    """A box beside the map.

    Attributes
    ----------
    key : str
        The id of the box or zone.
    title : str
        Its name.
    lines : list of str
        What is said of it.
    most : int
        The most counters and markers that it holds at one time.
    ground : str
        Its colour.
    place : Point
        Its upper left corner, once it has one.
    """

    key: str
    title: str
    lines: list[str] = field(default_factory=list)
    most: int = 0
    ground: str = "#f2ecd6"
    place: Point = ORIGIN

    @property
    def _head(self) -> float:
        return 19 + 11 * len(self.lines)

    @property
    def height(self) -> float:
        """How high it is, with the gap below it."""
        return self._head + max(1, ceil(self.most / ROW)) * CELL + 14

    def cell(self, index: int) -> Point:
        """Return the middle of one of its cells."""
        across, down = CELL * (index % ROW + 0.5), CELL * (index // ROW + 0.5)
        return Point(self.place.x + 6 + across, self.place.y + self._head + 2 + down)

    @property
    def middle(self) -> Point:
        """Where arrows to it end."""
        return Point(self.place.x + 24, self.place.y + self._head + 2 + CELL / 2)

    def draw(self, parent: Element, x: float, y: float) -> None:
        """Draw it empty, with its upper left corner somewhere."""
        self.place = Point(x, y)
        group = add(parent, "g", data_hex=self.key)
        add(
            group, "rect", x=x, y=y, width=COLUMN, height=self.height - 8, rx=5, fill=self.ground, stroke="#6d6654",
            stroke_width=1,
        )  # fmt: skip
        title = shortened(self.title, 10.5, COLUMN - 14)
        add(group, "text", title, x=x + 7, y=y + 14, font_size=10.5, font_weight="bold", fill=INK)
        for index, line in enumerate(self.lines):
            add(group, "text", line, x=x + 7, y=y + 25 + 11 * index, font_size=8.5, fill="#4d4636")


class PanelsLayer(Layer):
    """The boxes beside a map."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet)
        frames = sheet.frames if sheet.every else [sheet.frames[sheet.shown]]
        self.boxes: dict[str, Panel] = {}
        for label, place in self.board.places.items():
            if place.box:
                name = place.name or label.replace("_", " ")
                panel = Panel(label, name, _folded(self._about_box(label)))
                panel.most = max(len(self._inside(frame, label)) for frame in frames)
                coming = any(frame.move is not None and label in frame.move.path[1:] for frame in sheet.frames)
                panel.most += coming and not sheet.every
                self.boxes[label] = panel
        self.zones: dict[str, Panel] = {}
        for zone, labels in self.board.zones.items():
            name = f"{zone.replace('_', ' ')} (naval zone)"
            panel = Panel(f"zone {zone}", name, _folded(f"touches {' '.join(labels)}"))
            panel.most, panel.ground = len(self._convoys(zone)), "#c9e0ee"
            self.zones[zone] = panel
        self.off: dict[str, Panel] = {}
        for name in dict.fromkeys(box for frame in frames for box in frame.position.boxes.values()):
            panel = Panel(f"off {name}", f"{name.replace('_', ' ')} (off the map)", ground="#e4e0d8")
            panel.most = max(len(self._off(frame, name)) for frame in frames)
            self.off[name] = panel

    def _about_box(self, label: str) -> str:
        traits = [self.forces.hex_traits.get(trait) or trait for trait in sorted(self.board.places[label].traits)]
        held = self.game.situation.control.get(label)
        traits += [f"held by {self.forces.sides[held]}"] if held in self.forces.sides else []
        beside = self.board.box_links.get(label, ())
        return "; ".join(filter(None, (", ".join(traits), f"adjacent to {' '.join(beside)}" if beside else "")))

    def _inside(self, frame: Frame, label: str) -> list[Card | Marker]:
        return [*self.sheet.cards_in(frame, label), *self.sheet.markers(frame, label)]

    def _off(self, frame: Frame, name: str) -> list[Card | Marker]:
        return [Card(unit) for unit, box in frame.position.boxes.items() if box == name and unit in self.game.units]

    def _convoys(self, zone: str) -> list[Marker]:
        return [marker for marker in self.game.situation.markers if marker.zone == zone]

    @staticmethod
    def _sailed(frame: Frame) -> frozenset[str]:
        """Return the markers that have surely been used by now: those that alone could carry a passage."""
        found = set()
        for leg in frame.position.legs:
            markers = {marker for _, those in leg.carriers for marker in those}
            if len(markers) == 1:
                found |= markers
        return frozenset(found)

    def items(self) -> list[Item]:
        """Return the boxes as they are set beside the map."""
        found: list[Item] = []
        for heading, panels in (("Off-map boxes", self.boxes), ("Naval zones", self.zones), ("Off the map", self.off)):
            if panels:
                found.append(Heading(heading))
                found += [Block(panel.height, panel.draw) for panel in panels.values()]
        return found

    def middles(self) -> dict[str, Point]:
        """Return the middle of each box, once they are drawn."""
        return {label: panel.middle for label, panel in self.boxes.items()}

    def spot(self, label: str, unit: str, frame: Frame | None) -> Point | None:
        """Return where a unit is in a box, in a frame; None for a hex, or where it isn't there."""
        if label not in self.boxes or frame is None:
            return None
        seen = frame if self.sheet.every else self.frames[self.sheet.shown]
        inside = [item.unit if isinstance(item, Card) else "" for item in self._inside(seen, label)]
        return self.boxes[label].cell(inside.index(unit) if unit in inside else len(inside))

    def draw_contents(self, parent: Element, markers: dict[str, None]) -> None:
        """Draw what is in the boxes, and note which types of markers are."""
        for label, panel in self.boxes.items():
            self._draw(parent, panel, [self._inside(frame, label) for frame in self.frames], label, markers)
        for name, panel in self.off.items():
            self._draw(parent, panel, [self._off(frame, name) for frame in self.frames], "", markers)
        for zone, panel in self.zones.items():
            states = []
            for frame in self.frames:
                sailed = self._sailed(frame)
                states.append({m.id: (m, m.used or m.id in sailed, i) for i, m in enumerate(self._convoys(zone))})
            for _, (marker, used, index), start, end in spans(states):
                group = self.sheet.timed(parent, start, end)
                if group is not None:
                    markers[marker.type] = None
                    self._draw_marker(group, marker, panel.cell(index), used)

    def _draw(
        self, parent: Element, panel: Panel, contents: list[list[Card | Marker]], label: str, markers: dict[str, None]
    ) -> None:
        states = [
            {(item.unit if isinstance(item, Card) else item.id): (item, i) for i, item in enumerate(one)}
            for one in contents
        ]
        for _, (item, index), start, end in spans(states):
            group = self.sheet.timed(parent, start, end, data_at=label or None)
            if group is None:
                continue
            cell = panel.cell(index)
            if isinstance(item, Card):
                unit = self.game.units[item.unit]
                counters.draw_card(self.sheet.near(group), item, unit, self.sheet.style, self.prefix, at(*cell))
                self.sheet.far(group, [item], CELL - 2, cell)
            else:
                markers[item.type] = None
                self._draw_marker(group, item, cell, item.used)

    def _draw_marker(self, parent: Element, marker: Marker, cell: Point, used: bool) -> None:
        counters.draw_marker(parent, marker, self.sheet.style, at(cell.x, cell.y - 4, 1.7), used)
        called = shortened(marker.id, 6.6, CELL)
        add(parent, "text", called, x=cell.x, y=cell.y + 16, font_size=6.6, text_anchor="middle", fill=INK)


def _folded(text: str) -> list[str]:
    lines = lines_of(text, 8.5, COLUMN - 14)
    return lines if len(lines) <= 3 else [*lines[:2], shortened(" ".join(lines[2:]), 8.5, COLUMN - 14)]
