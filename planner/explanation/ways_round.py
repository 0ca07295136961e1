"""Plans by which a rule is seen to be needed: round a hex by another one, or under rules that bind everybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from planner.explanation.relaxation import ALL, Scope
from planner.explanation.relaxed_answers import SHORT_PROBE, RelaxedAnswers
from planner.plans.plan import Plan
from planner.world.board import Board

MOST_PLANS = 20
"""Of so many plans it is tried whether they do what is asked if one step is led by another hex."""


def led_round(board: Board, scopes: Sequence[Scope], probes: RelaxedAnswers) -> Plan | None:
    """Return a plan that has come up, led round one hex, by which what is asked is done; None: none does, or it gets late.

    Parameters
    ----------
    board : Board
        The map.
    scopes : sequence of Scope
        Where rules are in force.
    probes : RelaxedAnswers
        What is known of the relaxed games; the plan is added to it.
    """
    for known in probes.plans[:MOST_PLANS]:
        for plan in _round(board, known):
            if probes.question.late:
                return None
            if probes.works(scopes, plan):
                probes.plans.append(plan)
                return plan
    return None


def with_all_bound(scopes: Sequence[Scope], probes: RelaxedAnswers) -> Plan | None:
    """Return a plan that does what is asked even if the rules bind everybody; None: none is known.

    Where rules bind one unit, others may go anywhere, and there is more to search.

    Parameters
    ----------
    scopes : sequence of Scope
        Where rules are in force.
    probes : RelaxedAnswers
        What is known of the relaxed games.
    """
    wide = list(dict.fromkeys(replace(scope, unit=ALL) for scope in scopes))
    return None if wide == list(scopes) else probes.possible(wide, SHORT_PROBE)[1]


def _round(board: Board, plan: Plan) -> Iterator[Plan]:
    """Yield a plan with one hex of one move replaced by another that lies beside those before and after it."""
    for index, move in enumerate(plan.moves):
        for step, (before, here, after) in enumerate(zip(move.path, move.path[1:], move.path[2:], strict=False), 1):
            for label in board.neighbours.get(before, ()):
                if label != here and label in board.neighbours.get(after, ()):
                    led = replace(move, path=(*move.path[:step], label, *move.path[step + 1 :]))
                    yield Plan((*plan.moves[:index], led, *plan.moves[index + 1 :]))
