"""The author's solution: whether it is legal, and does what is claimed."""

from __future__ import annotations

from dataclasses import dataclass

from planner.formats.spoken_numbers import spoken_number
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.puzzles.claim import PuzzleClaim
from planner.puzzles.evidence import Evidence, told, units_that_move
from planner.puzzles.verification import Check
from planner.referee.chosen_results import chosen_results
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict


@dataclass(frozen=True)
class Author:
    """What became of the author's solution: the check, the plan, its verdict, and its worth if it reaches the goal."""

    check: Check
    plan: Plan
    verdict: Verdict
    value: Value | None = None


def look_at_author(evidence: Evidence, claim: PuzzleClaim) -> Author | None:
    """Look at the author's solution."""
    if claim.solution is None:
        return None
    verdict, line = evidence.replay(claim.solution), evidence.lines.answer
    if not verdict.legal:
        told = "; ".join(map(str, verdict.violations))
        broken = evidence.broken("solution", "solution", f"the solution is illegal: {told}", verdict, line)
        return Author(broken, claim.solution, verdict)
    wrong = _chosen(evidence, claim.solution) or _fails(evidence, claim, verdict)
    value = None if wrong else evidence.worth(claim.scenario.tiers, verdict)
    wrong = wrong or _differs(claim, value or ())
    if wrong:
        plans = (claim.solution,)
        short = f"the solution is legal, but {wrong}"
        check = Check("solution", "solution", "fails", short, plans=plans, line=line)
    else:
        check = Check("solution", "solution", "holds", "the solution is legal, and does what is claimed", line=line)
    return Author(check, claim.solution, verdict, value)


def _chosen(evidence: Evidence, solution: Plan) -> str:
    """Say which results the solution has chosen on which dice decide; empty if none."""
    scenario = evidence.scenario
    moves = [move for move, _ in chosen_results(Referee(scenario.game), solution, scenario.start)]
    return f"it says what is rolled, which nobody can choose: {'; '.join(map(str, moves))}" if moves else ""


def falls_short(evidence: Evidence, claim: PuzzleClaim, verdict: Verdict) -> bool:
    """Tell whether a legal plan doesn't reach what is asked for, or is worth less than is claimed."""
    return bool(_fails(evidence, claim, verdict)) or evidence.worth(claim.scenario.tiers, verdict) < claim.value


def _fails(evidence: Evidence, claim: PuzzleClaim, verdict: Verdict) -> str:
    """Say what a legal plan doesn't reach of what is asked for; empty if it reaches all of it."""
    for requirement in evidence.scenario.requirements:
        if not verdict.meets(requirement, evidence.scenario.game):
            return f"it fails a requirement: {requirement.describe()}"
    for (_, least), worth in zip(claim.goals, evidence.worth([tier for tier, _ in claim.goals], verdict), strict=True):
        if worth < least:
            return f"it comes to {spoken_number(worth)} where the goal is {spoken_number(least)}"
    return ""


def _differs(claim: PuzzleClaim, value: Value) -> str:
    """Say in what the worth of a plan differs from what is claimed; empty if it doesn't."""
    if value == claim.value:
        return ""
    if claim.answer.asks == "shortest":
        return f"{units_that_move(-value[0])}, not {claim.answer.length}"
    return f"it is worth {told(value)}, not {told(claim.value)}"
