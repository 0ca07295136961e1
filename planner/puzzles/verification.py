"""What verifying a puzzle answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from planner.errors import Problem
from planner.notebook import Shown
from planner.plans.plan import Plan
from planner.referee.verdict import Violation

Outcome = Literal["holds", "fails", "unknown", "noted", "skipped"]
"""holds: proved. fails: refuted. unknown: neither. noted: nothing was claimed, and this is what was found. skipped:
it wasn't looked at, since the answer on which it rests doesn't hold or isn't settled, or since somebody stopped before."""

Kind = Literal["claim", "solution", "unique", "solutions", "order", "adaptive", "hint", "verdict"]
"""claim: the answer to the question. solution: the author's moves. unique: whether the solution is the only one in
substance. solutions: how many there are. order: whether the author's moves do it in their order alone. adaptive: what plans
that react are worth. hint: whether what a hint says is legal, and some solution has it. verdict: whether moves are as legal
as is said, and that comes of them."""

LEGAL, FAILED, BAD_INPUT, UNKNOWN, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 70, 130

NOT_REACHED = "not reached: it was interrupted before"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    kind : Kind
        What it is.
    name : str
        What to call it: the kind, with a number where there are several.
    outcome : Outcome
        What came out.
    message : str
        One sentence.
    rules : tuple of str
        The ids of the rules of the rulebook that it is about, as ``model/rule``; empty if it is about none.
    violations : tuple of Violation
        What is wrong with moves.
    plans : tuple of Plan
        The plans that show it: a better one, the cooks.
    line : int
        The line of the file, from 1; 1 where it isn't known.
    """

    kind: Kind
    name: str
    outcome: Outcome
    message: str
    rules: tuple[str, ...] = ()
    violations: tuple[Violation, ...] = ()
    plans: tuple[Plan, ...] = ()
    line: int = 1

    def to_dict(self) -> dict[str, object]:
        """Return it as data, as verifications hold it."""
        return {
            "kind": self.kind,
            "name": self.name,
            "outcome": self.outcome,
            "message": self.message,
            "line": self.line,
            "rules": list(self.rules),
            "violations": [violation.to_dict() for violation in self.violations],
            "plans": [[str(move) for move in plan.moves] for plan in self.plans],
        }


@dataclass(frozen=True)
class Verification(Shown):
    """What became of one file.

    Attributes
    ----------
    where : str
        The file.
    title : str
        What players call the scenario.
    model : str
        The game.
    question : str or None
        What is asked; None if nothing is.
    checks : tuple of Check
        Everything that was looked at.
    problems : tuple of Problem
        Why the file could not be read; then nothing was looked at.
    fault : str or None
        A fault of the planner, if solver and referee contradicted each other.
    seconds : float
        How long it took.
    interrupted : bool
        Whether somebody stopped it before everything was settled.
    """

    where: str
    title: str = ""
    model: str = ""
    question: str | None = None
    checks: tuple[Check, ...] = ()
    problems: tuple[Problem, ...] = ()
    fault: str | None = None
    seconds: float = 0.0
    interrupted: bool = False

    def to_dict(self) -> dict[str, object]:
        """Return it as data: one of the files of ``planner/verification-1``."""
        return {
            "file": self.where,
            "title": self.title,
            "model": self.model,
            "question": self.question,
            "outcome": self.outcome,
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "problems": [{"what": problem.what, "where": problem.where} for problem in self.problems],
            "fault": self.fault,
            "checks": [check.to_dict() for check in self.checks],
        }

    def __repr__(self) -> str:
        told = "; ".join(f"{check.name} {check.outcome}" for check in self.checks if check.kind != "verdict")
        return f"<Verification of {self.where}: {self.outcome}{': ' * bool(told)}{told}>"

    @property
    def outcome(self) -> str:
        """What it comes to: "bad input", "fault", "fails", "unknown", "holds", "nothing claimed", or "not reached"."""
        if self.problems:
            return "bad input"
        if self.fault is not None:
            return "fault"
        found = {check.outcome for check in self.checks}
        for worst in ("fails", "unknown", "holds"):
            if worst in found:
                return worst
        return "not reached" if self.interrupted else "nothing claimed"

    @property
    def claim(self) -> Check | None:
        """The answer to the question."""
        return next((check for check in self.checks if check.kind == "claim"), None)


def exit_code(verifications: Iterable[Verification]) -> int:
    """Return the exit code of several files: that of the gravest.

    0: everything claimed holds; 1: something fails; 2: a file can't be read; 3: something could not be settled; 70: a
    fault of the planner; 130: it was interrupted, so that not everything has been looked at.
    """
    verifications = tuple(verifications)
    if any(one.interrupted for one in verifications):
        return INTERRUPTED
    outcomes = {one.outcome for one in verifications}
    for outcome, code in (("fault", OUR_FAULT), ("bad input", BAD_INPUT), ("fails", FAILED), ("unknown", UNKNOWN)):
        if outcome in outcomes:
            return code
    return LEGAL
