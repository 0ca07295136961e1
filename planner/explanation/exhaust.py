"""Every plan of a few units, on the referee alone: where combats in the middle of movement leave the search no proof."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from planner.errors import InputError, OutOfTimeError
from planner.explanation.limits import Limits
from planner.explanation.walks import LARGEST_TEAM, Walks
from planner.plan import Move, Plan
from planner.position import Position
from planner.referee import Referee
from planner.rules.combat_on_entry import CombatOnEntry
from planner.rules.overrun import AnyOverrun
from planner.rules.zone_of_control import ZoneOfControl
from planner.scenario import Scenario
from planner.steps import StepTable

MOST_MOVERS = LARGEST_TEAM
"""So many units may move at most: of larger stacks not every part is tried."""


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
    own = StepTable(scenario.game).movers
    walks = Walks(Referee(scenario.game), limits)
    queue: deque[tuple[Position, tuple[Move, ...], _Drawn]] = deque([(scenario.start.copy(), (), _Drawn())])
    seen: dict[object, list[frozenset[object]]] = {}
    try:
        while queue:
            limits.check()
            position, moves, drawn = queue.popleft()
            if hopes(position) and does(Plan(moves)):
                return True, Plan(moves)
            for team in list(walks.teams(position)):
                others = frozenset(unit for unit in own if unit not in team)
                for move, after in walks.moves(team, position, others):
                    then = drawn.then(move, position)
                    if move.overruns:
                        then = replace(then, doubtful=_doubtful(scenario, Plan((*moves, move)), after))
                    # Until something has been drawn, it is the position alone that counts; then also from where it was
                    # drawn for, and by which steps units have gone since, which something else that is drawn may bar.
                    known = seen.setdefault((then.fights, _state(after)), [])
                    if not any(steps <= then.steps for steps in known):
                        known.append(then.steps)
                        queue.append((after, (*moves, move), then))
    except OutOfTimeError:
        return None, None
    return False, None


@dataclass(frozen=True)
class _Drawn:
    """What has been drawn so far: for which moves, in which positions; and all steps since the last of them that may matter.

    Those matter that lead into or out of a hex in which somebody stands if something else is drawn; None: any.
    """

    fights: tuple[object, ...] = ()
    steps: frozenset[object] = frozenset()
    doubtful: frozenset[str] | None = frozenset()

    def then(self, move: Move, position: Position) -> _Drawn:
        """Return the same after one more move."""
        if move.overruns:
            return _Drawn((*self.fights, (move, self.steps, _state(position))), frozenset())
        if not self.fights:
            return self
        pairs = zip(move.path, move.path[1:], strict=False)
        doubtful = self.doubtful
        steps = {(move.units, pair) for pair in pairs if doubtful is None or not doubtful.isdisjoint(pair)}
        return replace(self, steps=self.steps | steps)


def _doubtful(scenario: Scenario, plan: Plan, after: Position) -> frozenset[str] | None:
    """Return the hexes in which somebody stands if something else is drawn; None: it may matter by which steps units go."""
    if any(isinstance(rule, ZoneOfControl) for rule in scenario.game.rulebook.rules):
        return None
    try:
        worlds = Referee(scenario.game).play(plan, scenario.start).all_outcomes()
    except InputError:
        return None
    return frozenset(
        label for position, _ in worlds for unit, label in position.at.items() if after.at.get(unit) != label
    )


def _state(position: Position) -> object:
    """Return what of a position counts for what comes after it, if all goes well."""
    under_way = (
        (unit, progress.spent, tuple((stop.at, stop.enemies) for stop in progress.stops))
        for unit, progress in sorted(position.under_way.items())
    )
    return tuple(sorted(position.at.items())), tuple(under_way), tuple(sorted(position.taken))
