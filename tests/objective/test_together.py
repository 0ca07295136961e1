"""Goals that are to be reached together, and hexes that are avoided: by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.explanation.parse_question import read_goal
from planner.objective import Tier
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario, load_scenario
from planner.search.search import Search

BOTH = Path(__file__).resolve().parents[2] / "scenarios/ocs/puzzles/both_or_nothing.toml"


def asked(*goals: str) -> Scenario:
    """Return the column between two enemies, with goals in words for its only tier, each worth 1."""
    scenario = load_scenario(BOTH)
    return replace(scenario, tiers=(Tier(terms=tuple(read_goal(scenario, goal) for goal in goals)),), answer=None)


def test_two_goals_together_are_worth_the_probability_of_both() -> None:
    """3/4 x 5/6 one after the other, which is more than 95/144 x 15/16 by one unit each."""
    result = Search(asked("eliminate north and eliminate south")).run()
    assert (result.status, result.value) == ("optimal", (Fraction(5, 8),))


def test_the_same_two_goals_counted_one_by_one_are_best_had_otherwise() -> None:
    """One unit each, twice, comes to 95/144 + 15/16 = 230/144; together it is 3/4 + 5/8 at most = 198/144."""
    result = Search(asked("eliminate north", "eliminate south")).run()
    assert (result.status, result.value) == ("optimal", (Fraction(230, 144),))


def test_a_goal_and_its_contrary_are_never_reached_together() -> None:
    """Whoever eliminates south without fail in 10.09 enters it."""
    result = Search(asked("armor to 10.11 and armor not in 10.11 10.12")).run()
    assert (result.status, result.value) == ("optimal", (0,))


def test_a_hex_is_avoided_as_likely_as_all_units_stand_elsewhere() -> None:
    """Armor leaves 10.10 for 10.09 with 15/16, twice tried; mech for 10.11 with 95/144: both with 475/768."""
    scenario = asked("avoid 10.10")
    plan = Plan.parse(["armor 10.10x10.09*2", "mech 10.10x10.11*2"])
    verdict = Referee(scenario.game).play(plan, scenario.start)
    goal = scenario.tiers[0].terms[0]
    assert verdict.probability_that(lambda position, tally: goal.holds(scenario.game, position, tally)) == Fraction(
        475, 768
    )


@pytest.mark.parametrize("most", [5, 6])
def test_together_they_can_be_required_with_little_spent(most: int) -> None:
    """Plv needs 1 MP for w5426 once inf stands in w5425, 1 MP; kept with it, or not at all."""
    scenario = load_scenario("dai_senso/manchuria")
    goal = read_goal(scenario, f"plv to w5426 and inf to w5425 and at most {most} MP")
    result = planner.suggest(replace(scenario, requirements=(goal,), tiers=()))
    assert result.plan is not None
    assert sum(Referee(scenario.game).play(result.plan, scenario.start).tally.mp.values()) <= most


def test_what_no_plan_reaches_together_is_proved_impossible() -> None:
    """Each alone can be reached, but whoever stands in w5425 isn't in w5525."""
    scenario = load_scenario("dai_senso/manchuria")
    goal = read_goal(scenario, "plv to w5425 and stay plv")
    result = planner.suggest(replace(scenario, requirements=(goal,), tiers=()))
    assert (result.status, result.confirmed) == ("infeasible", True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("eliminate north and at most 3 MP", "mp_spent can't be one of several goals together"),
        ("eliminate north and surround south", "surround can't be one of several goals together"),
        ("eliminate north and hold 99.99", "hex '99.99' is not on the map"),
        ('{kind = "together", goals = [{kind = "hold", hexes = "10.11"}]}', "at least 2"),
        ("hold 10.11 and so on", "a goal must look like"),
    ],
)
def test_goals_that_cannot_be_counted_together_are_refused(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_goal(load_scenario(BOTH), text)
