"""Hints: whether what they say is legal, and some solution has it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.puzzles.author import Author
from planner.puzzles.claim import PuzzleClaim
from planner.puzzles.evidence import Evidence
from planner.puzzles.verification import Check
from planner.referee.verdict import Verdict


def look_at_hint(evidence: Evidence, claim: PuzzleClaim, index: int, hint: PartialPlan, author: Author | None) -> Check:
    """Say whether what a hint says is legal, and leads to the answer that is proved, whatever is claimed."""
    line = evidence.lines.hints.get(index, evidence.lines.answer)
    check = partial(Check, "hint", f"hint {index + 1}", line=line)
    told = author is not None and author.verdict.legal and _has(evidence, author.plan, hint, author.verdict)
    proved = evidence.proved
    if proved is not None and proved.value is not None:
        if told and author is not None and author.value == proved.value:
            return check("holds", "the solution does what the hint says")
        from planner.solver.side_constraints import Conditions

        worth = zip(claim.scenario.tiers, proved.value, strict=True) if proved.value else ()
        conditions = Conditions(hint, goals=(*claim.goals, *worth))
        # What goals look at attacks for has a form only in plans that say who attacks whom.
        scenario = claim.scenario.aiming_at(())
        result = evidence.search(scenario, conditions)
        if result.plan is not None:
            return check("holds", "a solution does what the hint says", plans=(result.plan,))
        if result.status != "infeasible":
            return check("unknown", "whether a solution does what the hint says isn't known")
    legal, violations = (True, None) if told else _is_legal(evidence, hint)
    if legal is False:
        what = "no legal plan does what the hint says, proved"
        if violations is None:
            return check("fails", what)
        return evidence.broken("hint", f"hint {index + 1}", f"{what}; {violations.violations[0]}", violations, line)
    if proved is not None and proved.value is not None:
        what = "it is legal, but no solution does it" if legal else "no solution does what the hint says"
        return check("fails", f"{what}, proved")
    if legal is None:
        return check("unknown", "whether what the hint says is legal isn't known")
    if claim.answer.asks == "impossible":
        return check("holds", "what the hint says is legal")
    if proved is not None:
        return check("skipped", "what the hint says is legal, but there is no answer to which it could lead")
    return check("unknown", "what the hint says is legal; the answer to which it leads isn't known")


def _has(evidence: Evidence, plan: Plan, hint: PartialPlan, verdict: Verdict) -> bool:
    """Tell whether it is plain that a plan does what a hint says, in the order and with the carriers of the hint."""
    if not hint.holds_in(verdict.moves, verdict.position, verdict.attacks):
        return False
    places = {(move.units, move.path): index for index, move in enumerate(plan.moves)}
    said = [move for move in hint.moves if (move.units, move.path) in places]
    if len(said) < len(hint.moves) and (len(hint.moves) > 1 or any(move.carried for move in hint.moves)):
        return False  # where the plan's lines are others, such as those of a stack's units, a search tells of the order
    moves = list(plan.moves)
    slots = sorted(places[move.units, move.path] for move in said)
    for slot, move in zip(slots, said, strict=True):
        made = plan.moves[places[move.units, move.path]]
        moves[slot] = replace(made, carried=move.carried) if any(name for _, name in move.carried) else made
    if moves == list(plan.moves):
        return True
    other = evidence.replay(replace(plan, moves=tuple(moves)))
    return other.legal and other.position.at == verdict.position.at


def _is_legal(evidence: Evidence, hint: PartialPlan) -> tuple[bool | None, Verdict | None]:
    """Tell whether some legal plan, whatever it is worth, has what a hint says; if not, what is wrong with its moves."""
    verdict, attacking = evidence.replay(Plan(hint.moves)), evidence.scenario.asks_for_attacks
    if verdict.legal and not (hint.settles_attacks or attacking) and _has(evidence, Plan(hint.moves), hint, verdict):
        return True, None
    from planner.solver.side_constraints import Conditions

    free = replace(evidence.scenario.aiming_at(()), requirements=())
    result = evidence.search(free, Conditions(hint))
    if result.plan is not None:
        return True, None
    return (False if result.status == "infeasible" else None), None if verdict.legal else verdict
