"""The order of the moves: one literal for each pair of units that interact.

The literals of a chordal completion of the interaction graph are made transitive triangle by triangle; on a chordal graph
that is enough for a total order to exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import networkx as nx

from planner.solver.cp_sat import cp_model


class Order:
    """Which of two units moves first.

    Parameters
    ----------
    model : cp_model.CpModel
        The model that gets the literals.
    pairs : iterable of pairs of units
        Every pair of which `before` will be asked.
    fixed : mapping from units to places, optional
        The order, where it is given; units without a place don't move.
    transitive : bool
        False leaves the triangles out, for tests that must notice it.
    """

    def __init__(
        self,
        model: cp_model.CpModel,
        pairs: Iterable[tuple[str, str]],
        fixed: Mapping[str, int] | None = None,
        transitive: bool = True,
    ) -> None:
        self._model = model
        self._fixed = fixed
        self._literals: dict[tuple[str, str], Any] = {}
        if fixed is None:
            graph = nx.Graph()
            graph.add_edges_from(sorted({(min(pair), max(pair)) for pair in pairs}))
            if graph.number_of_nodes():
                self._complete(graph, transitive)

    def _complete(self, graph: nx.Graph, transitive: bool) -> None:
        triangles: set[tuple[str, str, str]] = set()
        for component in sorted(nx.connected_components(graph), key=min):
            _, tree = nx.approximation.treewidth_min_degree(graph.subgraph(sorted(component)))
            for bag in sorted(sorted(bag) for bag in tree.nodes):
                for a, b in combinations(bag, 2):
                    if (a, b) not in self._literals:
                        literal = self._model.new_bool_var(f"{a} before {b}")
                        self._literals[a, b] = literal
                        self._literals[b, a] = ~literal
                triangles.update(combinations(bag, 3))
        if transitive:
            for a, b, c in sorted(triangles):
                self._model.add_bool_or([self.before(b, a), self.before(c, b), self.before(a, c)])
                self._model.add_bool_or([self.before(a, b), self.before(b, c), self.before(c, a)])

    def before(self, one: str, other: str) -> Any:
        """Return the literal that one unit moves before another."""
        if self._fixed is not None:
            return self._fixed[one] < self._fixed[other]
        return self._literals[one, other]

    def pairs(self) -> dict[tuple[str, str], Any]:
        """Return every literal, by the pair in both directions."""
        return dict(self._literals)
