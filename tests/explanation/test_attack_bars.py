"""What the rule of attacks forbids is part of a reason where it is needed.

0303 has the neighbours 0302, 0304, 0202, 0203, 0402 and 0403.
"""

from __future__ import annotations

from typing import Any

import planner
from tests.oracles.attack_games import attack, position

RIVER: dict[str, Any] = {"hexsides": {"river": ["0302 0303"]}}
BAR: dict[str, Any] = {"bars": [{"because": "nobody attacks across a river", "hexsides": {"features": "river"}}]}


def told(at: str, **rule: Any) -> list[str]:
    """Return why a, of MA 1, can't attack e in 0303."""
    units = {"a": ("4-4-1", at), "e": ("1-1-0", "0303")}
    found = planner.explain(position(attack(**rule), units, **RIVER), require="3:1 against 0303", time_limit=None)
    assert found.status == "forbidden"
    assert [(reason.minimal, reason.confirmed) for reason in found.reasons] == [(True, True)]
    return [one.message for one in found.instances]


def test_who_could_attack_but_across_a_river_is_told_so_beside_what_keeps_him_from_other_hexes() -> None:
    """A comes to 0302 for 1 MP, and attacks from nowhere else."""
    *others, last = told("0301", **BAR)
    assert others
    assert last == "for instance, a may not attack 0303 from 0302: nobody attacks across a river"


def test_a_river_across_which_nobody_could_attack_in_time_is_not_named() -> None:
    """From 0501 a comes to no hex beside e: that it pays is enough."""
    assert not any("river" in one for one in told("0501", **BAR))


def test_that_another_enemy_must_be_attacked_is_told_where_that_leaves_nobody_for_the_attack() -> None:
    """A can't leave 0302, and e2 in 0401 must be attacked, too: a attacks once."""
    units = {"a": ("4-4-0", "0302"), "e": ("1-1-0", "0303"), "e2": ("1-1-0", "0401")}
    found = planner.explain(position(attack(must_be_attacked={}), units), require="3:1 against 0303", time_limit=None)
    assert found.status == "forbidden"
    last = found.instances[-1]
    assert (last.paragraph, last.message) == ("7.1", "for instance, e2 in 0401 must be attacked: a is in its ZOC")
