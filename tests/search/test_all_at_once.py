"""A glance at all tiers in one sum proves what is proved tier by tier, and tells of the first tiers if it is cut off."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import planner
from planner.objective import Linear
from planner.scenario import Scenario
from planner.search import all_at_once, tier_by_tier
from planner.search.all_at_once import Digits, Glance, look_at_all
from planner.search.context import SearchContext
from planner.search.plan_pool import length
from planner.search.search import Search
from planner.solver.cp_sat import Literal
from planner.solver.model import Model, ceiling, unscaled
from planner.solver.tuning import AllAtOnce
from tests.conftest import sized
from tests.instances import instance
from tests.laws.test_second_questions import board
from tests.seeds import in_chunks

FAMILIES = (
    ("dense", "20"),
    ("villages", "8"),
    ("islands", "6"),
    ("crowded", "12"),
    ("joint", "8"),
    ("dense", "20/tiers=1"),
)


def of_model(scenario: Scenario) -> Model:
    """Return the model of a search."""
    return Search(scenario).context.model


def at_random(sums: list[Linear], rng: random.Random) -> list[int]:
    """Return what sums come to if each of their literals holds or not, as chance has it."""
    chosen: dict[int, bool] = {}

    def holds(literal: Literal) -> bool:
        if isinstance(literal, bool):
            return literal
        positive = literal.index >= 0
        variable = literal.index if positive else -1 - literal.index
        return chosen.setdefault(variable, rng.random() < 0.3) == positive

    return [one.constant + sum(weight for weight, term in one.terms if holds(term)) for one in sums]


@pytest.mark.parametrize(("family", "size"), FAMILIES)
def test_one_sum_has_the_order_of_the_tiers_and_tells_each_of_them(family: str, size: str) -> None:
    model, rng = of_model(instance(family, size, 0)), random.Random(0)
    tiers = [*model.tiers, model.tiers[0].times(-1)]
    digits = Digits(tiers, model.coupling)
    read = []
    for _ in range(40):
        values = at_random([*tiers, digits.total], random.Random(rng.random()))
        assert digits.read(values[-1]) == values[:-1]
        assert 0 <= values[-1] < digits.size
        read.append((values[-1], values[:-1]))
    assert [values for _, values in sorted(read)] == sorted(values for _, values in read)
    highest = [ceiling(one, model.coupling) for one in tiers]
    assert digits.read(digits.size - 1) == highest
    assert digits.read(digits.size)[0] > highest[0]


def answer(scenario: Scenario) -> tuple[object, ...]:
    """Return what is proved of a scenario, and how long the plan is if it is proved to be the shortest."""
    search = Search(scenario)
    result = search.run()
    known = None
    if search.context.shortest and result.plan is not None and result.verdict is not None:
        known = length(scenario.game, result.plan, result.verdict)
    return result.status, result.value, result.bound, known


@in_chunks(sized(3, 80, 3_000), 20)
def test_all_at_once_proves_what_is_proved_tier_by_tier(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    real, glances = look_at_all, list[Glance]()

    def noted(*arguments: object) -> Glance:
        glances.append(real(*arguments))  # type: ignore[arg-type]
        return glances[-1]

    monkeypatch.setattr(tier_by_tier, "look_at_all", noted)
    for seed in seeds:
        scenario = board(random.Random(f"all at once {seed}"))
        answers = []
        for variables, work, largest in (
            (0, 1.0, 2**50),
            (5_000, 1.0, 2**50),
            (5_000, 1.0, 2**12),
            (5_000, 2e-3, 2**50),
        ):
            monkeypatch.setattr(AllAtOnce, "variables", variables)
            monkeypatch.setattr(AllAtOnce, "work", work)
            monkeypatch.setattr(AllAtOnce, "largest", largest)
            answers.append(answer(scenario))
        for other in answers[1:]:
            assert other[:3] == answers[0][:3], f"seed {seed}"
            assert None in (other[3], answers[0][3]) or other[3] == answers[0][3], f"seed {seed}"
    assert any(glance.short for glance in glances)


@pytest.mark.parametrize(
    ("family", "size"),
    [
        pytest.param(*one, marks=pytest.mark.thorough) if one in {("joint", "8"), ("dense", "20/tiers=1")} else one
        for one in FAMILIES
    ],
)
def test_what_a_glance_tells_that_is_cut_off_is_true_of_the_first_tiers(
    family: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(2):
        scenario = instance(family, size, seed)
        best = planner.suggest(scenario)
        assert best.status == "optimal"
        for work in (5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 1.0):
            monkeypatch.setattr(AllAtOnce, "work", work)
            context = Search(scenario).context
            model = context.model
            glance = look_at_all(context, model)
            proved = tuple(unscaled(value, model.scale) for value in glance.values)
            assert proved == best.value[: len(proved)]
            if glance.bound is not None:
                assert unscaled(glance.bound, model.scale) >= best.value[len(proved)]
            assert not glance.short or len(proved) == len(best.value)


@pytest.mark.parametrize("seed", [None, 8])
def test_who_watches_is_told_of_each_tier_that_is_proved_at_once(seed: int | None) -> None:
    """Of the drawn one the solver proves the optimum without telling of its last bound."""
    drawn = None if seed is None else board(random.Random(f"all at once {seed}"))
    scenario, told = drawn or instance("villages", "8", 0), list[planner.Progress]()
    best = planner.suggest(scenario, on_progress=told.append)
    for tier, value in enumerate(best.value):
        ends = [progress for progress in told if progress.tier == tier][-1]
        assert (ends.value, ends.bound) == (value, value)


def test_where_the_model_lacks_what_makes_plans_shorter_the_tie_is_broken_in_a_wider_one() -> None:
    scenario = instance("dense", "20/tiers=1", 0)
    context = Search(scenario).context
    glance = look_at_all(context, context.model)
    assert len(glance.values) == 1
    assert not glance.short


def test_what_a_glance_told_of_is_in_the_answer_if_the_time_is_up_then(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario, told = instance("dense", "20", 0), list[planner.Progress]()
    search = Search(scenario, on_progress=told.append)
    look = all_at_once._look

    def cut_off(context: SearchContext, model: Model) -> Glance:
        found = look(context, model).solved
        assert found is not None
        search.context.limits.stop.set()
        return Glance(replace(found, outcome="feasible"))

    monkeypatch.setattr(all_at_once, "_look", cut_off)
    best = search.run()
    assert best.plan is not None
    assert best.value[0] == max(
        progress.value for progress in told if progress.value is not None and progress.tier == 0
    )
    assert best.value[0] == planner.suggest(scenario).value[0]
