"""Who else could help a unit to where it is to end by one move, and where that could lead, once one such move is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from planner.errors import OutOfTimeError
from planner.explanation.answer import Remedy
from planner.explanation.move_remedies import LOOKING_ON, MOST_ELSEWHERE, Remedies
from planner.explanation.question import Question
from planner.explanation.relaxed_answers import SHORT_PROBE
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search.unit_moves import UnitMoves


def other_helpers(scenario: Scenario, question: Question, unit: str, known: Remedy, limits: Limits) -> Remedies:
    """Return by which single moves of others a unit gets where it is to end: one for each who helps.

    Parameters
    ----------
    scenario : Scenario
        The position.
    question : Question
        What is asked of the unit.
    unit : str
        The unit.
    known : Remedy
        What is known to help.
    limits : Limits
        When to stop.
    """
    helper = _helper(known, unit)
    if helper is None:
        return Remedies([known])
    game, asked = scenario.game, replace(question, limits=limits, _relaxed=None)
    friends = [one for one in game.homes if one in game.friends and one not in (unit, helper)]
    found, every = [known], len(friends) <= LOOKING_ON
    for friend in friends[:LOOKING_ON]:
        if limits.late:
            return Remedies.of(found, False)
        alone = replace(asked, movers=(unit, friend), _relaxed=None)
        possible, plan = alone.relaxed(scenario).ask(None, work=SHORT_PROBE)
        every = every and possible is not None
        if possible and plan is not None and asked.fulfilled(scenario, plan):
            remedy = Remedy(tuple(move for move in plan.moves if move.units != (unit,)), (), plan, True)
            found.append(replace(remedy, fewest=_helper(remedy, unit) is not None))  # more moves than one are not
    told = list[Remedy]()
    for remedy in found:
        try:
            moves, way_counts = _elsewhere(scenario, asked, unit, remedy)
        except OutOfTimeError:
            return Remedies.of([*told, *found[len(told) :]], False)
        ends = [move for move in moves if _fights(move) == _fights(remedy.moves[0])]
        remedy, ends = _on_the_map_first(scenario, remedy, ends)
        told.append(replace(remedy, elsewhere=tuple(ends[:MOST_ELSEWHERE]), way_counts=way_counts))
        # Of who overruns somebody else besides it isn't told.
        every = every and len(moves) == len(ends) <= MOST_ELSEWHERE
    return Remedies.of(told, every)


def _on_the_map_first(scenario: Scenario, remedy: Remedy, others: Sequence[Move]) -> tuple[Remedy, list[Move]]:
    """Return a remedy and further moves that do the same, with what keeps its helper on the map before all else."""
    if not others:  # it may take several moves
        return remedy, []
    hexes, [made] = scenario.game.board.hexes, remedy.moves
    first, *rest = sorted([made, *others], key=lambda move: move.end not in hexes)
    plan = Plan(tuple(first if one == made else one for one in remedy.plan.moves))
    return replace(remedy, moves=(first,), plan=plan), rest


def _fights(move: Move) -> frozenset[str]:
    """Return the hexes that a move overruns, or fights for."""
    return frozenset([move.path[step] for step in move.overruns])


def _helper(remedy: Remedy, unit: str) -> str | None:
    """Return who helps, where it is one unit by one move of its own; None: it is another kind of help."""
    [*others] = {one for move in remedy.plan.moves for one in move.units if one != unit}
    return others[0] if len(others) == len(remedy.moves) == 1 and remedy.moves[0].units == (others[0],) else None


def _elsewhere(scenario: Scenario, asked: Question, unit: str, remedy: Remedy) -> tuple[list[Move], bool]:
    """Return further moves of a helper to other hexes with which the plan does the same, and whether their ways count."""
    helper, found = _helper(remedy, unit), dict[str, Move]()
    if helper is None:
        return [], False
    [made], vain = remedy.moves, set[str]()
    moves = [move for move, _ in UnitMoves(Referee(scenario.game), asked.limits).moves((helper,), scenario.start)]
    for move in sorted(moves, key=lambda one: _fights(one) != _fights(made)):  # as like as can be
        if move == made:
            continue
        if asked.fulfilled(scenario, Plan(tuple(move if one == made else one for one in remedy.plan.moves))):
            if move.end != made.end:
                found.setdefault(move.end, move)
        elif not move.overruns:
            vain.add(move.end)
    return [*found.values()], not made.overruns and not vain.isdisjoint((made.end, *found))
