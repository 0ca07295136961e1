"""Overruns that units make together by passages: between boxes, across other hexes, and after other steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import planner
from planner.rules.combat_roles import JointlyOverruns
from planner.scenario import Scenario, build_scenario
from tests.plain_game import JOINT, SHUT, write_model

SURE = JOINT.replace('chance = "1/2"', "chance = 1")
MARCH = """
[[rule]]
id = "march"
kind = "passage"
paragraph = "march"
takes = 1
"""
BY_BOX = MARCH + "first_only = false\nreads = { origin = { boxes = true }, to = { boxes = true } }\n"
AFAR = MARCH + 'adjacent = false\nrange = 2\nreads = { origin = { traits = "port" } }\n'
FIRST_ONLY = MARCH + 'reads = { across = { features = "river" } }\n'
CHART = "terrain.plain = { symbol = '.', mp = 1 }\nhexsides.river = { mp = 0 }\n"
TURNS = ("", "stacks = true\n", "waiting = {}\n")


def scenario(folder: Path, rules: str, turns: str, board: dict[str, Any], at: tuple[str, str], ma: int) -> Scenario:
    """Return a unit, and an enemy who is to be eliminated."""
    model = write_model(folder, rules + SHUT, terrain=CHART, turns=turns)
    rulebook = (model / "rulebook.toml").read_text()
    steps = (
        '[[rule]]\nid = "steps"\nkind = "hex_to_hex"\nparagraph = "steps"\n'  # what else a step may be is asked first
    )
    (model / "rulebook.toml").write_text(rulebook.replace(steps, "") + steps)
    units = [("a", "south", at[0]), ("e", "north", at[1])]
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": str(model),
            "phase": "day",
            "phasing": "south",
            "map": board,
            "unit": [
                {"id": one, "side": side, "type": "foot", "at": label, "values": f"1-{ma}"}
                for one, side, label in units
            ],
            "tier": [{"terms": [{"kind": "eliminate", "units": "e"}]}],
        },
        "position.toml",
    )


@pytest.mark.parametrize("turns", TURNS)
def test_units_that_overrun_together_do_so_from_box_to_box(tmp_path: Path, turns: str) -> None:
    # 1 MP takes a into the box in which e stands; 1:1 is enough.
    boxes = {"west": {"adjacent": ["east"]}, "east": {}, "dead": {}}
    board = {"hexes": {"01.01": "plain"}, "boxes": boxes}
    rules = BY_BOX + SURE + "where = { boxes = true }\n"
    position = scenario(tmp_path, rules, turns, board, ("west", "east"), 1)
    assert planner.check(position, "a [west]x[east]").legal
    result = planner.suggest(position)
    assert (result.status, result.value, str(result.plan)) == ("optimal", (1,), "a [west]x[east]")
    [reached] = planner.reach(position, "a").alone
    assert reached.hex == "east"
    assert [str(move) for move in planner.Position(position).legal_moves("a")] == ["a [west]x[east]"]


@pytest.mark.parametrize("turns", TURNS)
def test_units_that_overrun_together_do_so_over_a_hex_between(tmp_path: Path, turns: str) -> None:
    # a has 1 MP: two hexes on foot would take 2, the passage takes 1.
    hexes = {"01.01": {"terrain": "plain", "traits": "port"}, "01.02": "plain", "01.03": "plain"}
    position = scenario(tmp_path, AFAR + SURE, turns, {"hexes": hexes}, ("01.01", "01.03"), 1)
    assert planner.check(position, "a 01.01x01.03").legal
    result = planner.suggest(position)
    assert (result.status, result.value, str(result.plan)) == ("optimal", (1,), "a 01.01x01.03")
    assert {one.hex for one in planner.reach(position, "a").alone} == {"01.02", "01.03"}
    assert "a 01.01x01.03" in {str(move) for move in planner.Position(position).legal_moves("a")}


@pytest.mark.parametrize("turns", TURNS)
def test_nobody_overruns_by_a_passage_that_must_be_the_first_step_after_another_one(tmp_path: Path, turns: str) -> None:
    # The step across the river is the passage, and a has made one before; there is no other way to e.
    board = {"hexes": dict.fromkeys(("01.01", "01.02", "01.03"), "plain"), "hexsides": {"river": ["01.02 01.03"]}}
    position = scenario(tmp_path, FIRST_ONLY + SURE, turns, board, ("01.01", "01.03"), 3)
    for solver in (False, True):
        assert not planner.check(position, "a 01.01-01.02x01.03", solver=solver).legal
    result = planner.suggest(position)
    assert (result.status, result.value) == ("optimal", (0,))
    assert {one.hex for one in planner.reach(position, "a").alone} == {"01.02"}


def test_what_halves_strengths_across_hexsides_halves_none_from_afar(tmp_path: Path) -> None:
    # By the passage a is 1 to 1, which is sure; from 01.02 it would be 1/2 to 1 across the river.
    hexes = {"01.01": {"terrain": "plain", "traits": "port"}, "01.02": "plain", "01.03": "plain"}
    board = {"hexes": hexes, "hexsides": {"river": ["01.02 01.03"]}}
    odds = '[{ odds = "1:2", chance = "1/2" }, { odds = "1:1", chance = 1 }]\n'
    halved = 'modifiers = [{ of = "attack", hexsides = { features = "river" }, times = "1/2" }]\n'
    rules = AFAR + SURE.replace('[{ odds = "1:1", chance = 1 }]\n', odds) + halved
    position = scenario(tmp_path, rules, "stacks = true\n", board, ("01.01", "01.03"), 1)
    assert planner.check(position, "a 01.01x01.03").legal
    [rule] = position.game.rulebook.of(JointlyOverruns)
    assert rule.best_chance(position.game) == 1
    found = planner.explain(position, require="eliminate e")
    assert (found.status, str(found.plan)) == ("possible", "a 01.01x01.03")
