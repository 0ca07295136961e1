"""Where enemies give way decides what combats come to: who comes up behind them, before or after, and who can't be there."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from planner.limits import Limits
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario, build_scenario
from planner.search.combat_bound import CombatBound
from planner.search.combat_model import total_of
from planner.search.search import Search
from planner.solver.engine import Configuration, run
from planner.solver.tuning import Combats, Enumeration


def behind(c: str, hexes: str, goal: str = "") -> Scenario:
    """Return u before e, with c behind it: u pushes e back in 3 cases of 6, destroys it in 2 and only shakes it in 1."""
    terms: list[dict[str, Any]] = [{"kind": "eliminate", "units": ["e"]}]
    terms += [{"kind": "hold", "hexes": goal, "weight": 3}] if goal else []
    units = [
        {"id": name, "side": side, "type": "infantry", "values": values, "at": at}
        for name, side, values, at in (
            ("u", "blue", "4-1", "0404"),
            ("c", "blue", "3-1", c),
            ("e", "red", "2-1", "0405"),
        )
    ]
    data = {"format": "planner/scenario-1", "model": "classic_hex", "phase": "movement", "phasing": "blue"}
    return build_scenario(
        {**data, "map": {"hexes": {hexes: "clear"}}, "unit": units, "tier": [{"terms": terms}]}, "behind"
    )


def test_a_unit_comes_up_to_where_enemies_have_given_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: e may go to 0406, 0506 or 0306, and goes to 0406, where c, at 3 against 1, is sure to destroy it: 2/6 + 3/6.

    Before the combat c would only turn it aside; no proposal has it come after. No plan is tried that isn't beside one.
    """
    monkeypatch.setattr(Enumeration, "work", 0)
    monkeypatch.setattr(Combats, "steps", 0)
    found = Search(behind("0407", "0404 0405 0406 0407 0305 0505 0306 0506 0307 0507 0408")).run()
    assert (found.status, found.value, found.bound) == ("optimal", (Fraction(5, 6),), (Fraction(5, 6),))
    assert found.plan is not None
    assert found.plan.lines == ["u 0404x0405", "c 0407-0406"]


@pytest.mark.parametrize(("goal", "most"), [("", Fraction(5, 6)), ("0508", 3 + Fraction(1, 3))])
def test_nobody_is_kept_from_giving_way_by_who_has_gone_elsewhere(goal: str, most: Fraction) -> None:
    """By hand: e may go to 0406 or 0506, c to either, or to 0508, which is worth 3; e is destroyed in 2 cases of 6 then."""
    scenario = behind("0507", "0404 0405 0406 0407 0305 0505 0506 0307 0507 0408 0508", goal)
    [rule] = scenario.game.rulebook.of(Fights)
    bound = CombatBound(scenario, ConditionalReach(scenario.game), rule)
    bound.model.maximize(total_of(bound.first))
    assert Fraction(run(bound.model, Configuration(), Limits()).bound or 0, bound.scale) == most
