"""Moves that do as much by fewer steps: what units may not do, or can't pay for, is told by ways that don't wander."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from planner.explanation.move_edits import made_of, steps_of
from planner.explanation.relaxation import Scope
from planner.explanation.relaxed_answers import RelaxedAnswers
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


def straightened(scopes: Sequence[Scope], plan: Plan, probes: RelaxedAnswers) -> Plan:
    """Return a plan without moves and detours that it has no need of, which nobody would make.

    Parameters
    ----------
    scopes : sequence of Scope
        Where rules are in force; the plan does what is asked then.
    plan : Plan
        The plan.
    probes : RelaxedAnswers
        What is known of the relaxed games.
    """
    for index in range(len(plan.moves)):
        fewer = Plan((*plan.moves[:index], *plan.moves[index + 1 :]), plan.attacks)
        if probes.works(scopes, fewer):
            return straightened(scopes, fewer, probes)
    for index, move in enumerate(plan.moves):
        for shorter in (*_straight_overruns(move, probes), *move.shortcuts(), *move.fewer_legs()):
            straight = Plan((*plan.moves[:index], shorter, *plan.moves[index + 1 :]))
            if len(shorter.path) > 1 and probes.works(scopes, straight):
                return straightened(scopes, straight, probes)
    return plan


def _straight_overruns(move: Move, probes: RelaxedAnswers) -> Iterator[Move]:
    """Yield shorter moves in which a unit goes straight to a hex that it overruns, and no further."""
    for step in sorted(move.overruns) if len(move.units) == 1 else ():
        straight = probes.straight_to(move.units[0], move.path[step], True)
        if straight is not None and len(straight.path) < len(move.path):
            yield straight
