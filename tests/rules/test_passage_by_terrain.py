"""Passages that cost what the terrain chart says, and what a passage must say."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.rules.rulebook_file import load_rulebook
from planner.scenario import build_scenario
from tests.plain_game import write_model

MARCH = """
[[rule]]
id = "march"
kind = "passage"
paragraph = "march"
by_terrain = true
reads = { origin = { boxes = true }, to = { boxes = true } }
"""


def test_that_a_box_has_no_terrain_is_said_where_that_is_why_it_cant_be_entered(tmp_path: Path) -> None:
    # The passage leads there; what has no terrain has no price by the chart.
    boxes = {"west": {"adjacent": ["east"]}, "east": {}}
    position = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": str(write_model(tmp_path, MARCH)),
            "phase": "day",
            "phasing": "south",
            "map": {"hexes": {"01.01": "plain"}, "boxes": boxes},
            "unit": [{"id": "a", "side": "south", "type": "foot", "at": "west", "values": "1-3"}],
        },
        "position.toml",
    )
    [violation] = planner.check(position, "a [west]-[east]").violations
    assert str(violation) == "costs: a can't enter east: a box has no terrain, and so no price by the terrain chart"


def test_a_passage_across_the_hexside_that_is_faced_says_which_marker_faces_it(tmp_path: Path) -> None:
    # Without a marker the referee let everybody through, and the solver nobody: going from 01.01 to 02.01 was no plan.
    rule = MARCH.replace("origin = { boxes = true }, to = { boxes = true }", 'across = { features = "river" }')
    with pytest.raises(InputError, match="facing needs origin_marker in reads"):
        load_rulebook(write_model(tmp_path, rule + "facing = true\n"))
