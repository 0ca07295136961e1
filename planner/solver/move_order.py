"""The order of the moves: one literal for each pair of units that interact.

The literals of a chordal completion of the interaction graph are made transitive triangle by triangle; on a chordal graph
that is enough for a total order to exist.

Both functions do what networkx's `treewidth_min_degree` and `lexicographical_topological_sort` do, in a few lines: loading
it takes a tenth of a second, which is much of a small search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from planner.solver.cp_sat import Literal
from planner.solver.cp_sat import cp_model, new_literal

Node = TypeVar("Node", bound=str)


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
        self._literals: dict[tuple[str, str], Literal] = {}
        if fixed is None:
            self._complete(pairs, transitive)

    def _complete(self, pairs: Iterable[tuple[str, str]], transitive: bool) -> None:
        triangles: set[tuple[str, str, str]] = set()
        literals = self._literals
        for clique in cliques(pairs):
            for a, b in combinations(clique, 2):
                if (a, b) not in literals:
                    literal = literals[a, b] = new_literal(self._model)
                    literals[b, a] = ~literal
            triangles.update(combinations(clique, 3))
        if transitive:
            for a, b, c in sorted(triangles):
                self._model.add_bool_or([literals[b, a], literals[c, b], literals[a, c]])
                self._model.add_bool_or([literals[a, b], literals[b, c], literals[c, a]])

    def before(self, one: str, other: str) -> Literal:
        """Return the literal that one unit moves before another."""
        if self._fixed is not None:
            return self._fixed[one] < self._fixed[other]
        return self._literals[one, other]

    def pairs(self) -> dict[tuple[str, str], Literal]:
        """Return every literal, by the pair in both directions."""
        return dict(self._literals)


def cliques(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return the largest cliques of a chordal completion of a graph, each sorted, in order.

    Whoever has fewest neighbours left goes first, and his neighbours become neighbours of each other (the minimum degree
    heuristic: Rose, "A graph-theoretic study of the numerical solution of sparse positive definite systems", 1972).
    """
    near: dict[str, set[str]] = {}
    for one, other in pairs:
        if one != other:
            near.setdefault(one, set()).add(other)
            near.setdefault(other, set()).add(one)
    found: list[set[str]] = []
    while near:
        first = min(near, key=lambda node: (len(near[node]), node))
        neighbours = near.pop(first)
        for node in neighbours:
            near[node] |= neighbours
            near[node] -= {node, first}
        found.append({first, *neighbours})
    # A clique is within another only if that was made before it: its first member was still there then.
    largest = [clique for place, clique in enumerate(found) if not any(clique <= other for other in found[:place])]
    return sorted(tuple(sorted(clique)) for clique in largest)


def one_by_one(nodes: Iterable[Node], pairs: Iterable[tuple[Node, Node]], place: Callable[[Node], int]) -> list[Node]:
    """Return nodes in an order in which the first of each pair comes before the second; of several the first by place.

    Raises
    ------
    graphlib.CycleError
        If there is none.
    """
    sorter: TopologicalSorter[Node] = TopologicalSorter(dict.fromkeys(nodes, ()))
    for one, other in pairs:
        sorter.add(other, one)
    sorter.prepare()
    ready: list[tuple[int, Node]] = []
    found: list[Node] = []
    while sorter.is_active():
        for node in sorter.get_ready():
            heappush(ready, (place(node), node))
        found.append(heappop(ready)[1])
        sorter.done(found[-1])
    return found
