"""Asks about positions, and prints a line for each answer: processes that order sets differently are to print the same.

Usage: ``python -m tests.oracles.told NAME ...``: shipped scenarios, and kinds of random positions with a seed, ``stacks:1``.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator

import planner
from planner.errors import InputError
from planner.plans.plan import Plan
from planner.puzzles.verify import verify_scenario
from planner.scenario import Scenario
from tests.laws.test_proofs_agree import DRAWN


def position(name: str) -> Scenario:
    """Return a shipped scenario, or a random position."""
    kind, _, seed = name.partition(":")
    return DRAWN[kind](int(seed)).scenario if seed else planner.load(name)


def answers(name: str) -> Iterator[tuple[str, object]]:
    """Yield what was asked about a position, and the answer; no clock ends any."""
    limit = None
    scenario, rng = position(name), random.Random(name)
    game, found = scenario.game, planner.suggest(scenario, time_limit=limit)
    yield "suggest", found.to_dict()
    yield "alternatives", planner.alternatives(scenario, 3, time_limit=limit).to_dict()
    yield "reach --all", [one.to_dict() for one in planner.reach_all(scenario, time_limit=limit)]
    if scenario.answer is not None:
        yield "verify", [check.to_dict() for check in verify_scenario(scenario, limit).checks]
    moves = () if found.plan is None else found.plan.moves
    for plan in (Plan(moves), Plan(moves[-1:]), Plan(tuple(reversed(moves)))) if moves else ():
        yield f"check {plan}", planner.check(scenario, plan).to_dict()
    own = [unit for unit in game.homes if unit in game.friends]
    foes = [unit for unit in game.homes if game.is_enemy(unit)]
    hexes = sorted(game.board.hexes)
    asked = [f"{unit} to {rng.choice(hexes)}" for unit in own[:2]] + [f"eliminate {foe}" for foe in foes[:2]]
    for text in (*asked, *(Plan(moves[-1:]) for _ in moves[:1])):
        goal = isinstance(text, str) and text.startswith("eliminate")
        try:
            told = planner.explain(
                scenario, None if goal else text, require=str(text) if goal else (), time_limit=limit
            )
            yield f"explain {text}", told.to_dict()
        except InputError as error:
            yield f"explain {text}", str(error)


def without_clocks(answer: object) -> object:
    """Return an answer without what a clock has told."""
    if isinstance(answer, dict):
        return {key: without_clocks(value) for key, value in answer.items() if key != "seconds"}
    return [without_clocks(one) for one in answer] if isinstance(answer, list | tuple) else answer


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for asked, answer in answers(name):
            print(f"{name}: {asked}: {json.dumps(without_clocks(answer))}")
