"""The pages on the introductory rule sets say what their tests do."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[3] / "docs" / "introductory"


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_a_page_has_the_rules_and_the_verdicts_of_its_test(page: Path) -> None:
    module, text = import_module(f"tests.games.introductory.test_{page.stem}"), page.read_text(encoding="utf-8")
    assert module.RULES.strip() in text
    assert module.TERRAIN.strip() in text
    marks = module.test_verdicts_worked_out_by_hand.pytestmark
    [verdicts] = [mark.args[1] for mark in marks if mark.args[0] == ("moves", "rule")]
    for moves, rule in verdicts:
        written = ", ".join(f"`{move}`" for move in moves)
        assert f"| {written} | {f'breaks *{rule}*' if rule else 'legal'} |" in text


def test_each_introductory_rule_set_has_a_page() -> None:
    tests = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")} - {"pages"}
    assert tests == {path.stem for path in PAGES.glob("*.md")}
