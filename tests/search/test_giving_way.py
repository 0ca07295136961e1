"""Where enemies give way decides what combats come to: who comes up behind them, and who is, or can't be, there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from planner.limits import Limits
from planner.plans.plan import Plan
from planner.playing.position import Position
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.referee import Referee
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario, build_scenario
from planner.search.combat_bound import CombatBound
from planner.search.combat_frequencies import CombatFrequencies
from planner.search.combat_model import total_of
from planner.search.combat_proposals import ProposedCombats
from planner.search.search import Search
from planner.solver.engine import Configuration, run
from planner.solver.judged_worlds import worlds
from planner.solver.tuning import Combats, Enumeration


def behind(c: str, hexes: str, goal: str = "", g: str = "", alliances: Sequence[Sequence[str]] = ()) -> Scenario:
    """Return u before e, with c behind it: u pushes e back in 3 cases of 6, destroys it in 2 and only shakes it in 1.

    `g` is of a third side, with which e's may be allied.
    """
    terms: list[dict[str, Any]] = [{"kind": "eliminate", "units": ["e"]}]
    terms += [{"kind": "hold", "hexes": goal, "weight": 3}] if goal else []
    units = [
        {"id": name, "side": side, "type": "infantry", "values": values, "at": at}
        for name, side, values, at in (
            ("u", "blue", "4-1", "0404"),
            ("c", "blue", "3-1", c),
            ("e", "red", "2-1", "0405"),
            ("g", "green", "2-1", g),
        )
        if at
    ]
    data = {"format": "planner/scenario-1", "model": "classic_hex", "phase": "movement", "phasing": "blue"}
    charts = {"sides": {"green": "Green"}, "alliances": alliances}
    board = {"map": {"hexes": {hexes: "clear"}}, "unit": units, "charts": charts}
    return build_scenario({**data, **board, "tier": [{"terms": terms}]}, "behind")


def most_of(scenario: Scenario) -> Fraction:
    """Return what no plan for a position comes to more than, before any is tried."""
    [rule] = scenario.game.rulebook.of(Fights)
    bound = CombatBound(scenario, ConditionalReach(scenario.game), rule)
    bound.model.maximize(total_of(bound.first))
    return Fraction(run(bound.model, Configuration(), Limits()).bound or 0, bound.scale)


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
    assert most_of(behind("0507", "0404 0405 0406 0407 0305 0505 0506 0307 0507 0408 0508", goal)) == most


@pytest.mark.parametrize(
    ("c", "more", "plan", "allied"),
    [
        ("", "", ["u 0404x0405"], Fraction(2, 6)),  # there is nowhere else to go
        ("0605", "0506 0605 0306", ["u 0404x0405", "c 0605-0506"], Fraction(2, 6)),  # c destroys it in 0506
        ("0605", "0506 0605", ["u 0404x0405", "c 0605-0506"], Fraction(2, 6)),
    ],
)
def test_nobody_gives_way_to_an_enemy_of_his_who_is_one_of_the_attackers_too(
    c: str, more: str, plan: list[str], allied: Fraction
) -> None:
    """By hand: e would go to 0406 in 3 cases of 6, past c's reach, were g of its own side's allies."""
    for alliances, value in (([], Fraction(5, 6)), ([["red", "green"]], allied)):
        scenario = behind(c, f"0404 0405 0406 {more}", g="0406", alliances=alliances)
        found = Search(scenario).run()
        assert (found.status, found.value) == ("optimal", (value,))
        assert most_of(scenario) == value
        assert found.bound == (value,)
        judged = Counter[object]()
        for world in worlds(ConditionalReach(scenario.game), Plan.parse(plan)):
            judged[frozenset((unit, world.where(unit)) for unit in scenario.game.homes)] += world.probability
        drawn = Counter[object]()
        for outcome in Referee(scenario.game).play(Plan.parse(plan), scenario.start).outcomes:
            drawn[frozenset((unit, outcome.position.at.get(unit)) for unit in scenario.game.homes)] += (
                outcome.probability
            )
        assert judged == drawn
        [rule] = scenario.game.rulebook.of(Fights)
        often = next(CombatFrequencies(scenario, ConditionalReach(scenario.game), rule).bounds((value,)))
        assert often >= value
    game = Position(behind(c, f"0404 0405 0406 {more}", g="0406"))
    game.push("u 0404x0405")
    game.roll(result="u 0404x0405=0:1")
    assert game.at.get("e") == ("0506" if c else None)
    game.end_phase()


@pytest.mark.parametrize(("alliances", "value"), [([], Fraction(5, 6)), ([["red", "green"]], Fraction(2, 6))])
def test_who_has_no_way_but_to_a_third_side_is_proposed_as_what_it_is_worth(
    alliances: Sequence[Sequence[str]], value: Fraction
) -> None:
    scenario = behind("", "0404 0405 0406", g="0406", alliances=alliances)
    [rule] = scenario.game.rulebook.of(Fights)
    proposals = ProposedCombats(scenario, ConditionalReach(scenario.game), rule)
    proposals.maximize()
    assert Fraction(run(proposals.model, Configuration(), Limits()).bound or 0, proposals.scale) == value
