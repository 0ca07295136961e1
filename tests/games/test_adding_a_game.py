"""The path of docs/adding_a_game.md leads to a game that works: a folder of data, and a scenario with a proved answer.

So does that of docs/more_rules.md.
"""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.explanation import minimal_conflicts
from planner.scenario import Scenario
from planner.search.search import Search
from tests.command import invoke

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adding_a_game.md"
MORE = PAGE.parent / "more_rules.md"
FILES = re.compile(r"```toml\n# (\S+)(?: \+)?\n(.*?)```", re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Do what the page says: write each block into the file that it names."""
    for name, text in FILES.findall(PAGE.read_text(encoding="utf-8") + MORE.read_text(encoding="utf-8")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        with (tmp_path / name).open("a", encoding="utf-8") as file:  # what is called "+" is added
            file.write(text)
    return tmp_path


@pytest.fixture(params=["crossing", "relief", "march", "drop", "torrent", "fords", "columns", "lakes", "evening"])
def scenario(folder: Path, request: pytest.FixtureRequest) -> Scenario:
    return planner.load(folder / f"{request.param}.toml")


@pytest.mark.parametrize("solver", [False, True], ids=["referee", "solver"])
def test_both_faces_come_to_the_verdicts_of_the_page(scenario: Scenario, solver: bool) -> None:
    assert len(scenario.verdicts) > 2
    for known in scenario.verdicts:
        verdict = planner.check(scenario, known.moves, solver=solver)
        assert verdict.legal == known.legal, known.moves
        if not known.legal:
            found = verdict.violations[0]
            assert (found.rule, found.unit, found.at) == (known.rule, known.unit or found.unit, known.at)
            assert not known.blame or found.blame == known.blame


def test_the_search_comes_to_the_answer_of_the_page_with_a_proof(scenario: Scenario) -> None:
    result = Search(scenario).run()
    assert scenario.answer is not None
    assert result.status == scenario.answer.status == "optimal"
    assert result.value == result.bound == tuple(Fraction(part) for part in scenario.answer.value)


@pytest.mark.thorough
def test_the_commands_of_the_page_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    [block] = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    codes = []
    for line in block.splitlines():
        words = re.findall(r'"([^"]*)"|(\S+)', line.removeprefix("planner "))
        codes.append(invoke(*(quoted or plain for quoted, plain in words)).exit_code)
    assert codes == [0, 0, 1, 0]


@pytest.mark.thorough
@pytest.mark.parametrize("single_units", [True, False])
def test_a_rule_that_keeps_a_unit_from_several_hexes_is_named_in_each_of_them(
    folder: Path, single_units: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a and b have overrun the guard, s could be in 05.02 with 3 MP if it might enter 04.01, or 04.02, for nothing.

    So it takes both, where single units tell; else what is told of one of them is an instance of what the rule does.
    """
    monkeypatch.setattr(minimal_conflicts, "MOST_PLACES", 300 if single_units else 0)
    data = tomllib.loads((folder / "crossing.toml").read_text(encoding="utf-8"))
    data["unit"] = [unit for unit in data["unit"] if unit["id"] in ("a", "b", "s", "guard")]
    few = {key: data[key] for key in ("format", "model", "phase", "phasing", "map", "control", "marker", "unit")}
    few["model"] = str(folder / "river_war")
    found = planner.explain(planner.Scenario.from_dict(few, "the scout"), "s to 05.02", time_limit=30)
    [reason] = found.reasons
    told = {one.message for one in reason.instances if one.hex or "instance" in one.message}
    if single_units:
        assert told == {f"s can't enter {label}: river is prohibited" for label in ("04.01", "04.02")}
        assert (reason.confirmed, reason.minimal) == (True, True)
        named = {change.what for remedy in found.remedies for change in remedy.changes if change.kind == "terrain"}
        assert named == {"04.01", "04.02"}
    else:
        assert len(told) == 1
        assert told < {f"for instance, s can't enter {label}: river is prohibited" for label in ("04.01", "04.02")}
        assert (reason.confirmed, reason.minimal) == (True, True)  # the rule forbids it, and is needed


def test_the_reference_page_is_current_and_describes_every_parameter() -> None:
    """Mended by: planner reference > docs/reference.md."""
    from planner.cli.reference import reference_page
    from planner.rules.kinds import kinds

    page = reference_page()
    assert (PAGE.parent / "reference.md").read_text(encoding="utf-8") == page
    for kind in kinds():
        for name, field in kind.model_fields.items():
            assert f"| `{name}` |" in page
            assert field.description or name == "kind", f"{kind.__name__}.{name}"
    assert not re.findall(r"^\| `\w+` \|.*\|\s*\|$", page, re.MULTILINE), "a parameter without a description"
