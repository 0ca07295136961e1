"""Which strategies are tried one after the other, and that whatever one has found holds for those after it."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

import planner
from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.solver import engine, portfolio
from planner.solver.cp_sat import bounded, check_time_to_load, cp_model, maximize
from planner.solver.engine import Configuration, Solved, begin_with
from planner.solver.portfolio import run_in_stages, stages
from planner.solver.tuning import Portfolio, SolverRun

LARGE, VERY_LARGE, MOST_PRESOLVED = Portfolio.large, Portfolio.very_large, Portfolio.most_presolved


def independent_set(size: int, every: int) -> cp_model.CpModel:
    """Return a model: as many numbers as possible, no two of which differ by a multiple of one."""
    model = cp_model.CpModel()
    chosen = [model.new_bool_var(str(number)) for number in range(size)]
    for one, other in combinations(range(size), 2):
        if (one - other) % every == 0:
            model.add_bool_or([~chosen[one], ~chosen[other]])
    model.maximize(sum(chosen))
    return model


def kinds(configuration: Configuration, variables: int) -> list[str]:
    """Return what each stage does, in a word."""
    found = []
    for stage in stages(configuration, variables):
        named = {"near": stage.near_best, "unordered": stage.unordered, "goals": stage.by_goals}
        word = next((name for name, so in named.items() if so), "+".join(stage.subsolvers))
        found.append(word + " presolved" * (stage.presolve and word not in named))
    return found


MIX = "core+reduced_costs+quick_restart presolved"


def test_cores_come_first_and_large_models_give_them_more_time() -> None:
    small, middle, large = (stages(Configuration(), size) for size in (LARGE - 1, 2 * LARGE, 8 * LARGE))
    found = kinds(Configuration(), 8 * LARGE)
    assert found == ["core", "unordered", "core presolved", "near", "unordered", "core presolved", MIX]
    assert (small[0].work, small[1].work, small[3].work) == (Portfolio.glance, Portfolio.cores_soon, 2)
    assert (middle[0].work, middle[2].work, large[0].work) == (Portfolio.cores_soon, 2.5, 10)
    assert kinds(Configuration(), 2 * LARGE)[:3] == ["core", "unordered", "core"], (
        "a glance before cores have their time"
    )
    assert [some[place].work for some, place in ((small, 2), (middle, 1), (large, 1))] == [9_999 / 2_500, 8, 10]
    assert [stage.near for stage in large] == [None, None, None, None, None, 0.5, None]
    assert [stage.far is None for stage in large] == [True, False, True, True, False, True, True]
    assert [stage.work is None for stage in large] == [False, False, False, False, False, False, True]


def test_small_models_get_the_linear_relaxation_by_itself_before_everything_in_turn() -> None:
    found = kinds(Configuration(), LARGE - 1)
    assert found[:7] == ["core", "core", "unordered", "core", "core presolved", "max_lp presolved", "near"]
    assert found[7:] == ["unordered", "core presolved", "max_lp presolved", MIX]
    assert "max_lp presolved" not in kinds(Configuration(), LARGE)


def test_first_tiers_keep_the_order_of_the_moves() -> None:
    """Without an order every unit gains as if all others had moved before it: such a bound says nothing."""
    for variables in (100, LARGE, VERY_LARGE):
        assert "unordered" not in kinds(Configuration(soon=True), variables)
        assert "unordered" in kinds(Configuration(), variables)


def test_first_tiers_of_models_that_are_large_and_not_very_large_get_more_work_after_presolve() -> None:
    def work(variables: int, soon: bool = True) -> float:
        found = stages(Configuration(soon=soon), variables)
        return next(stage.work for stage in found if stage.presolve and not stage.unordered) or 0.0

    assert work(VERY_LARGE - 1) > work(LARGE) > work(VERY_LARGE) == work(VERY_LARGE, False) == work(LARGE, False)


@pytest.mark.parametrize("variables", [100, LARGE, VERY_LARGE])
@pytest.mark.parametrize(
    "given",
    [
        Configuration(),
        Configuration(soon=True),
        Configuration(chancy=True),
        Configuration(attacks=True),
        Configuration(events=True),
    ],
)
def test_every_stage_that_proves_anything_proves_a_small_model_by_itself(given: Configuration, variables: int) -> None:
    """Of 0 to 11 one of each remainder by 3."""
    for stage in stages(given, variables):
        if not stage.near_best:
            solved = engine.run(independent_set(12, 3), stage, Limits())
            assert (solved.outcome, solved.value) == ("optimal", 3), stage


def test_where_good_solutions_are_wanted_soon_a_look_is_had_near_the_best_before_cores_get_their_time() -> None:
    soon = Configuration(soon=True)
    small, large, very_large = (
        [kind for kind in kinds(Configuration(), size) if kind != "unordered"]
        for size in (LARGE - 1, LARGE, VERY_LARGE)
    )
    assert kinds(soon, LARGE - 1) == ["core", "near", "goals", "core", "goals", *small[3:]]
    assert kinds(soon, LARGE) == ["core", "near", "core", "near", "goals", *large[2:]]
    bursts = [stage for stage in stages(soon, LARGE) if stage.near_best]
    assert bursts[0].seed != bursts[1].seed, "other neighbourhoods"
    # Before cores have had their time it would take longer than the proof; what they don't prove gets two.
    burst = very_large.index("near")
    assert kinds(soon, VERY_LARGE) == [*very_large[:burst], "near", *very_large[burst:]]
    assert stages(soon, LARGE)[0].work == Portfolio.at_once < stages(soon, LARGE)[2].work


def test_the_largest_models_are_searched_without_presolve_to_the_end() -> None:
    """Presolve would take more memory than there may be; expected values can't do without it."""
    for given in (Configuration(), Configuration(soon=True), Configuration(workers=2)):
        found = stages(given, MOST_PRESOLVED + 1)
        assert not any(stage.presolve or stage.unordered for stage in found)
        assert found[-1].work is None
        assert not found[-1].near_best
        assert any(stage.presolve for stage in stages(given, MOST_PRESOLVED))
    mix = MIX.removesuffix(" presolved")
    assert kinds(Configuration(), MOST_PRESOLVED + 1) == ["core", "near", "core", "near", mix]
    chancy = stages(Configuration(chancy=True), MOST_PRESOLVED + 1)
    assert all(stage.presolve or stage.near_best for stage in chancy)


