"""Random plans: walks that mostly heed the rules, and now and then break one of every kind."""

from __future__ import annotations

import random
from dataclasses import replace

from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.rules.play import MoveInPlay
from planner.scenario import Scenario
from planner.world.forces import Unit
from planner.world.position import Position


class Walker:
    """Makes random plans for one position.

    Parameters
    ----------
    scenario : Scenario
        The position.
    rng : random.Random
        Where chance comes from.
    care : float
        The share of steps that are chosen among those that the referee lets pass, if there are any.
    far : bool
        Whether steps may lead to any hex, and not to the next one alone.
    """

    def __init__(self, scenario: Scenario, rng: random.Random, care: float, far: bool = False) -> None:
        self._scenario = scenario
        self._game = scenario.game
        self._referee = Referee(scenario.game)
        self._rng = rng
        self._care = care
        self._far = far

    def plan(self) -> Plan:
        """Return a plan of one to five moves."""
        position = self._scenario.start.copy()
        moved: set[str] = set()
        moves = []
        for _ in range(self._rng.randint(1, 5)):
            move = self._move(position, moved)
            if move is not None:
                _, played = self._referee.play_move(move, position, moved)
                moves.append(move)
                if played.played:
                    moved.add(move.units[0])
        return Plan(tuple(moves))

    def _careless(self, share: float) -> bool:
        return self._rng.random() < share * (1 - self._care)

    def _move(self, position: Position, moved: set[str]) -> Move | None:
        own = [unit for unit in position.at if unit in self._game.friends]
        fresh = [unit for unit in own if unit not in moved]
        if self._careless(0.2):
            unit = self._rng.choice(sorted(self._scenario.start.at))
        elif fresh:
            unit = self._rng.choice(fresh)
        else:
            return None
        start = position.at.get(unit, self._scenario.start.at[unit])
        if self._careless(0.1):
            start = self._rng.choice(sorted(self._game.board.hexes))
        units = (unit,)
        if self._careless(0.1):
            units += tuple(self._rng.sample([other for other in own if other != unit], min(len(own) - 1, 1)))
        path, overruns = self._walk(self._game.units[unit], start, position)
        return Move(units, tuple(path), frozenset(overruns)) if len(path) > 1 else None

    def _walk(self, unit: Unit, start: str, position: Position) -> tuple[list[str], set[int]]:
        """Walk on a copy of the board, one step after another."""
        board = position.copy()
        if unit.id in board.at:
            board.move(unit.id, start)
        else:
            board = Position({**board.at, unit.id: start}, {})
        play = MoveInPlay(self._game, board, unit, start, start)
        path, overruns = [start], set()
        for step in range(1, self._rng.choice((1, 2, 2, 3, 3, 4, 5)) + 1):
            forms = (False,) if self._game.is_enemy(unit.id) else (False, True)
            near = sorted(self._game.board.hexes) if self._far else self._game.board.neighbours[path[-1]]
            choices = [(to, overrun) for to in near if to != path[-1] for overrun in forms]
            if self._rng.random() < self._care:
                choices = [choice for choice in choices if self._passes(play, *choice)]
                if not choices:
                    break
                fights = [choice for choice in choices if choice[1]]
                choices = fights if fights and self._rng.random() < 0.7 else choices
            else:
                if len(forms) > 1:
                    choices = [(to, overrun) for to, overrun in choices if overrun == self._fights(play, to)]
                if self._careless(0.1):
                    overrun = len(forms) > 1 and self._rng.random() < 0.3
                    choices = [(self._rng.choice(sorted(self._game.board.hexes)), overrun)]
            if not choices:
                break
            to, overrun = self._rng.choice(choices)
            play.aim(to, overrun)
            self._referee.make_steps([play])
            path.append(to)
            if overrun:
                overruns.add(step)
        return path, overruns

    def _fights(self, play: MoveInPlay, to: str) -> bool:
        """Tell whether a careless step is an overrun: mostly where enemies are."""
        return self._rng.random() < (0.75 if play.enemies_in(to) else 0.04)

    def _passes(self, play: MoveInPlay, to: str, overrun: bool) -> bool:
        tried = replace(play, stops=list(play.stops))
        tried.aim(to, overrun)
        return not self._referee.findings(tried) and not self._referee.findings_together([tried])
