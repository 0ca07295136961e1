"""Destinations behind enemies whom no overrun is sure to eliminate: the reason names them."""

from __future__ import annotations

from pathlib import Path

import planner
from planner.explanation.explain import LONGEST_TRY
from planner.explanation.question import Question
from planner.objective.goals import End
from planner.scenario import Scenario, build_scenario
from tests.plain_game import Variant, build


def _behind(division: int) -> Scenario:
    """Return a tank in 10.10, before a division in 10.11 in a defile of open hexes that ends in 10.12."""
    tank = {"id": "tank", "side": "axis", "type": "tank", "at": "10.10", "attack": 9, "defense": 4, "ma": 8, "size": 1}
    enemy = {
        "id": "div",
        "side": "allied",
        "type": "infantry",
        "at": "10.11",
        "attack": 1,
        "defense": division,
        "ma": 0,
    }
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "ocs",
            "phase": "movement",
            "phasing": "axis",
            "map": {"hexes": {label: {"terrain": "open"} for label in ("10.10", "10.11", "10.12")}},
            "unit": [tank, enemy],
        },
        "a defile",
    )


def test_who_cannot_pass_an_enemy_is_told_that_dice_decide_whether_he_gives_way() -> None:
    """In OCS every overrun that is on the table is rolled for; on large boards it had no reason."""
    weak = "10.11 can't be overrun: all together would come to 9 to 90, less than 1:2"
    for division, told in (
        (1, "no overrun of 10.11 is sure to go through: dice decide, whatever the odds"),
        (90, weak),
    ):
        found = planner.explain(_behind(division), "tank to 10.12", time_limit=None)
        assert (found.status, found.complete) == ("forbidden", True)
        assert {str(one) for one in found.instances} == {"6.3b: tank may not enter 10.11: it holds div", f"8.1: {told}"}


def test_it_is_proved_that_nobody_is_sure_to_enter_an_enemys_hex_also_where_units_wait() -> None:
    """With Transport Points, who may wait in OCS until a river is bridged, it was unknown under most time limits."""
    types = {"mot": "motorized", "lorry": "transport", "eng": "engineer"}
    units: list[dict[str, object]] = [
        {"id": unit, "side": "axis", "type": kind, "at": "10.11", "attack": 4, "defense": 4, "ma": 12}
        for unit, kind in types.items()
    ]
    units[-1] |= {"traits": ["bridging"], "at": "11.11"}
    units.append({"id": "div", "side": "allied", "type": "infantry", "at": "13.12", "attack": 1, "defense": 1, "ma": 0})
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "ocs",
            "phase": "movement",
            "phasing": "axis",
            "map": {
                "hexes": {label: {"terrain": "open"} for label in ("10.11", "11.11", "12.11", "13.12")},
                "hexsides": {"minor_river": ["12.11 13.12"]},
            },
            "unit": units,
        },
        "a bridge",
    )
    question = Question((End(kind="end", unit="mot", at=("13.12",)),))
    assert question.relaxed(scenario).ask(None, second=True, work=LONGEST_TRY) == (False, None)


def test_where_nobody_supports_defenders_an_overrun_that_cannot_fail_survives_nothing(tmp_path: Path) -> None:
    rules = (
        '[[rule]]\nid = "assault"\nkind = "joint_overrun"\nparagraph = "7"\nresults = [{ odds = "1:1", chance = 1 }]\n'
    )
    rules += 'eliminated_to = [{ box = "dead" }]\nfailed_paragraph = "7.1"\n'
    variant = Variant("surely", rules, units=("foot f 03.01 2-2",), enemies=("foot e 03.02 2-2",))
    [violation] = planner.check(build(variant, tmp_path), "f 03.01!03.02").violations
    assert violation.message == "the overrun of 03.02 can't fail: its odds are sure to do"
