"""Limits that are asked for, or required: named where they forbid it, and by how much more it could be had."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Literal

from planner.errors import DisagreementError, InputError, OutOfTimeError
from planner.explanation.answer import Change, Instance, Remedy
from planner.explanation.claim import counted
from planner.explanation.parse_question import worth
from planner.explanation.question import Question
from planner.explanation.relaxation import ALL, Scope
from planner.objective import Term, Tier
from planner.objective.costs import CostTerm
from planner.scenario import Scenario
from planner.search.search import Search

MOST_TOGETHER = 3
"""So many bounds are loosened together at most."""


def limits_of(scenario: Scenario, question: Question) -> list[CostTerm]:
    """Return the limits that are asked for, then those that the scenario requires."""
    terms = [*question.goals, *scenario.requirements]
    return [term for term in terms if isinstance(term, CostTerm) and term.most is not None]


def without(scenario: Scenario, question: Question, limit: CostTerm) -> tuple[Scenario, Question]:
    """Return the scenario, and the question, without a limit."""
    others = tuple(one for one in scenario.requirements if one is not limit)
    goals = tuple(one for one in question.goals if one is not limit)
    return replace(scenario, requirements=others), Question(goals, question.value, question.limits, question.movers)


def needed_limits(scenario: Scenario, question: Question, scopes: Sequence[Scope]) -> tuple[list[CostTerm], bool]:
    """Return the limits without which rules in some scopes, together with the others, wouldn't forbid what is asked.

    The second value tells whether that is known of each: if it got late, none is left out that may be needed.

    Parameters
    ----------
    scenario : Scenario
        The scenario, with what it requires.
    question : Question
        What is asked, and proved to be forbidden.
    scopes : sequence of Scope
        Where rules are in force.
    """
    found, known = [], True
    for limit in limits_of(scenario, question):
        less, asked = without(scenario, question, limit)
        possible = None if question.late else asked.relaxed(less).possible(scopes)[0]
        if possible is False:
            scenario, question = less, asked
        else:
            found.append(limit)
            known = known and possible is True
    return found, known


def told(limit: CostTerm, question: Question) -> Instance:
    """Return a limit as one of the things that forbid what is asked."""
    whose = "as is asked" if any(goal is limit for goal in question.goals) else "as the scenario requires"
    claim = counted("rule", most=limit.most or 0)
    return Instance("", "", None, None, (), f"{limit.describe()}, {whose}", claim=claim)


def paid_for(scope: Scope, scenario: Scenario) -> Instance:
    """Return that a unit pays for its steps, where what it pays is limited."""
    rule, whoever = scenario.game.rulebook.by_id[scope.rule], scope.unit in (None, ALL)
    text = "all have to pay for their steps" if whoever else f"{scope.unit} has to pay for its steps"
    return Instance(
        scope.rule, rule.paragraph, None if whoever else scope.unit, None, (), f"{text}, and what is paid counts"
    )


def raised(scenario: Scenario, question: Question) -> Iterator[Remedy]:
    """Yield which bounds could be others so that what is asked could be had, by as little as does it, where that is proved.

    Bounds are limits, "at least" in goals, and the value that is asked for. First those that do by themselves; where none
    does, two together, then three.
    """
    if question.value:
        yield from _what_can_be_had(scenario, question)
    bounded = [term for term in (*question.goals, *scenario.requirements) if _bound(term) is not None]
    fewer_fail = True
    for size in range(1, min(len(bounded), MOST_TOGETHER) + 1):
        found: dict[frozenset[tuple[str, Fraction]], Remedy] = {}
        settled = True
        for some in permutations(bounded, size):  # the first of them is loosened least
            if question.late:
                return
            known, remedy = _loosened(scenario, question, some)
            settled = settled and known
            if remedy is not None:
                key = frozenset((change.what, change.amount) for change in remedy.changes)
                found.setdefault(key, replace(remedy, fewest=remedy.fewest and fewer_fail))
        yield from found.values()
        if found:
            return
        fewer_fail = fewer_fail and settled


def _bound(term: Term) -> tuple[Literal["most", "at_least"], Fraction] | None:
    """Return which bound a goal sets to what it counts; None: it sets none."""
    keys: tuple[Literal["most", "at_least"], ...] = ("most", "at_least")
    return next(((key, Fraction(value)) for key in keys if (value := getattr(term, key, None)) is not None), None)


def _what_can_be_had(scenario: Scenario, question: Question) -> Iterator[Remedy]:
    """Yield the most that the tiers come to, as that with which one would have to be content, if proved."""
    found = question.relaxed(scenario).best  # what proved that more can't be had
    try:
        if found is None or found.status != "optimal":
            found = Search(scenario, question.limits.part(0.5)).run()
    except (DisagreementError, InputError, OutOfTimeError):
        return
    wanted, had = question.value, found.value[: len(question.value)]
    if found.plan is None or found.status != "optimal" or had >= wanted:
        return
    first = next(mine for mine, asked in zip(had, wanted, strict=True) if mine != asked)
    change = Change("enough", f"value {worth(wanted)}", first, f"value {worth(had)}")
    yield Remedy((), (change,), found.plan, True)


def _loosened(scenario: Scenario, question: Question, some: Sequence[Term]) -> tuple[bool, Remedy | None]:
    """Tell whether it is settled if it could be had with other bounds to some goals, and with which; None: it can't."""
    less, goals = scenario, question.goals
    for term in some:
        less = replace(less, requirements=tuple(one for one in less.requirements if one is not term))
        goals = tuple(one for one in goals if one is not term)
    asked, many = Question(goals, question.value, question.limits, question.movers), len(question.value)
    bounds = [(term, bound) for term in some if (bound := _bound(term)) is not None]
    closest = tuple(Tier(terms=(term.model_copy(update={key: None}),)) for term, (key, _) in bounds)
    game = asked.asked(less, closest)
    try:
        found = Search(replace(game, tiers=(*scenario.tiers[:many], *closest)), question.limits.part(0.3)).run()
        outcomes = [] if found.verdict is None else found.verdict.all_outcomes()
    except (DisagreementError, InputError, OutOfTimeError):
        return False, None
    if found.plan is None or found.verdict is None or not asked.fulfilled(less, found.plan):
        return found.status in ("infeasible", "optimal"), None
    changes, exact = [], found.status == "optimal" and found.value[:many] == question.value
    for term, (key, now) in bounds:
        counts = {term.score(scenario.game, position, tally) for position, tally in outcomes}
        had = max(counts) if key == "most" else min(counts)
        more = term.model_copy(update={key: had})
        if not all(more.holds(scenario.game, position, tally) for position, tally in outcomes):
            return False, None  # what it counts isn't what it bounds
        if more.describe() == term.describe() or (key == "at_least" and not had):
            return False, None
        exact = exact and len(counts) == 1
        if had > now if key == "most" else had < now:
            told = re.sub(r"^at (most|least) | at least$", "", more.describe())
            changes.append(Change("limit" if key == "most" else "enough", term.describe(), had, told))
    return True, Remedy((), tuple(changes), found.plan, exact) if changes else None
