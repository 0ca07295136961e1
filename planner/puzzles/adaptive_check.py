"""What the best way of playing is claimed to be worth, where dice are rolled: proved, refuted, or neither."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from planner.errors import InputError, Problem
from planner.formats.files import read_text
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.plans.policy import Node, parse
from planner.puzzles.claim import at_most_one_each, ensure_one_each, read_numbers
from planner.puzzles.evidence import Evidence, told
from planner.puzzles.verification import Check, Outcome
from planner.scenario import Scenario
from planner.search.policy_judge import judge_policy


@dataclass(frozen=True)
class Reacting:
    """What is claimed of plans that react.

    Attributes
    ----------
    value : tuple of Fraction
        What the best way of playing is worth, a number for each tier; empty: that isn't said.
    least : tuple of Fraction
        What some way of playing is worth at least, in the first tiers; empty: that isn't said.
    policy : Node or None
        The author's way of playing.
    """

    value: Value
    least: Value
    policy: Node | None


def read_reacting(scenario: Scenario, problems: list[Problem]) -> Reacting | None:
    """Return what a scenario claims of plans that react; None if nothing. What is wrong with it is noted."""
    entry = None if scenario.answer is None else scenario.answer.adaptive
    if entry is None:
        return None
    place = f"{scenario.where}: answer.adaptive"
    value = read_numbers(entry.value, f"{place}.value", problems)
    least = read_numbers(entry.least, f"{place}.least", problems)
    if entry.value:
        ensure_one_each(entry.value, scenario.tiers, f"{place}.value", problems)
    if len(entry.least) > len(scenario.tiers):
        problems.append(Problem(at_most_one_each(scenario.tiers), f"{place}.least"))
    policy = None
    if entry.policy is not None:
        file = (scenario.beside or Path()) / entry.policy
        try:
            policy = parse(read_text(file), str(file))
        except InputError as error:
            problems += [replace(problem, where=f"{place}.policy: {problem.where}") for problem in error.problems]
    return Reacting(value, least, policy)


def look_at_reacting(evidence: Evidence, claim: Reacting) -> Check:
    """Say whether the best way of playing is worth what is claimed."""
    author: Value | None = None
    if claim.policy is not None:
        judged = judge_policy(evidence.scenario, claim.policy)
        if not judged.legal:
            wrong = "; ".join(map(str, judged.faults))
            return _check(evidence, "fails", f"the author's policy can't be played: {wrong}")
        if judged.false:
            wrong = "; ".join(map(str, judged.false))
            return _check(evidence, "fails", f"the author's policy says what isn't so: {wrong}")
        author = judged.value
        if claim.value and author != claim.value:
            return _check(evidence, "fails", f"the author's policy is worth {told(author)}, not {told(claim.value)}")
        if claim.least and author[: len(claim.least)] >= claim.least:
            return _check(evidence, "holds", f"the author's policy is worth {told(author)}")
    return _searched(evidence, claim, author)


def _searched(evidence: Evidence, claim: Reacting, author: Value | None) -> Check:
    """Search for the best way of playing, and hold what is claimed against it."""
    from planner.search.adaptive import adapt

    found, wanted = adapt(evidence.scenario, evidence.limits), claim.value or claim.least
    size = len(wanted)
    plans = () if found.plan is None else (found.plan,)
    if found.status == "infeasible":
        return _check(evidence, "fails", "no way of playing fulfils every requirement, proved")
    if found.root is not None and found.value[:size] >= wanted and claim.least:
        return _check(evidence, "holds", f"a way of playing is worth {told(found.value)}")
    if found.root is not None and found.value > wanted:
        message = f"a way of playing is worth {told(found.value)}, where {told(wanted)} is claimed; it begins so"
        return _check(evidence, "fails", message, plans)
    if found.status == "optimal":
        if found.value == wanted:
            return _check(evidence, "holds", f"no way of playing is worth more than {told(wanted)} on average, proved")
        return _check(evidence, "fails", f"the best way of playing is worth {told(found.value)}, proved", plans)
    if found.bound and found.bound[0] < wanted[0]:
        return _check(evidence, "fails", f"no way of playing is worth more than {told(found.bound)}, proved")
    if claim.value and author == wanted == found.bound:
        return _check(evidence, "holds", f"no way of playing is worth more than {told(wanted)} on average, proved")
    known = max((one for one in (author, found.value) if one), default=())
    best = f"the best way of playing that is known is worth {told(known)}" if known else "no way of playing is known"
    bounded = (
        f"no way of playing is worth more than {told(found.bound)}, proved" if found.bound else "nothing is proved"
    )
    return _check(evidence, "unknown", f"{best}, and {bounded}. {found.reason}".rstrip())


def _check(evidence: Evidence, outcome: Outcome, message: str, plans: tuple[Plan, ...] = ()) -> Check:
    return Check("adaptive", "adaptive", outcome, message, plans=plans, line=evidence.lines.adaptive)
