"""What is known of a puzzle while it is settled, and where more comes from: the referee, and searches."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.formats.spoken_numbers import spoken_number
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.scoring import Value, values_of
from planner.plans.plan import Plan
from planner.puzzles.claim import PuzzleClaim
from planner.puzzles.file_lines import FileLines
from planner.puzzles.rule_ids import rule_id
from planner.puzzles.verification import Check, Kind
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.scenario import Scenario
from planner.search.result import Result

if TYPE_CHECKING:
    from planner.search.alternatives import Alternatives
    from planner.solver.side_constraints import Conditions


@dataclass(frozen=True)
class Proved:
    """What is proved to be the answer.

    Attributes
    ----------
    value : tuple of Fraction or None
        What a solution is worth; None if there is none.
    """

    value: Value | None


@dataclass
class Evidence:
    """What is known of one puzzle so far.

    Attributes
    ----------
    scenario : Scenario
        The puzzle.
    limits : Limits
        Those of everything together.
    lines : FileLines
        Where in the file things stand.
    proved : Proved or None
        The answer, as soon as it is proved.
    one_by_one : bool
        Whether the last search looked at plans one by one.
    interrupted : bool
        Whether somebody stopped it before everything was looked at.
    """

    scenario: Scenario
    limits: Limits
    lines: FileLines = field(default_factory=lambda: FileLines(""))
    proved: Proved | None = None
    one_by_one: bool = False
    interrupted: bool = False

    # -- on the referee

    def replay(self, plan: Plan) -> Verdict:
        """Return what the referee says of a plan."""
        return Referee(self.scenario.game).play(plan, self.scenario.start)

    def worth(self, tiers: tuple[Tier, ...] | list[Tier], verdict: Verdict) -> Value:
        """Return what a plan is worth, tier by tier."""
        return values_of(self.scenario.game, tiers, verdict) if tiers else ()

    def broken(self, kind: Kind, name: str, message: str, verdict: Verdict, line: int) -> Check:
        """Return a check that fails because of what is wrong with moves."""
        rulebook = self.scenario.game.rulebook
        ids = dict.fromkeys(rule_id(rulebook, violation.rule) for violation in verdict.violations)
        return Check(kind, name, "fails", message, tuple(ids), verdict.violations, line=line)

    # -- by searches

    def search(self, scenario: Scenario, conditions: Conditions) -> Result:
        """Search for the best plan under conditions."""
        from planner.search.search import Search

        search = Search(scenario, self.limits, conditions=conditions)
        result = search.run()
        self.one_by_one = search.context.one_by_one
        return result

    def solutions(self, claim: PuzzleClaim, count: int) -> Alternatives:
        """Search for plans that do what is claimed, now that none does more."""
        from planner.search.alternatives_search import AlternativesSearch
        from planner.solver.side_constraints import Conditions

        if claim.scenario.asks_for_attacks:
            return self._ranked(claim, count)
        worth = zip(claim.scenario.tiers, claim.value, strict=True) if claim.value else ()
        conditions, scenario = Conditions(goals=(*claim.goals, *worth)), replace(claim.scenario, tiers=())
        if self.one_by_one:  # where plans are looked at one by one, the objective says at which
            conditions, scenario = Conditions(goals=claim.goals), claim.scenario
        return AlternativesSearch(scenario, self.limits, conditions).best(count, only_best=True)

    def _ranked(self, claim: PuzzleClaim, count: int) -> Alternatives:
        """Search by rank, down to a worse plan, where goals look at attacks: the model has these for an objective alone."""
        from planner.search.alternatives_search import AlternativesSearch
        from planner.solver.side_constraints import Conditions

        found = AlternativesSearch(claim.scenario, self.limits, Conditions(goals=claim.goals)).best(count)
        if claim.value is None:
            return found
        solutions = tuple(plan for plan in found.plans if plan.result.value == claim.value)
        worse = len(solutions) < len(found.plans) and found.proved
        return replace(found, plans=solutions, exhausted=found.exhausted or worse)

    def why_open(self) -> str:
        """Say what keeps the number of solutions from being settled."""
        if self.limits.stop.is_set():
            return "it was interrupted"
        if self.limits.left() == 0:
            return "the time ran out"
        if self.one_by_one:
            return "plans are looked at one by one here, and there are too many of them"
        return "not every plan has a form in the model"


def told(value: Value) -> str:
    """Return a value as messages have it."""
    return " / ".join(map(spoken_number, value)) or "nothing"


def units_that_move(number: Fraction) -> str:
    """Return how many units move, in words."""
    return f"{number} {'unit moves' if number == 1 else 'units move'}"
