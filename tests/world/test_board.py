"""Distances on a board."""

from __future__ import annotations

import planner
from planner.world.board import MOST_DISTANCES


def test_distances_to_the_nearest_of_some_places_are_those_that_are_measured_one_by_one() -> None:
    board = planner.load("dai_senso/closed_borders").game.board
    labels = list(board.hexes)
    asked = [tuple(labels[at : at + 1 + at % 3]) for at in range(MOST_DISTANCES + 4)]
    for places in (*asked, *asked):
        away = {label: [board.distance(place, label) for place in places] for label in labels}
        known = {label: [hexes for hexes in some if hexes is not None] for label, some in away.items()}
        assert board.distances(places) == {label: min(some) for label, some in known.items() if some}


def test_how_far_a_hex_is_from_the_nearest_of_some_is_what_is_measured_one_by_one_whatever_was_asked_before() -> None:
    board = planner.load("dai_senso/closed_borders").game.board
    labels = list(board.hexes)
    boxes = [place for place in board.places if place not in board.hexes]
    asked = [frozenset(labels[at : at + at % 4]) for at in range(MOST_DISTANCES + 4)]
    for places in (*asked, frozenset(boxes), *asked):
        for label in (*labels, *boxes):
            away = [hexes for place in places if (hexes := board.distance(label, place)) is not None]
            assert board.nearest(label, places) == min(away, default=None)


def test_what_lies_around_a_hex_is_what_lies_within_so_many_hexsides() -> None:
    for name in ("dai_senso/closed_borders", "crossroads/bridge", "a_world_at_war/through_the_line"):
        board = planner.load(name).game.board
        for label in [*list(board.hexes)[:150], *(place for place in board.places if place not in board.hexes)]:
            for hexes in (1, 2, 3):
                near = {other for other in board.hexes if board.within(label, other, hexes)}
                assert set(board.around(label, hexes)) - {label} == near - {label}
                assert label in board.around(label, hexes) or label not in board.hexes
