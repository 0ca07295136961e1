"""Whom no overruns that units make together could eliminate, as the referee says: a second look at what is known of events.

The strongest team of those who could take part is set down beside a hex, and attacks with all support that there is. All
enemies are gone by then who might be. If even its odds are too low, the defenders stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from planner.explanation.needs import Aim
from planner.explanation.relaxation import Scope, relaxed
from planner.explanation.set_down import set_down
from planner.explanation.single_unit_bounds import Scopes, SingleUnitBounds
from planner.explanation.unreachable import unreachable
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.play import overrun_links
from planner.scenario import Scenario


def out_of_reach(bounds: SingleUnitBounds, scopes: Scopes, aim: Aim, limits: Limits) -> bool:
    """Tell whether it is confirmed that a unit can't come to something, whoever helps it; False: it isn't known.

    Parameters
    ----------
    bounds : SingleUnitBounds
        Knows the relaxed games, and who stays where overruns are made together.
    scopes : sequence of Scope or None
        Where rules are in force.
    aim : Aim
        What the unit can't come to.
    limits : Limits
        When to stop.

    Raises
    ------
    OutOfTimeError
        If it gets late.
    """
    reach, staying, homes = bounds.reach(scopes), bounds.staying(scopes), bounds.scenario.game.homes
    rest = replace(aim, removes=frozenset(enemy for enemy in aim.removes if homes[enemy] not in staying))
    closed = frozenset(homes[enemy] for enemy in aim.removes - rest.removes)
    if rest.ends or rest.removes:
        closed |= bounds.staying(scopes, rest)
        if unreachable(reach, rest, limits, closed=closed) is not True:
            closed = staying
            if unreachable(reach, rest, limits, closed=closed) is not True:
                return False
    # That some stay may hang on others that do.
    some = (one for one in (closed, staying) if closed)
    stay = any(all(_stays(bounds, scopes, label, one, limits) for label in one) for one in some)
    # It may be out of reach whoever stays: that takes longest to tell, and hardly ever needs to be asked.
    return not closed or stay or unreachable(reach, aim, limits) is True


def _stays(bounds: SingleUnitBounds, scopes: Scopes, label: str, closed: frozenset[str], limits: Limits) -> bool:
    """Tell whether no team of those who could take part is strong enough for a hex while some hexes stay the enemies'."""
    key = "stays", None if scopes is None else frozenset(scopes), label, closed
    [found] = bounds.memory.recall(key, lambda: [_too_weak(bounds, scopes, label, closed, limits)])
    return found


def _too_weak(bounds: SingleUnitBounds, scopes: Scopes, label: str, closed: frozenset[str], limits: Limits) -> bool:
    game, reach, events = bounds.scenario.game, bounds.reach(scopes), bounds.events(scopes)
    if events is not None and events.come_up(label):
        return False  # with their support it may be strong enough
    [rule] = bounds.game_with(scopes).game.rulebook.of(JointlyOverruns)
    alone = _without_those_who_may_go(bounds.scenario, bounds.staying(scopes))
    able, aim = list(bounds.movers), frozenset(game.enemies_at(label))

    def too_weak() -> bool:
        return all(rule.asks_of(unit, label) for unit in able) and _all_beaten(alone, rule, able, label, limits)

    # Whether a unit comes near takes longest to tell: the strongest, who make the difference, are asked first.
    for unit in sorted(able, key=lambda unit: (rule.asks_of(unit, label), -game.units[unit].attack)):
        if too_weak():
            return True
        if unreachable(reach, Aim(unit, removes=aim), limits, closed=closed) is True:
            able.remove(unit)
    return too_weak()


def _all_beaten(scenario: Scenario, rule: JointlyOverruns, units: Sequence[str], label: str, limits: Limits) -> bool:
    """Tell whether from nowhere beside a hex the strongest team of some units is strong enough for it."""
    game, able = scenario.game, [unit for unit in units if rule.by.matches(scenario.game.units[unit])]
    for origin in overrun_links(game, label) if able else ():
        limits.check()
        line = sorted(able, key=lambda unit: -rule.attack_of(game, game.units[unit], label, origin))
        if not _beaten(scenario, rule, game.sorted(line[: rule.most_units]), origin, label):
            return False
    return True


def _without_those_who_may_go(scenario: Scenario, staying: frozenset[str]) -> Scenario:
    """Return a position without the enemies who might be eliminated."""
    game, start = scenario.game, scenario.start.copy()
    gone = [unit for unit, home in game.homes.items() if game.is_enemy(unit) and home not in staying]
    for unit in gone:
        del start.at[unit]
    homes = {unit: home for unit, home in game.homes.items() if unit not in gone}
    return replace(scenario, game=replace(game, homes=homes, _cache={}), start=start)


def _beaten(scenario: Scenario, rule: JointlyOverruns, team: tuple[str, ...], origin: str, label: str) -> bool:
    """Tell whether the odds of an overrun by a team that stands beside a hex are too low, with nothing else in force."""
    placed = set_down(scenario, team, origin)
    support = tuple((1, unit) for unit in rule.supporters_of(scenario.game, label) if unit not in team)
    fought = relaxed(placed, [Scope(rule.id)])
    plan = Plan((Move(team, (origin, label), frozenset([1]), support=support),))
    verdict = Referee(fought.game).play(plan, fought.start, rolls=False)
    # Of odds, and of support that isn't survived, enemies are to blame, whoever the team is; friends who crowd it may go.
    cited = {rule.paragraph, rule.opposition_paragraph}
    return any(one.rule in cited and any(map(scenario.game.is_enemy, one.blame)) for one in verdict.violations)
