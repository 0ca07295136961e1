"""Allies are friends who stay where they are; units that have to move, and places that an enemy holds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.defense.placement import Placements
from planner.errors import InputError
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from tests.oracles import made_up

CAPTURE = '[[rule]]\nid = "taking"\nkind = "capture"\nparagraph = "taking"\n'
COMBAT = """
[[rule]]
id = "combat"
kind = "combat_on_entry"
paragraph = "combat"
demoralized = "tired"
columns = [{ from_percent = -100, entries = [[0, 1]] }]
eliminated_to = [{ box = "dead" }]
"""
MUST = '[[rule]]\nid = "must"\nkind = "obligation"\nparagraph = "must"\nwho = { types = "guard" }\n'


def scenario(units: dict[str, tuple[str, str, str]], rules: str = "", **more: Any) -> Scenario:
    """Return a position on three hexes in a row; units by id: side, type, hex."""
    data = {
        "format": "planner/scenario-1",
        "model": str(made_up.model(made_up.BAR + rules, "")),
        "phase": "day",
        "phasing": "south",
        "map": {"hexes": {"01.03": "plain", "02.03": "plain", "03.03": "plain"}},
        "unit": [
            {"id": id, "side": side, "type": kind, "at": at, "values": "1-2"} for id, (side, kind, at) in units.items()
        ],
    }
    return build_scenario(data | more, "allies")


def findings(position: Scenario, *moves: str) -> set[str]:
    """Return the paragraphs that a plan breaks, on whose number both faces agree."""
    plan = Plan.parse(moves)
    referee = Referee(position.game).play(plan, position.start).violations
    assert sorted(one.rule for one in referee) == sorted(one.rule for one in judge(position, plan))
    return {one.rule for one in referee}


def test_a_unit_passes_through_its_ally_and_joins_him_but_doesnt_move_him() -> None:
    position = scenario({"u": ("south", "foot", "01.03"), "a": ("east", "foot", "02.03")})
    assert not findings(position, "u 01.03-02.03-03.03")
    assert not findings(position, "u 01.03-02.03")
    assert findings(position, "a 02.03-03.03") == {"who"}
    assert [one.unit for one in planner.reach_all(position)] == ["u"]


def test_without_an_alliance_it_is_an_enemy_who_bars_the_way() -> None:
    position = scenario(
        {"u": ("south", "foot", "01.03"), "a": ("east", "foot", "02.03")}, charts={"alliances": [["south", "north"]]}
    )
    assert findings(position, "u 01.03-02.03-03.03") == {"enemies"}


def test_an_allys_place_isnt_taken() -> None:
    position = scenario({"u": ("south", "foot", "01.03")}, CAPTURE, control={"east": "02.03", "north": "03.03"})
    verdict = Referee(position.game).play(Plan.parse(["u 01.03-02.03-03.03"]), position.start)
    assert [*verdict.position.taken] == ["03.03"]


def test_an_ally_has_to_do_nothing() -> None:
    assert not findings(scenario({"a": ("east", "guard", "02.03")}, MUST))


@pytest.mark.parametrize(
    ("alliances", "what"),
    [([["south", "est"]], "est"), ([["south", "south"]], "an alliance must be of two sides or more"), ([[]], "two")],
)
def test_an_alliance_that_is_none_is_refused(alliances: list[list[str]], what: str) -> None:
    with pytest.raises(InputError, match=what):
        scenario({"u": ("south", "foot", "01.03")}, charts={"alliances": alliances})


def test_a_unit_that_has_to_move_may_go_there_and_back() -> None:
    goal = [{"terms": [{"kind": "end", "unit": "u", "at": "01.03"}]}, {"terms": [{"kind": "mp_spent"}]}]
    position = scenario({"u": ("south", "guard", "01.03")}, MUST, tier=goal)
    result = Search(position).run()
    assert (result.status, result.value) == ("optimal", (Fraction(1), Fraction(-2)))


def test_a_friendly_place_counts_once_the_enemy_in_it_is_gone() -> None:
    goal = [{"terms": [{"kind": "control", "hexes": "02.03 03.03"}]}, {"terms": [{"kind": "mp_spent"}]}]
    units = {"u": ("south", "guard", "01.03"), "e": ("north", "foot", "03.03")}
    rules = CAPTURE + made_up.OVERRUN.removeprefix("unless_overrun = true")
    held = {"south": "02.03 03.03"}
    result = Search(scenario(units, rules, tier=goal, control=held)).run()
    assert (result.status, result.value) == ("optimal", (Fraction(1), Fraction(0)))
    result = Search(scenario(units, "unless_overrun = true\n" + rules, tier=goal, control=held)).run()
    assert (result.status, result.value) == ("optimal", (Fraction(2), Fraction(-2)))


def test_where_hexes_are_entered_by_combat_allies_stand_together_in_their_enemys_phase_too() -> None:
    """South joins its ally; the east's phase comes next, and then that of north, who is an enemy of both."""
    units = {"u": ("south", "foot", "01.03"), "a": ("east", "foot", "02.03"), "n": ("north", "foot", "03.03")}
    position = planner.Position(scenario(units, COMBAT, turn=1))
    position.push("u 01.03-02.03")
    position.end_phase()
    position.end_phase()
    assert (position.side, position.at["u"], position.at["a"]) == ("north", "02.03", "02.03")


def test_where_hexes_are_entered_by_combat_a_friend_never_stands_with_an_enemy_who_is_his_ally() -> None:
    """South is an ally of both others, who are enemies of each other: to north, u is a friend, and a an enemy."""
    units = {"u": ("south", "foot", "02.03"), "a": ("east", "foot", "02.03"), "n": ("north", "foot", "03.03")}
    both = {"alliances": [["south", "east"], ["south", "north"]]}
    assert scenario(units, COMBAT, charts=both)
    with pytest.raises(InputError, match="units of two sides never stand in one hex"):
        scenario(units, COMBAT, charts=both, phasing="north")


def test_a_defender_may_be_placed_with_his_ally_where_hexes_are_entered_by_combat() -> None:
    """North moves; u is of the south, a of its ally, so that both may be in 02.03."""
    units = {"n": ("north", "foot", "01.03"), "u": ("south", "foot", "03.03"), "a": ("east", "foot", "02.03")}
    asked = scenario(units, COMBAT, phasing="north", defense={"place": [{"units": ["u"], "hexes": ["02.03"]}]})
    placements = Placements(asked)
    assert placements.quarrel({"u": "02.03"}) is None
