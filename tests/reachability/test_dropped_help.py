"""Whoever is dropped on the way of a stack helps, and makes room for, those who go on."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.plans.plan import Plan
from planner.scenario import Scenario, build_scenario
from planner.solver.plan_judge import judge
from tests.plain_game import JOINT, SHUT, TERRAIN, ZOC, placed, write_model

RIVER = TERRAIN + 'hexsides.river = { mp = 5, assisted = [{ by = { types = "guard" }, mp = 0 }] }\n'
BY_GUARDS = f'{ZOC}negated_by = {{ types = "guard" }}\n'
HELP = {
    "across a river": ("", "03.03 03.04", "a+b 03.01x03.02-03.03/a-03.04"),
    "across a river beside the hex that they overrun": ("", "03.02 03.03", "a+b 03.01x03.02/a-03.03-03.04"),
    "out of an EZOC": ('on = "leave", does = "forbid"', "", "a+b 03.01x03.02-03.03/a-03.04"),
    "out of an EZOC that costs": ('on = "leave", does = "cost", mp = 5', "", "a+b 03.01x03.02-03.03/a-03.04"),
    "from one EZOC into another": (
        'on = "enter", does = "forbid", from_ezoc = "same"',
        "",
        "a+b 03.01x03.02-03.03/a-03.04",
    ),
}
"""An effect of EZOCs, or a river, and the plan that takes b beyond."""


def beyond(folder: Path, effect: str, river: str, chance: str) -> Scenario:
    """Return a position in which it takes a and b to overrun e, and a's help for b to come to 03.04."""
    zone = f'{BY_GUARDS}effects = [{{ paragraph = "zoc", {effect} }}]\n' if effect else ""
    rules = SHUT + JOINT.replace('"1/2"', chance) + zone
    model = write_model(folder / "any_game", rules, terrain=RIVER, turns="stacks = true\n")
    hexes = dict.fromkeys(("03.01", "03.02", "03.03", "03.04", "04.03"), "plain")
    own = [{"id": name, "side": "south", "type": kind, "at": "03.01"} for name, kind in (("a", "guard"), ("b", "foot"))]
    foes = [{"id": "e", "side": "north", "type": "foot", "at": "03.02", "values": "2-0"}]
    foes += [{"id": "z", "side": "north", "type": "guard", "at": "04.03", "values": "9-0"}]
    units = [*({**unit, "values": "1-3"} for unit in own), *foes]
    tier = [{"terms": [{"kind": "end", "unit": "b", "at": ["03.04"]}]}]
    board = {"hexes": hexes, "hexsides": {"river": [river] if river else []}}
    head = {"format": "planner/scenario-1", "model": str(model), "phase": "day", "phasing": "south"}
    return build_scenario({**head, "map": board, "unit": units, "tier": tier}, "beyond a river, or an EZOC")


@pytest.mark.parametrize("chance", ['"1/2"', "1"])
@pytest.mark.parametrize("help_", HELP)
def test_a_mate_who_is_dropped_helps_those_on_who_go_on(help_: str, chance: str, tmp_path: Path) -> None:
    """By hand: without a in the hex before it, b can't come to 03.04 within its 3 MP, or at all."""
    effect, river, plan = HELP[help_]
    scenario = beyond(tmp_path, effect, river, chance)
    assert planner.check(scenario, plan).legal
    assert not judge(scenario, Plan.parse(plan))
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (Fraction(chance.strip('"')),))
    report = planner.reach(scenario, "b")
    assert "03.04" in [entry.hex for entry in report.with_help]


PASS = {
    "one at a time": 'kind = "stacking"\nlimits = [{ where = { terrain = "town" }, units = 1 }]\n',
    "nobody with another": 'kind = "vacancy"\nwhere = { terrain = "town" }\n',
}


@pytest.mark.parametrize("chance", ['"1/2"', "1"])
@pytest.mark.parametrize("limit", PASS)
def test_a_stack_goes_through_a_hex_together_only_if_it_holds_all_of_them(
    limit: str, chance: str, tmp_path: Path
) -> None:
    """By hand: it takes both to overrun e, and one of them alone goes on through 03.03, to 03.04, where both are wanted."""
    rule = f'[[rule]]\nid = "narrow"\nparagraph = "narrow"\nwhen = "always"\n{PASS[limit]}'
    rules = SHUT + JOINT.replace('"1/2"', chance) + rule
    model = write_model(tmp_path / "any_game", rules, turns="stacks = true\n")
    hexes = {"03.01": "plain", "03.02": "plain", "03.03": "town", "03.04": "plain"}
    units = [{"id": name, "side": "south", "type": "foot", "at": "03.01", "values": "1-3"} for name in "ab"]
    units.append({"id": "e", "side": "north", "type": "foot", "at": "03.02", "values": "2-0"})
    tier = [{"terms": [{"kind": "end", "unit": unit, "at": ["03.04"]} for unit in "ab"]}]
    scenario = placed(model, hexes, units, tier=tier)
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (Fraction(chance.strip('"')),))
