"""Passages that must come before every step of another kind, of units that go on otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import planner
from planner.errors import InputError
from planner.scenario import Scenario, build_scenario
from tests.plain_game import write_model

RAIL = """
[[rule]]
id = "rail"
kind = "passage"
paragraph = "rail"
takes = 2
adjacent = false
before_others = true
reads = { origin = { traits = "port" }, to = { traits = "port" } }
"""
ONE_EACH = (
    '[[rule]]\nid = "stacking"\nkind = "stacking"\nparagraph = "stacking"\nlimits = [{ units = 1 }]\nwhen = "move"\n'
)
ON_FOOT, BY_RAIL = {"terrain": "plain"}, {"terrain": "plain", "traits": "port"}


def scenario(
    tmp_path: Path, hexes: dict[str, Any], units: dict[str, str], goals: dict[str, str], **more: Any
) -> Scenario:
    """Return a position of units with 3 MP each, on hexes of 1 MP, who want to end where the goals say."""
    rules = RAIL + more.get("rules", "")
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": str(write_model(tmp_path, rules, turns=more.get("turns", ""))),
            "phase": "day",
            "phasing": "south",
            "map": {"hexes": hexes},
            "unit": [
                {"id": one, "side": "south", "type": "foot", "at": at, "values": "1-3"} for one, at in units.items()
            ],
            "tier": [{"terms": [{"kind": "end", "unit": one, "at": at} for one, at in goals.items()]}],
        },
        "position.toml",
    )


def two_by_rail(tmp_path: Path, turns: str) -> Scenario:
    """Return two units beside a railway that leads to two hexes from where they want to be."""
    hexes = {"01.01": BY_RAIL, "01.04": BY_RAIL, "01.05": ON_FOOT}
    return scenario(tmp_path, hexes, {"a": "01.01", "b": "01.01"}, {"a": "01.05", "b": "01.05"}, turns=turns)


def test_of_two_who_go_on_after_the_passage_one_alone_gets_there(tmp_path: Path) -> None:
    # Each spends 2 MP by rail and 1 on foot. Once one has gone on on foot, the other may not go by rail any more.
    one_by_one = two_by_rail(tmp_path, "")
    result = planner.suggest(one_by_one)
    assert (result.status, result.value) == ("optimal", (1,))
    for solver in (False, True):
        assert not planner.check(one_by_one, ["a 01.01-01.04-01.05", "b 01.01-01.04"], solver=solver).legal
        assert planner.check(one_by_one, ["a 01.01-01.04", "b 01.01-01.04-01.05"], solver=solver).legal


def test_two_who_may_wait_both_get_there(tmp_path: Path) -> None:
    # Both by rail, and then both on foot.
    result = planner.suggest(two_by_rail(tmp_path, "waiting = {}\n"))
    assert (result.status, result.value) == ("optimal", (2,))


def test_who_makes_room_goes_by_the_passage_where_walking_would_be_too_soon(tmp_path: Path) -> None:
    # b goes by rail to where a stands, who must have left by then: by rail, too, though 2 MP take it there on foot as well.
    hexes = {"01.01": BY_RAIL, "01.04": BY_RAIL, "01.05": ON_FOOT, "01.06": BY_RAIL}
    position = scenario(tmp_path / "rail", hexes, {"a": "01.04", "b": "01.01"}, {"b": "01.04"}, rules=ONE_EACH)
    result = planner.suggest(position)
    assert (result.status, result.value) == ("optimal", (1,))
    assert str(result.plan).split() == ["a", "01.04-01.06", "b", "01.01-01.04"]
    # Without a railway to there it would have to walk.
    hexes["01.06"] = ON_FOOT
    position = scenario(tmp_path / "foot", hexes, {"a": "01.04", "b": "01.01"}, {"b": "01.04"}, rules=ONE_EACH)
    result = planner.suggest(position)
    assert (result.status, result.value) == ("optimal", (0,))


def test_what_comes_before_all_others_is_its_units_first_step(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="before_others needs first_only"):
        scenario(
            tmp_path,
            {"01.01": BY_RAIL},
            {"a": "01.01"},
            {"a": "01.01"},
            rules=RAIL.replace("rail", "way") + "first_only = false\n",
        )


def test_nobody_else_is_said_to_have_moved_where_the_unit_alone_has(tmp_path: Path) -> None:
    """Only b moves: a step on foot, and then it would go by rail."""
    position = scenario(
        tmp_path,
        {"01.01": ON_FOOT, "01.02": BY_RAIL, "01.04": BY_RAIL},
        {"a": "01.04", "b": "01.01"},
        {"b": "01.04"},
        turns="waiting = {}\n",
    )
    assert [one.message for one in planner.check(position, ["b 01.01-01.02", "b 01.02-01.04"]).violations] == [
        "b may not go from 01.02 to 01.04: it has moved already in this phase",
        "b may not go from 01.02 to 01.04: steps of another kind have been made already",
    ]
