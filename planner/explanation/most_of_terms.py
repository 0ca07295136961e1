"""What the parts of a tier come to at most, alone and together: often the plainest reason why a value can't be had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice

from planner.errors import DisagreementError, InputError, OutOfTimeError
from planner.explanation.answer import Instance, Reason
from planner.explanation.claim import Claim, counted
from planner.explanation.parse_question import worth
from planner.explanation.question import Question
from planner.formats.spoken_numbers import spoken_number
from planner.limits import Limits
from planner.objective import Term, Tier
from planner.scenario import Scenario
from planner.search.search import best_plan, probe

LONGEST_LOOK = 2.0
"""Work that is done for each term, or some of them together, at most, in the solver's measure."""

MOST_GROUPS = 10
"""Of so many groups of terms it is asked what they come to together, the smallest first, and then of all."""

ORDINALS = ("first", "second", "third", "fourth", "fifth")


def most_of_terms(scenario: Scenario, question: Question) -> Reason | None:
    """Return that parts of a tier come to too little for a value, even with all else that it counts.

    They are looked at as if nothing else counted, first each by itself, then as few as do together; what is told of them is
    what two configurations of the solver say. Of later tiers it is told what they come to where those before come to what is
    asked for, and to no more. None: it isn't known.

    Parameters
    ----------
    scenario : Scenario
        The position, with its objective.
    question : Question
        The value, which is known to be impossible.
    """
    for index, wanted in enumerate(question.value):
        parts = _Parts(scenario, question, index)
        found = parts.reason() or parts.whole()
        if found is not None:
            return found
        # Where more than that may be had, what comes after it doesn't matter.
        if index + 1 == len(question.value) or parts.most(parts.all, question.limits.part(0.5)) != wanted:
            return None
    return None


def names_parts(reason: Reason) -> bool:
    """Tell whether a reason says of some terms what they come to, and not just what the whole tier does."""
    return any(name == "full" for one in reason.instances for name, _ in one.claim.amounts)


