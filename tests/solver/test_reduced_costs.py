"""What the best solutions have in common: none of them is lost by what is said, ties included, whatever the prices are."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from math import inf, nan

import pytest

from planner.limits import Limits
from planner.solver import reduced_costs
from planner.solver.cp_sat import cp_model, maximize
from planner.solver.reduced_costs import Relaxation, keep_to_best
from planner.solver.tuning import ReducedCosts
from tests.conftest import sized

NUMBER = 7
MODELS = sized(20, 150, 2_000)
Point = tuple[int, ...]


def drawn(rng: random.Random) -> tuple[cp_model.CpModel, dict[Point, int]]:
    """Return a model of a few columns and what each of its solutions is worth, each constraint of some kind.

    Negations are among them, sums enforced by a column, and the objective has a constant.
    """
    model = cp_model.CpModel()
    columns = [model.new_bool_var(f"{index}") for index in range(NUMBER)]
    weights, constant = [rng.randint(-3, 6) for _ in columns], rng.randint(-5, 5)
    points = list(product((0, 1), repeat=NUMBER))
    for _ in range(5):
        some = rng.sample(range(NUMBER), 3)
        negated = [rng.random() < 0.3 for _ in some]
        literals = [~columns[index] if no else columns[index] for index, no in zip(some, negated, strict=True)]

        def held(point: Point, some: list[int] = some, negated: list[bool] = negated) -> list[bool]:
            return [bool(point[index]) != no for index, no in zip(some, negated, strict=True)]

        kind = rng.choice(("or", "implication", "at most one", "exactly one", "sum", "enforced"))
        if kind == "or":
            model.add_bool_or(literals)
            points = [point for point in points if any(held(point))]
        elif kind == "implication":
            model.add_bool_and(literals[1:]).only_enforce_if(literals[0])
            points = [point for point in points if not held(point)[0] or all(held(point)[1:])]
        elif kind in ("at most one", "exactly one"):
            least = int(kind == "exactly one")
            (model.add_exactly_one if least else model.add_at_most_one)(literals)
            points = [point for point in points if least <= sum(held(point)) <= 1]
        elif kind == "sum":
            model.add(2 * literals[0] + 3 * literals[1] + 4 * literals[2] <= 6)
            points = [point for point in points if 2 * held(point)[0] + 3 * held(point)[1] + 4 * held(point)[2] <= 6]
        else:
            model.add(literals[1] + literals[2] == 1).only_enforce_if(literals[0])
            points = [point for point in points if not held(point)[0] or sum(held(point)[1:]) == 1]
    maximize(model, cp_model.LinearExpr.weighted_sum(columns, weights) + constant)
    return model, {point: constant + sum(w * x for w, x in zip(weights, point, strict=True)) for point in points}


def kept(seed: int, more: int = 0) -> tuple[set[Point], set[Point], set[Point]]:
    """Return all solutions of a model, the best ones, and those that are left by what is said of such as are worth more."""
    model, worth = drawn(random.Random(f"best {seed}"))
    if not worth:
        return set(), set(), set()
    most, before = max(worth.values()), len(model.proto.constraints)
    keep_to_best(model, most + more, Limits())
    said = [each.linear for each in list(model.proto.constraints)[before:]]
    left = {
        point
        for point in worth
        for totals in [[sum(w * point[v] for v, w in zip(each.vars, each.coeffs, strict=True)) for each in said]]
        if all(each.domain[0] <= total <= each.domain[1] for each, total in zip(said, totals, strict=True))
    }
    return set(worth), {point for point in worth if worth[point] == most}, left


def lost(more: int = 0) -> tuple[int, int, int]:
    """Return how many models lose a best solution, and of all that aren't best how many are left, of how many."""
    models = left_over = worse = 0
    for seed in range(MODELS):
        points, best, left = kept(seed, more)
        models += not best <= left
        left_over, worse = left_over + len(left - best), worse + len(points - best)
    return models, left_over, worse


def test_no_best_solution_is_lost_and_few_that_are_worse_are_left() -> None:
    models, left_over, worse = lost()
    assert models == 0
    assert left_over < worse / 4


def test_who_says_it_of_solutions_that_are_worth_one_more_loses_the_best() -> None:
    assert lost(more=1)[0] > MODELS / 4


