"""A plan that is printed on one line can be pasted as one argument, however narrow the terminal is."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from tests.command import run


@pytest.mark.parametrize(("name", "unit"), [("dai_senso/manchuria", "plv"), ("crossroads/bridge", "b1")])
def test_plans_of_reach_can_be_checked_as_they_are_printed(name: str, unit: str) -> None:
    text = run("reach", name, unit).stdout
    plans = ["; ".join(map(str, way.plan.moves)) for way in planner.reach(name, unit).with_help]
    assert any(";" in plan for plan in plans)
    for plan in plans[:20]:
        assert plan in text
        assert run("check", name, plan).returncode == 0


def test_tries_and_remedies_are_read_as_they_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = planner.load("dai_senso/manchuria")
    found = planner.explain(scenario, ["plv w5525-w5425xw5426"], time_limit=20)
    found = replace(found, attempt=Plan.parse("inf w5525-w5526; plv w5525-w5526-w5527"))
    out = io.StringIO()
    for name, value in {"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "40"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", out)
    print_explanation(found)
    plans = [list(remedy.plan.lines) for remedy in found.remedies if remedy.moves]
    plans += [list(map(str, found.attempt.moves))] if found.attempt is not None else []
    assert len(plans) > 1
    for lines in plans:
        assert "; ".join(lines) in out.getvalue()
        assert Plan.parse("; ".join(lines)) == Plan.parse(lines)


def test_moves_may_stand_on_one_line_wherever_plans_are_read() -> None:
    apart, joined = ["inf w5525-w5425", "plv w5525-w5425xw5426"], " inf w5525-w5425;plv w5525-w5425xw5426 ; "
    assert Plan.parse(joined) == Plan.parse(apart)
    assert PartialPlan.parse("inf -> w5425; plv stays") == PartialPlan.parse(["inf -> w5425", "plv stays"])
    assert run("check", "dai_senso/manchuria", "--plan", "-", stdin=f"# a note; not a move\n{joined}\n").returncode == 0
    assert run("reach", "dai_senso/manchuria", "plv", "--after", apart[0]).returncode == 0
    # Goals are no moves: what they mean isn't guessed.
    assert run("explain", "dai_senso/manchuria", "--require", "hold w5427; hold w5426").returncode == 2


def test_as_many_moves_on_one_line_as_on_many_are_too_many() -> None:
    with pytest.raises(planner.InputError, match="at most 4000 lines, not 4001"):
        Plan.parse(";".join(["a 0101-0102"] * 4_001))
