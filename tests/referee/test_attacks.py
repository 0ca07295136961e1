"""Attacks after the moves: who may attack whom, who must, strengths, odds and shifts, each parameter in both directions.

The map is of clear hexes; 0303 has the neighbours 0302, 0304, 0202, 0203, 0402 and 0403, in which those who attack it stand.
Units have zones of control, artillery (g) none; no zone reaches across a river.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.errors import InputError
from planner.playing.position import Position
from planner.rules.attack_referee import AssessedAttack, AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.scenario import Scenario
from planner.world.declared_attack import DeclaredAttack
from tests.oracles.attack_games import attack, of_differences, position

Units = dict[str, tuple[str, str]]

PAIR: Units = {"a": ("4-4-4", "0302"), "b": ("2-2-4", "0403"), "e": ("2-2-4", "0303")}
TWO: Units = {**PAIR, "e2": ("1-1-4", "0402")}
RIVER = {"hexsides": {"river": ["0302 0303", "0403 0303"]}}
HALF = {"hexsides": {"river": ["0302 0303"]}}


def told(scenario: Scenario, *attacks: str) -> list[str]:
    """Return what the referee finds wrong."""
    return [str(one) for one in planner.check(scenario, list(attacks)).violations]


def assessed(scenario: Scenario, *attacks: str) -> list[str]:
    """Return what attacks come to, without their results."""
    return [str(one).partition(": ")[0].partition("  ")[2] for one in planner.check(scenario, list(attacks)).attacks]


LEGAL: dict[str, tuple[dict[str, Any], Units, dict[str, Any], str]] = {
    "beside each other": ({}, PAIR, {}, "a -> 0303"),
    "together from two hexes": ({}, PAIR, {}, "a+b -> 0303"),
    "together from one hex": ({}, {**PAIR, "c": ("1-1-1", "0302")}, {}, "a+c -> 0303"),
    "at a range of two": (
        {"ranges": [{"units": {"types": "artillery"}, "range": 2}]},
        {**PAIR, "g": ("4-1-2", "0301")},
        {},
        "g -> 0303",
    ),
    "from afar, in company": (
        {"ranges": [{"units": {"types": "artillery"}, "range": 2, "alone": False}]},
        {**PAIR, "g": ("4-1-2", "0301")},
        {},
        "g+a -> 0303",
    ),
    "beside, without company": (
        {"ranges": [{"units": {"types": "artillery"}, "range": 2, "alone": False}]},
        {**PAIR, "g": ("4-1-2", "0202")},
        {},
        "g -> 0303",
    ),
    "from afar across a lake": (
        {
            "ranges": [{"units": {"types": "artillery"}, "range": 2}],
            "bars": [{"because": "x", "hexsides": {"terrain": "lake"}}],
        },
        {"g": ("4-1-2", "0301"), "e": ("2-2-4", "0303")},
        {"hexes": {"0302": "lake"}},
        "g -> 0303",
    ),
    "across what nobody crosses": (
        {"uncrossable": True},
        {"a": ("4-4-4", "0302"), "e": ("2-2-4", "0303")},
        {"hexes": {"0303": "lake"}},
        "a -> 0303",
    ),
    "only across rivers": ({"only_across": {"features": "river"}}, PAIR, HALF, "a -> 0303"),
    "a bar for others": ({"bars": [{"because": "x", "units": {"types": "armor"}}]}, PAIR, {}, "a -> 0303"),
    "a bar elsewhere": (
        {"bars": [{"because": "x", "hexes": {"terrain": "woods"}}]},
        PAIR,
        {"hexes": {"0302": "woods"}},
        "a -> 0303",
    ),
    "a bar from elsewhere": (
        {"bars": [{"because": "x", "from_hexes": {"terrain": "woods"}}]},
        PAIR,
        {"hexes": {"0303": "woods"}},
        "a -> 0303",
    ),
    "several hexes": ({"most_hexes": 2}, TWO, {}, "a+b -> 0303+0402"),
    "units of a hex apart": ({}, {**TWO, "c": ("3-1-1", "0302")}, {}, "a -> 0303; c -> 0402"),
    "units of a hex together": ({"attackers_together": True}, {**TWO, "c": ("3-1-1", "0302")}, {}, "a+c -> 0303"),
    "one of a hex alone": ({"attackers_together": True}, {**TWO, "c": ("3-1-1", "0302")}, {}, "a -> 0303"),
    "defenders one by one": (
        {"defenders_together": False},
        {**PAIR, "e2": ("1-1-1", "0303")},
        {},
        "a -> 0303(e); b -> 0303(e2)",
    ),
    "one of two defenders": ({"defenders_together": False}, {**PAIR, "e2": ("1-1-1", "0303")}, {}, "a -> 0303(e)"),
    "all defenders by name": ({}, {**PAIR, "e2": ("1-1-1", "0303")}, {}, "a+b -> 0303(e+e2)"),
    "the worst odds": ({"below": "lowest"}, {"a": ("1-1-1", "0302"), "e": ("2-2-4", "0303")}, {}, "a -> 0303"),
    "the first column": ({}, {"a": ("2-1-1", "0302"), "e": ("2-2-4", "0303")}, {}, "a -> 0303"),
    "no attack at all": ({}, PAIR, {}, "no attacks"),
    "must, and does": ({"must_attack": {}}, PAIR, {}, "a+b -> 0303"),
    "must, and is": ({"must_be_attacked": {}}, PAIR, {}, "b -> 0303"),
    "need not: another type": ({"must_attack": {"types": "armor"}}, PAIR, {}, "no attacks"),
    "need not: behind the river": ({"must_attack": {}, "must_be_attacked": {}}, PAIR, RIVER, "no attacks"),
    "need not: artillery has no zone": (
        {"must_attack": {}, "must_be_attacked": {}},
        {"a": ("1-1-1", "0302"), "eg": ("1-1-1", "0303")},
        {},
        "no attacks",
    ),
    "need not: it can't": (
        {"must_attack": {}, "must_be_attacked": {}, "bars": [{"because": "x", "hexes": {"terrain": "woods"}}]},
        PAIR,
        {"hexes": {"0303": "woods"}},
        "no attacks",
    ),
    "need not: no strength": (
        {"must_attack": {}, "must_be_attacked": {}},
        {"a": ("0-1-1", "0302"), "e": ("1-1-1", "0303")},
        {},
        "no attacks",
    ),
    "need not: not beside": (
        {"must_attack": {}, "must_be_attacked": {}},
        {"a": ("1-1-1", "0302"), "e": ("1-1-1", "0304")},
        {},
        "no attacks",
    ),
    "need not: nobody else can be attacked": (
        {"must_be_attacked": {}, "against": {"types": "artillery"}},
        PAIR,
        {},
        "no attacks",
    ),
    "phases": ({"phases": "movement"}, PAIR, {}, "a -> 0303"),
}


@pytest.mark.parametrize(("rule", "units", "keys", "attacks"), LEGAL.values(), ids=LEGAL)
def test_attacks_that_are_legal(rule: dict[str, Any], units: Units, keys: dict[str, Any], attacks: str) -> None:
    assert told(position(attack(**rule), units, **keys), *attacks.split("; ")) == []


ILLEGAL: dict[str, tuple[dict[str, Any], Units, dict[str, Any], str, list[str]]] = {
    "not beside": (
        {},
        {**PAIR, "c": ("1-1-1", "0301")},
        {},
        "a+c -> 0303",
        ["7: c can't attack 0303 from 0301: it must stand beside it"],
    ),
    "out of range": (
        {"ranges": [{"units": {"types": "artillery"}, "range": 2}]},
        {**PAIR, "g": ("4-1-2", "0307")},
        {},
        "g -> 0303",
        ["7: g can't attack 0303 from 0307: its range is 2 hexes"],
    ),
    "a range of others": (
        {"ranges": [{"units": {"types": "armor"}, "range": 2}]},
        {**PAIR, "g": ("4-1-2", "0301")},
        {},
        "g -> 0303",
        ["7: g can't attack 0303 from 0301: it must stand beside it"],
    ),
    "from afar without company": (
        {"ranges": [{"units": {"types": "artillery"}, "range": 2, "alone": False}]},
        {**PAIR, "g": ("4-1-2", "0301")},
        {},
        "g -> 0303",
        ["7: g may not attack 0303 from afar: none of the attackers stands beside it"],
    ),
    "who attacks": ({"by": {"types": "armor"}}, PAIR, {}, "a -> 0303", ["7: a is not a unit that attacks"]),
    "an enemy": (
        {},
        PAIR,
        {},
        "e -> 0302",
        ["7: there is nobody to attack in 0302", "7: e may not attack: it belongs to red"],
    ),
    "nobody there": ({}, PAIR, {}, "a -> 0301", ["7: there is nobody to attack in 0301"]),
    "whom one attacks": (
        {"against": {"types": "artillery"}},
        PAIR,
        {},
        "a -> 0303",
        ["7: there is nobody to attack in 0303"],
    ),
    "without strength": (
        {"below": "lowest"},
        {**PAIR, "c": ("0-1-1", "0202")},
        {},
        "c -> 0303",
        ["7: c has no strength in an attack of 0303"],
    ),
    "without strength there": (
        {"factors": [{"of": "attack", "hexes": {"terrain": "woods"}, "times": 0}], "below": "lowest"},
        PAIR,
        {"hexes": {"0303": "woods"}},
        "a -> 0303",
        ["7: a has no strength in an attack of 0303"],
    ),
    "across what nobody crosses": (
        {},
        {"a": ("4-4-4", "0302"), "e": ("2-2-4", "0303")},
        {"hexes": {"0303": "lake"}},
        "a -> 0303",
        ["7: a can't attack 0303 from 0302: nobody can cross the hexside between them"],
    ),
    "only across rivers": (
        {"only_across": {"features": "river"}},
        PAIR,
        HALF,
        "a+b -> 0303",
        ["7: b can't attack 0303 from 0403: not across the hexside between them"],
    ),
    "a bar": (
        {"bars": [{"because": "foot stays away", "paragraph": "7.5"}]},
        PAIR,
        {},
        "a -> 0303",
        ["7.5: a may not attack 0303 from 0302: foot stays away"],
    ),
    "a bar by hexside": (
        {"bars": [{"because": "not across rivers", "hexsides": {"features": "river"}}]},
        PAIR,
        HALF,
        "a+b -> 0303",
        ["7: a may not attack 0303 from 0302: not across rivers"],
    ),
    "a bar by hex": (
        {"bars": [{"because": "not into woods", "hexes": {"terrain": "woods"}}]},
        PAIR,
        {"hexes": {"0303": "woods"}},
        "a -> 0303",
        ["7: a may not attack 0303 from 0302: not into woods"],
    ),
    "a bar by origin": (
        {"bars": [{"because": "not out of woods", "from_hexes": {"terrain": "woods"}}]},
        PAIR,
        {"hexes": {"0302": "woods"}},
        "a+b -> 0303",
        ["7: a may not attack 0303 from 0302: not out of woods"],
    ),
    "several hexes": ({}, TWO, {}, "a -> 0303+0402", ["7: an attack is against one hex at most, not 2"]),
    "more hexes than may be": (
        {"most_hexes": 2},
        {**TWO, "e3": ("1-1-1", "0202")},
        {},
        "a -> 0303+0402+0202",
        ["7: an attack is against 2 hexes at most, not 3"],
    ),
    "several hexes, not all in reach": (
        {"most_hexes": 2},
        {**TWO, "c": ("1-1-1", "0304")},
        {},
        "a+c -> 0303+0402",
        ["7: c can't attack 0402 from 0304: it must stand beside it"],
    ),
    "twice": ({}, TWO, {}, "a+b -> 0303; a -> 0402", ["7: a may not attack twice"]),
    "twice the same": ({}, PAIR, {}, "a -> 0303; b -> 0303", ["7: e can't be attacked twice"]),
    "one of two defenders": (
        {},
        {**PAIR, "e2": ("1-1-1", "0303")},
        {},
        "a -> 0303(e)",
        ["7: all who defend 0303 must be attacked together: e2 too"],
    ),
    "one of two defenders twice": (
        {"defenders_together": False},
        {**PAIR, "e2": ("1-1-1", "0303")},
        {},
        "a -> 0303(e); b -> 0303(e)",
        ["7: e can't be attacked twice"],
    ),
    "a defender elsewhere": ({}, TWO, {}, "a -> 0303(e+e2)", ["7: e2 can't be attacked: it doesn't defend 0303"]),
    "units of a hex apart": (
        {"attackers_together": True},
        {**TWO, "c": ("3-1-1", "0302")},
        {},
        "a -> 0303; c -> 0402",
        ["7: c must attack what a attacks: both stand in 0302"],
    ),
    "below the first column": (
        {},
        {"a": ("1-1-1", "0302"), "e": ("2-2-4", "0303")},
        {},
        "a -> 0303",
        ["7: a can't attack 0303: 1 to 2 is less than 1:1"],
    ),
    "must attack": ({"must_attack": {}}, PAIR, {}, "a -> 0303", ["7.1: b must attack: it is in the ZOC of e"]),
    "all must attack": (
        {"must_attack": {}},
        PAIR,
        {},
        "no attacks",
        ["7.1: a must attack: it is in the ZOC of e", "7.1: b must attack: it is in the ZOC of e"],
    ),
    "must be attacked": (
        {"must_be_attacked": {}},
        TWO,
        {},
        "a+b -> 0303",
        ["7.1: e2 in 0402 must be attacked: a and b are in its ZOC"],
    ),
    "must attack somebody else": (
        {"must_attack": {}, "bars": [{"because": "x", "hexes": {"terrain": "woods"}}]},
        TWO,
        {"hexes": {"0303": "woods"}},
        "no attacks",
        ["7.1: a must attack: it is in the ZOC of e and e2", "7.1: b must attack: it is in the ZOC of e and e2"],
    ),
    "phases": (
        {"phases": "second_movement"},
        PAIR,
        {},
        "a -> 0303",
        ["7: no attacks are made after this phase (movement)"],
    ),
}


@pytest.mark.parametrize(("rule", "units", "keys", "attacks", "faults"), ILLEGAL.values(), ids=ILLEGAL)
def test_attacks_that_are_illegal(
    rule: dict[str, Any], units: Units, keys: dict[str, Any], attacks: str, faults: list[str]
) -> None:
    assert told(position(attack(**rule), units, **keys), *attacks.split("; ")) == faults


@pytest.mark.parametrize("turned", [False, True])
def test_what_must_be_does_not_depend_on_the_order_of_the_units(turned: bool) -> None:
    units = dict(reversed(TWO.items())) if turned else TWO
    scenario = position(attack(must_attack={}, must_be_attacked={}, most_hexes=2), units)
    for attacks in (["a -> 0303", "b -> 0402"], ["b -> 0402", "a -> 0303"], ["a+b -> 0303+0402"]):
        assert told(scenario, *attacks) == []
    [missed] = planner.check(scenario, ["a+b -> 0303"]).violations
    assert (missed.rule, missed.at, missed.blame) == ("7.1", "0402", ("e2",))
    [idle] = planner.check(scenario, ["a -> 0303+0402"]).violations
    assert (idle.rule, idle.unit, idle.at, set(idle.blame)) == ("7.1", "b", "0403", {"e", "e2"})


def test_nothing_is_due_where_nothing_is_said_of_attacks() -> None:
    scenario = position(attack(must_attack={}, must_be_attacked={}), PAIR)
    assert planner.check(scenario, []).legal
    assert not planner.check(scenario, ["no attacks"]).legal


def test_faults_name_the_attack_the_unit_and_who_is_to_blame() -> None:
    scenario = position(attack(must_be_attacked={}), {**TWO, "c": ("1-1-1", "0301")})
    [far] = planner.check(scenario, ["a -> 0303", "b+c -> 0402"]).violations
    assert (far.attack, far.unit, far.at, far.move, far.step) == (1, "c", "0301", None, None)
    [missed] = planner.check(scenario, ["a -> 0303"]).violations
    assert (missed.attack, missed.unit, missed.at, missed.blame) == (None, None, "0402", ("e2",))


def test_moves_come_before_attacks() -> None:
    scenario = position(attack(), {"a": ("4-4-4", "0102"), "e": ("2-2-4", "0303")})
    assert told(scenario, "a 0102-0202", "a -> 0303") == []
    assert told(scenario, "a -> 0303") == ["7: a can't attack 0303 from 0102: it must stand beside it"]
    with pytest.raises(InputError, match="moves must come before attacks"):
        planner.check(scenario, ["a -> 0303", "a 0102-0202"])


WOODS = {"hexes": {"0303": "woods"}}
MUD = {"weather": {"mud": ["0303"]}}
FORT = {"hexes": {"0303": {"traits": "fort"}}}


def shift(name: str, by: int, **what: Any) -> dict[str, Any]:
    return {"shifts": [{"name": name, "columns": by, **what}]}


def factor(of: str, times: int | str, **what: Any) -> dict[str, Any]:
    return {"factors": [{"of": of, "times": times, **what}]}


GUNS: Units = {**PAIR, "g": ("6-1-2", "0301")}
FAR = {"ranges": [{"units": {"types": "artillery"}, "range": 2}]}

ODDS: dict[str, tuple[dict[str, Any], Units, dict[str, Any], str, str]] = {
    "rounded in the defenders' favour": (
        {},
        {**PAIR, "a": ("7-4-4", "0302"), "e": ("4-4-4", "0303")},
        {},
        "a -> 0303",
        "1:1",
    ),
    "just enough": ({}, {**PAIR, "a": ("8-4-4", "0302"), "e": ("4-4-4", "0303")}, {}, "a -> 0303", "2:1"),
    "added up": ({}, PAIR, {}, "a+b -> 0303", "3:1"),
    "defenders added up": ({}, {**PAIR, "e2": ("1-1-1", "0303")}, {}, "a+b -> 0303", "2:1"),
    "one defender alone": (
        {"defenders_together": False},
        {**PAIR, "e2": ("1-1-1", "0303")},
        {},
        "a+b -> 0303(e2)",
        "6:1",
    ),
    "two hexes added up": ({"most_hexes": 2}, TWO, {}, "a+b -> 0303+0402", "2:1"),
    "no more than the last column": ({}, {"a": ("40-4-4", "0302"), "e": ("1-2-4", "0303")}, {}, "a -> 0303", "6:1"),
    "no defense": ({}, {"a": ("4-4-4", "0302"), "e": ("1-0-4", "0303")}, {}, "a -> 0303", "6:1"),
    "no less than the first column": (
        {"below": "lowest"},
        {"a": ("1-4-4", "0302"), "e": ("1-9-4", "0303")},
        {},
        "a -> 0303",
        "less than 1:1, as 1:1",
    ),
    "who doesn't defend doesn't count": (
        {"against": {"types": "infantry"}},
        {**PAIR, "eg": ("9-9-9", "0303")},
        {},
        "a+b -> 0303",
        "3:1",
    ),
    "forest": (
        shift("the forest", -1, hexes={"terrain": "woods"}),
        PAIR,
        WOODS,
        "a+b -> 0303",
        "3:1, 2:1 for the forest",
    ),
    "no forest": (
        shift("the forest", -1, hexes={"terrain": "woods"}),
        PAIR,
        {"hexes": {"0302": "woods"}},
        "a+b -> 0303",
        "3:1",
    ),
    "a shift to the right": (
        shift("the plain", 2, hexes={"terrain": "clear"}),
        PAIR,
        {},
        "a+b -> 0303",
        "3:1, 5:1 for the plain",
    ),
    "not beyond the first column": (
        shift("the forest", -5, hexes={"terrain": "woods"}),
        PAIR,
        WOODS,
        "a+b -> 0303",
        "3:1, 1:1 for the forest",
    ),
    "not beyond the last column": (shift("the plain", 9), PAIR, {}, "a+b -> 0303", "3:1, 6:1 for the plain"),
    "cut to the table first": (
        shift("the forest", -1),
        {"a": ("40-4-4", "0302"), "e": ("1-2-4", "0303")},
        {},
        "a -> 0303",
        "6:1, 5:1 for the forest",
    ),
    "shifts add up": (
        {
            "shifts": [
                {"name": "the forest", "columns": -1, "hexes": {"terrain": "woods"}},
                {"name": "the fort", "columns": -1, "hexes": {"traits": "fort"}},
            ]
        },
        PAIR,
        {"hexes": {"0303": {"terrain": "woods", "traits": "fort"}}},
        "a+b -> 0303",
        "3:1, 1:1 for the forest and the fort",
    ),
    "a fort": (shift("the fort", -1, hexes={"traits": "fort"}), PAIR, FORT, "a+b -> 0303", "3:1, 2:1 for the fort"),
    "all across the river": (
        shift("the river", -1, hexsides={"features": "river"}),
        PAIR,
        RIVER,
        "a+b -> 0303",
        "3:1, 2:1 for the river",
    ),
    "not all across the river": (
        shift("the river", -1, hexsides={"features": "river"}),
        PAIR,
        HALF,
        "a+b -> 0303",
        "3:1",
    ),
    "from afar is not across the river": (
        {**FAR, **shift("the river", -1, hexsides={"features": "river"})},
        GUNS,
        HALF,
        "a+g -> 0303",
        "5:1, 4:1 for the river",
    ),
    "nobody beside the river": (
        {**FAR, **shift("the river", -1, hexsides={"features": "river"})},
        GUNS,
        RIVER,
        "g -> 0303",
        "3:1",
    ),
    "one of several hexes": (
        {"most_hexes": 2, **shift("the forest", -1, hexes={"terrain": "woods"})},
        TWO,
        WOODS,
        "a+b -> 0303+0402",
        "2:1, 1:1 for the forest",
    ),
    "not all sides of several hexes": (
        {"most_hexes": 2, **shift("the river", -1, hexsides={"features": "river"})},
        TWO,
        RIVER,
        "a+b -> 0303+0402",
        "2:1",
    ),
    "a type among the attackers": (
        shift("artillery", 1, attackers={"types": "artillery"}),
        {**PAIR, "g": ("2-1-2", "0202")},
        {},
        "a+g -> 0303",
        "3:1, 4:1 for artillery",
    ),
    "none among the attackers": (
        shift("artillery", 1, attackers={"types": "artillery"}),
        {**PAIR, "g": ("2-1-2", "0202")},
        {},
        "a+b -> 0303",
        "3:1",
    ),
    "a type among the defenders": (
        shift("artillery", -1, defenders={"types": "artillery"}),
        {**PAIR, "eg": ("2-0-2", "0303")},
        {},
        "a+b -> 0303",
        "3:1, 2:1 for artillery",
    ),
    "none among the defenders": (
        shift("artillery", -1, defenders={"types": "artillery"}),
        {**PAIR, "g": ("2-0-2", "0303")},
        {},
        "a+b -> 0303",
        "3:1",
    ),
    "weather": (shift("the mud", -1, hexes={"weather": "mud"}), PAIR, MUD, "a+b -> 0303", "3:1, 2:1 for the mud"),
    "fair weather": (shift("the mud", -1, hexes={"weather": "mud"}), PAIR, {}, "a+b -> 0303", "3:1"),
    "doubled on the ground": (factor("defense", 2, hexes={"terrain": "woods"}), PAIR, WOODS, "a+b -> 0303", "1:1"),
    "not doubled elsewhere": (
        factor("defense", 2, hexes={"terrain": "woods"}),
        PAIR,
        {"hexes": {"0302": "woods"}},
        "a+b -> 0303",
        "3:1",
    ),
    "only those on the ground": (
        {"most_hexes": 2, **factor("defense", 2, hexes={"terrain": "woods"})},
        {**TWO, "e2": ("1-2-4", "0402")},
        {"hexes": {"0402": "woods"}},
        "a+b -> 0303+0402",
        "1:1",
    ),
    "doubled behind a river": (factor("defense", 2, hexsides={"features": "river"}), PAIR, RIVER, "a+b -> 0303", "1:1"),
    "not if one comes otherwise": (
        factor("defense", 2, hexsides={"features": "river"}),
        PAIR,
        HALF,
        "a+b -> 0303",
        "3:1",
    ),
    "halved across a river": (
        factor("attack", "1/2", hexsides={"features": "river"}),
        PAIR,
        HALF,
        "a+b -> 0303",
        "2:1",
    ),
    "not halved otherwise": (factor("attack", "1/2", hexsides={"features": "river"}), PAIR, {}, "a+b -> 0303", "3:1"),
    "halved by ground": (factor("attack", "1/2", hexes={"terrain": "woods"}), PAIR, WOODS, "a+b -> 0303", "1:1"),
    "halved out of woods": (
        factor("attack", "1/2", from_hexes={"terrain": "woods"}),
        PAIR,
        {"hexes": {"0302": "woods"}},
        "a+b -> 0303",
        "2:1",
    ),
    "halved by type": (
        factor("attack", "1/2", units={"types": "artillery"}),
        {**PAIR, "g": ("2-1-2", "0202")},
        {},
        "b+g -> 0303",
        "1:1",
    ),
    "halved from afar": ({**FAR, **factor("attack", "1/2", from_afar=True)}, GUNS, {}, "g+b -> 0303", "2:1"),
    "not halved beside": ({**FAR, **factor("attack", "1/2", from_afar=False)}, GUNS, {}, "g+b -> 0303", "3:1"),
    "halved unsupplied": (factor("attack", "1/2", units={"supplied": False}), PAIR, {}, "a+b -> 0303", "3:1"),
    "fractions are exact": (
        factor("attack", "1/2"),
        {**PAIR, "a": ("3-4-4", "0302"), "b": ("1-1-1", "0403")},
        {},
        "a+b -> 0303",
        "1:1",
    ),
    "each rounded down": (
        {"below": "lowest", "rounding": "down", **factor("attack", "1/2")},
        {**PAIR, "a": ("5-4-4", "0302"), "b": ("3-1-1", "0403"), "e": ("1-1-1", "0303")},
        {},
        "a+b -> 0303",
        "3:1",
    ),
    "each rounded up": (
        {"rounding": "up", **factor("attack", "1/2")},
        {**PAIR, "a": ("5-4-4", "0302"), "b": ("3-1-1", "0403"), "e": ("1-1-1", "0303")},
        {},
        "a+b -> 0303",
        "5:1",
    ),
    "all rounded down": (
        {"rounding": "down", "rounded": "total", **factor("attack", "1/2")},
        {**PAIR, "a": ("5-4-4", "0302"), "b": ("3-1-1", "0403"), "e": ("1-1-1", "0303")},
        {},
        "a+b -> 0303",
        "4:1",
    ),
    "all rounded up": (
        {"rounding": "up", "rounded": "total", **factor("attack", "1/2")},
        {**PAIR, "a": ("5-4-4", "0302"), "b": ("4-1-1", "0403"), "e": ("1-1-1", "0303")},
        {},
        "a+b -> 0303",
        "5:1",
    ),
}


@pytest.mark.parametrize(("rule", "units", "keys", "attacks", "odds"), ODDS.values(), ids=ODDS)
def test_odds(rule: dict[str, Any], units: Units, keys: dict[str, Any], attacks: str, odds: str) -> None:
    assert assessed(position(attack(**rule), units, **keys), *attacks.split("; ")) == [odds]


@pytest.mark.parametrize(
    ("attack_", "defense", "column"),
    [(1, 3, "-2"), (2, 3, "-2"), (3, 3, "+0"), (4, 3, "+0"), (5, 3, "+2"), (9, 3, "+4")],
)
def test_a_table_of_differences(attack_: int, defense: int, column: str) -> None:
    units = {"a": (f"{attack_}-1-1", "0302"), "e": (f"1-{defense}-1", "0303")}
    assert assessed(position(of_differences(), units), "a -> 0303") == [column]


def test_differences_below_the_first_column() -> None:
    units = {"a": ("1-1-1", "0302"), "e": ("1-4-1", "0303")}
    assert told(position(of_differences(), units), "a -> 0303") == ["7: a can't attack 0303: 1 less 4 is less than -2"]
    assert assessed(position(of_differences(below="lowest"), units), "a -> 0303") == ["less than -2, as -2"]


def test_each_result_has_its_exact_chance() -> None:
    # 3:1 less one column for the forest: AE AR AR DR DR EX
    scenario = position(attack(**shift("the forest", -1, hexes={"terrain": "woods"})), PAIR, **WOODS)
    [found] = planner.check(scenario, ["a+b -> 0303"]).attacks
    assert str(found) == "a+b -> 0303  3:1, 2:1 for the forest: AE 1/6, AR 1/3, EX 1/6, DR 1/3"
    assert found.strengths == (6, 2)
    assert sum(one.probability for one in found.results) == 1


def test_two_dice_are_added_up() -> None:
    # 2 to 12: 7 comes 6 times of 36, 2 and 12 once each.
    columns = [{"odds": "1:1", "results": ["AE", "AE", "AE", "AE", "AE", "DR", "DE", "DE", "DE", "DE", "EX"]}]
    [found] = planner.check(position(attack(dice=2, columns=columns), PAIR), ["a+b -> 0303"]).attacks
    chances = {one.code: one.probability for one in found.results}
    assert chances == {"AE": Fraction(15, 36), "DR": Fraction(6, 36), "DE": Fraction(14, 36), "EX": Fraction(1, 36)}


def test_what_an_attack_comes_to_is_worked_out_once_while_it_is_judged_and_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []
    worked_out = AttackReferee._assessed

    def counted(judge: AttackReferee, attack: DeclaredAttack) -> AssessedAttack:
        asked.append(attack)
        return worked_out(judge, attack)

    monkeypatch.setattr(AttackReferee, "_assessed", counted)
    game = Position(position(attack(), {"a": ("9-4-4", "0201"), "e": ("1-2-4", "0202")}))
    game.push("a -> 0202")
    for one in game.outcomes:
        made = game.copy()
        made.roll(result=one.move)
    assert len(asked) == len(set(asked))


def test_an_attack_of_who_has_lost_steps_comes_to_something_else() -> None:
    """Two steps, of which one is lost: what is lost on average is told of the step that is left."""
    units = {"a": ("9-4-4", "0201"), "e": ("1-2-4/2", "0202")}
    whole = position(attack(), units)
    hurt = replace(whole, start=whole.start.copy())
    hurt.start.lost_steps = {"e": 1}
    rule, lost = attack_rule(whole.game), list[int]()
    assert rule is not None
    for start in (whole.start, hurt.start, whole.start):
        made = AttackReferee(rule, whole.game, start).assess(DeclaredAttack(("a",), ("0202",)))
        lost.append(sum(steps for one in made.results for _, steps in one.enemy.steps))
    assert lost[0] == lost[2] > lost[1]
