"""Units that are all to end in one hex, and are too many for it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

import planner
from planner.explanation.crowds import Crowds
from planner.explanation.needs import Aim
from planner.explanation.relaxation import RelaxationMemory, Scope
from planner.explanation.single_unit_bounds import SingleUnitBounds
from planner.limits import Limits
from planner.reachability.narrow_hexes import too_many
from planner.referee.referee import Referee
from planner.scenario import Scenario
from tests.oracles.legal_plans import legal_plans
from tests.plain_game import Variant, build, placed, write_model


def test_that_more_are_needed_in_a_hex_than_may_stay_there_is_the_whole_reason() -> None:
    """At most two may stay in a clear hex; all four have the MP, and what else might be different was searched for."""
    found = planner.explain(
        "crossroads/start", require=[f"{one} to 0505" for one in ("b1", "b2", "b3", "b4")], time_limit=60
    )
    assert [str(one) for one in found.instances] == ["6.1: 0505 holds 4 units, at most 2 may stay"]
    assert found.complete


@pytest.mark.thorough
def test_that_whoever_comes_last_finds_the_others_there_is_the_whole_reason() -> None:
    """Among 24 units: inf2 and inf4 may each go to G2, and inf3 beside them; no friend's hex is entered."""
    goals = ["inf2 to G2", "inf4 to G2"]
    found = planner.explain("great_war/over_the_top", require=goals, time_limit=120)
    assert [str(one) for one in found.instances] == [
        "Unit Movement: inf2 may not enter G2: it holds inf4",
        "Unit Movement: inf4 may not enter G2: it holds inf2",
    ]
    assert found.complete


def test_who_is_there_and_comes_back_is_no_way_for_others_to_get_in() -> None:
    """The tank moves once: rifles would come to D1 before it leaves, or after it is back. What binds rifles is enough."""
    found = planner.explain("great_war/composed/rifles_in_d1", require=["tank to D1", "rifles to D1"], time_limit=30)
    assert [str(one) for one in found.instances] == ["Unit Movement: rifles may not enter D1: it holds tank"]
    assert found.complete


@pytest.mark.thorough
def test_what_keeps_a_unit_from_its_goal_is_told_as_plainly_beside_another_goal() -> None:
    """What stops inf3 in F2, and the way round of 3 MP, were no reason after 18 s where inf2 is to end in its hex, too."""
    found = planner.explain("great_war/over_the_top", require=["inf2 to G3", "inf3 to G3"], time_limit=120)
    assert [str(one) for one in found.instances] == [
        "Unit Movement: inf3 must stop in F2: forest",
        "Infantry Unit Movement: inf3 can't pay for the way round, E2-E3-F3-G3, with 2 MP",
    ]
    assert found.complete


def _blues(values: str, where: dict[str, str]) -> Scenario:
    """Return a row of three hexes in a game in which two may stay in a clear one."""
    unit = {"side": "blue", "type": "infantry", "values": values}
    data = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0403 0404 0405": "clear"}},
        "unit": [{**unit, "id": one, "at": at} for one, at in where.items()],
    }
    return planner.Scenario.from_dict(data, "a row")


def _row(where: dict[str, str], ordered: str) -> Scenario:
    """Return a row of three hexes in a game in which no unit enters a friend's hex; those with orders may move."""
    unit = {"side": "allied", "type": "infantry"}
    data = {
        "format": "planner/scenario-1",
        "model": "great_war",
        "phase": "movement",
        "phasing": "allied",
        "map": {"hexes": {"E4 E5 E6": "countryside"}},
        "unit": [
            {**unit, "id": one, "at": at, **({"traits": "ordered"} if one in ordered else {})}
            for one, at in where.items()
        ],
    }
    return planner.Scenario.from_dict(data, "a row")


def _are_so_against_every_plan(scenario: Scenario, crowds: Crowds) -> None:
    """Assert of each two and three of a, b and c, in each hex, that they are too many just where no plan ends so."""
    play = Referee(scenario.game).play
    ends = [play(plan, scenario.start).position.at for plan in legal_plans(scenario)]
    for label in scenario.game.board.hexes:
        for units in (some for size in (2, 3) for some in combinations("abc", size)):
            needs = [(Aim(one, frozenset([label])),) for one in units]
            had = any(all(at[one] == label for one in units) for at in ends)
            for confirm in (False, True):
                assert crowds.crowded(None, needs, confirm) is not had, (label, units)


def test_two_who_began_in_a_hex_may_stay_though_neither_could_come_back() -> None:
    """With 1 MP each, on a row of clear hexes."""
    scenario = _blues("1-1-1", {"a": "0403", "b": "0404", "c": "0404"})
    together = [(Aim(one, frozenset(["0404"])),) for one in "bc"]
    assert not Crowds(SingleUnitBounds(scenario, RelaxationMemory(), Limits())).crowded(None, together, confirm=False)


