"""The map of a scenario file: terrain, hexsides, areas, boxes and zones, as a board."""

from __future__ import annotations

import itertools
import re

from planner.formats.hex_lists import MOST_HEXES
from planner.formats.ids import HEX_LABEL
from planner.rules.rulebook import Rulebook
from planner.scenario.problem_list import ProblemList
from planner.scenario.shape import MapSection
from planner.world.board import NOWHERE, Board, Country, Hex
from planner.world.numbering import NO_HEX

_LABELLED_ROW = re.compile(rf"\s*({HEX_LABEL})\s*:(?=\s)", re.ASCII)
"""A row of a map that says which hex its first cell is."""


class MapBuilder(ProblemList):
    """Builds the board."""

    def _board(self, section: MapSection, rulebook: Rulebook, countries: dict[str, Country]) -> Board:
        terrain = self._terrain_of_rows(section, rulebook)
        traits: dict[str, frozenset[str]] = {}
        area: dict[str, str] = {}
        also: dict[str, tuple[str, ...]] = {}
        for key, entry in section.hexes.items():
            place, parts = f"map.hexes.{key if len(key) < 40 else key[:40] + '…'}", key.split()
            if len(parts) > MOST_HEXES:
                self.problem(f"a map must have at most {MOST_HEXES} hexes", place)
                continue
            for trait in entry.traits:
                self._check_name("hex_traits", trait, place, rulebook)
            for name in entry.also:
                self._check_name("terrain", name, place, rulebook)
            if entry.terrain is not None:
                self._check_one_of("terrain", entry.terrain, rulebook.terrain.terrain, place)
            for label in parts:
                if not self._is_label(label, place, rulebook):
                    continue
                if entry.terrain is None and label not in terrain:
                    if not self._rows_lost:
                        self.problem(f"terrain of {label} must be given: no row has the hex", place)
                    terrain[label] = next(iter(rulebook.terrain.terrain))
                if entry.terrain is not None:
                    known = entry.terrain in rulebook.terrain.terrain
                    terrain[label] = entry.terrain if known else next(iter(rulebook.terrain.terrain))
                traits[label] = traits.get(label, frozenset()) | frozenset(entry.traits)
                also[label] = tuple(name for name in entry.also if name in rulebook.terrain.terrain)
                if entry.area:
                    area[label] = entry.area
        for name, labels in section.areas.items():
            for label in self._on_map(labels, terrain, f"map.areas.{name}"):
                if area.setdefault(label, name) != name:
                    self.problem(f"{label} must lie in one area, not in {area[label]} and {name}", f"map.areas.{name}")
        if len(terrain) > MOST_HEXES:
            self.problem(f"a map must have at most {MOST_HEXES} hexes", "map")
        if not terrain and not self._rows_lost:
            self.problem("a map must have at least one hex", "map")
        hexes = []
        for label, sort in terrain.items():
            name = area.get(label, "")
            country = countries.get(name) or Country(name) if name else NOWHERE
            hexes.append(Hex(label, sort, traits.get(label, frozenset()), name, country, also=also.get(label, ())))
        boxes, links = self._boxes(section, rulebook, countries, terrain)
        zones = {}
        for name, labels in section.zones.items():
            places = {*terrain, *(box.label for box in boxes)}
            zones[name] = list(dict.fromkeys(self._on_map(labels, places, f"map.zones.{name}")))
        return Board(rulebook.numbering, hexes, self._hexsides(section, rulebook, terrain), boxes, links, zones)

    def _boxes(
        self, section: MapSection, rulebook: Rulebook, countries: dict[str, Country], terrain: dict[str, str]
    ) -> tuple[list[Hex], list[tuple[str, str]]]:
        boxes, links = [], []
        for name, entry in section.boxes.items():
            place = f"map.boxes.{name}"
            if name in terrain:
                self.problem(f"a box must not be called like the hex {name}", place)
                continue
            for trait in entry.traits:
                self._check_name("hex_traits", trait, place, rulebook)
            for other in entry.adjacent:
                if other == name or (other not in section.boxes and other not in terrain):
                    self.problem(f"adjacent must name other boxes, or hexes, of the map, not {other!r}", place)
                else:
                    links.append((name, other))
            country = countries.get(entry.area) or Country(entry.area) if entry.area else NOWHERE
            boxes.append(Hex(name, "", frozenset(entry.traits), entry.area, country, box=True, name=entry.name))
        return boxes, links

    def _terrain_of_rows(self, section: MapSection, rulebook: Rulebook) -> dict[str, str]:
        signs = {entry.symbol: name for name, entry in rulebook.terrain.terrain.items() if entry.symbol}
        known = rulebook.terrain.terrain
        legend = section.legend.items()
        # What is wrong is told once: whoever stands in a hex without a known terrain stands on the map all the same.
        some = next(iter(known))
        for sign, name in legend:
            signs[sign] = name if self._check_one_of("terrain", name, known, f"map.legend.{sign}") else some
        terrain: dict[str, str] = {}
        if not section.rows:
            return terrain
        starts = [_LABELLED_ROW.match(row) for row in section.rows]
        if section.origin is None and starts[0] is None and not self._rows_lost:
            self.problem("origin must be given: the label of the first cell of the first row", "map.origin")
        first = section.origin if starts[0] is None else starts[0][1]
        if first is None or not self._is_label(
            first, "map.origin" if starts[0] is None else "map.rows, row 1", rulebook
        ):
            self._rows_lost = True
            return terrain
        numbering = rulebook.numbering
        sheet, number, left = numbering.row_and_column(first)
        down = -1 if numbering.rows_count == "north" else 1
        unknown = set()
        for index, row in enumerate(section.rows):
            own = starts[index]
            if own is not None and self._is_label(own[1], f"map.rows, row {index + 1}", rulebook):
                sheet, number, left = numbering.row_and_column(own[1])
            cells = row if own is None else row[own.end() :]
            for offset, sign in enumerate(cells.replace(" ", "").replace("\t", "").replace("\r", "")):
                if sign == "_":
                    continue
                if sign not in signs:
                    unknown.add((sign, index))
                if len(terrain) == MOST_HEXES:
                    self.problem(f"a map must have at most {MOST_HEXES} hexes", "map.rows")
                    return terrain
                label = numbering.label(sheet, number, left + offset)
                if number < 0 or not _fits(label, rulebook):
                    where = (
                        f"after {numbering.label(sheet, number, left + offset - 1)}"
                        if label == NO_HEX
                        else f"at {label}"
                    )
                    self.problem(f"row {index + 1} runs beyond the hex numbers, {where}", "map.rows")
                    break
                if label in terrain:
                    self.problem(f"{label} must come once, but row {index + 1} has it again", "map.rows")
                    break
                terrain[label] = signs.get(sign, some)
            number += down
        # A sign may be that of a terrain that couldn't be read.
        unread = any(part.partition(".")[0] == "terrain" for part in rulebook.thinned)
        for sign, index in () if unread else sorted(unknown, key=lambda item: (item[1], item[0])):
            self.problem(f"the sign {sign!r} must be in the legend", f"map.rows, row {index + 1}")
        return terrain

    def _hexsides(
        self, section: MapSection, rulebook: Rulebook, terrain: dict[str, str]
    ) -> dict[tuple[str, str], set[str]]:
        hexsides: dict[tuple[str, str], set[str]] = {}
        known = rulebook.terrain.features()
        for feature, chains in section.hexsides.items():
            place = f"map.hexsides.{feature}"
            if "routes" not in rulebook.thinned:  # whose features couldn't be read all
                self._check_one_of("feature", feature, known, place)
            for chain in chains:
                if len(chain) < 2:
                    self.problem(f"a chain must name at least two hexes: {' '.join(chain)[:40]!r}", place)
                if len(self._on_map(chain, terrain, place)) < len(chain):
                    continue
                for a, b in itertools.pairwise(chain):
                    if b not in rulebook.numbering.neighbours(a):
                        self.problem(f"hexes that follow each other must be adjacent: {a} and {b}", place)
                    else:
                        hexsides.setdefault((min(a, b), max(a, b)), set()).add(feature)
        return hexsides


def _fits(label: str, rulebook: Rulebook) -> bool:
    """Tell whether the numbering has a label."""
    try:
        rulebook.numbering.coordinates(label)
    except ValueError:
        return False
    return True
