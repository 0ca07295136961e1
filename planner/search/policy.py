"""What a search for a plan that reacts answers, and never more than it knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING

from planner.formats.spoken_numbers import at_most, spoken_number
from planner.notebook import Shown
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.plans.policy import Node
from planner.search.result import gap, spoken_gap

if TYPE_CHECKING:
    from planner.search.answer_types import SearchStatus


@dataclass(frozen=True)
class Estimate:
    """What a rule comes to in the first tier, by casting the dice: likely, not proved.

    Attributes
    ----------
    mean : float
        The mean of all plays.
    low, high : float
        The interval around it in which the rule's value lies with 95 % confidence.
    plays : int
        How many plays there were.
    """

    mean: float
    low: float
    high: float
    plays: int

    @classmethod
    def of(cls, found: Sequence[Fraction]) -> Estimate | None:
        """Return the estimate that plays lead to; None where all came to the same: then nothing is known of the spread."""
        values = [float(one) for one in found]
        if len(set(values)) < 2:
            return None
        middle, aside = mean(values), 1.96 * stdev(values) / sqrt(len(values))
        return cls(round(middle, 4), round(middle - aside, 4), round(middle + aside, 4), len(values))


@dataclass(frozen=True)
class Policy(Shown):
    """The answer of a search for a plan that reacts to what is rolled.

    Attributes
    ----------
    status : SearchStatus
        optimal: no way of playing is worth more on average, proved. feasible: it can be played, not proved best.
        infeasible, unknown: as of a `Result`.
    seconds : float
        How long it took, loading excepted.
    root : Node or None
        What is done first; None without a policy.
    bound : tuple of Fraction
        For each tier what no way of playing exceeds, given the values of the tiers before it.
    fixed : tuple of Fraction
        What the best plan is worth that is known of those fixed in advance; empty where none is known. Where the objective
        looks at attacks after the moves, what the one comes to that `suggest` gives, if nobody advances.
    fixed_proved : bool
        Whether none of those fixed in advance is worth more, proved; not known where attacks after the moves are looked at.
    interrupted : bool
        Whether somebody stopped the search.
    reason : str
        Why nothing more is proved; empty where all is proved.
    rule : Estimate or None
        Where the policy is cut short, being too large to be written out: what it comes to as a rule, asking again after
        every roll, by casting the dice. The policy itself has its exact value, which is no more than that of the rule.
    """

    status: SearchStatus
    seconds: float
    root: Node | None = None
    bound: Value = ()
    fixed: Value = ()
    interrupted: bool = False
    reason: str = ""
    rule: Estimate | None = None
    fixed_proved: bool = False

    def to_dict(self) -> dict[str, object]:
        """Return it as data, ``planner/policy-1``."""
        from planner.search.answer_data import policy_data

        return policy_data(self)

    def __repr__(self) -> str:
        return f"<Policy: {self.sentence()}>"

    @property
    def value(self) -> Value:
        """What each tier comes to on average; empty without a policy."""
        return () if self.root is None else self.root.value

    @property
    def gap(self) -> float | None:
        """The gap of the first tier that isn't proved; 0 if all are, None without a policy."""
        if self.root is None:
            return None
        return next((gap(v, b) for v, b in zip(self.value, self.bound, strict=True) if v != b), 0.0)

    @property
    def plan(self) -> Plan | None:
        """What is done until the first roll; None without a policy."""
        return None if self.root is None else Plan(self.root.moves)

    def sentence(self) -> str:
        """Return what is proved, and what the policy is worth, in one sentence."""
        value, bound = " / ".join(map(spoken_number, self.value)), " / ".join(map(at_most, self.bound))
        if self.root is not None:
            if self.status == "optimal":
                return f"Optimal, proved: no way of playing is better on average. Value {value or 'none asked for'}."
            gap = spoken_gap(self.value, self.bound)
            return f"Not proved best. Value {value}, bound {bound}, gap {gap}. {self.reason}".rstrip()
        if self.status == "infeasible":
            return "Infeasible, proved: no way of playing fulfils every requirement."
        return f"Unknown: nothing found, and nothing ruled out. {self.reason}".rstrip()
