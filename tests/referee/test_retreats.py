"""Retreats after attacks: where there is room, who is in the way, and who may crowd; and hexsides without a feature."""

from __future__ import annotations

import pytest

import planner
from planner.errors import InputError
from planner.playing.position import Position
from planner.scenario import Scenario
from tests.oracles.attack_games import attack, position

DEAD_END = "\n".join([". . ~ ~", ". . ~ ~", "~ ~ ~ ~"])
"""0101, 0201, 0102 and 0202; 0101 touches 0201 and 0102, 0202 touches them, too."""


def crowded() -> Scenario:
    """Two attackers in 0201 can retreat to 0101 alone, where a friend stands."""
    units = {"a": ("4-4-4", "0201"), "b": ("4-4-4", "0201"), "c": ("4-4-0", "0101"), "e": ("1-8-4", "0202")}
    rule = attack(retreats={"most_friends": 1, "into_ezoc": "to_friends"})
    return position(rule, units, DEAD_END, tier=[{"terms": [{"kind": "own_losses"}]}])


def test_who_retreats_together_may_crowd_where_there_is_no_other_room() -> None:
    """What may be rolled can be entered, the phase may go on and end, and a plan can be searched for."""
    game = Position(crowded())
    game.push("a+b -> 0202")
    back = next(one for one in game.outcomes if str(one.move).startswith("a+b -> 0202=AR"))
    assert str(back.move) == "a+b -> 0202=AR a 0201-0101, b 0201-0101"
    game.roll(result=back.move)
    assert game.at["a"] == game.at["b"] == game.at["c"] == "0101"
    assert not game.problems()
    found = planner.suggest(game.scenario, time_limit=10)
    assert found.status == "optimal"


def test_a_safe_attacker_from_afar_stands_in_the_way_of_those_who_retreat() -> None:
    """The guns in 0101 shoot at 0202 two hexes away; nothing happens to them, so they don't make way: 0301 is left."""
    units = {"a": ("4-4-4", "0201"), "g": ("4-1-4", "0101"), "e": ("1-8-4", "0202")}
    ranges = [{"units": {"traits": "guns"}, "range": 2, "safe": True}]
    rule = attack(ranges=ranges, retreats={"into_ezoc": "always"})
    scenario = position(rule, units, ". . .\n~ . ~", hexes={"0102": "lake"})
    assert scenario.after(["a+g -> 0202=AR"]).start.at["a"] == "0301"
    with pytest.raises(InputError, match="a can't retreat 0201-0101"):
        scenario.after(["a+g -> 0202=AR a 0201-0101"])


def test_attacks_may_be_kept_from_all_hexsides_but_some() -> None:
    """Nobody attacks but across a bridge: where there is none, a may not."""
    bars = [{"because": "but over a bridge", "hexsides": {"without": "bridge"}}]
    units = {"a": ("4-4-4", "0201"), "e": ("1-4-4", "0202")}
    over = {"hexsides": {"bridge": ["0201 0202"]}}
    assert planner.check(position(attack(bars=bars), units, ". . .\n~ . ~", **over), ["a -> 0202"]).legal
    assert not planner.check(position(attack(bars=bars), units, ". . .\n~ . ~"), ["a -> 0202"]).legal
