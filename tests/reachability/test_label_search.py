"""What a unit's labels tell apart: of two ways to one hex, the cheaper one isn't always as good."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from planner.reachability.conditional_reach import ConditionalReach
from planner.scenario import Scenario
from planner.search.search import Search
from tests.plain_game import ANYWHERE, BOGGING, JOINT, OVERRUN, SHUT, effect, placed, write_model

FOOT = {"side": "south", "type": "foot"}
ENEMY = {"side": "north", "values": "1-0"}


def board(
    folder: Path, rules: str, hexes: dict[str, str], units: list[dict[str, Any]], *terms: object, confidence: str = "1"
) -> Scenario:
    """Return a position under some rules, with terms that all count in one tier."""
    model = write_model(folder / "any_game", rules, turns="stacks = true\n" if JOINT in rules else "")
    return placed(model, hexes, units, tier=[{"terms": list(terms)}], confidence=confidence)


def test_who_gets_somewhere_sooner_but_must_stop_there_keeps_nobody_from_going_on(tmp_path: Path) -> None:
    # By 03.03, which lies in the guard's ZOC, f is in 03.02 for 2 MP, and stays there. Over the hill, for 3 and 1 MP, it
    # gets there free, and with the fifth to 03.01.
    scenario = board(
        tmp_path,
        effect('on = "leave", does = "stop"'),
        {"03.01 03.02 03.03 04.03 02.03": "plain", "04.02": "hill"},
        [
            {"id": "f", **FOOT, "values": "1-5", "at": "04.03"},
            {"id": "g", **ENEMY, "type": "guard", "at": "02.03"},
        ],
        {"kind": "end", "unit": "f", "at": "03.01"},
    )
    assert Search(scenario).run().value == (1,)


def test_who_has_overrun_somebody_on_the_way_has_not_come_for_nothing(tmp_path: Path) -> None:
    # 03.01 is beside f, 1 MP away. By 02.01, where e is overrun, it is 2 MP: both goals are had.
    scenario = board(
        tmp_path,
        OVERRUN + SHUT,
        {"03.01 03.02 02.01": "plain"},
        [
            {"id": "f", **FOOT, "values": "1-2", "at": "03.02"},
            {"id": "e", **ENEMY, "type": "foot", "at": "02.01"},
        ],
        {"kind": "end", "unit": "f", "at": "03.01"},
        {"kind": "eliminate", "units": "e"},
    )
    assert Search(scenario).run().value == (2,)


@pytest.mark.parametrize(("at", "guard"), [("03.02", "03.01"), ("03.03", "03.04")])
def test_nor_if_a_shorter_way_there_is_found_later(tmp_path: Path, at: str, guard: str) -> None:
    # Both 03.02 and 03.03 lie between f and 04.02. Where e is overrun, it is 3 MP: leaving that hex costs 1 MP more. By the
    # other one it is 2.
    scenario = board(
        tmp_path,
        OVERRUN + SHUT + effect('on = "leave", does = "cost", mp = 1'),
        {f"02.02 03.02 03.03 04.02 {guard}": "plain"},
        [
            {"id": "f", **FOOT, "values": "1-3", "at": "02.02"},
            {"id": "e", **ENEMY, "type": "foot", "at": at},
            {"id": "g", **ENEMY, "type": "guard", "at": guard},
        ],
        {"kind": "end", "unit": "f", "at": "04.02"},
        {"kind": "eliminate", "units": "e"},
    )
    assert Search(scenario).run().value == (2,)


def test_it_may_be_better_to_need_a_roll_since_the_move_is_not_made_if_it_fails(tmp_path: Path) -> None:
    # The scout spends 1 MP on e, who is gone in 1 of 2 cases; in these f is in 02.01 for 2 MP: by 03.02 in any case, by
    # 02.02 in these alone. 10 / 2 - 1 - 2 / 2 = 3, for 2 if f goes by 03.02.
    goals = [{"kind": "end", "unit": "f", "at": "02.01"}, {"kind": "eliminate", "units": "e"}]
    scenario = board(
        tmp_path,
        JOINT + 'by = { types = "scout" }\n' + SHUT,
        {"03.03 03.02 02.01 02.02 02.03": "plain"},
        [
            {"id": "f", **FOOT, "values": "1-2", "at": "03.03"},
            {"id": "s", "side": "south", "type": "scout", "values": "1-1", "at": "02.03"},
            {"id": "e", "side": "north", "type": "foot", "values": "1-0", "at": "02.02"},
        ],
        {"kind": "together", "goals": goals, "weight": 10},
        {"kind": "mp_spent"},
        confidence="1/2",
    )
    assert Search(scenario).run().value == (3,)
    ends = [one.path for one in ConditionalReach(scenario.game).possibilities("f") if one.end == "02.01"]
    assert sorted(ends) == [("03.03", "02.02", "02.01"), ("03.03", "03.02", "02.01")]


def test_who_needs_and_does_nothing_heeds_how_much_may_be_spent_before_a_hex(tmp_path: Path) -> None:
    # Two MP are spent in 03.01, of which one is valid in towns.
    area = '[[rule]]\nid = "area"\nkind = "area_allowance"\nparagraph = "area"\n'
    scenario = board(
        tmp_path,
        area + 'limits = [{ where = { terrain = "town" }, most = 1 }]\n',
        {"03.02 03.03": "plain", "03.01": "town"},
        [{"id": "f", **FOOT, "values": "1-2", "at": "03.03"}],
        {"kind": "end", "unit": "f", "at": "03.01"},
    )
    assert Search(scenario).run().value == (0,)


def test_who_needs_and_does_nothing_may_overdraw_its_ma_later(tmp_path: Path) -> None:
    # 1 of 2 MP is left for the hill, which takes 3.
    scenario = board(
        tmp_path,
        ANYWHERE,
        {"03.02 03.03": "plain", "03.01": "hill"},
        [{"id": "f", **FOOT, "values": "1-2", "at": "03.03"}],
        {"kind": "end", "unit": "f", "at": "03.01"},
    )
    assert Search(scenario).run().value == (1,)


def test_who_needs_and_does_nothing_may_bog_down_later(tmp_path: Path) -> None:
    # There is no mud in towns. It goes on from 03.02 in 5 of 6 cases.
    scenario = board(
        tmp_path,
        BOGGING.replace("move = [{}]", 'features = [{ name = "mud", hexes = { terrain = "plain" } }]'),
        {"03.02": "plain", "03.01 03.03 03.04": "town"},
        [{"id": "f", **FOOT, "values": "1-3", "at": "03.04"}],
        {"kind": "end", "unit": "f", "at": "03.01", "weight": 6},
    )
    assert Search(scenario).run().value == (5,)


def test_who_rolls_for_nothing_gets_everywhere_where_others_roll_hex_by_hex(tmp_path: Path) -> None:
    # The guard's ZOC lies on 03.02 and 04.02: f gets to all hexes, and stops in these.
    scenario = board(
        tmp_path,
        BOGGING.replace("who = {}", 'who = { types = "scout" }') + effect('on = "enter", does = "stop"'),
        {"03.02 03.03 03.04 04.01 04.02 04.03 05.03": "plain"},
        [
            {"id": "f", **FOOT, "values": "1-3", "at": "03.04"},
            {"id": "g", **ENEMY, "type": "guard", "at": "04.01"},
        ],
        {"kind": "end", "unit": "f", "at": "03.02"},
    )
    ends = {one.end for one in ConditionalReach(scenario.game).possibilities("f")}
    assert ends == {"03.02", "03.03", "04.02", "04.03", "05.03"}


def test_who_must_stop_where_nobody_can_help_may_still_overrun_whoever_stops_it(tmp_path: Path) -> None:
    # The guard's ZOC lies on 03.02.
    scenario = board(
        tmp_path,
        OVERRUN + SHUT + effect('on = "enter", does = "stop"'),
        {"03.01 03.02 03.03": "plain"},
        [
            {"id": "f", **FOOT, "values": "1-2", "at": "03.03"},
            {"id": "g", **ENEMY, "type": "guard", "at": "03.01"},
        ],
        {"kind": "eliminate", "units": "g"},
    )
    assert Search(scenario).run().value == (1,)
