"""Settles what a puzzle claims: by proof, by a better plan, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from planner.errors import InputError, Problem
from planner.limits import Limits
from planner.puzzles import answer_check, author, hint_check, order_check, solutions_check, verdict_check
from planner.puzzles.adaptive_check import look_at_reacting, read_reacting
from planner.puzzles.claim import read_claim
from planner.puzzles.evidence import Evidence
from planner.puzzles.file_lines import FileLines
from planner.puzzles.verification import NOT_REACHED, Check, Kind
from planner.scenario import Scenario

DEFAULT_COOKS = 3


class Settler:
    """Settles the claims of one puzzle.

    Parameters
    ----------
    scenario : Scenario
        The puzzle.
    limits : Limits, optional
        Those of everything together; absent: none.
    cooks : int
        How many other solutions to look for at most; 0: none, and nothing is said of uniqueness unless it is claimed.
    text : str
        The text of the file, for the lines of what is reported.

    Raises
    ------
    InputError
        With everything that is wrong with what is claimed.
    """

    def __init__(
        self,
        scenario: Scenario,
        limits: Limits | None = None,
        cooks: int = DEFAULT_COOKS,
        text: str = "",
    ) -> None:
        self._cooks = cooks
        self._evidence = Evidence(scenario, limits or Limits(), FileLines(text))
        problems: list[Problem] = []
        self._stated = [
            verdict_check.read_stated(scenario, index, entry, problems) for index, entry in enumerate(scenario.verdicts)
        ]
        self._reacting = read_reacting(scenario, problems)
        try:
            self._claim = read_claim(scenario)
        except InputError as error:
            problems += error.problems
        if problems:
            raise InputError(problems)

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped it before everything was looked at."""
        return self._evidence.interrupted

    def run(self) -> Iterator[Check]:
        """Yield everything that is claimed, with what came out.

        Raises
        ------
        DisagreementError
            If solver and referee contradict each other.
        """
        evidence, lines = self._evidence, self._evidence.lines
        for index, stated in enumerate(self._stated):
            look = partial(verdict_check.look_at_verdict, evidence, index, stated)
            yield self._unless_stopped("verdict", f"verdict {index + 1}", lines.verdicts.get(index, 1), look)
        claim, line = self._claim, lines.answer
        if claim is None:
            return
        impossible = claim.answer.asks == "impossible"
        own = author.look_at_author(evidence, claim)
        settle = partial(answer_check.settled, evidence, claim, own)
        if impossible:
            settle = partial(answer_check.impossible, evidence, claim)
        settled = self._unless_stopped("claim", "claim", line, settle)
        yield settled
        if own is not None:
            yield own.check
        if own is not None and claim.answer.order is not None:
            look = partial(order_check.look_at_order, evidence, claim, own)
            yield self._unless_stopped("order", "order", line, look)
        # What is claimed comes before what isn't: the time may not be enough for both.
        if claim.answer.solutions is not None:
            look = partial(solutions_check.counted, evidence, claim, settled)
            yield self._unless_stopped("solutions", "solutions", line, look)
        if self._reacting is not None:
            react = partial(look_at_reacting, evidence, self._reacting)
            yield self._unless_stopped("adaptive", "adaptive", lines.adaptive, react)
        wanted = (
            0
            if impossible or claim.answer.solutions is not None
            else self._cooks
            if claim.answer.unique is None
            else max(1, self._cooks)
        )
        unique = partial(solutions_check.unique, evidence, claim, wanted, own, settled)
        if wanted and claim.answer.unique is not None:
            yield self._unless_stopped("unique", "unique", line, unique)
        for index, hint in enumerate(claim.hints):
            look = partial(hint_check.look_at_hint, evidence, claim, index, hint, own)
            yield self._unless_stopped("hint", f"hint {index + 1}", lines.hints.get(index, line), look)
        if wanted and claim.answer.unique is None:
            yield self._unless_stopped("unique", "unique", line, unique)

    def _unless_stopped(self, kind: Kind, name: str, line: int, look: Callable[[], Check]) -> Check:
        """Look at something, unless somebody has stopped it before."""
        evidence = self._evidence
        if evidence.limits.stop.is_set():
            evidence.interrupted = True
            return Check(kind, name, "skipped", NOT_REACHED, line=line)
        found = look()
        evidence.interrupted = evidence.interrupted or (found.outcome == "unknown" and evidence.limits.stop.is_set())
        return found
