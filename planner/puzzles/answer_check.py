"""The answer that a puzzle claims: proved, refuted by a better plan, or neither."""

from __future__ import annotations

from dataclasses import replace

from planner.errors import DisagreementError
from planner.formats.spoken_numbers import spoken_number
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.puzzles.author import Author
from planner.puzzles.claim import PuzzleClaim
from planner.puzzles.evidence import Evidence, Proved, told, units_that_move
from planner.puzzles.verification import Check, Outcome
from planner.reachability.possible_rolls import may_roll
from planner.search.result import Result


def _first(evidence: Evidence, claim: PuzzleClaim, author: Author | None) -> Result:
    """Search for the best plan; where any plan will do that reaches the goal, the author's is as good as any.

    A better one of the author's counts as found, too.
    """
    from planner.solver.side_constraints import Conditions

    own = None if author is None or author.value is None else author
    if own is not None and claim.answer.asks == "reach":
        return Result("feasible", 0.0, plan=own.plan, verdict=own.verdict)
    found = evidence.search(claim.scenario, Conditions(goals=claim.goals))
    if own is None or (found.plan is not None and found.value >= (own.value or ())):
        return found
    if found.status in ("optimal", "infeasible"):
        dump = f"scenario: {evidence.scenario.where}\nplan:\n{own.plan}\n"
        raise DisagreementError(f"the search proves that no plan is worth {told(own.value or ())}", dump)
    return replace(found, status="feasible", value=own.value or (), plan=own.plan, verdict=own.verdict)


def settled(evidence: Evidence, claim: PuzzleClaim, author: Author | None) -> Check:
    """Say whether the answer to the question holds."""
    asks, first = claim.answer.asks, _first(evidence, claim, author)
    plans = () if first.plan is None else (first.plan,)
    if first.status in ("optimal", "infeasible") or (asks == "reach" and plans):
        evidence.proved = Proved(first.value if plans else None)

    def check(outcome: Outcome, message: str, shown: tuple[Plan, ...] = ()) -> Check:
        return Check("claim", "claim", outcome, message, plans=shown, line=evidence.lines.answer)

    if asks == "reach":
        if first.plan is not None:
            own = author is not None and author.value is not None
            return check("holds", f"the goal can be reached, as {'the solution' if own else 'this plan'} shows", plans)
        if first.status == "infeasible":
            return check("fails", "the goal can't be reached, proved")
        return check("unknown", "whether the goal can be reached isn't known")
    if first.status == "infeasible" and claim.goals:
        return check("fails", "no plan reaches the goal, proved")
    if first.status == "infeasible":
        return check("fails", "there is no plan at all, proved; `planner explain` of the file tells why")
    if first.plan is not None and first.value > claim.value:
        return check("fails", _better(claim, first), plans)
    if first.status == "optimal":
        if first.value == claim.value:
            fixed = " that is fixed in advance" if may_roll(evidence.scenario.game) else ""
            return check("holds", f"no plan{fixed} is better than {_said(claim.value, asks)}, proved")
        return check("fails", f"it isn't to be had: the best is {_said(first.value, asks)}, proved", plans)
    if first.bound and first.bound < claim.value and first.bound[0] < claim.value[0]:
        return check("fails", _bounded(first, asks), plans)
    known = "no plan is known"
    if first.plan is not None:
        known = f"the best plan that is known is worth {_said(first.value, asks)}"
        if asks == "shortest":
            known = f"in the best plan that is known {units_that_move(-first.value[0])}"
    bounded = _bounded(first, asks)
    cut = ""
    if evidence.limits.stop.is_set() or evidence.limits.left() == 0:
        cut = f"{';' if bounded else ':'} {evidence.why_open()}"
    return check("unknown", f"{known}, and {bounded or 'nothing is proved'}{cut}")


def _bounded(first: Result, asks: str) -> str:
    """Say what is proved where the answer isn't; nothing is: empty."""
    if not first.bound or (asks == "shortest" and first.bound[0] >= 0):
        return ""
    if asks == "shortest":
        return f"at least {-first.bound[0]} {'unit' if first.bound[0] == -1 else 'units'} must move, proved"
    return f"no plan is worth more than {told(first.bound)}, proved"


def _better(claim: PuzzleClaim, first: Result) -> str:
    asks = claim.answer.asks
    verb = "are" if asks == "shortest" and claim.value[0] != -1 else "is"
    return f"a plan is better: {_said(first.value, asks)}, where {_said(claim.value, asks)} {verb} claimed"


def _said(value: Value, asks: str) -> str:
    if asks != "shortest":
        return told(value)
    return f"{-value[0]} {'unit that moves' if value[0] == -1 else 'units that move'}"


def impossible(evidence: Evidence, claim: PuzzleClaim) -> Check:
    """Say whether it holds that there is no plan."""
    from planner.solver.side_constraints import Conditions

    line = evidence.lines.answer
    result = evidence.search(claim.scenario, Conditions(goals=claim.goals))
    if result.status == "infeasible":
        return Check("claim", "claim", "holds", f"there is no plan, {result.how_ruled_out}", line=line)
    if result.plan is not None:
        told = "the goal can be reached, as this plan shows"
        return Check("claim", "claim", "fails", told, plans=(result.plan,), line=line)
    if claim.goals:
        # Where a search can't prove that there is no plan, its bound may do it.
        bound = evidence.search(evidence.scenario, Conditions()).bound
        if bound and bound[0] < claim.goals[0][1]:
            told = f"no plan comes to more than {spoken_number(bound[0])} in the first tier, proved"
            return Check("claim", "claim", "holds", told, line=line)
    return Check("claim", "claim", "unknown", "no plan is known, and none is ruled out", line=line)
