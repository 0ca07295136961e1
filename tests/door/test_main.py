"""The process ends as soon as everything is written: nothing is lost, and the exit code is what it would have been."""

from __future__ import annotations

import os
import pstats
import subprocess
import sys
from pathlib import Path

import pytest

from planner.cli.schema import json_schema
from tests.command import run

PLANNER = [sys.executable, "-m", "planner"]


def printed(script: str) -> str:
    """Return what a script prints in a process of its own, which must end well."""
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


@pytest.mark.thorough
def test_a_long_answer_comes_through_a_pipe_whole() -> None:
    found = subprocess.run([*PLANNER, "schema", "rulebook"], capture_output=True, text=True, check=True)
    assert len(found.stdout) > 70_000  # more than a pipe takes at once
    assert found.stdout.rstrip("\n") == json_schema("rulebook").rstrip("\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(["check", "dai_senso/manchuria", "inf w5525-w5425"], 0, marks=pytest.mark.thorough),
        (["check", "dai_senso/manchuria", "inf w5525-w5527"], 1),
        pytest.param(["check", "nowhere"], 2, marks=pytest.mark.thorough),
        (["frobnicate"], 2),
        (["--help"], 0),
    ],
)
def test_the_exit_code_is_kept(words: list[str], code: int) -> None:
    assert subprocess.run([*PLANNER, *words], capture_output=True, check=False).returncode == code


@pytest.mark.skipif(os.name != "posix", reason="a device that is full, and a pipe that nobody reads")
@pytest.mark.parametrize("words", [pytest.param(["check", "nowhere"], marks=pytest.mark.thorough), ["frobnicate"]])
def test_the_exit_code_of_bad_input_is_no_judgement_where_nobody_can_be_told(words: list[str]) -> None:
    """1 says that moves are illegal; a full disk under the log, or a reader who has gone, says nothing of moves."""
    read, written = os.pipe()
    os.close(read)
    with open("/dev/full", "wb") as full, open(written, "wb") as unheard:
        for stream in (full, unheard):
            done = subprocess.run([*PLANNER, *words], stdout=subprocess.PIPE, stderr=stream, check=False)
            assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.skipif(os.name != "posix", reason="a shell")
def test_what_is_wrong_is_no_part_of_the_answer_where_standard_error_is_closed() -> None:
    closed = ["sh", "-c", 'exec "$@" 2>&-', "sh", *PLANNER, "check", "nowhere", "--json"]
    done = subprocess.run(closed, stdout=subprocess.PIPE, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


def test_what_is_to_be_done_at_the_end_is_done() -> None:
    told = printed("""
import atexit, sys
from planner.__main__ import script
atexit.register(print, "done at the end")
sys.argv = ["planner", "check", "dai_senso/manchuria", "inf w5525-w5425"]
script()
""")
    assert told.endswith("done at the end\n")


@pytest.mark.thorough
def test_a_profiler_gets_its_say(tmp_path: Path) -> None:
    file = tmp_path / "profile"
    words = [sys.executable, "-m", "cProfile", "-o", str(file), "-m", "planner", "check", "dai_senso/manchuria"]
    subprocess.run([*words, "inf w5525-w5425"], capture_output=True, check=True)
    assert pstats.Stats(str(file)).total_calls > 10_000  # type: ignore[attr-defined]


def test_who_calls_the_command_line_himself_goes_on() -> None:
    told = printed("""
import sys
from planner.__main__ import main
sys.argv = ["planner", "--help"]
try:
    main()
except SystemExit as end:
    print("still here", end.code)
""")
    assert told.endswith("still here 0\n")


def test_an_interrupt_that_a_library_calls_a_fault_of_its_own_is_an_interrupt_all_the_same() -> None:
    """Pydantic makes another error of what is raised while it makes its validators; before, that was exit 70."""
    script = """
import os, signal, sys
sys.argv = ["planner", "--help"]
import planner.cli.app
def faulty():
    try:
        os.kill(os.getpid(), signal.{number})
        signal.sigtimedwait([], 1)
    except KeyboardInterrupt:
        raise ValueError("a validator") from None
planner.cli.app.main = faulty
from planner.__main__ import main
main()
"""
    for number in ("SIGINT", "SIGTERM") if os.name == "posix" else ():
        done = subprocess.run(
            [sys.executable, "-c", script.format(number=number)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", ["SIGINT", pytest.param("SIGTERM", marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    "words",
    [("suggest", "dai_senso/manchuria"), pytest.param(("play", "crossroads/start"), marks=pytest.mark.thorough)],
)
def test_an_interrupt_that_gets_lost_while_a_scenario_is_loaded_is_heard_all_the_same(
    words: tuple[str, str], number: str
) -> None:
    """What is raised in a finalizer reaches nobody: searches without a limit went on as if nothing had been."""
    script = f"""
import os, signal, sys
sys.argv = ["planner", *{words!r}]
import planner.scenario
class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.{number})
        signal.sigtimedwait([], 1)
load = planner.scenario.load_scenario
def load_scenario(name):
    Finalized()
    return load(name)
planner.scenario.load_scenario = load_scenario
from planner.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_what_standard_error_cannot_encode_is_written_out() -> None:
    done = run("defend", "dai_senso/manchuria", "\udcff")
    assert done.returncode == 2
    assert "(\\udcff)" in done.stderr
