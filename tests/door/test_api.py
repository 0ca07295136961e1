"""The Python interface: statuses that never lie, limits that are kept, models beside the scenario."""

from __future__ import annotations

import inspect
import numbers
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from typer.main import get_command

import planner
from planner.arguments import ensure
from planner.cli.app import app
from planner.errors import DisagreementError, InputError
from planner.referee.played_moves import not_at_once
from planner.search.result import Progress, gap
from planner.search.search import Search
from tests.instances import front

ROOT = Path(__file__).resolve().parents[2]
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


def test_a_search_that_is_stopped_before_it_begins_knows_no_more_than_that_nobody_moves() -> None:
    stop = threading.Event()
    stop.set()
    result = planner.suggest("dai_senso/manchuria", stop=stop)
    assert (result.status, result.interrupted, result.plan) == ("feasible", True, planner.Plan())
    asked = planner.suggest("dai_senso/manchuria", stop=stop, partial="plv -> w5426")
    assert (asked.status, asked.interrupted, asked.plan) == ("unknown", True, None)


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
    with pytest.raises(planner.IllegalPlanError, match=r"3\.1"):
        planner.apply("dai_senso/manchuria", WINNING[1])


def test_why_a_move_must_wait_is_what_the_referee_says_of_it_alone() -> None:
    scenario = planner.load("dai_senso/manchuria")
    plan = planner.Plan.parse(WINNING)
    [(move, verdict)] = not_at_once(scenario.game, scenario.start, plan).items()
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
    assert re.search(r"rulebook\.toml:\d+: rule\[", text)
    assert re.search(r"statements\.toml:\d+: statement\[0\] \(DS-01\)", text)


def test_every_name_of_the_package_can_be_imported() -> None:
    for name in planner.__all__:
        assert getattr(planner, name) is not None
    with pytest.raises(AttributeError):
        _ = planner.nonsense


@pytest.mark.thorough
@pytest.mark.parametrize(
    "answer",
    [
        "planner.suggest('dai_senso/island_campaign').plan",
        "[one.plan for unit in planner.reach_all('a_world_at_war/through_the_line') for one in unit.with_help]",
    ],
)
def test_the_same_seed_gives_the_same_plan_whatever_the_order_of_sets(answer: str) -> None:
    """Python orders sets of strings differently in each process, unless PYTHONHASHSEED says otherwise."""
    code = f"import planner; print({answer})"
    plans = {
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(2)
    }
    assert len(plans) == 1


def test_the_nearest_legal_plan_is_had_from_python_and_of_a_legal_plan_there_is_none() -> None:
    # The second hex is one too many: the plv has to stop in the first.
    found = planner.nearest("dai_senso/manchuria", ["inf w5525-w5425-w5325"])
    assert found is not None
    assert planner.check("dai_senso/manchuria", found.plan).legal
    assert planner.nearest("dai_senso/manchuria", WINNING) is None


@pytest.mark.thorough
def test_a_value_to_be_explained_may_be_given_as_numbers() -> None:
    scenario = "great_war/puzzles/one_order_left"
    as_text, as_number, as_numbers = (
        planner.explain(scenario, value=value, time_limit=120)  # on a busy machine the usual 10 s end it early
        for value in ("2", 2, (2,))
    )
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


