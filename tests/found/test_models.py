"""What is wrong with a model, or what it lacks, is said when it is loaded or listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.rules.combat_roles import Fights
from planner.rules.rulebook_file import load_rulebook
from tests.command import run
from tests.plain_game import TERRAIN, write_model


@pytest.mark.parametrize(
    "side",
    [
        "prohibited = true",
        'prices = [{ units = { types = "foot" }, prohibited = true }, { prohibited = true }]',
        'mp = 3, prices = [{ units = { types = ["foot", "train"] }, prohibited = true }]',
        'prohibited = true, prices = [{ units = { types = "scout" }, mp = 2 }]',
        'prohibited = true, prices = [{ units = { traits = "light", without = "heavy" }, prohibited = true }]',
    ],
)
def test_help_across_what_those_who_are_helped_may_not_cross_is_refused(tmp_path: Path, side: str) -> None:
    """A price with help takes the place of another price, not of a prohibition: the entry says nothing."""
    units = 'units = { types = "foot" }, ' if "mp" in side else ""
    helped = f'hexsides.canal = {{ {side}, assisted = [{{ by = {{ types = "scout" }}, {units}mp = 1 }}] }}\n'
    with pytest.raises(InputError) as raised:
        load_rulebook(write_model(tmp_path, terrain=TERRAIN + helped))
    [problem] = raised.value.problems
    assert "assisted says nothing" in problem.what
    assert problem.where.endswith("terrain.toml: hexsides.canal")


def test_help_for_some_who_may_cross_is_taken(tmp_path: Path) -> None:
    """The canal bars the foot alone; others cross for 3, with help for 1."""
    side = 'prices = [{ units = { types = "foot" }, prohibited = true }], mp = 3'
    helped = f'hexsides.canal = {{ {side}, assisted = [{{ by = {{ types = "scout" }}, mp = 1 }}] }}\n'
    assert load_rulebook(write_model(tmp_path, terrain=TERRAIN + helped)).terrain.hexsides["canal"].assisted


def test_help_that_lifts_a_prohibition_needs_one(tmp_path: Path) -> None:
    helped = 'hexsides.canal = { mp = 3, assisted = [{ by = { types = "scout" }, mp = 1, lifts = true }] }\n'
    with pytest.raises(InputError) as raised:
        load_rulebook(write_model(tmp_path, terrain=TERRAIN + helped))
    [problem] = raised.value.problems
    assert problem.what == "lifts = true says nothing where everybody may cross"
    barred = helped.replace("mp = 3", "prohibited = true")
    assert load_rulebook(write_model(tmp_path, terrain=TERRAIN + barred)).terrain.hexsides["canal"].assisted


def test_a_model_without_statements_is_no_empty_list(tmp_path: Path) -> None:
    """Whoever lists it learns how many rules there are, of which kinds, and where they are."""
    folder = str(write_model(tmp_path))
    told = run("rules", folder).stdout
    assert "no statements.toml" in told
    assert "4 rules in rulebook.toml: eligibility, sequence, hex_to_hex, movement_points" in told
    assert json.loads(run("rules", folder, "--json").stdout)["rules"] == [
        {"id": "who", "kind": "eligibility", "paragraph": "who"},
        {"id": "turns", "kind": "sequence", "paragraph": "turns"},
        {"id": "steps", "kind": "hex_to_hex", "paragraph": "steps"},
        {"id": "costs", "kind": "movement_points", "paragraph": "costs"},
    ]


AT_THE_EDGE = """
format = "planner/scenario-1"
model = "classic_hex"
phase = "movement"
phasing = "blue"

[map]
origin = "0000"
rows = [". . .", ". . .", ". . ."]

[[unit]]
id = "a"
side = "blue"
type = "infantry"
values = "6-2"
at = "0101"

[[unit]]
id = "e"
side = "red"
type = "infantry"
values = "1-2"
at = "0001"

[[tier]]
terms = [{ kind = "eliminate", units = "e" }]
"""


def test_a_combat_in_column_00_pushes_nobody_into_a_hex_that_has_no_number(tmp_path: Path) -> None:
    """Straight back from 0001 lies no hex, as at any other edge; out of 0101 it is 0200, with 0100 and 0201 beside it."""
    path = tmp_path / "edge.toml"
    path.write_text(AT_THE_EDGE, encoding="utf-8")
    scenario = planner.load(path)
    [rule] = scenario.game.rulebook.of(Fights)
    assert rule.refuges(scenario.game, "0101", "0001", []) is None
    back = rule.refuges(scenario.game, "0001", "0101", [])
    assert back is not None
    assert (back[0], set(back)) == ("0200", {"0200", "0100", "0201"})
