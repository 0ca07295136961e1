"""A model without the order of the moves bounds all plans, and comes to the optimum with the order back where it matters."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from itertools import combinations, permutations

import pytest

from planner.limits import Limits
from planner.scenario import Scenario
from planner.solver import portfolio
from planner.solver.cp_sat import cp_model
from planner.solver.engine import Configuration, Solved, holds_in, run
from planner.solver.order_relaxation import Unordered
from planner.solver.tuning import AllAtOnce
from tests.conftest import DEEP
from tests.instances import instance
from tests.oracles.islands import islands
from tests.solving import differing, improved, searched

SEEDS = 1_000 if DEEP else 20
DRAWN = 2_000 if DEEP else 16
RELAXED = Configuration(subsolvers=("max_lp",), presolve=True, unordered=True)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Unordered]:
    """Search without the order alone, and finish by all strategies if that proves nothing; tell of each model."""
    return improved(monkeypatch, Unordered, RELAXED)


class Helpers:
    """Units each of which can move if one of some others has moved before, and is worth something.

    Moves help by what they leave behind, so that without an order all may help each other in a circle.
    """

    def __init__(self, worth: dict[str, int], helped_by: dict[str, list[str]]) -> None:
        self.model = cp_model.CpModel()
        self.worth, self.helped_by = worth, helped_by
        self.moves = {unit: self.model.new_bool_var(unit) for unit in worth}
        self.pairs: dict[tuple[str, str], cp_model.LiteralT] = {}
        for one, other in combinations(sorted(worth), 2):
            literal = self.model.new_bool_var(f"{one} before {other}")
            self.pairs[one, other], self.pairs[other, one] = literal, ~literal
        for a, b, c in combinations(sorted(worth), 3):
            self.model.add_bool_or([self.pairs[b, a], self.pairs[c, b], self.pairs[a, c]])
            self.model.add_bool_or([self.pairs[a, b], self.pairs[b, c], self.pairs[c, a]])
        for unit, friends in helped_by.items():
            witnesses = []
            for friend in friends:
                witness = self.model.new_bool_var(f"{friend} helps {unit}")
                self.model.add_implication(witness, self.moves[friend])
                self.model.add_bool_or([~witness, self.pairs[friend, unit]])
                witnesses.append(witness)
            self.model.add_bool_or([~self.moves[unit], *witnesses])
        self.model.maximize(sum(weight * self.moves[unit] for unit, weight in worth.items()))

    def most(self) -> int:
        """Return the optimum, by trying every order."""
        best = 0
        for order in permutations(self.worth):
            moved: set[str] = set()
            total = 0
            for unit in order:
                friends = self.helped_by.get(unit)
                if friends is None or moved & set(friends):
                    moved.add(unit)
                    total += self.worth[unit]
            best = max(best, total)
        return best


def circle(size: int) -> Helpers:
    # `a` helps `b`, `b` helps `c` ... and the last helps `a`, so that nobody can begin; `z` moves by itself, for 1.
    units = "abcdefgh"[:size]
    return Helpers({**dict.fromkeys(units, 5), "z": 1}, {units[i]: [units[i - 1]] for i in range(size)})


@pytest.mark.parametrize("size", [2, 3, 5])
def test_who_wait_for_each_other_in_a_circle_move_in_no_plan(size: int) -> None:
    """Without the order 5 for each in the circle and 1 for z, in order 1: what is worth more is not claimed."""
    helpers = circle(size)
    free = Unordered(helpers.model, helpers.pairs)
    solved = free.improve(RELAXED, Limits())
    assert (solved.outcome, solved.value, solved.bound) == ("optimal", 1, 1)
    assert free.rounds >= 1
    assert len(solved.solution) == len(helpers.model.proto.variables)


def test_without_its_order_a_model_is_worth_what_circles_are_worth() -> None:
    helpers = circle(3)
    bounds: list[int | None] = []
    free = Unordered(helpers.model, helpers.pairs)
    stop = threading.Event()

    def on_change(value: int | None, bound: int | None) -> None:
        bounds.append(bound)
        assert value in (None, 1), "nobody could play what is worth 16"

    free.improve(RELAXED, Limits(stop=stop), on_change=on_change)
    assert bounds
    assert bounds[0] == 16
    known = [bound for bound in bounds if bound is not None]
    assert known == sorted(known, reverse=True), "a bound never gets worse"


def random_helpers(seed: int) -> Helpers:
    rng = random.Random(f"helpers {seed}")
    units = "abcdef"[: rng.randint(3, 6)]
    helped = {unit: rng.sample(units.replace(unit, ""), rng.randint(1, 2)) for unit in units if rng.random() < 0.8}
    return Helpers({unit: rng.randint(1, 4) for unit in units}, helped)


def test_it_comes_to_the_optimum_of_all_orders() -> None:
    returned = 0
    for seed in range(SEEDS):
        helpers = random_helpers(seed)
        free = Unordered(helpers.model, helpers.pairs)
        solved = free.improve(RELAXED, Limits())
        assert solved.outcome == "optimal", seed
        assert solved.value == helpers.most(), seed
        returned += free.rounds > 0
    assert returned > SEEDS / 10


def test_it_begins_with_what_is_known_and_proves_that_there_is_no_better() -> None:
    helpers = circle(4)
    whole = run(helpers.model, Configuration(), Limits())
    assert whole.value == 1
    best = Solved("feasible", 1, None, whole.holds, whole.solution)
    solved = Unordered(helpers.model, helpers.pairs).improve(RELAXED, Limits(), best, 7)
    assert (solved.outcome, solved.value, solved.bound) == ("optimal", 1, 1)
    assert solved.solution == whole.solution


def test_what_is_better_by_one_is_looked_for() -> None:
    """A can move, and b after it, for 1 each; that a moves is known."""
    helpers = Helpers({"a": 1, "b": 1}, {"b": ["a"]})
    known = run(with_fixed(helpers, [1, 0]), Configuration(), Limits())
    best = Solved("feasible", 1, None, known.holds, known.solution)
    solved = Unordered(helpers.model, helpers.pairs).improve(RELAXED, Limits(), best)
    assert (solved.outcome, solved.value) == ("optimal", 2)


@pytest.mark.parametrize("work", [1e-9, 1e-3, None])
@pytest.mark.parametrize("time_limit", [0.0, 0.001, None])
def test_whatever_ends_it_the_model_is_the_same_afterwards_and_what_is_said_is_true(
    work: float | None, time_limit: float | None
) -> None:
    for seed in range(5):
        helpers = random_helpers(seed)
        helpers.model.clear_hints()  # type: ignore[no-untyped-call]
        before = str(helpers.model.proto)
        relaxed = Configuration(subsolvers=("max_lp",), presolve=True, unordered=True, work=work)
        solved = Unordered(helpers.model, helpers.pairs).improve(relaxed, Limits.within(time_limit))
        most = helpers.most()
        assert solved.bound is None or solved.bound >= most
        assert solved.value is None or solved.value <= most
        helpers.model.clear_hints()  # type: ignore[no-untyped-call]
        assert without_nothing(helpers.model) == before
        again = run(helpers.model, Configuration(), Limits())
        assert (again.outcome, again.value) == ("optimal", most)


def without_nothing(model: cp_model.CpModel) -> str:
    """Return the text of a model without constraints that say nothing."""
    plain = model.clone()
    plain.clear_hints()  # type: ignore[no-untyped-call]
    return str(plain.proto).replace("constraints {\n}\n", "")


def test_after_a_stop_nothing_begins() -> None:
    helpers, stop = circle(3), threading.Event()
    stop.set()
    solved = Unordered(helpers.model, helpers.pairs).improve(RELAXED, Limits(stop=stop))
    assert (solved.outcome, solved.value, solved.bound) == ("unknown", None, None)


@pytest.mark.thorough
def test_between_two_solutions_lies_what_both_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of a to h everybody may move, worth 1 each; what is known is that a moves. In the circle x, y, z nobody can.
    helpers = Helpers({**dict.fromkeys("abcdefgh", 1), **dict.fromkeys("xyz", 9)}, {"x": ["z"], "y": ["x"], "z": ["y"]})
    values = [int(name == "a") for name in helpers.moves]
    rest = len(helpers.model.proto.variables) - len(values)
    model_solution = run(with_fixed(helpers, values), Configuration(), Limits()).solution
    assert len(model_solution) == len(values) + rest
    best = Solved("feasible", 1, None, holds_in(model_solution), model_solution)
    monkeypatch.setattr(Unordered, "_return_order", lambda *_: False)
    before = without_nothing(helpers.model)
    solved = Unordered(helpers.model, helpers.pairs).improve(RELAXED, Limits(), best)
    assert (solved.outcome, solved.value) == ("feasible", 8), "all but those in the circle"
    assert without_nothing(helpers.model) == before


def with_fixed(helpers: Helpers, values: list[int]) -> cp_model.CpModel:
    fixed: cp_model.CpModel = helpers.model.clone()
    for index, value in enumerate(values):
        fixed.add(fixed.get_bool_var_from_proto_index(index) == value)
    return fixed


@pytest.mark.parametrize("loops", [False, True])
@pytest.mark.parametrize("random_rulebook", [False, True])
@pytest.mark.thorough
def test_without_the_order_a_search_comes_to_the_optimum_of_brute_force(
    counted: list[Unordered], random_rulebook: bool, loops: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what must begin somewhere the order hardly ever comes back; without it, often enough."""
    if not loops:
        real = Unordered.__init__
        monkeypatch.setattr(Unordered, "__init__", lambda self, model, pairs, _: real(self, model, pairs))
    assert not differing(range(DRAWN), searched, random_rulebook)
    returned = sum(free.rounds > 0 for free in counted)
    print(f"the order came back in {returned} of {len(counted)} models")
    assert len(counted) > DRAWN
    assert loops or returned > DRAWN / 40


@pytest.mark.parametrize(
    "position",
    [
        lambda seed: islands(seed)[0],
        lambda seed: instance("dense", "10", seed),
        lambda seed: instance("islands", "8/convoys=4", seed),
        lambda seed: instance("legs", "6/ma=8-10", seed),
    ],
)
@pytest.mark.thorough
def test_it_comes_to_what_all_strategies_come_to(
    position: Callable[[int], Scenario], monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = range(40 if DEEP else 2)
    expected = [searched(position(seed)) for seed in seeds]
    monkeypatch.setattr(AllAtOnce, "variables", 0)  # or cores prove it at a glance
    monkeypatch.setattr(portfolio, "stages", lambda *_: (RELAXED, Configuration(subsolvers=(), presolve=True)))
    assert [searched(position(seed)) for seed in seeds] == expected
