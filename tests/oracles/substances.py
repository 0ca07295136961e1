"""What every plan of a small position comes to, on the referee alone: each substance with its best value."""

from __future__ import annotations

from collections.abc import Container

from planner.objective.scoring import Value, score, score_position, tier_values
from planner.referee.plan_facts import Substance, covered_by_none, facts_of
from planner.scenario import Scenario
from planner.world.position import Position
from tests.oracles.brute_force import BruteForce
from tests.oracles.every_plan import EveryPlan
from tests.oracles.skirmishes import sorties
from tests.oracles.stacks import EveryStackPlan
from tests.oracles.waiting import Interleaved

Known = dict[Substance, Value]


def on_land(scenario: Scenario, cap: int) -> Known:
    """Return the substances of a position on land, without markers to be taken."""
    assert not scenario.game.removable
    oracle = BruteForce(scenario, cap)
    found: Known = {}
    for state, cost in oracle.reached().items():
        if oracle._may_end(state):
            position, tally = oracle._position(state), oracle._tally(state)
            worth = tier_values(scenario.tiers, score_position(scenario.game, scenario.tiers, position, tally))
            _note(found, scenario, position, tally.mp, tuple(a + b for a, b in zip(worth, cost, strict=True)))
    return found


def at_sea(scenario: Scenario, cap: int) -> Known:
    """Return the substances of a position by land and sea."""
    found: Known = {}
    for position, mp, value in EveryPlan(scenario, cap, longest=5).standings():
        _note(found, scenario, position, mp, value)
    return found


def of_stacks(scenario: Scenario, cap: int, longest: int) -> Known:
    """Return the substances of a position with stacks and rolls."""
    found: Known = {}
    for _, verdict, value in EveryStackPlan(scenario, cap, longest).plans():
        _note(found, scenario, verdict.position, verdict.tally.mp, value)
    return found


def of_those_who_wait(scenario: Scenario, cap: int) -> Known:
    """Return the substances of a position in which units wait for each other."""
    found: Known = {}
    for position, value in Interleaved(scenario, cap).standings():
        _note(found, scenario, position, position.under_way, value)
    return found


def of_combats(scenario: Scenario, cap: int) -> Known:
    """Return the substances of a position in which entering a hex is a combat."""
    found: Known = {}
    for _, verdict in sorties(scenario, cap):
        value = tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict))
        _note(found, scenario, verdict.position, verdict.tally.mp, value)
    return found


def _note(found: Known, scenario: Scenario, position: Position, moved: Container[str], value: Value) -> None:
    substance = facts_of(scenario.game, position, moved)
    if substance not in found or value > found[substance]:
        found[substance] = value


def essential(known: Known) -> list[tuple[Value, Substance]]:
    """Return the substances that cover none that is worth as much, the best first: looked at pair by pair."""
    found = [
        (value, substance)
        for substance, value in known.items()
        if covered_by_none(
            substance, (other for other, worth in known.items() if other != substance and worth >= value)
        )
    ]
    return sorted(found, key=lambda entry: entry[0], reverse=True)