@pytest.mark.parametrize(
    ("ask", "problems"),
    [
        (lambda: planner.suggest(5), ["must be a scenario, or the path of one, not 5 @ scenario"]),
        (lambda: planner.load(None), ["must be the path of a scenario, not None @ path"]),
        (lambda: planner.verify(b"x"), ["must be the path of a scenario, not b'x' @ path"]),
        (lambda: planner.check(["a"], "a A1-A2"), ["must be a scenario, or the path of one, not ['a'] @ scenario"]),
        (
            lambda: planner.suggest("dai_senso/manchuria", time_limit="x", workers=0, seed=1.5, stop=lambda: True),
            [
                "must be a number, not 'x' @ time_limit",
                "must be at least 1, not 0 @ workers",
                "must be a whole number, not 1.5 @ seed",
                "must be a threading.Event, not",
            ],
        ),
        (lambda: planner.reach("dai_senso/manchuria", 7), ["must be text, not 7 @ unit"]),
        (
            lambda: planner.reach("dai_senso/manchuria", "plv", time_limit=-1),
            ["0 seconds, not -1 @ time_limit"],
        ),
        (lambda: planner.nearest("dai_senso/manchuria", WINNING, time_limit=float("nan")), ["not nan @ time_limit"]),
        (lambda: planner.alternatives("dai_senso/manchuria", "a"), ["must be a whole number, not 'a' @ count"]),
        (lambda: planner.alternatives("dai_senso/manchuria", 2, within=0.1), ['"10%", not 0.1 @ within']),
        (
            lambda: planner.alternatives("dai_senso/manchuria", 2, diverse=True, within="a lot"),
            ['must be a share such as "10%" or "1/10", not \'a lot\' @ within'],
        ),
        (lambda: planner.alternatives("dai_senso/manchuria", 2, diverse="no"), ["true or false, not 'no' @ diverse"]),
        (lambda: planner.complete("dai_senso/manchuria", [], on_progress=3), ["must be a function, not 3 @ on_prog"]),
        (lambda: planner.defend("dai_senso/manchuria", place=3), ["must be text, or several texts, not 3 @ place"]),
        (
            lambda: planner.defend("dai_senso/manchuria", require=[3]),
            ["goals must be text, such as"],
        ),
        (lambda: planner.defend("dai_senso/manchuria", most=-1), ["must be at least 0, not -1 @ most"]),
        (lambda: planner.defend("dai_senso/manchuria", place="to"), ["no unit has the id 'to'"]),
        (lambda: planner.defend("dai_senso/nanking", most=1), ["must come with place: the scenario has no def"]),
        (lambda: planner.explain("dai_senso/manchuria", "plv to w5426", time_limit=True), ["number, not true"]),
        (lambda: planner.explain("dai_senso/manchuria", 5), ["moves must be text such as"]),
        (
            lambda: planner.explain("dai_senso/manchuria", planner.load("dai_senso/manchuria")),
            ["moves must be text such"],
        ),
        (lambda: planner.explain("dai_senso/manchuria", value=0.5), ["a value must be text, such as"]),
        (lambda: planner.explain("dai_senso/manchuria", value=True), ["a value must be text, such as"]),
        (lambda: planner.verify("dai_senso/manchuria", cooks=101), ["must be at most 100, not 101 @ cooks"]),
        (lambda: planner.picture("dai_senso/manchuria").step_to("last"), ["must be from 0 to 0, not last @ --step"]),
        (
            lambda: planner.picture("dai_senso/manchuria", notes=3, reach=3),
            ["must be what reach answers, not 3 @ reach", "must be Notes, not 3 @ notes"],
        ),
        (lambda: planner.picture("dai_senso/manchuria", notes=["x"]), ["must be Notes, not ['x'] @ notes"]),
        (lambda: planner.apply(0, WINNING), ["must be a scenario, or the path of one, not 0 @ scenario"]),
    ],
)
def test_arguments_of_the_wrong_sort_are_told_all_at_once(ask: Callable[[], object], problems: list[str]) -> None:
    with pytest.raises(InputError) as error:
        ask()
    told = [str(problem) for problem in error.value.problems]
    assert len(told) == len(problems), told
    for said, expected in zip(told, problems, strict=True):
        assert expected in said


def test_arguments_that_there_are_none_of_are_a_type_error_that_names_the_function() -> None:
    with pytest.raises(TypeError, match=r"reach\(\) got an unexpected keyword argument 'hurry'"):
        planner.reach("dai_senso/manchuria", "plv", hurry=True)  # type: ignore[call-arg]


def test_numbers_of_other_libraries_are_numbers() -> None:
    class Two:
        def __int__(self) -> int:
            return 2

        __index__ = __int__

    numbers.Integral.register(Two)
    ensure(workers=Two(), seed=Two(), count=Two(), time_limit=Fraction(1, 2))
    ensure(time_limit=float("inf"))
    with pytest.raises(InputError, match="at least 0 seconds"):
        ensure(time_limit=Fraction(-1, 2))


