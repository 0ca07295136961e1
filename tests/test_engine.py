"""Which strategies are tried one after the other, and that whatever one has found holds for those after it."""

from __future__ import annotations

import threading
from itertools import combinations

import pytest

from planner.solver import engine
from planner.solver.cp_sat import cp_model
from planner.solver.engine import LARGE, Configuration, Solved, run_in_stages, stages


def independent_set(size: int, every: int) -> cp_model.CpModel:
    """Return a model: as many numbers as possible, no two of which differ by a multiple of one."""
    model = cp_model.CpModel()
    chosen = [model.new_bool_var(str(number)) for number in range(size)]
    for one, other in combinations(range(size), 2):
        if (one - other) % every == 0:
            model.add_bool_or([~chosen[one], ~chosen[other]])
    model.maximize(sum(chosen))
    return model


def test_small_models_get_three_stages_and_large_ones_cores_with_more_time() -> None:
    small, large = stages(Configuration(), LARGE - 1), stages(Configuration(), 8 * LARGE)
    assert [stage.subsolvers for stage in small] == [("core",), ("core",), ("core", "reduced_costs", "quick_restart")]
    assert [stage.subsolvers for stage in large] == [("core",), *(stage.subsolvers for stage in small)]
    assert (small[0].work, large[0].work) == (2, 10)
    assert [stage.near for stage in large] == [None, None, 0.5, None]
    assert [stage.work is None for stage in large] == [False, False, False, True]


def test_who_names_strategies_of_his_own_gets_them_alone() -> None:
    only = Configuration(subsolvers=())
    assert stages(only, LARGE) == (only,)
    assert stages(Configuration(presolve=True), LARGE) == (Configuration(presolve=True),)


@pytest.mark.parametrize(
    ("value", "bound", "near"), [(-100, -50, True), (-100, -49, False), (40, 60, True), (40, 61, False), (0, 1, False)]
)
def test_near_is_a_distance_of_half_the_value_at_most(value: int, bound: int, near: bool) -> None:
    assert engine._is_near(Solved("feasible", value, bound), bound, 0.5) is near


def test_without_a_plan_or_a_bound_nothing_is_near() -> None:
    assert not engine._is_near(None, 3, 0.5)
    assert not engine._is_near(Solved("feasible", 3), None, 0.5)


@pytest.mark.parametrize("near", [True, False])
def test_the_long_stage_is_passed_over_where_cores_are_far_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, near: bool
) -> None:
    """Of 12 numbers in classes by 3, one of each class: 3. Stages before the last are given no time to prove it."""
    asked: list[Configuration] = []
    real = engine.run

    def run(model: cp_model.CpModel, stage: Configuration, *rest: object) -> Solved:
        asked.append(stage)
        if stage.work is None:
            return real(model, stage, None, threading.Event())
        return Solved("feasible", 2, 3 if near else 12, lambda literal: False, [0] * 12)

    monkeypatch.setattr(engine, "run", run)
    monkeypatch.setattr(engine, "LARGE", 1)
    solved = run_in_stages(independent_set(12, 3), Configuration(), None, threading.Event())
    assert (solved.outcome, solved.value) == ("optimal", 3)
    assert len(asked) == (4 if near else 3)
