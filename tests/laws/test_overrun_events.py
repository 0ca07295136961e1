"""What units that wait for each other might do: no plan does anything that isn't among it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.event_reach import EventReach, UnsuitedError
from planner.scenario import load_scenario
from tests.conftest import sized
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.waiting import Interleaved, waiting

POSITIONS = sized(5, 60, 600)
CAP = 1_500


def test_no_plan_gets_a_unit_or_eliminates_an_enemy_beyond_what_might_be_by_overruns_together() -> None:
    looked_at = opposed = stayed = 0
    for seed in range(10_000):
        scenario = waiting(seed)[0]
        game = scenario.game
        try:
            events = EventReach(ConditionalReach(game))
            best = {unit: events.at_best(unit) for unit in game.homes if unit in game.friends}
            for position, _ in Interleaved(scenario, CAP, all_walk=True).standings():
                for unit, (ends, _) in best.items():
                    assert position.at.get(unit) in ends or unit not in position.at, (seed, unit)
                gone = {enemy for enemy in game.homes if game.is_enemy(enemy) and enemy not in position.at}
                assert gone <= {enemy for _, removes in best.values() for enemy in removes}, seed
        except (TooManyStatesError, UnsuitedError):
            continue
        looked_at += 1
        labels = {game.homes[enemy] for enemy in game.homes if game.is_enemy(enemy)}
        stayed += bool(labels - events.events.keys())
        opposed += any(rule.opponents_of(game, label) for rule in game.rulebook.overrunning for label in labels)
        if looked_at == POSITIONS:
            break
    assert stayed
    assert opposed


@pytest.mark.thorough
def test_support_of_enemies_who_might_be_overrun_first_need_not_be_survived() -> None:
    """By hand: in H8, 9 and support of 3 from luftflotte_2 is enough against 2, but not against 3 with the fighters.

    Beside army_2 in H6 these are eliminated with it: 11 and support of 3 from luftflotte_1 against 1, and 1 of their own.
    """
    scenario = load_scenario("a_world_at_war/through_the_line")
    far = EventReach(ConditionalReach(scenario.game)).events
    homes = {**scenario.game.homes, "fighters_1": "H6"}
    near = EventReach(ConditionalReach(replace(scenario.game, homes=homes, _cache={}))).events
    assert ("H8" in far, "H6" in near, "H8" in near) == (False, True, True)
