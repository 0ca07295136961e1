"""What forbids something once attacks have been declared: nobody moves any more."""

from __future__ import annotations

from dataclasses import replace

from planner.errors import DisagreementError, OutOfTimeError
from planner.explanation.answer import Instance, Reason
from planner.explanation.minimal_conflicts import said_by_referee
from planner.explanation.question import Question
from planner.explanation.term_limits import limits_of
from planner.objective.goals import End
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.rules.attack_referee import attack_rule
from planner.scenario import Scenario


def nobody_moves(scenario: Scenario, question: Question) -> Reason | None:
    """Return that nobody moves any more, where that alone forbids what is asked, which is known to be impossible.

    None: attacks have neither been declared nor made, or it is forbidden by limits.

    Parameters
    ----------
    scenario : Scenario
        The position.
    question : Question
        What can't be had: a destination, goals or a value.
    """
    rule = attack_rule(scenario.game)
    if rule is None or not scenario.start.attacking:
        return None
    before = undeclared(scenario)
    try:
        possible = question.relaxed(before).possible(())[0]
    except (DisagreementError, OutOfTimeError):
        possible = None
    if possible is False and limits_of(scenario, question):
        return None
    done = "made" if scenario.start.attacked else "declared"
    text = f"nobody moves any more: attacks have been {done}"
    terms = [*question.goals, *scenario.requirements]
    terms += [term for tier in scenario.tiers if question.value for term in tier.terms]
    if any(term.looks_at_attacks for term in terms):
        text += ", and what can still be rolled doesn't come to it"
    told = Instance(rule.id, rule.paragraph, None, None, (), text)
    if len(question.goals) == 1 and isinstance(goal := question.goals[0], End) and len(goal.at) == 1:
        told = _of_a_unit(scenario, question, goal) or told
    return Reason((told,), True, possible is True)


def _of_a_unit(scenario: Scenario, question: Question, goal: End) -> Instance | None:
    """Return that a unit may not make the move that would take it to where it is to end; None: there is none."""
    move = question.relaxed(scenario).straight_to(goal.unit, goal.at[0])
    if move is None:
        return None
    plan = Plan((move,))
    violations = Referee(scenario.game).play(plan, scenario.start, rolls=False).violations
    return next(iter(said_by_referee(scenario, plan, (one for one in violations if one.unit == goal.unit))), None)


def undeclared(scenario: Scenario) -> Scenario:
    """Return a position in which units may move on, as if no attacks had been declared, but where they have got to."""
    start = scenario.start.copy()
    start.attacked, start.declared, start.due = (), None, None
    begun = scenario.game.begun
    assert begun is not None
    game = replace(scenario.game, begun=replace(begun, position=start), _cache={})
    return replace(scenario, game=game, start=start)
