"""What a search answers, and never more than it knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.formats.mp import format_mp
from planner.formats.spoken_numbers import at_most, spoken_number
from planner.notebook import Shown
from planner.objective.scoring import TermScore, Value
from planner.plans.plan import Plan
from planner.referee.verdict import Verdict
from planner.scenario import scenario_of
from planner.search.conflict import Conflict

if TYPE_CHECKING:
    from planner.search.answer_types import ResultData, SearchStatus


@dataclass(frozen=True)
class Progress:
    """How far a search has got.

    Attributes
    ----------
    tier : int
        The tier that is being improved, from 0.
    value, bound : Fraction or None
        The best value found for it, and the best that may still be possible.
    seconds : float
        Time since the start.
    plan : Plan or None
        The best plan that the referee has played so far; the solver may know of a better value already.
    plan_value : tuple of Fraction
        What that plan is worth, tier by tier.
    """

    tier: int
    value: Fraction | None
    bound: Fraction | None
    seconds: float
    plan: Plan | None = None
    plan_value: Value = ()

    @property
    def gap(self) -> float | None:
        """The distance of value and bound, as a share of the value; None while one is missing."""
        return None if self.value is None or self.bound is None else gap(self.value, self.bound)


def gap(value: Fraction, bound: Fraction) -> float:
    """Return how far a bound lies above a value, as a share of the value (of 1 if that is smaller)."""
    return round(float((bound - value) / max(Fraction(1), abs(value))), 6)


def spoken_gap(values: Sequence[Fraction], bounds: Sequence[Fraction]) -> str:
    """Return the gap of the first tier that isn't proved, as players read it, and which tier that is if not the first.

    A share of the value says something where the value is at least as far from 0 as from the bound;
    elsewhere the difference does.
    """
    pairs = enumerate(zip(values, bounds, strict=True), 1)
    tier, value, bound = next(((tier, v, b) for tier, (v, b) in pairs if v != b), (1, Fraction(1), Fraction(1)))
    difference, size = bound - value, abs(value)
    if difference > size:
        told = at_most(difference)
    else:
        told = "below 0.01%" if 0 < difference * 10_000 < size else f"{float(difference / (size or 1)):.2%}"
    return told + (f" in tier {tier}" if tier > 1 else "")


@dataclass(frozen=True)
class Result(Shown):
    """The answer of a search.

    Attributes
    ----------
    status : SearchStatus
        What is proved.
    seconds : float
        How long it took, loading excepted.
    value : tuple of Fraction
        For each tier what the plan is worth; empty without a plan.
    bound : tuple of Fraction
        For each tier what no plan can exceed, given the values of the tiers before it; empty where nothing is known.
    plan : Plan or None
        The best plan found.
    verdict : Verdict or None
        The referee's verdict on it: always legal.
    terms : tuple of TermScore
        What each term of the objective comes to.
    confirmed : bool
        Whether a second solver configuration has agreed that there is no plan; not where every plan that might do it
        has been tried.
    interrupted : bool
        Whether somebody stopped the search.
    conflict : Conflict or None
        Where a partial plan can't be completed: what of it is to blame, if that was asked for.
    reason : str
        Why nothing more is proved, and what would help, in one sentence; empty where all is proved.
    """

    status: SearchStatus
    seconds: float
    value: Value = ()
    bound: Value = ()
    plan: Plan | None = None
    verdict: Verdict | None = None
    terms: tuple[TermScore, ...] = ()
    confirmed: bool = False
    interrupted: bool = False
    conflict: Conflict | None = None
    reason: str = ""

    def to_dict(self) -> ResultData:
        """Return it as data, ``planner/result-1``."""
        from planner.search.answer_data import result_data

        return result_data(self, scenario_of(self))

    def __repr__(self) -> str:
        value = " / ".join(str(format_mp(one)) for one in self.value)
        plan = "no plan" if self.plan is None else "; ".join(map(str, self.plan.moves)) or "nobody moves"
        return f"<Result {self.status}{', value ' * bool(value)}{value}: {plan}>"

    def sentence(self, rolled: bool = False) -> str:
        """Return what is proved, and what the plan is worth, in one sentence; `rolled`: whether results are rolled."""
        fixed = " that is fixed in advance" if rolled else ""
        value, bound = " / ".join(map(spoken_number, self.value)), " / ".join(map(at_most, self.bound))
        if self.plan is not None:
            if self.status == "optimal":
                return f"Optimal, proved: no plan{fixed} is better. Value {value or 'none asked for'}."
            gap = spoken_gap(self.value, self.bound)
            return f"Not proved best. Value {value}, bound {bound}, gap {gap}. {self.reason}".rstrip()
        if self.status == "infeasible":
            return f"Infeasible, {self.how_ruled_out}: no plan{fixed} fulfils every requirement."
        return f"Unknown: no plan found, and none ruled out. {self.reason}".rstrip()

    @property
    def how_ruled_out(self) -> str:
        """How it is proved that there is no plan, in words."""
        return "proved and confirmed" if self.confirmed else "proved by trying every plan that might do it"

    @property
    def gap(self) -> float | None:
        """The gap of the first tier that isn't proved; 0 if all are, None without a plan."""
        if self.plan is None:
            return None
        for value, bound in zip(self.value, self.bound, strict=True):
            if value != bound:
                return gap(value, bound)
        return 0.0
