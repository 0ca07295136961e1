"""The map of a picture, layer by layer: hexes, hexsides, areas, EZOCs, signs, counters, arrows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from planner.board import Hex
from planner.draw import arrows, counters, hexsides, reach, symbols, terrain
from planner.draw.counters import Card
from planner.draw.frames import Frame, spans
from planner.draw.geometry import Layout, Point
from planner.draw.legend import Entry, Heading, Item
from planner.draw.markup import Element, add, at, lines_of, points
from planner.draw.notes import Note
from planner.draw.objectives import wanted
from planner.draw.palette import EZOC, ILLEGAL, INK, OBJECTIVE, PAPER
from planner.draw.panels import Panels
from planner.draw.vocabulary import HEX_TRAITS, abbreviations, looks_of
from planner.draw.zones import ezocs
from planner.forces import Marker
from planner.reachable import ReachReport
from planner.scenario import Scenario

STAR, FLAG = (-22.5, -14.0), (22.5, -14.0)
LEFT, RIGHT = ((-24.0, 0.0), (-24.0, 13.5)), ((24.0, 0.0), (24.0, 13.5))
"""Where signs stand in a hex, from its centre: counters are between them."""

MOST_COMMON = 0.9
"""Weather that so many of the hexes have is written down, and not drawn."""


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
    all_arrows : bool
        Whether the arrows of all moves are shown with every frame.
    """

    def __init__(
        self,
        scenario: Scenario,
        frames: Sequence[Frame],
        shown: int,
        every: bool,
        prefix: str,
        report: ReachReport | None = None,
        notes: Sequence[Note] = (),
        all_arrows: bool = True,
    ) -> None:
        self.scenario, self.game, self.board = scenario, scenario.game, scenario.game.board
        self.frames, self.shown, self.every, self.prefix = frames, shown, every, prefix
        self.report, self.notes, self.all_arrows = report, notes, all_arrows
        rulebook = self.game.rulebook
        self.forces, looks = rulebook.forces, rulebook.looks
        self.layout = Layout(self.board, looks.sheets)
        self.terrains = terrain.styles(rulebook.terrain.terrain, looks.terrain)
        self.hexsides = hexsides.styles(rulebook.terrain, looks.hexsides)
        named = [
            name
            for name in rulebook.forces.hex_traits
            if name not in looks.hex_traits and not looks_of(name, HEX_TRAITS)
        ]
        unknown = abbreviations(named)
        self.traits = {
            name: looks.hex_traits.get(name) or unknown.get(name) or looks_of(name, HEX_TRAITS)[0]
            for name in rulebook.forces.hex_traits
        }
        self.cards = [self._cards(frame) for frame in frames]
        considered = self.cards if every else [self.cards[shown]]
        self._occupied = {label for state in considered for label in state} | {
            m.at for m in self.game.situation.markers
        }
        conditions = {
            condition for state in considered for cards in state.values() for c in cards for condition in c.conditions
        }
        self.style = counters.style_of(self.forces, looks, conditions)
        self.places, self.enemies = wanted(scenario)
        self.legend: dict[str, list[Item]] = {}
        self.panels = Panels(self)
        self.where: dict[str, Point] = {}

    # -- what stands where

    def _cards(self, frame: Frame) -> dict[str, tuple[Card, ...]]:
        position, units = frame.position, self.game.units
        return {
            label: tuple(
                Card(u, counters.conditions_of(units[u], self.forces, position)) for u in position.units_in(label)
            )
            for label in position.occupied()
        }

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
        classes = " ".join(
            name for name in (attributes.pop("class_", None), None if seen else "off") if isinstance(name, str)
        )
        return add(parent, "g", class_=classes or None, data_from=str(start), data_to=str(end), **attributes)

    def note(self, part: str, entry: Item) -> None:
        """Add an entry to the legend."""
        self.legend.setdefault(part, []).append(entry)

    # -- drawing

    def define(self, defs: Element) -> None:
        """Add what is used more than once."""
        p = self.prefix
        self._hexes: dict[tuple[str, ...], str] = {}
        seen: dict[tuple[tuple[str, ...], int], None] = {}
        for hexagon in self.board.hexes.values():
            seen[terrain.key_of(hexagon), terrain.version_of(hexagon.label)] = None
        for key, version in seen:
            name = self._hexes.setdefault(key, f"{p}-t{len(self._hexes)}")
            styles = [self.terrains[part] for part in key]
            terrain.define(defs, f"{name}-{version}", styles[0], tuple(styles[1:]), version, self.layout)
        types = {self.game.units[u].type for frame in self.frames for u in (*frame.position.at, *frame.position.boxes)}
        self.types = [name for name in self.forces.unit_types if name in types]
        for name in self.types:
            symbols.define(defs, f"{p}-u-{name}", self.style.symbols[name])
        units = dict.fromkeys(u for frame in self.frames for u in (*frame.position.at, *frame.position.boxes))
        for unit in (self.game.units[u] for u in units):
            counters.define(defs, f"{p}-c-{unit.id}", unit, self.forces, self.style, f"{p}-u-{unit.type}")
        hatch = add(
            defs,
            "pattern",
            id=f"{p}-hatch",
            width=7,
            height=7,
            patternUnits="userSpaceOnUse",
            patternTransform="rotate(45)",
        )
        add(hatch, "rect", width=7, height=7, fill="#ffffff")
        add(hatch, "rect", width=2.6, height=7, fill="#2171b5")
        lines = add(
            defs,
            "pattern",
            id=f"{p}-ezoc",
            width=6,
            height=6,
            patternUnits="userSpaceOnUse",
            patternTransform="rotate(-45)",
        )
        add(lines, "rect", width=6, height=6, fill=EZOC, fill_opacity=0.11)
        add(lines, "rect", width=1.1, height=6, fill=EZOC, fill_opacity=0.36)
        for index in range(3):
            pattern = add(defs, "pattern", id=f"{p}-weather{index}", width=12, height=12, patternUnits="userSpaceOnUse")
            d = ("M2 8q2-3 4 0M8 3q2-3 4 0", "M3 3l-2 5M9 6l-2 5", "M3 1v4M1 3h4M9 7v4M7 9h4")[index]
            add(pattern, "path", d=d, fill="none", stroke=("#5c4326", "#1f4e79", "#4a6fa5")[index], stroke_width=1.2)

    def draw(self, parent: Element, panels: Callable[[Element], None]) -> None:
        """Draw every layer.

        Parameters
        ----------
        parent : Element
            Where the map's upper left corner is the origin.
        panels : callable
            Draws the boxes beside the map before what lies on them, and fills `where` with their middles.
        """
        self.where = dict(self.layout.centres)
        self._draw_hexes(add(parent, "g", class_="hexes"))
        self._draw_weather(add(parent, "g", class_="quiet"))
        shown = hexsides.draw(add(parent, "g", class_="quiet"), self.board, self.layout, self.hexsides)
        self._note_hexsides(shown)
        self._draw_borders(add(parent, "g", class_="quiet"))
        self._draw_ezocs(add(parent, "g", class_="ezocs"))
        panels(parent)
        if self.report is not None:
            self._draw_reach(add(parent, "g"))
        self._draw_labels(add(parent, "g", class_="quiet"))
        self._draw_signs(add(parent, "g"))
        self._draw_counters(add(parent, "g", class_="counters"))
        self._draw_moves(add(parent, "g", class_="moves"))
        self._draw_violations(add(parent, "g", class_="violations"))

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

    def _draw_hexes(self, parent: Element) -> None:
        for label, hexagon in self.board.hexes.items():
            centre = self.layout.centres[label]
            group = add(parent, "g", transform=at(*centre), data_hex=label)
            add(group, "title", self.describe(hexagon))
            name = self._hexes[terrain.key_of(hexagon)]
            add(group, "use", href=f"#{name}-{terrain.version_of(label)}")
        chart = self.game.rulebook.terrain.terrain
        for key, name in sorted(self._hexes.items(), key=lambda item: [list(chart).index(part) for part in item[0]]):
            first = next(v for v in range(terrain.VERSIONS) if self._has_version(key, v))
            text = " with ".join(chart[part].name or part.replace("_", " ") for part in key)
            self.note("Terrain", Entry(text, partial(terrain.swatch, reference=f"{name}-{first}", layout=self.layout)))
        for a, b in self.layout.tears:
            add(
                parent,
                "path",
                d=f"M{a.x:.1f} {a.y:.1f}L{b.x:.1f} {b.y:.1f}",
                stroke=INK,
                stroke_width=1.2,
                stroke_dasharray="2 6",
            )
        if self.layout.tears:
            self.note(
                "Map", Entry("Here a part of the map without hexes is left out", lambda g: _line(g, INK, 1.2, "2 6"))
            )

    def _has_version(self, key: tuple[str, ...], version: int) -> bool:
        return any(
            terrain.key_of(h) == key and terrain.version_of(h.label) == version for h in self.board.hexes.values()
        )

    def _note_hexsides(self, shown: Sequence[str]) -> None:
        chart = self.game.rulebook.terrain
        for name in reversed(shown):
            side = chart.hexsides.get(name)
            text = (side.name if side is not None else "") or name.replace("_", " ").capitalize()
            self.note("Hexsides", Entry(text, partial(hexsides.swatch, style=self.hexsides[name])))

    def _draw_weather(self, parent: Element) -> None:
        counts = Counter(name for label, name in self.game.situation.weather.items() if label in self.layout.centres)
        for index, (name, count) in enumerate(sorted(counts.items())):
            text = self.forces.weather.get(name) or name
            if count >= MOST_COMMON * len(self.board.hexes):
                self.note(
                    "Situation",
                    Entry(
                        f"Weather: {text} (nearly) everywhere"
                        if count < len(self.board.hexes)
                        else f"Weather: {text} everywhere"
                    ),
                )
                continue
            fill = f"url(#{self.prefix}-weather{index % 3})"
            for label, weather in self.game.situation.weather.items():
                if weather == name and label in self.layout.centres:
                    where = at(*self.layout.centres[label])
                    add(parent, "polygon", points=points(self.layout.corners), fill=fill, transform=where)
            self.note("Map", Entry(text, partial(_patch, fill=fill)))

    def _draw_borders(self, parent: Element) -> None:
        areas: dict[str, set[str]] = {}
        for label, hexagon in self.board.hexes.items():
            if hexagon.area:
                areas.setdefault(hexagon.area, set()).add(label)
        names = {name: entry.name for name, entry in self.forces.countries.items()}
        self._outline(parent, areas, names, "#7b2d68", "7 3 1.6 3", 2.2, 15)
        if areas:
            self.note("Map", Entry("Border of a country or region", lambda g: _line(g, "#7b2d68", 2.2, "7 3 1.6 3")))
        regions: dict[str, set[str]] = {}
        for label, hexagon in self.board.hexes.items():
            for trait in sorted(hexagon.traits):
                if self.traits.get(trait) == "region":
                    regions.setdefault(trait, set()).add(label)
        self._outline(parent, regions, self.forces.hex_traits, "#3d3d3d", "1.6 4", 2.4, 11)
        if regions:
            self.note("Map", Entry("Border of a section of the board", lambda g: _line(g, "#3d3d3d", 2.4, "1.6 4")))

    def _outline(
        self,
        parent: Element,
        areas: Mapping[str, set[str]],
        names: Mapping[str, str],
        colour: str,
        dashes: str,
        width: float,
        size: float,
    ) -> None:
        drawn: set[frozenset[str]] = set()
        d = []
        for labels in areas.values():
            for label in labels:
                for other in self.board.neighbours[label]:
                    if other not in labels and frozenset((label, other)) not in drawn:
                        drawn.add(frozenset((label, other)))
                        p, q = self.layout.hexside(*sorted((label, other)))
                        d.append((p, q))
        path = "".join(f"M{p.x:.1f} {p.y:.1f}L{q.x:.1f} {q.y:.1f}" for p, q in sorted(d))
        if path:
            add(parent, "path", d=path, fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes)
        for name, labels in areas.items():
            centres = [self.layout.centres[label] for label in sorted(labels)]
            middle = Point(sum(c.x for c in centres) / len(centres), sum(c.y for c in centres) / len(centres))
            free = {label for label in labels if label not in self._occupied} or labels
            spots = {label: self.layout.centres[label] for label in sorted(free)}
            label = min(
                spots, key=lambda name: ((spots[name].x - middle.x) ** 2 + (spots[name].y - middle.y) ** 2, name)
            )
            left = right = spots[label].x
            step = 2 * self.layout.half[0]
            others = (
                {round(p.x): p for p in spots.values() if abs(p.y - spots[label].y) < 1} if self.layout.pointy else {}
            )
            while round(left - step) in others:
                left -= step
            while round(right + step) in others:
                right += step
            text = (names.get(name) or name.replace("_", " ").title()).partition(":")[0]
            self._write_name(parent, text, Point((left + right) / 2, spots[label].y), right - left + 54, size, colour)

    @staticmethod
    def _write_name(parent: Element, text: str, where: Point, room: float, size: float, colour: str) -> None:
        """Write the name of an area as large as the room allows, in two lines at most."""
        while size > 6.5 and (
            len(lines := lines_of(text, size * 1.12, room)) > 2 or any("…" in line for line in lines)
        ):
            size -= 0.5
        lines = lines_of(text, size * 1.12, room)[:2]
        for index, line in enumerate(lines):
            y = where.y + 6 + size * 0.36 + (index - (len(lines) - 1) / 2) * size * 1.1
            add(parent, "text", line, x=where.x, y=y, class_="area", font_size=size, fill=colour)

    def _draw_ezocs(self, parent: Element) -> None:
        states = [ezocs(self.game, frame.position, frame.moving) for frame in self.frames]
        tinted = negated = later = False
        if not self.every:
            for label in dict.fromkeys(label for state in states for label in state if label in self.layout.centres):
                now = states[self.shown].get(label)
                if now is not None and not now.negated and any(s[label].negated for s in states if label in s):
                    later = True
                    group = add(parent, "g", transform=at(*self.layout.centres[label]))
                    _ezoc(group, self.prefix, self.layout.corners, True)
        for label, ezoc, start, end in spans(states):
            if label not in self.layout.centres:
                continue
            tint = self.timed(parent, start, end, transform=at(*self.layout.centres[label]))
            if tint is None:
                continue
            tinted |= not ezoc.negated
            negated |= ezoc.negated
            _ezoc(tint, self.prefix, self.layout.corners, ezoc.negated)
        p, corners = self.prefix, self.layout.corners
        if tinted:
            self.note("Map", Entry("EZOC", lambda g: _ezoc(add(g, "g", transform="scale(.31)"), p, corners, False)))
        if later:

            def both(parent: Element) -> None:
                group = add(parent, "g", transform="scale(.31)")
                _ezoc(group, p, corners, False)
                _ezoc(group, p, corners, True)

            self.note("Map", Entry("EZOC that is negated in the course of the plan", both))
        if negated:
            text = "EZOC negated by a friend or a marker"
            self.note("Map", Entry(text, lambda g: _ezoc(add(g, "g", transform="scale(.31)"), p, corners, True)))

    def _draw_reach(self, parent: Element) -> None:
        assert self.report is not None
        alone, helped, stops = reach.draw(
            parent, self.report, self.where, self.layout.corners, f"{self.prefix}-hatch", self._occupied
        )
        unit, ma = self.report.unit, self.report.ma
        if alone:
            self.note(
                "Reach",
                Entry(f"{unit} gets there by itself: MP of {ma}", partial(_patch, fill=reach.shade(ma / 2, ma))),
            )
        if helped:
            self.note(
                "Reach", Entry(f"{unit} gets there only with help", partial(_patch, fill=f"url(#{self.prefix}-hatch)"))
            )
        if stops:
            self.note("Reach", Entry("It must stop there", partial(_word, text="2\N{BLACK SQUARE}")))
        for violation in self.report.hindrances:
            self.note("Reach", Entry(f"Can't move now, {violation}"))
        if not alone and not helped:
            self.note("Reach", Entry(f"{unit} gets nowhere"))

    def _draw_labels(self, parent: Element) -> None:
        parent.set("class", "quiet labels")
        top = -self.layout.half[1] + (13.5 if self.layout.pointy else 9.4)
        for label, centre in self.layout.centres.items():
            add(parent, "text", label, x=centre.x, y=centre.y + top)

    def _draw_signs(self, parent: Element) -> None:
        shown: dict[str, str] = {}
        for label, hexagon in self.board.hexes.items():
            signs = [
                name for name in self.traits if name in hexagon.traits and self.traits[name] not in ("region", "none")
            ]
            shown.update((name, self.traits[name]) for name in signs)
            looks = [(self.traits[name], self.forces.hex_traits.get(name) or name) for name in signs]
            if len(looks) > 2:
                looks = [looks[0], (f"+{len(looks) - 1}", ", ".join(name for _, name in looks[1:]))]
            for (look, text), place in zip(looks, RIGHT, strict=False):
                centre = self.layout.centres[label]
                group = add(parent, "g", transform=at(centre.x + place[0], centre.y + place[1]))
                add(group, "title", text)
                _sign(group, look)
        for name, look in shown.items():
            self.note("Map", Entry(self.forces.hex_traits.get(name) or name, partial(_sign, look=look)))
        for label, texts in self.places.items():
            if label in self.where:
                where = self.where[label] if label not in self.layout.centres else self._beside(label, STAR)
                group = add(parent, "g", transform=at(*where))
                add(group, "title", "\n".join(texts))
                _star(group)
        if self.places:
            self.note("Objective", Entry("Asked for by the objective", _star))
        self._draw_control(parent)

    def _beside(self, label: str, by: tuple[float, float]) -> Point:
        centre = self.layout.centres[label]
        return Point(centre.x + by[0], centre.y + by[1])

    def _draw_control(self, parent: Element) -> None:
        """Show who holds a place of some note, or a place that isn't its country's, where no unit stands that tells."""
        situation = self.game.situation
        other = next((side for side in self.forces.sides if side != situation.phasing), "")
        states = []
        for frame in self.frames:
            holders = dict(situation.control)
            holders.update(dict.fromkeys(frame.position.taken, situation.phasing))
            holders.update((label, other) for label in frame.position.given if len(self.forces.sides) == 2)
            states.append(
                {
                    label: side
                    for label, side in holders.items()
                    if label in self.layout.centres
                    and side in self.style.colours
                    and self._worth_a_flag(label, side, frame)
                }
            )
        flags: dict[str, None] = {}
        for label, side, start, end in spans(states):
            group = self.timed(parent, start, end, transform=at(*self._beside(label, FLAG)))
            if group is not None:
                add(group, "title", f"{label} is held by {self.forces.sides[side]}")
                _flag(group, self.style.colours[side])
                flags[side] = None
        for side in flags:
            text = f"Held by {self.forces.sides[side]}"
            self.note("Map", Entry(text, partial(_flag, colour=self.style.colours[side])))

    def _worth_a_flag(self, label: str, side: str, frame: Frame) -> bool:
        hexagon = self.board.hexes[label]
        if any(self.game.units[unit].side == side for unit in frame.position.units_in(label)):
            return False
        noted = any(self.traits.get(trait) not in ("region", "none", "limit") for trait in hexagon.traits)
        return noted or side != hexagon.country.side

    def _draw_counters(self, parent: Element) -> None:
        states: list[dict[str, tuple[tuple[Card, ...], tuple[Marker, ...]]]] = []
        marked = [marker.at for marker in self.game.situation.markers if marker.at in self.layout.centres]
        for frame, standing in zip(self.frames, self.cards, strict=True):
            labels = dict.fromkeys([*(label for label in standing if label in self.layout.centres), *marked])
            states.append({label: (standing.get(label, ()), self.markers(frame, label)) for label in labels})
        markers: dict[str, None] = {}
        for label, (cards, here), start, end in spans(states):
            if not cards and not here:
                continue
            group = self.timed(parent, start, end, transform=at(*self.layout.centres[label]), data_at=label)
            if group is None:
                continue
            markers.update((marker.type, None) for marker in here)
            self._draw_markers(group, label, here, bool(cards))
            self.draw_cards(group, cards)
        self.panels.draw_contents(parent, markers)
        self._note_forces(markers)

    def draw_cards(self, parent: Element, cards: Sequence[Card]) -> None:
        """Draw the counters of a hex about its centre."""
        counters.draw_stack(parent, cards, self.game.units, self.forces, self.style, self.prefix)
        for card, (x, y, scale) in zip(reversed(cards), reversed(counters.fan(len(cards))), strict=False):
            if card.unit in self.enemies:
                group = add(parent, "g", transform=at(x - 19.5 * scale, y + 18 * scale, scale))
                add(group, "title", "\n".join(self.enemies[card.unit]))
                _target(group)

    def _draw_markers(self, parent: Element, label: str, here: Sequence[Marker], crowded: bool) -> None:
        for marker in here:
            if marker.facing in self.layout.centres:
                self._draw_facing(parent, label, marker)
        if not crowded and len(here) == 1:
            counters.draw_marker(parent, here[0], self.forces, self.style, at(0, 3, 1.9), used=here[0].used)
            return
        for marker, place in zip(here, LEFT, strict=False):
            counters.draw_marker(parent, marker, self.forces, self.style, at(*place), used=marker.used)
        if len(here) > len(LEFT):
            group = add(parent, "g", transform=at(LEFT[-1][0], LEFT[-1][1] + 9))
            add(
                group, "title", "\n".join(counters.describe_marker(marker, self.forces) for marker in here[len(LEFT) :])
            )
            add(group, "text", f"+{len(here) - len(LEFT)}", y=4, class_="mp", fill=INK)

    def _draw_facing(self, parent: Element, label: str, marker: Marker) -> None:
        here, there = self.layout.centres[label], self.layout.centres[marker.facing]
        dx, dy = (there.x - here.x) / 2, (there.y - here.y) / 2
        tip = Point(dx * 1.12, dy * 1.12)
        foot = Point(dx * 0.84, dy * 0.84)
        side = Point(-dy * 0.3, dx * 0.3)
        corners = [tip, Point(foot.x + side.x, foot.y + side.y), Point(foot.x - side.x, foot.y - side.y)]
        add(parent, "polygon", points=points(corners), fill=self.style.colours[marker.side], stroke=INK, stroke_width=1)

    def _note_forces(self, markers: Iterable[str]) -> None:
        present = {
            self.game.units[u].side for frame in self.frames for u in (*frame.position.at, *frame.position.boxes)
        }
        present |= {marker.side for marker in self.game.situation.markers}
        for side, name in self.forces.sides.items():
            if side in present:
                text = name + (" (moves)" if side == self.game.situation.phasing else "")
                self.note("Units", Entry(text, partial(_chip, colour=self.style.colours[side])))
        for name in self.types:
            text = self.forces.unit_types[name].name or name.replace("_", " ")
            self.note("Units", Entry(text, partial(counters.symbol_swatch, reference=f"{self.prefix}-u-{name}")))
        if self.types:
            values = "-".join("MA" if name == "ma" else name for name in self.forces.counter)
            self.note("Units", Entry(f"Below the symbol: {values}. Dots: steps, where there are more than one"))
        for name, sign in self.style.badges.items():
            text = self.forces.unit_traits.get(name) or name.replace("_", " ").capitalize()
            self.note("Units", Entry(text, partial(_badge, text=sign)))
        if any(enemy in self.game.homes for enemy in self.enemies):
            self.note("Objective", Entry("Enemy that the objective is about", _target))
        for name in self.forces.marker_types:
            if name in markers:
                text = self.forces.marker_types[name].name or name.replace("_", " ")
                self.note("Markers", Entry(text, partial(_sign, look=self.style.signs[name])))

    def _draw_moves(self, parent: Element) -> None:
        moves = [frame.move for frame in self.frames if frame.move is not None]
        aside = arrows.lanes(moves)
        drawn = False
        for index, frame in enumerate(self.frames[1:]):
            start = 0 if self.all_arrows and not self.every else index + 1
            group = self.timed(parent, start, len(self.frames), class_="move", data_move=str(index + 1))
            if group is not None:
                drawn = True
                arrows.draw_move(group, index, frame, self._where_of(index), aside, self._crowded(index))
        if drawn:
            self.note("Moves", Entry("Move, by its number; the MP spent so far", _arrow))
            if any(move.overruns for move in moves):
                self.note("Moves", Entry("Overrun or attack; the MP spent so far", _overrun))
            if any(move.carried for move in moves):
                self.note("Moves", Entry("Aboard a carrier", lambda g: _line(g, INK, 2.6, "7 4")))
        if any(frame.violations for frame in self.frames):
            self.note("Moves", Entry("Illegal, with the paragraph", lambda g: _line(g, ILLEGAL, 3.4, None)))

    def _where_of(self, index: int) -> list[Point]:
        """Return the middle of each place of a move's path, in boxes that of the place of its unit."""
        before, frame = self.frames[index], self.frames[index + 1]
        move = frame.move
        assert move is not None
        last = len(move.path) - 1
        return [
            self.panels.spot(label, move.units[0], before if step == 0 else frame if step == last else None)
            or self.where[label]
            for step, label in enumerate(move.path)
        ]

    def _crowded(self, index: int) -> frozenset[int]:
        """Return the indices of the hexes of a move's path, but for its ends, in which counters stand."""
        position, move = self.frames[index].position, self.frames[index + 1].move
        assert move is not None
        return frozenset(
            step
            for step, label in enumerate(move.path[:-1])
            if step and any(unit not in move.units for unit in position.units_in(label))
        )

    def _draw_violations(self, parent: Element) -> None:
        found: dict[tuple[str, int], list[tuple[str, str]]] = {}
        for number, frame in enumerate(self.frames):
            for violation in frame.violations:
                label = violation.at if violation.at in self.where else ""
                if not label and frame.move is not None:
                    label = frame.move.path[violation.step or 0]
                if label in self.where:
                    found.setdefault((label, number), []).append(
                        (violation.rule, f"{violation.rule}: {violation.message}")
                    )
        together: dict[str, list[tuple[str, str]]] = {}
        for (label, number), those in found.items():
            if not self.every:
                together.setdefault(label, []).extend(those)
                continue
            group = self.timed(parent, number, number + 1, data_violation=label)
            if group is not None:
                self._draw_violation(group, label, those)
        for label, those in together.items():
            self._draw_violation(add(parent, "g", data_violation=label), label, those)
        for note in self.notes:
            if note.at in self.where:
                self._draw_violation(add(parent, "g", data_note=note.at), note.at, [(note.tag, note.text)])

    def _draw_violation(self, parent: Element, label: str, those: Sequence[tuple[str, str]]) -> None:
        corners = points(self.layout.corners) if label in self.layout.centres else ""
        arrows.draw_violations(
            parent, self.where[label], [rule for rule, _ in those], [text for _, text in those], corners
        )

    def legend_items(self) -> list[Item]:
        """Return the legend."""
        parts = ("Objective", "Moves", "Reach", "Units", "Markers", "Map", "Terrain", "Hexsides", "Situation")
        self._note_situation()
        return [item for part in parts if part in self.legend for item in (Heading(part), *self.legend[part])]

    def _note_situation(self) -> None:
        situation = self.game.situation
        for section, count in situation.orders.items():
            name = self.forces.hex_traits.get(section) or section
            self.note("Situation", Entry(f"Orders, {name}: {count}"))
        for flag in sorted(situation.flags):
            self.note("Situation", Entry(self.forces.flags.get(flag) or flag.replace("_", " ")))


