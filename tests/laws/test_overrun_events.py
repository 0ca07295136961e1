"""What units that wait for each other might do: no plan does anything that isn't among it."""

from __future__ import annotations

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.event_reach import EventReach, UnsuitedError
from tests.conftest import sized
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.waiting import Interleaved, waiting

POSITIONS = sized(15, 60, 600)
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
