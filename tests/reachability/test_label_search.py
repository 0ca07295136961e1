"""What a unit's labels tell apart: of two ways to one hex, the cheaper one isn't always as good."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planner.reachability.conditional_reach import ConditionalReach
from planner.scenario import Scenario
from planner.search.search import Search
from tests.plain_game import JOINT, OVERRUN, SHUT, effect, placed, write_model

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
