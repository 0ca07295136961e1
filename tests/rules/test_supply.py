"""Who is said to cut a supply line are those who matter: without some of them it is open, and none of these is too many."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.plans.plan import Plan
from planner.referee.referee import Referee
from tests.plain_game import Variant, build

SUPPLY = '[[rule]]\nid = "supply"\nkind = "supply"\nparagraph = "supply"\nzoc_of = { types = "guard" }\n'
LAKE = 'terrain.lake = { symbol = "~", prohibited = true }\n'
COLUMN = "~ ~ . ~ ~\n" * 6


@pytest.mark.parametrize(
    ("at", "sources", "enemies", "blame"),
    [
        ("03.03", "03.01", ("foot e 03.02", "guard q 03.05"), ("e",)),
        ("03.03", "03.01", ("guard e 03.01", "guard q 03.05"), ("e",)),
        ("03.06", "03.01", ("foot e 03.02", "foot q 03.05"), ("e", "q")),
        ("03.06", "03.01", ("foot e 03.02", "guard q 03.04"), ("e", "q")),
        ("03.03", "03.01 03.06", ("foot e 03.02", "foot q 03.04"), ("e", "q")),
        ("03.03", "03.01 03.06", ("foot e 03.02", "foot q 03.04", "foot r 03.05"), ("e",)),
        ("03.03", "01.01", ("foot e 03.02",), ()),
    ],
    ids=[
        "behind",
        "zone behind",
        "two in a line",
        "a zone in a line",
        "two lines",
        "a line and one with two in it",
        "no line at all",
    ],
)
def test_the_enemies_that_cut_off_a_unit_are_those_who_matter(
    at: str, sources: str, enemies: tuple[str, ...], blame: tuple[str, ...], tmp_path: Path
) -> None:
    """Lines run along one column of hexes."""
    supply = f'[supply]\nsouth = "{sources}"\n'
    variant = Variant("column", SUPPLY, LAKE, (f"foot f {at} 9",), enemies, COLUMN, supply)
    scenario = build(variant, tmp_path)
    to = "03.05" if at == "03.06" else "03.04"
    found = Referee(scenario.game).play(Plan.parse(f"f {at}-{to}"), scenario.start).violations
    [cut] = [one for one in found if one.rule == "supply"]
    assert cut.blame == blame
