"""One model of all units tells of every place that is wanted whether a plan takes its unit there."""

from __future__ import annotations

from typing import Any

import pytest

import planner
from planner.limits import Limits
from planner.scenario import Scenario, build_scenario
from planner.search.reach_cache import ReachCache
from planner.search.wanted_places import WantedPlaces

Wanted = dict[str, set[str]]


def _lane() -> Scenario:
    """Three hexes in a row, one unit a hex; a stands at one end, b in the middle, and the other end is free."""
    unit = {"side": "allied", "type": "infantry", "traits": "ordered"}
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "great_war",
            "phase": "movement",
            "phasing": "allied",
            "map": {"hexes": {"E1 E2 E3": "countryside"}},
            "unit": [{**unit, "id": "a", "at": "E1"}, {**unit, "id": "b", "at": "E2"}],
        },
        "a lane",
    )


def _found(scenario: Scenario, wanted: Wanted) -> tuple[set[tuple[str, str]], bool]:
    """Return who is taken where, and whether it is proved that the rest can't be had."""
    limits, found = Limits(), set[tuple[str, str]]()
    listed = ReachCache(scenario, limits).asking_for(frozenset().union(*wanted.values()))
    search = WantedPlaces(scenario, limits, listed)
    for plan in search.plans(lambda: wanted):
        verdict = planner.check(scenario, plan)
        assert verdict.legal
        news = {(unit, at) for unit, at in verdict.position.at.items() if at in wanted.get(unit, ())}
        assert news
        found |= news
        for unit, at in news:
            wanted[unit].discard(at)
    return found, search.proved


def test_a_follows_b_which_goes_on_and_b_never_gets_behind_a() -> None:
    """B to E3, then a to E2; nobody passes anybody in so narrow a lane, so that b doesn't come to E1, nor a to E3."""
    wanted: Wanted = {"a": {"E2", "E3"}, "b": {"E1", "E3"}}
    assert _found(_lane(), wanted) == ({("a", "E2"), ("b", "E3")}, True)


@pytest.mark.thorough
def test_a_model_is_built_once_for_all_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """24 units have 34 hexes that no plan is known for before the search; before, a model was built for each of them."""
    plain, built = ReachCache.build_options, list[ReachCache]()

    def build(self: ReachCache, *args: Any, **kwargs: Any) -> Any:
        built.append(self)
        return plain(self, *args, **kwargs)

    monkeypatch.setattr(ReachCache, "build_options", build)
    found = planner.reach_all("great_war/over_the_top", time_limit=None)
    assert not any(one.open for one in found)
    assert len(built) == 1
