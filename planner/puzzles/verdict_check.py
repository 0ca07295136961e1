"""Moves whose verdict is stated, and what comes of them: whether the referee says the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from planner.errors import InputError, Problem
from planner.explanation.parse_question import read_goal
from planner.formats.mp import format_mp
from planner.objective import Term
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.puzzles.claim import ensure_one_each, read_numbers
from planner.puzzles.evidence import Evidence, told
from planner.puzzles.rule_ids import rule_id
from planner.puzzles.verification import Check
from planner.referee.verdict import Verdict, Violation
from planner.scenario import Scenario
from planner.scenario.shape import VerdictEntry


@dataclass(frozen=True)
class Stated:
    """A verdict that is stated, with what it names read.

    Attributes
    ----------
    entry : VerdictEntry
        The verdict as it is written.
    plan : Plan
        The moves; none: nobody moves.
    value : tuple of Fraction
        What they are worth, tier by tier; empty if that isn't said.
    results : tuple of (str, Term, Fraction)
        Goals as they are written, and as they are meant, with the probability of each.
    """

    entry: VerdictEntry
    plan: Plan
    value: Value = ()
    results: tuple[tuple[str, Term, Fraction], ...] = ()


def read_stated(scenario: Scenario, index: int, entry: VerdictEntry, problems: list[Problem]) -> Stated:
    """Read a verdict that is stated; what is wrong with it is noted."""
    place = f"{scenario.where}: verdict[{index}]"
    plan, results = Plan(), []
    try:
        plan = Plan.read(entry.moves, scenario, f"{place}.moves")
    except InputError as error:
        problems += [replace(problem, where=f"{place}.moves") for problem in error.problems]
    value = read_numbers(entry.value, f"{place}.value", problems)
    if entry.value:
        ensure_one_each(entry.value, scenario.tiers, f"{place}.value", problems)
    if entry.dice and not plan.moves:
        problems.append(Problem("dice are rolled for hexes of the last move, and there is no move", f"{place}.dice"))
    problems += _unknown_names(scenario, entry, place)
    for text, probability in entry.results.items():
        try:
            results.append((text, read_goal(scenario, text), probability))
        except InputError as error:
            problems += [replace(problem, where=f"{place}.results") for problem in error.problems]
    return Stated(entry, plan, value, tuple(results))


def _unknown_names(scenario: Scenario, entry: VerdictEntry, place: str) -> Iterator[Problem]:
    """Yield which units and hexes a verdict names that aren't there: it would fail, and nobody would see why."""
    known = {*scenario.game.units, *(marker.id for marker in scenario.game.situation.markers)}
    for key, names in (("unit", (entry.unit,)), ("blame", entry.blame)):
        for name in names:
            if name is not None and name not in known:
                yield Problem(f"no unit has the id {name!r}", f"{place}.{key}")
    if entry.at is not None and entry.at not in scenario.game.board:
        yield Problem(f"hex {entry.at!r} is not on the map{scenario.game.board.did_you_mean(entry.at)}", f"{place}.at")


def look_at_verdict(evidence: Evidence, index: int, stated: Stated) -> Check:
    """Say whether the referee's verdict on some moves is the one that is stated, and whether that comes of them."""
    name, line = f"verdict {index + 1}", evidence.lines.verdicts.get(index, 1)
    entry, plan = stated.entry, stated.plan
    verdict = evidence.replay(plan)
    if entry.legal:
        if not verdict.legal:
            wrong = "; ".join(map(str, verdict.violations))
            return evidence.broken("verdict", name, f"the moves should be legal: {wrong}", verdict, line)
        if wrong := "; ".join(_otherwise(evidence, stated, verdict)):
            return Check("verdict", name, "fails", f"the moves are legal, but {wrong}", line=line)
        return Check("verdict", name, "holds", "the moves are legal, as is said", line=line)
    if any(_is_meant(violation, entry) for violation in verdict.violations):
        return Check("verdict", name, "holds", "the moves are illegal, as is said", line=line)
    if verdict.legal:
        rules = (rule_id(evidence.scenario.game.rulebook, entry.rule),) if entry.rule else ()
        return Check("verdict", name, "fails", "the moves should be illegal, but are legal", rules, line=line)
    wrong = "; ".join(map(str, verdict.violations))
    message = f"the moves are illegal for other reasons than is said: {wrong}"
    return evidence.broken("verdict", name, message, verdict, line)


def _otherwise(evidence: Evidence, stated: Stated, verdict: Verdict) -> Iterator[str]:
    """Yield what comes of legal moves otherwise than is stated."""
    scenario = evidence.scenario
    if stated.entry.value:
        worth = evidence.worth(scenario.tiers, verdict)
        if worth != stated.value:
            yield f"they are worth {told(worth)}, not {told(stated.value)}"
    if stated.entry.dice:
        rolled = {roll.step: roll.dice for roll in verdict.moves[-1].rolls}
        dice = tuple(rolled.get(step, 0) for step in range(1, len(stated.plan.moves[-1].path)))
        if dice != stated.entry.dice:
            yield f"the dice rolled for each hex of the last move are {_listed(dice)}, not {_listed(stated.entry.dice)}"
    said = stated.entry.probability
    if said is not None and verdict.probability != said:
        yield f"all of it goes through with probability {format_mp(verdict.probability)}, not {format_mp(said)}"
    for text, goal, likely in stated.results:
        found = verdict.probability_that(partial(goal.holds, scenario.game))
        if found != likely:
            yield f"{text} has probability {format_mp(found)}, not {format_mp(likely)}"


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def _is_meant(violation: Violation, entry: VerdictEntry) -> bool:
    """Tell whether a violation is the one that a verdict names, as far as it names it."""
    return (
        entry.rule in (None, violation.rule)
        and entry.unit in (None, violation.unit)
        and entry.at in (None, violation.at)
        and (not entry.blame or set(entry.blame) == set(violation.blame))
    )
