"""Plans in which units go straight to what they are to see to, whatever the rules say: with few in force one soon does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, permutations

from planner.explanation.needs import Aim, Need
from planner.explanation.relaxation import Scope
from planner.explanation.sieges import storms
from planner.explanation.single_unit_bounds import SingleUnitBounds
from planner.plans.plan import Move, Plan

MOST_AIMS = 60
"""Of so many units it is tried whether each could do it by itself."""

MOST_ORDERS = 6
"""In so many orders it is tried whether all go straight there, as whom nothing binds may have to go last: all of three."""


def straight_plans(
    bounds: SingleUnitBounds, needs: Sequence[Need], enemies: Iterable[str], leaving: Sequence[str] = ()
) -> Iterator[Plan]:
    """Yield plans in which those who can see to what is needed go straight there, and do nothing else.

    First by the ways that seem best, then by others as short. Who is to leave goes into a hex beside, all of them likewise.

    Parameters
    ----------
    bounds : SingleUnitBounds
        Knows the shortest ways.
    needs : sequence of Need
        All of what is needed.
    enemies : iterable of str
        Enemies that are to be eliminated.
    leaving : sequence of str
        Units that are to end anywhere but where they stand.

    Raises
    ------
    OutOfTimeError
        If it gets late.
    """
    if leaving:
        homes, near = bounds.scenario.game.homes, bounds.scenario.game.board.neighbours
        for beside in zip(*(sorted(near.get(homes[unit], ())) for unit in leaving), strict=False):
            out = [(Aim(unit, frozenset([label])),) for unit, label in zip(leaving, beside, strict=True)]
            yield from straight_plans(bounds, [*needs, *out], enemies)
        return
    if len(needs) > 1:
        if all(need and need[0].ends for need in needs):
            moves = straight_ways(bounds, needs)
            for some in (moves, [_as_short(bounds, move) for move in moves]):
                yield from map(Plan, islice(permutations(some), MOST_ORDERS))
        return
    tried = list[Move]()
    for aim in (aim for need in needs for aim in need[:MOST_AIMS]):
        bounds.limits.check()
        for move in bounds.straight_moves(aim):
            tried.append(move)
            yield Plan((move,))
    yield from map(Plan, storms(bounds, enemies))
    for move in tried:
        bounds.limits.check()
        yield Plan((_as_short(bounds, move),))


def _as_short(bounds: SingleUnitBounds, move: Move) -> Move:
    """Return another way that is as short as a straight one, and leads by as few of its hexes as can be; or that one."""
    [unit] = move.units
    other = bounds.straight(unit, move.end, bool(move.overruns), move.path[1:-1])
    return move if other is None else other


def straight_ways(bounds: SingleUnitBounds, needs: Iterable[Need]) -> list[Move]:
    """Return, for each need, how the nearest unit would see to it if it went straight there, whatever the rules say."""
    found = []
    for aim in (aim for need in needs for aim in need[:1]):
        labels = [*sorted(aim.ends), *(bounds.scenario.game.homes[enemy] for enemy in sorted(aim.removes))]
        moves = (bounds.straight(aim.unit, label, bool(aim.removes)) for label in labels)
        found += [move for move in moves if move is not None]
    return found


def straight_into(bounds: SingleUnitBounds, scope: Scope) -> list[Move]:
    """Return how a unit would go straight into a hex in which a rule binds it, and overrun who is there."""
    game, only = bounds.scenario.game, scope.hexes or ()
    if scope.unit is None or scope.unit not in game.homes or len(only) != 1:
        return []
    [label] = only
    ways = (False, True) if game.enemies_at(label) else (False,)
    moves = (bounds.straight(scope.unit, label, overrun) for overrun in ways)
    return [move for move in moves if move is not None]
