"""What can't matter where units wait for each other is left out of a model, and nothing is lost by it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.objective import Tier
from planner.rules.kinds.joint_overrun import JointOverrun
from planner.scenario import Scenario, build_scenario
from planner.search.reach_cache import ReachCache
from planner.search.relevance import CrowdingEndState
from planner.solver.event_layer import Events
from planner.world.selectors import UnitSelector
from tests.conftest import sized
from tests.oracles.waiting import draw_waiting
from tests.seeds import in_chunks
from tests.solving import searched, solved_tier_by_tier

SEEDS = sized(5, 25, 2_000)


def german(unit: str, at: str, kind: str = "infantry", attack: int = 3, ma: int = 3) -> dict[str, Any]:
    """Return a unit that moves."""
    values = {"attack": attack, "defense": 1, "ma": ma}
    return {"id": unit, "side": "axis", "type": kind, "nationality": "germany", "at": at, **values}


def scenario_of(hexes: str, units: list[dict[str, Any]], goals: list[dict[str, Any]]) -> Scenario:
    """Return a position in which MP are to be saved besides."""
    data = {
        "format": "planner/scenario-1",
        "model": "a_world_at_war",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {hexes: "clear"}},
        "unit": units,
        "tier": [{"terms": goals}, {"terms": [{"kind": "mp_spent"}]}],
    }
    return build_scenario(data, "a road")


def make_room() -> Scenario:
    # Two may stand in a hex. For late to come to A2 one of a and b goes on to A3, where there is room: 1 MP each.
    units = [german("late", "A1"), german("a", "A2"), german("b", "A2"), german("c", "A3")]
    return scenario_of("A1 A2 A3 A4", units, [{"kind": "end", "unit": "late", "at": "A2"}])


def make_room_after_an_overrun() -> Scenario:
    # It takes both panzers, 6 to 1, which is what it takes; 2 MP each, as an overrun costs one more. Two may stand in A3, so
    # that one of them goes on for late: 1 MP and 2.
    corps = [german("p0", "A2", "armor", 3, 5), german("p1", "A2", "armor", 3, 5), german("late", "A1", ma=6)]
    enemy = german("e", "A3", "infantry", 1, 0) | {"side": "allies", "nationality": "russia"}
    goals: list[dict[str, Any]] = [{"kind": "eliminate", "units": ["e"]}, {"kind": "end", "unit": "late", "at": "A3"}]
    return scenario_of("A1 A2 A3 A4", [*corps, enemy], goals)


PUZZLES: dict[Callable[[], Scenario], tuple[Fraction, ...]] = {
    make_room: (Fraction(1), Fraction(-2)),
    make_room_after_an_overrun: (Fraction(2), Fraction(-7)),
}


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.__name__)
def test_who_has_nothing_to_gain_moves_where_others_need_the_room(puzzle) -> None:  # type: ignore[no-untyped-def]
    assert searched(puzzle()) == PUZZLES[puzzle]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.__name__)
def test_the_puzzles_notice_if_nobody_is_thought_to_make_room(  # type: ignore[no-untyped-def]
    puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CrowdingEndState, "at_most", lambda *_: None)
    assert searched(puzzle()) != PUZZLES[puzzle]


def test_whether_there_are_plans_that_the_model_leaves_out_is_told_of_all_that_units_could_do() -> None:
    # Infantry that supports an overrun may have to move for it first: of that the model knows nothing, and nothing else
    # that infantry does is of any use here.
    scenario = make_room_after_an_overrun()
    scenario = replace(scenario, tiers=(Tier(terms=scenario.tiers[0].terms[:1]),))
    rule = next(rule for rule in scenario.game.rulebook.rules if isinstance(rule, JointOverrun))
    assert rule.support is not None
    by_infantry = rule.support.model_copy(update={"units": UnitSelector(types=("infantry",))})
    changed = rule.model_copy(update={"support": by_infantry})
    rules = tuple(changed if other is rule else other for other in scenario.game.rulebook.rules)
    game = replace(scenario.game, rulebook=replace(scenario.game.rulebook, rules=rules), _cache={})
    known = ReachCache(replace(scenario, game=game))
    for everything in (True, False):
        layer = known.build_events(everything).layer
        assert isinstance(layer, Events)
        assert layer.narrow


def coming_up() -> dict[str, Any]:
    """Return a position in which infantry may support overruns of neighbouring hexes, and stands one hex too far away."""
    support = {"paragraph": "13.53", "units": {"types": "infantry", "traits": []}, "range": 1}
    enemy = {**german("e", "B3", attack=1), "side": "allies", "nationality": "russia"}
    return {
        "format": "planner/scenario-1",
        "model": "a_world_at_war",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"B1 B2 B3": "clear"}, "boxes": {"force_pool": {}}},
        "charts": {"rules": {"overruns": {"support": support}}},
        "unit": [german("u", "B2", "armor"), german("w", "B1"), enemy],
        "tier": [{"terms": [{"kind": "hold", "hexes": "B3"}]}],
    }


def test_that_a_hex_is_too_strong_is_not_proved_where_a_friend_may_come_up_to_support_its_overrun() -> None:
    """By hand: u alone is 3 to 1, and it takes 6:1; w moves to B2, and supports it with 3 from there."""
    scenario = build_scenario(coming_up(), "coming up")
    assert planner.check(scenario, ["w B1-B2", "u B2xB3(w)"]).legal
    found = planner.suggest(scenario)
    assert found.bound == (1,)
    assert found.status == "feasible" or found.value == (1,)
    for question in ({"moves": "u to B3"}, {"require": "eliminate e"}):
        assert planner.explain(scenario, **question, time_limit=10).status != "forbidden"


def crowded(seed: int) -> Scenario:
    """Return a position of units that wait, where some hexes are full: two may stand in each."""
    rng = random.Random(f"crowded {seed}")
    data = draw_waiting(rng)
    free = sorted(data["map"]["hexes"].keys() - {unit["at"] for unit in data["unit"]})
    for label in rng.sample(free, min(3, len(free))):
        data["unit"] += [german(f"{label}_{n}", label, attack=rng.randint(1, 3), ma=rng.randint(1, 2)) for n in (1, 2)]
    data["map"]["boxes"] = {}
    data["tier"][0]["terms"].append({"kind": "end", "unit": "u0", "at": rng.choice(free), "weight": 5})
    return build_scenario(data, f"crowded {seed}")


@in_chunks(SEEDS)
def test_what_is_left_out_costs_those_who_wait_nothing(seeds: range) -> None:
    sizes = [0, 0]
    for seed in seeds:
        known = ReachCache(crowded(seed))
        models = [known.build_events(everything) for everything in (True, False)]
        every, some = map(solved_tier_by_tier, models)
        assert every == some, f"seed {seed}"
        sizes = [size + len(model.coupling.model.proto.variables) for size, model in zip(sizes, models, strict=True)]
    assert sizes[1] < 0.8 * sizes[0]
