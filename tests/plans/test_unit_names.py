"""Units may be called in moves as on their counters: with spaces, slashes and whatever else is printed there."""

from __future__ import annotations

from typing import Any

import pytest

import planner
from planner.errors import AmbiguousInputError, InputError
from planner.plans.unit_names import with_ids
from planner.scenario import Scenario, build_scenario


def front(**more: Any) -> Scenario:
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "dai_senso",
            "phase": "operational_movement",
            "phasing": "axis",
            "map": {"hexes": {"w4724 w4725 w4726": "clear"}},
            "unit": [
                {"id": "a", "name": "1/26 Inf", "side": "axis", "type": "infantry", "values": "3-3-1", "at": "w4724"},
                {"id": "b", "name": "1/26", "side": "axis", "type": "infantry", "values": "3-3-1", "at": "w4724"},
                {
                    "id": "c",
                    "name": "Hv. Tank (SS) + 1",
                    "side": "axis",
                    "type": "tank",
                    "values": "3-3-2",
                    "at": "w4724",
                },
                {"id": "d", "name": "A", "side": "axis", "type": "infantry", "values": "3-3-1", "at": "w4725"},
            ],
            **more,
        },
        "front",
    )


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1/26 Inf w4724-w4725", "a w4724-w4725"),
        ("1/26 w4724-w4725", "b w4724-w4725"),
        ("1/26 INF+1/26 w4724-w4725", "a+b w4724-w4725"),
        ("Hv. Tank (SS) + 1 w4724-w4725-w4726", "c w4724-w4725-w4726"),
        ("a+1/26 w4724-w4725/1/26-w4726", "a+b w4724-w4725/1/26-w4726"),
        ("b+1/26 Inf w4724-w4725/1/26 Inf -w4726", "b+a w4724-w4725/a -w4726"),
        ("A w4724-w4725", "A w4724-w4725"),
        ("1/26 Inf -> w4725", "a -> w4725"),
        ("1/27 Inf w4724-w4725", "1/27 Inf w4724-w4725"),
    ],
)
def test_names_stand_for_ids_where_units_can_stand(written: str, meant: str) -> None:
    """What is somebody's id, A, stays it; a name that nobody has stays, too."""
    assert with_ids([written], front().game) == [meant]


def test_one_space_is_as_good_as_two() -> None:
    scenario = front(unit=[{**front().data["unit"][0], "name": "Panzer  Lehr"}])
    assert with_ids(["Panzer Lehr w4724-w4725", "panzer   lehr w4724-w4725"], scenario.game) == ["a w4724-w4725"] * 2
    assert scenario.unit("Panzer Lehr").id == "a"


def test_units_may_be_called_alike_but_a_move_must_say_which_is_meant() -> None:
    first, second, *_ = front().data["unit"]
    scenario = front(unit=[{**first, "name": "Inf"}, {**second, "name": "Inf"}])
    assert planner.check(scenario, ["a w4724-w4725", "b w4724-w4725"]).legal
    with pytest.raises(AmbiguousInputError, match="'Inf' may be any of a, b @ move 'Inf w4724-w4725'"):
        planner.check(scenario, ["a w4724-w4725", "Inf w4724-w4725"])


def test_every_door_takes_names() -> None:
    scenario = front()
    assert planner.check(scenario, ["1/26 Inf w4724-w4725"]).legal
    assert planner.complete(scenario, ["hv. tank (ss) + 1 -> w4726"]).plan is not None
    assert scenario.after(["1/26 Inf w4724-w4725"]).start.at["a"] == "w4725"
    assert planner.explain(scenario, ["1/26 Inf w4724-w4725"]).status == "possible"
    done = front(done=[{"move": "1/26 Inf w4724-w4725"}])
    assert done.start.at["a"] == "w4725"


def test_a_name_that_nobody_has_is_an_error_and_no_traceback() -> None:
    with pytest.raises(InputError):
        planner.check(front(), ["1/27 Inf w4724-w4725"])


def test_such_names_are_drawn_as_they_are_printed() -> None:
    assert "1/26 Inf" in planner.picture(front()).svg()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"moves": ["1/26 Inf to w4725"]}, "a to w4725"),
        ({"moves": "hv. tank (SS) + 1 to w4725"}, "c to w4725"),
        ({"require": ["1/26 to w4725 and stay 1/26 Inf"]}, "b ends in w4725 and a stays"),
        ({"require": ["Hv. Tank (SS) + 1 at most 2 MP"]}, "at most 2 MP spent by c"),
        ({"require": ["1/26 inf not in w4726"]}, "a does not end in w4726"),
    ],
)
def test_questions_take_names_where_they_take_ids(asked: dict[str, Any], told: str) -> None:
    found = planner.explain(front(), asked.pop("moves", None), **asked)
    assert (found.question, found.status) == (told, "possible")
