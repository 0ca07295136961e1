"""Where little can be done, the solver is asked first: a plan is made by hand if it doesn't prove the first tier at once."""

from __future__ import annotations

import random

import pytest

import planner
from planner.rules.combat_roles import Bogs
from planner.scenario import Scenario
from planner.search import first_plans
from planner.solver.tuning import AllAtOnce, Greedy
from tests.conftest import sized
from tests.instances import instance
from tests.laws.test_second_questions import board
from tests.seeds import in_chunks


def found(scenario: Scenario) -> tuple[object, ...]:
    """Return what is proved of a scenario."""
    result = planner.suggest(scenario, time_limit=60)
    return result.status, result.value, result.bound


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list that gets the search of each plan that is made by hand."""
    real, searches = first_plans._make, list[object]()

    def noted(context: first_plans.SearchContext, *more: object) -> None:
        searches.append(context)
        real(context, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(first_plans, "_make", noted)
    return searches


@in_chunks(sized(2, 6, 2_000), 15)
def test_whoever_begins_by_hand_or_not_proves_the_same(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in seeds:
        scenario = board(random.Random(f"first glance {seed}"))
        answers = []
        for few, glance in ((0, AllAtOnce.work), (10_000, AllAtOnce.work), (10_000, 1e-6)):
            monkeypatch.setattr(Greedy, "few", few)
            monkeypatch.setattr(AllAtOnce, "work", glance)
            answers.append(found(scenario))
        assert answers[0] == answers[1] == answers[2], f"seed {seed}"


def test_what_is_proved_at_a_glance_needs_no_plan_by_hand(made: list[object]) -> None:
    assert found(instance("villages", "8", 0))[0] == "optimal"
    assert not made


def test_rules_of_rolls_that_concern_nobody_who_moves_call_for_no_plan_by_hand(made: list[object]) -> None:
    scenario = instance("crowded", "12", 0)
    assert scenario.game.rulebook.of(Bogs)
    assert found(scenario)[0] == "optimal"
    assert not made


def test_what_is_not_proved_at_a_glance_begins_with_a_plan_by_hand(
    made: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AllAtOnce, "work", 1e-6)
    assert found(instance("villages", "8", 0))[0] == "optimal"
    assert len(made) == 1


@pytest.mark.thorough
def test_who_watches_is_told_that_nobody_moves_at_once_and_has_the_search_of_who_does_not(
    made: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    for glance, by_hand in ((AllAtOnce.work, 0), (1e-6, 1)):
        monkeypatch.setattr(AllAtOnce, "work", glance)
        for family in ("villages", "dense", "islands"):
            scenario, told, looked = instance(family, "8", 1), list[planner.Progress](), list[object]()
            expected, before = planner.suggest(scenario), len(made)

            def tell(
                progress: planner.Progress, told: list[planner.Progress] = told, looked: list[object] = looked
            ) -> None:
                told.append(progress)
                looked.append(len(made))

            watched = planner.suggest(scenario, on_progress=tell)
            assert watched.plan == expected.plan
            assert len(made) == before + by_hand
            assert told[0].plan is not None
            assert not told[0].plan.moves
            assert looked[0] == before


def test_who_has_hardly_any_time_has_a_plan_by_hand_first(made: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Greedy, "hurry", 100.0)
    assert found(instance("villages", "8", 0))[0] == "optimal"
    assert len(made) == 1
