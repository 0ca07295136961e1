"""What several rolls come to together: bounded from above, exactly once it has been looked at, and put right meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.limits import Limits
from planner.referee.outcomes import MOST_OUTCOMES
from planner.solver.cp_sat import cp_model
from planner.solver.engine import Configuration, Solved, holds_in, run
from planner.solver.probability_union import Union
from planner.solver.union_cuts import putting_right, solve_honestly
from tests.oracles.stacks import stacks

SCALE = 5_040

chances = st.fractions(Fraction(1, 36), Fraction(35, 36), max_denominator=36)


def together(some: Sequence[Fraction]) -> Fraction:
    """Return the probability that at least one of some independent rolls goes through."""
    return 1 - prod((1 - chance for chance in some), start=Fraction(1))


def subsets(size: int) -> list[tuple[int, ...]]:
    """Return every set of some first numbers."""
    return [chosen for count in range(size + 1) for chosen in combinations(range(size), count)]


def model_of(
    rolls: Sequence[Fraction], certain: bool = False, scale: int = SCALE
) -> tuple[cp_model.CpModel, Union, list[Any], Any]:
    """Return a model of a hex that is held on account of some rolls, with their literals and that of certainty."""
    model = cp_model.CpModel()
    literals = [model.new_bool_var(str(number)) for number in range(len(rolls))]
    sure = model.new_bool_var("sure") if certain else False
    union = Union(model, scale, sure, list(zip(rolls, literals, strict=True)), len(rolls), "here")
    model.maximize(union.total)
    return model, union, literals, sure


def claimed(model: cp_model.CpModel, union: Union, literals: list[Any], chosen: Sequence[int], sure: Any) -> int:
    """Return what a solution may claim that makes just some of the rolls."""
    clone = model.clone()
    for number, literal in enumerate(literals):
        clone.add(clone.get_bool_var_from_proto_index(literal.index) == (number in chosen))
    if sure is not False:
        clone.add(clone.get_bool_var_from_proto_index(sure.index) == 0)
    solver = cp_model.CpSolver()
    assert solver.solve(clone) == cp_model.OPTIMAL
    return round(solver.objective_value)


@pytest.mark.thorough
@given(st.lists(chances, min_size=1, max_size=4), st.data())
def test_no_combination_is_bounded_below_what_it_comes_to_whatever_has_been_cut_off(
    rolls: list[Fraction], data: st.DataObject
) -> None:
    model, union, literals, sure = model_of(rolls, data.draw(st.booleans()))
    some = data.draw(st.lists(st.sampled_from(subsets(len(rolls))), max_size=3))
    for chosen in some:
        union.tighten(lambda one, chosen=chosen: one is not sure and literals.index(one) in chosen, SCALE + 1)
    for chosen in subsets(len(rolls)):
        exact = together([rolls[number] for number in chosen]) * SCALE
        most = claimed(model, union, literals, chosen, sure)
        assert exact <= most, chosen
        assert most <= ceil(sum((rolls[n] for n in chosen), Fraction(0)) * SCALE) + len(chosen)
        if chosen in some and len(chosen) > 1:
            assert most == ceil(exact), chosen


@pytest.mark.thorough
@given(st.lists(st.integers(1, 11).map(lambda n: Fraction(n, 12)), min_size=2, max_size=5), st.data())
def test_where_all_is_whole_others_of_the_same_chances_claim_no_more_than_they_come_to(
    rolls: list[Fraction], data: st.DataObject
) -> None:
    scale = 12 ** len(rolls)
    model, union, literals, sure = model_of(rolls, data.draw(st.booleans()), scale)
    looked_at = data.draw(st.sampled_from([chosen for chosen in subsets(len(rolls)) if len(chosen) > 1]))
    union.tighten(lambda one: one is not sure and literals.index(one) in looked_at, scale + 1)
    for chosen in subsets(len(rolls)):
        exact = together([rolls[number] for number in chosen]) * scale
        most = claimed(model, union, literals, chosen, sure)
        assert exact <= most, chosen
        if sorted(rolls[number] for number in chosen) == sorted(rolls[number] for number in looked_at):
            assert most == exact, chosen


def test_of_equal_combinations_one_is_looked_at() -> None:
    """Six of 7/12: a third adds 7/12 * 25/144, which is less than the eighth it costs, so that any two of them are best."""
    rolls = [Fraction(7, 12)] * 6
    honest = Honest(rolls, scale=12**6)
    assert honest.honestly().value == optimum(rolls, 6, 12**6)
    assert honest.runs <= 3


def test_of_equal_combinations_one_is_looked_at_also_where_more_rolls_are_not_whole() -> None:
    """As above: any two of six are best, and whole (119/144 of 144,000); three come to 1603/1728, which isn't."""
    rolls = [Fraction(7, 12)] * 6
    honest = Honest(rolls, scale=144_000)
    assert honest.honestly().value == optimum(rolls, 6, 144_000) == 119_000 - 36_000
    assert honest.runs <= 3


