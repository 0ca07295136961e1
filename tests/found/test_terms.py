"""Terms count what a player would count, in the referee's face and in the solver's."""

from __future__ import annotations

from typing import Any

import pytest

from planner.errors import InputError
from planner.scenario import build_scenario
from planner.search.search import Search

UNITS = [
    {"id": "a", "side": "axis", "nationality": "germany", "type": "armor", "values": "12-4", "at": "J10"},
    {"id": "e", "side": "allies", "nationality": "russia", "type": "infantry", "values": "2-3", "at": "J12"},
    {"id": "pool", "side": "allies", "nationality": "russia", "type": "infantry", "values": "1-3", "at": "force_pool"},
    {"id": "gone", "side": "allies", "nationality": "russia", "type": "infantry", "values": "1-3", "box": "lost"},
]


def _best(term: dict[str, Any], *require: dict[str, Any], units: list[dict[str, Any]] = UNITS) -> int:
    """Return what a term is worth at best; the referee scores the plan, the solver proves that there is no better one."""
    data = {
        "format": "planner/scenario-1",
        "model": "a_world_at_war",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"J10 J11 J12 J13": "clear"}, "boxes": {"force_pool": {}}},
        "unit": units,
        "tier": [{"terms": [term]}],
        "require": list(require),
    }
    found = Search(build_scenario(data, "a position")).run()
    assert found.status == "optimal"
    assert found.value == found.bound
    return int(found.value[0])


STILL = {"kind": "stay", "units": "a"}


@pytest.mark.parametrize("target", ["pool", "gone"])
@pytest.mark.parametrize("term", [{"kind": "odds", "odds": "1:1"}, {"kind": "surround"}])
def test_nobody_attacks_or_surrounds_who_was_not_on_the_map_from_the_start(term: dict[str, Any], target: str) -> None:
    """One lies in a box that is next to nothing, the other was eliminated before."""
    assert _best({**term, "target": target}) == 0


def test_an_attack_on_an_empty_hex_has_no_odds() -> None:
    """Nobody is in J13, and nobody will be: a, beside it or not, has nobody to attack there."""
    assert _best({"kind": "odds", "target": "J13", "odds": "1:1"}) == 0


def test_who_is_overrun_needs_no_attack_any_more() -> None:
    """12 to 2 is 6:1, and the overrun of J12 costs 2 of the 4 MF, after 1 for J11: better than 3:1 in the next phase."""
    assert _best({"kind": "odds", "target": "e", "odds": "3:1"}, {"kind": "eliminate", "units": "e"}) == 1


@pytest.mark.parametrize(("require", "expected"), [((STILL,), 0), ((), 1)])
def test_odds_against_who_has_no_defense_need_an_attacker(require: tuple[dict[str, Any], ...], expected: int) -> None:
    """From J10 nobody stands beside J12; one step takes a there, against 0 points."""
    weak = {"id": "e", "side": "allies", "nationality": "russia", "type": "infantry", "values": "0-3", "at": "J12"}
    assert _best({"kind": "odds", "target": "e", "odds": "9:1"}, *require, units=[UNITS[0], weak]) == expected


@pytest.mark.parametrize("term", [{"kind": "exposure"}, {"kind": "odds", "target": "e", "odds": "3:1"}])
def test_a_term_that_has_no_average_is_refused_with_the_reason(term: dict[str, Any]) -> None:
    """Who stands beside whom hangs on several rolls together; no linear model has their products exactly."""
    units = [
        {"id": "k", "side": "axis", "type": "tank", "values": "9-9-8", "at": "10.10"},
        {"id": "e", "side": "allied", "type": "infantry", "values": "1-1-4", "at": "10.11"},
    ]
    hexes = {"10.10 10.11": "open"}
    base = {"format": "planner/scenario-1", "model": "ocs", "phase": "movement", "phasing": "axis"}
    with pytest.raises(InputError) as raised:
        build_scenario({**base, "map": {"hexes": hexes}, "unit": units, "tier": [{"terms": [term]}]}, "a position")
    [problem] = raised.value.problems
    assert "several rolls together" in problem.what
    assert "hold, end or eliminate" in problem.what
    assert problem.where == "a position: tier[0].terms[0]"
