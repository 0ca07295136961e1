"""Battles to come: who has moved before was ordered where it stood then."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.objective.battles import ReadyToBattle
from planner.rules.kinds.joint_overrun import JointOverrun
from planner.scenario import Scenario, build_scenario
from planner.search.search import Search
from tests.oracles.rulebooks import with_rules
from tests.plain_game import JOINT, OVERRUN, SHUT, TERRAIN, placed, write_model

# u2 has moved from the center to a hex of both sections, by one of the center's two orders. u0 moves by the other one, and
# u1, which stands in the center alone, has none for the battle: u0 battles, and nobody else can, since u2 has entered a
# forest. The two orders of the left are nobody's.
BOARD = """
format = "planner/scenario-1"
model = "great_war"
phase = "movement"
phasing = "allied"
orders = { left = 2, center = 2 }

[map.hexes]
D5 = { terrain = "forest", traits = ["left", "center"] }
D6 = { terrain = "trench", traits = ["center"] }
E5 = { terrain = "trench", traits = ["left", "center"] }
E6 = { terrain = "countryside", traits = ["center"] }
F5 = { terrain = "countryside", traits = ["left", "center"] }
F6 = { terrain = "trench", traits = ["center"] }

[[unit]]
id = "u0"
side = "allied"
type = "later_tank"
at = "F6"

[[unit]]
id = "u1"
side = "allied"
type = "machine_gun"
at = "E6"

[[unit]]
id = "u2"
side = "allied"
type = "early_tank"
at = "D6"

[[unit]]
id = "e"
side = "central"
type = "infantry"
at = "E5"

[[tier]]
terms = [{ kind = "end", unit = "u0", at = "F5", weight = 5 }, { kind = "battle", weight = 3 }]

[[done]]
move = "u2 D6-D5!"
"""


def test_an_order_that_has_been_given_is_one_of_the_section_where_the_unit_stood_then() -> None:
    found = Search(Scenario.loads(BOARD)).run()
    assert (found.status, found.value) == ("optimal", (8,))


def test_with_a_third_order_of_that_section_one_more_unit_battles() -> None:
    found = Search(Scenario.loads(BOARD.replace("center = 2", "center = 3"))).run()
    assert (found.status, found.value) == ("optimal", (11,))


def test_battles_arent_counted_where_dice_decide_which_enemies_are_left() -> None:
    """In range of whom a unit ends, and whether he is still there, would be a product of two rolls."""
    battle = ReadyToBattle(kind="battle")
    scenario = Scenario.loads(BOARD)
    assert not list(battle.problems(scenario.game))
    rolled = JointOverrun.model_validate({
        "id": "overrun", "kind": "joint_overrun", "paragraph": "", "results": [{"odds": "1:1", "chance": "1/2"}],
        "eliminated_to": [{"box": "dead"}],
    })  # fmt: skip
    [(said, _)] = battle.problems(with_rules(scenario, [*scenario.game.rulebook.rules, rolled]).game)
    assert said.startswith("battle isn't counted in games in which it is rolled for which enemies are left")


BATTLE = '[[rule]]\nid = "battle"\nkind = "battle"\nparagraph = "battle"\n'
BATTLE += "reaches = [{ units = {}, hexes_moved = 2, range = 1 }]\n"


@pytest.mark.parametrize("required", [False, True])
def test_whoever_is_to_battle_goes_round_the_enemy_rather_than_overrun_it(required: bool, tmp_path: Path) -> None:
    """By hand: over e it takes u 2 MP to 02.04, and nobody is left to battle; over the hill it takes 4, with e beside it."""
    goals = [{"kind": "end", "unit": "u", "at": "02.04", "weight": 2}, {"kind": "battle", "weight": 3}]
    bare = [{key: value for key, value in goal.items() if key != "weight"} for goal in goals]
    model = write_model(tmp_path / "game", SHUT + OVERRUN + BATTLE)
    units = [
        {"id": "u", "side": "south", "type": "foot", "values": "1-6", "at": "03.03"},
        {"id": "e", "side": "north", "type": "foot", "values": "0-0", "at": "02.03"},
    ]
    asked = {"require": bare} if required else {"tier": [{"terms": goals}]}
    found = planner.suggest(placed(model, {"03.03 02.03 02.04": "plain", "03.04": "hill"}, units, **asked))
    assert (found.status, found.value) == ("optimal", () if required else (5,))
    assert str(found.plan) == "u 03.03-03.04-02.04"


ROAD = TERRAIN + '[[routes]]\nfeature = "road"\nprices = [{ mp = 0 }]\n'
FACING = {
    "there and back, where only units that have moved battle": (2, "only_after_moving = true\n", "03.02"),
    "straight over a hill, where the longer way along the road costs nothing": (1, "", "03.01"),
}
"""After how many hexes units battle, what the rule says besides, and where the unit begins."""
SURE = JOINT.replace('"1/2"', "1")
GAMES = {
    "nobody is overrun": ("", ""),
    "units overrun": (SURE, ""),
    "units overrun, and wait": (SURE, "waiting = {}\n"),
}
"""By what enemies are overrun, and how units move."""


@pytest.mark.parametrize("others", GAMES)
@pytest.mark.parametrize("way", FACING)
def test_a_unit_goes_the_way_after_which_it_can_battle(way: str, others: str, tmp_path: Path) -> None:
    """By hand: a ends in 03.02, beside e, after so many hexes as it may, and one at least; f overruns g elsewhere."""
    (most, more, at), (overruns, turns) = FACING[way], GAMES[others]
    rule = '[[rule]]\nid = "battle"\nkind = "battle"\nparagraph = "battle"\n'
    rule += f"reaches = [{{ hexes_moved = {most}, range = 1 }}]\n{more}"
    model = write_model(tmp_path / "any_game", SHUT + overruns + rule, terrain=ROAD, turns=turns)
    hexes = dict.fromkeys(("03.01", "04.01", "03.03", "01.01", "01.02"), "plain") | {"03.02": "hill"}
    units = [
        {"id": "a", "side": "south", "type": "foot", "at": at, "values": "1-3"},
        {"id": "f", "side": "south", "type": "foot", "at": "01.01", "values": "1-1"},
        {"id": "e", "side": "north", "type": "foot", "at": "03.03", "values": "9-0"},
        {"id": "g", "side": "north", "type": "foot", "at": "01.02", "values": "1-0"},
    ]
    head = {"format": "planner/scenario-1", "model": str(model), "phase": "day", "phasing": "south"}
    board = {"hexes": hexes, "hexsides": {"road": ["03.01 04.01", "04.01 03.02"]}}
    goals = [{"kind": "battle", "against": {"units": "e"}}, {"kind": "eliminate", "units": "g"}]
    scenario = build_scenario({**head, "map": board, "unit": units, "tier": [{"terms": goals}]}, "facing each other")
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (1 + bool(overruns),))
