"""Interrupts and kills at any moment: nothing is half-written, and what is known by then is told."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from planner.cli.terminal import INTERRUPTED
from planner.formats.mp import format_mp
from planner.plans.plan import Plan
from planner.plans.plan_file import plan_from_json
from planner.plans.policy import parse
from planner.referee.referee import Referee
from planner.scenario import Scenario, load_scenario
from planner.search.policy_judge import judge_policy
from tests.conftest import DEEP, sized
from tests.instances import front

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

INTERRUPTS = sized(1, 5, 50)
"""Of each of two signals, in each of two searches: 200 in a deep run."""

KILLS = sized(1, 5, 200)
TIMED = sized(1, 10, 500)
LONGEST = 4.0 if DEEP else 1.5
"""Seconds until the signal at most."""

READY = 0.15
"""Seconds after which the planner's own lines have surely begun, where no machine tells."""


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    """Return a front of 30 units, which isn't proved before the signal comes."""
    file = tmp_path_factory.mktemp("front") / "front.toml"
    file.write_text(front(units=30, seed=1, keys="/ma=6-10"))
    return load_scenario(file)


def stopped(scenario: Scenario, seed: int, number: int, folder: Path) -> tuple[subprocess.Popen[str], str, Path]:
    """Search, send a signal at a random moment, and return the process, what it has printed, and where the plan is."""
    plan = folder / "plan.json"
    plan.write_text("what was there before")
    words = ["suggest", scenario.where, "--json", "--plan-out", str(plan)]
    process = subprocess.Popen([sys.executable, "-m", "planner", *words], stdout=subprocess.PIPE, text=True)
    begun(process)
    time.sleep(random.Random(seed).uniform(0, LONGEST))
    process.send_signal(number)
    printed, _ = process.communicate(timeout=60)
    return process, printed, plan


def begun(process: subprocess.Popen[str]) -> None:
    """Wait for the planner's own lines, the first of which hear SIGTERM; before, the interpreter answers itself."""
    status, term = Path(f"/proc/{process.pid}/status"), 1 << signal.SIGTERM - 1
    while status.exists() and process.poll() is None:
        caught = next((line for line in status.read_text().splitlines() if line.startswith("SigCgt:")), "SigCgt: 0")
        if int(caught.split()[1], 16) & term:
            return
        time.sleep(0.005)
    time.sleep(READY)


def written(plan: Path, scenario: Scenario) -> Plan | None:
    """Return the plan in a file; None if that is what it was before. Anything between is a fault."""
    text = plan.read_text(encoding="utf-8")
    if text == "what was there before":
        return None
    return plan_from_json(json.loads(text), scenario.game.homes, str(plan))


@pytest.mark.parametrize("seed", range(INTERRUPTS))
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.thorough)])
def test_an_interrupt_brings_the_best_plan_so_far(number: int, seed: int, scenario: Scenario, tmp_path: Path) -> None:
    process, printed, plan = stopped(scenario, seed, number, tmp_path)
    found = written(plan, scenario)
    if process.returncode == 0:  # proved before
        assert found is not None
        return
    assert process.returncode == INTERRUPTED
    if not printed:
        assert found is None
        return
    answer = json.loads(printed)
    assert answer["interrupted"]
    assert (answer["plan"] is None) == (found is None)
    if found is not None:
        assert Referee(scenario.game).play(found, scenario.start).legal
        assert len(answer["plan"]["moves"]) == len(found.moves)


@pytest.mark.parametrize("seed", range(INTERRUPTS if DEEP else 1))
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.thorough
def test_an_interrupt_brings_the_best_way_of_playing_so_far(number: int, seed: int, tmp_path: Path) -> None:
    """In ocs/breakthrough it isn't known in a minute what is best."""
    plan, scenario = tmp_path / "policy.json", load_scenario("ocs/breakthrough")
    words = ["suggest", "ocs/breakthrough", "--adaptive", "--json", "--plan-out", str(plan)]
    process = subprocess.Popen([sys.executable, "-m", "planner", *words], stdout=subprocess.PIPE, text=True)
    time.sleep(random.Random(seed).uniform(1.5, LONGEST + 2))
    process.send_signal(number)
    printed, _ = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED
    if not printed:  # it came before the search began: nothing is lost
        assert not plan.exists()
        return
    answer = json.loads(printed)
    assert answer["interrupted"]
    assert answer["reason"].startswith("It was stopped")
    judged = judge_policy(scenario, parse(plan.read_text(), str(plan)))
    assert judged.legal
    assert [format_mp(one) for one in judged.value] == answer["value"]
    assert judged.value[0] <= Fraction(answer["bound"][0])


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_kill_leaves_nothing_half_written(seed: int, scenario: Scenario, tmp_path: Path) -> None:
    process, printed, plan = stopped(scenario, seed, signal.SIGKILL, tmp_path)
    found = written(plan, scenario)
    assert process.returncode in (0, -signal.SIGKILL)
    assert printed or found is None


@pytest.mark.parametrize("seed", range(TIMED))
def test_a_time_limit_is_kept(seed: int, scenario: Scenario) -> None:
    """Loading, and the start of the process, don't count; by default any machine that stalls may take its time."""
    limit = random.Random(seed).uniform(0.1, 5 if DEEP else 1)
    words = ["suggest", scenario.where, "--json", "--time-limit", str(limit), "--seed", str(seed)]
    done = subprocess.run([sys.executable, "-m", "planner", *words], stdout=subprocess.PIPE, check=False)
    answer = json.loads(done.stdout)
    assert answer["status"] in ("optimal", "feasible", "unknown")
    assert answer["seconds"] <= limit + 0.25 or not DEEP