@pytest.mark.thorough
@given(st.lists(st.integers(1, 11).map(lambda n: Fraction(n, 12)), min_size=3, max_size=6), st.data())
def test_two_that_are_whole_claim_what_they_come_to_where_more_are_rounded_up(
    rolls: list[Fraction], data: st.DataObject
) -> None:
    model, union, literals, sure = model_of(rolls, data.draw(st.booleans()), 144_000)
    looked_at = data.draw(st.sampled_from([chosen for chosen in subsets(len(rolls)) if len(chosen) == 2]))
    union.tighten(lambda one: one is not sure and literals.index(one) in looked_at, 144_001)
    for chosen in subsets(len(rolls)):
        exact = together([rolls[number] for number in chosen]) * 144_000
        most = claimed(model, union, literals, chosen, sure)
        assert ceil(exact) <= most, chosen
        if sorted(rolls[number] for number in chosen) == sorted(rolls[number] for number in looked_at):
            assert most == exact, chosen


def test_what_is_not_whole_is_not_bounded_below_what_it_is_by_what_others_come_to() -> None:
    """23/36, 31/36 and 35/36 come to 5032.98 of 5040; without 23/36, but with 17/36 and 1/3, to 5033.16."""
    rolls = [Fraction(35, 36), Fraction(31, 36), Fraction(23, 36), Fraction(17, 36), Fraction(1, 3)]
    model, union, literals, sure = model_of(rolls)
    union.tighten(lambda one: literals.index(one) in {0, 1, 2}, SCALE + 1)
    assert claimed(model, union, literals, (0, 1, 3, 4), sure) >= together([rolls[n] for n in (0, 1, 3, 4)]) * SCALE


def test_before_anything_is_looked_at_tangents_are_a_hundredth_above_at_most() -> None:
    """1/2, 1/3, 1/4 and 1/6 come to 1 - 1/2 * 2/3 * 3/4 * 5/6 = 19/24; their sum to 5/4."""
    rolls = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(1, 6)]
    model, union, literals, sure = model_of(rolls)
    for chosen in subsets(4):
        exact = together([rolls[number] for number in chosen]) * SCALE
        assert exact <= claimed(model, union, literals, chosen, sure) <= exact + SCALE / 100


def test_a_hex_that_is_held_for_certain_is_held_whatever_is_rolled() -> None:
    model, union, _, sure = model_of([Fraction(1, 2), Fraction(1, 3)], certain=True)
    model.add(sure == 1)
    solver = cp_model.CpSolver()
    solver.solve(model)
    assert round(solver.objective_value) == SCALE
    assert union.tighten(lambda one: one is sure, SCALE) is None


