"""Moves that get to the same hex by fewer steps: what a unit can't pay for is told by a way that doesn't wander."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from planner.explanation.move_edits import made_of, steps_of
from planner.plans.plan import Move, Plan

LONGEST = 12
"""Moves of more steps are left as they are."""


def straighter(plan: Plan, index: int, as_good: Callable[[Plan], bool]) -> Plan:
    """Return a plan of one of whose moves nothing between its ends can be left out in one piece.

    Parameters
    ----------
    plan : Plan
        The plan.
    index : int
        Which of its moves.
    as_good : callable
        Tells whether a plan with another form of this move does as well.
    """
    found: Plan | None = plan
    while found is not None:
        plan = found
        forms = (Plan((*plan.moves[:index], one, *plan.moves[index + 1 :])) for one in _shorter(plan.moves[index]))
        found = next(filter(as_good, forms), None)
    return plan


def _shorter(move: Move) -> Iterator[Move]:
    """Yield a move without some of the steps before its last one, as many as possible first."""
    steps = steps_of(move)
    for width in range(len(steps) - 1, 0, -1) if len(steps) <= LONGEST else ():
        for first in range(len(steps) - width):
            made = made_of(move, [*steps[:first], *steps[first + width :]])
            if made is not None:
                yield made
