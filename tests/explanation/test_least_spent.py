"""That units can't all get where they are to be for the MP that a limit allows is known at once, and named."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.explanation.least_spent import too_costly
from planner.explanation.parse_question import read_goals
from planner.explanation.question import Question
from planner.limits import Limits
from planner.objective.costs import MpSpent
from planner.objective.goals import End
from planner.referee.referee import Referee
from planner.scenario import Scenario
from tests.conftest import sized
from tests.oracles.progress import FAMILIES
from tests.plain_game import ROAD, Variant, build

DRAWN = sized(5, 40, 1_000)


def asked(scenario: Scenario, *goals: str) -> bool:
    """Tell whether that goals take more MP than a limit allows is known."""
    terms = tuple(goal for text in goals for goal in read_goals(scenario, text))
    question = Question(terms, limits=Limits())
    return too_costly(question.relaxed(scenario)._bounds, None, terms) is not None


def test_whoever_has_to_leave_spends_a_step_at_least(tmp_path: Path) -> None:
    """By hand: f leaves 03.01 and g 05.05 for 1 MP each."""
    scenario = build(Variant("leaving", units=("foot f 03.01 3", "foot g 05.05 3")), tmp_path)
    found = planner.explain(scenario, require=["f not in 03.01", "g not in 05.05", "at most 1 MP"], time_limit=20)
    assert found.status == "forbidden"
    [reason] = found.reasons
    assert reason.minimal
    assert reason.confirmed
    assert [(one.rule, one.unit) for one in reason.instances] == [("", None), ("costs", "f"), ("costs", "g")]
    assert [str(one) for one in found.remedies if one.fewest] == ["if 2 MP spent were allowed"]


@pytest.mark.parametrize(
    ("goals", "known"),
    [
        (("f not in 03.01", "g not in 05.05", "at most 2 MP"), False),
        (("f not in 03.01", "g not in 05.05", "g at most 1 MP"), False),  # f's don't count
        (("f to 03.03", "g not in 05.05", "at most 2 MP"), True),
        (("f to 03.03", "f not in 03.01", "at most 2 MP"), False),  # the same steps do both
        (("f not in 03.02", "g not in 05.05", "at most 1 MP"), False),  # f may stay
    ],
)
def test_only_what_units_need_and_what_counts_is_added_up(goals: tuple[str, ...], known: bool, tmp_path: Path) -> None:
    scenario = build(Variant("leaving", units=("foot f 03.01 3", "foot g 05.05 3")), tmp_path)
    assert asked(scenario, *goals) == known


def test_a_step_that_takes_no_mp_is_counted_as_none(tmp_path: Path) -> None:
    """By hand: f leaves by the road for nothing, and g for 1 MP."""
    road = 'road = ["03.01 03.02"]'
    variant = Variant("free", chart=ROAD.replace("mp = 1", "mp = 0"), units=("foot f 03.01 3", "foot g 05.05 3"))
    scenario = build(Variant(**{**variant.__dict__, "hexsides": f"[map.hexsides]\n{road}"}), tmp_path)
    assert not asked(scenario, "f not in 03.01", "g not in 05.05", "at most 1 MP")
    assert asked(scenario, "f not in 03.01", "g not in 05.05", "at most 0 MP")


def test_what_a_legal_plan_does_is_never_too_costly() -> None:
    """Of plans of all games: who is elsewhere in every outcome was to leave, or to get there, for what is spent at most."""
    compared = 0
    for seed in range(DRAWN):
        for family, draw in FAMILIES.items():
            scenario, plan, _ = draw(seed)
            verdict = Referee(scenario.game).play(plan, scenario.start)
            if not verdict.legal:
                continue
            outcomes, homes = list(verdict.all_outcomes()), scenario.game.homes
            goals = list[End | MpSpent]()
            for unit in scenario.game.friends & homes.keys():
                ends = {position.at.get(unit) for position, _ in outcomes}
                if homes[unit] not in ends:
                    goals.append(End(kind="end", unit=unit, not_at=(homes[unit],)))
                    goals += [End(kind="end", unit=unit, at=(label,)) for label in ends if label and len(ends) == 1]
            spent = max(MpSpent(kind="mp_spent").score(scenario.game, *outcome) for outcome in outcomes)
            goals.append(MpSpent(kind="mp_spent", most=Fraction(spent)))
            question = Question(tuple(goals))
            known = too_costly(question.relaxed(scenario)._bounds, None, goals)
            assert known is None, f"{family} {seed}: {plan}"
            compared += len(goals) > 1
    assert compared > DRAWN / 4
