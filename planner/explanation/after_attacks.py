"""What forbids something once attacks have been declared: nobody moves any more."""

from __future__ import annotations

from dataclasses import replace

from planner.errors import DisagreementError, OutOfTimeError
from planner.explanation.answer import Instance, Reason
from planner.explanation.minimal_conflicts import reason_against
from planner.explanation.question import Question
from planner.explanation.wording import said_by_referee
from planner.objective.goals import End
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.rules.attack_rule import attack_rule
from planner.rules.attack_table import AttackRule
from planner.scenario import Scenario


def reasons_in_phase(scenario: Scenario, question: Question) -> tuple[Reason, ...]:
    """Return what forbids what is asked, which is known to be impossible; empty: that wasn't settled in time.

    Once attacks have been declared it is that nobody moves any more; after it stands what forbade it before that, too.

    Parameters
    ----------
    scenario : Scenario
        The position.
    question : Question
        What can't be had: a destination, goals or a value.
    """
    rule = attack_rule(scenario.game)
    if rule is None or not scenario.start.attacking or question.beyond(scenario):
        return _as_tuple(reason_against(scenario, question))
    earlier, before = undeclared(scenario), replace(question, _relaxed=None)
    try:
        anything = before.relaxed(earlier).possible(())[0]
        possible = anything and before.relaxed(earlier).ask(None, second=True)[0]
    except (DisagreementError, OutOfTimeError):
        anything = possible = None
    if anything is False:
        return _as_tuple(reason_against(scenario, question))
    first = _nobody_moves(scenario, question, rule, anything is True)
    return first, *_forbidden_before(earlier, before, possible)


def _as_tuple(reason: Reason | None) -> tuple[Reason, ...]:
    return () if reason is None else (reason,)


def _forbidden_before(earlier: Scenario, question: Question, possible: bool | None) -> tuple[Reason, ...]:
    """Return what forbade it before attacks were declared; empty: nothing, or it isn't known."""
    found = reason_against(earlier, question) if possible is False else None
    return () if found is None or not found.instances else (replace(found, before_attacks=True),)


def _nobody_moves(scenario: Scenario, question: Question, rule: AttackRule, needed: bool) -> Reason:
    """Return that nobody moves any more; `needed`: whether, if all else were allowed, that alone would forbid it."""
    done = "made" if scenario.start.attacked else "declared"
    text = f"nobody moves any more: attacks have been {done}"
    terms = [*question.goals, *scenario.requirements]
    terms += [term for tier in scenario.tiers if question.value for term in tier.terms]
    if any(term.looks_at_attacks for term in terms):
        text += ", and what can still be rolled doesn't come to it"
    told = Instance(rule.id, rule.paragraph, None, None, (), text)
    if len(question.goals) == 1 and isinstance(goal := question.goals[0], End) and len(goal.at) == 1:
        told = _of_a_unit(scenario, question, goal) or told
    return Reason((told,), True, needed)


def _of_a_unit(scenario: Scenario, question: Question, goal: End) -> Instance | None:
    """Return that a unit may not make the move that would take it to where it is to end; None: there is none."""
    move = question.relaxed(scenario).straight_to(goal.unit, goal.at[0])
    if move is None:
        return None
    plan = Plan((move,))
    violations = Referee(scenario.game).play(plan, scenario.start, rolls=False).violations
    told = said_by_referee(scenario, plan, (one for one in violations if one.unit == goal.unit))
    return replace(told[0], move=None, step=None) if told else None  # nobody has asked about that move


def undeclared(scenario: Scenario) -> Scenario:
    """Return a position in which units may move on, as if no attacks had been declared, but where they have got to."""
    start = scenario.start.copy()
    start.attacked, start.declared, start.due = (), None, None
    begun = scenario.game.begun
    assert begun is not None
    game = replace(scenario.game, begun=replace(begun, position=start), _cache={})
    return replace(scenario, game=game, start=start)
