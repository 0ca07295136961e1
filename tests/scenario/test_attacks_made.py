"""Attacks that have been made: losses, retreats, advances, and the phase that goes on after them.

0303 has the neighbours 0302, 0304, 0202, 0203, 0402 and 0403; zones of control don't reach across a river.
"""

from __future__ import annotations

from typing import Any

import pytest

import planner
from planner.errors import InputError
from planner.plans.plan import Plan
from planner.playing.attacking import decided
from planner.referee.verdict import IllegalPlanError
from planner.scenario import Scenario
from planner.solver.plan_judge import judge
from planner.world.declared_attack import DeclaredAttack
from tests.oracles.attack_games import MEANINGS, attack, position

Units = dict[str, tuple[str, str]]

ALL = {"columns": [{"odds": "1:1", "results": list(MEANINGS)}], "sides": len(MEANINGS)}
"""Every result is as likely as any other, whatever the odds."""
UNITS: Units = {"a": ("4-4-4", "0302"), "b": ("3-2-4", "0202"), "e": ("2-2-4", "0303")}
"""Of the hexes beyond 0303, seen from a and b, 0402 and 0203 lie in their zones; 0304 and 0403 don't."""


def made(rule: dict[str, Any], units: Units, *attacks: str, **keys: Any) -> dict[str, str]:
    """Return who stands where after attacks that have been made."""
    return dict(position(attack(**(ALL | rule)), units, **keys).after(list(attacks)).start.at)


def unmade(rule: dict[str, Any], units: Units, text: str, **keys: Any) -> list[str]:
    """Return why an attack can't have been made."""
    with pytest.raises(InputError) as raised:
        made(rule, units, text, **keys)
    return [problem.what for problem in raised.value.problems]


