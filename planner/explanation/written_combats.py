"""Plans in which steps into a combat are written as such, as players would; `-` and `x` into it mean the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from planner.errors import InputError
from planner.explanation.answer import Remedy
from planner.explanation.scenario_changes import changed
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario


def with_combats(scenario: Scenario, plan: Plan) -> Plan:
    """Return a legal plan with its combats written as such, those that there are if all goes well, and no others.

    Others are returned as they are.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        The plan.
    """
    if not scenario.game.rulebook.of(Fights):
        return plan
    referee = Referee(scenario.game)
    try:
        played = referee.play(plan, scenario.start, rolls=False).moves
        moves = tuple(replace(one.move, overruns=one.combats) for one in played)
        written = replace(plan, moves=moves)
        return written if written != plan and referee.play(written, scenario.start).legal else plan
    except InputError:
        return plan


def straightened(scenario: Scenario, plan: Plan, does: Callable[[Plan], bool]) -> Plan:
    """Return a plan whose combats are written as such, without detours that it has no need of.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        A plan that does what is asked.
    does : callable
        Tells of a plan whether it does that, too.
    """
    if not scenario.game.rulebook.of(Fights):
        return plan
    plan = with_combats(scenario, plan)
    for index, move in enumerate(plan.moves):
        for shorter in _straighter(move):
            straight = replace(plan, moves=(*plan.moves[:index], shorter, *plan.moves[index + 1 :]))
            if does(straight):
                return straightened(scenario, straight, does)
    return plan


def remedy_with_combats(scenario: Scenario, remedy: Remedy) -> Remedy:
    """Return a remedy whose plan, and what others do in it, has its combats written as such, on the board as it is then."""
    plan = with_combats(changed(scenario, remedy.changes) if remedy.changes else scenario, remedy.plan)
    if plan == remedy.plan:
        return remedy
    written = dict(zip(remedy.plan.moves, plan.moves, strict=True))
    return replace(remedy, plan=plan, moves=tuple(written.get(move, move) for move in remedy.moves))


def _straighter(move: Move) -> Iterator[Move]:
    """Yield a move of nothing but steps on foot without one of the hexes on its way for which it doesn't fight."""
    on_foot = not (move.carried or move.drops or move.attempts or move.support)
    for step in range(1, len(move.path) - 1) if on_foot else ():
        if step not in move.overruns:
            overruns = frozenset(one - (one > step) for one in move.overruns)
            yield replace(move, path=(*move.path[:step], *move.path[step + 1 :]), overruns=overruns)
