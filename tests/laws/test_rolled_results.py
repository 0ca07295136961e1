"""Every result that a table allows can be written as made, and no other: column by column, entry by entry."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.errors import InputError, PlannerError
from planner.rules.combat_roles import JointlyOverruns
from planner.scenario import Scenario


def rule_of(model: str, kind: str) -> dict[str, Any]:
    """Return a rule as the model's file has it."""
    rules = tomllib.loads(Path(f"models/{model}/rulebook.toml").read_text(encoding="utf-8"))["rule"]
    return next(rule for rule in rules if rule["kind"] == kind)


def scenario_of(model: str, hexes: dict[str, str], units: list[dict[str, Any]], **more: Any) -> Scenario:
    traits = more.pop("traits", [])
    return Scenario.from_dict({
        "format": "planner/scenario-1",
        "model": model,
        "phase": "movement",
        "phasing": units[0]["side"],
        "map": {"hexes": {label: {"terrain": terrain, "traits": traits} for label, terrain in hexes.items()}},
        "unit": units,
        **more,
    })  # fmt: skip


def may_have_come(scenario: Scenario, move: str) -> bool:
    """Tell whether a move may have been made so."""
    try:
        scenario.after(move)
    except InputError:
        return False
    return True


COMBATS = rule_of("classic_hex", "combat_on_entry")["columns"]
ODDS = rule_of("ocs", "joint_overrun")["results"]
FEATURES = ("countryside", "forest", "trench", "shell_crater", "mine_crater", "building_rubble")
ATTACKS = rule_of("crossroads", "attack")["columns"]


@pytest.mark.parametrize("column", range(len(COMBATS)))
def test_of_a_combat_each_entry_of_its_column_may_have_been_drawn(column: int) -> None:
    """A defense of 20, and the least attack for the column: (100 + percent) / 5, but 1 for the first."""
    attack = max(1, (100 + COMBATS[column]["from_percent"]) // 5)
    units = [
        {"id": "x", "side": "blue", "type": "infantry", "values": f"{attack}-1", "at": "0404"},
        {"id": "e", "side": "red", "type": "infantry", "values": "20-1", "at": "0405"},
    ]
    scenario = scenario_of("classic_hex", dict.fromkeys(("0403", "0404", "0405", "0406"), "clear"), units)
    entries = {tuple(entry) for entry in COMBATS[column]["entries"]}
    for own in range(4):
        for theirs in range(4):
            assert may_have_come(scenario, f"x 0404x0405={own}:{theirs}") == ((own, theirs) in entries), (own, theirs)
    assert not may_have_come(scenario, "x 0404x0405")  # what was drawn must be said


@pytest.mark.parametrize("column", range(-1, len(ODDS)))
def test_an_overrun_may_have_gone_either_way_at_any_odds_of_the_table(column: int) -> None:
    """Against a defense of 4; below the first column, 1 to 4 for 1:2, there is none to be had."""
    odds = [Fraction(*map(int, one["odds"].split(":"))) for one in ODDS]
    attack = int(odds[column] * 4) if column >= 0 else 1
    units = [
        {"id": "a", "side": "axis", "type": "tank", "values": f"{attack}-4-7", "at": "10.10"},
        {"id": "e", "side": "allied", "type": "infantry", "values": "2-4-2", "at": "10.11"},
    ]
    scenario = scenario_of("ocs", dict.fromkeys(("10.10", "10.11", "10.12"), "open"), units)
    chance = Fraction(ODDS[column]["chance"]) if column >= 0 else None
    assert may_have_come(scenario, "a 10.10x10.11") == bool(chance)
    assert may_have_come(scenario, "a 10.10!10.11") == (chance is not None and chance < 1)
    assert not may_have_come(scenario, "a 10.10-10.11!")  # nobody bogs down there


@pytest.mark.parametrize("terrain", FEATURES)
@pytest.mark.parametrize(("kind", "dice"), [("early_tank", 1), ("later_tank", 0), ("infantry", None)])
def test_a_tank_may_have_bogged_down_where_it_rolls(terrain: str, kind: str, dice: int | None) -> None:
    """An early one rolls for its first hex, whatever it is, and each tank for what is in it: all but plain countryside."""
    hexes = {"E4": "countryside", "E5": terrain, "E6": "countryside"}
    units = [{"id": "u", "side": "allied", "type": kind, "at": "E4"}]
    scenario = scenario_of("great_war", hexes, units, traits=["center"], orders={"center": 1})
    rolls = dice is not None and dice + (terrain != "countryside") > 0
    assert may_have_come(scenario, "u E4-E5")
    assert may_have_come(scenario, "u E4-E5!") == rolls
    assert not may_have_come(scenario, "u E4!E5")  # no overrun is made there


@pytest.mark.parametrize("column", range(len(ATTACKS)))
def test_of_an_attack_each_result_of_its_column_may_have_been_rolled(column: int) -> None:
    """Against a defense of 4 in the open, with the least attack for the column."""
    ours, theirs = map(int, ATTACKS[column]["odds"].split(":"))
    units = [
        {"id": "b", "side": "blue", "type": "infantry", "values": f"{4 * ours // theirs}-4-4", "at": "0404"},
        {"id": "r", "side": "red", "type": "infantry", "values": "4-4-4", "at": "0405"},
    ]
    hexes = {f"{line:02}{row:02}": "clear" for line in range(2, 7) for row in range(2, 9)}
    scenario = scenario_of("crossroads", hexes, units)
    position = planner.Position(scenario)
    position.push("b -> 0405")
    for one in position.outcomes:
        assert may_have_come(scenario, str(one.move)), one.move
    found = {one.move.result for one in position.outcomes if not isinstance(one.move, planner.Move)}
    assert found == set(ATTACKS[column]["results"])
    for other in {code for one in ATTACKS for code in one["results"]} - found:
        assert not may_have_come(scenario, f"b -> 0405={other}"), other


def test_in_a_world_at_war_nothing_is_rolled() -> None:
    """Its only column, 6:1, has chance 1: policies have no branches there, and results are nobody's luck."""
    scenario = planner.load("a_world_at_war/rendezvous")
    [rule] = scenario.game.rulebook.of(JointlyOverruns)
    assert [(one.odds.text, one.chance) for one in rule.results] == [("6:1", 1)]  # type: ignore[attr-defined]
    assert not scenario.game.rulebook.rolled
    found = planner.suggest(scenario, adaptive=True)
    assert found.root is not None
    assert not found.root.branches
    with pytest.raises(PlannerError):  # at six to one the overrun goes through
        scenario.after(["panzer L10-L11-L12", "motorized M12-L12", "panzer+motorized L12!L13"])
