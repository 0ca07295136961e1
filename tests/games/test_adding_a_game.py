"""The path of docs/adding_a_game.md leads to a game that works: a folder of data, and a scenario with a proved answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import planner
from planner.cli.app import app
from planner.scenario import Scenario
from planner.search.search import Search

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adding_a_game.md"
FILES = re.compile(r"```toml\n# (\S+)\n(.*?)```", re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Do what the page says: write each block into the file that it names."""
    (tmp_path / "river_war").mkdir()
    for name, text in FILES.findall(PAGE.read_text(encoding="utf-8")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def crossing(folder: Path) -> Scenario:
    return planner.load(folder / "crossing.toml")


@pytest.mark.parametrize("solver", [False, True], ids=["referee", "solver"])
def test_both_faces_come_to_the_verdicts_of_the_page(crossing: Scenario, solver: bool) -> None:
    assert len(crossing.verdicts) > 5
    for known in crossing.verdicts:
        verdict = planner.check(crossing, known.moves, solver=solver)
        assert verdict.legal == known.legal, known.moves
        if not known.legal:
            found = verdict.violations[0]
            assert (found.rule, found.unit, found.at) == (known.rule, known.unit, known.at)
            assert not known.blame or found.blame == known.blame


def test_the_search_comes_to_the_answer_of_the_page_with_a_proof(crossing: Scenario) -> None:
    result = Search(crossing).run()
    assert crossing.answer is not None
    assert result.status == crossing.answer.status == "optimal"
    assert result.value == result.bound == crossing.answer.value


def test_the_commands_of_the_page_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    [block] = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    codes = []
    for line in block.splitlines():
        words = re.findall(r'"([^"]*)"|(\S+)', line.removeprefix("planner "))
        codes.append(CliRunner().invoke(app, [quoted or plain for quoted, plain in words]).exit_code)
    assert codes == [0, 0, 1, 0]


def test_the_reference_page_is_current_and_describes_every_parameter() -> None:
    """Mended by: planner reference > docs/reference.md."""
    from planner.cli.reference import reference_page
    from planner.rules.kinds import KINDS

    page = reference_page()
    assert (PAGE.parent / "reference.md").read_text(encoding="utf-8") == page
    for kind in KINDS:
        for name, field in kind.model_fields.items():
            assert f"| `{name}` |" in page
            assert field.description or name == "kind", f"{kind.__name__}.{name}"
    assert not re.findall(r"^\| `\w+` \|.*\|\s*\|$", page, re.MULTILINE), "a parameter without a description"
