"""What has been proved is the answer when the same is asked again, and of nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

import planner
from planner.errors import DisagreementError
from planner.limits import Limits
from planner.scenario import Scenario
from planner.scenario.memory import Memory
from planner.search.kept_answer import KeptAnswer
from planner.search.result import Progress
from planner.search.search import Search
from tests.conftest import sized
from tests.instances import instance
from tests.laws.test_second_questions import history
from tests.seeds import in_chunks

Count = Callable[[], int]


@pytest.fixture(autouse=True)
def proofs_are_made_anew() -> None:
    """Leave what is kept where it is, unlike other tests."""


def anew(scenario: Scenario) -> Scenario:
    """Return the scenario without what has been asked about it."""
    return replace(scenario, memory=Memory())


def drawn(family: str, size: str, seed: int) -> Scenario:
    """Return an instance about which nothing has been asked."""
    return anew(instance(family, size, seed))


def answer(scenario: Scenario, **asked: object) -> tuple[object, ...]:
    """Return what is answered, but for how long it took."""
    found = planner.suggest(scenario, time_limit=60, **asked)  # type: ignore[call-overload]
    return found.status, found.value, found.bound, found.plan, found.verdict, found.terms, found.confirmed, found.reason


def test_the_same_question_is_answered_the_same_without_a_search(searched: Count) -> None:
    for family in ("dense", "villages", "joint"):
        scenario = drawn(family, "6", 1)
        first, before = answer(scenario), searched()
        assert first[0] == "optimal"
        assert answer(scenario) == answer(scenario) == first
        assert searched() == before


@pytest.mark.thorough
def test_that_nothing_is_possible_is_known_when_it_is_asked_again(searched: Count) -> None:
    scenario = drawn("dense", "6", 0)
    enemy = next(unit for unit in scenario.game.homes if scenario.game.is_enemy(unit))
    required = [{"kind": "eliminate", "units": enemy}, {"kind": "mp_spent", "most": 0}]
    hopeless = scenario.with_objective((), required)
    first = answer(hopeless)
    assert first[0] == "infeasible"
    assert answer(hopeless) == first == answer(anew(hopeless))
    assert searched() == 2


def test_whatever_differs_in_the_question_is_searched_for_itself(searched: Count) -> None:
    scenario = drawn("dense", "8", 0)
    unit = next(iter(scenario.game.friends))
    questions: list[Callable[[], object]] = [
        lambda: answer(scenario),
        lambda: answer(scenario, seed=1),
        lambda: answer(scenario, workers=2),
        lambda: answer(scenario, partial=f"{unit} stays"),
        lambda: answer(scenario.with_objective(scenario.data["tier"][:1])),
        lambda: answer(scenario.with_objective(scenario.data["tier"], [{"kind": "mp_spent", "most": 3}])),
        lambda: answer(scenario.with_units(without=[unit])),
        lambda: answer(anew(scenario)),
        lambda: Search(scenario, Limits().of_work(30)).run(),
        lambda: Search(scenario, without=frozenset({"carriers"})).run(),
    ]
    for number, question in enumerate(questions, 1):
        question()
        assert searched() == number


def test_what_is_not_proved_is_not_kept(searched: Count) -> None:
    scenario = drawn("villages", "12", 0)
    assert planner.suggest(scenario, time_limit=0).status == "feasible"
    assert not scenario.memory.of(KeptAnswer)
    assert answer(scenario)[0] == "optimal"
    assert planner.suggest(scenario, time_limit=0).status == "feasible"  # no time for the referee either
    assert searched() == 3


def test_a_position_that_comes_back_is_known(searched: Count) -> None:
    scenario = drawn("dense", "8", 0)
    unit = next(unit for unit in scenario.data["unit"] if unit["id"] in scenario.game.friends)
    beside = scenario.game.board.neighbours[unit["at"]]
    there = next(at for at in beside if at not in scenario.game.homes.values())
    moved = scenario.with_units([{"id": unit["id"], "at": there}])
    first, _ = answer(scenario), answer(moved)
    back = moved.with_units([{"id": unit["id"], "at": unit["at"]}])
    assert back.game is not scenario.game
    assert answer(back) == first
    assert searched() == 2


def test_who_watches_is_told_of_the_plan_and_of_the_proof() -> None:
    scenario = drawn("villages", "8", 0)
    answer(scenario)
    told = list[Progress]()
    found = planner.suggest(scenario, on_progress=told.append)
    assert [(one.tier, one.value, one.bound) for one in told[-len(found.value) :]] == [
        (tier, value, value) for tier, value in enumerate(found.value)
    ]
    assert all(one.plan == found.plan and one.plan_value == found.value for one in told)


def test_each_answer_belongs_to_the_scenario_that_was_asked_about() -> None:
    scenario = drawn("dense", "6", 0)
    other = scenario.with_objective(scenario.data["tier"])
    first, second = planner.suggest(scenario), planner.suggest(other)
    assert first.plan == second.plan
    assert first.plan is not second.plan
    assert (first.plan._scenario, second.plan._scenario) == (scenario, other)  # type: ignore[union-attr]


def test_few_answers_are_kept() -> None:
    scenario = drawn("dense", "6", 0)
    for seed in range(7):
        answer(scenario, seed=seed)
    assert len(scenario.memory.of(KeptAnswer)) == 4


def test_a_plan_that_is_not_worth_what_is_kept_is_a_disagreement() -> None:
    scenario = drawn("dense", "6", 0)
    answer(scenario)
    [kept] = scenario.memory.of(KeptAnswer)
    scenario.memory.forget(kept)
    scenario.memory.keep(replace(kept, value=(kept.value[0] + 1, *kept.value[1:])))
    with pytest.raises(DisagreementError):
        answer(scenario)


@in_chunks(sized(2, 12, 600), 5)
def test_a_game_in_which_positions_come_back_is_answered_as_if_each_were_the_first(
    seeds: range, searched: Count
) -> None:
    recalled = 0
    for seed in seeds:
        rng, memory = random.Random(f"kept answers {seed}"), Memory()
        for number, now in enumerate(history(rng)):
            expected, before = answer(anew(now)), searched()
            assert answer(replace(now, memory=memory)) == expected, f"seed {seed}, position {number}"
            recalled += searched() == before
    assert recalled
