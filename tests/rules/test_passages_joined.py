"""Where a step is read as a passage, only those places are looked at to which such a passage may lead."""

from __future__ import annotations

import planner
from planner.rules.base import Way
from planner.rules.kinds.passage import Passage


def test_a_passage_joins_a_place_to_those_of_the_whole_board_that_it_does() -> None:
    joined = 0
    for name in ("a_world_at_war/through_the_line", "a_world_at_war/winter_front", "dai_senso/island_campaign"):
        game = planner.load(name).game
        units = {(unit.type, unit.traits): unit for unit in game.units.values()}.values()
        for way in game.rulebook.ways:
            for unit in units if isinstance(way, Passage) else ():
                for origin in [*game.board.places][::3]:
                    some = set(way.joined_to(game, unit, origin))
                    assert some == set(Way.joined_to(way, game, unit, origin)), (name, way.id, unit.id, origin)
                    joined += len(some)
    assert joined > 100
