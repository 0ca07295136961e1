"""Policy files and moves that have been made, mutilated at random: an answer or a sentence for players, nothing else."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import planner
from planner.errors import InputError, Problem
from planner.plans.policy import from_json, parse
from planner.search.policy_judge import judge_policy
from tests.conftest import sized

TIMES = sized(100, 200, 20_000)
MOVES = ["armor+mech 10.10!10.11", "armor+mech 10.10x10.11", "armor+mech 10.10x10.11*2", "mech 10.11-10.12"]
FIRST = {
    "moves": [MOVES[1]],
    "branches": [
        {"made": [MOVES[1]], "probability": "7/12", "then": {"moves": [MOVES[3]]}},
        {"made": [MOVES[0]], "probability": "5/12", "then": {"moves": []}},
    ],
}
POLICY: dict[str, Any] = {
    "format": "planner/policy-1",
    "root": {**FIRST, "branches": [FIRST["branches"][0], {**FIRST["branches"][1], "then": FIRST}]},  # type: ignore[dict-item]
}
JUNK: list[Any] = [
    None, True, -1, 1e308, "", "what", "a b c", "x" * 5_000, [], {}, [[]], {"moves": []}, "\0", "nobody 01.01-01.02",
    "armor+armor 10.10-10.11*99999999", "1/0", "nan", "armor 10.10-10.11", "\U0001f4a5", FIRST, *MOVES,
]  # fmt: skip


def places(data: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to everything in a file, but for what isn't read."""
    if way:
        yield way
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        if key != "probability":
            yield from places(value, (*way, key))


def garbled(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice('-x!~=*/+ 0:9a>()@,."\0\n\u00e9') + text[at + rng.randint(0, 1) :]


def mutilated(rng: random.Random) -> Any:
    data = deepcopy(POLICY)
    for _ in range(rng.choice((1, 1, 2, 3))):
        *way, last = rng.choice([*places(data)] or [("root",)])
        inside: Any = data
        for key in way:
            inside = inside[key]
        how = rng.random()
        if how < 0.35:
            inside[last] = deepcopy(rng.choice(JUNK))
        elif how < 0.5 and isinstance(inside, list):
            inside.insert(last, deepcopy(inside[last]))
        elif how < 0.65:
            inside.pop(last, *([None] if isinstance(inside, dict) else []))
        elif isinstance(inside.get(last) if isinstance(inside, dict) else inside[last], str):
            inside[last] = garbled(inside[last], rng)
    return data


def test_a_mutilated_policy_is_judged_or_refused_with_a_sentence() -> None:
    scenario = planner.load("ocs/two_overruns")
    assert judge_policy(scenario, from_json(POLICY, "policy")).legal
    came, told = Counter[str](), list[tuple[int, Problem]]()
    for seed in range(TIMES):
        data = mutilated(random.Random(f"policy {seed}"))
        try:
            verdict = judge_policy(scenario, parse(json.dumps(data), "policy"))
        except InputError as error:
            came["refused"] += 1
            told += [(seed, problem) for problem in error.problems]
        else:
            came["legal" if verdict.legal else "illegal"] += 1
            assert all(str(fault) for fault in verdict.faults), seed
            assert verdict.legal == (verdict.root is not None), seed
    print(came)
    assert all(problem.what and problem.where for _, problem in told), told
    assert min(came[kind] for kind in ("refused", "illegal", "legal")) >= TIMES / 50


def test_mutilated_moves_that_have_been_made_are_made_or_refused_with_a_sentence() -> None:
    scenario = planner.load("ocs/two_overruns")
    came, told = Counter[str](), list[tuple[int, Problem]]()
    for seed in range(TIMES):
        rng = random.Random(f"after {seed}")
        moves = [rng.choice(MOVES) for _ in range(rng.randint(1, 3))]
        moves = [garbled(move, rng) if rng.random() < 0.5 else move for move in moves]
        try:
            now = scenario.after(moves)
        except InputError as error:
            came["refused"] += 1
            told += [(seed, problem) for problem in error.problems]
        else:
            came["made"] += 1
            assert planner.check(now, []).legal or now.done.moves, (seed, moves)
    print(came)
    assert all(problem.what and problem.where for _, problem in told), told
    assert min(came.values()) >= TIMES / 50
