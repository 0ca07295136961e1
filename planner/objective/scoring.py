"""What an objective comes to: term by term, and tier by tier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Protocol

from planner.objective import Tally, Term, Tier
from planner.rules.game import Game
from planner.world.position import Position

Value = tuple[Fraction, ...]
"""What a plan is worth, tier by tier."""


class _End(Protocol):
    """Where a plan ends: a verdict, or one of its outcomes."""

    @property
    def position(self) -> Position: ...
    @property
    def tally(self) -> Tally: ...


class _Outcome(_End, Protocol):
    """One of the ways in which a plan may end."""

    @property
    def probability(self) -> Fraction: ...


class _Groups(Protocol):
    """Outcomes that aren't listed, since they are those of groups of moves that have nothing to do with each other."""

    def distribution(
        self, look: Callable[[Position, Tally], Fraction], most: int | None = None
    ) -> Mapping[Fraction, Fraction]: ...


class _Verdict(_End, Protocol):
    """The verdict on a plan."""

    @property
    def groups(self) -> _Groups | None: ...
    @property
    def outcomes(self) -> Sequence[_Outcome]: ...


@dataclass(frozen=True)
class TermScore:
    """What a term of the objective comes to.

    Attributes
    ----------
    tier : int
        Its tier, from 0.
    term : Term
        The term.
    count, worth : Fraction
        What it counts, and that times weight and sign.
    remarks : tuple of str
        How the count comes about, where nothing is rolled.
    """

    tier: int
    term: Term
    count: Fraction
    worth: Fraction
    remarks: tuple[str, ...] = ()


def score(game: Game, tiers: Sequence[Tier], verdict: _Verdict, most: int | None = None) -> list[TermScore]:
    """Compute every term of an objective from the position after the last move; where results are rolled, on average.

    `most` says how many outcomes may be told apart for one count where they aren't listed; None: as many as can be listed.

    Raises
    ------
    TooManyOutcomesError
        If that isn't enough.
    """
    if not verdict.outcomes:
        found = score_position(game, tiers, verdict.position, verdict.tally)
        told = [tuple(one.term.remarks(game, verdict.position)) for one in found]
        return [replace(one, remarks=said) if said else one for one, said in zip(found, told, strict=True)]
    if verdict.groups is not None:
        return [
            _worth(index, term, _average(game, term, verdict.groups, most))
            for index, tier in enumerate(tiers)
            for term in tier.terms
        ]
    # With one denominator, and what is counted alike taken together, there is hardly a fraction to be added.
    likely = [outcome.probability for outcome in verdict.outcomes]
    whole = lcm(*(chance.denominator for chance in likely))
    chances = [chance.numerator * (whole // chance.denominator) for chance in likely]
    terms = [(index, term) for index, tier in enumerate(tiers) for term in tier.terms]
    totals: list[Counter[Fraction]] = [Counter() for _ in terms]
    for outcome, chance in zip(verdict.outcomes, chances, strict=True):
        tally = _assessed(game, outcome.position, outcome.tally)
        for total, (_, term) in zip(totals, terms, strict=True):
            total[term.score(game, outcome.position, tally)] += chance
    counts = [sum((count * chance for count, chance in total.items()), Fraction(0)) / whole for total in totals]
    return [_worth(index, term, count) for (index, term), count in zip(terms, counts, strict=True)]


def score_position(game: Game, tiers: Sequence[Tier], position: Position, tally: Tally) -> list[TermScore]:
    """Compute every term of an objective from one position after the last move."""
    tally = _assessed(game, position, tally)
    return [
        _worth(index, term, term.score(game, position, tally))
        for index, tier in enumerate(tiers)
        for term in tier.terms
    ]


def _assessed(game: Game, position: Position, tally: Tally) -> Tally:
    """Return a tally with what its attacks come to: worked out once, not for each term that looks at them."""
    if not tally.attacks or tally.assessed is not None:
        return tally
    from planner.objective.attacks import assessed  # what games without attacks have no need of

    return replace(tally, assessed=assessed(game, position, tally))


def _average(game: Game, term: Term, groups: _Groups, most: int | None) -> Fraction:
    """Return what a term counts on average: what each thing that it counts does, added up."""
    parts = (groups.distribution(partial(one.score, game), most) for one in term.addends(game))
    return sum((count * chance for part in parts for count, chance in part.items()), Fraction(0))


def _worth(tier: int, term: Term, count: Fraction) -> TermScore:
    return TermScore(tier, term, count, count * term.weight * term.sign)


def tier_values(tiers: Sequence[Tier], scores: Sequence[TermScore]) -> Value:
    """Add up the worth of each tier's terms."""
    return tuple(sum((s.worth for s in scores if s.tier == i), Fraction(0)) for i in range(len(tiers)))


def values_of(game: Game, tiers: Sequence[Tier], verdict: _Verdict) -> Value:
    """Return what each tier of an objective comes to, as `score` has it."""
    return tier_values(tiers, score(game, tiers, verdict))
