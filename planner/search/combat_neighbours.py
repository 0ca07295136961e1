"""Plans that differ from a known one by what a single unit does, where entering an enemy's hex is a combat.

Proposals value combats one by one, two groups to a hex. What a unit is worth that goes, before a combat or after it, to
where enemies give way, or that fights after others, shows in whole plans only, which the referee values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from planner.plans.plan import Move, Plan
from planner.search.combat_routes import Routes
from planner.world.board import Board

_Moves = tuple[Move, ...]


def neighbours(plan: Plan, unit: str, ways: Routes, board: Board) -> Iterator[Plan]:
    """Yield plans in which one unit does something else while all others do the same.

    Or in which it does the same at another time, with those with whom it moves.

    Parameters
    ----------
    plan : Plan
        The plan.
    unit : str
        The unit.
    ways : Routes
        Where it may go, and what it may attack.
    board : Board
        The board: without a combat the unit ends in, or beside, hexes that are attacked.
    """
    for index, move in enumerate(plan.moves):
        if unit in move.units:
            yield from _at_any_time((*plan.moves[:index], *plan.moves[index + 1 :]), move)
    rest = tuple(_without(plan.moves, unit))
    if rest != plan.moves:
        yield Plan(rest)
    attacked = {move.path[-1] for move in rest if move.overruns}
    places = attacked.union(*(board.neighbours[label] for label in attacked))
    for to, (_, way) in ways.ends.items():
        if to in places and len(way.path) > 1:
            yield from _at_any_time(rest, way)
    for (origin, to), (_, way) in ways.attacks.items():
        yield from _joining(rest, unit, way, (origin, to))
        yield from _at_any_time(rest, way.then(Move((unit,), (origin, to), frozenset([1]))))


def _without(moves: _Moves, unit: str) -> Iterator[Move]:
    for move in moves:
        units = tuple(other for other in move.units if other != unit)
        if units:
            yield move if units == move.units else replace(move, units=units)


def _joining(moves: _Moves, unit: str, way: Move, attack: tuple[str, str]) -> Iterator[Plan]:
    for index, other in enumerate(moves):
        if other.path == attack and other.overruns:
            approach = (way,) if len(way.path) > 1 else ()
            yield Plan((*moves[:index], *approach, replace(other, units=(*other.units, unit)), *moves[index + 1 :]))


def _at_any_time(moves: _Moves, further: Move) -> Iterator[Plan]:
    return (Plan((*moves[:index], further, *moves[index:])) for index in range(len(moves) + 1))
