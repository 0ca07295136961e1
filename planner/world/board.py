"""The board: hexes, hexsides and what lies on them, off-map boxes, naval zones and countries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from planner.formats.spelling import HexSpellings
from planner.world.numbering import NEIGHBOUR_OFFSETS, Coordinates, Numbering, distance

NOTHING: frozenset[str] = frozenset()

MOST_DISTANCES = 16
"""Of how many sets of places distances are kept."""


@dataclass(frozen=True)
class Country:
    """A country or region, as it is while a phase is played.

    Attributes
    ----------
    id : str
        The name of its area, which is that of its nationality too.
    traits : frozenset of str
        What rules need to know of it: minor and the like.
    side : str
        The side to which it belongs; empty: to none.
    dependent_of : str
        The country whose dependent it is; empty: of none.
    status : frozenset of str
        What is in force in it.
    """

    id: str
    traits: frozenset[str] = NOTHING
    side: str = ""
    dependent_of: str = ""
    status: frozenset[str] = NOTHING


NOWHERE = Country("")
"""The country of hexes that lie in none."""


@dataclass(frozen=True)
class Hex:
    """One hex of the map, or an off-map box: a place in which units can be.

    Attributes
    ----------
    label : str
        The printed label; of a box, its id.
    terrain : str
        A terrain of the game's terrain chart; empty for a box.
    traits : frozenset of str
        Whatever else is printed in the hex: city, port, fortress, limited stacking.
    area : str
        The country or region in which it lies; empty if none is given.
    country : Country
        What is known of that country.
    box : bool
        Whether it is an off-map box, which has no neighbours and no coordinates.
    also : tuple of str
        Further terrain that the hex shows.
    name : str
        What players call a box; empty where nothing is given.
    """

    label: str
    terrain: str
    traits: frozenset[str] = NOTHING
    area: str = ""
    country: Country = NOWHERE
    box: bool = False
    also: tuple[str, ...] = ()
    name: str = ""


class Board:
    """A map of hexes, with the boxes beside it.

    Parameters
    ----------
    numbering : Numbering
        How labels map to coordinates.
    hexes : iterable of Hex
        Every hex of the map, each label once.
    hexsides : mapping from pairs of labels to features, optional
        Rivers, roads and the like, by the hexside between two neighbours; the order of a pair means nothing.
    boxes : iterable of Hex, optional
        The off-map boxes.
    box_links : iterable of pairs of ids, optional
        Which boxes are adjacent to each other, and to which hexes; the order of a pair means nothing.
    zones : mapping from names to labels, optional
        Naval zones: the places that touch each.

    Attributes
    ----------
    hexes : dict from labels to Hex
        The hexes alone.
    places : dict from labels to Hex
        The hexes and the boxes.
    neighbours : dict from labels to labels
        The hexes that share a hexside with each place; boxes have none.
    """

    def __init__(
        self,
        numbering: Numbering,
        hexes: Iterable[Hex],
        hexsides: Mapping[tuple[str, str], Iterable[str]] | None = None,
        boxes: Iterable[Hex] = (),
        box_links: Iterable[tuple[str, str]] = (),
        zones: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self.numbering = numbering
        self.hexes: dict[str, Hex] = {hexagon.label: hexagon for hexagon in hexes}
        self.places: dict[str, Hex] = self.hexes | {box.label: box for box in boxes}
        labels: dict[tuple[str, int, int], str] = {spot: label for label, spot in self.coordinates.items()}
        self.neighbours: dict[str, tuple[str, ...]] = {
            label: tuple(
                labels[near]
                for lines, places in NEIGHBOUR_OFFSETS
                if (near := (sheet, line + lines, place + places)) in labels
            )
            for label, (sheet, line, place) in self.coordinates.items()
        }
        self.neighbours.update((label, ()) for label in self.places if label not in self.hexes)
        links: dict[str, dict[str, None]] = {}
        for a, b in box_links:
            links.setdefault(a, {})[b] = None
            links.setdefault(b, {})[a] = None
        self.box_links: dict[str, tuple[str, ...]] = {label: tuple(others) for label, others in links.items()}
        self.zones: dict[str, tuple[str, ...]] = {name: tuple(places) for name, places in (zones or {}).items()}
        self._zones_of: dict[str, tuple[str, ...]] = {}
        for name, members in self.zones.items():
            for label in members:
                self._zones_of[label] = (*self._zones_of.get(label, ()), name)
        self._distances: dict[tuple[str, ...], dict[str, int]] = {}
        self._nearest: dict[frozenset[str], dict[str, int | None]] = {}
        self._hexsides: dict[tuple[str, str], frozenset[str]] = {}
        for (a, b), features in (hexsides or {}).items():
            both = self._hexsides.get((a, b), NOTHING) | frozenset(features)
            self._hexsides[a, b] = self._hexsides[b, a] = both

    def altered(
        self, hexes: Iterable[Hex] = (), hexsides: Mapping[tuple[str, str], Iterable[str]] | None = None
    ) -> Board:
        """Return a map on which some hexes, and the features of some hexsides, are others.

        Parameters
        ----------
        hexes : iterable of Hex
            They take the place of those with their labels.
        hexsides : mapping from pairs of labels to features, optional
            All that these hexsides have.
        """
        other = copy(self)
        new = {hexagon.label: hexagon for hexagon in hexes}
        other.hexes, other.places = self.hexes | new, self.places | new
        other._hexsides = dict(self._hexsides)
        for (a, b), features in (hexsides or {}).items():
            other._hexsides[a, b] = other._hexsides[b, a] = frozenset(features)
        return other

    def __contains__(self, label: str) -> bool:
        return label in self.places

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def _spellings(self) -> HexSpellings:
        return HexSpellings(self.places)

    def did_you_mean(self, label: str) -> str:
        """Return ``; did you mean '02.04'?`` if a label that isn't there is like one place's alone; else nothing."""
        return self._spellings.did_you_mean(label)

    def zones_of(self, label: str) -> tuple[str, ...]:
        """Return the naval zones that a place touches."""
        return self._zones_of.get(label, ())

    def hexside(self, a: str, b: str) -> frozenset[str]:
        """Return the features of the hexside between two hexes."""
        return self._hexsides.get((a, b), NOTHING)

    def hexsides(self) -> dict[tuple[str, str], frozenset[str]]:
        """Return the features of every hexside that has any, each hexside once, lower label first."""
        return {pair: features for pair, features in self._hexsides.items() if pair[0] < pair[1]}

    def adjacent(self, a: str, b: str) -> bool:
        """Tell whether two hexes share a hexside."""
        return b in self.neighbours[a]

    @cached_property
    def coordinates(self) -> dict[str, Coordinates]:
        """Where each hex lies."""
        return {label: self.numbering.coordinates(label) for label in self.hexes}

    def distance(self, a: str, b: str) -> int | None:
        """Return the number of hexsides between two hexes; None on different map sheets, and from or to a box."""
        one, other = self.coordinates.get(a), self.coordinates.get(b)
        return None if one is None or other is None else distance(one, other)

    def distances(self, places: tuple[str, ...]) -> Mapping[str, int]:
        """Return how far each hex is from the nearest of some, where it is on a map sheet with one.

        Of the last few asked for, they are kept: objectives ask the same in every position.
        """
        found = self._distances.get(places)
        if found is None:
            away = {label: [self.distance(place, label) for place in places] for label in self.hexes}
            known = {label: [hexes for hexes in some if hexes is not None] for label, some in away.items()}
            found = {label: min(some) for label, some in known.items() if some}
            if len(self._distances) >= MOST_DISTANCES:
                self._distances.clear()
            self._distances[places] = found
        return found

    def nearest(self, label: str, places: frozenset[str]) -> int | None:
        """Return how far a hex is from the nearest of some; None: none of them is on its map sheet.

        That is measured for this hex alone, and kept of the last few sets of places asked about.
        """
        known = self._nearest.get(places)
        if known is None:
            if len(self._nearest) >= MOST_DISTANCES:
                self._nearest.clear()
            known = self._nearest[places] = {}
        if label not in known:
            away = (self.distance(label, place) for place in places)
            known[label] = min((hexes for hexes in away if hexes is not None), default=None)
        return known[label]

    def within(self, a: str, b: str, hexes: int) -> bool:
        """Tell whether two hexes lie at most so many hexsides apart."""
        away = self.distance(a, b)
        return away is not None and away <= hexes

    def around(self, label: str, hexes: int) -> Iterable[str]:
        """Return the hexes at most so many hexsides, one at least, from a hex, and that hex itself."""
        if hexes == 1:
            return label, *self.neighbours.get(label, ())
        return (other for other in self.hexes if self.within(label, other, hexes))
