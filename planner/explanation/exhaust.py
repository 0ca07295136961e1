"""Every plan of a few units, on the referee alone: where combats in the middle of movement leave the search no proof."""

from __future__ import annotations

from collections.abc import Callable

from planner.errors import OutOfTimeError
from planner.explanation.limits import Limits
from planner.explanation.walks import LARGEST_TEAM, Walks
from planner.plan import Move, Plan
from planner.position import Position
from planner.referee import Referee
from planner.rules.combat_on_entry import CombatOnEntry
from planner.rules.overrun import AnyOverrun
from planner.scenario import Scenario
from planner.steps import StepTable

MOST_MOVERS = LARGEST_TEAM
"""So many units may move at most: of larger stacks not every part is tried."""

MOST_MOVES = 9
"""Plans of so many moves are looked at at most; where longer ones are possible, nothing is proved."""


def suits(scenario: Scenario) -> bool:
    """Tell whether every plan of a scenario can be listed, as far as the time allows."""
    rules = scenario.game.rulebook.rules
    together = any(isinstance(rule, AnyOverrun) and rule.joint for rule in rules)
    fought = any(isinstance(rule, CombatOnEntry) for rule in rules)
    return fought and not together and len(StepTable(scenario.game).movers) <= MOST_MOVERS


def every_plan(
    scenario: Scenario, hopes: Callable[[Position], bool], does: Callable[[Plan], bool], limits: Limits
) -> tuple[bool | None, Plan | None]:
    """Look at every plan, short ones first; tell whether one does what is wanted, and which; None: it isn't known.

    Parameters
    ----------
    scenario : Scenario
        A position that `suits`.
    hopes : callable
        Tells of the position after the last move, if all goes well, whether what is wanted may have been achieved.
    does : callable
        Tells of a plan whether it is legal and achieves it, whatever is drawn.
    limits : Limits
        When to stop.
    """
    try:
        for most in range(1, MOST_MOVES + 1):
            search = _Depth(scenario, hopes, does, limits)
            plan = search.tried(scenario.start.copy(), (), (), most)
            if plan is not None:
                return True, plan
            if not search.cut:
                return False, None
    except OutOfTimeError:
        pass
    return None, None


class _Depth:
    """Every plan of so many moves at most."""

    def __init__(
        self, scenario: Scenario, hopes: Callable[[Position], bool], does: Callable[[Plan], bool], limits: Limits
    ) -> None:
        self._hopes, self._does, self._limits = hopes, does, limits
        self._own = StepTable(scenario.game).movers
        self._walks = Walks(Referee(scenario.game), limits)
        self._seen: dict[object, int] = {}
        self.cut = False

    def tried(self, position: Position, moves: tuple[Move, ...], fought: tuple[Move, ...], left: int) -> Plan | None:
        """Return a plan that begins with some moves and does what is wanted; None if there is none."""
        self._limits.check()
        if self._hopes(position) and self._does(Plan(moves)):
            return Plan(moves)
        # Until something has been drawn, it is the position alone that counts.
        under_way = (
            (unit, progress.spent, tuple((stop.at, stop.enemies) for stop in progress.stops))
            for unit, progress in sorted(position.under_way.items())
        )
        state = (fought, tuple(sorted(position.at.items())), tuple(under_way), tuple(sorted(position.taken)))
        if self._seen.get(state, -1) >= left:
            return None
        self._seen[state] = left
        for team in list(self._walks.teams(position)):
            others = frozenset(unit for unit in self._own if unit not in team)
            for move, after in self._walks.moves(team, position, others):
                if not left:
                    self.cut = True
                    return None
                drawn = bool(fought or move.overruns)
                found = self.tried(after, (*moves, move), (*fought, move) if drawn else (), left - 1)
                if found is not None:
                    return found
        return None