def lost(
    rule: dict[str, Any], units: Units, text: str, code: str, **keys: Any
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the steps that both sides lose by a result, those included who can't retreat."""
    [told] = planner.check(position(attack(**(ALL | rule)), units, **keys), [text]).attacks
    [result] = [one for one in told.results if one.code == code]
    return dict(result.own.steps), dict(result.enemy.steps)


def test_the_eliminated_go_and_the_others_stay() -> None:
    assert made({}, UNITS, "a+b -> 0303=DE") == {"a": "0302", "b": "0202"}
    assert made({}, UNITS, "a+b -> 0303=AE") == {"e": "0303"}
    assert made({}, UNITS, "a -> 0303=AE") == {"b": "0202", "e": "0303"}
    assert made({}, UNITS, "a+b -> 0303=NE") == {"a": "0302", "b": "0202", "e": "0303"}


def test_steps_are_lost_by_the_weakest_first_or_by_the_strongest() -> None:
    units = {**UNITS, "a": ("4-4-4/2", "0302"), "b": ("3-2-4/2", "0202")}
    two = {"results": {**MEANINGS, "A1": {"text": "attackers lose three steps", "attackers": {"steps": 3}}}}
    assert lost(two, units, "a+b -> 0303", "A1")[0] == {"a": 1, "b": 2}
    assert lost({**two, "losses_first": "strongest"}, units, "a+b -> 0303", "A1")[0] == {"a": 2, "b": 1}
    now = position(attack(**(ALL | two)), units).after(["a+b -> 0303=A1"]).start
    assert (now.at.keys(), now.lost_steps) == ({"a", "e"}, {"a": 1})


def test_an_exchange_costs_as_much_as_it_gains_and_as_little_as_will_do() -> None:
    # The defenders are worth 5: of 4, 3 and 2 it takes 3 and 2.
    units: Units = {"a": ("4-1-1", "0302"), "b": ("3-1-1", "0202"), "c": ("2-1-1", "0202"), "e": ("1-5-1", "0303")}
    assert lost({}, units, "a+b+c -> 0303", "EX") == ({"b": 1, "c": 1}, {"e": 1})
    # Worth 4: a alone; worth 10: all of them, though they are worth 9.
    assert lost({}, {**units, "e": ("1-4-1", "0303")}, "a+b+c -> 0303", "EX")[0] == {"a": 1}
    assert lost({"below": "lowest"}, {**units, "e": ("1-10-1", "0303")}, "a+b+c -> 0303", "EX")[0] == {
        "a": 1,
        "b": 1,
        "c": 1,
    }
    # Worth nothing: nobody.
    assert lost({}, {**units, "e": ("1-0-1", "0303")}, "a+b+c -> 0303", "EX")[0] == {}


def test_equal_sums_are_paid_with_the_fewest_units() -> None:
    units: Units = {"a": ("2-1-1", "0302"), "b": ("2-1-1", "0202"), "c": ("4-1-1", "0202"), "e": ("1-4-1", "0303")}
    assert lost({}, units, "a+b+c -> 0303", "EX")[0] == {"c": 1}


def test_an_exchange_by_steps() -> None:
    by_steps = {"results": {**MEANINGS, "EX": {**MEANINGS["EX"], "exchange": "steps"}}}
    units: Units = {"a": ("4-1-1/3", "0302"), "b": ("3-1-1", "0202"), "e": ("1-2-1/2", "0303")}
    assert lost(by_steps, units, "a+b -> 0303", "EX") == ({"a": 1, "b": 1}, {"e": 2})


def test_artillery_that_fires_from_afar_pays_for_no_exchange_and_may_be_safe() -> None:
    units: Units = {"a": ("4-1-1", "0302"), "g": ("2-1-1", "0301"), "e": ("1-2-1", "0303")}
    for safe in (False, True):
        far = {"ranges": [{"units": {"types": "artillery"}, "range": 2, "safe": safe}]}
        assert lost(far, units, "a+g -> 0303", "EX")[0] == {"a": 1}
        assert lost(far, units, "a+g -> 0303", "AE")[0] == ({"a": 1} if safe else {"a": 1, "g": 1})
        beside = {**units, "g": ("2-1-1", "0202")}
        assert lost(far, beside, "a+g -> 0303", "AE")[0] == {"a": 1, "g": 1}
        assert lost(far, beside, "a+g -> 0303", "EX")[0] == {"g": 1}


def test_who_can_choose_where_to_retreat_says_so() -> None:
    [told] = unmade({}, UNITS, "a+b -> 0303=DR")
    assert told == "must say where e retreats: e 0303-0304, e 0303-0403"
    assert made({}, UNITS, "a+b -> 0303=DR e 0303-0403")["e"] == "0403"
    [told] = unmade({"declared": "one_by_one"}, UNITS, "a+b -> 0303")
    assert told == f"must say what was rolled: one of {', '.join(f'={code}' for code in MEANINGS)}"


def test_a_retreat_of_two_hexes_leads_away() -> None:
    # From 0304 on to 0305, 0204 or 0404; 0404 from 0403, too, or 0503, 0504 from there.
    assert made({}, UNITS, "a+b -> 0303=D2 e 0303-0304-0305")["e"] == "0305"
    for way in ("0303-0304-0403", "0303-0304-0303", "0303-0304", "0303-0305", "0303-0402-0502"):
        [told] = unmade({}, UNITS, f"a+b -> 0303=D2 e {way}")
        assert told == f"must be legal, but 7: e can't retreat {way}"


def test_where_one_way_is_open_nothing_need_be_said() -> None:
    units = {**UNITS, "c": ("1-1-1", "0503"), "d": ("1-1-1", "0204")}
    # 0403 lies in the zone of c, 0304 in that of d, 0402 and 0203 in those of a and b.
    assert (
        made({"retreats": {"into_ezoc": "never"}}, {**units, "d": ("1-1-1", "0607")}, "a+b -> 0303=DR")["e"] == "0304"
    )
    assert "e" not in made({}, units, "a+b -> 0303=DR")


SHUT: Units = {**UNITS, "c": ("1-1-1", "0503"), "d": ("1-1-1", "0204")}
"""Every hex round 0303 is taken, or lies in a zone of theirs."""


def test_who_cannot_retreat_is_eliminated_or_loses_a_step_or_stays() -> None:
    assert lost({}, SHUT, "a+b -> 0303", "DR")[1] == {"e": 1}
    assert lost({"retreats": {"cannot": "stays"}}, SHUT, "a+b -> 0303", "D2")[1] == {}
    assert made({"retreats": {"cannot": "stays"}}, SHUT, "a+b -> 0303=DR")["e"] == "0303"
    strong = {**SHUT, "e": ("2-2-4/3", "0303")}
    assert lost({}, strong, "a+b -> 0303", "DR")[1] == {"e": 3}
    assert lost({"retreats": {"cannot": "loses_steps"}}, strong, "a+b -> 0303", "D2")[1] == {"e": 2}


def test_a_unit_that_loses_steps_goes_as_far_as_it_can() -> None:
    # a and b shut 0402 and 0203, the lake is 0403; from 0304 each way on is a lake.
    lake = {"hexes": dict.fromkeys(("0403", "0305", "0204", "0404"), "lake")}
    units = {**UNITS, "e": ("2-2-4/3", "0303")}
    short = {"retreats": {"cannot": "loses_steps"}}
    assert lost(short, units, "a+b -> 0303", "D2", **lake)[1] == {"e": 1}
    assert made(short, units, "a+b -> 0303=D2", **lake)["e"] == "0304"
    assert lost({}, units, "a+b -> 0303", "D2", **lake)[1] == {"e": 3}
    assert made({"retreats": {"cannot": "stays"}}, units, "a+b -> 0303=D2", **lake)["e"] == "0303"


def test_into_which_zones_units_retreat() -> None:
    for zone, gone in (("never", True), ("always", False)):
        assert bool(lost({"retreats": {"into_ezoc": zone}}, SHUT, "a+b -> 0303", "DR")[1]) == gone
    friend: Units = {**SHUT, "e2": ("1-1-1", "0304")}
    for zone, room, gone in (("to_friends", 1, False), ("to_friends", 0, True), ("never", 1, True)):
        rule = {"retreats": {"into_ezoc": zone, "most_friends": room}}
        assert bool(lost(rule, friend, "a+b -> 0303", "DR")[1]) == gone
    assert lost({"retreats": {"into_ezoc": "to_friends", "most_friends": 1}}, SHUT, "a+b -> 0303", "DR")[1]


def test_zones_do_not_reach_across_a_river() -> None:
    river = {"hexsides": {"river": ["0503 0403"]}}
    assert not lost({}, SHUT, "a+b -> 0303", "DR", **river)[1]


def test_how_many_friends_may_stand_where_a_unit_retreats() -> None:
    shut = {**UNITS, "c": ("1-1-1", "0503"), "e2": ("1-1-1", "0304"), "e3": ("1-1-1", "0304")}
    for most, gone in ((0, True), (1, True), (2, False)):
        assert bool(lost({"retreats": {"most_friends": most}}, shut, "a+b -> 0303", "DR")[1]) == gone


def test_units_that_retreat_together_do_not_stand_in_each_others_way() -> None:
    units: Units = {**UNITS, "c": ("1-1-1", "0503"), "e2": ("1-1-1", "0303")}
    assert made({}, units, "a+b -> 0303=DR") == {"a": "0302", "b": "0202", "c": "0503", "e": "0304", "e2": "0304"}


def test_units_that_retreat_together_spread_where_there_is_room_for_each() -> None:
    units: Units = {**UNITS, "e2": ("1-1-1", "0303")}

    def gone_to(rule: dict[str, Any]) -> list[str]:
        now = position(attack(**ALL, **rule), units)
        ways = decided(now.game, now.start, DeclaredAttack(("a", "b"), ("0303",), (), "DR")).ways
        return [way[-1] for _, way in ways]

    assert gone_to({}) == ["0304", "0403"]
    assert gone_to({"retreats": {"most_friends": 1}}) == ["0304", "0304"]


def test_a_retreat_that_is_not_open_is_told_once() -> None:
    crowded = {**UNITS, "e2": ("1-1-1", "0304"), "e3": ("1-1-1", "0304")}
    told = unmade({"retreats": {"most_friends": 1}}, crowded, "a+b -> 0303=DR e 0303-0304")
    assert told == ["must be legal, but 7: e can't retreat 0303-0304"]


def test_attackers_retreat_out_of_the_zones_of_the_defenders() -> None:
    # Away from 0302: 0301, 0201, 0401 lie farther from 0303; 0202 and 0402 are in the zone of e.
    [told] = unmade({}, UNITS, "a -> 0303=AR")
    assert told == "must say where a retreats: a 0302-0401, a 0302-0301, a 0302-0201"
    assert made({}, UNITS, "a -> 0303=AR a 0302-0301")["a"] == "0301"
    [told_] = unmade({}, UNITS, "a -> 0303=AR a 0302-0402")
    assert told_ == "must be legal, but 7: a can't retreat 0302-0402"


def test_after_an_exchange_the_eliminated_have_no_zone() -> None:
    both = {"EX": {"text": "both", "attackers": {"retreat": 1}, "defenders": {"eliminated": True}}}
    rule = {"results": {**MEANINGS, **both}}
    assert made(rule, UNITS, "a -> 0303=EX a 0302-0402")["a"] == "0402"


ADVANCE = {"advances": {"units": {"types": "infantry"}, "most": 1}}


def test_attackers_enter_a_hex_that_they_have_emptied() -> None:
    assert made(ADVANCE, UNITS, "a+b -> 0303=DE a 0302-0303")["a"] == "0303"
    assert made(ADVANCE, UNITS, "a+b -> 0303=DE")["a"] == "0302"
    assert made(ADVANCE, UNITS, "a+b -> 0303=DR e 0303-0304, a 0302-0303")["a"] == "0303"


NO_ADVANCE = {
    "no advances": (
        {},
        UNITS,
        "a+b -> 0303=DE a 0302-0303",
        "a may not go 0302-0303 after the attack: it doesn't retreat",
    ),
    "too many": (ADVANCE, UNITS, "a+b -> 0303=DE a 0302-0303, b 0202-0303", "at most 1 may advance into 0303, not 2"),
    "still held": (
        ADVANCE,
        UNITS,
        "a+b -> 0303=NE a 0302-0303",
        "a may not go 0302-0303 after the attack: e is still there",
    ),
    "not an attacker": (
        ADVANCE,
        UNITS,
        "a -> 0303=DE b 0202-0303",
        "b may not go 0202-0303 after the attack: it has not attacked",
    ),
    "elsewhere": (
        ADVANCE,
        UNITS,
        "a -> 0303=DE a 0302-0402",
        "a may not go 0302-0402 after the attack: it may advance from 0302 into 0303",
    ),
    "eliminated": (
        ADVANCE,
        UNITS,
        "a -> 0303=EX a 0302-0303",
        "a may not go 0302-0303 after the attack: it is eliminated",
    ),
    "not the kind": (
        ADVANCE,
        {**UNITS, "g": ("2-2-2", "0202")},
        "a+g -> 0303=DE g 0202-0303",
        "g may not go 0202-0303 after the attack: it is not a unit that advances",
    ),
    "one of two is refused anyway": (
        ADVANCE,
        UNITS,
        "a -> 0303=DE a 0302-0303, b 0202-0303",
        "b may not go 0202-0303 after the attack: it has not attacked",
    ),
}


@pytest.mark.parametrize(("rule", "units", "text", "told"), NO_ADVANCE.values(), ids=NO_ADVANCE)
def test_who_may_not_advance(rule: dict[str, Any], units: Units, text: str, told: str) -> None:
    assert unmade(rule, units, text) == [f"must be legal, but 7: {told}"]


def test_which_hexes_a_result_empties_and_opens() -> None:
    scenario = position(attack(**ALL, **ADVANCE), {**UNITS, "g": ("2-2-2", "0203")})
    [told] = planner.check(scenario, ["a+b+g -> 0303"]).attacks
    assert {one.code for one in told.results if one.emptied} == {"EX", "DR", "D2", "DE", "D1"}
    assert {one.code for one in told.results if one.enterable} == {"EX", "DR", "D2", "DE", "D1"}
    [told] = planner.check(scenario, ["g -> 0303"]).attacks
    assert {one.code for one in told.results if one.emptied} == {"EX", "DR", "D2", "DE", "D1"}
    assert not any(one.enterable for one in told.results)
    lone = position(attack(**ALL, **ADVANCE), {"a": ("2-1-1", "0302"), "e": ("1-2-1/2", "0303")})
    [told] = planner.check(lone, ["a -> 0303"]).attacks
    assert {one.code for one in told.results if one.emptied} == {"EX", "DR", "D2", "DE"}
    assert {one.code for one in told.results if one.enterable} == {"DR", "D2", "DE"}


def test_nobody_advances_from_afar() -> None:
    far = {"ranges": [{"units": {"types": "artillery"}, "range": 2}], "advances": {}}
    units: Units = {**UNITS, "g": ("2-2-2", "0301")}
    assert unmade(far, units, "a+g -> 0303=DE g 0301-0303") == [
        "must be legal, but 7: g may not go 0301-0303 after the attack: it doesn't stand beside 0303"
    ]


def test_what_the_table_does_not_have_at_the_odds_was_not_rolled() -> None:
    columns = [{"odds": "1:1", "results": ["EX"] * 6}, {"odds": "6:1", "results": ["DE"] * 6}]
    scenario = position(attack(columns=columns), {**UNITS, "a": ("12-1-1", "0302")})
    with pytest.raises(InputError, match="EX can't have been rolled at 6:1: it has DE"):
        scenario.after(["a -> 0303=EX"])


TWO: Units = {**UNITS, "c": ("3-3-3", "0502"), "e2": ("1-1-1", "0602")}
DUE = {"must_attack": {}, "must_be_attacked": {}}


def after(rule: dict[str, Any], units: Units, *attacks: str) -> Scenario:
    return position(attack(**(ALL | rule)), units).after(list(attacks))


def test_the_other_attacks_follow_and_nobody_moves_any_more() -> None:
    now = after(DUE, TWO, "a+b -> 0303=DE")
    assert planner.check(now, ["c -> 0602"]).legal
    assert [one.message for one in planner.check(now, ["no attacks"]).violations] == [
        "c must attack: it is in the ZOC of e2", "e2 in 0602 must be attacked: c is in its ZOC",
    ]  # fmt: skip
    assert [one.message for one in planner.check(now, ["c 0502-0402"]).violations] == [
        "c may not move: attacks have been made"
    ]
    assert planner.check(now, []).due == (("c",), ("e2",))


def test_the_solver_knows_too_that_nobody_moves_any_more() -> None:
    now = after(DUE, TWO, "a+b -> 0303=DE")
    for lines in (["c 0502-0402"], ["c 0502-0402", "c -> 0602"], ["c -> 0602"]):
        plan = Plan.parse(lines)
        told = [one.key for one in planner.check(now, plan).violations]
        assert [one.key for one in judge(now, plan)] == told
        assert len(told) == sum(" -> " not in line for line in lines)


def test_nobody_attacks_and_nobody_is_attacked_twice_in_a_phase() -> None:
    now = after({}, UNITS, "a -> 0303=NE")
    assert [one.message for one in planner.check(now, ["a -> 0303"]).violations] == [
        "there is nobody left to attack in 0303: e has been attacked before",
        "a may not attack twice",
    ]
    assert [one.message for one in planner.check(now, ["b -> 0303(e)"]).violations] == [
        "there is nobody left to attack in 0303: e has been attacked before",
        "e can't be attacked twice",
    ]
    assert not planner.check(now, ["b -> 0303"]).legal


def test_who_has_advanced_need_not_attack_again() -> None:
    units: Units = {**UNITS, "e2": ("1-1-1", "0404")}
    now = after(ADVANCE | DUE, units, "a+b -> 0303=DE a 0302-0303")
    assert planner.check(now, ["no attacks"]).legal


def test_who_has_retreated_into_an_attack_does_not_count_in_it() -> None:
    units: Units = {**UNITS, "c": ("3-3-3", "0504"), "e2": ("1-1-1", "0403")}
    rule = {"retreats": {"most_friends": 1, "into_ezoc": "always"}}
    now = after(rule, units, "a+b -> 0303=DR e 0303-0403")
    [told] = planner.check(now, ["c -> 0403"]).attacks
    assert (told.defenders, told.strengths) == (("e2",), (3, 1))
    assert now.after(["c -> 0403=DE"]).start.at["e"] == "0403"


def test_attacks_that_have_been_made_belong_to_the_plan_that_is_checked() -> None:
    scenario = position(attack(**ALL, **ADVANCE), UNITS)
    verdict = planner.check(scenario, ["a+b -> 0303=DE a 0302-0303"])
    assert verdict.legal
    assert verdict.position.at == {"a": "0303", "b": "0202"}
    assert planner.apply(scenario, ["a+b -> 0303=DE a 0302-0303"]).at == {"a": "0303", "b": "0202"}
    with pytest.raises(InputError, match="must say what was rolled"):
        planner.apply(scenario, ["a+b -> 0303"])
    with pytest.raises(IllegalPlanError):
        planner.apply(scenario, ["a+b -> 0304"])
