"""One model of all units tells of every place that is wanted whether a plan takes its unit there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import planner
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.scenario import Scenario, build_scenario
from planner.search.reach_cache import ReachCache
from planner.search.reach_report import Witnesses, report
from planner.search.wanted_places import WantedPlaces
from tests.oracles.attack_games import attack, position
from tests.plain_game import write_model

Wanted = dict[str, set[str]]


def _lanes(units: dict[str, str], hexes: str) -> Scenario:
    """Return some units of one side on some hexes, one unit a hex."""
    unit = {"side": "allied", "type": "infantry", "traits": "ordered"}
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "great_war",
            "phase": "movement",
            "phasing": "allied",
            "map": {"hexes": {hexes: "countryside"}},
            "unit": [{**unit, "id": name, "at": at} for name, at in units.items()],
        },
        "lanes",
    )


def _lane() -> Scenario:
    """Three hexes in a row; a stands at one end, b in the middle, and the other end is free."""
    return _lanes({"a": "E1", "b": "E2"}, "E1 E2 E3")


def _found(scenario: Scenario, wanted: Wanted) -> tuple[set[tuple[str, str]], bool]:
    """Return who is taken where, and whether it is proved that the rest can't be had."""
    limits, found = Limits(), set[tuple[str, str]]()
    listed = ReachCache(scenario, limits).asking_for(wanted)
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


def test_each_plan_is_asked_to_take_units_to_twice_as_many_places() -> None:
    """Seven units, each with a lane of its own: 1, 2 and 4 of them at least are moved by three plans."""
    columns = "ACEGIKM"
    scenario = _lanes({f"u{c}": f"{c}1" for c in columns}, " ".join(f"{c}1 {c}2" for c in columns))
    limits, wanted = Limits(), {f"u{c}": {f"{c}2"} for c in columns}
    search = WantedPlaces(scenario, limits, ReachCache(scenario, limits).asking_for(wanted))
    plans = 0
    for plan in search.plans(lambda: wanted):
        plans += 1
        for move in plan.moves:
            wanted[move.units[0]].discard(move.end)
    assert not any(wanted.values())
    assert plans <= 3


def test_places_that_cannot_be_had_together_are_had_one_by_one() -> None:
    """A and b both want the only hex between them, one unit a hex: no plan takes two units to what is wanted."""
    wanted: Wanted = {"a": {"E2"}, "b": {"E2"}}
    assert _found(_lanes({"a": "E1", "b": "E3"}, "E1 E2 E3"), wanted) == ({("a", "E2"), ("b", "E2")}, False)


def test_who_helps_a_unit_to_one_hex_is_tried_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is asked once, and tells that a follows b to E2; when b has gone that far, a gets to E3 as well."""
    monkeypatch.setattr(Witnesses, "_after_others", lambda *_: False)
    monkeypatch.setattr(Witnesses, "_try_chains", lambda _, might, known: might)
    plan = Plan((Move(("b",), ("E2", "E3", "E4")), Move(("a",), ("E1", "E2"))))
    monkeypatch.setattr(WantedPlaces, "plans", lambda *_: iter([plan]))
    monkeypatch.setattr(Witnesses, "_searched", lambda *_: frozenset())
    [told] = report(_lanes({"a": "E1", "b": "E2"}, "E1 E2 E3 E4"), ["a"])
    assert {one.hex: str(one.plan) for one in told.with_help} == {
        "E2": "b E2-E3-E4\na E1-E2",
        "E3": "b E2-E3-E4\na E1-E2-E3",
    }


def test_a_unit_is_taken_to_a_full_hex_by_a_friend_who_leaves_it_without_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two units may stay in a hex: b and c fill 0303, two hexes from a; b, the first of them, makes room."""
    monkeypatch.setattr(WantedPlaces, "plans", lambda *_: pytest.fail("it is searched"))
    units = {"a": ("3-3-2", "0301"), "b": ("3-3-1", "0303"), "c": ("3-3-1", "0303")}
    [told] = report(position(attack(), units, tier=[{"terms": [{"kind": "units_moved"}]}]), ["a"])
    [helped] = told.with_help
    assert (helped.hex, [move.units for move in helped.plan.moves]) == ("0303", [("b",), ("a",)])
    assert not told.open


@pytest.mark.thorough
def test_a_model_is_built_once_for_all_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """24 units have 34 hexes that no plan is known for before the search; before, a model was built for each of them."""
    monkeypatch.setattr(Witnesses, "_try_chains", lambda _, might, known: might)
    plain, built = ReachCache.build_options, list[ReachCache]()

    def build(self: ReachCache, *args: Any, **kwargs: Any) -> Any:
        built.append(self)
        return plain(self, *args, **kwargs)

    monkeypatch.setattr(ReachCache, "build_options", build)
    found = planner.reach_all("great_war/over_the_top", time_limit=None)
    assert not any(one.open for one in found)
    assert len(built) == 1


def test_where_units_may_wait_two_leave_too_full_a_hex_and_its_neighbour_for_each_other(tmp_path: Path) -> None:
    # a and s stand in 01.02, where there is room for one in the end: s has no MP, so that a leaves, to where b stands, who
    # goes to 02.01. Neither move is legal alone. That units may wait matters to the passage, which nobody makes.
    rules = """
[[rule]]
id = "stacking"
kind = "stacking"
paragraph = "stacking"
limits = [{ units = 1 }]
[[rule]]
id = "rail"
kind = "passage"
paragraph = "rail"
before_others = true
reads = { origin = { traits = "port" } }
"""
    on_foot, unit = {"terrain": "plain"}, {"side": "south", "type": "foot", "values": "1-1"}
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": str(write_model(tmp_path, rules, turns="waiting = {}\n")),
            "phase": "day",
            "phasing": "south",
            "map": {"hexes": {"01.01": on_foot, "01.02": on_foot, "02.01": on_foot, "02.02": on_foot}},
            "unit": [
                {**unit, "id": "a", "at": "01.02"},
                {**unit, "id": "b", "at": "01.01"},
                {**unit, "id": "s", "at": "01.02", "values": "1-0"},
            ],
        },
        "full",
    )
    [a] = (one for one in planner.reach_all(scenario) if one.unit == "a")
    assert ({entry.hex for entry in a.alone}, {entry.hex for entry in a.with_help}) == ({"02.01", "02.02"}, {"01.01"})