# -- small drawings, about the origin of their element


def _line(parent: Element, colour: str, width: float, dashes: str | None) -> None:
    add(parent, "path", d="M-15 0H15", stroke=colour, stroke_width=width, stroke_dasharray=dashes, fill="none")


def _patch(parent: Element, fill: str) -> None:
    add(parent, "rect", x=-13, y=-9, width=26, height=18, fill=fill, stroke="#8d8570", stroke_width=0.7)


def _word(parent: Element, text: str) -> None:
    add(parent, "text", text, y=4, font_size=11, font_weight="bold", text_anchor="middle", fill=INK)


def _ezoc(parent: Element, prefix: str, corners: tuple[Point, ...], negated: bool) -> None:
    if negated:
        add(
            parent, "polygon", points=points(corners), fill="none", stroke=EZOC, stroke_width=2.2, stroke_dasharray="2.4 4",
            transform="scale(.9)", class_="negated",
        )  # fmt: skip
    else:
        add(parent, "polygon", points=points(corners), fill=f"url(#{prefix}-ezoc)", class_="ezoc")


def _sign(parent: Element, look: str) -> None:
    add(parent, "rect", x=-6.4, y=-6.4, width=12.8, height=12.8, rx=2.4, fill=PAPER, stroke="#6d6654", stroke_width=0.7)
    symbols.draw_sign(add(parent, "g", transform=at(0, 0, 0.94)), look)


