"""What a search for alternatives answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.notebook import Shown
from planner.referee.plan_facts import Substance
from planner.scenario import scenario_of
from planner.search.result import Result

if TYPE_CHECKING:
    from planner.search.answer_types import AlternativesData

MOST_ALTERNATIVES = 1_000
DEFAULT_SHARE = Fraction(1, 10)
"""By which share a diverse plan may fall short of the best one in each tier, where nothing else is said."""


@dataclass(frozen=True)
class Alternative:
    """One of several plans that differ in substance.

    Attributes
    ----------
    result : Result
        The plan, its value and what is proved of it. Its status is "optimal" if it is proved that of all plans that
        cover none of those before it none is better; for diverse plans, that of all that are good enough none is
        further from those before it, and of these none better.
    substance : Substance
        What it comes to.
    distance : int or None
        How far it is from the nearest of those before it; None for the first.
    essential : bool
        Whether it is proved to cover no other plan that is worth as much: that none is worth more may be all that is.
    """

    result: Result
    substance: Substance
    distance: int | None = None
    essential: bool = False

    def __repr__(self) -> str:
        return f"<Alternative: {self.result!r}>"


@dataclass(frozen=True)
class Alternatives(Shown):
    """The best plans that differ in substance, or plans that are good and differ as much as possible.

    Attributes
    ----------
    first : Result
        The answer of the search for the best plan: where there is none, all that is known.
    plans : tuple of Alternative
        The plans, best first; of diverse ones, after the best one in the order in which they were chosen.
    exhausted : bool
        Whether it is proved that there are no others: as many as were asked for, or not, these are all.
    seconds : float
        How long it took, loading excepted.
    within : Fraction or None
        Of diverse plans, by which share each tier may fall short of the best plan's value; None for the best ones.
    """

    first: Result
    plans: tuple[Alternative, ...]
    exhausted: bool
    seconds: float
    within: Fraction | None = None

    def to_dict(self) -> AlternativesData:
        """Return it as data, ``planner/alternatives-1``."""
        from planner.search.answer_data import alternatives_data

        return alternatives_data(self, scenario_of(self))

    def __repr__(self) -> str:
        number = f"{len(self.plans)} {'plan' if len(self.plans) == 1 else 'plans'}"
        ranks = "every rank proved" if self.proved else "not every rank proved"
        rest = ", there is no other" if self.exhausted else ""
        listed = "".join(f"\n  {rank}. {plan.result!r}" for rank, plan in enumerate(self.plans, 1))
        return f"<Alternatives: {number}, {ranks if self.plans else self.first.status}{rest}{listed}>"

    @property
    def proved(self) -> bool:
        """Whether the rank of each plan is proved."""
        return bool(self.plans) and all(plan.result.status == "optimal" for plan in self.plans)

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped the search."""
        return self.first.interrupted or any(plan.result.interrupted for plan in self.plans)
