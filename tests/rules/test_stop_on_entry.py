"""Hexes in which a move ends: what of them it is that stops a unit."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from tests.plain_game import Variant, build


@pytest.mark.parametrize(
    ("hexes", "because"),
    [
        ('{ terrain = "plain" }', "plain"),
        ('{ weather = "mud" }', "mud"),
        ('{ traits = "port" }', "port"),
        ('{ any_of = [{ terrain = "hill" }, { weather = "mud" }] }', "mud"),
        ('{ labels = "03.02" }', "plain"),  # nothing better is known
    ],
)
def test_a_unit_is_stopped_by_what_the_rule_looks_at(hexes: str, because: str, tmp_path: Path) -> None:
    """03.02 is a plain with a port, in mud."""
    rule = f'[[rule]]\nid = "halt"\nkind = "stop_on_entry"\nparagraph = "halt"\nhexes = {hexes}\n'
    place = 'hexes."03.02" = { terrain = "plain", traits = "port" }\n[weather]\nmud = "03.02"\n'
    scenario = build(Variant("halt", rule, hexsides=place), tmp_path)
    [wrong] = planner.check(scenario, "f 03.01-03.02-03.03").violations
    assert wrong.message == f"f must stop in 03.02: {because}"
