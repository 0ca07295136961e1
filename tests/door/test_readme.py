"""What the README says is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from planner.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", _blocks("python"))
def test_the_python_of_the_readme_runs(code: str) -> None:
    exec(compile(code, "README.md", "exec"), {})


def test_the_main_command_prints_what_the_readme_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    [shown] = _blocks("text")
    command = _blocks("sh")[0].split("&&")[-1]
    words = shlex.split(command)
    assert words[0].endswith("planner")
    result = CliRunner().invoke(app, words[1:])
    assert result.exit_code == 0

    def plain(text: str) -> list[str]:
        timeless = re.sub(r"\(\d+\.\d+ s\)", "(t)", text)
        return [line.rstrip() for line in timeless.strip().splitlines()]

    assert plain(result.output) == plain(shown)


def test_every_file_that_the_readme_links_to_exists() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
