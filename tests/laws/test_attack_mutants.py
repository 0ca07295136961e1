"""Read any parameter of a rule of attacks otherwise than it is, and a search is found out.

The solver's face alone gets another rule, the referee the real one: the search must contradict the referee, or come to
another value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import planner.solver.coupling.final_position as final_position
from planner.errors import PlannerError
from planner.rules.attack_prospect import attack_rule_in_force
from planner.rules.attack_table import AttackRule
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.coupling.attacks import Attacks
from planner.world.selectors import UnitSelector
from tests.conftest import DEEP
from tests.oracles.attack_plans import field

SEEDS = {
    "against": 31,
    "attackers_together": 22,
    "bars.from_hexes": 15,
    "bars.hexes": 161,
    "bars.hexsides": 62,
    "bars.units": 12,
    "below": 17,
    "by": 8,
    "defenders_together": 151,
    "factors": 12,
    "factors.from_afar": 17,
    "factors.from_hexes": 23,
    "factors.hexes": 24,
    "factors.hexsides": 12,
    "factors.units": 11,
    "losses_first": 3,
    "most_hexes": 12,
    "must_attack": 4,
    "must_be_attacked": 5,
    "only_across": 7,
    "ranges": 3,
    "ranges.alone": 6,
    "ranges.range": 3,
    "ranges.safe": 161,
    "results.attackers.eliminated": 5,
    "results.attackers.retreat": 16,
    "results.attackers.steps": 4,
    "results.defenders.eliminated": 6,
    "results.defenders.retreat": 3,
    "results.defenders.steps": 2,
    "results.exchange": 6,
    "retreats": 4,
    "retreats.cannot": 13,
    "retreats.into_ezoc": 4,
    "retreats.most_friends": 20,
    "rounding": 90,
    "shifts": 4,
    "shifts.attackers": 6,
    "shifts.defenders": 35,
    "shifts.hexes": 42,
    "shifts.hexsides": 15,
}
"""For each parameter, or field of one, a position in which it matters, found at random."""

PLAIN: dict[str, Any] = {
    "ranges.range": 1,
    "ranges.alone": True,
    "ranges.safe": False,
    "bars.units": UnitSelector(),
    "factors.units": UnitSelector(),
    "retreats.into_ezoc": "never",
    "retreats.most_friends": 0,
    "retreats.cannot": "eliminated",
    "eliminated": False,
    "steps": 0,
    "retreat": 0,
}
"""What a field is changed to; those that aren't named here, to nothing."""

FAMILIES = {
    "attack_places": 2,
    "attack_odds": 2,
    "attack_once": 2,
    "must_attack": 4,
    "must_be_attacked": 5,
    "attack_companions": 6,
    "attackers_together": 22,
}
"""For each family of constraints a position in which it matters."""


def changed(rule: AttackRule, name: str) -> AttackRule:
    """Return a rule of which a parameter is as if it weren't given."""
    parameter, _, key = name.partition(".")
    if not key:
        default = AttackRule.model_fields[parameter].get_default(call_default_factory=True)
        return rule.model_copy(update={parameter: default})
    value = PLAIN.get(name, PLAIN.get(key.partition(".")[2]))
    if parameter == "retreats":
        return rule.model_copy(update={parameter: rule.retreats.model_copy(update={key: value})})
    if parameter == "results":
        side, _, inner = key.partition(".")
        results = {
            code: one.model_copy(
                update={side: getattr(one, side).model_copy(update={inner: value})} if inner else {side: None}
            )
            for code, one in rule.results.items()
        }
        return rule.model_copy(update={parameter: results})
    entries = tuple(entry.model_copy(update={key: value}) for entry in getattr(rule, parameter))
    return rule.model_copy(update={parameter: entries})


def is_noticed(scenario: Scenario, search: Callable[[], Search]) -> bool:
    """Tell whether a search contradicts the referee, or comes to another value than the right one."""
    right = Search(scenario).run().value
    try:
        return search().run().value != right
    except PlannerError:
        return True


@pytest.mark.parametrize("name", SEEDS if DEEP else list(SEEDS)[::4])
def test_a_parameter_that_the_solver_reads_otherwise_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = field(SEEDS[name])
    rule = attack_rule_in_force(scenario.game)
    assert rule is not None
    other = changed(rule, name)
    assert other != rule

    def search() -> Search:
        monkeypatch.setattr(final_position, "attack_rule_in_force", lambda game: other)
        return Search(scenario)

    assert is_noticed(scenario, search)


@pytest.mark.parametrize("family", Attacks.FAMILIES)
def test_a_family_of_constraints_that_is_missing_is_noticed(family: str) -> None:
    scenario = field(FAMILIES[family])
    assert is_noticed(scenario, lambda: Search(scenario, without=frozenset([family])))