@pytest.mark.thorough
def test_what_can_t_be_completed_comes_with_what_is_to_blame() -> None:
    """By hand: plv may not stop in w5426 before inf has moved to w5425, and inf is to stay."""
    result = planner.complete("dai_senso/manchuria", ["plv -> w5426", "inf stays"])
    assert result.status == "infeasible"
    assert result.conflict is not None
    assert result.conflict.items == ("plv -> w5426", "inf stays")
    assert result.conflict.minimal
    assert planner.complete("dai_senso/manchuria", "plv -> w5426").conflict is None


@pytest.mark.thorough
def test_who_may_be_placed_where_can_be_asked_from_python() -> None:
    """By hand, as on the command line: beside inf111 the 4th Kwantung Army keeps it from being overrun."""
    found = planner.defend("dai_senso/manchuria", place="kwantung4 within 1", require="eliminate inf111", every=True)
    assert found.status == "holds"
    assert "kwantung4 in w5426" in {str(one.placement) for one in found.accepted}
    # Nobody may be placed, and the overrun goes through: all that can be said is how bad its best is.
    nobody = planner.defend("dai_senso/manchuria", place=["hq in w5724"], most=0, require=["eliminate inf111"])
    assert [str(one.placement) for one in nobody.accepted] == ["nobody is placed"]
    assert nobody.broken


def test_verify_can_be_stopped_and_seeded_from_python() -> None:
    stop = threading.Event()
    stop.set()
    found = planner.verify("dai_senso/manchuria", workers=2, seed=5, stop=stop)
    assert found.interrupted
    assert {check.outcome for check in found.checks} >= {"skipped"}
    assert planner.verify("dai_senso/manchuria", workers=2, seed=5).outcome == "holds"


SHOWN_ONLY = {"json", "draw", "plan_out", "junit", "sarif", "output", "plan", "policy", "after_file", "force", "short"}
"""What a command writes where, and the file in which moves may be instead of on the line."""
PYTHON_ONLY = {"on_progress", "stop"}
"""The command line has a line of its own for progress, and Ctrl-C."""
SPELLED = {"every": "all", "count": "alternatives", "partial": "moves", "path": "files"}
"""Names of parameters that are others on the command line."""
ALSO = {
    "check": {"complete", "nearest"},  # commands of their own in Python
    "suggest": {"alternatives", "diverse", "within", "moves"},  # planner.alternatives; the partial plan is a file
    "defend": {"moves"},
    "reach": {"all"},  # planner.reach_all
    "apply": {"phase", "stay"},
}


def options(name: str) -> dict[str, object]:
    """Return the parameters of a command, each with what it is if nothing is given."""
    command = get_command(app).commands[name]  # type: ignore[attr-defined]
    return {
        max(parameter.opts, key=len).strip("-").replace("-", "_").split("/")[0]: parameter.default
        for parameter in command.params
    }


@pytest.mark.parametrize(
    ("command", "functions"),
    [
        ("check", [planner.check, planner.complete]),
        ("suggest", [planner.suggest, planner.alternatives]),
        ("explain", [planner.explain]),
        ("verify", [planner.verify]),
        ("defend", [planner.defend]),
        ("reach", [planner.reach]),
        ("apply", [planner.apply]),
    ],
)
def test_commands_and_functions_take_the_same(command: str, functions: list[Callable[..., object]]) -> None:
    offered = {name: default for name, default in options(command).items() if name not in SHOWN_ONLY}
    taken: dict[str, object] = {}
    for function in functions:
        for name, parameter in inspect.signature(function).parameters.items():
            if name not in PYTHON_ONLY:
                taken[SPELLED.get(name, name)] = parameter.default
    assert taken.keys() - ALSO.get(command, set()) == offered.keys() - ALSO.get(command, set())
    for name in ("time_limit", "workers", "seed", "cooks"):
        assert offered.get(name) == taken.get(name), name


@pytest.mark.parametrize("time_limit", [1e308, 1e20, float("inf")])
def test_a_time_limit_may_be_as_long_as_numbers_go(time_limit: float) -> None:
    assert planner.suggest("dai_senso/manchuria", time_limit=time_limit).status == "optimal"
    assert len(planner.alternatives("dai_senso/manchuria", 2, time_limit=time_limit).plans) == 2
