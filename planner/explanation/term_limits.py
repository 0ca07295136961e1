"""Limits that are asked for, or required: named where they forbid it, and by how much more it could be had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from planner.errors import DisagreementError, InputError, OutOfTimeError
from planner.explanation.answer import Change, Instance, Remedy
from planner.explanation.question import Question
from planner.explanation.relaxation import ALL, Scope
from planner.objective import Tier
from planner.objective.costs import Cost
from planner.scenario import Scenario
from planner.search.search import Search


def limits_of(scenario: Scenario, question: Question) -> list[Cost]:
    """Return the limits that are asked for, then those that the scenario requires."""
    terms = [*question.goals, *scenario.requirements]
    return [term for term in terms if isinstance(term, Cost) and term.most is not None]


def without(scenario: Scenario, question: Question, limit: Cost) -> tuple[Scenario, Question]:
    """Return the scenario, and the question, without a limit."""
    others = tuple(one for one in scenario.requirements if one is not limit)
    goals = tuple(one for one in question.goals if one is not limit)
    return replace(scenario, requirements=others), Question(goals, question.value, question.limits, question.movers)


def needed_limits(scenario: Scenario, question: Question, scopes: Sequence[Scope]) -> list[Cost]:
    """Return the limits without which rules in some scopes, together with the others, wouldn't forbid what is asked.

    Parameters
    ----------
    scenario : Scenario
        The scenario, with what it requires.
    question : Question
        What is asked, and proved to be forbidden.
    scopes : sequence of Scope
        Where rules are in force.
    """
    found = []
    for limit in limits_of(scenario, question):
        if question.late:
            break
        less, asked = without(scenario, question, limit)
        if asked.relaxed(less).possible(scopes)[0] is False:
            scenario, question = less, asked
        else:
            found.append(limit)
    return found


def told(limit: Cost, question: Question) -> Instance:
    """Return a limit as one of the things that forbid what is asked."""
    whose = "as is asked" if any(goal is limit for goal in question.goals) else "as the scenario requires"
    return Instance("", "", None, None, (), f"{limit.describe()}, {whose}")


def paid_for(scope: Scope, scenario: Scenario) -> Instance:
    """Return that a unit pays for its steps, where what it pays is limited."""
    rule, whoever = scenario.game.rulebook.by_id[scope.rule], scope.unit in (None, ALL)
    text = "all have to pay for their steps" if whoever else f"{scope.unit} has to pay for its steps"
    return Instance(
        scope.rule, rule.paragraph, None if whoever else scope.unit, None, (), f"{text}, and what is paid counts"
    )


def raised(scenario: Scenario, question: Question) -> Iterator[Remedy]:
    """Yield by which limit, with the others as they are, what is asked could be had: the least one, where it is proved."""
    if question.value:
        return
    for limit in limits_of(scenario, question):
        less, asked = without(scenario, question, limit)
        fewest = Tier(terms=(limit.model_copy(update={"most": None}),))
        try:
            found = Search(asked.asked(less, (fewest,)), question.limits.part(0.3)).run()
        except (DisagreementError, InputError, OutOfTimeError):
            continue
        if found.plan is not None and found.verdict is not None and asked.fulfilled(less, found.plan):
            had = max(limit.score(scenario.game, at, tally) for at, tally in found.verdict.all_outcomes())
            more = limit.model_copy(update={"most": had})
            change = Change("limit", limit.describe(), had, more.describe().removeprefix("at most "))
            yield Remedy((), (change,), found.plan, found.status == "optimal")
