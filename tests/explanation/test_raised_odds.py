"""What would raise the odds of an overrun, or of a combat on entering, and who could join it.

0404 lies beside 0405 and 0403; 10.10 beside 10.11.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.explanation import chances
from planner.explanation.raised_odds import Joining, Raise, raised
from planner.limits import Limits
from planner.objective.goals import End
from planner.plans.plan import Plan
from planner.scenario import Scenario
from tests.laws.test_rolled_results import scenario_of

OPEN = dict.fromkeys(("10.09", "10.10", "10.11", "10.12"), "open")
CLEAR = dict.fromkeys(("0402", "0403", "0404", "0405", "0406", "0407"), "clear")


def overrun(
    attack: int, others: dict[str, tuple[str, str]] | None = None, ground: str = "open", **more: Any
) -> Scenario:
    """A tank at 10.10, an infantry of defense 4 at 10.11, and others, each with its values and where it stands."""
    units = [
        {"id": "a", "side": "axis", "type": "tank", "values": f"{attack}-4-9", "at": "10.10"},
        {"id": "e", "side": "allied", "type": "infantry", "values": "2-4-2", "at": "10.11"},
    ]
    for id, (values, at) in (others or {}).items():
        units.append({"id": id, "side": "axis", "type": "tank", "values": values, "at": at})
    return scenario_of("ocs", {**OPEN, "10.11": ground}, units, **more)


def combat(
    attack: int, defense: int = 4, *, ground: str = "clear", traits: str = "", others: tuple[Any, ...] = ()
) -> Scenario:
    """An infantry at 0404, another of the enemy at 0405, and others."""
    units = [
        {"id": "x", "side": "blue", "type": "infantry", "values": f"{attack}-3", "at": "0404"},
        {"id": "e", "side": "red", "type": "infantry", "values": f"{defense}-3", "at": "0405"},
        *({"id": i, "side": "blue", "type": "infantry", "values": v, "at": at} for i, v, at in others),
    ]
    if traits:
        units[0]["traits"] = [traits]
    return scenario_of("classic_hex", {**CLEAR, "0405": ground}, units)


def told(scenario: Scenario, *moves: str) -> tuple[tuple[Raise, ...], tuple[Joining, ...]]:
    return raised(scenario, Plan.parse(moves), Limits())


def columns(scenario: Scenario, *moves: str) -> list[tuple[Fraction, str, Fraction]]:
    return [(one.more, one.column, one.probability) for one in told(scenario, *moves)[0]]


def chance(scenario: Scenario, move: str) -> Fraction:
    verdict = planner.check(scenario, [move])
    return verdict.moves[0].rolls[0].chance


def test_the_next_columns_of_an_overrun_are_named_with_the_strength_that_they_take() -> None:
    # 9 to 4 is 2:1, 5/12. 3:1 takes 12, 4:1 takes 16.
    assert columns(overrun(9), "a 10.10x10.11") == [(3, "3:1", Fraction(7, 12)), (7, "4:1", Fraction(3, 4))]
    # Doubled by hills, 8 are defended by 8: 2:1 takes 16, 3:1 takes 24.
    assert columns(overrun(9, ground="hills"), "a 10.10x10.11")[0] == (7, "2:1", Fraction(5, 12))
    # No column is better than 9:1.
    assert columns(overrun(36), "a 10.10x10.11") == []


def test_overruns_that_are_tried_again_are_told_as_likely_as_they_are_then() -> None:
    # Two tries at 3:1 fail with 5/12 each.
    assert columns(overrun(9), "a 10.10x10.11*2")[0] == (3, "3:1", 1 - Fraction(5, 12) ** 2)


@pytest.mark.parametrize("attack", [3, 5, 9, 14, 20, 30])
def test_just_so_much_strength_reaches_the_column_of_an_overrun_and_one_less_does_not(attack: int) -> None:
    move = "a 10.10x10.11"
    found = columns(overrun(attack), move)
    assert found
    for more, column, probability in found:
        one, other = map(int, column.split(":"))
        assert (attack + more) * other == one * 4
        assert chance(overrun(attack + int(more)), move) == probability
        assert chance(overrun(attack + int(more) - 1), move) < probability


def test_the_next_columns_of_a_combat_are_named_with_the_strength_that_they_take() -> None:
    # 4 against 4 is +0 %, 1/2; +50 % takes 6, +100 % takes 8.
    assert columns(combat(4), "x 0404x0405") == [(2, "+50 %", Fraction(2, 3)), (4, "+100 %", Fraction(5, 6))]
    # A forest shifts by one column: 6 are resolved at +0 %; for +50 % it takes 8, for +100 % the 12 of +200 %.
    assert columns(combat(6, ground="forest"), "x 0404x0405") == [
        (2, "+50 %", Fraction(2, 3)),
        (6, "+100 %", Fraction(5, 6)),
    ]
    assert columns(combat(12), "x 0404x0405") == []


@pytest.mark.parametrize("ground", ["clear", "forest", "city"])
@pytest.mark.parametrize("defense", [3, 4])
@pytest.mark.parametrize("attack", [1, 2, 3, 5, 8])
def test_just_so_much_strength_reaches_the_column_of_a_combat_and_one_less_does_not(
    attack: int, defense: int, ground: str
) -> None:
    move = "x 0404x0405"
    for more, _, probability in columns(combat(attack, defense, ground=ground), move):
        assert chance(combat(attack + int(more), defense, ground=ground), move) == probability
        assert chance(combat(attack + int(more) - 1, defense, ground=ground), move) < probability


def test_strength_is_told_as_the_odds_count_it_where_it_is_halved() -> None:
    # 6 that are halved count 3 against 4, at -50 %, and take 1 more for +0 %: a unit of 8.
    found = columns(combat(6, traits="demoralized"), "x 0404x0405")
    assert found[0][:2] == (1, "+0 %")
    assert found[0][2] == chance(combat(8, traits="demoralized"), "x 0404x0405")


def test_who_stands_there_and_could_join_is_named_with_a_legal_plan() -> None:
    scenario = overrun(9, {"b": ("3-4-9", "10.10"), "slow": ("9-4-1", "10.10")})
    [one] = told(scenario, "a 10.10x10.11")[1]
    # 12 to 4; who has too few MP for it isn't named.
    assert (one.unit, one.strengths, one.probability) == ("b", (12, 4), Fraction(7, 12))
    assert planner.check(scenario, one.plan).legal
    assert str(one) == (
        "b could join the fight for 10.11: a+b 10.10x10.11: 12 to 4, which succeeds with probability 7/12 (58.3%)"
    )


def test_who_could_come_up_and_join_is_named_with_its_way() -> None:
    scenario = combat(4, others=(("y", "2-3", "0404"), ("z", "2-3", "0403"), ("far", "2-1", "0402")))
    found = told(scenario, "x 0404x0405")[1]
    # 6 to 4 with either; far comes to 0403 at best.
    assert [(one.unit, "; ".join(one.plan.lines), one.strengths) for one in found] == [
        ("y", "x+y 0404x0405", (6, 4)),
        ("z", "z 0403-0404; x+z 0404x0405", (6, 4)),
    ]
    assert all(planner.check(scenario, one.plan).legal for one in found)
    # Who is in the plan isn't named again.
    assert [one.unit for one in told(scenario, "x+y 0404x0405")[1]] == ["z"]


def supported(*others: dict[str, Any]) -> Scenario:
    """A tank of 9 beside a defense of 3, by a table of 1:1, 1/2, and 6:1, for certain; and air units."""
    units = [
        {"id": "a", "side": "axis", "nationality": "germany", "type": "armor", "values": "9-4", "at": "L11"},
        {"id": "e", "side": "allies", "nationality": "russia", "type": "infantry", "values": "3-3", "at": "L12"},
        *({"type": "air", "support_range": 2, **one} for one in others),
    ]
    table = [{"odds": "1:1", "chance": "1/2"}, {"odds": "6:1", "chance": 1}]
    hexes = dict.fromkeys(("L10", "L11", "L12", "L13"), "clear")
    return scenario_of("a_world_at_war", hexes, units, margin=0, charts={"rules": {"overruns": {"results": table}}})


OURS = {"id": "fleet", "side": "axis", "nationality": "germany", "values": "9-0", "at": "L10"}
THEIRS = {"id": "fighters", "side": "allies", "nationality": "russia", "values": "2-0", "at": "L13"}


def test_a_column_at_which_nothing_is_rolled_is_told_as_certain() -> None:
    assert columns(supported(), "a L11xL12") == [(9, "6:1", 1)]  # 18 against 3


def test_who_could_support_an_overrun_is_named() -> None:
    [one] = told(supported(OURS), "a L11xL12")[1]
    assert (one.unit, one.plan.lines, one.strengths, one.probability) == ("fleet", ["a L11xL12(fleet)"], None, 1)
    sentence = "fleet could join the fight for L12: a L11xL12(fleet), which succeeds with probability 1 (100.0%)"
    assert str(one) == sentence


def test_nothing_is_said_where_enemies_may_still_support_the_defenders() -> None:
    assert told(supported(OURS, THEIRS), "a L11xL12") == ((), ())


def test_the_likeliest_plan_says_what_would_raise_its_odds_in_text_and_json() -> None:
    found = planner.explain(combat(4), "x to 0405")
    [likeliest] = found.chances
    assert str(likeliest.raises[0]) == (
        "Were its attackers 2 stronger, the fight for 0405 would be at +50 %, and succeed with probability 2/3 (66.7%)"
    )
    data = likeliest.to_dict()
    assert data["raises"] == [
        {"hex": "0405", "more": 2, "column": "+50 %", "probability": "2/3"},
        {"hex": "0405", "more": 4, "column": "+100 %", "probability": "5/6"},
    ]
    assert data["joining"] == []


def test_of_plans_with_others_none_is_told_that_is_less_likely_than_one_in_which_somebody_joins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A city is worth two columns: 6 to 3 is +0 %, 1/2; with 4 more it is +50 %, 2/3, whatever the search has come to."""
    scenario = combat(6, 3, ground="city", others=(("y", "4-3", "0404"),))
    alone = Plan.parse(["x 0404x0405"])
    half = chances.Chance(alone, Fraction(1, 2), (), best=True, helped=False)
    other = chances.Chance(alone, Fraction(19, 36), (), best=False, helped=True)
    for found in (half, other):
        given = iter(((half, True), (found, True)))
        monkeypatch.setattr(chances, "_likeliest", lambda *_, given=given: next(given))
        ways, sure, _ = chances.chances(scenario, End(kind="end", unit="x", at=("0405",)), Limits())
        assert [(way.probability, way.helped, way.best) for way in ways] == [
            (Fraction(1, 2), False, True),
            (Fraction(2, 3), True, False),
        ]
        assert (sorted(ways[1].plan.moves[0].units), sure) == (["x", "y"], None)
