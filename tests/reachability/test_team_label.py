"""What labels of units that move together tell apart: the way to a hex that needs less isn't always as good."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.search.search import Search
from tests.plain_game import BOGGING, JOINT, ROAD, SHUT, TERRAIN, effect, placed, write_model

BOTH = JOINT.replace('odds = "1:1"', 'odds = "2:1"') + 'by = { types = "foot" }\n'
FOOT = {"side": "south", "type": "foot", "values": "1-4"}
FERRY = '[[rule]]\nid = "ferry"\nkind = "transport"\nparagraph = "ferry"\ntakes = 1\nprocedure = "hex_to_hex"\n'
FERRY += 'embark = [{ terrain = "town" }]\ndebark = [{ terrain = "town" }]\n'


def test_a_way_that_needs_a_friend_may_take_less(tmp_path: Path) -> None:
    # It takes both to overrun e from 04.02: across the river from 03.03, 4 MP each; or by 03.02, 3 MP each, where the scout
    # lifts the guard's ZOC for 1 MP.
    rules, river = BOTH + SHUT + effect('on = "enter", does = "stop"'), "hexsides.river = { mp = 1 }\n"
    scenario = placed(
        write_model(tmp_path / "any_game", rules, terrain=TERRAIN + river, turns="stacks = true\n"),
        {},
        [
            {"id": "f", **FOOT, "at": "02.02"},
            {"id": "k", **FOOT, "at": "02.02"},
            {"id": "s", "side": "south", "type": "scout", "values": "1-1", "at": "04.01"},
            {"id": "e", "side": "north", "type": "foot", "values": "1-0", "at": "05.02"},
            {"id": "g", "side": "north", "type": "guard", "values": "9-0", "at": "03.01"},
        ],
        map={"hexes": {"02.02 03.01 03.02 03.03 04.01 04.02 05.02": "plain"}, "hexsides": {"river": "03.03 04.02"}},
        tier=[{"terms": [{"kind": "eliminate", "units": "e"}]}, {"terms": [{"kind": "mp_spent"}]}],
    )
    assert Search(scenario).run().value == (Fraction(1, 2), -7)


def test_a_dearer_way_may_leave_more_of_what_is_added_up(tmp_path: Path) -> None:
    # One river may be crossed in the phase: the one before e, so that both come over the hill.
    once = '[[rule]]\nid = "once"\nkind = "step_limit"\nparagraph = "once"\nacross = { features = "river" }\n'
    scenario = placed(
        write_model(
            tmp_path / "any_game",
            BOTH + SHUT + once,
            terrain=TERRAIN + "hexsides.river = { mp = 0 }\n",
            turns="stacks = true\n",
        ),
        {},
        [
            {"id": "f", **FOOT, "values": "1-5", "at": "02.02"},
            {"id": "k", **FOOT, "values": "1-5", "at": "02.02"},
            {"id": "e", "side": "north", "type": "foot", "values": "1-0", "at": "05.02"},
        ],
        map={
            "hexes": {"02.02 03.03 04.02 05.02": "plain", "03.02": "hill"},
            "hexsides": {"river": "03.03 04.02 05.02"},
        },
        tier=[{"terms": [{"kind": "eliminate", "units": "e"}]}],
    )
    assert Search(scenario).run().value == (Fraction(1, 2),)


def test_who_must_stop_somewhere_keeps_no_team_from_going_on(tmp_path: Path) -> None:
    # By 03.03, which lies in the guard's ZOC, both are in 03.02 for 2 MP, and stay there. Over the hill they get there free,
    # for 4, and overrun e.
    scenario = placed(
        write_model(
            tmp_path / "any_game", BOTH + SHUT + effect('on = "leave", does = "stop"'), turns="stacks = true\n"
        ),
        {"03.01 03.02 03.03 04.03 02.03": "plain", "04.02": "hill"},
        [
            {"id": "f", **FOOT, "values": "1-5", "at": "04.03"},
            {"id": "k", **FOOT, "values": "1-5", "at": "04.03"},
            {"id": "e", "side": "north", "type": "foot", "values": "1-0", "at": "03.01"},
            {"id": "g", "side": "north", "type": "guard", "values": "9-0", "at": "02.03"},
        ],
        tier=[{"terms": [{"kind": "eliminate", "units": "e"}]}],
    )
    assert Search(scenario).run().value == (Fraction(1, 2),)


def test_who_rolls_from_some_hex_on_may_do_better_by_fewer_hexes(tmp_path: Path) -> None:
    # By the road 03.02 is the second hex, for 1/2 MP; directly it is the first one, for 1. Only then no die is rolled in
    # 04.01, from where f gets to 05.01.
    rules = BOGGING.replace("move = [{}]", "move = [{ from_hex = 3 }]")
    scenario = placed(
        write_model(tmp_path / "any_game", rules, terrain=TERRAIN + ROAD.replace("mp = 1", 'mp = "1/4"')),
        {},
        [{**FOOT, "id": "f", "at": "02.02"}],
        map={"hexes": {"02.02 03.02 03.03 04.01 05.01": "plain"}, "hexsides": {"road": "02.02 03.03 03.02"}},
        tier=[{"terms": [{"kind": "end", "unit": "f", "at": "05.01"}]}],
    )
    assert Search(scenario).run().value == (1,)


@pytest.mark.parametrize(
    "rules", [JOINT + SHUT, JOINT.replace("1/2", "1") + SHUT, BOGGING], ids=["rolled", "sure", "mud"]
)
def test_who_is_carried_on_the_way_to_a_roll_comes_to_something_else_than_who_walks(tmp_path: Path, rules: str) -> None:
    # From one town to the other by boat or on foot, 1 MP either way, and on to 01.01: those plans differ in one fact.
    model = write_model(tmp_path / "any_game", FERRY + rules, turns="stacks = true\n")
    (model / "carriers.toml").write_text("[[carriers]]\nmarkers = {}\ncarries = {}\n")
    enemy = {"id": "e", "side": "north", "type": "foot", "values": "1-0", "at": "01.01"}
    scenario = placed(
        model,
        {},
        [{"id": "f", **FOOT, "values": "1-2", "at": "01.03"}, *([] if rules == BOGGING else [enemy])],
        map={"hexes": {"01.02 01.03": "town", "01.01": "plain"}, "zones": {"sea": "01.02 01.03"}},
        control={"south": "01.02 01.03"},
        marker=[{"type": "boat", "side": "south", "zone": "sea"}],
        tier=[{"terms": [{"kind": "end", "unit": "f", "at": "01.01"}]}],
    )
    found = planner.alternatives(scenario, 3, diverse=True)
    assert {one.substance.carried for one in found.plans} == {frozenset(), frozenset("f")}
    assert found.exhausted
    assert [one.distance for one in found.plans] == [None, 1]