class _Parts:
    """What terms of one tier come to at most, if those before it come to what is asked for."""

    def __init__(self, scenario: Scenario, question: Question, index: int) -> None:
        self._scenario, self._question, self._index = scenario, question, index
        self._terms: tuple[Term, ...] = scenario.tiers[index].terms
        self._known: dict[Sequence[int], Fraction | None] = {}
        self.all = tuple(range(len(self._terms)))
        # What proved that the value is impossible says what the whole comes to, too.
        best = question.relaxed(scenario).best
        self._bound = None if best is None else self._of_tier(best.bound)
        if self._bound is not None:
            self._known[self.all] = self._bound
        self._limits = question.limits.part(0.6)  # some is left to confirm what is told

    def reason(self) -> Reason | None:
        """Return that the tier comes to too little, as plainly as it can be told; None: it isn't known."""
        wanted, each = self._question.value[self._index], dict[tuple[int, ...], Fraction]()
        highest = [Fraction(term.highest(self._scenario.game) * term.weight) for term in self._terms]
        for term in self.all:
            most = self.most((term,))
            each[term,] = highest[term] if most is None else min(most, highest[term])
            rest = sum(highest[term + 1 :], Fraction(0))
            if sum(each.values()) + rest < wanted:
                each.update({(other,): highest[other] for other in self.all[term + 1 :]})
                break
        if sum(each.values()) >= wanted:
            each = self._together(each)
        total, needed = sum(each.values(), Fraction(0)), list[tuple[int, ...]]()
        if total >= wanted:
            return None
        for group, most in sorted(each.items(), key=lambda one: sum(highest[term] for term in one[0]) - one[1]):
            full = sum((highest[term] for term in group), Fraction(0))
            if total - most + full >= wanted:
                needed.append(group)
            else:
                total += full - most
        for group in needed:
            # What was known from the answer comes from the second configuration.
            other = group != self.all or self._bound is None
            again = self._asked(group, self._question.limits.of_work(LONGEST_LOOK), other)
            if again is None or again > each[group]:
                return None
        return Reason(self._instances(needed, each, highest, total), True, True)

    def whole(self) -> Reason | None:
        """Return what the whole tier comes to, as the answer says; None: it isn't known. A second proof may be lacking."""
        if self._bound is None or self._bound >= self._question.value[self._index]:
            return None
        parts = [self.all] if len(self.all) > 1 else []  # of one term, what it comes to is what the tier does
        return Reason(self._instances(parts, {self.all: self._bound}, (), self._bound), False, True)

    def _instances(
        self,
        needed: Sequence[tuple[int, ...]],
        each: dict[tuple[int, ...], Fraction],
        highest: Sequence[Fraction],
        total: Fraction,
    ) -> tuple[Instance, ...]:
        """Return what is told of some terms, and of all, as instances."""
        before = self._question.value[: self._index]
        come = tuple((f"tier_{number}", value) for number, value in enumerate(before, 1))
        return tuple(
            Instance("", "", None, None, (), text, claim=replace(claim, amounts=(*claim.amounts, *come)))
            for text, claim in self._told(needed, each, highest, total)
        )

    def _together(self, each: dict[tuple[int, ...], Fraction]) -> dict[tuple[int, ...], Fraction]:
        """Return the same with the fewest terms that are looked at together so that it is too little."""
        wanted, whole = self._question.value[self._index], self.most(self.all, self._limits)
        if whole is None or whole >= wanted:
            return each
        groups = (group for size in self.all[2:] for group in combinations(self.all, size))
        for group in islice(groups, MOST_GROUPS):
            rest = {one: most for one, most in each.items() if one[0] not in group}
            most = None if self._limits.late else self.most(group)
            if most is not None and most + sum(rest.values()) < wanted:
                return {group: most, **rest}
        return {self.all: whole}

    def most(self, terms: Sequence[int], limits: Limits | None = None) -> Fraction | None:
        """Return what some terms come to at most if no others count; None: it isn't known."""
        if terms not in self._known:
            self._known[terms] = self._asked(terms, limits or self._limits.of_work(LONGEST_LOOK), False)
        return self._known[terms]

    def _asked(self, terms: Sequence[int], limits: Limits, second: bool) -> Fraction | None:
        index = self._index
        tier = Tier(terms=tuple(self._scenario.tiers[index].terms[term] for term in terms))
        alone = self._scenario.aiming_at(
            (*self._scenario.tiers[:index], tier)
        )  # who must attack must do so whatever counts
        try:
            found = best_plan(probe(alone, limits, second))
        except (DisagreementError, InputError, OutOfTimeError):
            return None
        return self._of_tier(found.bound)

    def _of_tier(self, bound: tuple[Fraction, ...]) -> Fraction | None:
        """Return what bounds say of the tier; None: nothing, or not where those before it come to what is asked for."""
        index = self._index
        return bound[index] if len(bound) > index and bound[:index] == self._question.value[:index] else None

    def _told(
        self,
        needed: Sequence[tuple[int, ...]],
        each: dict[tuple[int, ...], Fraction],
        highest: Sequence[Fraction],
        total: Fraction,
    ) -> Iterator[tuple[str, Claim]]:
        """Yield what some terms come to at most, each or together, and then what all that counts does, with the claims."""
        tier = f"the {ORDINALS[self._index]} tier" if self._index < len(ORDINALS) else f"tier {self._index + 1}"
        before, wanted = self._question.value[: self._index], self._question.value[self._index]
        where = "the first tier" if len(before) == 1 else "the tiers before"
        given = f"with {worth(before)} in {where}, " if before else ""
        if not needed:
            text = f"{given}{tier} can't come to more than {spoken_number(total)}, whatever is done"
            yield text, counted("falls_short", most=total, needed=wanted)
            return
        if needed == [self.all] and len(self.all) > 1:
            text = f"{given}{tier} comes to at most {spoken_number(total)}, whatever is done"
            yield text, counted("falls_short", most=total, needed=wanted)
            return
        for group in reversed(needed):  # what lacks most first
            names, most = " and ".join(self._terms[term].describe() for term in group), spoken_number(each[group])
            full = sum((highest[term] for term in group), Fraction(0))
            of = f" of {spoken_number(full)}" if full > 0 else ""
            verb, together = ("come", " together") if len(group) > 1 else ("comes", "")
            text = f"{given}{names} {verb} to at most {most}{of}{together}, whatever is done"
            yield text, counted("falls_short", most=each[group], full=full)
        if len(self.all) > 1:
            text = f"with all else that {tier} counts it can't come to more than {spoken_number(total)}"
            yield text, counted("falls_short", most=total, needed=wanted)
