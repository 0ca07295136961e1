"""Where entering a hex is a combat, nobody fights who comes from afar, or into a box: and goes on, as the referee has it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import planner
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.goals import Hold
from planner.scenario import Scenario, build_scenario
from planner.search.policy_bound import bound_of
from tests.plain_game import FORCES, write_model

COMBAT = """
[[rule]]
id = "combat"
kind = "combat_on_entry"
paragraph = "combat"
demoralized = "tired"
columns = [{ from_percent = -100, entries = [[0, 1]] }]
eliminated_to = [{ box = "dead" }]
[[rule]]
id = "march"
kind = "passage"
paragraph = "march"
takes = 1
first_only = false
"""
BY_BOX = COMBAT + "reads = { origin = { boxes = true }, to = { boxes = true } }\n"
AFAR = COMBAT + 'adjacent = false\nrange = 2\nreads = { origin = { traits = "port" } }\n'


def scenario(folder: Path, rules: str, board: dict[str, object], places: tuple[str, str, str]) -> Scenario:
    """Return a unit that is to go from the first place to the last, and an enemy in the one between."""
    units = [("a", "south", places[0]), ("e", "north", places[1])]
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": str(write_model(folder, rules, forces=FORCES + 'unit_traits = { tired = "Tired" }\n')),
            "phase": "day",
            "phasing": "south",
            "map": board,
            "unit": [
                {"id": one, "side": side, "type": "foot", "at": label, "values": "1-2"} for one, side, label in units
            ],
            "tier": [{"terms": [{"kind": "end", "unit": "a", "at": places[2]}]}],
        },
        "position.toml",
    )


@pytest.mark.parametrize("afar", [False, True])
def test_who_comes_by_no_hexside_goes_on_past_the_enemy(tmp_path: Path, afar: bool) -> None:
    # Two steps of 1 MP each; nothing else leads to the last place with 2 MP.
    if afar:
        hexes = {"01.01": {"terrain": "plain", "traits": "port"}, "01.02": "hill", "01.03": "plain", "01.04": "plain"}
        position = scenario(tmp_path, AFAR, {"hexes": hexes}, ("01.01", "01.03", "01.04"))
    else:
        boxes = {"west": {"adjacent": ["middle"]}, "middle": {"adjacent": ["east"]}, "east": {}, "dead": {}}
        board = {"hexes": {"01.01": "plain"}, "boxes": boxes}
        position = scenario(tmp_path, BY_BOX, board, ("west", "middle", "east"))
    plan = "a 01.01-01.03-01.04" if afar else "a [west]-[middle]-[east]"
    for solver in (False, True):
        assert planner.check(position, plan, solver=solver).legal
    result = planner.suggest(position)
    assert (result.status, result.value, str(result.plan)) == ("optimal", (1,), plan)
    assert planner.explain(position, f"a to {plan.split('-')[-1].strip('[]')}").status == "possible"
    reached = {one.hex for one in planner.reach(position, "a").alone}
    assert reached == ({"01.03", "01.04"} if afar else {"middle", "east"})


@pytest.mark.parametrize("kind", ["end", "hold"])
@pytest.mark.parametrize("afar", [False, True])
def test_a_hex_that_is_entered_without_a_combat_is_not_said_to_be_out_of_reach(
    tmp_path: Path, afar: bool, kind: str
) -> None:
    """By hand: a's only step leads where e stands, and is no combat; that b might fight elsewhere doesn't matter."""
    fought = {"03.01 03.02": "plain"}
    if afar:
        hexes = {"01.01": {"terrain": "plain", "traits": "port"}, "01.02": "hill", "01.03": "plain", **fought}
        position = scenario(tmp_path, AFAR, {"hexes": hexes}, ("01.01", "01.03", "01.03"))
    else:
        boxes = {"west": {"adjacent": ["middle"]}, "middle": {}, "dead": {}}
        board = {"hexes": {"01.01": "plain", **fought}, "boxes": boxes}
        position = scenario(tmp_path, BY_BOX, board, ("west", "middle", "middle"))
    data = position.to_dict()
    [goal] = data.pop("tier")[0]["terms"]
    a, e = data["unit"]
    goal = goal if kind == "end" else {"kind": "hold", "hexes": goal["at"]}
    more = [{**a, "id": "b", "at": "03.01"}, {**e, "id": "f", "at": "03.02"}]
    asked = build_scenario({**data, "unit": [a, e, *more], "require": [goal]}, "position.toml")
    result = planner.suggest(asked)
    assert (result.status, str(result.plan)) == ("optimal", "a 01.01-01.03" if afar else "a [west]-[middle]")


@pytest.mark.parametrize("afar", [False, True])
def test_a_hex_from_which_nobody_is_driven_is_entered_without_a_combat(tmp_path: Path, afar: bool) -> None:
    """By hand: whoever fights e is thrown back, always; a's only step leads where e stands, and is no combat."""
    losing = (AFAR if afar else BY_BOX).replace("[[0, 1]]", "[[1, 0]]")
    hexes = {"01.01": {"terrain": "plain", "traits": "port"}, "01.02": "hill", "01.03": "plain", "01.04": "plain"}
    boxes = {"west": {"adjacent": ["middle"]}, "middle": {}, "dead": {}}
    board: dict[str, object] = {"hexes": hexes} if afar else {"hexes": {"01.01": "plain"}, "boxes": boxes}
    places = ("01.01", "01.03", "01.03") if afar else ("west", "middle", "middle")
    position = scenario(tmp_path, losing, board, places)
    assert planner.explain(position, f"a to {places[1]}").status == "possible"
    held = replace(position, tiers=(Tier(terms=(Hold(kind="hold", hexes=(places[1],)),)),))
    assert bound_of(held, (), Limits()) == (1,)
