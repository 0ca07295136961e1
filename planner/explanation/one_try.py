"""What stands in the way of one try, where it isn't settled why something can't be had."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.errors import InputError
from planner.explanation.answer import Instance
from planner.explanation.question import Question
from planner.explanation.wording import said_by_referee
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.scenario import Scenario

MOST_OBSTACLES = 6
"""A try that breaks more than that shows nobody what is in the way."""


def obstacles(scenario: Scenario, question: Question) -> tuple[Plan, tuple[Instance, ...]] | None:
    """Return a plan that would do what is asked, and what it breaks, as little as any that has come up; None: there is none.

    For questions that aren't settled: it shows what stands in the way of one try, and proves nothing.
    """
    probes = question.relaxed(scenario)
    referee = Referee(scenario.game)
    best: tuple[Plan, tuple[Violation, ...]] | None = None
    for plan in [*probes.plans, *probes.straight()]:
        try:
            violations = referee.play(plan, scenario.start, rolls=False).violations
        except InputError:
            continue
        if violations and (best is None or len(violations) < len(best[1])):
            best = plan, violations
    told = () if best is None else tuple(said_by_referee(scenario, best[0], _told_once(best[1])))
    return None if best is None or len(told) > MOST_OBSTACLES else (best[0], told)


def _told_once(violations: Iterable[Violation]) -> Iterator[Violation]:
    """Yield violations without those by which a unit that has no MP left can't pay for the rest of its way either."""
    poor: set[tuple[str | None, int | None]] = set()
    for violation in violations:
        if violation.cost is None or (violation.unit, violation.move) not in poor:
            yield violation
        if violation.cost is not None:
            poor.add((violation.unit, violation.move))
