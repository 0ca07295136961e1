"""One small position under three rule systems: an EZOC that stops, one that costs, one that concerns trucks alone.

::

       T
    A B C D E

The enemy in T has a ZOC in B and C. A unit in A with MP for four hexes wants to go east: B is worth 1, C 2, D 3, E 4.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from planner.scenario import build_scenario
from planner.search.search import Search
from tests.games.statements import a_world_at_war_board, board, ocs_board
from tests.games.statements.board import FLANK, Board

STOPS, COSTS, TRUCKS = "dai_senso", "a_world_at_war", "ocs"


def position(game: str, unit: str, friend: str) -> Board:
    """Draw the position; the friend, if there is one, never moves."""
    if game == STOPS:
        friends = [board.i1(friend, id="friend", ma=0)] if friend else []
        return board.board(FLANK, board.i1("A", id="one", ma=4), board.e2("T"), *friends)
    if game == COSTS:
        friends = [a_world_at_war_board.foot(friend, "friend", supplied=False)] if friend else []
        return a_world_at_war_board.board(
            FLANK, a_world_at_war_board.foot("A", "one", ma=4), a_world_at_war_board.tanks("T"), *friends
        )
    friends = [ocs_board.other(friend, "security", "friend", ma=0, traits="unfuelled")] if friend else []
    mover = ocs_board.truck("A", "one", ma=8, type="artillery", attack=0)
    if unit == "foot":
        mover = ocs_board.leg("A", "one", ma=4, type="security")
    stay = [{**one, "size": 1} for one in friends]
    return ocs_board.board(FLANK, mover, ocs_board.enemy("T"), *stay)


@pytest.mark.parametrize(
    ("game", "unit", "friend", "worth"),
    [
        # The unit stops in B; with a friend in B it passes, and stops in C; with one in C too little helps: it stops in B.
        (STOPS, "foot", "", 1),
        (STOPS, "foot", "B", 2),
        (STOPS, "foot", "C", 1),
        # B takes 1 MP, leaving it 2 more: 4 in C. Friends mean nothing.
        (COSTS, "foot", "", 2),
        (COSTS, "foot", "B", 2),
        (COSTS, "foot", "C", 2),
        # On foot nothing stops the unit; trucks stop as in the first game.
        (TRUCKS, "foot", "", 4),
        (TRUCKS, "truck", "", 1),
        (TRUCKS, "truck", "B", 2),
    ],
)
def test_how_far_a_unit_gets_past_an_enemy_is_a_matter_of_the_rules(
    game: str, unit: str, friend: str, worth: int
) -> None:
    drawn = position(game, unit, friend)
    goals: list[dict[str, Any]] = [
        {"kind": "end", "unit": "one", "at": drawn.labels[letter], "weight": weight}
        for weight, letter in enumerate("BCDE", 1)
    ]
    if friend:
        goals.append({"kind": "stay", "units": ["friend"], "weight": 9})
    scenario = build_scenario({**drawn.data, "tier": [{"terms": goals}]}, "three games")
    assert Search(scenario).run().value == (Fraction(worth + (9 if friend else 0)),)
