"""What the README says is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.command import invoke

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", _blocks("python"))
def test_the_python_of_the_readme_runs(code: str) -> None:
    exec(compile(code, "README.md", "exec"), {})


@pytest.mark.parametrize(
    ("command", "shown"), re.findall(r"```sh\n([^`]*)```[^`]*?```text\n(.*?)```", README, re.DOTALL)
)
def test_a_command_prints_what_the_readme_shows(command: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    words = shlex.split(command.split("&&")[-1])
    assert words[0].endswith("planner")
    result = invoke(*words[1:])
    assert result.exit_code in (0, 1)

    def plain(text: str) -> list[str]:
        timeless = re.sub(r"\(\d+\.\d+ s\)", "(t)", text)
        return [line.rstrip() for line in timeless.strip().splitlines()]

    assert plain(result.output) == plain(shown)


def test_the_readme_shows_an_answer_of_each_of_its_commands() -> None:
    assert len(_blocks("text")) == 3
    assert len(_blocks("sh")) == 4, "those, and the test command"


def test_every_file_that_the_readme_links_to_exists() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
