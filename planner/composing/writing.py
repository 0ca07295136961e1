"""A puzzle as its file: with hints, tries and what refutes them, and how difficult it is; verified from its text."""

from __future__ import annotations

from typing import cast

import tomlkit

from planner import api
from planner.composing.judging import SECONDS, FoundPuzzle, holds, with_answer, worth
from planner.errors import PlannerError
from planner.formats.mp import format_mp
from planner.formats.spoken_numbers import spoken_number
from planner.plans.plan import Plan
from planner.scenario import Scenario

NEAR = 6
"""How many of the best plans are looked at for near misses."""


def written(found: FoundPuzzle, title: str) -> tuple[str, dict[str, object]] | None:
    """Return the text of a puzzle's file, and how difficult it is; None if not everything in it can be proved.

    Parameters
    ----------
    found : FoundPuzzle
        The puzzle.
    title : str
        What it is called.
    """
    rated = difficulty(found)
    puzzle = with_answer(found.scenario, found.plan, found.value, hints=_hints(found), why=_why(found))
    if puzzle is None:
        return None
    data = {**puzzle.portable(), "title": title, "verdict": _tries(found)}
    data["description"] = f"{data['description']} Difficulty {rated['stars']} of 5."
    data["source"] = "Composed by machine, and proved."
    document = tomlkit.document()
    for key in sorted(data, key=lambda key: key in ("unit", "marker", "tier", "verdict", "answer")):
        value = data[key]
        if key == "map" and isinstance(value, dict) and isinstance(value.get("rows"), str):
            rows = tomlkit.string(value["rows"], multiline=True)
            value = {**value, "rows": rows}
        document[key] = value
    text = tomlkit.dumps(document)
    try:
        read = Scenario.loads(text, found.scenario.where, found.scenario.beside)
    except PlannerError:
        return None
    return (text, rated) if holds(read, text) else None


def difficulty(found: FoundPuzzle) -> dict[str, object]:
    """Return how difficult a puzzle is: how many units move, how many plans come near, and 1 to 5 stars from these.

    A near miss is one of the best `NEAR` plans that is worth less, and more than nothing in the first tier. A star each for
    more than two moves, more than three, a near miss, and three of them.
    """
    scenario = found.scenario
    nothing = worth(scenario, api.check(scenario, []))[0]
    ranked = api.alternatives(scenario, NEAR, time_limit=SECONDS).plans
    near = sum(nothing < plan.result.value[0] and tuple(plan.result.value) < found.value for plan in ranked)
    depth = len(found.plan.moves)
    return {"depth": depth, "near_misses": near, "stars": 1 + (depth > 2) + (depth > 3) + (near > 0) + (near > 2)}


def _hints(found: FoundPuzzle) -> list[dict[str, object]]:
    """Return hints: where the last one is to get, and what the first one does for that."""
    first, last = found.plan.moves[0], found.plan.moves[-1]
    return [
        {"text": f"In the end {last.units[0]} stands in {last.end}.", "moves": [f"{last.units[0]} -> {last.end}"]},
        {"text": f"First of all {first.units[0]} goes to {first.end}.", "moves": [f"{first.units[0]} -> {first.end}"]},
    ]


def _why(found: FoundPuzzle) -> str:
    greedy = worth(found.scenario, api.check(found.scenario, found.greedy))
    told, less = (" / ".join(map(spoken_number, value)) for value in (found.value, greedy))
    return f"The solution is worth {told}. Who takes at once what can be had gets {less}."


def _tries(found: FoundPuzzle) -> list[dict[str, object]]:
    """Return tries with what comes of them: greedy play, and the last move without those before it."""
    scenario = found.scenario
    tries: list[dict[str, object]] = []
    greedy = worth(scenario, api.check(scenario, found.greedy))
    tries.append(
        {
            "moves": [str(move) for move in found.greedy.moves],
            "legal": True,
            "value": [format_mp(one) for one in greedy],
            "why": "Who takes at once what can be had gets less than the solution."
            if found.greedy.moves
            else "Nothing that can be had at once helps.",
        }
    )
    verdict = api.check(scenario, Plan(found.plan.moves[-1:]))
    if verdict.violations:
        broken = verdict.violations[0]
        told: dict[str, object] = {"moves": [str(found.plan.moves[-1])], "legal": False, "rule": broken.rule}
        told |= {key: cast(object, getattr(broken, key)) for key in ("unit", "at") if getattr(broken, key)}
        tries.append({**told, "why": f"Not at once: {broken.message}"})
    return tries