@pytest.mark.parametrize("ordered", ["abc", "ab", "bc", ""])
def test_those_who_can_not_come_to_a_hex_one_after_the_other_are_too_many_for_it(ordered: str) -> None:
    """Against every legal plan: no two of them end in a hex, whoever may move."""
    scenario = _row({"a": "E4", "b": "E5", "c": "E6"}, ordered)
    crowds = Crowds(SingleUnitBounds(scenario, RelaxationMemory(), Limits()))
    _are_so_against_every_plan(scenario, crowds)


@pytest.mark.parametrize("waits", [True, False])
def test_who_waits_may_leave_let_another_in_and_come_back(tmp_path: Path, waits: bool) -> None:
    """The rule binds b, which enters empty hexes alone: that a comes back to it takes two moves of a."""
    empty = '[[rule]]\nid = "empty"\nkind = "vacancy"\nparagraph = "empty"\nwho = { types = "scout" }\n'
    units = ("foot a 01.01 2", "scout b 01.02 2")
    scenario = build(Variant("back", empty, units=units, turns="waiting = {}\n" if waits else ""), tmp_path)
    plan = ["a 01.01-01.02", "b 01.02-01.01", "a 01.02-01.01"]
    assert planner.check(scenario, plan).legal is waits
    together = [(Aim(one, frozenset(["01.01"])),) for one in "ab"]
    assert (
        Crowds(SingleUnitBounds(scenario, RelaxationMemory(), Limits())).crowded(None, together, confirm=True)
        is not waits
    )


def test_who_is_free_to_enter_may_come_last() -> None:
    """While the rule binds a alone, b comes to E5 after it; while it binds both, nobody comes last."""
    scenario = _row({"a": "E4", "b": "E6"}, "ab")
    bounds = SingleUnitBounds(scenario, RelaxationMemory(), Limits())
    needs = [(Aim(one, frozenset(["E5"])),) for one in "ab"]
    bound = [Scope("one_unit_a_hex", unit=one) for one in "ab"]
    for confirm in (False, True):
        assert Crowds(bounds).crowded(bound, needs, confirm)
        assert not Crowds(bounds).crowded(bound[:1], needs, confirm)


@pytest.mark.thorough
def test_no_plan_ends_with_those_in_a_hex_who_are_called_too_many_for_it() -> None:
    """Against every legal plan of three units beside each other; two in a hex are none too many, three are."""
    scenario = _blues("1-1-2", {"a": "0403", "b": "0404", "c": "0404"})
    _are_so_against_every_plan(scenario, Crowds(SingleUnitBounds(scenario, RelaxationMemory(), Limits())))


def test_three_are_too_many_for_a_hex_while_a_rule_says_so_and_nobody_retreats() -> None:
    """Two may stand in a hex; where attacks have been declared, retreats may crowd it."""
    scenario = _blues("1-1-2", {"a": "0403", "b": "0404", "c": "0404"})
    crowds = Crowds(SingleUnitBounds(scenario, RelaxationMemory(), Limits()))
    three = [(Aim(one, frozenset(["0403"])),) for one in "abc"]
    assert not crowds.crowded(None, three[:2], confirm=True)
    assert not crowds.crowded([], three, confirm=False)  # where no rule is in force
    assert crowds.crowded([Scope(rule.id) for rule in scenario.game.rulebook.rules], three, confirm=True)
    attacking = scenario.start.copy()
    attacking.declared = ()
    after = SingleUnitBounds(replace(scenario, start=attacking), RelaxationMemory(), Limits())
    assert not Crowds(after).crowded(None, three, confirm=False)  # retreats may crowd


def test_who_needs_company_may_get_it_from_others_who_come_too(tmp_path: Path) -> None:
    """By hand: a and b may go to 01.03 if c comes after them, which then isn't in 01.01 any more."""
    rule = '[[rule]]\nid = "company"\nkind = "company"\nparagraph = "company"\n'
    rule += 'who = { types = "foot" }\nfriends = { types = "scout" }\nwithin = 1\n'
    units = [("a", "foot", "1-2"), ("b", "foot", "1-2"), ("c", "scout", "1-3")]
    scenario = placed(
        write_model(tmp_path / "any_game", rule),
        {"01.01 01.02 01.03": "plain"},
        [{"id": id, "side": "south", "type": kind, "values": values, "at": "01.01"} for id, kind, values in units],
        require=[{"kind": "end", "unit": unit, "at": "01.03"} for unit in "ab"],
    )
    ways = [f"{unit} 01.01-01.02-01.03" for unit in "abc"]
    assert planner.check(scenario, ways).legal
    assert not planner.check(scenario, ways[:2]).legal
    assert not too_many(scenario.game, {"a", "b"}, "01.03")
    found = planner.explain(scenario, require="c to 01.01", time_limit=20)
    assert found.status == "forbidden"
    assert "can't be had even by itself" not in found.question
