"""What a puzzle claims, read and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.errors import InputError, Problem
from planner.formats.spoken_numbers import read_number
from planner.objective import Tier
from planner.objective.costs import UnitsMoved
from planner.objective.scoring import Value
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.scenario import Scenario
from planner.scenario.shape import AnswerEntry

FEWEST = Tier(name="units that move", terms=(UnitsMoved(kind="units_moved"),))


@dataclass(frozen=True)
class PuzzleClaim:
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


def read_claim(scenario: Scenario) -> PuzzleClaim | None:
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

    def lines(texts: list[str], place: str) -> PartialPlan:
        try:
            found = PartialPlan.read(texts, scenario, f"{where}: {place}")
        except InputError as error:
            problems.extend(replace(problem, where=f"{where}: {place}") for problem in error.problems)
            return PartialPlan()
        return found

    value = read_numbers(answer.value, f"{where}: answer.value", problems)
    goal = read_numbers(answer.goal, f"{where}: answer.goal", problems)
    tiers = scenario.tiers
    if answer.asks == "best":
        ensure_one_each(answer.value, tiers, f"{where}: answer.value", problems)
    if len(answer.goal) > len(tiers):
        problems.append(Problem(at_most_one_each(tiers), f"{where}: answer.goal"))
    if answer.asks != "best" and not answer.goal and not scenario.requirements:
        problems.append(
            Problem("a goal or a hard requirement must be given: what is it that is asked?", f"{where}: answer")
        )
    solution = None
    if "moves" in answer.model_fields_set and answer.asks != "impossible":  # none at all: that nobody moves
        try:
            solution = _saying_all(Plan.read(answer.moves, scenario, f"{where}: answer.moves"), scenario)
        except InputError as error:
            problems += [replace(problem, where=f"{where}: answer.moves") for problem in error.problems]
    hints = tuple(lines(hint.moves, f"answer.hints[{index}]") for index, hint in enumerate(answer.hints))
    if problems:
        raise InputError(problems)
    goals = tuple(zip(tiers, goal, strict=False))
    if answer.asks == "best":
        return PuzzleClaim(scenario, answer, value, (), solution, hints)
    if answer.asks == "shortest":
        assert answer.length is not None
        ranked = scenario.aiming_at((FEWEST,))
        return PuzzleClaim(ranked, answer, (Fraction(-answer.length),), goals, solution, hints)
    return PuzzleClaim(scenario.aiming_at(()), answer, (), goals, solution, hints)


def _saying_all(plan: Plan, scenario: Scenario) -> Plan:
    """Return a solution that says all of its attacks, where the puzzle asks for them: one that names none declares none."""
    return replace(plan, attacks=()) if plan.attacks is None and scenario.asks_for_attacks else plan


def read_numbers(texts: Sequence[int | str], where: str, problems: list[Problem]) -> Value:
    """Read the numbers of a list in a file; what is no number is noted, and left out."""
    found = []
    for index, text in enumerate(texts):
        try:
            found.append(read_number(text) if isinstance(text, str) else Fraction(text))
        except ValueError:
            problems.append(Problem('must be a number or a fraction such as "5/6"', f"{where}[{index}]"))
    return tuple(found)


def ensure_one_each(value: Sequence[object], tiers: Sequence[Tier], where: str, problems: list[Problem]) -> None:
    """Note it if a value doesn't have a number for each tier."""
    if len(value) != len(tiers):
        which = "the only tier" if len(tiers) == 1 else f"each of the {len(tiers)} tiers"
        problems.append(Problem(f"must have one number for {which}", where))


def at_most_one_each(tiers: Sequence[Tier]) -> str:
    """Say that a value has more numbers than there are tiers."""
    if len(tiers) == 1:
        return "must have at most one number, as there is one tier"
    return f"must have at most {len(tiers)} numbers, as many as tiers"
