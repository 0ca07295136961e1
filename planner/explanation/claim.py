"""What a sentence of a reason says, in a form that the referee can judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from planner.explanation.relaxation import Scope
from planner.formats.mp import format_mp
from planner.plans.plan import Plan

if TYPE_CHECKING:
    from planner.explanation.answer_data import ClaimData, ScopeData

ClaimKind = Literal["breaks", "out_of_reach", "by_chance", "falls_short", "never_sure", "rule"]
"""What is claimed; `Claim` says what each means."""

NO_MOVES = Plan()
"""No moves show it."""


@dataclass(frozen=True)
class Claim:
    """What a sentence says of the rule, the unit, the hex and those to blame that its instance names.

    Attributes
    ----------
    kind : str
        "breaks": who makes these moves breaks the rule there. "out_of_reach": by whatever way, the unit can't pay for
        getting from the beginning to the end of the move. "by_chance": by these moves the unit comes to the hex, and what
        happens there is rolled. "falls_short": whatever is done, or by these moves if there are any, no more than `most` is
        come to, and that isn't enough. "never_sure": whatever is done, it may go wrong. "rule": nothing but what the rule,
        or the question, asks for, or that others need the same; no moves show it.
    plan : Plan
        The moves, with the attack that is asked about, played from the position as it is.
    left, cost : Fraction or None
        Of a step that can't be paid: the MP that remain, and what it costs.
    in_force : tuple of Scope or None
        What alone is in force where the sentence says that all else is allowed; None: the board as it is.
    amounts : tuple of (str, Fraction)
        What else the sentence names, exactly. found: what there is; most: what is counted comes to no more, or mustn't;
        needed: what it would have to come to, absent where no amount would do; more: what it lacks; full: what all of it
        would be; tier_1 and so on: what the tiers before come to; attack, defense: strengths; mp: what a unit has to spend.
    units : tuple of str
        The units whose strengths are counted, in the order of the scenario.
    """

    kind: ClaimKind
    plan: Plan = NO_MOVES
    left: Fraction | None = None
    cost: Fraction | None = None
    in_force: tuple[Scope, ...] | None = None
    amounts: tuple[tuple[str, Fraction], ...] = ()
    units: tuple[str, ...] = ()

    def to_dict(self) -> ClaimData:
        """Return the claim as JSON has it; `in_force` is null on the board as it is."""
        found: ClaimData = {
            "kind": self.kind,
            "way": self.plan.lines,
            "in_force": None if self.in_force is None else [_to_json(scope) for scope in self.in_force],
            "amounts": {name: format_mp(amount) for name, amount in self.amounts},
            "units": list(self.units),
        }
        if self.cost is not None and self.left is not None:
            found["left"], found["cost"] = format_mp(self.left), format_mp(self.cost)
        return found


def _to_json(scope: Scope) -> ScopeData:
    hexes = None if scope.hexes is None else sorted(scope.hexes)
    return {"rule": scope.rule, "unit": scope.unit, "hexes": hexes, "pays": scope.pays}


RULE = Claim("rule")
"""Nothing but what the rule asks for."""


def counted(kind: ClaimKind, units: Iterable[str] = (), plan: Plan = NO_MOVES, **amounts: Fraction | int) -> Claim:
    """Return a claim about amounts."""
    return Claim(
        kind, plan, amounts=tuple((name, Fraction(amount)) for name, amount in amounts.items()), units=tuple(units)
    )
