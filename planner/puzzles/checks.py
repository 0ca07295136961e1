"""Settles what a puzzle claims: by proof, by a better plan, or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from planner.errors import DisagreementError, InputError, Problem
from planner.formats.mp import format_mp
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.scoring import values_of
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.puzzles.claim import Claim, Value, read_claim
from planner.puzzles.rule_ids import rule_id
from planner.puzzles.verification import NOT_REACHED, Check, Kind, Outcome
from planner.referee.plan_facts import substance_of
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict, Violation
from planner.scenario import Scenario
from planner.scenario.shape import VerdictEntry
from planner.search.result import Result

if TYPE_CHECKING:
    from planner.search.alternatives import Alternatives
    from planner.search.alternatives_search import AlternativesSearch
    from planner.solver.side_constraints import Conditions

DEFAULT_COOKS = 3


@dataclass(frozen=True)
class _Author:
    """What became of the author's solution: the check, the plan, its verdict, and its worth if it reaches the goal."""

    check: Check
    plan: Plan
    verdict: Verdict
    value: Value | None = None


@dataclass(frozen=True)
class _Proved:
    """What is proved to be the answer: what a solution is worth; None if there is none."""

    value: Value | None


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

    Attributes
    ----------
    interrupted : bool
        Whether somebody stopped it before everything was looked at.

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
        self._scenario, self._game = scenario, scenario.game
        self._limits, self._cooks = limits or Limits(), cooks
        self._lines = _Lines(text)
        self.interrupted = False
        self._proved: _Proved | None = None
        self._one_by_one = False
        problems: list[Problem] = []
        self._stated = [self._read(index, entry, problems) for index, entry in enumerate(scenario.verdicts)]
        try:
            self._claim = read_claim(scenario)
        except InputError as error:
            problems += error.problems
        if problems:
            raise InputError(problems)
        self._one_by_one = False

    def _read(self, index: int, entry: VerdictEntry, problems: list[Problem]) -> Plan:
        """Return the moves of a verdict; what is wrong with them is noted."""
        place = f"{self._scenario.where}: verdict[{index}].moves"
        try:
            return Plan.read(entry.moves, self._scenario, place)
        except InputError as error:
            problems += [replace(problem, where=place) for problem in error.problems]
            return Plan()

    def run(self) -> Iterator[Check]:
        """Yield everything that is claimed, with what came out.

        Raises
        ------
        DisagreementError
            If solver and referee contradict each other.
        """
        for index, entry in enumerate(self._scenario.verdicts):
            yield self._unless_stopped(
                "verdict",
                f"verdict {index + 1}",
                self._lines.verdicts.get(index, 1),
                partial(self._verdict, index, entry),
            )
        claim, line = self._claim, self._lines.answer
        if claim is None:
            return
        impossible = claim.answer.asks == "impossible"
        author = self._author(claim)
        settle = partial(self._impossible, claim) if impossible else partial(self._settled, claim, author)
        settled = self._unless_stopped("claim", "claim", line, settle)
        yield settled
        if author is not None:
            yield author.check
        # What is claimed comes before what isn't: the time may not be enough for both.
        wanted = 0 if impossible else self._cooks if claim.answer.unique is None else max(1, self._cooks)
        unique = partial(self._unique, claim, wanted, author, settled)
        if wanted and claim.answer.unique is not None:
            yield self._unless_stopped("unique", "unique", line, unique)
        for index, hint in enumerate(claim.hints):
            yield self._unless_stopped(
                "hint",
                f"hint {index + 1}",
                self._lines.hints.get(index, line),
                partial(self._hint, claim, index, hint, author),
            )
        if wanted and claim.answer.unique is None:
            yield self._unless_stopped("unique", "unique", line, unique)

    def _unless_stopped(self, kind: Kind, name: str, line: int, look: Callable[[], Check]) -> Check:
        """Look at something, unless somebody has stopped it before."""
        if self._limits.stop.is_set():
            self.interrupted = True
            return Check(kind, name, "skipped", NOT_REACHED, line=line)
        found = look()
        self.interrupted = self.interrupted or (found.outcome == "unknown" and self._limits.stop.is_set())
        return found

    # -- the author's moves

    def _replay(self, plan: Plan) -> Verdict:
        return Referee(self._game).play(plan, self._scenario.start)

    def _author(self, claim: Claim) -> _Author | None:
        """Look at the author's solution."""
        if claim.solution is None:
            return None
        verdict, line = self._replay(claim.solution), self._lines.answer
        if not verdict.legal:
            told = "; ".join(map(str, verdict.violations))
            broken = self._broken("solution", "solution", f"the solution is illegal: {told}", verdict, line)
            return _Author(broken, claim.solution, verdict)
        wrong = self._fails(claim, verdict)
        value = None if wrong else self._worth(claim.scenario.tiers, verdict)
        wrong = wrong or self._differs(claim, value or ())
        if wrong:
            plans = (claim.solution,)
            short = f"the solution is legal, but {wrong}"
            check = Check("solution", "solution", "fails", short, plans=plans, line=line)
        else:
            check = Check("solution", "solution", "holds", "the solution is legal, and does what is claimed", line=line)
        return _Author(check, claim.solution, verdict, value)

    def _fails(self, claim: Claim, verdict: Verdict) -> str:
        """Say what a legal plan doesn't reach of what is asked for; empty if it reaches all of it."""
        for requirement in self._scenario.requirements:
            full = requirement.full(self._game)
            if any(requirement.score(self._game, position, tally) < full for position, tally in verdict.all_outcomes()):
                return f"it fails a requirement: {requirement.describe()}"
        for (_, least), worth in zip(claim.goals, self._worth([tier for tier, _ in claim.goals], verdict), strict=True):
            if worth < least:
                return f"it comes to {format_mp(worth)} where the goal is {format_mp(least)}"
        return ""

    @staticmethod
    def _differs(claim: Claim, value: Value) -> str:
        """Say in what the worth of a plan differs from what is claimed; empty if it doesn't."""
        if value == claim.value:
            return ""
        if claim.answer.asks == "shortest":
            return f"{_units(-value[0])}, not {claim.answer.length}"
        return f"it is worth {_told(value)}, not {_told(claim.value)}"

    def _worth(self, tiers: tuple[Tier, ...] | list[Tier], verdict: Verdict) -> Value:
        return values_of(self._game, tiers, verdict) if tiers else ()

    # -- the claim

    def _first(self, claim: Claim, author: _Author | None) -> Result:
        """Search for the best plan; where any plan will do that reaches the goal, the author's is as good as any.

        A better one of the author's counts as found, too.
        """
        from planner.solver.side_constraints import Conditions

        own = None if author is None or author.value is None else author
        if own is not None and claim.answer.asks == "reach":
            return Result("feasible", 0.0, plan=own.plan, verdict=own.verdict)
        found = self._search(claim.scenario, Conditions(goals=claim.goals))
        if own is None or (found.plan is not None and found.value >= (own.value or ())):
            return found
        if found.status in ("optimal", "infeasible"):
            dump = f"scenario: {self._scenario.where}\nplan:\n{own.plan}\n"
            raise DisagreementError(f"the search proves that no plan is worth {_told(own.value or ())}", dump)
        return replace(found, status="feasible", value=own.value or (), plan=own.plan, verdict=own.verdict)

    def _search(self, scenario: Scenario, conditions: Conditions) -> Result:
        from planner.search.search import Search

        search = Search(scenario, self._limits, conditions=conditions)
        result = search.run()
        self._one_by_one = search.context.one_by_one
        return result

    def _several(self, scenario: Scenario, conditions: Conditions) -> AlternativesSearch:
        from planner.search.alternatives_search import AlternativesSearch

        return AlternativesSearch(scenario, self._limits, conditions)

    def _solutions(self, claim: Claim, count: int) -> Alternatives:
        """Search for plans that do what is claimed, now that none does more."""
        from planner.solver.side_constraints import Conditions

        worth = zip(claim.scenario.tiers, claim.value, strict=True) if claim.value else ()
        conditions, scenario = Conditions(goals=(*claim.goals, *worth)), replace(claim.scenario, tiers=())
        if self._one_by_one:  # where plans are looked at one by one, the objective says at which
            conditions, scenario = Conditions(goals=claim.goals), claim.scenario
        return self._several(scenario, conditions).best(count, only_best=True)

    def _settled(self, claim: Claim, author: _Author | None) -> Check:
        """Say whether the answer to the question holds."""
        asks, first = claim.answer.asks, self._first(claim, author)
        plans = () if first.plan is None else (first.plan,)
        if first.status in ("optimal", "infeasible") or (asks == "reach" and plans):
            self._proved = _Proved(first.value if plans else None)

        def check(outcome: Outcome, message: str, shown: tuple[Plan, ...] = ()) -> Check:
            return Check("claim", "claim", outcome, message, plans=shown, line=self._lines.answer)

        if asks == "reach":
            if first.plan is not None:
                own = author is not None and author.value is not None
                return check(
                    "holds", f"the goal can be reached, as {'the solution' if own else 'this plan'} shows", plans
                )
            if first.status == "infeasible":
                return check("fails", "the goal can't be reached, proved")
            return check("unknown", "whether the goal can be reached isn't known")
        if first.status == "infeasible":
            return check("fails", "there is no plan at all, proved; `planner explain` of the file tells why")
        if first.plan is not None and first.value > claim.value:
            return check("fails", self._better(claim, first), plans)
        if first.status == "optimal":
            if first.value == claim.value:
                return check("holds", f"no plan is better than {self._said(claim.value, asks)}, proved")
            return check("fails", f"it isn't to be had: the best is {self._said(first.value, asks)}, proved", plans)
        if first.bound and first.bound < claim.value and first.bound[0] < claim.value[0]:
            return check("fails", f"no plan is worth more than {_told(first.bound)}, proved", plans)
        known = "no plan is known"
        if first.plan is not None:
            known = f"the best plan that is known is worth {self._said(first.value, asks)}"
            if asks == "shortest":
                known = f"in the best plan that is known {_units(-first.value[0])}"
        cut = f": {self._why_open()}" if self._limits.stop.is_set() or self._limits.left() == 0 else ""
        return check("unknown", f"{known}, and nothing is proved{cut}")

    def _better(self, claim: Claim, first: Result) -> str:
        return (
            f"a plan is better: {self._said(first.value, claim.answer.asks)}, "
            f"where {self._said(claim.value, claim.answer.asks)} is claimed"
        )

    @staticmethod
    def _said(value: Value, asks: str) -> str:
        if asks != "shortest":
            return _told(value)
        return f"{-value[0]} {'unit that moves' if value[0] == -1 else 'units that move'}"

    def _impossible(self, claim: Claim) -> Check:
        from planner.solver.side_constraints import Conditions

        line = self._lines.answer
        result = self._search(claim.scenario, Conditions(goals=claim.goals))
        if result.status == "infeasible":
            how = "proved and confirmed" if result.confirmed else "proved by trying every plan"
            return Check("claim", "claim", "holds", f"there is no plan, {how}", line=line)
        if result.plan is not None:
            told = "the goal can be reached, as this plan shows"
            return Check("claim", "claim", "fails", told, plans=(result.plan,), line=line)
        if claim.goals:
            # Where a search can't prove that there is no plan, its bound may do it.
            bound = self._search(self._scenario, Conditions()).bound
            if bound and bound[0] < claim.goals[0][1]:
                told = f"no plan comes to more than {format_mp(bound[0])} in the first tier, proved"
                return Check("claim", "claim", "holds", told, line=line)
        return Check("claim", "claim", "unknown", "no plan is known, and none is ruled out", line=line)

    # -- cooks

    def _unique(self, claim: Claim, wanted: int, author: _Author | None, settled: Check) -> Check:
        """Say whether the solution is the only one in substance, or which others there are."""
        claimed, line = claim.answer.unique, self._lines.answer

        def check(unique: bool | None, message: str, plans: tuple[Plan, ...] = ()) -> Check:
            outcome: Outcome = "noted" if claimed is None else "unknown" if unique is None else "fails"
            if unique is not None and claimed == unique:
                outcome = "holds"
            return Check("unique", "unique", outcome, message, plans=plans, line=line)

        if settled.outcome != "holds":
            why = "doesn't hold" if settled.outcome == "fails" else "isn't settled"
            told = f"whether there are other solutions wasn't looked at: the answer {why}"
            return Check("unique", "unique", "skipped", told, line=line)
        sound = None if author is None or author.check.outcome != "holds" else author.verdict
        found = self._solutions(claim, 1 + wanted)
        solutions = found.plans
        if not solutions:
            self.interrupted = self._limits.stop.is_set()
            return check(None, f"no solution was found again: {self._why_open()}")
        known = solutions[0].substance if sound is None else substance_of(self._game, sound)
        cooks = [plan for plan in solutions if not known.covers(plan.substance)]
        self.interrupted = self._limits.stop.is_set() and not found.exhausted and len(cooks) < wanted
        if cooks:
            shown = tuple(plan.result.plan for plan in cooks[:wanted] if plan.result.plan is not None)
            number = str(len(shown)) if found.exhausted and len(shown) == len(cooks) else f"at least {len(shown)}"
            told = "; ".join(", ".join(plan.substance.describe(self._game)) for plan in cooks[: len(shown)])
            return check(False, f"there are other solutions, {number}: {told}", shown)
        if not found.exhausted:
            return check(None, f"no other solution is known, and none is ruled out: {self._why_open()}")
        return check(True, "the solution is unique in substance, proved")

    def _why_open(self) -> str:
        """Say what keeps uniqueness from being settled."""
        if self._limits.stop.is_set():
            return "it was interrupted"
        if self._limits.left() == 0:
            return "the time ran out"
        if self._one_by_one:
            return "plans are looked at one by one here, and there are too many of them"
        return "not every plan has a form in the model"

    # -- hints and verdicts

    def _hint(self, claim: Claim, index: int, hint: PartialPlan, author: _Author | None) -> Check:
        """Say whether what a hint says is legal, and leads to the answer that is proved, whatever is claimed."""
        line = self._lines.hints.get(index, self._lines.answer)
        check = partial(Check, "hint", f"hint {index + 1}", line=line)
        told = author is not None and author.verdict.legal and self._has(author.plan, hint, author.verdict)
        proved = self._proved
        if proved is not None and proved.value is not None:
            if told and author is not None and author.value == proved.value:
                return check("holds", "the solution does what the hint says")
            from planner.solver.side_constraints import Conditions

            worth = zip(claim.scenario.tiers, proved.value, strict=True) if proved.value else ()
            conditions = Conditions(hint, goals=(*claim.goals, *worth))
            result = self._search(replace(claim.scenario, tiers=()), conditions)
            if result.plan is not None:
                return check("holds", "a solution does what the hint says", plans=(result.plan,))
            if result.status != "infeasible":
                return check("unknown", "whether a solution does what the hint says isn't known")
        legal, violations = (True, None) if told else self._is_legal(hint)
        if legal is False:
            what = "no legal plan does what the hint says, proved"
            if violations is None:
                return check("fails", what)
            return self._broken("hint", f"hint {index + 1}", f"{what}; {violations.violations[0]}", violations, line)
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

    def _has(self, plan: Plan, hint: PartialPlan, verdict: Verdict) -> bool:
        """Tell whether a plan does what a hint says, in the order and with the carriers of the hint."""
        if not hint.holds_in(verdict.moves, verdict.position):
            return False
        places = {(move.units, move.path): index for index, move in enumerate(plan.moves)}
        said = [move for move in hint.moves if (move.units, move.path) in places]
        moves = list(plan.moves)
        slots = sorted(places[move.units, move.path] for move in said)
        for slot, move in zip(slots, said, strict=True):
            made = plan.moves[places[move.units, move.path]]
            moves[slot] = replace(made, carried=move.carried) if any(name for _, name in move.carried) else made
        if moves == list(plan.moves):
            return True
        other = self._replay(Plan(tuple(moves)))
        return other.legal and other.position.at == verdict.position.at

    def _is_legal(self, hint: PartialPlan) -> tuple[bool | None, Verdict | None]:
        """Tell whether some legal plan, whatever it is worth, has what a hint says; if not, what is wrong with its moves."""
        verdict = self._replay(Plan(hint.moves))
        if verdict.legal and self._has(Plan(hint.moves), hint, verdict):
            return True, None
        from planner.solver.side_constraints import Conditions

        free = replace(self._scenario, tiers=(), requirements=())
        result = self._search(free, Conditions(hint))
        if result.plan is not None:
            return True, None
        return (False if result.status == "infeasible" else None), None if verdict.legal else verdict

    def _verdict(self, index: int, entry: VerdictEntry) -> Check:
        name, line = f"verdict {index + 1}", self._lines.verdicts.get(index, 1)
        plan = self._stated[index]
        verdict = self._replay(plan)
        if entry.dice:
            rolled = {roll.step: roll.dice for roll in verdict.moves[-1].rolls}
            dice = tuple(rolled.get(step, 0) for step in range(1, len(plan.moves[-1].path)))
            if dice != entry.dice:
                numbers = ", ".join(map(str, dice))
                return Check("verdict", name, "fails", f"the dice rolled for each hex are {numbers}", line=line)
        if entry.legal:
            if verdict.legal:
                return Check("verdict", name, "holds", "the moves are legal, as is said", line=line)
            told = "; ".join(map(str, verdict.violations))
            return self._broken("verdict", name, f"the moves should be legal: {told}", verdict, line)
        if any(_is_meant(violation, entry) for violation in verdict.violations):
            return Check("verdict", name, "holds", "the moves are illegal, as is said", line=line)
        if verdict.legal:
            rules = (rule_id(self._game.rulebook, entry.rule),) if entry.rule else ()
            return Check("verdict", name, "fails", "the moves should be illegal, but are legal", rules, line=line)
        told = "; ".join(map(str, verdict.violations))
        return self._broken(
            "verdict", name, f"the moves are illegal for other reasons than is said: {told}", verdict, line
        )

    def _broken(self, kind: Kind, name: str, message: str, verdict: Verdict, line: int) -> Check:
        ids = dict.fromkeys(rule_id(self._game.rulebook, violation.rule) for violation in verdict.violations)
        return Check(kind, name, "fails", message, tuple(ids), verdict.violations, line=line)


def _is_meant(violation: Violation, entry: VerdictEntry) -> bool:
    """Tell whether a violation is the one that a verdict names, as far as it names it."""
    return (
        entry.rule in (None, violation.rule)
        and entry.unit in (None, violation.unit)
        and entry.at in (None, violation.at)
        and (not entry.blame or set(entry.blame) == set(violation.blame))
    )


def _units(number: Fraction) -> str:
    return f"{number} {'unit moves' if number == 1 else 'units move'}"


def _told(value: Value) -> str:
    return " / ".join(str(format_mp(one)) for one in value) or "nothing"


class _Lines:
    """Where in the text of a scenario file things stand."""

    def __init__(self, text: str) -> None:
        self.answer = 1
        self.verdicts: dict[int, int] = {}
        self.hints: dict[int, int] = {}
        for number, line in enumerate(text.splitlines(), 1):
            if match := re.match(r"\s*\[+\s*(answer(?:\.hints)?|verdict)\s*\]+", line):
                if match[1] == "verdict":
                    self.verdicts[len(self.verdicts)] = number
                elif match[1] == "answer":
                    self.answer = number
                else:
                    self.hints[len(self.hints)] = number
