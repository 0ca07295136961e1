"""Which goals exclude each other bounds what all of them come to, and stays true of the model."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from planner.limits import Limits
from planner.scenario import Scenario
from planner.solver import goal_conflicts, portfolio
from planner.solver.cp_sat import cp_model, maximize
from planner.solver.engine import Configuration, Solved, run
from planner.solver.goal_conflicts import Goals
from planner.solver.tuning import GoalConflicts
from tests.conftest import DEEP, sized
from tests.instances import instance
from tests.oracles.islands import islands
from tests.solving import differing, improved, searched

SEEDS = sized(30, 150, 5_000)
DRAWN = 2_000 if DEEP else 8
ASKING = Configuration(subsolvers=("no_lp",), probing=False, by_goals=True)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Goals]:
    """Search by goals alone, and finish by all strategies if that proves nothing; tell of each model."""
    return improved(monkeypatch, Goals, ASKING)


def ferries(places: int = 2) -> tuple[cp_model.CpModel, list[cp_model.BoolVarT]]:
    """Return a model of three islands, to be held for 3, 4 and 5, and a ferry that takes troops to so many of them."""
    model = cp_model.CpModel()
    held = [model.new_bool_var(name) for name in ("near", "middle", "far")]
    model.add(sum(held) <= places)
    maximize(model, sum(worth * one for worth, one in zip((3, 4, 5), held, strict=True)))
    return model, held


@pytest.mark.parametrize(("places", "best"), [(0, 0), (1, 5), (2, 9), (3, 12)])
def test_what_is_done_without_is_the_cheapest_that_has_one_of_each_core(places: int, best: int) -> None:
    # With two places the island for 3 isn't held, with one those for 3 and 4.
    model, _ = ferries(places)
    goals = Goals(model)
    solved = goals.improve(ASKING, Limits())
    assert (solved.outcome, solved.value, solved.bound) == ("optimal", best, best)
    assert bool(goals.cores) == (places < 3)


def any_few_of_many() -> cp_model.CpModel:
    """Return a model of 18 goals of which any 9 can be had, so that any 10 are a core."""
    model = cp_model.CpModel()
    held = [model.new_bool_var(f"{number}") for number in range(18)]
    model.add(sum(held) <= 9)
    maximize(model, sum(held))
    return model


def test_of_goals_of_which_any_few_can_be_had_no_more_than_some_cores_are_looked_for() -> None:
    # 9 of 18: each 10 are a core, 43,758 of them; each takes some ten milliseconds, and nothing in the solver's measure.
    goals = Goals(any_few_of_many())
    solved = goals.improve(ASKING, Limits.within(60.0))
    assert (solved.outcome, solved.value) == ("unknown", None)
    assert solved.bound is not None
    assert 9 <= solved.bound <= 18
    assert len(goals.cores) == GoalConflicts.most_cores


def test_stages_by_goals_go_on_where_those_before_have_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Goals] = []
    monkeypatch.setattr(Goals, "improve", lambda self, *_: asked.append(self) or Solved("unknown"))
    monkeypatch.setattr(portfolio, "stages", lambda *_: (ASKING, ASKING, Configuration(subsolvers=())))
    assert portfolio.run_in_stages(any_few_of_many(), Configuration(), Limits()).value == 9
    assert len(asked) == 2
    assert asked[0] is asked[1]


def test_bounds_are_told_as_goals_turn_out_to_exclude_each_other() -> None:
    # 12 for all three; one place: two of each pair can't be held, so that 3 and 4 go.
    told: list[tuple[int | None, int | None]] = []
    Goals(ferries(1)[0]).improve(ASKING, Limits(), on_change=lambda value, bound: told.append((value, bound)))
    bounds = [bound for _, bound in told if bound is not None]
    assert bounds[0] == 12
    assert bounds[-1] == 5
    assert bounds == sorted(bounds, reverse=True)


def test_an_objective_that_counts_something_else_has_no_goals() -> None:
    model = cp_model.CpModel()
    maximize(model, 3 * model.new_int_var(0, 5, "spent") + model.new_bool_var("held"))
    assert not Goals(model).worth
    solved = Goals(model).improve(ASKING, Limits(), None, 16)
    assert (solved.outcome, solved.value, solved.bound) == ("unknown", None, 16)
    model = cp_model.CpModel()
    many = [model.new_bool_var(f"{number}") for number in range(GoalConflicts.most_goals + 1)]
    maximize(model, sum(many))
    assert not Goals(model).worth


def drawn(seed: int) -> tuple[cp_model.CpModel, list[tuple[int, ...]], Callable[[tuple[int, ...]], int]]:
    """Return a random model, its solutions, and what each is worth: some goals are to be avoided, some are linked."""
    rng = random.Random(f"goals {seed}")
    model, number = cp_model.CpModel(), rng.randint(4, 8)
    variables = [model.new_bool_var(f"{index}") for index in range(number)]
    clauses = [
        [(index, rng.random() < 0.25) for index in rng.sample(range(number), rng.randint(2, 3))]
        for _ in range(rng.randint(2, 12))
    ]
    for clause in clauses:
        model.add_bool_or([variables[index] if positive else ~variables[index] for index, positive in clause])
    weights = [rng.choice((-4, -1, 0, 1, 2, 3, 5, 8)) for _ in variables]
    constant = rng.randint(-9, 9)
    maximize(model, sum(weight * one for weight, one in zip(weights, variables, strict=True)) + constant)
    points = [
        point
        for point in product((0, 1), repeat=number)
        if all(any(bool(point[index]) == positive for index, positive in clause) for clause in clauses)
    ]
    return model, points, lambda point: constant + sum(w * x for w, x in zip(weights, point, strict=True))


def test_it_comes_to_the_optimum_and_no_solution_is_lost() -> None:
    """What is added to the model is that goals of a core can't be had together, which is so in each of its solutions."""
    cores = 0
    for seed in range(SEEDS):
        model, points, worth = drawn(seed)
        objective = str(model.proto.objective)
        goals = Goals(model)
        solved = goals.improve(ASKING, Limits())
        if goals.worth:
            expected = max(map(worth, points)) if points else None
            assert solved.outcome == ("optimal" if points else "infeasible"), seed
            assert solved.value == expected, seed
            assert str(model.proto.objective) == objective
            assert not model.proto.assumptions
        cores += len(goals.cores)
        assert all(
            not all(bool(point[g if g >= 0 else -1 - g]) == (g >= 0) for g in c)
            for c in goals.cores
            for point in points
        )
    assert cores > SEEDS


