"""Whom no combats are sure to hurt, as the referee says: a second look at what `sure_combats` finds on the solver's face.

The strongest attacks are played: if even then it may be drawn that nothing happens to the defenders, whoever fights may be
out of luck each time, and they stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from planner.explanation.confirmed_overruns import out_of_reach
from planner.explanation.needs import Aim, Need, moves_eliminate
from planner.explanation.relaxation import ALL, Scope, every_scope, relaxed
from planner.explanation.set_down import overstacked, set_down
from planner.explanation.single_unit_bounds import Scopes, SingleUnitBounds
from planner.explanation.sure_combats import MOST_CANDIDATES
from planner.explanation.unreachable import unreachable
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.reachability.event_reach import waits
from planner.referee.referee import Referee
from planner.rules.combat_roles import Fights
from planner.rules.roles import Charges
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
    # Of units with long legs a search says sooner that nobody passes by enemies whom dice may leave where they are, but
    # where units may wait for each other it proves hardly anything.
    if not waits(bounds.scenario.game) and bounds.hangs_on_dice(scopes, never):
        return False
    if () in never and moves_eliminate(bounds.scenario.game):
        homes = frozenset(bounds.scenario.game.homes[enemy] for enemy in unhurt)
        # Who stays unhurt stays where it is; that nobody comes by other hexes may hang on others that stay closed.
        return bool(homes) and (
            stay_closed(bounds, scopes, homes, bounds.movers, homes, limits)
            or stay_closed(bounds, scopes, every := homes | bounds.held(scopes), bounds.movers, every, limits)
        )
    # Without combats no rule of either face takes an enemy off the map: nothing is to be confirmed of it, but of the rest.
    aims: dict[str, Aim] = {}
    for aim in (aim for need in never for aim in need):
        had = aims.get(aim.unit, aim)  # what it may spend is the same in all needs of a question
        ends, removes, passing = aim.ends | had.ends, aim.removes | had.removes, aim.passing or had.passing
        aims[aim.unit] = replace(aim, ends=ends, removes=removes, passing=passing)
    return all(_out_of_reach(bounds, scopes, aim, limits) for aim in aims.values())


def _out_of_reach(bounds: SingleUnitBounds, scopes: Scopes, aim: Aim, limits: Limits) -> bool:
    if bounds.movers == (aim.unit,) and not aim.passing:
        aim = replace(aim, ends=frozenset(label for label in aim.ends if not _full(bounds, scopes, aim.unit, label)))
        if not aim.ends and not aim.removes:
            return True
    if bounds.events(scopes) is not None:
        return out_of_reach(bounds, scopes, aim, limits)
    held, shut = bounds.closed_to(scopes, aim)
    if not aim.removes and aim.ends <= held and all(_never_taken(bounds, scopes, one, limits) for one in aim.ends):
        return True  # however anybody gets beside it
    if held and _too_many_ways(bounds, scopes):
        return False
    if unreachable(bounds.reach(scopes), aim, limits, bounds.surely, held | shut) is not True:
        return False
    others = [unit for unit in bounds.movers if unit != aim.unit]
    return any(  # that some stay closed may hang on others that do
        stay_closed(bounds, scopes, some, bounds.movers, some, limits)
        and stay_closed(bounds, scopes, shut, others, some, limits)
        for some in dict.fromkeys([held, *([bounds.held(scopes)] if held else [])])
    )


def _full(bounds: SingleUnitBounds, scopes: Scopes, unit: str, label: str) -> bool:
    """Tell whether those who stand in a hex keep a unit from ending there, if nobody else moves."""
    game, position = bounds.game_with(scopes).game, bounds.scenario.start.copy()
    position.move(unit, label)
    return overstacked(game, position, label)


def _never_taken(bounds: SingleUnitBounds, scopes: Scopes, label: str, limits: Limits) -> bool:
    """Tell whether nobody can be sure to enter a hex of the enemies' from beside it; False: it isn't known."""
    key = "never taken", None if scopes is None else frozenset(scopes), label
    [found] = bounds.memory.recall(
        key,
        lambda: [
            not _entered(bounds, scopes, label, limits)
            and stay_closed(bounds, scopes, [label], bounds.movers, frozenset([label]), limits)
        ],
    )
    return found


def _entered(bounds: SingleUnitBounds, scopes: Scopes, label: str, limits: Limits) -> bool:
    """Tell whether anybody is sure to enter a hex by himself from beside it, as where that is no combat."""
    game = bounds.game_with(scopes)
    for origin in bounds.scenario.game.board.neighbours[label]:
        for unit in bounds.movers:
            limits.check()
            placed = set_down(game, (unit,), origin)
            verdict = Referee(placed.game).play(Plan((Move((unit,), (origin, label)),)), placed.start)
            if verdict.legal and all(position.at.get(unit) == label for position, _ in verdict.all_outcomes()):
                return True
    return False


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
            if _none_wins(bounds, units, origin, label, limits):
                continue
            # Those who may come there may still be too weak for the hex, all of them together.
            able = [unit for unit in units if _may_come(bounds, scopes, unit, origin, closed, limits)]
            if not _none_wins(bounds, able, origin, label, limits):
                return False
    return True


def _may_come(
    bounds: SingleUnitBounds, scopes: Scopes, unit: str, label: str, closed: frozenset[str], limits: Limits
) -> bool:
    """Tell whether a unit might come to a hex if the others did all that it needs: too often, never too seldom."""
    if _too_many_ways(bounds, scopes):
        return not _kept_out(bounds, scopes, unit, label, closed, limits)
    return unreachable(bounds.reach(scopes), Aim(unit, frozenset([label])), limits, closed=closed) is not True


def _kept_out(
    bounds: SingleUnitBounds, scopes: Scopes, unit: str, label: str, closed: frozenset[str], limits: Limits
) -> bool:
    """Tell whether prohibited steps alone keep a unit from a hex, however much it may spend; False: it isn't known.

    It is looked for backwards, step by step on the referee: a prohibited step is one wherever the others stand.
    """
    game = bounds.scenario.game
    others = [way for way in game.rulebook.ways if not way.plain]
    if game.rulebook.terrain.assisted or any(
        way.leads_from(game, place) for way in others for place in game.board.places
    ):
        return False  # friends may help across, or other ways lead there
    seen, line = {label}, [label]
    while line:
        limits.check()
        here = line.pop()
        if here == game.homes[unit] or game.board.box_links.get(here):
            return False
        for near in game.board.neighbours[here]:
            if near not in seen and near not in closed and not _prohibited(bounds, scopes, unit, near, here):
                seen.add(near)
                line.append(near)
    return True


def _prohibited(bounds: SingleUnitBounds, scopes: Scopes, unit: str, origin: str, to: str) -> bool:
    """Tell whether what is charged for steps has no price for one of a unit's, where that binds it."""
    scenario = bounds.scenario
    prices = {rule.id for rule in scenario.game.rulebook.of(Charges)}
    binding = [scope for scope in scopes or every_scope(scenario) if scope.rule in prices and not scope.pays]

    def played() -> bool:
        placed = set_down(relaxed(scenario, binding, bounds.memory), (unit,), origin)
        verdict = Referee(placed.game).play(Plan((Move((unit,), (origin, to)),)), placed.start, rolls=False)
        return any(one.step == 1 and one.cost is None and not (one.blame or one.halt) for one in verdict.violations)

    key = "prohibited", frozenset(binding), unit, origin, to
    [found] = bounds.memory.recall(key, lambda: [not scenario.game.enemies_at(to) and played()])
    return found


