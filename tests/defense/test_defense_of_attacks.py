"""The enemy's plans that a defense names have their attacks: without them they aren't worth what is said."""

from __future__ import annotations

import pytest

import planner
from planner.cli.defense_text import print_defense
from planner.scenario import build_scenario
from tests.oracles.attack_games import attack, position


def test_the_enemy_s_plans_have_the_attacks_that_they_are_worth_something_by(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Infantry 8 goes beside infantry 2 and attacks it at 4:1: nowhere to retreat to is there, so all results eliminate."""
    data = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0204 0304 0404": "clear"}},
        "unit": [
            {"id": "b", "side": "blue", "type": "infantry", "values": "8-3-3", "at": "0204"},
            {"id": "r", "side": "red", "type": "infantry", "values": "2-2-3", "at": "0404"},
        ],
        "tier": [{"terms": [{"kind": "enemy_losses", "counting": "units"}]}],
        "defense": {"place": [{"units": ["r"], "hexes": "0404"}]},
    }
    scenario = build_scenario(data, "a defense")
    found = planner.defend(scenario)
    [best] = found.to_dict()["accepted"]
    assert best["plan"] == ["b 0204-0304", "b -> 0404"]
    assert best["value"] == [1]
    print_defense(found, every=False)
    assert "    b 0204-0304; b -> 0404\n" in capsys.readouterr().out


def test_a_goal_isn_t_achieved_by_a_move_after_which_somebody_must_attack_and_may_not() -> None:
    """In 0102, b must attack er in 0103, 1:5, which no column allows; with er in 0203, a lake away, it may go there."""
    scenario = position(
        attack(must_attack={}),
        {"b": ("1-1-1", "0101"), "er": ("5-5-1", "0103")},
        rows=". .\n. .\n. .",
        hexes={"0201": "lake", "0202": "lake"},
        tier=[{"terms": [{"kind": "enemy_losses"}]}],
        require=[{"kind": "end", "unit": "b", "at": "0102"}],
        defense={"place": [{"units": ["er"], "hexes": "0203"}]},
    )
    found = planner.defend(scenario, every=True)
    assert found.status == "holds"
    assert [dict(one.placement.at) for one in found.accepted] == [{}]
    [broken] = found.refutations
    assert (broken.plan.lines, dict(broken.places)) == (["b 0101-0102", "no attacks"], {"er": ("0203",)})


def test_a_placement_is_as_bad_as_attacks_make_it_that_only_a_later_tier_looks_at() -> None:
    """As above, but b is only paid for 0102, and the tier that counts asks for no attacks: it stays where it is."""
    scenario = position(
        attack(must_attack={}),
        {"b": ("1-1-1", "0101"), "er": ("5-5-1", "0103")},
        rows=". .\n. .\n. .",
        hexes={"0201": "lake", "0202": "lake"},
        tier=[{"terms": [{"kind": "end", "unit": "b", "at": "0102"}]}, {"terms": [{"kind": "enemy_losses"}]}],
        defense={"place": [{"units": ["er"], "hexes": "0203"}]},
    )
    found = planner.defend(scenario, every=True)
    assert [(dict(one.placement.at), one.value) for one in found.accepted] == [({}, (0,))]
