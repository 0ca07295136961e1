"""The board: hexes, hexsides and what lies on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from planner.numbering import Coordinates, Numbering, distance

if TYPE_CHECKING:
    import networkx as nx

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Hex:
    """One hex of the map.

    Attributes
    ----------
    label : str
        The printed label.
    terrain : str
        A terrain of the game's terrain chart.
    traits : frozenset of str
        Whatever else is printed in the hex: city, port, fortress, limited stacking.
    area : str
        The country or region in which it lies; empty if none is given.
    """

    label: str
    terrain: str
    traits: frozenset[str] = NOTHING
    area: str = ""


class Board:
    """A map of hexes.

    Parameters
    ----------
    numbering : Numbering
        How labels map to coordinates.
    hexes : iterable of Hex
        Every hex of the map, each label once.
    hexsides : mapping from pairs of labels to features
        Rivers, roads and the like, by the hexside between two neighbours; the order of a pair means nothing.
    """

    def __init__(
        self,
        numbering: Numbering,
        hexes: Iterable[Hex],
        hexsides: Mapping[tuple[str, str], Iterable[str]] | None = None,
    ) -> None:
        self.numbering = numbering
        self.hexes: dict[str, Hex] = {hexagon.label: hexagon for hexagon in hexes}
        self.neighbours: dict[str, tuple[str, ...]] = {
            label: tuple(other for other in numbering.neighbours(label) if other in self.hexes) for label in self.hexes
        }
        self._hexsides: dict[tuple[str, str], frozenset[str]] = {}
        for (a, b), features in (hexsides or {}).items():
            both = self._hexsides.get((a, b), NOTHING) | frozenset(features)
            self._hexsides[a, b] = self._hexsides[b, a] = both

    def __contains__(self, label: str) -> bool:
        return label in self.hexes

    def __len__(self) -> int:
        return len(self.hexes)

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
        """Return the number of hexsides between two hexes, or None on different map sheets."""
        return distance(self.coordinates[a], self.coordinates[b])

    @cached_property
    def graph(self) -> nx.Graph:
        """The board as a networkx graph: hexes with terrain, traits and area, hexsides with features."""
        import networkx as nx  # a sixth of a second, which `check` need not wait for

        graph = nx.Graph()
        for label, hexagon in self.hexes.items():
            graph.add_node(label, terrain=hexagon.terrain, traits=hexagon.traits, area=hexagon.area)
        for label, others in self.neighbours.items():
            graph.add_edges_from((label, other, {"features": self.hexside(label, other)}) for other in others)
        return graph
