"""A local search for the moves of a phase: late acceptance hill climbing, by plain play on a position in memory.

Burke and Bykov, *The late acceptance hill-climbing heuristic* (European Journal of Operational Research 258, 2017): a
change is taken if it is no worse than what was held so many changes ago. It proves nothing; in a match it is what a search
with a model must be better than.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Sequence
from fractions import Fraction

from planner.errors import PlannerError
from planner.objective.scoring import Value, score_position, tier_values
from planner.plans.plan import Move
from planner.playing.position import Position
from planner.referee.referee import tally_of

Moves = tuple[Move, ...]

HISTORY = 20
"""A change is taken if it is no worse than what was held so many changes before."""

ROLLS = 2
"""How many moves of a plan may be rolled for: each multiplies the results that are looked at."""


def worth(position: Position) -> Value:
    """Return what the objective of the side that moves comes to as everybody stands."""
    scenario = position.scenario
    scores = score_position(scenario.game, scenario.tiers, scenario.start, tally_of(scenario.start))
    return tier_values(scenario.tiers, scores)


def hoped(position: Position, moves: Sequence[Move], rolls: int = ROLLS, ending: bool = False) -> Value | None:
    """Return what the objective comes to after moves, on average over what is rolled; moves that can't be made are left out.

    Parameters
    ----------
    position : Position
        Where they begin; it is left as it is.
    moves : sequence of Move
        The moves, in their order.
    rolls : int
        For how many of them may be rolled.
    ending : bool
        Whether the phase is to end after them, for which nothing but attacks may be missing then.

    Returns
    -------
    tuple of Fraction or None
        A number for each tier; None if more is rolled, or the phase could not end.
    """
    pushed, found = 0, None
    for index, move in enumerate(moves):
        try:
            position.push(move)
        except PlannerError:
            continue
        pushed += 1
        if position.outcomes:
            found = _average(position, moves[index + 1 :], rolls - 1, ending) if rolls else None
            break
    else:
        may = not ending or len(position.problems()) == len(position.attacks_due())
        found = worth(position) if may else None
    for _ in range(pushed):
        position.pop()
    return found


def _average(position: Position, rest: Sequence[Move], rolls: int, ending: bool) -> Value | None:
    """Return the average over what is rolled now."""
    total: list[Fraction] = []
    for one in position.outcomes:
        position.roll(result=one.move)
        value = hoped(position, rest, rolls, ending) if not position.outcomes else None
        position.pop()
        if value is None:
            return None
        likely = [one.probability * more for more in value]
        total = [before + more for before, more in zip(total, likely, strict=True)] if total else likely
    return tuple(total)


def improved(position: Position, seconds: float, draw: random.Random) -> Moves:
    """Return the best moves that are found in so many seconds.

    Parameters
    ----------
    position : Position
        Where they begin; it is left as it is.
    seconds : float
        How long; positive.
    draw : random.Random
        What changes are tried; not the dice of the game.
    """
    until = time.monotonic() + seconds
    now = position.copy()
    game = now.scenario.game
    units = [unit for unit in game.units if game.may_be_moved(unit) and unit in now.at]
    held: Moves = ()
    value = hoped(now, held, ending=True)
    best, most = held, value
    before = deque([value] * HISTORY, HISTORY)
    while units and time.monotonic() < until:
        other = _changed(now, held, units, draw)
        new = hoped(now, other, ending=True)
        if new is not None and (value is None or new >= value or before[0] is None or new >= before[0]):
            held, value = other, new
            if most is None or new > most or (new == most and len(held) < len(best)):
                best, most = held, new
        before.append(value)
    for at in reversed(range(len(best))):  # what brings nothing, or can't be made, is left out
        fewer = best[:at] + best[at + 1 :]
        least = hoped(now, fewer, ending=True)
        if least is not None and most is not None and least >= most:
            best, most = fewer, least
    return best


def _changed(position: Position, moves: Moves, units: Sequence[str], draw: random.Random) -> Moves:
    """Return moves with one more, one less, one instead of another one, or two exchanged."""
    at, change = draw.randint(0, len(moves)), draw.random()
    if moves and change < 0.25:
        return moves[: max(at - 1, 0)] + moves[max(at, 1) :]
    if len(moves) > 1 and change < 0.4:
        one, two = draw.sample(range(len(moves)), 2)
        order = list(moves)
        order[one], order[two] = order[two], order[one]
        return tuple(order)
    pushed = 0
    for move in moves[:at]:
        try:
            position.push(move)
        except PlannerError:
            continue
        pushed += 1
        if position.outcomes:
            position.roll(result=position.outcomes[0].move)
            pushed += 1
            if position.outcomes:
                break
    unit, more = draw.choice(units), []
    if not position.outcomes and unit in position.at:
        more = list(position.legal_moves(unit))
    for _ in range(pushed):
        position.pop()
    if not more:
        return moves
    rest = [move for move in moves[at:] if change < 0.7 or unit not in move.units]
    return (*moves[:at], draw.choice(more), *rest)
