"""Settles what a puzzle claims: by proof, by a better plan, or not at all."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.errors import InputError, Problem
from planner.mp import format_mp
from planner.objective import Tier
from planner.objective.costs import UnitsMoved
from planner.partial import PartialPlan, fought
from planner.plan import Plan
from planner.puzzles.rule_ids import rule_id
from planner.puzzles.verification import Check, Kind, Outcome
from planner.referee import Referee, Verdict, Violation
from planner.results import Result, score, tier_values
from planner.scenario import Scenario
from planner.scenario.shape import AnswerEntry, VerdictEntry
from planner.substance import substance_of

if TYPE_CHECKING:
    from planner.alternative import Alternatives
    from planner.solver.alternatives import AlternativesSearch
    from planner.solver.conditions import Conditions

Value = tuple[Fraction, ...]

FEWEST = Tier(name="units that move", terms=(UnitsMoved(kind="units_moved"),))
DEFAULT_COOKS = 3


@dataclass(frozen=True)
class Claim:
    """What a puzzle claims, with its numbers read.

    Attributes
    ----------
    scenario : Scenario
        The puzzle, with the objective by which its solutions are ranked.
    answer : AnswerEntry
        The claim as it is written.
    value : tuple of Fraction
        What a solution is worth under that objective; empty where any value will do.
    goals : tuple of (Tier, Fraction)
        What a solution must come to at least.
    solution : Plan or None
        The author's solution.
    hints : tuple of PartialPlan
        What the hints say.
    """

    scenario: Scenario
    answer: AnswerEntry
    value: Value
    goals: tuple[tuple[Tier, Fraction], ...]
    solution: Plan | None
    hints: tuple[PartialPlan, ...]


def read_claim(scenario: Scenario) -> Claim | None:
    """Return what a scenario claims; None if it claims nothing.

    Raises
    ------
    InputError
        With everything that is wrong with the claim.
    """
    answer, where = scenario.answer, scenario.where
    if answer is None:
        return None
    problems: list[Problem] = []

    def numbers(key: str, texts: tuple[int | str, ...]) -> Value:
        found = []
        for index, text in enumerate(texts):
            try:
                found.append(Fraction(text))
            except (ValueError, ZeroDivisionError):
                problems.append(
                    Problem('must be a number or a fraction such as "5/6"', f"{where}: answer.{key}[{index}]")
                )
        return tuple(found)

    def lines(texts: list[str], place: str) -> PartialPlan:
        try:
            found = PartialPlan.read(texts, scenario, f"{where}: {place}")
        except InputError as error:
            problems.extend(replace(problem, where=f"{where}: {place}") for problem in error.problems)
            return PartialPlan()
        return fought(found, scenario.game)

    value, goal = numbers("value", answer.value), numbers("goal", answer.goal)
    tiers = scenario.tiers
    if answer.asks == "best" and len(answer.value) != len(tiers):
        problems.append(Problem(f"must have a number for each of the {len(tiers)} tiers", f"{where}: answer.value"))
    if len(answer.goal) > len(tiers):
        problems.append(Problem(f"must have at most {len(tiers)} numbers, as many as tiers", f"{where}: answer.goal"))
    if answer.asks != "best" and not answer.goal and not scenario.requirements:
        problems.append(
            Problem("a goal or a hard requirement must be given: what is it that is asked?", f"{where}: answer")
        )
    solution = None
    if answer.moves:
        try:
            solution = Plan.read(answer.moves, scenario, f"{where}: answer.moves")
        except InputError as error:
            problems += [replace(problem, where=f"{where}: answer.moves") for problem in error.problems]
    hints = tuple(lines(hint.moves, f"answer.hints[{index}]") for index, hint in enumerate(answer.hints))
    if problems:
        raise InputError(problems)
    goals = tuple(zip(tiers, goal, strict=False))
    if answer.asks == "best":
        return Claim(scenario, answer, value, (), solution, hints)
    if answer.asks == "shortest":
        assert answer.length is not None
        ranked = replace(scenario, tiers=(FEWEST,))
        return Claim(ranked, answer, (Fraction(-answer.length),), goals, solution, hints)
    return Claim(replace(scenario, tiers=()), answer, (), goals, solution, hints)


class Settler:
    """Settles the claims of one puzzle.

    Parameters
    ----------
    scenario : Scenario
        The puzzle.
    time_limit : float, optional
        Seconds for everything; absent: none.
    cooks : int
        How many other solutions to look for at most; 0: none, and nothing is said of uniqueness unless it is claimed.
    workers, seed : int
        As for a search.
    stop : threading.Event, optional
        Set it to stop.
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
        time_limit: float | None = None,
        cooks: int = DEFAULT_COOKS,
        workers: int = 1,
        seed: int = 0,
        stop: threading.Event | None = None,
        text: str = "",
    ) -> None:
        self._scenario, self._game = scenario, scenario.game
        self._deadline = None if time_limit is None else time.monotonic() + time_limit
        self._cooks, self._workers, self._seed = cooks, workers, seed
        self._stop = stop or threading.Event()
        self._lines = _Lines(text)
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
            yield self._verdict(index, entry)
        claim = self._claim
        if claim is None:
            return
        solution, sound = self._solution(claim)
        if claim.answer.asks == "impossible":
            yield self._impossible(claim)
        else:
            wanted = self._cooks if claim.answer.unique is None else max(1, self._cooks)
            settled = self._settled(claim, self._first(claim, sound), sound)
            yield settled
            if solution is not None:
                yield solution
            if wanted:
                yield self._unique(claim, wanted, sound, settled)
        for index, hint in enumerate(claim.hints):
            yield self._hint(claim, index, hint, sound)

    # -- the author's moves

    def _replay(self, plan: Plan) -> Verdict:
        return Referee(self._game).play(plan, self._scenario.start)

    def _solution(self, claim: Claim) -> tuple[Check | None, Verdict | None]:
        """Look at the author's solution; return its verdict, too, if it is one."""
        if claim.solution is None:
            return None, None
        verdict, line = self._replay(claim.solution), self._lines.answer
        if not verdict.legal:
            told = "; ".join(map(str, verdict.violations))
            return self._broken("solution", "solution", f"the solution is illegal: {told}", verdict, line), None
        wrong = self._falls_short(claim, claim.solution, verdict)
        if wrong:
            plans = (claim.solution,)
            short = f"the solution is legal, but {wrong}"
            return Check("solution", "solution", "fails", short, plans=plans, line=line), None
        good = "the solution is legal, and does what is claimed"
        return Check("solution", "solution", "holds", good, line=line), verdict

    def _falls_short(self, claim: Claim, plan: Plan, verdict: Verdict) -> str:
        """Say what keeps a legal plan from being what is claimed; empty if nothing does."""
        for requirement in self._scenario.requirements:
            full = requirement.full(self._game)
            if any(requirement.score(self._game, position, tally) < full for position, tally in verdict.all_outcomes()):
                return f"it fails a requirement: {requirement.describe()}"
        for (_, least), worth in zip(claim.goals, self._worth([tier for tier, _ in claim.goals], verdict), strict=True):
            if worth < least:
                return f"it comes to {format_mp(worth)} where the goal is {format_mp(least)}"
        value = self._worth(claim.scenario.tiers, verdict)
        if claim.answer.asks == "shortest" and value != claim.value:
            return f"{-value[0]} units move, not {claim.answer.length}"
        if claim.answer.asks == "best" and value != claim.value:
            return f"it is worth {_told(value)}, not {_told(claim.value)}"
        return ""

    def _worth(self, tiers: tuple[Tier, ...] | list[Tier], verdict: Verdict) -> Value:
        return tier_values(tiers, score(self._game, tiers, verdict)) if tiers else ()

    # -- the claim

    def _first(self, claim: Claim, sound: Verdict | None) -> Result:
        """Search for the best plan; where any plan will do that reaches the goal, the author's is as good as any."""
        from planner.solver.conditions import Conditions

        if claim.answer.asks == "reach" and sound is not None:
            return Result("feasible", 0.0, plan=claim.solution, verdict=sound)
        return self._search(claim.scenario, Conditions(goals=claim.goals))

    def _search(self, scenario: Scenario, conditions: Conditions) -> Result:
        from planner.solver.search import Search

        search = Search(scenario, self._left(), self._workers, self._seed, stop=self._stop, conditions=conditions)
        result = search.run()
        self._one_by_one = search.form in ("reliance", "combats")
        if self._one_by_one and result.status not in ("optimal", "infeasible"):
            # What a search can't prove may be proved by trying every plan.
            tried = self._several(scenario, conditions).best(1, only_best=True).first
            return tried if tried.status in ("optimal", "infeasible") else result
        return result

    def _several(self, scenario: Scenario, conditions: Conditions) -> AlternativesSearch:
        from planner.solver.alternatives import AlternativesSearch

        return AlternativesSearch(scenario, self._left(), self._workers, self._seed, conditions, stop=self._stop)

    def _solutions(self, claim: Claim, count: int) -> Alternatives:
        """Search for plans that do what is claimed, now that none does more."""
        from planner.solver.conditions import Conditions

        worth = zip(claim.scenario.tiers, claim.value, strict=True) if claim.value else ()
        conditions, scenario = Conditions(goals=(*claim.goals, *worth)), replace(claim.scenario, tiers=())
        if self._one_by_one:  # where plans are looked at one by one, the objective says at which
            conditions, scenario = Conditions(goals=claim.goals), claim.scenario
        return self._several(scenario, conditions).best(count, only_best=True)

    def _left(self) -> float | None:
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def _settled(self, claim: Claim, first: Result, sound: Verdict | None) -> Check:
        """Say whether the answer to the question holds."""
        asks = claim.answer.asks
        plans = () if first.plan is None else (first.plan,)

        def check(outcome: Outcome, message: str, shown: tuple[Plan, ...] = ()) -> Check:
            return Check("claim", "claim", outcome, message, plans=shown, line=self._lines.answer)

        if asks == "reach":
            if sound is not None or first.plan is not None:
                return check("holds", "the goal can be reached: here is a plan", plans if sound is None else ())
            if first.status == "infeasible":
                return check("fails", "the goal can't be reached, proved")
            return check("unknown", "whether the goal can be reached isn't known")
        if first.status == "infeasible":
            return check("fails", "there is no plan at all, proved")
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
            known = f"the best plan that was found is {self._said(first.value, asks)}"
        elif sound is not None:
            known = "no plan is known but the solution"
        return check("unknown", f"{known}, and nothing is proved")

    def _better(self, claim: Claim, first: Result) -> str:
        return (
            f"a plan is better: {self._said(first.value, claim.answer.asks)}, "
            f"where {self._said(claim.value, claim.answer.asks)} is claimed"
        )

    @staticmethod
    def _said(value: Value, asks: str) -> str:
        return f"{-value[0]} units that move" if asks == "shortest" else _told(value)

    def _impossible(self, claim: Claim) -> Check:
        from planner.solver.conditions import Conditions

        line = self._lines.answer
        result = self._search(claim.scenario, Conditions(goals=claim.goals))
        if result.status == "infeasible":
            how = "proved and confirmed" if result.confirmed else "proved by trying every plan"
            return Check("claim", "claim", "holds", f"there is no plan, {how}", line=line)
        if result.plan is not None:
            return Check("claim", "claim", "fails", "here is a plan", plans=(result.plan,), line=line)
        if claim.goals:
            # Where a search can't prove that there is no plan, its bound may do it.
            bound = self._search(self._scenario, Conditions()).bound
            if bound and bound[0] < claim.goals[0][1]:
                told = f"no plan comes to more than {format_mp(bound[0])} in the first tier, proved"
                return Check("claim", "claim", "holds", told, line=line)
        return Check("claim", "claim", "unknown", "no plan is known, and none is ruled out", line=line)

    # -- cooks

    def _unique(self, claim: Claim, wanted: int, sound: Verdict | None, settled: Check) -> Check:
        """Say whether the solution is the only one in substance, or which others there are."""
        claimed, line = claim.answer.unique, self._lines.answer

        def check(unique: bool | None, message: str, plans: tuple[Plan, ...] = ()) -> Check:
            outcome: Outcome = "noted" if claimed is None else "unknown" if unique is None else "fails"
            if unique is not None and claimed == unique:
                outcome = "holds"
            return Check("unique", "unique", outcome, message, plans=plans, line=line)

        if settled.outcome != "holds":
            return check(None, "whether there are other solutions wasn't looked at: the answer isn't settled")
        found = self._solutions(claim, 1 + wanted)
        solutions = found.plans
        if not solutions:
            return check(None, "no solution was found in the time that there was")
        known = solutions[0].substance if sound is None else substance_of(self._game, sound)
        cooks = [plan for plan in solutions if not known.covers(plan.substance)]
        if cooks:
            shown = tuple(plan.result.plan for plan in cooks[:wanted] if plan.result.plan is not None)
            number = str(len(shown)) if found.exhausted and len(shown) == len(cooks) else f"at least {len(shown)}"
            told = "; ".join(", ".join(plan.substance.describe(self._game)) for plan in cooks[: len(shown)])
            return check(False, f"there are other solutions, {number}: {told}", shown)
        if not found.exhausted:
            return check(None, "no other solution is known, and none is ruled out")
        return check(True, "the solution is unique in substance, proved")

    # -- hints and verdicts

    def _hint(self, claim: Claim, index: int, hint: PartialPlan, sound: Verdict | None) -> Check:
        name, line = f"hint {index + 1}", self._lines.hints.get(index, self._lines.answer)
        if sound is not None and claim.solution is not None:
            plan = Plan(fought(PartialPlan(claim.solution.moves), self._game).moves)
            if hint.holds_in(plan, sound.position):
                return Check("hint", name, "holds", "the solution does what the hint says", line=line)
        from planner.solver.conditions import Conditions

        worth = zip(claim.scenario.tiers, claim.value, strict=True) if claim.value else ()
        conditions = Conditions(hint, goals=(*claim.goals, *worth))
        scenario = replace(claim.scenario, tiers=())
        result = self._search(scenario, conditions)
        if result.plan is not None:
            return Check("hint", name, "holds", "a solution does what the hint says", plans=(result.plan,), line=line)
        verdict = self._replay(Plan(hint.moves))
        if result.status == "infeasible":
            told = "no solution does what the hint says, proved"
            if not verdict.legal:
                return self._broken("hint", name, f"{told}; {verdict.violations[0]}", verdict, line)
            return Check("hint", name, "fails", told, line=line)
        return Check("hint", name, "unknown", "whether a solution does what the hint says isn't known", line=line)

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
