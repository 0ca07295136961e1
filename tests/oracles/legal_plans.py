"""Every legal plan of a small position in which units move one by one, whatever path they take, on the referee alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.world.position import Position
from tests.oracles.growing import begun


def legal_moves(scenario: Scenario, unit: str, position: Position) -> Iterator[tuple[Move, Position]]:
    """Yield every legal move of a unit, whatever path it takes, with the position after it."""
    referee, board = Referee(scenario.game), scenario.game.board
    level = [begun(referee, Move((unit,), (position.at[unit],)), position)]
    while level:
        following = []
        for one in level:
            move = one.move
            for to in board.neighbours[move.path[-1]]:
                for over in (frozenset(), frozenset([len(move.path)])):
                    longer = one.longer(replace(move, path=(*move.path, to), overruns=move.overruns | over))
                    broken, made, after = longer.play()
                    if not broken:
                        yield longer.move, after
                    if made is not None:
                        following.append(longer)
        level = following


def legal_plans(scenario: Scenario) -> Iterator[Plan]:
    """Yield every legal plan of a position in which units move one by one, each once."""
    referee = Referee(scenario.game)

    def onward(moves: tuple[Move, ...], position: Position) -> Iterator[Plan]:
        if not referee.check_end(position):
            yield Plan(moves)
        for unit in [unit for unit in position.at if unit in scenario.game.friends and unit not in position.under_way]:
            for move, after in legal_moves(scenario, unit, position):
                yield from onward((*moves, move), after)

    yield from onward((), scenario.start.copy())
