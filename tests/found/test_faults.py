"""No fault looks like a judgement, and none takes anything else with it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from unittest.mock import patch

import pytest

import planner
from planner import check, load
from planner.__main__ import main
from planner.cli.terminal import stopped_by_interrupt
from planner.errors import InputError
from planner.formats.files import data_folder, write_text
from planner.puzzles.verify import verify
from planner.scenario import build_scenario


@pytest.mark.parametrize("error", [RuntimeError, RecursionError])
def test_an_unforeseen_error_ends_with_a_line_and_70(
    error: type[Exception], capsys: pytest.CaptureFixture[str]
) -> None:
    with patch("planner.cli.app.main", side_effect=error("a\nb")), pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 70
    assert capsys.readouterr().err.count("\n") == 1


def test_one_file_that_breaks_the_planner_does_not_end_the_others() -> None:
    with patch("planner.puzzles.verify.build_scenario", side_effect=RecursionError("deep")):
        found = list(verify(["classic_hex/puzzles"]))
    assert len(found) > 1
    assert all(one.fault == "RecursionError: deep" for one in found)


def test_sigterm_is_a_wish_to_stop() -> None:
    with stopped_by_interrupt() as stop:
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.wait(1)


def test_a_symbolic_link_is_written_through(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_an_illegal_plan_is_false() -> None:
    scenario = load("dai_senso/manchuria")
    assert check(scenario, ["inf w5525-w5425"])
    assert not check(scenario, ["inf w5525-w5527"])


def test_a_model_whose_path_is_longer_than_any_file_systems_is_named_as_what_is_wrong() -> None:
    data = {"format": "planner/scenario-1", "model": "./" + 300 * "x"}
    with pytest.raises(InputError, match="model must be one of"):
        build_scenario(data, "far away")


def test_an_edited_model_is_read_again(tmp_path: Path) -> None:
    scenario = copied(tmp_path)
    load(scenario)
    forces = tmp_path / "model" / "forces.toml"
    text = forces.read_text(encoding="utf-8")
    forces.write_text(f"{text}\nnonsense = 1\n", encoding="utf-8")
    with pytest.raises(InputError, match="nonsense"):
        load(scenario)
    forces.write_text(text, encoding="utf-8")
    load(scenario)


def copied(folder: Path) -> Path:
    """Copy a small scenario with its model, and return where it is."""
    shutil.copytree(data_folder("models") / "dai_senso", folder / "model")
    text = (data_folder("scenarios") / "dai_senso" / "manchuria.toml").read_text(encoding="utf-8")
    scenario = folder / "scenario.toml"
    scenario.write_text(text.replace('model = "dai_senso"', 'model = "./model"'), encoding="utf-8")
    return scenario


INTERRUPTING = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("module", ["planner.notebook", "planner.gc_pause", "planner.cli.app", "planner.api"])
def test_an_interrupt_while_modules_are_loaded_ends_without_a_traceback(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTING.format(module=module), encoding="utf-8")
    words = [sys.executable, "-m", "planner", "check", "dai_senso/manchuria", "inf w5525-w5425"]
    around = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    ended = subprocess.run(words, env=around, check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


LATER = {
    "check": lambda: check("dai_senso/manchuria", "inf w5525-w5425", solver=True),
    "suggest": lambda: planner.suggest("dai_senso/manchuria"),
    "suggest where results are rolled": lambda: planner.suggest("classic_hex/six_against_four"),
    "alternatives": lambda: planner.alternatives("dai_senso/manchuria", 2),
    "complete": lambda: planner.complete("dai_senso/manchuria", "plv -> w5426"),
    "defend": lambda: planner.defend("dai_senso/manchuria"),
    "explain": lambda: planner.explain("dai_senso/manchuria", "plv to w5426"),
    "verify": lambda: planner.verify("dai_senso/manchuria"),
}


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", LATER)
def test_an_interrupt_raises_in_python_whatever_is_going_on(name: str) -> None:
    """It is pressed when a model is about to be solved."""
    real = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        real(thread)
        os.kill(os.getpid(), signal.SIGINT)

    with patch.object(threading.Thread, "start", start), pytest.raises(KeyboardInterrupt):
        LATER[name]()
