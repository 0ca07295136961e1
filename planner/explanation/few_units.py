"""Which units a rule has to bind, and where, as far as what single units could come to soon tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from planner.explanation.deletion_filter import deletion_filter
from planner.explanation.relaxation import ALL, Scope
from planner.explanation.relaxed_answers import RelaxedAnswers
from planner.objective.goals import End
from planner.rules.combat_roles import Fights

MOST_NAMED = 6
"""Of more units than that, what binds them is told of all."""


def bound_to_each(scope: Scope, units: Sequence[str]) -> list[Scope]:
    """Return a rule bound to each unit, and to what concerns a hex as a whole."""
    everybody = [*units, *(() if scope.pays else (None,))]
    return [replace(scope, unit=unit) for unit in everybody]


def bound_to_few(
    probes: RelaxedAnswers, scope: Scope, others: Sequence[Scope], units: Sequence[str]
) -> list[Scope] | None:
    """Return a rule that binds everybody bound to a few units, where that is soon known to be enough; None: it isn't.

    Of combats searches find plainer words.
    """
    limits = probes.question.limits.part(0.3)
    if scope.unit != ALL or probes.scenario.game.rulebook.of(Fights):
        return None

    def forbids(scopes: Sequence[Scope]) -> bool:
        return not limits.late and probes.ask(scopes, quick=True)[0] is False

    parts = bound_to_each(scope, units)
    if not forbids([*others, *parts]):
        return None
    few, _ = deletion_filter(parts, forbids, lambda: limits.late, others)
    return few if len(few) <= MOST_NAMED else None


def bound_at_its_end(
    probes: RelaxedAnswers, scope: Scope, others: Sequence[Scope], goals: Sequence[End]
) -> list[Scope] | None:
    """Return a rule bound to where the unit that it binds is to end, if that is soon known to be enough; None: it isn't."""
    ends = frozenset(label for goal in goals if goal.unit == scope.unit for label in goal.at)
    there = [replace(scope, hexes=frozenset([label])) for label in sorted(ends)]
    return there if there and probes.ask([*others, *there], quick=True)[0] is False else None
