"""A puzzle on the board: what it asks, its hints one by one, and whether what has been made solves it."""

from __future__ import annotations

from planner.errors import InputError, Problem
from planner.formats.spoken_numbers import spoken_number
from planner.objective.scoring import values_of
from planner.plans.plan import Plan
from planner.playing.game_record import phases_of
from planner.playing.position import Position
from planner.puzzles.claim import Claim, read_claim
from planner.referee.referee import Referee

_ASKED = {
    "best": "Find the best plan.",
    "reach": "How is the goal reached?",
    "shortest": "How is the goal reached with as few units that move as possible?",
    "impossible": "Why can't the goal be reached?",
}


def puzzle(position: Position) -> dict[str, object]:
    """Say what the scenario with which a position began asks as a puzzle, and whether its moves solve it.

    Returns
    -------
    dict
        ``asks``: the question, or None where there is none; ``goal``: what is to be had, in words; ``hints``: how many there
        are; ``solved``: True, False, or None where moves don't show it; ``worth``: what they come to, tier by tier.
        The answer isn't in it.
    """
    first = phases_of(position)[0]
    scenario = first.begin
    claim = read_claim(scenario)
    if claim is None:
        return {"asks": None}
    goal = [tier.name for tier in scenario.tiers if tier.name] + [one.describe() for one in scenario.requirements]
    solved, worth = _judged(first, claim)
    return {
        "asks": _ASKED[claim.answer.asks],
        "goal": goal,
        "hints": len(claim.answer.hints),
        "solved": solved,
        "worth": worth,
    }


def _judged(first: Position, claim: Claim) -> tuple[bool | None, list[str]]:
    """Tell whether the first phase solves it: None where it isn't for moves to show."""
    scenario, game = first.begin, first.begin.game
    made = first.made[len(scenario.done.moves) :]
    verdict = Referee(game).play(Plan(made, first.attacks or None), scenario.start)
    told = [spoken_number(one) for one in values_of(game, scenario.tiers, verdict)]
    if claim.answer.asks == "impossible":
        return None, told
    kept = all(
        one.holds(game, after, tally) for one in scenario.requirements for after, tally in verdict.all_outcomes()
    )
    goals = values_of(game, [tier for tier, _ in claim.goals], verdict)
    reached = all(have >= least for have, (_, least) in zip(goals, claim.goals, strict=True))
    worth_it = values_of(game, claim.scenario.tiers, verdict) >= claim.value
    return verdict.legal and kept and reached and worth_it, told


def hint(position: Position, number: int) -> dict[str, object]:
    """Return one of a puzzle's hints, counted from 1.

    Raises
    ------
    InputError
        If there is none.
    """
    answer = phases_of(position)[0].begin.answer
    hints = answer.hints if answer is not None else ()
    if not 1 <= number <= len(hints):
        raise InputError([Problem(f"there are {len(hints)} hints, not {number}", "number")])
    told = hints[number - 1]
    return {"text": told.text, "moves": list(told.moves)}
