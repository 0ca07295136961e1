"""A question that has been answered is answered again without a search, and no other question is."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

import planner
from planner.limits import Limits
from planner.scenario import Scenario
from planner.search import search
from planner.search.kept_plan import KeptPlan
from planner.search.result import Progress
from planner.search.search import Search
from tests.instances import instance


class SearchedError(Exception):
    """A search has begun."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Scenario:
    """A position of which the best plan has been asked; from now on no search gets anywhere."""
    scenario = instance("dense", "6", 0)
    assert planner.suggest(scenario).status == "optimal"

    def begin(context: object) -> None:
        raise SearchedError

    monkeypatch.setattr(search, "best_plan", begin)
    return scenario


def test_the_same_question_again_is_answered_without_a_search(asked: Scenario) -> None:
    told = list[Progress]()
    again, fresh = planner.suggest(asked, on_progress=told.append), instance("dense", "6", 0)
    with pytest.raises(SearchedError):
        planner.suggest(fresh)
    assert again.status == "optimal"
    assert again.verdict is not None
    assert again.verdict.legal
    assert again.value == again.bound
    assert sum((one.worth for one in again.terms if one.tier == 0), Fraction(0)) == again.value[0]
    assert (told[-1].plan, told[-1].plan_value) == (again.plan, again.value)
    assert told[-1].gap == 0


def test_the_same_objective_once_more_is_the_same_question(asked: Scenario) -> None:
    units = [{"id": unit["id"], "at": unit["at"]} for unit in asked.data["unit"] if "at" in unit]
    for same in (asked.with_objective(asked.data["tier"]), asked.with_units(units)):
        assert planner.suggest(same).plan == planner.suggest(asked).plan


@pytest.mark.parametrize(
    "other",
    [
        lambda scenario: planner.suggest(scenario, seed=1),
        lambda scenario: planner.suggest(scenario, workers=2),
        lambda scenario: planner.suggest(scenario, partial=f"{scenario.data['unit'][0]['id']} stays"),
        lambda scenario: planner.suggest(scenario.with_objective(scenario.data["tier"][:1])),
        lambda scenario: planner.suggest(scenario.with_units(without=[scenario.data["unit"][0]["id"]])),
        lambda scenario: planner.suggest(scenario, time_limit=0),
        lambda scenario: Search(scenario, Limits().of_work(100)).run(),
        lambda scenario: Search(scenario, without=frozenset(["stacking"])).run(),
    ],
    ids=["seed", "workers", "partial", "objective", "units", "time", "work", "rules"],
)
def test_other_questions_are_searched(asked: Scenario, other: Callable[[Scenario], object]) -> None:
    with pytest.raises(SearchedError):
        other(asked)


def test_a_plan_with_which_the_referee_does_not_agree_is_searched_again(asked: Scenario) -> None:
    [known] = asked.memory.of(KeptPlan)
    asked.memory.forget(known)
    asked.memory.keep(replace(known, value=tuple(value + Fraction(1) for value in known.value)))
    with pytest.raises(SearchedError):
        planner.suggest(asked)


def test_scenarios_that_have_been_asked_go_without_the_collector() -> None:
    scenario = instance("dense", "6", 1)
    planner.suggest(scenario)
    planner.suggest(scenario)
    gc.disable()
    try:
        gone = weakref.ref(scenario)
        del scenario
        assert gone() is None
    finally:
        gc.enable()
