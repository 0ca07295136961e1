"""What is known of where units can go tells who could help whom."""

from __future__ import annotations

import pytest

import planner
from planner.limits import Limits
from planner.search.known_plans import KnownPlans
from planner.search.reach_cache import ReachCache
from planner.search.reach_report import Witnesses
from tests.instances import instance


@pytest.mark.parametrize(
    ("family", "size"),
    [("dense", "8"), ("villages", "8"), ("islands", "6"), pytest.param("crowded", "8", marks=pytest.mark.thorough)],
)
def test_what_is_listed_for_help_tells_what_each_can_do_by_itself(
    family: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told() -> list[tuple[object, ...]]:
        found = planner.reach_all(instance(family, size, 3))
        alone = [(one.unit, [(entry.hex, entry.mp) for entry in one.alone]) for one in found]
        return [*alone, *((one.unit, {entry.hex for entry in one.with_help}, one.open) for one in found)]

    first = told()
    assert Witnesses(instance(family, size, 3), Limits())._listed_first
    monkeypatch.setattr(Witnesses, "_listed_first", False)
    assert told() == first


def test_plans_that_eliminate_somebody_are_known_as_soon_as_they_are_found() -> None:
    scenario = instance("dense", "12", 0)
    witnesses = Witnesses(scenario, Limits())
    reach = ReachCache(scenario).reach
    known = {unit: dict(witnesses.alone(unit)[0]) for unit in reach.movers}
    helpers = KnownPlans(reach, {unit: {} for unit in known}, witnesses.alone, twice=False)
    found = 0
    for unit, some in known.items():
        for label, pair in some.items():
            helpers.known[unit][label] = pair
            removing = helpers._removing(unit, helpers.known[unit])
            wanted = {name for one in pair[1].moves for name in one.removed}
            assert wanted == {name for name, places in removing.items() if label in places}
            found += bool(wanted)
    assert found


@pytest.mark.thorough
def test_a_unit_by_itself_takes_the_shortest_of_the_cheapest_ways() -> None:
    """The keeper of this puzzle could sail from e2805 to e2810 by way of e2408, too, for as many MP, on two convoys."""
    found = {one.unit: one for one in planner.reach_all(planner.load("dai_senso/puzzles/last_berth"))}
    ways = {entry.hex: entry.path for one in found.values() for entry in one.alone if entry.path[0] == "e2805"}
    assert ways["e2810"] == ("e2805", "e2810")
