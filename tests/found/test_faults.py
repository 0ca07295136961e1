"""No fault looks like a judgement, and none takes anything else with it."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from unittest.mock import patch

import pytest

from planner import check, load
from planner.__main__ import main
from planner.cli.terminal import stopped_by_interrupt
from planner.errors import InputError
from planner.formats.files import write_text
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
