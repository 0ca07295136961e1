"""What no plan of combats comes to is known before any is proposed: what is required of them is impossible then, proved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import planner
from planner.limits import Limits
from planner.objective import Term, Tier
from planner.objective.goals import Eliminate, End, Hold
from planner.plans.partial_plan import PartialPlan
from planner.puzzles.verify import verify_scenario
from planner.scenario import build_scenario
from planner.scenario.shape import AnswerEntry
from planner.search import combat_search
from planner.search.search import Search
from planner.solver.side_constraints import Conditions

FAR = (
    Eliminate(kind="eliminate", units=("e1",)),  # who defends a stronghold isn't gone for sure
    Hold(kind="hold", hexes=("1007",)),  # nobody gets there
    End(kind="end", unit="b1", at=("0703", "1007")),  # others do, but not this one
)


@pytest.mark.parametrize("term", FAR, ids=["eliminate", "hold", "end"])
def test_what_combats_never_come_to_is_impossible_before_any_is_proposed(
    term: Term, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: verifying a puzzle that claims so proved it, where a search gave up after 20 proposals."""
    scenario = planner.load("classic_hex/three_battles")
    claim = AnswerEntry(question="impossible", goal=(1,))
    claimed = replace(scenario, tiers=(Tier(terms=(term,)),), answer=claim, verdicts=())
    assert verify_scenario(claimed).outcome == "holds"
    monkeypatch.setattr(combat_search._Proposing, "_look_at_the_next", lambda *given: pytest.fail("one was proposed"))
    found = planner.suggest(replace(scenario, requirements=(term,)))
    assert (found.status, found.confirmed) == ("infeasible", True)


@pytest.mark.parametrize(
    ("goes", "stays", "status"), [("a1", "a2", "infeasible"), ("a2", "a1", "infeasible"), ("a1", "b1", "optimal")]
)
def test_what_is_settled_of_plans_is_impossible_where_no_combat_comes_to_it(goes: str, stays: str, status: str) -> None:
    """Across the river nobody takes the town of 0303 alone, whatever is drawn; a1 and a2 may together."""
    settled = PartialPlan(ends=((goes, ("0303",)),), stays=(stays,))
    found = Search(planner.load("classic_hex/three_battles"), Limits.within(20), conditions=Conditions(settled)).run()
    assert found.status == status


@pytest.mark.parametrize("goal", [{"kind": "end", "unit": "x", "at": "0406"}, {"kind": "hold", "hexes": "0406"}])
def test_a_hex_is_passed_whose_enemy_is_destroyed_by_damage_that_both_suffer_alike(goal: dict[str, Any]) -> None:
    """By hand: e has strength 0 when demoralized; the last column, shifted by the hills, does it damage by every entry.

    One is 1:1, by which the attacker goes back, and e is destroyed: so y, say, fights, and x walks through in any case.
    """
    own = {"side": "blue", "type": "infantry", "at": "0404"}
    data = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0404 0406": "clear", "0405": "hills"}},
        "unit": [
            {**own, "id": "x", "values": "6-5"},
            {**own, "id": "y", "values": "3-5"},
            {**own, "id": "e", "side": "red", "values": "1-2", "traits": "demoralized", "at": "0405"},
        ],
        "require": [goal],
    }
    scenario = build_scenario(data, "through the hills")
    assert planner.check(scenario, ["y 0404x0405", "x 0404-0405-0406"]).legal
    assert planner.suggest(scenario).status == "optimal"
