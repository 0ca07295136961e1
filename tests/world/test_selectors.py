"""Selectors keep what they have worked out to themselves: copies and pickles are as good as new."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

import planner
from planner.world.board import Hex
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, UnitSelector, selectors_in

TANK = Unit("t", "t", "axis", "tank", frozenset({"armor"}), ma=Fraction(3))


def test_a_copy_with_another_trait_asks_for_that_one() -> None:
    armor = UnitSelector(traits=("armor",))
    assert armor.matches(TANK)
    assert not armor.model_copy(update={"traits": ("infantry",)}).matches(TANK)


def test_a_scenario_that_has_been_searched_can_be_pickled() -> None:
    scenario = planner.load("dai_senso/manchuria")
    before = planner.suggest(scenario)
    copy = pickle.loads(pickle.dumps(scenario))
    after = planner.suggest(copy)
    assert (after.value, str(after.plan)) == (before.value, str(before.plan))


@pytest.mark.parametrize(
    ("selector", "fits"),
    [
        ({"any_of": [{"types": "foot"}, {"traits": "armor"}]}, True),
        ({"any_of": [{"types": "foot"}, {"traits": "armor", "steps_min": 2}]}, False),
        ({"sides": "soviet", "any_of": [{"types": "foot"}, {"traits": "armor"}]}, False),
        ({"any_of": [{"types": "tank"}], "but": {"traits": "armor"}}, False),
    ],
)
def test_a_unit_must_pass_every_test_and_one_of_any_of(selector: dict[str, object], fits: bool) -> None:
    """The tank of one step has armor and is the axis's."""
    assert UnitSelector.model_validate(selector).matches(TANK) is fits


@pytest.mark.parametrize(
    ("selector", "fits"),
    [
        ({"any_of": [{"terrain": "swamp"}, {"weather": "mud"}]}, True),
        ({"any_of": [{"terrain": "swamp"}, {"weather": "snow"}]}, False),
        ({"terrain": "clear", "but": {"traits": "city"}}, False),
        ({"terrain": "clear", "but": {"any_of": [{"traits": "port"}, {"areas": "siam"}]}}, True),
    ],
)
def test_a_hex_must_pass_every_test_and_one_of_any_of(selector: dict[str, object], fits: bool) -> None:
    """A clear hex with a city, in mud."""
    place = Hex("0101", "clear", frozenset({"city"}))
    assert HexSelector.model_validate(selector).matches(place, "mud") is fits
    box = Hex("box", "clear", frozenset({"city"}), box=True)
    assert HexSelector.model_validate({**selector, "boxes": True}).matches(box, "mud") is fits


def test_names_in_alternatives_are_looked_up_in_the_charts_too() -> None:
    inner = HexSelector.model_validate({"any_of": [{"labels": "0101"}, {"but": {"labels": "0202"}}]})
    assert [place for place, _ in selectors_in(inner)] == ["", "any_of[0]", "any_of[1]", "any_of[1].but"]
