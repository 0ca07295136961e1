"""Enemies whom no combats are sure to hurt: that the table says so, with one other rule at most, is soon known."""

from __future__ import annotations

from planner.explanation.relaxation import Scope, every_scope
from planner.explanation.relaxed_answers import RelaxedAnswers
from planner.rules.combat_roles import Fights
from planner.rules.roles import Charges


def spared_by_few(probes: RelaxedAnswers) -> list[Scope]:
    """Return the table of combats, with one rule more at most, if that is known to be enough; empty: it isn't.

    What is prohibited outright is tried first of the others: who can't come beside an enemy across a lake, say, is one less.
    """
    book, every = probes.scenario.game.rulebook, every_scope(probes.scenario)
    fights, charges = ({rule.id for rule in book.of(role)} for role in (Fights, Charges))
    table = [scope for scope in every if scope.rule in fights and not scope.pays]
    if not table or not probes.unhurt(None):
        return []
    others = sorted((scope for scope in every if scope not in table), key=lambda one: one.rule not in charges)
    for more in ((), *((one,) for one in others)):
        some = [*table, *more]
        if probes.question.late:
            return []
        if probes.ask(some, quick=True)[0] is False:
            return some
    return []
