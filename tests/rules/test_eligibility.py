"""Who may not move, and why: for the type of the unit only where no unit of that type may."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from tests.plain_game import Variant, build

TYPE, OTHERWISE = "units of its type (foot) don't move in this phase", "it is not a unit that moves in this phase"


@pytest.mark.parametrize(
    ("who", "units", "told"),
    [
        ('{ types = "guard" }', ("foot f 03.01 9", "foot g 03.02 9"), TYPE),
        ('{ traits = "light" }', ("foot f 03.01 9", "scout s 03.02 9"), TYPE),
        ('{ nationalities = "red" }', ("foot f 03.01 9",), OTHERWISE),
        ('{ nationalities = "red" }', ("foot f 03.01 9", "foot g 03.02 9"), OTHERWISE),
        (
            '{ any_of = [{ types = "guard" }, { nationalities = "red" }] }',
            ("foot f 03.01 9", "foot g 03.02 9"),
            OTHERWISE,
        ),
    ],
)
def test_its_type_is_to_blame_only_where_none_of_it_may_move(
    who: str, units: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    """Both f, which is blue, and g, which is red, are on foot."""
    rule = f'[[rule]]\nid = "now"\nkind = "eligibility"\nparagraph = "now"\nwho = {who}\n'
    more = {"f": 'nationality = "blue"', "g": 'nationality = "red"'}
    scenario = build(Variant("eligible", rule, units=units, more=more), tmp_path)
    [wrong] = planner.check(scenario, "f 03.01-04.01").violations
    assert wrong.message == f"f may not move: {told}"
