"""Whom written attacks leave out, though he must attack, attacks, too: no smaller change does.

0303 has the neighbours 0302, 0304, 0202, 0203, 0402 and 0403.
"""

from __future__ import annotations

from typing import Any

import pytest

import planner
from tests.oracles.attack_games import attack, position

UNITS = {"a": ("4-4-4", "0302"), "b": ("2-2-4", "0403"), "c": ("1-1-1", "0707"), "e": ("1-2-4", "0303")}
PAIR = UNITS | {"e2": ("1-1-0", "0503")}
FAR = UNITS | {"b": ("2-2-4", "0604"), "c": ("1-1-1", "0705"), "e2": ("1-1-0", "0704")}


def told(units: dict[str, tuple[str, str]], *lines: str, **rule: Any) -> list[str]:
    """Return what the side can do itself; each has been played."""
    board = position(attack(**rule), units)
    found = planner.explain(board, planner.Plan.parse(lines), time_limit=None)
    own = [remedy for remedy in found.remedies if remedy.own]
    assert all(planner.check(board, remedy.plan).legal for remedy in own)
    assert found.status == ("with_help" if own else "forbidden")
    return [str(remedy) for remedy in own]


def test_who_must_attack_may_join_a_written_attack_also_where_no_others_are_meant() -> None:
    for closed in ([], ["no other attacks"]):
        assert told(UNITS, "a -> 0303", *closed, must_attack={}) == ["if b attacks 0303, too"]


def test_each_hex_that_he_may_attack_is_named() -> None:
    """B stands beside e and e2."""
    both = told(PAIR, "a -> 0303", must_attack={})
    assert both == ["if b attacks 0303, too", "if b attacks 0503, too"]
    assert told(PAIR, "a -> 0303", "no other attacks", must_attack={}) == both[:1]


def test_all_who_must_attack_are_named_in_an_attack_of_their_own() -> None:
    """B and c stand beside e2."""
    assert told(FAR, "a -> 0303", must_attack={}) == ["if b and c attack 0704, too"]


def test_who_must_be_attacked_is_attacked_by_each_who_may() -> None:
    assert told(FAR, "a -> 0303", must_be_attacked={}) == ["if b attacks 0704, too", "if c attacks 0704, too"]


def test_who_is_said_to_attack_the_same_hex_twice_may_attack_it_together() -> None:
    """A and b are 4 and 2 against 2; b alone, 1:1, may not attack twice what a attacks."""
    assert told(UNITS, "a -> 0303", "b -> 0303") == ["if a and b attack 0303 together"]
    weak = UNITS | {"a": ("1-4-4", "0302"), "b": ("1-2-4", "0403")}
    assert told(weak, "a -> 0303", "b -> 0303") == ["if a and b attack 0303 together"]


def test_who_must_attack_but_is_said_to_do_nothing_is_one_thing_where_his_enemies_are_two() -> None:
    """By hand: a stands beside e and f, and must attack because of either."""
    board = planner.Scenario.from_dict(
        {
            "format": "planner/scenario-1",
            "model": "crossroads",
            "phase": "movement",
            "phasing": "blue",
            "map": {"hexes": {"0404 0405 0504": "clear"}},
            "unit": [
                {"id": id, "side": side, "type": "infantry", "values": "2-2-2", "at": at}
                for id, side, at in (("a", "blue", "0404"), ("e", "red", "0405"), ("f", "red", "0504"))
            ],
        }
    )
    found = planner.explain(board, "no attacks", time_limit=60)
    assert [(str(one), one.fewest) for one in found.remedies] == [("if a were not there", True)]


SOFT = [
    {"of": "defense", "hexes": {"terrain": "woods"}, "times": 2},
    {"of": "attack", "units": {"supplied": False}, "times": "1/2"},
]
"""By hand: 12/2 against 2·2 are 1:1; 12 against 4 are 3:1, and so are 6 against 2. The enemy loses 1/6 of 2, or 1/3."""


@pytest.mark.parametrize("asked", [{"require": "3:1 against 0303"}, {"value": "2/3"}])
def test_the_ground_of_who_is_attacked_may_be_what_would_have_to_be_different(asked: dict[str, Any]) -> None:
    units = {"a": ("12-4-0", "0302"), "e": ("1-2-0", "0303")}
    tier = [{"terms": [{"kind": "enemy_losses"}]}]
    board = position(attack(factors=SOFT), units, hexes={"0303": "woods"}, unsupplied=["a"], tier=tier)
    found = planner.explain(board, **asked, time_limit=None)
    assert found.status == "forbidden"
    assert {"if 0303 were clear", "if a were supplied"} <= {str(remedy) for remedy in found.remedies}
