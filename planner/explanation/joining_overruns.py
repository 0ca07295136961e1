"""Who could join an overrun that is illegal as it is written: by supporting it, or from the hex that it sets out from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from planner.errors import InputError
from planner.explanation.answer import Remedy
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.rules.combat_roles import JointlyOverruns
from planner.scenario import Scenario

MOST_JOINING = 3
"""So many who could join are named at most."""


def joining(scenario: Scenario, plan: Plan, violations: Iterable[Violation], limits: Limits) -> list[Remedy]:
    """Return with whom an overrun would be legal, however its rolls fall: one unit, or where none is enough, two.

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
        # Who may take part breaks nothing else; if nobody alone is enough, two may be.
        able = list[tuple[str, Plan]]()
        for unit, joined in _joined(scenario, plan, index, step):
            broken = _broken(scenario, joined, limits)
            able += [(unit, joined)] if broken is not None and wrong.issuperset(broken) else []
            if broken == frozenset():
                found.append(_remedy(scenario, (unit,), plan, joined, step))
        for first, once in able if not found else ():
            for second, twice in _joined(scenario, once, index, step):
                later = second > first and any(second == unit for unit, _ in able)
                if later and _broken(scenario, twice, limits) == frozenset():
                    found.append(_remedy(scenario, (first, second), plan, twice, step))
    return found[:MOST_JOINING]


def _broken(scenario: Scenario, plan: Plan, limits: Limits) -> frozenset[object] | None:
    """Return who breaks something in which step of a plan, however its rolls fall; None: it is malformed."""
    limits.check()
    try:
        verdict = Referee(scenario.game).play(plan, scenario.start, check_time=limits.check)
    except InputError:
        return None
    return frozenset((one.unit, one.move, one.step) for one in verdict.violations)


def _remedy(scenario: Scenario, units: tuple[str, ...], plan: Plan, joined: Plan, step: int) -> Remedy:
    label = next(one.path[step] for one, old in zip(joined.moves, plan.moves, strict=True) if one != old)
    return Remedy((), (), joined, True, scenario.game.rulebook.encounter, joining=(units, label))


def _joined(scenario: Scenario, plan: Plan, index: int, step: int) -> Iterator[tuple[str, Plan]]:
    """Yield units that a plan doesn't name, each with the plan in which it takes part in an overrun."""
    named = {unit for one in plan.moves for unit in (*one.units, *(helper for _, helper in one.support))}
    move, at = plan.moves[index], scenario.start.at

    def made(changed: Move) -> Plan:
        return replace(plan, moves=(*plan.moves[:index], changed, *plan.moves[index + 1 :]))

    for unit in scenario.game.order:
        if unit in scenario.game.friends and unit in at and unit not in named:
            yield unit, made(replace(move, support=tuple(sorted((*move.support, (step, unit))))))
            if at[unit] == move.path[0]:
                yield unit, made(replace(move, units=(*move.units, unit)))
