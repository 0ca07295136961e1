"""What is illegal in plans of too many outcomes: what few rolls show is illegal indeed."""

from __future__ import annotations

import random

import planner
from planner.errors import InputError
from planner.plans.plan import Move, Plan
from planner.referee.outcomes import Outcomes, illegal_with_few_strays
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from tests.conftest import sized
from tests.seeds import in_chunks

HEXES = [f"{column:02}{row:02}" for column in range(4, 9) for row in range(4, 9)]
Forces = dict[str, tuple[str, int]]
"""Where units stand, and with which strength; ids of enemies begin with e."""


def battle(confidence: str, forces: Forces) -> Scenario:
    """Return a position on clear ground of a game in which units fight where they enter."""
    unit = [
        {
            "id": name,
            "side": "red" if name.startswith("e") else "blue",
            "type": "infantry",
            "values": f"{strength}-4",
            "at": at,
        }
        for name, (at, strength) in forces.items()
    ]
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "classic_hex",
            "phase": "movement",
            "phasing": "blue",
            "confidence": confidence,
            "map": {"hexes": {" ".join(HEXES): "clear"}},
            "unit": unit,
            "tier": [{"terms": [{"kind": "mp_spent"}]}],
        },
        "battle",
    )


def test_a_combat_that_is_likelier_after_another_has_failed_may_be_relied_upon() -> None:
    """Where u1 wins, e1 joins e0, of whom 8 against 6 get the better with 1/2 only; u1 mostly doesn't.

    So u3 wins with more than 3/4, and u2 need not mind its failure.
    """
    forces: Forces = {"e0": ("0705", 4), "e1": ("0605", 2), "e2": ("0707", 4)}
    forces |= {"u0": ("0404", 4), "u1": ("0506", 4), "u2": ("0805", 2), "u3": ("0606", 8)}
    scenario = battle("3/4", forces)
    plan = Plan.parse(["u1 0506x0605", "u0 0404-0505-0605", "u3 0606-0605x0705", "u2 0805-0705x0605"])
    assert planner.check(scenario, plan).legal
    assert illegal_with_few_strays(Referee(scenario.game), plan, scenario.start) == []


@in_chunks(sized(3, 12, 12), 3)
def test_what_few_strays_show_is_illegal_in_the_whole_tree_too(seeds: range) -> None:
    looked_at = illegal = 0
    for seed in seeds:
        rng = random.Random(f"few strays {seed}")
        at = rng.sample(HEXES, 7)
        forces: Forces = {f"e{i}": (at[i], rng.choice((2, 4))) for i in range(3)}
        forces |= {f"u{i}": (at[3 + i], rng.choice((2, 4, 8))) for i in range(4)}
        scenario = battle(rng.choice(("1/2", "3/5", "3/4", "1")), forces)
        referee = Referee(scenario.game)
        for _ in range(20):
            plan = _drawn(scenario, rng)
            try:
                tree = Outcomes(referee, plan, scenario.start)
            except InputError:
                continue
            few = {one.key for one in illegal_with_few_strays(referee, plan, scenario.start)}
            assert few <= {one.key for one in tree.violations}, plan.moves
            looked_at, illegal = looked_at + 1, illegal + bool(few)
    assert 0 < illegal < looked_at


def _drawn(scenario: Scenario, rng: random.Random) -> Plan:
    """Return moves towards enemies, some of which rely on that others have won."""
    game, moves, attacked = scenario.game, [], set[str]()
    held = {at for unit, at in scenario.start.at.items() if game.is_enemy(unit)}
    own = [unit for unit in scenario.start.at if unit in game.friends]
    for unit in rng.sample(own, len(own)):
        path, fights = [scenario.start.at[unit]], set[int]()
        for step in range(1, rng.randint(2, 5)):
            beside = game.board.neighbours[path[-1]]
            near = [label for label in beside if label in held]
            path.append(rng.choice(near if near and rng.random() < 0.7 else list(beside)))
            if path[-1] in held and not (path[-1] in attacked and rng.random() < 0.7):
                fights.add(step)
                attacked.add(path[-1])
                break
        moves.append(Move((unit,), tuple(path), frozenset(fights)))
    return Plan(tuple(moves))