def test_with_several_workers_one_of_them_looks_near_the_best_all_the_time() -> None:
    found = kinds(Configuration(workers=2, soon=True), 100)
    assert found[:4] == ["goals", "core", "goals", "core presolved"]
    assert found[4:] == ["max_lp presolved", "core presolved", "max_lp presolved", MIX]


def test_expected_values_are_proved_from_the_linear_relaxation_downwards_first() -> None:
    """What is left out of a small model because its rolls have too many outcomes changes nothing."""
    for limited in (False, True):
        chancy = stages(Configuration(chancy=True, limited=limited), LARGE - 1)
        assert [stage.subsolvers for stage in chancy] == [
            ("objective_lb_search_max_lp",),
            ("core", "default_lp"),
            ("core", "reduced_costs", "default_lp", "quick_restart"),
        ]
        assert [stage.work is None for stage in chancy] == [False, False, True]


def test_of_large_models_of_expected_values_good_plans_are_looked_for_near_the_best() -> None:
    """After the bound, which holds for all plans, and which they bring nearer; once some are left out, before it, too."""
    small = kinds(Configuration(chancy=True), LARGE - 1)
    downwards, *last = small
    whole, limited = Configuration(chancy=True), Configuration(chancy=True, limited=True)
    assert kinds(whole, LARGE) == [downwards, "near", downwards, *last]
    assert kinds(limited, LARGE) == ["near", downwards, "near", *last]
    for given in (whole, limited):
        found = stages(given, LARGE)[:3]
        assert found[0].seed != found[2].seed, "other neighbourhoods, or another way down"
        assert all(stage.work is not None for stage in found)


def test_large_models_of_expected_values_get_many_cuts_at_once_most_in_the_first_tier() -> None:
    """Their bound comes from cuts; fifty at a time, it isn't near in a minute. Small ones are as fast with fifty."""

    def cuts(configuration: Configuration, variables: int = LARGE) -> int:
        model, solver = cp_model.CpModel(), cp_model.CpSolver()
        for _ in range(variables):
            model.new_bool_var("")
        engine._set_parameters(solver, model, configuration, Limits())
        return int(solver.parameters.new_constraints_batch_size)

    first, later = Configuration(chancy=True, soon=True), Configuration(chancy=True)
    assert cuts(first) > cuts(later) > cuts(Configuration(soon=True)) == cuts(Configuration())
    assert cuts(first, 100) == cuts(Configuration(), 100)


def test_the_more_variables_expected_values_have_the_longer_they_are_solved_downwards_first() -> None:
    first = [stages(Configuration(chancy=True), variables)[0].work or 0 for variables in (1_000, LARGE, 5 * LARGE)]
    assert first[0] == first[1] < first[2]