def test_nothing_is_cut_off_from_a_solution_that_claims_no_more_than_it_is_worth() -> None:
    _, union, literals, _ = model_of([Fraction(1, 2), Fraction(1, 3)])
    both = SCALE * 2 // 3  # 1 - 1/2 * 2/3
    assert union.most(lambda one: one in literals) == both
    assert union.tighten(lambda one: True, both) is None
    assert union.tighten(lambda one: True, both + 1) is False
    assert union.tighten(lambda one: True, both + 1) is None, "it has been cut off before"


class Honest:
    """The least of a model that `solve_honestly` asks for, about one hex.

    Parameters
    ----------
    rolls : sequence of Fraction
        Of which each costs as much as an eighth.
    most : int
        How many outcomes a plan may have.
    scale : int
        By which probabilities are multiplied to be whole.
    """

    def __init__(self, rolls: Sequence[Fraction], most: int = MOST_OUTCOMES, scale: int = SCALE) -> None:
        self.most = most
        self.model, union, self.literals, _ = model_of(rolls, scale=scale)
        self.unions = [union]
        self.coupling = self
        self.chancy, self.limited = True, False
        self.limits: list[int] = []
        self.runs = 0
        self.model.maximize(union.total - sum(scale // 8 * literal for literal in self.literals))

    def outcomes(self, holds: Callable[[Any], bool]) -> int:
        return int(2 ** sum(holds(literal) for literal in self.literals))

    def limit_outcomes(self, most: int) -> None:
        self.limits.append(most)
        self.limited = True
        self.model.add(sum(self.literals) <= most.bit_length() - 1)

    def tighten(self, holds: Callable[[Any], bool], solution: Sequence[int]) -> bool:
        return any(one.tighten(holds, solution[one.total.index]) is not None for one in self.unions)

    def solve(self) -> Solved:
        """Run the solver to the end."""
        self.runs += 1
        right = putting_right(self, self.most)  # type: ignore[arg-type]
        return run(self.model, Configuration(), Limits(), None, right)

    def honestly(self, solve: Callable[[], Solved] | None = None) -> Solved:
        """Solve until nothing is claimed too much."""
        return solve_honestly(self, solve or self.solve, True, self.most)  # type: ignore[arg-type]


def optimum(rolls: Sequence[Fraction], most: int, scale: int = SCALE) -> int:
    """Return what the best set of so many rolls at most comes to, scaled, rounded up."""
    return max(
        ceil(together([rolls[number] for number in chosen]) * scale) - scale // 8 * len(chosen)
        for chosen in subsets(len(rolls))
        if len(chosen) <= most
    )


@pytest.mark.thorough
@given(st.lists(chances, min_size=1, max_size=5))
def test_what_is_proved_is_the_optimum_of_all_combinations(rolls: list[Fraction]) -> None:
    solved = Honest(rolls).honestly()
    assert solved.outcome == "optimal"
    # What isn't whole is rounded up, and may be for one of several that are as good.
    assert solved.value == optimum(rolls, len(rolls))


def test_when_the_time_is_up_the_best_solution_is_left_with_its_claims_put_right() -> None:
    """Of 1/2, 1/2 and 1/2 at 1/8 each, two are best: 3/4 - 1/4. The solver gets one run, and claims more."""
    honest = Honest([Fraction(1, 2)] * 3)

    def solve() -> Solved:
        return honest.solve() if honest.runs == 0 else Solved("unknown")

    solved = honest.honestly(solve)
    assert solved.outcome == "feasible"
    assert solved.value is not None
    assert solved.bound is not None
    holds = holds_in(solved.solution)
    made = [literal for literal in honest.literals if holds(literal)]
    assert solved.value == together([Fraction(1, 2)] * len(made)) * SCALE - SCALE // 8 * len(made)
    assert solved.bound >= SCALE // 2 >= solved.value


def test_plans_with_too_many_outcomes_are_passed_over_and_nothing_is_called_proved() -> None:
    """Of four times 1/3, three are best: 19/27 - 3/8 is more than 5/9 - 2/8. With four outcomes, two may be made."""
    rolls = [Fraction(1, 3)] * 4
    assert Honest(rolls).honestly().value == optimum(rolls, 4) > optimum(rolls, 2)
    honest = Honest(rolls, 4)
    limited = honest.honestly()
    assert (limited.outcome, limited.value, honest.limits) == ("feasible", optimum(rolls, 2), [4])
    assert limited.bound is not None
    assert limited.bound >= optimum(rolls, 4)


def test_under_a_limit_that_a_tier_before_has_set_nothing_is_proved_and_nothing_bounded() -> None:
    honest = Honest([Fraction(1, 3)] * 4, 4)
    honest.limit_outcomes(4)
    solved = honest.honestly()
    assert (solved.outcome, solved.value, solved.bound) == ("feasible", optimum([Fraction(1, 3)] * 4, 2), None)


def test_no_limit_is_set_where_the_best_plan_has_few_outcomes() -> None:
    honest = Honest([Fraction(1, 3)] * 4, 16)
    assert (honest.honestly().outcome, honest.limits) == ("optimal", [])


def test_positions_with_stacks_have_hexes_held_on_account_of_several_rolls() -> None:
    """So that the searches of tests/laws/test_stacks.py, held against every plan, meet all this."""
    from planner.reachability.conditional_reach import ConditionalReach
    from planner.solver.model import build_options
    from tests.instances import list_possibilities

    found = 0
    for seed in range(40):
        scenario, _ = stacks(seed)
        reach = ConditionalReach(scenario.game)
        found += bool(build_options(scenario, list_possibilities(reach), reach).coupling.unions)
    assert found >= 5


def test_where_numbers_would_become_too_large_there_are_no_tangents() -> None:
    """A scale of 12 to the 12th, as of a dozen attempts in a row, leaves cuts alone; the model is a valid one."""
    rolls = [Fraction(1, 2), Fraction(1, 3)]
    model = cp_model.CpModel()
    literals = [model.new_bool_var(str(number)) for number in range(2)]
    union = Union(model, 12**12, False, list(zip(rolls, literals, strict=True)), 2, "here")
    model.maximize(union.total)
    assert not model.validate()
    assert union.tighten(lambda one: True, 12**12) is False
    solver = cp_model.CpSolver()
    assert solver.solve(model) == cp_model.OPTIMAL
    assert round(solver.objective_value) == 12**12 * 2 // 3


def test_the_best_bound_is_kept_where_time_is_up_before_any_solution_is_right() -> None:
    """One run bounds it, the next one ends with nothing: of a tier after the first nothing can be put right."""
    honest = Honest([Fraction(1, 2)] * 3)

    def solve() -> Solved:
        return honest.solve() if honest.runs == 0 else Solved("unknown")

    solved = solve_honestly(honest, solve)  # type: ignore[arg-type]
    assert solved.outcome == "unknown"
    assert solved.bound is not None
    assert solved.bound >= SCALE // 2


@pytest.mark.parametrize(
    ("chance", "rolls", "scale"),
    [("1/2", 5, 8), ("19/100", 4, 10), ("1/3", 5, 9), ("5/12", 4, 12), ("1/2", 6, 64), ("1/12", 6, 144)],
)
def test_where_little_is_whole_no_combination_is_bounded_below_what_it_comes_to(
    chance: str, rolls: int, scale: int
) -> None:
    # Five rolls of 1/2 come to 31/32, and without two of them to 7/8: 7.75 and 7 of 8, of which the former is rounded up.
    alike = [Fraction(chance)] * rolls
    model, union, literals, sure = model_of(alike, scale=scale)
    for cut_off in (False, True):
        if cut_off:
            union.tighten(lambda _: True, scale + 1)
        for made in range(rolls + 1):
            most = claimed(model, union, literals, range(made), sure)
            assert most >= together(alike[:made]) * scale, (cut_off, made)
