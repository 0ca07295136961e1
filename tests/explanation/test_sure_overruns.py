"""Enemies that no overrun is sure to eliminate."""

from __future__ import annotations

from fractions import Fraction

import pytest

import planner
from planner.explanation.parse_question import read_goals
from planner.explanation.question import Question
from planner.explanation.sure_overruns import never_sure
from planner.rules.kinds.joint_overrun import JointOverrun
from planner.rules.odds_table import Column
from planner.scenario import Scenario, load_scenario
from tests.oracles.rulebooks import with_rules

WEAK = "all together, with all support, would come to 6 to 10"
ROLLED = "no overrun of 11.06 is sure to go through: dice decide, whatever the odds"


def carpet(*columns: tuple[str, int]) -> Scenario:
    """Return three trucks of strength 2 beside a division of strength 10, under a table of odds and chances in percent."""
    scenario = load_scenario("ocs/carpet")
    table = tuple(Column.model_validate({"odds": odds, "chance": Fraction(chance, 100)}) for odds, chance in columns)
    return with_rules(
        scenario,
        [
            rule.model_copy(update={"results": table}) if isinstance(rule, JointOverrun) and columns else rule
            for rule in scenario.game.rulebook.rules
        ],
    )


def test_where_every_overrun_is_rolled_for_that_is_why_nobody_is_sure_to_be_eliminated() -> None:
    found = planner.explain("ocs/carpet", require="eliminate division1", time_limit=None)
    assert (found.status, found.complete) == ("forbidden", True)
    assert [str(one) for one in found.instances] == [f"8.1: {ROLLED}"]
    assert found.question == "eliminate division1, for certain"


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ([("1:2", 50), ("1:1", 75)], ROLLED),
        (
            [("1:1", 100)],
            f"11.06 can't be overrun: {WEAK}, less than 1:1",
        ),
        (
            [("1:2", 50), ("1:1", 100)],
            f"no overrun of 11.06 is sure to go through: {WEAK}, and dice decide",
        ),
        ([("1:2", 100)], None),
    ],
)
def test_it_is_said_only_where_all_together_are_too_weak_for_a_sure_result(
    columns: list[tuple[str, int]], told: str | None
) -> None:
    scenario = carpet(*columns)
    reason = never_sure(scenario, Question(tuple(read_goals(scenario, "eliminate division1"))))
    assert [one.message for one in reason.instances] == [told] if reason is not None else told is None
    assert reason is None or (reason.confirmed and reason.minimal)
