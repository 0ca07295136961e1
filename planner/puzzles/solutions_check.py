"""How many solutions a puzzle has in substance: whether there is only one, or which others there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from planner.plans.plan import Plan
from planner.puzzles.author import Author
from planner.puzzles.claim import PuzzleClaim
from planner.puzzles.evidence import Evidence
from planner.puzzles.verification import Check, Outcome
from planner.referee.plan_facts import substance_of

if TYPE_CHECKING:
    from planner.search.alternatives import Alternative, Alternatives


def essential(found: Alternatives) -> list[Alternative]:
    """Return the solutions that are proved to do no more than one of them must, of which each is another in substance.

    Where there are no others, that of those that were found is enough.
    """
    sure = [plan for plan in found.plans if plan.essential or found.exhausted]
    return [
        plan
        for plan in sure
        if not any(plan.substance.covers(other.substance) for other in found.plans if other is not plan)
    ]


def unique(evidence: Evidence, claim: PuzzleClaim, wanted: int, author: Author | None, settled: Check) -> Check:
    """Say whether the solution is the only one in substance, or which others there are."""
    claimed, line = claim.answer.unique, evidence.lines.answer

    def check(unique: bool | None, message: str, plans: tuple[Plan, ...] = ()) -> Check:
        outcome: Outcome = "noted" if claimed is None else "unknown" if unique is None else "fails"
        if unique is not None and claimed == unique:
            outcome = "holds"
        return Check("unique", "unique", outcome, message, plans=plans, line=line)

    if settled.outcome != "holds":
        return not_looked_at("unique", "whether there are other solutions", settled, line)
    sound = None if author is None or author.check.outcome != "holds" else author.verdict
    found = evidence.solutions(claim, 1 + wanted)
    solutions = found.plans
    if not solutions:
        evidence.interrupted = evidence.limits.stop.is_set()
        return check(None, f"no solution was found again: {evidence.why_open()}")
    known = solutions[0].substance if sound is None else substance_of(evidence.scenario.game, sound)
    sure = essential(found)
    within = [plan for plan in sure if known.covers(plan.substance)]
    # None of these covers another: whoever does what two of them do, each of which would do, has found both at once.
    cooks = [plan for plan in sure if len(within) > 1 or plan not in within]
    evidence.interrupted = evidence.limits.stop.is_set() and not found.exhausted and len(cooks) < wanted
    if cooks:
        shown = tuple(plan.result.plan for plan in cooks[:wanted] if plan.result.plan is not None)
        least = "" if found.exhausted and len(shown) == len(cooks) else "at least "
        number = f"is {least}one other solution" if len(shown) == 1 else f"are {least}{len(shown)} other solutions"
        told = "; ".join(", ".join(plan.substance.describe(evidence.scenario.game)) for plan in cooks[: len(shown)])
        return check(False, f"there {number}: {told}", shown)
    if not found.exhausted and any(plan not in sure and not known.covers(plan.substance) for plan in solutions):
        return check(None, "another solution is known, of which it isn't settled whether it does more than it must")
    if not found.exhausted:
        return check(None, f"no other solution is known, and none is ruled out: {evidence.why_open()}")
    return check(True, "the solution is unique in substance, proved")


def counted(evidence: Evidence, claim: PuzzleClaim, settled: Check) -> Check:
    """Say whether there are exactly as many solutions in substance as is claimed."""
    claimed, line = claim.answer.solutions, evidence.lines.answer
    assert claimed is not None
    if settled.outcome != "holds":
        return not_looked_at("solutions", "how many solutions there are", settled, line)
    found = evidence.solutions(claim, claimed + 1)
    sure = essential(found)
    number = len(sure)
    known = "; ".join(", ".join(plan.substance.describe(evidence.scenario.game)) or "nobody moves" for plan in sure)
    shown = tuple(plan.result.plan for plan in sure if plan.result.plan is not None)

    def check(outcome: Outcome, message: str) -> Check:
        plans = shown if outcome == "fails" else ()
        return Check("solutions", "solutions", outcome, message, plans=plans, line=line)

    if number > claimed:
        return check("fails", f"there are more solutions than {claimed}, at least {number}: {known}")
    if not found.exhausted:
        evidence.interrupted = evidence.limits.stop.is_set()
        if more := len(found.plans) - number:
            what = f"of {more} besides it isn't settled whether they do more than they must"
            return check("unknown", f"{number} of them known; {what}")
        return check("unknown", f"{number} of them known, and no more ruled out: {evidence.why_open()}")
    told = f"{number} {'solution' if number == 1 else 'solutions'} in substance, proved"
    if number == claimed:
        return check("holds", f"exactly {told}")
    return check("fails", f"{told}, not {claimed}: {known}")


def not_looked_at(kind: Literal["unique", "solutions", "order"], what: str, settled: Check, line: int) -> Check:
    """Return that something wasn't looked at, since what it rests on doesn't hold or isn't settled."""
    why = "doesn't hold" if settled.outcome == "fails" else "isn't settled"
    rests_on = "solution" if settled.kind == "solution" else "answer"
    return Check(kind, kind, "skipped", f"{what} wasn't looked at: the {rests_on} {why}", line=line)
