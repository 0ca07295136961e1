"""The examples of the documentation are what the program accepts."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from planner.scenario import build_scenario
from planner.search.search import Search
from tests.command import run

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("code", re.findall(r"```toml\n(.*?)```", (DOCS / "scenarios.md").read_text(), re.DOTALL))
def test_the_scenario_of_the_guide_is_one_and_has_a_plan(code: str) -> None:
    result = Search(build_scenario(tomllib.loads(code), "docs/scenarios.md")).run()
    assert result.status == "optimal"
    assert result.value[0] == 1


def test_the_guide_names_every_kind_of_term() -> None:
    from planner.objective.kinds import TERMS

    text = (DOCS / "scenarios.md").read_text()
    names = [name for kind in TERMS.classes for name in get_args(kind.model_fields["kind"].annotation)]
    assert len(names) == 25
    assert not [name for name in names if f"`{name}`" not in text]


@pytest.mark.thorough
def test_what_puzzles_md_shows_is_what_the_command_before_it_prints() -> None:
    page = (DOCS / "puzzles.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    asked = re.findall(r"^planner (check .*--complete.*)$", page, re.MULTILINE)[-1]
    assert run(*shlex.split(asked)).stdout.endswith(shown)


@pytest.mark.parametrize("page", [*DOCS.rglob("*.md"), *DOCS.parent.glob("*.md")], ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert not [target for target in links if not (page.parent / target).exists()]


@pytest.mark.parametrize("page", [*DOCS.rglob("*.md"), *DOCS.parent.glob("*.md")], ids=lambda page: page.name)
def test_a_file_that_a_page_names_is_there(page: Path) -> None:
    if page.name == "CHANGELOG.md":
        return  # tells of files that have been
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:planner|tests|benchmarks|models|scenarios|docs|schemas)/[\w/.-]+(?:/|\.\w+))`", text)
    assert not [path for path in named if not (DOCS.parent / path).exists()]
