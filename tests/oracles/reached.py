"""Who can get where where rolls decide, on the referee alone: of plans that have come to the same, one goes on.

A plan is known by all that it may come to: who stands where if all goes well, and whatever else its rolls may lead to. A
move is made on each of these, not on the plan anew; where nothing may be relied on, it must be legal in all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.world.position import Position, UnitProgress
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.stacks import EveryStackPlan

Ends = set[tuple[str, str]]
Key = tuple[object, ...]


class Standing(NamedTuple):
    """What plans come to.

    Attributes
    ----------
    well : Position
        Who stands where if all goes well.
    others : dict of Position
        Whatever else may come about, by what tells such positions apart.
    ends : bool
        Whether the phase may end, however it comes about.
    """

    well: Position
    others: dict[Key, Position]
    ends: bool


class EveryStanding:
    """Everything that plans can come to, move by move.

    Parameters
    ----------
    scenario : Scenario
        The position; nothing less than certain may be relied on in it.
    cap : int
        The number of standings beyond which it gives up.
    longest : int, optional
        The most steps of a move of those who move once, as units or stacks; None: units move step by step, and go on.
    """

    def __init__(self, scenario: Scenario, cap: int, longest: int | None = None) -> None:
        assert scenario.game.situation.confidence == 1
        self._scenario, self._game, self._cap, self._once = scenario, scenario.game, cap, longest is not None
        self._referee = Referee(scenario.game)
        self._stacks = EveryStackPlan(scenario, longest=longest or 0)
        self._counted = 1 + max(rule.counts_hexes for rule in scenario.game.rulebook.rules)
        self._made: dict[Key, tuple[Position, list[Position], bool] | None] = {}

    def reached(self) -> Iterator[Ends]:
        """Yield who may stand where, whatever is rolled, for each legal plan or another that comes to the same.

        Raises
        ------
        TooManyStatesError
            If there are more standings than the cap.
        """
        start = self._scenario.start.copy()
        stack = [Standing(start, {}, not self._referee.check_end(start))]
        seen = {self._name(stack[0])}
        while stack:
            standing = stack.pop()
            if standing.ends:
                yield set(standing.well.at.items()).union(*(other.at.items() for other in standing.others.values()))
            for move in self._moves(standing.well):
                after = self._after(move, standing)
                if after is None or (name := self._name(after)) in seen:
                    continue
                seen.add(name)
                if len(seen) > self._cap:
                    raise TooManyStatesError
                stack.append(after)

    def _moves(self, position: Position) -> Iterator[Move]:
        if self._once:
            yield from self._stacks.moves(position, set(position.under_way))
            return
        at: dict[str, list[str]] = {}
        for unit in self._game.order:
            if unit in self._game.friends and unit in position.at:
                at.setdefault(position.at[unit], []).append(unit)
        for label, units in at.items():
            for team in [*((unit,) for unit in units), *([tuple(units)] if len(units) > 1 else [])]:
                yield from (Move(team, (label, to)) for to in self._game.board.neighbours[label])

    def _after(self, move: Move, standing: Standing) -> Standing | None:
        """Return what comes of one more move; None if it is illegal in anything that may have come about."""
        made = self._make(move, standing.well)
        if made is None:
            return None
        well, others, ends = made
        found = {self._key(other): other for other in others}
        for position in standing.others.values():
            made = self._make(move, position)
            if made is None:
                return None
            found.update((self._key(other), other) for other in (made[0], *made[1]))
            ends = ends and made[2]
        return Standing(well, found, ends)

    def _make(self, move: Move, position: Position) -> tuple[Position, list[Position], bool] | None:
        """Return what a move comes to if all goes well, what else it may, and whether the phase may end then."""
        key = (move, self._key(position))
        if key not in self._made:
            self._made[key] = self._play(move, position)
        return self._made[key]

    def _play(self, move: Move, position: Position) -> tuple[Position, list[Position], bool] | None:
        verdict = self._referee.play(Plan((move,)), position)
        if any(violation.move is not None for violation in verdict.violations):
            return None  # what comes later never mends a move
        for outcome in verdict.outcomes:
            for unit, spent in outcome.tally.mp.items():  # who has failed in its first step has moved
                outcome.position.under_way.setdefault(unit, UnitProgress(spent, 0))
        return verdict.position, [one.position for one in verdict.outcomes], verdict.legal

    # -- what is alike

    def _name(self, standing: Standing) -> Key:
        return self._key(standing.well), frozenset(standing.others)

    def _key(self, position: Position) -> Key:
        """Return what tells positions apart; of those who move once, only that they have."""
        far: object = frozenset(position.under_way)
        if not self._once:  # how many steps they have made only as far as a rule counts them
            far = frozenset((u, replace(p, steps=min(p.steps, self._counted))) for u, p in position.under_way.items())
        contested = self._game.situation.contested
        return (
            frozenset(position.at.items()),
            far,
            frozenset(position.lost),
            frozenset(position.failed),
            frozenset(position.used),
            position.committed,
            frozenset(position.bogged),
            frozenset(position.demoralized),
            frozenset(position.entered),
            frozenset(position.lost_steps.items()),
            (frozenset(position.taken), frozenset(position.given)) if contested else (),
        )
