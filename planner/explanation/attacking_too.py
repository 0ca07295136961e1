"""Who must attack besides, where written attacks leave somebody out, or together: the smallest changes, as nobody moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

from planner.explanation.answer import Remedy
from planner.explanation.move_remedies import Remedies, legal
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.referee.attacks import violations_of
from planner.referee.verdict import Verdict
from planner.rules.attack_referee import AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position

MOST_TRIED = 200
"""So many ways for all of them to attack are tried."""


def attacking_together(scenario: Scenario, plan: Plan) -> Remedies:
    """Return that those who are said to attack the same hexes one by one do so in one attack, if that is legal.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        Moves and attacks that are illegal as they are written.
    """
    joined: dict[object, DeclaredAttack] = {}
    for one in plan.attacks or ():
        against = frozenset(one.hexes), one.defenders, one.result, one.ways
        before = joined.setdefault(against, one)
        if before is not one:
            joined[against] = replace(before, attackers=tuple(dict.fromkeys((*before.attackers, *one.attackers))))
    together = replace(plan, attacks=None if plan.attacks is None else tuple(joined.values()))
    if scenario.start.attacking or len(joined) == len(plan.attacks or ()) or not legal(scenario, together):
        return Remedies()
    return Remedies.of([Remedy((), (), together, True)], False)


Target = tuple[str, str]
"""A unit, and the hex that it attacks."""


def attacking_too(scenario: Scenario, plan: Plan, verdict: Verdict, limits: Limits) -> Remedies:
    """Return how those whom written attacks leave out attack, too, where nothing else is wrong with them.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        Moves and attacks that are illegal as they are written.
    verdict : Verdict
        What is wrong with them.
    limits : Limits
        When to stop.
    """
    rule, game = attack_rule(scenario.game), scenario.game
    if rule is None or not plan.attacks or scenario.start.attacking:
        return Remedies()
    duties = {one.key for one in violations_of(game, verdict.position, plan.attacks) if one.attack is None}
    if not {one.key for one in verdict.violations} <= duties:
        return Remedies()
    targets = _targets(AttackReferee(rule, game, verdict.position), game, verdict.position, plan)
    some = {frozenset(way) for way in islice(product(*targets), MOST_TRIED + 1)}
    ways = sorted(some, key=lambda way: (len(way), sorted(way)))[:MOST_TRIED]
    found: list[tuple[frozenset[Target], Remedy]] = []
    for way in ways:
        if limits.late:
            return Remedies.of([one for _, one in found], False)
        if len({unit for unit, _ in way}) == len(way) and not any(fewer <= way for fewer, _ in found):
            joined = _joined(plan, way)
            if legal(scenario, joined):
                found.append((way, Remedy((), (), joined, True)))
    least = min((len(way) for way, _ in found), default=0)
    every = len(some) <= MOST_TRIED
    return Remedies.of([replace(one, fewest=every) for way, one in found if len(way) == least], every)


def _targets(judge: AttackReferee, game: Game, position: Position, plan: Plan) -> Iterator[list[Target]]:
    """Yield, for each who must still attack, or be attacked, who may attack where for it."""
    attacks = [one.declared for one in plan.attacks or ()]
    busy = {unit for attack in attacks for unit in attack.attackers}
    attacked = {unit for attack in attacks for unit in judge.defenders_of(attack)}
    taken = {label for attack in attacks for label in attack.hexes}
    attackers, enemies = judge.duties()
    foes = dict.fromkeys(label for unit, label in position.at.items() if game.is_enemy(unit))
    hexes = [label for label in foes if not plan.closed or label in taken]

    def may(unit: str, label: str) -> bool:
        return bool(judge.defenders_in(label)) and not any(judge.may_attack(unit, (label,)))

    for unit in attackers:
        if unit not in busy:
            yield [(unit, label) for label in hexes if may(unit, label)]
    free = [unit for unit in game.sorted(position.at) if game.may_be_moved(unit) and unit not in busy]
    for enemy in enemies:
        if enemy not in attacked:
            label = position.at[enemy]
            yield [(unit, label) for unit in free if label in hexes and may(unit, label)]


def _joined(plan: Plan, way: frozenset[Target]) -> Plan:
    """Return a plan in which units attack, too: with those who attack the hex already, or in an attack of their own."""
    attacks = list(plan.attacks or ())
    for unit, label in sorted(way):
        for index, one in enumerate(attacks):
            if label in one.hexes:
                attacks[index] = replace(one, attackers=(*one.attackers, unit))
                break
        else:
            attacks.append(DeclaredAttack((unit,), (label,)))
    return replace(plan, attacks=tuple(attacks))
