"""Whose moves are none at all: those of another side, and of units whose move is over already."""

from __future__ import annotations

from collections.abc import Iterator

from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.verdict import Violation
from planner.rules.roles import Admits


def moved_by_nobody(reach: ConditionalReach, unit: str, move: int, label: str) -> Iterator[Violation]:
    """Yield what speaks against moving a unit of another side, an enemy or an ally.

    Parameters
    ----------
    reach : ConditionalReach
        What the rules say.
    unit, move, label : str, int, str
        The unit, the index of its move, and where that begins.
    """
    game = reach.game
    asked = [
        demand for rule in game.rulebook.of(Admits) for demand in rule.pick_up_demands(game, game.units[unit], label)
    ]
    left_out = {rule.id for rule in game.rulebook.of(Admits)} & reach.without
    paragraphs = [demand.paragraph for demand in asked if demand.source not in left_out]
    if not asked:  # no rule that holds in this phase says so
        sequence = game.rulebook.sequence
        paragraphs = ["" if sequence is None else sequence.paragraph]
    for paragraph in paragraphs:
        yield Violation(paragraph, unit, move, 0, label, (), f"{unit} is not a unit that may move")


def moved_before(reach: ConditionalReach, plan: Plan, index: int, move: Move) -> frozenset[str]:
    """Return the units of a move that have moved before what is asked, and may not go on with it.

    Parameters
    ----------
    reach : ConditionalReach
        What the rules say.
    plan : Plan
        The moves.
    index : int
        The place of the move in the plan.
    move : Move
        The move.
    """
    game, lets_wait = reach.game, reach.game.rulebook.lets_wait
    if game.begun is None:
        return frozenset()
    if index == 0 and game.begun.position.in_hand.issuperset(move.units):
        return frozenset()
    return frozenset(u for u in move.units if game.has_moved(u) and not lets_wait(game.units[u]))
