"""What each part of a value comes to at most by itself: often the plainest reason why the value can't be had."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from planner.errors import DisagreementError, InputError, OutOfTimeError
from planner.explanation.answer import Instance, Reason
from planner.explanation.claim import counted
from planner.explanation.question import Question
from planner.formats.spoken_numbers import spoken_number
from planner.objective import Term, Tier
from planner.scenario import Scenario
from planner.search.search import best_plan, probe

LONGEST_LOOK = 2.0
"""Work that is done for each term at most, in the solver's measure."""


def most_of_terms(scenario: Scenario, question: Question) -> Reason | None:
    """Return that some terms of the first tier come to too little for a value, even with all of the others.

    Each is looked at as if nothing else counted, twice: by two configurations of the solver. None: that isn't enough.

    Parameters
    ----------
    scenario : Scenario
        The position, with its objective.
    question : Question
        The value, which is known to be impossible.
    """
    if not question.value:
        return None
    total, had = question.most(scenario), list[tuple[Fraction, Fraction, Term]]()
    for term in scenario.tiers[0].terms:
        full = term.highest(scenario.game) * term.weight
        most = _most(scenario, question, term, False)
        if most is not None and most < full:
            had.append((most - full, most, term))
            total -= full - most
        if total < question.value[0]:
            break
    if total >= question.value[0]:
        return None
    needed, total = list[tuple[Fraction, Fraction, Term]](), question.most(scenario)
    for one in sorted(had, key=lambda one: one[0]):
        if total >= question.value[0]:
            needed.append(one)
            total += one[0]
    for _, most, term in needed:
        again = _most(scenario, question, term, True)
        if again is None or again > most:
            return None
    return Reason(tuple(_told(scenario, needed, total, question.value[0])), True, True)


def _most(scenario: Scenario, question: Question, term: Term, second: bool) -> Fraction | None:
    """Return what a term comes to at most if nothing else counts; None: it isn't known."""
    alone = replace(scenario, tiers=(Tier(terms=(term,)),))
    try:
        found = best_plan(probe(alone, question.limits.of_work(LONGEST_LOOK), second))
    except (DisagreementError, InputError, OutOfTimeError):
        return None
    return found.bound[0] if found.bound else None


def _told(
    scenario: Scenario, needed: list[tuple[Fraction, Fraction, Term]], total: Fraction, asked: Fraction
) -> Iterator[Instance]:
    """Yield what each of some terms comes to at most, and then what all that counts does."""
    for less, most, term in needed:
        text = f"{term.describe()} comes to at most {spoken_number(most)} of {spoken_number(most - less)}, whatever is done"
        yield Instance("", "", None, None, (), text, claim=counted("falls_short", most=most, full=most - less))
    if len(scenario.tiers[0].terms) > 1:
        text = f"with all else that the first tier counts it can't come to more than {spoken_number(total)}"
        yield Instance("", "", None, None, (), text, claim=counted("falls_short", most=total, needed=asked))
