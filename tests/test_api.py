"""The Python interface: statuses that never lie, limits that are kept, models beside the scenario."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.api import not_at_once
from planner.errors import DisagreementError, IllegalPlanError, InputError
from planner.results import Progress, gap
from planner.solver.search import Search
from tests.instances import front

ROOT = Path(__file__).resolve().parents[1]
WINNING = ["inf w5525-w5425", "plv w5525-w5425xw5426"]


def test_a_proved_plan_has_its_value_as_bound_and_no_gap() -> None:
    result = planner.suggest("dai_senso/manchuria")
    assert result.status == "optimal"
    assert result.value == result.bound == (1, -23)
    assert result.gap == 0
    assert result.verdict is not None
    assert result.verdict.legal


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_change_nothing_about_what_is_proved(workers: int) -> None:
    result = planner.suggest("dai_senso/manchuria", workers=workers, seed=3)
    assert (result.status, result.value) == ("optimal", (1, -23))


def test_an_infeasible_scenario_is_called_so_only_when_confirmed() -> None:
    result = planner.suggest("dai_senso/manchuria_hq")
    assert (result.status, result.confirmed, result.plan, result.value) == ("infeasible", True, None, ())
    assert result.gap is None


def test_a_search_that_is_stopped_before_it_begins_knows_nothing() -> None:
    stop = threading.Event()
    stop.set()
    result = planner.suggest("dai_senso/manchuria", stop=stop)
    assert (result.status, result.interrupted, result.plan) == ("unknown", True, None)


def test_what_is_found_in_too_short_a_time_is_not_called_best(tmp_path: Path) -> None:
    path = tmp_path / "front.toml"
    path.write_text(front(units=100, seed=2))
    scenario = planner.load(path)
    result = planner.suggest(scenario, time_limit=1.0)
    if result.status == "feasible":
        assert result.value != result.bound
        assert result.gap is not None
        assert result.gap > 0
        assert all(value <= bound for value, bound in zip(result.value[:1], result.bound[:1], strict=True))
    else:
        assert result.status in ("unknown", "optimal")


def test_progress_is_reported_with_value_and_bound(tmp_path: Path) -> None:
    path = tmp_path / "front.toml"
    path.write_text(front(units=40, seed=1))
    seen: list[Progress] = []
    result = planner.suggest(path, on_progress=seen.append)
    assert seen
    known = [p for p in seen if p.value is not None and p.bound is not None and p.tier == 0]
    assert all(p.value <= result.value[0] <= p.bound for p in known if p.value is not None and p.bound is not None)


def test_the_gap_is_a_share_of_the_value() -> None:
    assert gap(Fraction(100), Fraction(110)) == 0.1
    assert gap(Fraction(0), Fraction(1, 2)) == 0.5


def test_a_fault_of_the_solver_never_becomes_a_plan() -> None:
    """Without the EZOC rule the solver sends plv alone, which the referee rejects: an error with the instance in it."""
    with pytest.raises(DisagreementError, match=r"3\.1") as error:
        Search(planner.load("dai_senso/manchuria"), without=frozenset(["ezoc"])).run()
    assert "manchuria" in error.value.dump
    assert "plv w5525-w5425xw5426" in error.value.dump


def test_apply_returns_the_position_after_a_legal_plan_and_refuses_an_illegal_one() -> None:
    after = planner.apply("dai_senso/manchuria", WINNING)
    assert after.at["plv"] == "w5426"
    assert after.boxes == {"inf111": "force_pool"}
    with pytest.raises(IllegalPlanError, match=r"3\.1"):
        planner.apply("dai_senso/manchuria", WINNING[1])


def test_why_a_move_must_wait_is_what_the_referee_says_of_it_alone() -> None:
    scenario = planner.load("dai_senso/manchuria")
    plan = planner.Plan.parse(WINNING)
    [(move, verdict)] = not_at_once(scenario, plan).items()
    assert str(move) == WINNING[1]
    assert [(v.rule, v.blame) for v in verdict.violations] == [("3.1", ("kwantung4",))]


def test_reach_needs_a_unit_on_the_map() -> None:
    with pytest.raises(InputError, match="no unit is called"):
        planner.reach("dai_senso/manchuria", "nobody")


def test_an_enemy_reaches_nothing_and_the_report_says_why() -> None:
    report = planner.reach("dai_senso/manchuria", "hailar")
    assert report.alone == report.with_help == ()
    assert [violation.rule for violation in report.hindrances] == ["3"]


def test_a_model_may_lie_beside_the_scenario(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "models" / "dai_senso", tmp_path / "games" / "mine")
    text = (ROOT / "scenarios/dai_senso/manchuria.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace('model = "dai_senso"', 'model = "./games/mine"'))
    scenario = planner.load(tmp_path / "mine.toml")
    assert scenario.game.rulebook.model == "mine"
    assert planner.suggest(scenario).value == (1, -23)


def test_a_faulty_rulebook_reports_every_problem_with_its_file(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(ROOT / "models" / "dai_senso", folder)
    rulebook = folder / "rulebook.toml"
    rulebook.write_text(rulebook.read_text().replace('phases = "operational_movement"', 'phases = "lunch"'))
    statements = folder / "statements.toml"
    statements.write_text(statements.read_text().replace('rule = "movers"', 'rule = "nobody"'))
    (tmp_path / "x.toml").write_text('format="planner/scenario-1"\nmodel="./mine"\nphase="x"\nphasing="y"\n[map]\n')
    with pytest.raises(InputError) as error:
        planner.load(tmp_path / "x.toml")
    text = str(error.value)
    assert "phase 'lunch' must be one of" in text
    assert "rulebook.toml: rule[" in text
    assert "statements.toml: statement[0] (DS-01)" in text


def test_every_name_of_the_package_can_be_imported() -> None:
    for name in planner.__all__:
        assert getattr(planner, name) is not None
    with pytest.raises(AttributeError):
        _ = planner.nonsense


def test_the_same_seed_gives_the_same_plan_whatever_the_order_of_sets() -> None:
    """Python orders sets of strings differently in each process, unless PYTHONHASHSEED says otherwise."""
    code = "import planner; print(planner.suggest('dai_senso/island_campaign').plan)"
    plans = {
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(3)
    }
    assert len(plans) == 1


def test_the_nearest_legal_plan_is_had_from_python_and_of_a_legal_plan_there_is_none() -> None:
    # The second hex is one too many: the plv has to stop in the first.
    found = planner.nearest("dai_senso/manchuria", ["inf w5525-w5425-w5325"])
    assert found is not None
    assert planner.check("dai_senso/manchuria", found.plan).legal
    assert planner.nearest("dai_senso/manchuria", WINNING) is None


def test_a_value_to_be_explained_may_be_given_as_numbers() -> None:
    as_text = planner.explain("dai_senso/manchuria", value="2")
    as_number, as_numbers = (planner.explain("dai_senso/manchuria", value=value) for value in (2, (2,)))
    assert as_text.status == as_number.status == as_numbers.status == "forbidden"
    assert as_text.instances == as_number.instances == as_numbers.instances


def test_what_isnt_settled_isnt_said_to_be_allowed() -> None:
    told = repr(planner.explain("dai_senso/manchuria", "plv to w5526", time_limit=0))
    assert "unknown: not settled" in told


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda: planner.explain("dai_senso/manchuria", [5]), "moves must be text"),
        (lambda: planner.explain("dai_senso/manchuria", require=[{"kind": "hold"}]), "goals must be text"),
        (lambda: planner.alternatives("dai_senso/manchuria", 2, within=Fraction(1, 5)), "only with diverse @ within"),
    ],
)
def test_what_python_can_ask_for_and_isnt_understood_is_bad_input(ask: Callable[[], object], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        ask()
