"""Small positions in which the best attack needs an odd move; what it is worth is worked out by hand in each.

The map has seven rows of seven clear hexes, 0101 in the north-west, and even columns lie half a hex farther south: the
neighbours of 0404 are 0403, 0405, 0304, 0305, 0504 and 0505. Entering an EZOC ends a move; two units share a hex.
In the table of most of them an attack at 1:1 eliminates the defenders with 1/6, at 2:1 with 1/2, at 3:1 with 2/3, and does
nothing otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from planner.explanation.parse_question import read_goal
from planner.objective import Tier
from planner.rules.kinds.attack import Attack
from planner.rules.kinds.entry_restriction import EntryRestriction
from planner.scenario import Scenario
from planner.search.result import Result
from planner.search.search import Search
from planner.world.selectors import UnitSelector
from tests.oracles.attack_games import attack
from tests.oracles.attack_games import position as anywhere
from tests.oracles.rulebooks import with_rules

EMPTIED: dict[str, Any] = {"kind": "emptied"}
TAKEN: dict[str, Any] = {"kind": "taken"}
LOSSES: dict[str, Any] = {"kind": "own_losses"}
MP: dict[str, Any] = {"kind": "mp_spent"}


def table(*columns: str, **changes: Any) -> Attack:
    """Return a rule of attacks with columns such as "2:1 NE NE DE"."""
    data = [{"odds": entry.split()[0], "results": entry.split()[1:]} for entry in columns]
    return attack(columns=data, sides=len(data[0]["results"]), **changes)


def plain(**changes: Any) -> Attack:
    """Return the rule of attacks of most puzzles."""
    return table("1:1 NE NE NE NE NE DE", "2:1 NE NE NE DE DE DE", "3:1 NE NE DE DE DE DE", **changes)


def position(rule: Attack, units: dict[str, tuple[str, str]], **keys: Any) -> Scenario:
    """Return a position in which nobody enters a hex with an enemy."""
    found = anywhere(rule, units, **keys)
    shut = EntryRestriction(id="enemies", kind="entry_restriction", paragraph="4.7", enemy_units=UnitSelector())
    return with_rules(found, [*found.game.rulebook.rules, shut])


def solved(scenario: Scenario, *tiers: dict[str, Any] | Sequence[dict[str, Any]]) -> Result:
    """Search for the best plan of an objective."""
    found = [{"terms": [tier] if isinstance(tier, dict) else list(tier)} for tier in tiers]
    result = Search(replace(scenario, tiers=tuple(Tier.model_validate(tier) for tier in found))).run()
    assert result.status == "optimal"
    return result


def attacks(result: Result) -> list[str]:
    """Return the attacks of a plan as they are written, in order."""
    assert result.plan is not None
    return sorted(map(str, result.plan.attacks or ()))


def moves(result: Result) -> list[str]:
    """Return the moves of a plan as they are written, in order."""
    assert result.plan is not None
    return sorted(map(str, result.plan.moves))


def test_three_to_one_is_given_up_for_two_attacks_at_two_to_one() -> None:
    # a, b and c stand beside e1, d beside e2; all have 3. As they stand, 9 to 3 and 3 to 3: 2/3 + 1/6 = 5/6. With c gone
    # over to 0503 it is 6 to 3 twice, 1/2 + 1/2 = 1. With 12 against one of them it would be 2/3.
    units = {
        "a": ("3-3-4", "0203"), "b": ("3-3-4", "0304"), "c": ("3-3-4", "0403"), "d": ("3-3-4", "0702"),
        "e1": ("1-3-1", "0303"), "e2": ("1-3-1", "0602"),
    }  # fmt: skip
    result = solved(position(plain(), units), EMPTIED, MP)
    assert result.value == (1, -1)
    assert attacks(result) == ["a+b -> 0303", "c+d -> 0602"]
    assert moves(result) == ["c 0403-0503"]


def test_somebody_goes_round_so_that_not_all_attack_across_the_river() -> None:
    # 6 to 2 is 3:1, or 2:1 if all attack across the river: 1/2. The enemy's ZOC doesn't reach across it, so b gets round by
    # the south to 0204, where there is none: then 2/3.
    river = {"river": ["0303 0304", "0403 0304", "0404 0304", "0305 0304"]}
    shift = [{"name": "all across a river", "columns": -1, "hexsides": {"features": "river"}}]
    units = {"a": ("3-3-0", "0404"), "b": ("3-3-4", "0404"), "e": ("1-2-1", "0304")}
    result = solved(position(plain(shifts=shift), units, hexsides=river), EMPTIED, MP)
    assert result.value == (Fraction(2, 3), -2)
    assert attacks(result) == ["a+b -> 0304"]
    assert moves(result) == ["b 0404-0305-0204"]


def test_a_unit_leaves_an_ezoc_to_be_free_of_an_attack_that_it_would_have_to_make() -> None:
    # In an EZOC all must attack. The weak one would do so at less than 1:1, which counts as 1:1: with 1/6 it empties the
    # hex, and with 1/6 it is lost, as often. Whoever minds that first takes it out of the EZOC, a step away; the strong one
    # can't move, attacks at 2:1 and loses nothing.
    rule = table("1:1 AE NE NE NE NE DE", "2:1 NE NE NE DE DE DE", must_attack={}, below="lowest")
    units = {
        "strong": ("6-3-0", "0304"), "weak": ("1-1-1", "0605"),
        "e1": ("1-3-1", "0303"), "e2": ("1-4-1", "0604"),
    }  # fmt: skip
    result = solved(position(rule, units), EMPTIED, LOSSES, MP)
    assert result.value == (Fraction(1, 2) + Fraction(1, 6), Fraction(-1, 6), 0)
    careful = solved(position(rule, units), LOSSES, EMPTIED, MP)
    assert careful.value == (0, Fraction(1, 2), -1)
    assert attacks(careful) == ["strong -> 0303"]


def test_a_unit_that_does_not_fight_stands_behind_the_enemy_who_then_can_not_retreat() -> None:
    # At 2:1 the defenders always retreat a hex, and are lost where they can't. There are lakes round 0404, but for 0405,
    # 0505 and the attackers' hex. The unit of no strength gets to 0505 in three steps, and 0405 is in its ZOC then.
    lakes = {label: {"terrain": "lake"} for label in ("0304", "0305", "0504")}
    rule = table("1:1 NE NE", "2:1 DR DR")
    units = {"a": ("4-3-0", "0403"), "z": ("0-1-6", "0602"), "e": ("1-2-1", "0404")}
    result = solved(position(rule, units, hexes=lakes), {"kind": "enemy_losses"}, MP)
    assert result.value == (2, -3)
    assert attacks(result) == ["a -> 0404"]
    assert moves(result) == ["z 0602-0603-0604-0505"]


def test_infantry_steps_up_so_that_the_gun_may_fire() -> None:
    # The gun may fire two hexes far with somebody beside the target alone: 6 and 1 against 2 is 3:1, 2/3, and the infantry
    # by itself, at less than 1:1, could do nothing. It goes two hexes, to one beside the target.
    ranges = [{"units": {"types": "artillery"}, "range": 2, "alone": False, "safe": True}]
    units = {"g": ("6-1-0", "0604"), "a": ("1-1-2", "0606"), "e": ("1-2-1", "0404")}
    result = solved(position(plain(ranges=ranges), units), EMPTIED, MP)
    assert result.value == (Fraction(2, 3), -2)
    assert attacks(result) == ["g+a -> 0404"]
    assert [move.split()[0] for move in moves(result)] == ["a"]


def test_one_attack_on_two_hexes_from_the_hex_between_meets_both_duties() -> None:
    # Enemies in whose ZOC somebody stands must be attacked. e1 in 0404 and e2 in 0504 are both beside 0505 and 0403 (0403 is
    # beside 0404, and 0504). From there a attacks both at once with 6 to 2 and 1, 2:1: each hex is emptied with 1/2. One of
    # them alone, at 3:1, isn't allowed from there, and from 0304, beside e1 alone, it would be 2/3 for one hex: 2/3 < 1.
    units = {"a": ("6-3-3", "0202"), "e1": ("1-2-1", "0404"), "e2": ("1-1-1", "0504")}
    rule = plain(most_hexes=2, must_be_attacked={})
    result = solved(position(rule, units), EMPTIED, MP)
    assert result.value[0] == 1
    assert attacks(result) == ["a -> 0404+0504"]


def test_a_stack_parts_where_all_of_a_hex_must_attack_the_same() -> None:
    # a and b stand in 0403, beside e1 in 0404 and e2 in 0303. Together they have 6 to 3 against e1, 1/2, or 6 to 1 against
    # e2, 2/3. Apart, 3 to 3 and 3 to 1: 1/6 + 2/3 = 5/6. One of them has to leave the hex for that.
    units = {"a": ("3-3-1", "0403"), "b": ("3-3-1", "0403"), "e1": ("1-3-1", "0404"), "e2": ("1-1-1", "0303")}
    assert solved(position(plain(attackers_together=True), units), EMPTIED, MP).value == (Fraction(5, 6), -1)
    assert solved(position(plain(), units), EMPTIED, MP).value == (Fraction(5, 6), 0)


def test_a_weak_unit_comes_along_so_that_an_exchange_costs_little() -> None:
    # The attack at 3:1 is always an exchange: attackers worth 2 at least are lost. Of the strong one alone, that is 6; with
    # a unit of 2 beside the enemy, too, 2. It goes two hexes for that, though the odds don't need it.
    rule = table("3:1 EX EX")
    units = {"a": ("6-3-0", "0403"), "b": ("2-1-3", "0703"), "e": ("1-2-1", "0404")}
    result = solved(position(rule, units), EMPTIED, LOSSES, MP)
    assert result.value == (1, -2, -2)
    assert attacks(result) == ["a+b -> 0404"]


def test_guns_make_up_the_odds_so_that_an_exchange_costs_less_than_it_should() -> None:
    # 3:1 is 9 to 3, and always an exchange, for 3 or all who are beside the enemy. The gun's 8 from two hexes away and the 1
    # beside are enough: only that 1 is lost. b beside alone, or besides, would make it 4, or 1 + 4 >= 3, that is 4, too.
    ranges = [{"units": {"types": "artillery"}, "range": 2, "alone": False, "safe": True}]
    units = {"g": ("8-1-0", "0604"), "a": ("1-1-2", "0606"), "b": ("4-1-2", "0602"), "e": ("1-3-1", "0404")}
    result = solved(position(table("3:1 EX EX", ranges=ranges), units), EMPTIED, LOSSES, MP)
    assert result.value == (1, -1, -2)
    assert attacks(result) == ["g+a -> 0404"]


@pytest.mark.parametrize(("strong", "weak", "lost"), [(3, 3, 0), (2, 1, 2)])
def test_who_attacks_from_where_another_goes_back_to_is_no_friend_there(strong: int, weak: int, lost: int) -> None:
    # Everybody who attacks at 1:1 goes back a hex, or is lost. Lakes leave a 0403 alone, where it may go, beside e2, only
    # to a friend who doesn't attack, too. With 3, a attacks alone, and goes back to b; 2 and 1 must attack together.
    lakes = {label: {"terrain": "lake"} for label in ("0405", "0504", "0505", "0305")}
    meaning = {"NE": {"text": "nothing"}}
    meaning["AB"] = {"text": "back", "attackers": {"retreat": 1}, "defenders": {"eliminated": True}}
    back = {"into_ezoc": "to_friends", "most_friends": 1, "cannot": "eliminated"}
    rule = table("1:2 NE NE", "1:1 AB AB", results=meaning, retreats=back)
    units = {
        "a": (f"{strong}-3-0", "0404"),
        "b": (f"{weak}-3-0", "0403"),
        "e": ("1-3-1", "0304"),
        "e2": ("1-9-1", "0303"),
    }
    result = solved(position(rule, units, hexes=lakes), {"kind": "emptied", "hexes": "0304"}, LOSSES)
    assert result.value == (1, -lost)
    assert attacks(result) == ["a+b -> 0304" if lost else "a -> 0304"]


def test_nobody_is_promised_to_two_targets() -> None:
    # Both enemies are beside 0403. `odds` says 3:1 against each of them; but it is one stack, and attacks once.
    units = {"a": ("3-3-0", "0403"), "b": ("3-3-0", "0403"), "e1": ("1-2-1", "0404"), "e2": ("1-2-1", "0303")}
    scenario = position(plain(), units)
    each = [{"kind": "odds", "target": target, "odds": "3:1"} for target in ("e1", "e2")]
    assert solved(scenario, each).value == (2,)
    assert solved(scenario, {"kind": "attack_odds", "targets": ["e1", "e2"], "odds": "3:1"}).value == (1,)


@pytest.mark.parametrize(("most", "value"), [(0, 0), (1, Fraction(1, 6))])
def test_a_requirement_forbids_weak_attacks(most: int, value: Fraction) -> None:
    # 3 to 2 is 1:1, which has 1/6; if no attack may be below 2:1, there is none.
    scenario = position(plain(), {"a": ("3-3-0", "0403"), "e": ("1-2-1", "0404")})
    weak = Tier.model_validate({"terms": [{"kind": "weak_attacks", "odds": "2:1", "most": most}]}).terms
    assert solved(replace(scenario, requirements=weak), EMPTIED).value == (value,)


@pytest.mark.parametrize(("most", "status"), [(1, "infeasible"), (2, "optimal")])
def test_a_limit_of_mp_counts_mp_beside_what_is_asked_of_attacks(most: int, status: str) -> None:
    # a has two hexes to go before it stands beside e; 3 to 2 eliminates it with 1/6, which is a loss of 2/6.
    scenario = position(plain(), {"a": ("3-3-4", "0401"), "e": ("1-2-1", "0404")})
    asked = [{"kind": "enemy_losses", "at_least": "1/3"}, {"kind": "mp_spent", "most": most}]
    required = tuple(Tier.model_validate({"terms": [one]}).terms[0] for one in asked)
    assert Search(replace(scenario, requirements=required)).run().status == status


@pytest.mark.parametrize(("cannot", "lost"), [("eliminated", 4), ("loses_steps", 4), ("stays", 2)])
def test_a_step_that_is_lost_before_the_retreat_is_not_lost_again(cannot: str, lost: int) -> None:
    # a has two steps and 4. By AL it loses one and must retreat, which it can't: lakes all round, but for the enemy. So it
    # loses the other, too, 4 in all, or 2 if it may stay. With 1/2 that is 2, or 1: as much as is allowed.
    lakes = {label: {"terrain": "lake"} for label in ("0304", "0305", "0405", "0504", "0505")}
    meaning = {"AL": {"text": "a step and back", "attackers": {"steps": 1, "retreat": 1}}}
    meaning["DE"] = {"text": "eliminated", "defenders": {"eliminated": True}}
    rule = table("1:1 AL DE", results=meaning, retreats={"cannot": cannot})
    scenario = position(rule, {"a": ("4-3-0/2", "0404"), "e": ("1-2-1", "0403")}, hexes=lakes)
    allowed = Tier.model_validate({"terms": [{"kind": "own_losses", "most": Fraction(lost, 2)}]}).terms
    result = solved(replace(scenario, requirements=allowed), EMPTIED, LOSSES)
    assert result.value == (Fraction(1, 2), -Fraction(lost, 2))


def test_a_hex_is_taken_by_somebody_beside_it() -> None:
    # The gun empties 0404 with 2/3 from two hexes away, alone: 6 to 2. To take it, the infantry must take part from beside
    # it, two hexes on: 7 to 2 is 3:1, too. As long as nobody is to advance, that is worth nothing.
    ranges = [{"units": {"types": "artillery"}, "range": 2, "safe": True}]
    units = {"g": ("6-1-0", "0604"), "a": ("1-1-2", "0606"), "e": ("1-2-1", "0404")}
    scenario = position(plain(ranges=ranges, advances={}), units)
    assert solved(scenario, EMPTIED, MP).value == (Fraction(2, 3), 0)
    result = solved(scenario, TAKEN, MP)
    assert result.value == (Fraction(2, 3), -2)
    assert attacks(result) == ["g+a -> 0404"]
    for advances in (None, {"units": {"types": "artillery"}}):
        assert solved(position(plain(ranges=ranges, advances=advances), units), TAKEN, MP).value == (0, 0)


def test_one_attacker_takes_one_of_two_hexes_that_it_empties() -> None:
    # a empties 0404 and 0504 at once with 1/2, 6 to 2 and 1, but can enter one of them: 1/2. With b beside 0504, too, each
    # can enter one. Alone it takes more by an attack on one of them, at 3:1.
    units = {"a": ("6-3-0", "0403"), "e1": ("1-2-1", "0404"), "e2": ("1-1-1", "0504")}
    rule = plain(most_hexes=2, advances={})
    assert solved(position(rule, units), EMPTIED, TAKEN).value == (1, Fraction(1, 2))
    assert solved(position(rule, units), TAKEN, EMPTIED).value == (Fraction(2, 3), Fraction(2, 3))
    both = {**units, "b": ("1-1-0", "0505")}
    assert solved(position(rule, both), EMPTIED, TAKEN).value == (1, 1)


@pytest.mark.parametrize(("cannot", "taken"), [("eliminated", 0), ("loses_steps", 1), ("stays", 1)])
def test_who_must_retreat_and_stays_takes_the_hex(cannot: str, taken: int) -> None:
    # Both must retreat. The enemy goes; a can't, among lakes: it is eliminated, or loses one of its two steps, or nothing.
    lakes = {label: {"terrain": "lake"} for label in ("0304", "0305", "0405", "0504", "0505")}
    both = {"BR": {"text": "both retreat", "attackers": {"retreat": 1}, "defenders": {"retreat": 1}}}
    rule = table("1:1 BR BR", results=both, retreats={"cannot": cannot}, advances={})
    units = {"a": ("4-3-0/2", "0404"), "e": ("1-2-1", "0403")}
    assert solved(position(rule, units, hexes=lakes), EMPTIED, TAKEN).value == (1, taken)
    assert solved(position(rule, units), EMPTIED, TAKEN).value == (1, 0)


def test_a_result_is_as_likely_as_is_asked_for() -> None:
    # 3 to 2 has DE with 1/6, 4 to 2 with 1/2, and 6 to 2 with 2/3, for which there isn't the strength.
    units = {"a": ("3-3-0", "0403"), "b": ("1-1-4", "0701"), "e": ("1-2-1", "0404")}
    scenario = position(plain(), units)
    for share, likely in (("1/6", ["a -> 0404"]), ("1/2", ["a+b -> 0404"])):
        asked = read_goal(scenario, f"DE against 0404 with {share}")
        assert attacks(solved(replace(scenario, requirements=(asked,)), MP)) == likely
    asked = read_goal(scenario, "DE against e with 2/3")
    assert Search(replace(scenario, requirements=(asked,))).run().status == "infeasible"
    assert solved(scenario, {"kind": "attack_results", "targets": "e", "results": ["DE", "NE"]}).value == (1,)
