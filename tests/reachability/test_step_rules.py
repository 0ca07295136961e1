"""What all rules together say of units: rules of rolls that concern nobody."""

from __future__ import annotations

from functools import cached_property

import pytest

import planner
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_rules import StepRules
from planner.rules.combat_roles import Bogs
from tests.instances import instance


class _Every(cached_property[tuple[Bogs, ...]]):
    """The rules by which units may bog down, whomever they concern."""

    def __init__(self) -> None:
        super().__init__(lambda rules: rules.of(Bogs))
        self.__set_name__(StepRules, "_bogging")


def test_nothing_is_rolled_where_no_unit_of_the_side_may_bog_down() -> None:
    """Only tanks do: the rulebook has the rule all the same."""
    without, tanks = instance("crowded", "8", 0), instance("crowded", "8/tanks=2", 0)
    assert without.game.rulebook.of(Bogs)
    assert not ConditionalReach(without.game).rolls
    assert ConditionalReach(tanks.game).rolls


@pytest.mark.parametrize("seed", range(6))
def test_a_rule_of_rolls_that_concerns_nobody_changes_no_answer(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    few = planner.suggest(instance("crowded", "8", seed))
    monkeypatch.setattr(StepRules, "_bogging", _Every())
    scenario = instance("crowded", "8", seed)
    assert ConditionalReach(scenario.game).rolls
    every = planner.suggest(scenario)
    assert few.status == every.status == "optimal"
    assert few.value == every.value
