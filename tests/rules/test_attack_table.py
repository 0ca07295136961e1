"""The table of a rule of attacks is checked for what doesn't fit together, all of it at once."""

from __future__ import annotations

import copy
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from planner.errors import InputError
from planner.rules.kinds.attack import Attack
from planner.rules.kinds.zone_of_control import ZoneOfControl
from planner.rules.rulebook_file import load_rulebook, model_folder

CLASSIC = load_rulebook(model_folder("classic_hex"))

GOOD: dict[str, Any] = {
    "id": "attacks",
    "kind": "attack",
    "paragraph": "7",
    "columns": [
        {"odds": "1:1", "results": ["AE", "AR", "AR", "DR", "DR", "DE"]},
        {"odds": "2:1", "results": ["AR", "AR", "DR", "DR", "DE", "DE"]},
    ],
    "results": {
        "AE": {"text": "attackers eliminated", "attackers": {"eliminated": True}},
        "AR": {"text": "attackers retreat", "attackers": {"retreat": 1}},
        "DR": {"text": "defenders retreat", "defenders": {"retreat": 1}},
        "DE": {"text": "defenders eliminated", "defenders": {"eliminated": True}},
    },
    "eliminated_to": [{"box": "eliminated"}],
}


def changed(**changes: Any) -> Attack:
    return Attack.model_validate(copy.deepcopy(GOOD) | changes)


def test_a_table_that_fits_together_has_no_problems() -> None:
    assert list(changed().problems(CLASSIC)) == []


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "differences in a table of ratios": ({"odds": "difference"}, "columns[0] must have difference and no odds"),
    "both": (
        {"columns": [{**GOOD["columns"][0], "difference": 1}, GOOD["columns"][1]]},
        "columns[0] must have odds and no difference",
    ),
    "as many results as sums of the dice": ({"dice": 2}, "11 results, one for each sum of 2 dice with 6 sides, not 6"),
    "sides": ({"sides": 8}, "8 results, one for each sum of a die with 8 sides, not 6"),
    "rising": ({"columns": GOOD["columns"][::-1]}, "columns must have rising odds"),
    "results that mean something": (
        {"columns": [{"odds": "1:1", "results": ["AE", "AR", "EX", "DR", "DR", "DE"]}]},
        "columns[0] has a result 'EX' that is not among results",
    ),
    "meanings that are used": (
        {"results": {**GOOD["results"], "EX": {"text": "exchange"}}},
        "results has 'EX', which no column has",
    ),
    "steps and an exchange": (
        {"results": {**GOOD["results"], "DE": {"text": "both", "attackers": {"steps": 1}, "exchange": "steps"}}},
        "results has 'DE', by which attackers lose steps and exchange",
    ),
    "shifts by nothing": ({"shifts": [{"name": "the forest", "columns": 0}]}, "a shift must be by a column at least"),
    "defenders who attack from afar": (
        {"factors": [{"of": "defense", "from_afar": True, "times": 2}]},
        "factors[0] is of defense",
    ),
    "phases": (
        {"phases": "movment"},
        "phase 'movment' must be one of movement, reinforcement; did you mean 'movement'?",
    ),
    "must attack, but no zones": ({"must_attack": {}}, "need a rule that says who has a zone of control"),
    "must be attacked, but no zones": ({"must_be_attacked": {}}, "need a rule that says who has a zone of control"),
}


@pytest.mark.parametrize(("changes", "told"), WRONG.values(), ids=WRONG)
def test_what_does_not_fit_together_is_told(changes: dict[str, Any], told: str) -> None:
    found = list(changed(**changes).problems(CLASSIC))
    assert any(told in one for one in found), found


def test_all_problems_are_told_at_once() -> None:
    found = list(changed(phases="x", shifts=[{"name": "a", "columns": 0}], dice=2, must_attack={}).problems(CLASSIC))
    assert len(found) == 5, found


def test_names_in_selectors_are_looked_up() -> None:
    shifts = [{"name": "the jungle", "columns": -1, "hexes": {"terrain": "forst"}}]
    [(told, place)] = CLASSIC.unknown_in(changed(shifts=shifts))
    assert "did you mean 'forest'?" in told
    assert place == "shifts[0].hexes.terrain"


def test_obligations_need_zones_of_control_and_nothing_else() -> None:
    zone = ZoneOfControl.model_validate(
        {"id": "zone", "kind": "zone_of_control", "paragraph": "6", "exerted_by": {}, "effects": []}
    )
    book = copy.copy(CLASSIC)
    book.rules, book._by_role = (*CLASSIC.rules, zone), {}
    assert list(changed(must_attack={}, must_be_attacked={}).problems(book)) == []


def test_whose_zone_rule_cannot_be_read_is_told_that_alone(tmp_path: Path) -> None:
    folder = tmp_path / "crossroads"
    shutil.copytree(Path(__file__).parents[2] / "models" / "crossroads", folder)
    file = folder / "rulebook.toml"
    before, begin, after = file.read_text(encoding="utf-8").partition('kind = "zone_of_control"')
    file.write_text(before + begin + after.replace("exerted_by", "exerted", 1), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        load_rulebook(folder)
    assert [problem for problem in refused.value.problems if "has a zone of control" in problem.what] == []


@pytest.mark.parametrize("code", ["", "1/2", "Much too long", "D-1"])
def test_results_have_short_names(code: str) -> None:
    with pytest.raises(ValidationError):
        changed(columns=[{"odds": "1:1", "results": [code] * 6}])


def test_sums_of_dice_come_as_often_as_they_are_thrown() -> None:
    assert changed().sums == (1,) * 6
    assert changed(dice=2).sums == (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
    assert sum(changed(dice=3, sides=4).sums) == 4**3


def test_the_documented_rule_is_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "adding_a_game.md").read_text()
    example = page.partition("### Attacks after the moves")[2].partition("```text\n")[2].partition("```")[0]
    [data] = tomllib.loads(example)["rule"]
    rule = Attack.model_validate(data)
    wrong = [text for text in rule.problems(CLASSIC) if "phase" not in text and "zone of control" not in text]
    assert wrong == []
    assert (rule.most_hexes, rule.retreats.most_friends, len(rule.columns)) == (3, 1, 3)
