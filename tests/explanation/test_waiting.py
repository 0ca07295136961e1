"""Reasons and remedies where units may wait: on small maps every plan is looked at."""

from __future__ import annotations

from pathlib import Path

import planner
from tests.plain_game import LIMIT, unit_entry, write_model

ALONE = LIMIT + 'limits = [{ units = 1 }]\nwhen = "always"\n'
"""One unit in a hex, also while others pass."""


def test_who_cannot_change_places_is_told_what_all_of_it_is_needed_and_what_would_do(tmp_path: Path) -> None:
    """By hand: b, of MA 2, would have to leave 02.01, let a in, and come back by 02.01, while a waits in the north-east.

    There and back are 3 MP. C, who stands in 01.02, could make room for a instead, if the hill beside it weren't too dear.
    """
    units = ("foot a 01.01 3", "foot b 02.01 2", "foot c 01.02 2")
    model = write_model(tmp_path / "any_game", ALONE, turns="waiting = {}\n")
    (model / "carriers.toml").write_text('[[carriers]]\nmarkers = { types = "boat" }\ncarries = {}\n')
    (tmp_path / "places.toml").write_text(
        'format = "planner/scenario-1"\nmodel = "./any_game"\nphase = "day"\nphasing = "south"\n'
        '[map]\norigin = "01.01"\nrows = """\n. . . .\nh h . .\n"""\n'
        + "".join(unit_entry(text, "south", {}) for text in units)
    )
    scenario = planner.load(tmp_path / "places.toml")
    found = planner.explain(scenario, require="a to 02.01 and b to 01.01", time_limit=None)
    assert found.status == "forbidden"
    assert [(reason.minimal, reason.confirmed) for reason in found.reasons] == [(True, True)]
    assert {(one.rule, one.unit) for one in found.instances} == {
        ("costs", "b"),
        ("costs", "c"),
        ("stacking", "a"),
        ("stacking", "b"),
        ("stacking", "c"),
    }
    assert "if b had 1 MP more" in map(str, found.remedies)