def _too_many_ways(bounds: SingleUnitBounds, scopes: Scopes) -> bool:
    """Tell whether many units pay for no steps: too many then lead to hexes from which they might attack."""
    pays = scopes is None or any(scope.pays and scope.unit == ALL for scope in scopes)
    return not pays and len(bounds.movers) > MOST_CANDIDATES


def _teams(scenario: Scenario, units: Sequence[str]) -> list[tuple[str, ...]]:
    """Return every team of a few units; of many, teams of which each is weaker than the one before, the first of all."""
    if len(units) <= MOST_CANDIDATES:
        return [scenario.game.sorted(team) for size in range(len(units), 0, -1) for team in combinations(units, size)]
    line = sorted(units, key=lambda unit: scenario.game.units[unit].attack, reverse=True)
    return [scenario.game.sorted(line[skipped:]) for skipped in range(len(line))]


def _none_wins(bounds: SingleUnitBounds, units: Sequence[str], origin: str, label: str, limits: Limits) -> bool:
    """Tell whether nothing may happen to the enemies in a hex whichever team of some units attacks from another."""
    for team in _teams(bounds.scenario, units):
        limits.check()
        if not _may_miss(bounds, team, origin, label):
            return False
    return True


def _may_miss(bounds: SingleUnitBounds, team: tuple[str, ...], origin: str, label: str) -> bool:
    """Tell whether nothing may happen to the enemies in a hex if a team attacks from another, with nothing else in force."""
    [found] = bounds.memory.recall(
        ("may miss", team, origin, label), lambda: [_missed(bounds.scenario, team, origin, label)]
    )
    return found


def _missed(scenario: Scenario, team: tuple[str, ...], origin: str, label: str) -> bool:
    [rule, *_] = scenario.game.rulebook.of(Fights)
    placed = set_down(scenario, team, origin)
    fought = relaxed(placed, [Scope(rule.id)])
    verdict = Referee(fought.game).play(Plan((Move(team, (origin, label), frozenset([1])),)), fought.start)
    foes = scenario.game.enemies_at(label)
    return any(
        all(position.at.get(enemy) == label for enemy in foes)
        and placed.start.demoralized.issuperset(position.demoralized.intersection(foes))
        for position, _ in verdict.all_outcomes()
    )