def test_going_downwards_leaves_time_to_look_for_good_plans() -> None:
    solver, first = cp_model.CpSolver(), stages(Configuration(chancy=True), LARGE)[0]
    engine._set_parameters(solver, independent_set(12, 3), first, Limits.within(60))
    assert 20 < solver.parameters.max_time_in_seconds < 40
    engine._set_parameters(solver, independent_set(12, 3), replace(first, share=None), Limits.within(60))
    assert 55 < solver.parameters.max_time_in_seconds <= 60


def test_models_of_expected_values_are_presolved_before_a_look_near_the_best() -> None:
    """Presolve counts as work, and isn't all of it."""
    looks = [stage for stage in stages(Configuration(chancy=True), LARGE) if stage.near_best]
    assert all(stage.presolve and (stage.work or 0) > 2 for stage in looks)


def test_a_look_near_the_best_solution_finds_better_ones() -> None:
    """Of 60 numbers in classes by 20, one of each class: 20. It begins with one number."""
    model = independent_set(60, 20)
    begin_with(model, Solved("feasible", 1, None, None, [1] + [0] * 59))
    solved = engine.run(model, Configuration(near_best=True, work=0.05), Limits())
    assert solved.value == 20


@pytest.mark.parametrize(
    ("subsolvers", "presolve", "spared"),
    [(("core",), False, True), (("core",), True, False), (("core", "reduced_costs"), False, False)],
)
def test_cores_alone_without_presolve_go_on_at_once(subsolvers: tuple[str, ...], presolve: bool, spared: bool) -> None:
    """They try out no single literals before, and make no core smaller; whoever presolves, or has company, does."""
    solver, usual = cp_model.CpSolver(), cp_model.CpSolver().parameters
    configuration = Configuration(subsolvers=subsolvers, presolve=presolve)
    engine._set_parameters(solver, independent_set(12, 3), configuration, Limits())
    found, least = solver.parameters, (0, 0)
    tried = found.cp_model_probing_level, found.core_minimization_level
    assert tried == (least if spared else (usual.cp_model_probing_level, usual.core_minimization_level))
    assert (usual.cp_model_probing_level, usual.core_minimization_level) > least


@pytest.mark.parametrize("seed", range(3))
def test_one_variable_that_is_left_of_the_objective_is_settled_at_once(seed: int) -> None:
    """The solver does without cores then, and would look around until its work is done.

    By hand: a must be true. Were b false, one of the first three would have to be true, so the last, so b. Value: -2.
    """
    model = cp_model.CpModel()
    a, b, *others = (model.new_bool_var(str(number)) for number in range(8))
    model.add(a == 1)
    model.add_bool_or(b, *others[:3])
    for one, other in pairwise([*others, b]):
        model.add_implication(one, other)
    model.maximize(-a - b)
    begin_with(model, Solved("feasible", -2, None, None, [1, 1] + [0] * 6))
    solved = engine.run(model, Configuration(subsolvers=("core",), work=0.04, seed=seed), Limits())
    assert (solved.outcome, solved.value, solved.bound) == ("optimal", -2, -2)
    assert solved.work < 0.001


def test_who_names_strategies_of_his_own_gets_them_alone() -> None:
    only = Configuration(subsolvers=())
    assert stages(only, LARGE) == (only,)
    assert stages(Configuration(presolve=True), LARGE) == (Configuration(presolve=True),)


@pytest.mark.parametrize(
    ("value", "bound", "near"), [(-100, -50, True), (-100, -49, False), (40, 60, True), (40, 61, False), (0, 1, False)]
)
def test_near_is_a_distance_of_half_the_value_at_most(value: int, bound: int, near: bool) -> None:
    assert portfolio._is_near(Solved("feasible", value, bound), bound, 0.5) is near


def test_without_a_plan_or_a_bound_nothing_is_near() -> None:
    assert not portfolio._is_near(None, 3, 0.5)
    assert not portfolio._is_near(Solved("feasible", 3), None, 0.5)


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
            return real(model, stage, Limits())
        return Solved("feasible", 2, 3 if near else 12, lambda literal: False, [0] * 12)

    monkeypatch.setattr(portfolio, "run", run)
    monkeypatch.setattr(Portfolio, "large", 1)
    solved = run_in_stages(independent_set(12, 3), Configuration(), Limits())
    assert (solved.outcome, solved.value) == ("optimal", 3)
    assert len(asked) == (6 if near else 5)


