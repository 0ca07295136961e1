"""Counters of several sides: the values of the one that is up are those of the steps that are left."""

from __future__ import annotations

from typing import Any

import pytest

from planner.batch.variants import read_varied, variants_of
from planner.errors import InputError
from planner.scenario import Scenario
from planner.scenario.next_phase import data_after
from tests.oracles.attack_games import MEANINGS, attack, position


def sided(values: str, **more: Any) -> Scenario:
    """Return a position with one unit."""
    unit = {"id": "a", "side": "blue", "type": "infantry", "values": values, "at": "0101", **more}
    head = {"format": "planner/scenario-1", "model": "crossroads", "phase": "movement", "phasing": "blue"}
    return Scenario.from_dict({**head, "map": {"origin": "0101", "rows": ". ."}, "unit": [unit]})


def told(values: str, **more: Any) -> tuple[int, ...]:
    unit = sided(values, **more).game.units["a"]
    return int(unit.attack), int(unit.defense), int(unit.ma), unit.steps


def test_the_side_that_is_up_is_that_of_the_steps_that_are_left() -> None:
    assert told("5-4-6, 3-2-7") == (5, 4, 6, 2)  # all steps
    assert told("5-4-6, 3-2-7", steps=1) == (3, 2, 7, 1)
    assert told("6-6-4, 5-5-4,4-4-4", steps=2) == (5, 5, 4, 2)
    assert told("5-4-6") == (5, 4, 6, 1)
    assert told("5-4-6", steps=3) == (5, 4, 6, 3)  # one side: steps turn nothing


@pytest.mark.parametrize(
    ("values", "steps", "says"),
    [
        ("5-4-6, 3-2-6", 3, "must be at most 2, as values has 2 sides @ scenario: unit[0] (a).steps"),
        ("5-4-6, 3-2", 2, "not '5-4-6, 3-2' @ scenario: unit[0] (a).values"),
        ("5-4-6,", 2, "not '5-4-6,' @ scenario: unit[0] (a).values"),
    ],
)
def test_sides_that_cant_be_are_told(values: str, steps: int, says: str) -> None:
    with pytest.raises(InputError) as raised:
        sided(values, steps=steps)
    assert [str(problem).endswith(says) for problem in raised.value.problems] == [True]


def test_who_has_lost_a_step_is_turned_when_the_phase_is_over() -> None:
    loss = {"results": {**MEANINGS, "D1": {"text": "defenders lose a step", "defenders": {"steps": 1}}}}
    certain = {"columns": [{"odds": "1:1", "results": ["D1", "D1"]}], "sides": 2}
    units = {"a": ("4-4-4", "0302"), "e": ("5-2-4, 3-1-5/2", "0303"), "ef": ("5-2-4, 3-1-5/2", "0606")}
    scenario = position(attack(**loss, **certain), units)
    after = Scenario.from_dict(data_after(scenario, scenario.after(["a -> 0303=D1"]).start))
    found = {name: (int(one.attack), int(one.defense), one.steps) for name, one in after.game.units.items()}
    assert (found["e"], found["ef"]) == ((3, 1, 1), (5, 2, 2))
    assert after.to_dict()["unit"][1]["values"] == "5-2-4, 3-1-5"  # as printed: it can be turned back


def test_a_sweep_varies_the_side_that_is_up_and_leaves_the_others() -> None:
    [(_, weaker)] = variants_of(sided("5-4-6, 3-2-7", steps=1), [read_varied("units.a.attack=1")])
    assert weaker["unit"][0]["values"] == "5-4-6, 1-2-7"
