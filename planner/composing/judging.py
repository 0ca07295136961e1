"""Whether a position is a puzzle: one solution, proved; no other order; greedy play misses it; nobody is there in vain."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from planner import api
from planner.composing.stipulation import cook
from planner.composing.variation import Units, made_of, without
from planner.errors import PlannerError
from planner.formats.mp import format_mp
from planner.limits import Limits
from planner.objective.scoring import Value, values_of
from planner.plans.plan import Plan, units_of
from planner.playing.players import player_of
from planner.playing.position import Position
from planner.puzzles.verify import verify_scenario
from planner.referee.verdict import Verdict
from planner.scenario import Scenario

SECONDS = 5.0
"""For each search of a position; what takes longer is no puzzle for people."""

LEAST_MOVES, MOST_MOVES = 2, 6
"""How many moves a solution has."""


@dataclass(frozen=True)
class FoundPuzzle:
    """A puzzle.

    Attributes
    ----------
    scenario : Scenario
        The position, with its answer.
    plan : Plan
        The solution.
    value : tuple of Fraction
        What it is worth.
    greedy : Plan
        What greedy play does.
    """

    scenario: Scenario
    plan: Plan
    value: Value
    greedy: Plan


def worth(scenario: Scenario, verdict: Verdict) -> Value:
    """Return what a plan is worth that has been played."""
    return values_of(scenario.game, scenario.tiers, verdict)


def judged(scenario: Scenario, theme: str, proved: bool = True) -> FoundPuzzle | None:
    """Return the position as a puzzle, if it is one and fits the theme; cheap questions first.

    Parameters
    ----------
    scenario : Scenario
        The position.
    theme : str
        One of `THEMES`.
    proved : bool
        Whether everything that it claims must be proved; otherwise that there is no other solution is all that is looked at.
    """
    try:
        if not api.check(scenario, []).legal:
            return None
        result = api.suggest(scenario, time_limit=SECONDS)
        if result.status != "optimal" or result.plan is None or result.verdict is None or result.plan.attacks:
            return None
        plan, value = result.plan, tuple(result.value)
        if not LEAST_MOVES <= len(plan.moves) <= MOST_MOVES or value[0] <= worth(scenario, api.check(scenario, []))[0]:
            return None
        if result.verdict.probability < 1 or not THEMES[theme](scenario, plan):
            return None
        greedy = _greedy(scenario)
        if greedy is None or worth(scenario, api.check(scenario, greedy))[0] >= value[0]:
            return None
        claimed = with_answer(scenario, plan, value)
        if claimed is None or not (holds(claimed) if proved else cook(scenario, SECONDS) is None):
            return None
        return FoundPuzzle(claimed, plan, value, greedy)
    except PlannerError:
        return None


def with_answer(scenario: Scenario, plan: Plan, value: Value, **more: object) -> Scenario | None:
    """Return the position as a puzzle that claims its answer, that it is the only one, and that its order matters."""
    answer = {"question": "best", "value": [format_mp(one) for one in value], "unique": True, "order": True}
    moves = [str(move) for move in plan.moves]
    return made_of({**scenario.to_dict(), "answer": {**answer, "moves": moves, **more}}, scenario)


def holds(puzzle: Scenario, text: str = "") -> bool:
    """Tell whether everything that a puzzle claims is proved."""
    found = verify_scenario(puzzle, 3 * SECONDS, 1, Limits(), text)
    return found.outcome == "holds" and all(check.outcome == "holds" for check in found.checks)


def shrunk(found: FoundPuzzle, theme: str, stop: Callable[[], bool]) -> FoundPuzzle:
    """Return the puzzle without the units that it doesn't need: without one more it is none, or takes fewer moves.

    What it claims then is still to be proved.
    """
    again = True
    while again and not stop():
        again = False
        entries = cast(Units, found.scenario.to_dict()["unit"])
        moving = units_of(found.plan.moves)
        for id_ in [str(entry["id"]) for entry in entries if entry["id"] not in moving]:
            smaller = without(found.scenario, id_)
            less = None if smaller is None or stop() else judged(smaller, theme, proved=False)
            if less is not None and len(less.plan.moves) >= len(found.plan.moves):
                found, again = less, True
                break
    return found


def _greedy(scenario: Scenario) -> Plan | None:
    """Return what greedy play does; None if it doesn't come to a legal end, or rolls: what it misses is then bad luck."""
    position, dice = Position(scenario), random.Random(0)
    unused = dice.getstate()
    player_of("greedy")(position, dice)
    return None if position.problems() or dice.getstate() != unused else Plan(position.made)


# -- themes


def _any(_scenario: Scenario, _plan: Plan) -> bool:
    return True


def _relief(scenario: Scenario, plan: Plan) -> bool:
    """Tell whether a unit ends where another one has left."""
    left: set[str] = set()
    for move in plan.moves:
        if move.end in left and move.end not in move.path[:1]:
            return True
        left.add(move.path[0])
    return False


def _last_berth(scenario: Scenario, plan: Plan) -> bool:
    """Tell whether somebody is carried."""
    return any("~" in str(move) for move in plan.moves)


def _sacrifice(scenario: Scenario, plan: Plan) -> bool:
    """Tell whether the plan makes things worse before they get better: in its first tier, after some of its moves."""
    values = [worth(scenario, api.check(scenario, []))[0]]
    for number in range(1, len(plan.moves)):
        values.append(worth(scenario, api.check(scenario, Plan(plan.moves[:number])))[0])
    return min(values) < values[0]


def _overrun(scenario: Scenario, plan: Plan) -> bool:
    """Tell whether an enemy is overrun."""
    return any(move.overruns for move in plan.moves)


THEMES: dict[str, Callable[[Scenario, Plan], bool]] = {
    "any": _any,
    "relief": _relief,
    "last_berth": _last_berth,
    "sacrifice": _sacrifice,
    "overrun": _overrun,
}
"""By name: what the solution must be like; its order matters whatever the theme."""