def _star(parent: Element) -> None:
    path, _ = symbols.SIGNS["objective"]
    add(
        parent,
        "path",
        d=path,
        fill=OBJECTIVE,
        stroke=INK,
        stroke_width=0.9,
        transform="scale(1.3)",
        stroke_linejoin="round",
    )


def _target(parent: Element) -> None:
    add(parent, "circle", r=4.6, fill=OBJECTIVE, stroke=INK, stroke_width=0.9)
    add(
        parent,
        "path",
        d="M-6.2 0H6.2M0-6.2V6.2M-2 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0Z",
        fill="none",
        stroke=INK,
        stroke_width=0.9,
    )


def _flag(parent: Element, colour: str) -> None:
    add(
        parent,
        "path",
        d="M-3.6 5V-5H4.4L2.4-2.4L4.4 .2H-3.6",
        fill=colour,
        stroke=INK,
        stroke_width=0.9,
        stroke_linejoin="round",
    )


def _chip(parent: Element, colour: str) -> None:
    add(parent, "rect", x=-11, y=-9, width=22, height=18, rx=2.4, fill=colour, stroke=INK, stroke_width=1)


def _badge(parent: Element, text: str) -> None:
    add(parent, "rect", x=-8, y=-6, width=16, height=12, rx=2.4, fill="#ffffff", stroke=INK, stroke_width=0.7)
    add(parent, "text", text, y=3.2, font_size=8.6, font_weight="bold", text_anchor="middle", fill=INK)


def _arrow(parent: Element) -> None:
    _line(parent, INK, 2.6, None)
    add(parent, "polygon", points="17,0 8,5 10,0 8,-5", fill=INK)
    add(parent, "circle", cx=-11, cy=0, r=6, fill=INK)
    add(parent, "text", "1", x=-11, y=3, font_size=8.4, font_weight="bold", text_anchor="middle", fill=PAPER)
    add(parent, "rect", x=-2.5, y=-4.4, width=9, height=8.8, rx=4.4, fill=PAPER, stroke=INK, stroke_width=0.8)
    add(parent, "text", "2", x=2, y=2.6, class_="mp", fill=INK)


def _overrun(parent: Element) -> None:
    add(parent, "path", d=arrows.BURST, fill="#f0c419", stroke=INK, stroke_width=1.2)
    add(parent, "text", "2", y=2.6, class_="mp", fill=INK)
