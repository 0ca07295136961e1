"""Who could join an overrun that is illegal as it is written: in its support, or from where it sets out, moving up first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from planner.errors import InputError
from planner.explanation.answer import Remedy
from planner.explanation.coming_up import coming_up
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.rules.combat_roles import JointlyOverruns
from planner.scenario import Scenario

MOST_JOINING = 3
"""So many who could join are named at most."""


def joining(scenario: Scenario, plan: Plan, violations: Iterable[Violation], limits: Limits) -> list[Remedy]:
    """Return with whom an overrun would be legal, however its rolls fall: one unit, or where none is known, two.

    Two support it, or stand where it begins; one may move up to it first, if it ends the move.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        The moves as they are written.
    violations : iterable of Violation
        What is wrong with them.
    limits : Limits
        When to stop.
    """
    if not scenario.game.rulebook.of(JointlyOverruns):
        return []
    wrong, found = {(one.unit, one.move, one.step) for one in violations}, list[Remedy]()
    for index, step in dict.fromkeys((one.move, one.step) for one in violations):
        if index is None or step is None or step not in plan.moves[index].overruns:
            continue
        label = plan.moves[index].path[step]
        # Who may take part breaks nothing else; if nobody alone is enough, two may be.
        able = list[tuple[str, Plan]]()
        for unit, joined in _joined(scenario, plan, index, step):
            broken = _broken(scenario, joined, limits)
            able += [(unit, joined)] if broken is not None and wrong.issuperset(broken) else []
            if broken == frozenset():
                found.append(_remedy(scenario, (unit,), label, joined))
        for unit in _unnamed(scenario, plan) if not found else ():
            came = coming_up(scenario, plan, index, step, unit)
            if came is not None and _broken(scenario, came[0], limits) == frozenset():
                found.append(_remedy(scenario, (unit,), label, came[0]))
        for first, once in able if not found else ():
            for second, twice in _joined(scenario, once, index, step):
                later = second > first and any(second == unit for unit, _ in able)
                if later and _broken(scenario, twice, limits) == frozenset():
                    found.append(_remedy(scenario, (first, second), label, twice))
    return found[:MOST_JOINING]


def _broken(scenario: Scenario, plan: Plan, limits: Limits) -> frozenset[object] | None:
    """Return who breaks something in which step of a plan, however its rolls fall; None: it is malformed."""
    limits.check()
    try:
        verdict = Referee(scenario.game).play(plan, scenario.start, check_time=limits.check)
    except InputError:
        return None
    return frozenset((one.unit, one.move, one.step) for one in verdict.violations)


def _remedy(scenario: Scenario, units: tuple[str, ...], label: str, joined: Plan) -> Remedy:
    """Return that units take part; that one isn't enough isn't proved: it may come another way."""
    return Remedy((), (), joined, len(units) == 1, scenario.game.rulebook.encounter, joining=(units, label))


def _unnamed(scenario: Scenario, plan: Plan) -> Iterator[str]:
    """Yield the side's units that a plan doesn't name."""
    named = {unit for one in plan.moves for unit in (*one.units, *(helper for _, helper in one.support))}
    for unit in scenario.game.order:
        if unit in scenario.game.friends and unit in scenario.start.at and unit not in named:
            yield unit


def _joined(scenario: Scenario, plan: Plan, index: int, step: int) -> Iterator[tuple[str, Plan]]:
    """Yield units that a plan doesn't name, each with the plan in which it takes part in an overrun."""
    move, at = plan.moves[index], scenario.start.at

    def made(changed: Move) -> Plan:
        return replace(plan, moves=(*plan.moves[:index], changed, *plan.moves[index + 1 :]))

    for unit in _unnamed(scenario, plan):
        yield unit, made(replace(move, support=tuple(sorted((*move.support, (step, unit))))))
        if at[unit] == move.path[0]:
            yield unit, made(replace(move, units=(*move.units, unit)))