Change = Callable[[random.Random], Callable[[float], float]]


def whatever(rng: random.Random) -> Callable[[float], float]:
    return lambda price: rng.choice(
        (price, price, price, 0.0, -price, 1e12, -1e12, inf, nan, price + rng.uniform(-2, 2))
    )


def nearly(rng: random.Random) -> Callable[[float], float]:
    return lambda price: price + rng.choice((0, 0, 0, rng.uniform(-1, 1)))


@pytest.mark.parametrize(("changed", "tells"), [(whatever, False), (nearly, True)])
def test_nothing_depends_on_how_good_prices_are(changed: Change, tells: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    change, real = changed(random.Random("prices")), reduced_costs._prices

    def other(relaxation: Relaxation, limits: Limits) -> list[float] | None:
        prices = real(relaxation, limits)
        return None if prices is None else [change(price) for price in prices]

    monkeypatch.setattr(reduced_costs, "_prices", other)
    models, left_over, worse = lost()
    assert models == 0
    assert not tells or left_over < worse


def one_of_two() -> Relaxation:
    """Two goals worth 2 each, of which one can be had: by the bound without prices, 4, whoever has the best loses 2."""
    model = cp_model.CpModel()
    first, second = model.new_bool_var("first"), model.new_bool_var("second")
    model.add_at_most_one(first, second)
    maximize(model, 2 * first + 2 * second)
    return Relaxation(model)


def test_who_costs_as_much_as_may_be_lost_may_hold_and_who_costs_more_never_does() -> None:
    relaxation = one_of_two()
    assert relaxation.losses([0.0], 2) == {-1: ReducedCosts.steps, -2: ReducedCosts.steps}
    assert relaxation.losses([0.0], 3) == {-1: ReducedCosts.steps + 1, -2: ReducedCosts.steps + 1}
    # The constraint at its price of 2 proves 2: nothing may be lost, and neither literal costs anything.
    assert relaxation.losses([2.0], 2) == {}
    # At 1 it proves 3: one may be lost, and without either one is.
    assert relaxation.losses([1.0], 2) == {-1: ReducedCosts.steps, -2: ReducedCosts.steps}


def test_nothing_is_said_where_it_is_late_or_somebody_stops_or_little_may_be_done() -> None:
    limits = Limits()
    assert reduced_costs._prices(one_of_two(), limits) is not None
    limits.stop.set()
    assert reduced_costs._prices(one_of_two(), limits) is None
    assert reduced_costs._prices(one_of_two(), Limits.within(0)) is None
    assert reduced_costs._prices(one_of_two(), Limits().of_work(0)) is None


def test_nothing_is_said_where_the_linear_solver_is_at_a_loss() -> None:
    relaxation = one_of_two()
    relaxation.limits[0] = (2, 1)  # MathOpt refuses that
    assert reduced_costs._prices(relaxation, Limits()) is None


def test_the_linear_solver_goes_on_where_it_was_once_somebody_has_looked_at_the_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of forty goals under thirty sums, in some dozen steps, each of them a round of its own."""
    model, rng = cp_model.CpModel(), random.Random("steps")
    columns = [model.new_bool_var(f"{index}") for index in range(40)]
    for _ in range(30):
        model.add(cp_model.LinearExpr.weighted_sum(columns, [rng.randint(0, 5) for _ in columns]) <= 20)
    maximize(model, cp_model.LinearExpr.weighted_sum(columns, [rng.randint(1, 9) for _ in columns]))
    relaxation, limits = Relaxation(model), Limits().of_work(1)
    whole = reduced_costs._prices(relaxation, limits)
    assert limits.effort is not None
    steps = round((1 - limits.effort.left) / ReducedCosts.work)
    monkeypatch.setattr(ReducedCosts, "iterations", 1)
    monkeypatch.setattr(ReducedCosts, "rounds", 3 * steps)
    assert whole is not None
    assert steps > 5
    assert reduced_costs._prices(relaxation, Limits()) == pytest.approx(whole)
    monkeypatch.setattr(ReducedCosts, "rounds", 2)
    assert reduced_costs._prices(relaxation, Limits()) is None
