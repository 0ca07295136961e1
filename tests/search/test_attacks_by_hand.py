"""Small positions in which what attacks are worth was worked out by hand: of fixed plans, and of those that react.

Nobody moves. At 4:1 the table has AR DR D2 EX DE DE, at 6:1 DR EX DE DE DE DE, at 2:1 AE AR AR DR DR EX, at 1:1 AE AE AR AR
DR EX; of differences, +4 has DR D1 DE DE.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.limits import Limits
from planner.rules.kinds.attack import Attack
from planner.search.adaptive import adapt
from tests.oracles.attack_games import attack, of_differences, position

GAIN = [{"kind": "enemy_losses"}]
NET = [*GAIN, {"kind": "own_losses"}]
ONE = {"a": ("4-4-0", "0302"), "e": ("1-1-4", "0303")}
BOTH = {"a": ("4-4-0", "0302"), "e": ("1-1-4", "0303"), "e2": ("1-1-4", "0202")}
WEAK = {"a": ("1-4-0", "0302"), "e": ("2-2-4", "0303")}
EVEN = {"a": ("2-2-0", "0302"), "e": ("2-2-4", "0303")}
STACK = {"a": ("4-4-0", "0302"), "e": ("1-1-4", "0303"), "e2": ("1-1-4", "0303")}
STRONG = {"a": ("5-4-0", "0302"), "e": ("1-1-4/2", "0303")}
NO_ROOM = {"a": ("4-4-0", "0101"), "e": ("1-1-4", "0102")}
GUN: dict[str, Any] = {"ranges": [{"units": {"types": "artillery"}, "range": 2, "safe": True}]}

CASES: dict[str, tuple[Attack, dict[str, tuple[str, str]], list[dict[str, Any]], str]] = {
    "EX and DE at 4:1: 3/6": (attack(), ONE, GAIN, "1/2"),
    "EX would cost 4/6 for 3/6: nobody attacks": (attack(), ONE, NET, "0"),
    "6:1 from two sides, no way to retreat: 1, for 2 in an exchange": (
        attack(), {"a": ("4-4-0", "0302"), "b": ("2-2-0", "0304"), "e": ("1-1-4", "0303")}, NET, "2/3",
    ),
    "a gun from afar pays for no exchange: 3/6": (
        attack(**GUN), {"g": ("4-1-0", "0301"), "e": ("1-1-4", "0303")}, NET, "1/2",
    ),
    "two steps at +4: 1/4 of a half, and 2/4": (of_differences(), STRONG, GAIN, "5/8"),
    "below the first column nobody attacks": (attack(), WEAK, GAIN, "0"),
    "below the first column as in it: EX, 2/6": (attack(below="lowest"), WEAK, GAIN, "1/3"),
    "who must attacks at a loss: 2/6, less 2 * 3/6": (attack(must_attack={}), EVEN, NET, "-2/3"),
    "one of two rather than both together": (attack(most_hexes=2), BOTH, GAIN, "1/2"),
    "both, if both must be attacked: EX at 2:1, 2/6": (attack(most_hexes=2, must_be_attacked={}), BOTH, GAIN, "1/3"),
    "DR, D2, EX and DE empty a hex: 5/6": (attack(), ONE, [{"kind": "emptied", "hexes": "0303"}], "5/6"),
    "who is exchanged takes nothing: 4/6": (attack(advances={}), ONE, [{"kind": "taken", "hexes": "0303"}], "2/3"),
    "one of a stack by itself: 4:1": (attack(defenders_together=False), STACK, GAIN, "1/2"),
    "a stack together: EX at 2:1, 2/6": (attack(), STACK, GAIN, "1/3"),
}  # fmt: skip


def solved(rule: Attack, units: dict[str, tuple[str, str]], terms: list[dict[str, Any]], **keys: str) -> set[Fraction]:
    """Return what a fixed plan and one that reacts are worth, and what no plan that reacts exceeds."""
    scenario = position(rule, units, tier=[{"terms": terms}], **keys)
    fixed, reacting = planner.suggest(scenario, time_limit=20), adapt(scenario, Limits.within(20))
    assert (fixed.status, reacting.status) == ("optimal", "optimal")
    return {*fixed.value, *reacting.value, *reacting.bound}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_are_those_worked_out_by_hand(case: str) -> None:
    *position_, value = CASES[case]
    assert solved(*position_) == {Fraction(value)}


@pytest.mark.parametrize(
    ("rule", "terms", "value"),
    [
        (attack(), GAIN, "5/6"),  # all but AR
        (attack(retreats={"cannot": "stays"}), GAIN, "1/2"),  # EX, DE
        (attack(), NET, "0"),  # AR and EX would cost 4/6 each
        (attack(must_attack={}), NET, "-1/2"),
    ],
)
def test_who_can_not_retreat_suffers_what_the_rule_says(rule: Attack, terms: list[dict[str, Any]], value: str) -> None:
    assert solved(rule, NO_ROOM, terms, rows=".\n.") == {Fraction(value)}


def test_who_advances_holds_what_no_fixed_plan_is_sure_of() -> None:
    """4/6: DR, D2, DE and DE let the attacker in, and a plan that reacts sends it there."""
    terms = [{"kind": "hold", "hexes": "0303"}, {"kind": "weak_attacks", "odds": "1:1"}]
    found = adapt(position(attack(advances={}), ONE, tier=[{"terms": terms}]), Limits.within(20))
    assert (found.status, found.value) == ("optimal", (Fraction(2, 3),))
