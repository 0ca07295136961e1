"""Which units' moves get an order literal, and how a solution's moves are put in order; networkx is the judge."""

from __future__ import annotations

import random
from graphlib import CycleError
from itertools import combinations

import networkx as nx
import pytest

from planner.solver.move_order import cliques, one_by_one
from tests.conftest import sized


def graphs() -> list[list[tuple[str, str]]]:
    """Return random graphs of up to thirty nodes, thin and thick ones."""
    found = []
    for seed in range(sized(100, 200, 2_000)):
        rng = random.Random(seed)
        nodes = [f"u{number}" for number in range(rng.randint(2, 30))]
        share = rng.choice((0.05, 0.1, 0.2, 0.5, 0.9))
        found.append([pair for pair in combinations(nodes, 2) if rng.random() < share])
    return found


def test_the_completion_is_chordal_has_every_pair_and_lists_each_of_its_largest_cliques_once() -> None:
    for pairs in graphs():
        found = cliques(pairs)
        whole = nx.Graph(pair for clique in found for pair in combinations(clique, 2))
        assert all(whole.has_edge(*pair) for pair in pairs)
        assert set(whole) == {node for pair in pairs for node in pair}
        assert nx.is_chordal(whole)
        assert sorted(found) == sorted(tuple(sorted(clique)) for clique in nx.find_cliques(whole))


def test_the_completion_adds_nothing_to_a_graph_that_is_chordal() -> None:
    """By hand: a tree, and two triangles that share a side, need nothing; a square needs one diagonal."""
    assert cliques([("a", "b"), ("b", "c"), ("b", "d")]) == [("a", "b"), ("b", "c"), ("b", "d")]
    assert cliques([("a", "b"), ("b", "c"), ("c", "a"), ("b", "d"), ("c", "d")]) == [("a", "b", "c"), ("b", "c", "d")]
    assert [*map(len, cliques([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]))] == [3, 3]
    assert cliques([]) == []


def test_the_completion_is_hardly_larger_than_that_of_networkx() -> None:
    own = theirs = 0
    for pairs in graphs():
        own += len({pair for clique in cliques(pairs) for pair in combinations(clique, 2)})
        graph = nx.Graph(pairs)
        for component in nx.connected_components(graph):
            _, tree = nx.approximation.treewidth_min_degree(graph.subgraph(component))
            theirs += len({pair for bag in tree for pair in combinations(sorted(bag), 2)})
    assert own <= 1.02 * theirs


def test_moves_come_in_an_order_that_keeps_to_all_pairs_the_earliest_place_first() -> None:
    for pairs in graphs():
        graph = nx.DiGraph(pairs)
        nodes = sorted(graph, reverse=True)
        place = {node: index for index, node in enumerate(nodes)}
        expected = list(nx.lexicographical_topological_sort(graph, key=place.__getitem__))
        assert one_by_one(nodes, pairs, place.__getitem__) == expected


def test_there_is_no_order_in_a_circle() -> None:
    with pytest.raises(CycleError):
        one_by_one("abc", [("a", "b"), ("b", "c"), ("c", "a")], "abc".index)
