"""Selectors keep what they have worked out to themselves: copies and pickles are as good as new."""

from __future__ import annotations

import pickle
from fractions import Fraction

import planner
from planner.world.forces import Unit
from planner.world.selectors import UnitSelector

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