@pytest.mark.parametrize(("most", "given"), [(36, 3), (35, 2), (12, 1), (1, 1)])
def test_the_models_of_all_threads_have_so_many_variables_at_most(
    monkeypatch: pytest.MonkeyPatch, most: int, given: int
) -> None:
    """Twelve variables each; one thread there is always."""
    asked: list[int] = []

    def run(model: cp_model.CpModel, stage: Configuration, *rest: object) -> Solved:
        asked.append(stage.workers)
        return Solved("unknown")

    monkeypatch.setattr(portfolio, "run", run)
    monkeypatch.setattr(Portfolio, "most_variables", most)
    run_in_stages(independent_set(12, 3), Configuration(workers=3), Limits())
    assert set(asked) == {given}


class Proves:
    """Proves that what is known is the best, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int | None, int | None]] = []

    def __call__(self, stage: object, limits: object, best: Solved | None, bound: int | None, *_: object) -> Solved:
        assert best is not None
        self.asked.append((best.value, bound))
        return Solved("optimal", best.value, best.value, best.holds, best.solution)


@pytest.mark.parametrize(
    ("bound", "asked", "outcome"), [(24, [(20, 24)], "optimal"), (23, [], "feasible"), (21, [], "feasible")]
)
def test_a_model_without_the_order_is_looked_at_where_value_and_bound_are_far_apart_alone(
    monkeypatch: pytest.MonkeyPatch, bound: int, asked: list[object], outcome: str
) -> None:
    """Of 20, 15 % are 3."""

    def run(model: cp_model.CpModel, stage: Configuration, *rest: object) -> Solved:
        assert not stage.unordered, "that is left to the relaxation"
        return Solved("feasible", 20, bound, lambda literal: False, [0] * 12)

    monkeypatch.setattr(portfolio, "run", run)
    proves = Proves()
    solved = run_in_stages(independent_set(12, 3), Configuration(), Limits(), relaxed=proves)
    assert proves.asked == asked
    assert (solved.outcome, solved.value) == (outcome, 20)


def test_without_a_relaxation_or_where_solutions_may_claim_too_much_its_stage_is_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    relaxed = Configuration(subsolvers=("max_lp",), presolve=True, unordered=True)
    monkeypatch.setattr(portfolio, "stages", lambda *_: (relaxed, Configuration()))
    for put_right, proves in ((None, None), (lambda value, solution: (value, solution), Proves())):
        model = independent_set(12, 3)
        solved = run_in_stages(model, Configuration(), Limits(), None, put_right, proves)
        assert (solved.outcome, solved.value) == ("optimal", 3)
        assert proves is None or not proves.asked


def begun(
    monkeypatch: pytest.MonkeyPatch, hinted: dict[int, bool], stop_at_fixed: bool = False
) -> tuple[Solved, list[tuple[str, int]]]:
    """Search for as many of 0 to 11 as possible, no two even or two odd; return how each run began, by hinted variables."""
    model = independent_set(12, 2)
    for number, value in hinted.items():
        model.add_hint(model.get_bool_var_from_proto_index(number), value)
    runs: list[tuple[str, int]] = []
    real, stop = engine.run, threading.Event()

    def run(model: cp_model.CpModel, configuration: Configuration, *rest: object, **named: object) -> Solved:
        kind = "fixed" if configuration.fixed else "near" if configuration.near_best else "cores"
        runs.append((kind, len(model.proto.solution_hint.vars)))
        if kind == "cores" and len(runs) == 1:
            return Solved("unknown")  # as if they had found nothing in their time
        found = real(model, configuration, *rest, **named)  # type: ignore[arg-type]
        if kind == "fixed" and stop_at_fixed:
            stop.set()
        return found

    monkeypatch.setattr(engine, "run", run)
    monkeypatch.setattr(portfolio, "run", run)
    return run_in_stages(model, Configuration(soon=True), Limits(stop=stop)), runs


def test_a_look_near_the_best_begins_with_a_whole_solution_of_what_is_hinted(monkeypatch: pytest.MonkeyPatch) -> None:
    solved, runs = begun(monkeypatch, {4: True, 5: False, 7: False})
    assert runs[:3] == [("cores", 3), ("fixed", 3), ("near", 12)]
    assert [kind for kind, _ in runs].count("fixed") == 1
    assert (solved.outcome, solved.value) == ("optimal", 2)


def test_what_a_fixed_run_finds_is_a_solution_of_which_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """All odd ones are forbidden by the hint alone, so 1 is the most with it, and 2 without it."""
    solved, runs = begun(monkeypatch, dict.fromkeys((1, 3, 5, 7, 9, 11), False), stop_at_fixed=True)
    assert runs == [("cores", 6), ("fixed", 6)], "nothing begins after a stop"
    assert (solved.outcome, solved.value, solved.bound) == ("feasible", 1, None)


def test_a_hint_that_no_solution_follows_is_no_constraint(monkeypatch: pytest.MonkeyPatch) -> None:
    solved, runs = begun(monkeypatch, {2: True, 4: True})
    assert [kind for kind, _ in runs].count("fixed") == 1
    assert (solved.outcome, solved.value) == ("optimal", 2)


def test_the_largest_seed_has_another_one() -> None:
    assert engine.another(2**31 - 1) == 0
    solved = engine.run(independent_set(4, 2), Configuration(seed=engine.another(2**31 - 1)), Limits())
    assert solved.value == 2


def test_the_clock_ends_a_look_near_the_best_whose_work_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """80 units with MA 10 to 14 on 10,000 hexes, seed 2: the measure of work never got to 0.2, and the look went on."""
    limits = []
    real = cp_model.CpSolver.solve

    def solve(self: cp_model.CpSolver, *rest: object) -> object:
        limits.append(self.parameters.max_time_in_seconds)
        return real(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(cp_model.CpSolver, "solve", solve)
    model = independent_set(12, 3)
    look = Configuration(near_best=True, work=0.2)
    for time_limit in (None, 60.0, 1.0):
        engine.run(model, look, Limits.within(time_limit))
    longest = SolverRun.patience + 0.2 * SolverRun.patience_for_work
    assert limits[:2] == [longest, longest]
    assert 0.5 < limits[2] <= 1.0
    engine.run(model, Configuration(), Limits.within(60.0))
    assert longest < limits[-1] <= 60.0


def test_models_whose_relaxation_is_close_are_gone_through_from_its_bound_downwards() -> None:
    down = "objective_lb_search_max_lp"
    for given in (Configuration(attacks=True), Configuration(events=True)):
        found = stages(given)
        assert kinds(given, 100)[:3] == [f"{down} presolved", "near", f"{down} presolved"]
        assert [stage.work is None for stage in found] == [False, False, False, True]
        assert found[0].probing == given.attacks, "of events it takes longer than it saves"
        assert (found[0].work == 8.0) == given.attacks, "4 are too few for tiers of 45 units"
    own = Configuration(events=True, subsolvers=("core",), presolve=True)
    assert stages(own) == (own,), "whoever names strategies of his own gets them alone"


@pytest.mark.parametrize("offset", [0, 7, -7])
def test_a_bound_that_is_told_holds_as_long_as_it_is_told(offset: int) -> None:
    model = cp_model.CpModel()
    chosen = [model.new_bool_var(str(n)) for n in range(3)]
    maximize(model, sum((2 * one for one in chosen), cp_model.LinearExpr.constant(offset)))
    for bound, value in ((None, 6), (6 + offset, 6), (3 + offset, 2), (None, 6)):
        with bounded(model, bound):
            assert engine.run(model, Configuration(), Limits()).value == value + offset


def test_stages_are_told_what_those_before_them_have_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    real, told = portfolio.run, list[list[int]]()

    def hardly_proves(model: cp_model.CpModel, *rest: object) -> Solved:
        told.append(list(model.proto.objective.domain))
        solved = real(model, *rest)  # type: ignore[arg-type]
        return Solved("feasible", solved.value, 5, solved.holds, solved.solution) if len(told) < 3 else solved

    monkeypatch.setattr(portfolio, "run", hardly_proves)
    model = independent_set(12, 3)
    assert run_in_stages(model, Configuration(), Limits()).outcome == "optimal"
    assert [domain[:1] for domain in told] == [[], [-5], [-5]]
    assert not model.proto.objective.domain


def test_the_solver_is_not_loaded_where_the_time_would_run_out_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    check_time_to_load(Limits.within(0.0))  # it is there
    monkeypatch.delitem(sys.modules, "ortools.sat.python.cp_model")
    for limits in (Limits(), Limits.within(100.0)):
        check_time_to_load(limits)
    with pytest.raises(OutOfTimeError, match="before the solver was loaded"):
        check_time_to_load(Limits.within(SolverRun.loading / 2))


def test_a_search_without_time_to_load_the_solver_says_that_its_time_ran_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ortools.sat.python.cp_model")
    monkeypatch.setattr(SolverRun, "loading", 100.0)
    found = planner.suggest("dai_senso/puzzles/room_in_the_redoubt", time_limit=50.0)
    assert (found.status, str(found.plan)) == ("feasible", "")
    assert found.reason.startswith("The time ran out")
