"""The ground: hexes, weather, hexsides, borders, EZOCs, what a unit reaches, printed labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from planner.draw import hexsides, reach, signs, terrain
from planner.draw.frames import spans
from planner.draw.geometry import Point
from planner.draw.layer import Layer
from planner.draw.markup import Element, add, at, lines_of, points
from planner.draw.palette import INK
from planner.draw.zones import ezocs
from planner.formats.spoken_numbers import spoken_number

MOST_COMMON = 0.9
"""Weather that so many of the hexes have is written down, and not drawn."""


@dataclass(frozen=True)
class Border:
    """How the border of an area is drawn, and how large its name is written."""

    colour: str
    dashes: str
    width: float
    size: float


COUNTRY, SECTION = Border("#7b2d68", "7 3 1.6 3", 2.2, 15), Border("#3d3d3d", "1.6 4", 2.4, 11)


class GroundLayer(Layer):
    """The ground: hexes, weather, hexsides, borders, EZOCs, what a unit reaches, printed labels."""

    def draw_hexes(self, parent: Element) -> None:
        """Draw every hex, with what is to be read of it."""
        for label, hexagon in self.board.hexes.items():
            centre = self.layout.centres[label]
            group = add(parent, "g", transform=at(*centre), data_hex=label)
            add(group, "title", self.sheet.describe(hexagon))
            name = self.sheet.drawings[terrain.key_of(hexagon)]
            add(group, "use", href=f"#{name}-{terrain.version_of(label)}")
        chart = self.game.rulebook.terrain.terrain
        for key, name in sorted(
            self.sheet.drawings.items(), key=lambda item: [list(chart).index(part) for part in item[0]]
        ):
            first = min(terrain.version_of(h.label) for h in self.board.hexes.values() if terrain.key_of(h) == key)
            text = " with ".join(chart[part].name or part.replace("_", " ") for part in key)
            sample = partial(signs.reference, to=f"{name}-{first}", transform=at(0, 0, 0.31))
            self.sheet.note("Terrain", text, sample)
        for a, b in self.layout.tears:
            d = f"M{a.x:.1f} {a.y:.1f}L{b.x:.1f} {b.y:.1f}"
            add(parent, "path", d=d, stroke=INK, stroke_width=1.2, stroke_dasharray="2 6")
        if self.layout.tears:
            torn = partial(signs.line, colour=INK, width=1.2, dashes="2 6")
            self.sheet.note("Map", "Here a part of the map without hexes is left out", torn)

    def draw_hexsides(self, parent: Element) -> None:
        """Draw what lies along hexsides and what crosses them."""
        shown = hexsides.draw(parent, self.board, self.layout, self.sheet.hexsides)
        chart = self.game.rulebook.terrain
        for name in reversed(shown):
            side = chart.hexsides.get(name)
            text = (side.name if side is not None else "") or name.replace("_", " ").capitalize()
            self.sheet.note("Hexsides", text, partial(hexsides.swatch, style=self.sheet.hexsides[name]))

    def draw_weather(self, parent: Element) -> None:
        """Draw the weather over the hexes that have it."""
        counts = Counter(name for label, name in self.game.situation.weather.items() if label in self.layout.centres)
        for index, (name, count) in enumerate(sorted(counts.items())):
            text = self.forces.weather.get(name) or name
            if count >= MOST_COMMON * len(self.board.hexes):
                nearly = "(nearly) " if count < len(self.board.hexes) else ""
                self.sheet.note("Situation", f"Weather: {text} {nearly}everywhere")
                continue
            fill = f"url(#{self.prefix}-weather{index % 3})"
            for label, weather in self.game.situation.weather.items():
                if weather == name and label in self.layout.centres:
                    where = at(*self.layout.centres[label])
                    add(parent, "polygon", points=points(self.layout.corners), fill=fill, transform=where)
            self.sheet.note("Map", text, partial(signs.patch, fill=fill))

    def draw_borders(self, parent: Element) -> None:
        """Draw the borders of countries and sections, with their names."""
        areas: dict[str, set[str]] = {}
        regions: dict[str, set[str]] = {}
        for label, hexagon in self.board.hexes.items():
            if hexagon.area:
                areas.setdefault(hexagon.area, set()).add(label)
            for trait in sorted(hexagon.traits):
                if self.sheet.traits.get(trait) == "region":
                    regions.setdefault(trait, set()).add(label)
        countries = {name: entry.name for name, entry in self.forces.countries.items()}
        for text, border, inside, names in (
            ("Border of a country or region", COUNTRY, areas, countries),
            ("Border of a section of the board", SECTION, regions, self.forces.hex_traits),
        ):
            if self._outline(parent, inside, names, border):
                line = partial(signs.line, colour=border.colour, width=border.width, dashes=border.dashes)
                self.sheet.note("Map", text, line)

    def _outline(
        self, parent: Element, areas: Mapping[str, set[str]], names: Mapping[str, str], border: Border
    ) -> bool:
        """Draw the borders of areas and write their names, and tell whether there is any border."""
        drawn: set[frozenset[str]] = set()
        d = []
        for labels in areas.values():
            for label in labels:
                for other in self.board.neighbours[label]:
                    if other not in labels and frozenset((label, other)) not in drawn:
                        drawn.add(frozenset((label, other)))
                        d.append(self.layout.hexside(*sorted((label, other))))
        path = "".join(f"M{p.x:.1f} {p.y:.1f}L{q.x:.1f} {q.y:.1f}" for p, q in sorted(d))
        if path:
            add(
                parent,
                "path",
                d=path,
                fill="none",
                stroke=border.colour,
                stroke_width=border.width,
                stroke_dasharray=border.dashes,
            )
        for name, labels in areas.items():
            centres = [self.layout.centres[label] for label in sorted(labels)]
            middle = Point(sum(c.x for c in centres) / len(centres), sum(c.y for c in centres) / len(centres))
            free = {label for label in labels if label not in self.sheet.occupied} or labels
            spots = {label: self.layout.centres[label] for label in sorted(free)}
            label = min(
                spots, key=lambda name: ((spots[name].x - middle.x) ** 2 + (spots[name].y - middle.y) ** 2, name)
            )
            place = spots[label]
            left = right = place.x
            step = 2 * self.layout.half[0]
            others = {round(p.x) for p in spots.values() if self.layout.pointy and abs(p.y - place.y) < 1}
            while round(left - step) in others:
                left -= step
            while round(right + step) in others:
                right += step
            text = (names.get(name) or name.replace("_", " ").title()).partition(":")[0]
            if label in self.sheet.occupied:  # as all are: below the counters of one
                self._write_name(parent, text, place.plus((0, 21)), 54, 8.5, border.colour)
            else:
                middle = Point((left + right) / 2, place.y)
                self._write_name(parent, text, middle, right - left + 54, border.size, border.colour)
        return bool(path)

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

    def draw_ezocs(self, parent: Element) -> None:
        """Tint the hexes in EZOCs."""
        states = [ezocs(self.game, frame.position, frame.moving) for frame in self.frames]
        tinted = negated = later = False
        if not self.sheet.every:
            for label in dict.fromkeys(label for state in states for label in state if label in self.layout.centres):
                now = states[self.sheet.shown].get(label)
                if now is not None and not now.negated and any(s[label].negated for s in states if label in s):
                    later = True
                    group = add(parent, "g", transform=at(*self.layout.centres[label]))
                    signs.ezoc(group, self.prefix, self.layout.corners, True)
        for label, ezoc, start, end in spans(states):
            if label not in self.layout.centres:
                continue
            tint = self.sheet.timed(parent, start, end, transform=at(*self.layout.centres[label]))
            if tint is None:
                continue
            tinted |= not ezoc.negated
            negated |= ezoc.negated
            signs.ezoc(tint, self.prefix, self.layout.corners, ezoc.negated)

        def swatch(parent: Element, looks: tuple[bool, ...]) -> None:
            group = add(parent, "g", transform="scale(.31)")
            for look in looks:
                signs.ezoc(group, self.prefix, self.layout.corners, look)

        for shown, text, looks in (
            (tinted, "EZOC", (False,)),
            (later, "EZOC that is negated in the course of the plan", (False, True)),
            (negated, "EZOC negated by a friend or a marker", (True,)),
        ):
            if shown:
                self.sheet.note("Map", text, partial(swatch, looks=looks))

    def draw_reach(self, parent: Element) -> None:
        """Shade what a unit reaches, where that is asked for."""
        report, note = self.sheet.report, self.sheet.note
        if report is None:
            return
        hatch, where = f"{self.prefix}-hatch", self.sheet.where
        alone, helped, stops = reach.draw(parent, report, where, self.layout.corners, hatch, self.sheet.occupied)
        unit, ma = report.unit, report.ma
        if alone:
            shaded = partial(signs.patch, fill=reach.shade(ma / 2, ma))
            note("Reach", f"{unit} gets there by itself: MP of {spoken_number(ma)}", shaded)
        if helped:
            note("Reach", f"{unit} gets there only with help", partial(signs.patch, fill=f"url(#{hatch})"))
        if stops:
            note("Reach", "It must stop there", partial(signs.word, text="2\N{BLACK SQUARE}"))
        for violation in report.hindrances:
            note("Reach", f"Can't move now, {violation}")
        if not alone and not helped:
            note("Reach", f"{unit} gets nowhere")

    def draw_labels(self, parent: Element) -> None:
        """Write the printed labels."""
        parent.set("class", "quiet labels")
        top = -self.layout.half[1] + (13.5 if self.layout.pointy else 9.4)
        for label, centre in self.layout.centres.items():
            add(parent, "text", label, x=centre.x, y=centre.y + top)