@pytest.mark.parametrize("work", [1e-9, 1e-4, None])
@pytest.mark.parametrize("time_limit", [0.0, 0.002, None])
def test_whatever_ends_it_what_is_said_is_true(work: float | None, time_limit: float | None) -> None:
    for seed in range(5):
        model, points, worth = drawn(seed)
        if not points:
            continue
        asking = Configuration(subsolvers=("no_lp",), by_goals=True, work=work)
        solved = Goals(model).improve(asking, Limits.within(time_limit))
        most = max(map(worth, points))
        assert solved.bound is None or solved.bound >= most
        assert solved.value is None or solved.value <= most
        assert run(model, Configuration(subsolvers=()), Limits()).value == most


def test_after_a_stop_nothing_begins() -> None:
    stop = threading.Event()
    stop.set()
    solved = Goals(ferries()[0]).improve(ASKING, Limits(stop=stop))
    assert (solved.outcome, solved.value, solved.bound) == ("unknown", None, None)


def test_what_is_known_already_is_kept_and_proved() -> None:
    model, _ = ferries()
    known = run(model, Configuration(), Limits())
    solved = Goals(model).improve(ASKING, Limits(), known, 9)
    assert (solved.outcome, solved.value, solved.bound) == ("optimal", 9, 9)
    assert solved.solution == known.solution


@pytest.mark.parametrize("random_rulebook", [False, True])
@pytest.mark.thorough
def test_by_goals_a_search_comes_to_the_optimum_of_brute_force(counted: list[Goals], random_rulebook: bool) -> None:
    assert not differing(range(DRAWN), searched, random_rulebook)
    excluding = sum(bool(goals.cores) for goals in counted)
    print(f"goals excluded each other in {excluding} of {len(counted)} models")
    assert excluding > DRAWN / 10


@pytest.mark.parametrize(
    "position",
    [
        lambda seed: islands(seed)[0],
        lambda seed: instance("dense", "10", seed),
        lambda seed: instance("crowded", "12", seed),
        lambda seed: instance("islands", "8/convoys=4", seed),
    ],
)
@pytest.mark.thorough
def test_it_comes_to_what_all_strategies_come_to(
    position: Callable[[int], Scenario], monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = range(40 if DEEP else 2)
    expected = [searched(position(seed)) for seed in seeds]
    monkeypatch.setattr(portfolio, "stages", lambda *_: (ASKING, Configuration(subsolvers=(), presolve=True)))
    assert [searched(position(seed)) for seed in seeds] == expected


def test_what_may_not_be_the_cheapest_to_do_without_bounds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # Out of work, the solver says that all can be done without; two islands can be held, 9.
    goals = Goals(ferries()[0])

    def hurried(model: cp_model.CpModel, configuration: Configuration, limits: Limits) -> Solved:
        found = run(model, configuration, limits)
        whole = sum(goals.worth.values())
        return (
            found
            if configuration.work is None
            else replace(found, outcome="feasible", value=whole, holds=lambda _: True)
        )

    monkeypatch.setattr(goal_conflicts, "run", hurried)
    solved = goals.improve(ASKING, Limits())
    assert solved.outcome != "optimal"
    assert solved.bound is None or solved.bound >= 9


def test_goals_of_which_it_is_not_settled_whether_fewer_exclude_each_other_are_no_core(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # All three islands can't be held; for whether two of them can, there is no work left.
    monkeypatch.setattr(GoalConflicts, "small", 1)
    monkeypatch.setattr(GoalConflicts, "smaller", 0.0)
    model, _ = ferries()
    goals = Goals(model)
    asked = goals._ask
    monkeypatch.setattr(
        goals, "_ask", lambda wanted, how, limits: asked(wanted, how, limits) if how.work else Solved("unknown")
    )
    assert goals.improve(ASKING, Limits()).value == 9
    assert all(goals.cores)
