"""Who stands elsewhere and first moves up to where a fight sets out from, to take part in it."""

from __future__ import annotations

from planner.plans.plan import Move, Plan
from planner.scenario import Scenario


def coming_up(scenario: Scenario, plan: Plan, index: int, step: int, unit: str) -> tuple[Plan, int] | None:
    """Return a plan in which a unit goes straight to where a fight sets out from, and takes part in it; None: none is known.

    With it comes the index of the move that fights. The move that is there is parted before the fight, with which it must
    end; nobody must be dropped or carried on it.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        The moves.
    index, step : int
        The move that fights, and the step with which it does.
    unit : str
        A unit that the plan doesn't name.
    """
    move, at = plan.moves[index], scenario.start.at[unit]
    if at == move.path[0] or move.drops or move.carried or step != len(move.path) - 1:
        return None
    way = straight_way(scenario, unit, at, move.path[step - 1])
    if way is None:
        return None
    up = (_part(move, 0, step - 1),) if step > 1 else ()
    fight = _part(move, step - 1, step)
    joint = Move((*fight.units, unit), fight.path, fight.overruns, attempts=fight.attempts, support=fight.support)
    before, after = plan.moves[:index], plan.moves[index + 1 :]
    return Plan((*way, *before, *up, joint, *after)), index + len(way) + len(up)


def straight_way(scenario: Scenario, unit: str, at: str, origin: str) -> tuple[Move, ...] | None:
    """Return the shortest way to where a fight sets out from, through no enemies; None: there is none."""
    board, before, level = scenario.game.board, {at: ""}, [at]
    while level and origin not in before:
        following = []
        for here in level:
            for to in board.neighbours.get(here, ()):
                if to not in before and not any(map(scenario.game.is_enemy, scenario.start.units_in(to))):
                    before[to] = here
                    following.append(to)
        level = following
    if origin not in before:
        return None
    path = [origin]
    while before[path[-1]]:
        path.append(before[path[-1]])
    return (Move((unit,), tuple(reversed(path))),) if len(path) > 1 else ()


def _part(move: Move, first: int, last: int) -> Move:
    """Return the steps of a move from one hex of its path to another; nobody is dropped or carried on it."""
    return Move(
        move.units,
        move.path[first : last + 1],
        frozenset(step - first for step in move.overruns if first < step <= last),
        attempts=tuple((step - first, often) for step, often in move.attempts if first < step <= last),
        support=tuple((step - first, unit) for step, unit in move.support if first < step <= last),
    )
