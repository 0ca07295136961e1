"""Whom no combats are sure to hurt, as the referee says: a second look at what `sure_combats` finds on the solver's face.

The strongest attacks are played: if even then it may be drawn that nothing happens to the defenders, whoever fights may be
out of luck each time, and they stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from planner.explanation.relaxation import Scope, relaxed
from planner.explanation.single_unit_bounds import Aim, Need, Scopes, SingleUnitBounds, moves_eliminate
from planner.explanation.unreachable import unreachable
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario


def confirmed(
    bounds: SingleUnitBounds, scopes: Scopes, never: Sequence[Need], unhurt: Sequence[str], limits: Limits
) -> bool:
    """Tell whether it is confirmed that nobody can see to what is needed; False: it isn't known.

    Parameters
    ----------
    bounds : SingleUnitBounds
        Knows the relaxed games.
    scopes : sequence of Scope or None
        Where rules are in force.
    never : sequence of Need
        What is needed, and what nobody can see to: all of it.
    unhurt : sequence of str
        The enemies to whom always nothing may happen; they are what is needed where no unit is named for it.
    limits : Limits
        When to stop.

    Raises
    ------
    OutOfTimeError
        If it gets late.
    """
    if () in never and not moves_eliminate(bounds.scenario.game):
        return True  # no rule of either face takes an enemy off the map
    if () in never:
        homes = {bounds.scenario.game.homes[enemy] for enemy in unhurt}
        return bool(homes) and stay_closed(bounds, scopes, homes, bounds.movers, frozenset(), limits)
    aims: dict[str, Aim] = {}
    for aim in (aim for need in never for aim in need):
        had = aims.get(aim.unit, aim)  # what it may spend is the same in all needs of a question
        aims[aim.unit] = replace(aim, ends=aim.ends | had.ends, removes=aim.removes | had.removes)
    return all(_out_of_reach(bounds, scopes, aim, limits) for aim in aims.values())


def _out_of_reach(bounds: SingleUnitBounds, scopes: Scopes, aim: Aim, limits: Limits) -> bool:
    held, shut = bounds.closed_to(scopes, aim)
    if unreachable(bounds.reach(scopes), aim, limits, bounds.surely, held | shut) is not True:
        return False
    others = [unit for unit in bounds.movers if unit != aim.unit]
    return any(  # that some stay closed may hang on others that do
        stay_closed(bounds, scopes, some, bounds.movers, some, limits)
        and stay_closed(bounds, scopes, shut, others, some, limits)
        for some in dict.fromkeys([held, *([bounds.held(scopes)] if held else [])])
    )


def stay_closed(
    bounds: SingleUnitBounds,
    scopes: Scopes,
    labels: Iterable[str],
    units: Sequence[str],
    closed: frozenset[str],
    limits: Limits,
) -> bool:
    """Tell whether units who attack some hexes may draw each time that nothing happens there; False: it isn't known.

    Parameters
    ----------
    bounds : SingleUnitBounds
        Knows the relaxed games.
    scopes : sequence of Scope or None
        Where rules are in force.
    labels : iterable of str
        The hexes.
    units : sequence of str
        The units that may attack.
    closed : frozenset of str
        The hexes through which none of them passes.
    limits : Limits
        When to stop.

    Raises
    ------
    OutOfTimeError
        If it gets late.
    """
    exempt = bounds.exempt(scopes)
    for label in labels:
        if any(exempt(unit, label) for unit in units):
            return False
        for origin in bounds.scenario.game.board.neighbours[label]:
            limits.check()
            if all(_may_miss(bounds.scenario, team, origin, label) for team in _teams(bounds.scenario, units)):
                continue
            aims = [Aim(unit, frozenset([origin])) for unit in units]
            if not all(unreachable(bounds.reach(scopes), aim, limits, closed=closed) for aim in aims):
                return False
    return True


def _teams(scenario: Scenario, units: Sequence[str]) -> list[tuple[str, ...]]:
    """Return teams of which each is weaker than the one before, the first of all: they come to the columns in between."""
    line = sorted(units, key=lambda unit: scenario.game.units[unit].attack, reverse=True)
    return [scenario.game.sorted(line[skipped:]) for skipped in range(len(line))]


def _may_miss(scenario: Scenario, team: tuple[str, ...], origin: str, label: str) -> bool:
    """Tell whether nothing may happen to the enemies in a hex if a team attacks from another, with nothing else in force."""
    game, start, homes = scenario.game, scenario.start.copy(), dict(scenario.game.homes)
    for unit in team:
        start.under_way.pop(unit, None)
        start.move(unit, origin)
        homes[unit] = origin
    [rule, *_] = game.rulebook.of(Fights)
    placed = replace(scenario, game=replace(game, homes=homes, begun=None, _cache={}), start=start)
    fought = relaxed(placed, [Scope(rule.id)])
    verdict = Referee(fought.game).play(Plan((Move(team, (origin, label), frozenset([1])),)), fought.start)
    foes = game.enemies_at(label)
    return any(
        all(position.at.get(enemy) == label for enemy in foes)
        and start.demoralized.issuperset(position.demoralized.intersection(foes))
        for position, _ in verdict.all_outcomes()
    )
