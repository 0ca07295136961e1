"""What stands on the map: signs of hexes, who holds them, counters and markers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from planner.draw import counters, signs
from planner.draw.counters import Card
from planner.draw.frames import Frame, spans
from planner.draw.geometry import Point
from planner.draw.layer import Layer
from planner.draw.markup import Element, add, at, points
from planner.draw.palette import INK
from planner.world.forces import Marker

STAR, FLAG = (-22.5, -14.0), (22.5, -14.0)
LEFT, RIGHT = ((-24.0, 0.0), (-24.0, 13.5)), ((24.0, 0.0), (24.0, 13.5))
"""Where signs stand in a hex, from its centre: counters are between them."""
DISTANT = 54.0
"""The side of the plain square that stands for a stack on a map seen from afar, in pixels: most of the hex."""


class CountersLayer(Layer):
    """What stands on the map: signs of hexes, who holds them, counters and markers."""

    def draw_signs(self, parent: Element) -> None:
        """Draw the signs of hexes, what the objective asks for, and who holds what."""
        shown: dict[str, str] = {}
        for label, hexagon in self.board.hexes.items():
            named = [
                name
                for name in self.sheet.traits
                if name in hexagon.traits and self.sheet.traits[name] not in ("region", "none")
            ]
            looks = [(self.sheet.traits[name], self.forces.hex_traits.get(name) or name) for name in named]
            shown.update((name, self.sheet.traits[name]) for name in named[: 2 if len(named) < 3 else 1])
            if len(looks) > 2:
                looks = [looks[0], (f"+{len(looks) - 1}", ", ".join(name for _, name in looks[1:]))]
            for (look, text), place in zip(looks, RIGHT, strict=False):
                group = add(parent, "g", transform=at(*self.layout.centres[label].plus(place)))
                add(group, "title", text)
                signs.sign(group, look)
        for name, look in shown.items():
            self.sheet.note("Map", self.forces.hex_traits.get(name) or name, partial(signs.sign, look=look))
        wanted = {label: texts for label, texts in self.sheet.places.items() if label in self.sheet.where}
        for label, texts in wanted.items():
            where = self.layout.centres[label].plus(STAR) if label in self.layout.centres else self.sheet.where[label]
            group = add(parent, "g", transform=at(*where))
            add(group, "title", "\n".join(texts))
            signs.star(group)
        if wanted:
            self.sheet.note("Objective", "Asked for by the objective", signs.star)
        self._draw_control(parent)

    def _draw_control(self, parent: Element) -> None:
        """Show who holds a place of some note, or a place that isn't its country's, where no unit stands that tells."""
        situation = self.game.situation
        states = []
        for frame in self.frames:
            holders = situation.holders(frame.position)
            states.append({label: s for label, s in holders.items() if self._worth_a_flag(label, s, frame)})
        flags: dict[str, None] = {}
        for label, side, start, end in spans(states):
            group = self.sheet.timed(parent, start, end, transform=at(*self.layout.centres[label].plus(FLAG)))
            if group is not None:
                add(group, "title", f"{label} is held by {self.forces.sides[side]}")
                signs.flag(group, self.sheet.style.colours[side])
                flags[side] = None
        for side in flags:
            text = f"Held by {self.forces.sides[side]}"
            self.sheet.note("Map", text, partial(signs.flag, colour=self.sheet.style.colours[side]))

    def _worth_a_flag(self, label: str, side: str, frame: Frame) -> bool:
        if label not in self.layout.centres or side not in self.sheet.style.colours:
            return False
        hexagon = self.board.hexes[label]
        if any(self.game.units[unit].side == side for unit in frame.position.units_in(label)):
            return False
        noted = any(self.sheet.traits.get(trait) not in ("region", "none", "limit") for trait in hexagon.traits)
        return noted or side != hexagon.country.side

    def draw_counters(self, parent: Element) -> None:
        """Draw counters and markers, on the map and beside it."""
        states = []
        marked = [marker.at for marker in self.game.situation.markers if marker.at in self.layout.centres]
        for frame, standing in zip(self.frames, self.sheet.cards, strict=True):
            labels = dict.fromkeys([*(label for label in standing if label in self.layout.centres), *marked])
            states.append({label: (standing.get(label, ()), self.sheet.markers(frame, label)) for label in labels})
        markers: dict[str, None] = {}
        for label, (cards, here), start, end in spans(states):
            if not cards and not here:
                continue
            group = self.sheet.timed(parent, start, end, transform=at(*self.layout.centres[label]), data_at=label)
            if group is None:
                continue
            markers.update((marker.type, None) for marker in here)
            self._draw_markers(group, label, here, bool(cards))
            self.draw_cards(group, cards)
        self.sheet.panels.draw_contents(parent, markers)
        self._note_forces(markers)

    def draw_cards(self, parent: Element, cards: Sequence[Card]) -> None:
        """Draw the counters of a hex about its centre, and what stands for them where they are too small."""
        whole = parent
        parent = self.sheet.near(whole)
        counters.draw_stack(parent, cards, self.game.units, self.sheet.style, self.prefix)
        for card, (x, y, scale) in zip(reversed(cards), reversed(counters.fan(len(cards))), strict=False):
            if card.unit in self.sheet.enemies:
                group = add(parent, "g", transform=at(x - 19.5 * scale, y + 18 * scale, scale))
                add(group, "title", "\n".join(self.sheet.enemies[card.unit]))
                signs.target(group)
        self.sheet.far(whole, cards, DISTANT, (0, 0))

    def _draw_markers(self, parent: Element, label: str, here: Sequence[Marker], crowded: bool) -> None:
        for marker in here:
            if marker.facing in self.layout.centres:
                self._draw_facing(parent, label, marker)
        if not crowded and len(here) == 1:
            counters.draw_marker(parent, here[0], self.sheet.style, at(0, 3, 1.9), here[0].used)
            return
        for marker, place in zip(here, LEFT, strict=False):
            counters.draw_marker(parent, marker, self.sheet.style, at(*place), marker.used)
        if len(here) > len(LEFT):
            group = add(parent, "g", transform=at(LEFT[-1][0], LEFT[-1][1] + 9))
            others = here[len(LEFT) :]
            add(group, "title", "\n".join(counters.describe_marker(marker, self.forces) for marker in others))
            add(group, "text", f"+{len(others)}", y=4, class_="mp", fill=INK)

    def _draw_facing(self, parent: Element, label: str, marker: Marker) -> None:
        here, there = self.layout.centres[label], self.layout.centres[marker.facing]
        dx, dy = (there.x - here.x) / 2, (there.y - here.y) / 2
        foot, side = Point(dx * 0.84, dy * 0.84), Point(-dy * 0.3, dx * 0.3)
        corners = points([(dx * 1.12, dy * 1.12), foot.plus(side), (foot.x - side.x, foot.y - side.y)])
        colour = self.sheet.style.colours[marker.side]
        add(parent, "polygon", points=corners, fill=colour, stroke=INK, stroke_width=1)

    def _note_forces(self, markers: Iterable[str]) -> None:
        present = {unit.side for unit in self.sheet.units} | {m.side for m in self.game.situation.markers}
        for side, name in self.forces.sides.items():
            if side in present:
                text = name + (" (moves)" if side == self.game.situation.phasing else "")
                self.sheet.note("Units", text, partial(signs.chip, colour=self.sheet.style.colours[side]))
        for name in self.sheet.types:
            text = self.forces.unit_types[name].name or name.replace("_", " ")
            self.sheet.note("Units", text, partial(signs.reference, to=f"{self.prefix}-u-{name}"))
        if self.sheet.types:
            values = "-".join("MA" if name == "ma" else name for name in self.forces.counter)
            self.sheet.note("Units", f"Below the symbol: {values}. Dots: steps, where there are more than one")
        for name, sign in self.sheet.style.badges.items():
            text = self.forces.unit_traits.get(name) or name.replace("_", " ").capitalize()
            self.sheet.note("Units", text, partial(signs.badge, text=sign))
        if any(enemy in self.game.homes for enemy in self.sheet.enemies):
            self.sheet.note("Objective", "Enemy that the objective is about", signs.target)
        for name in self.forces.marker_types:
            if name in markers:
                text = self.forces.marker_types[name].name or name.replace("_", " ")
                self.sheet.note("Markers", text, partial(signs.sign, look=self.sheet.style.signs[name]))
