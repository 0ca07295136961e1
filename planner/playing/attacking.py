"""What may be attacked in a position that is played on, and what may come of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from planner.errors import InputError, Problem
from planner.plans.attack_text import is_attack, parse_attack
from planner.playing.moment import Moment, RollOutcome
from planner.referee.attacks import AttackInTheMaking
from planner.rules.attack_referee import AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.rules.declared_attacks import left_of
from planner.rules.game import Game
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position


def targets(game: Game, position: Position) -> dict[str, tuple[str, ...]]:
    """Return which hexes may be attacked, each with who may attack it, in the order of the scenario."""
    rule = attack_rule(game)
    if rule is None:
        return {}
    judge = AttackReferee(rule, game, position)
    if judge.declared is not None:
        left = [one for attack in judge.declared if (one := left_of(judge, attack)) is not None]
        return {label: one.attackers for one in left for label in one.hexes}
    busy = {unit for attack in position.attacked for unit in attack.attackers}
    own = [unit for unit in game.sorted(position.at) if game.may_be_moved(unit) and unit not in busy]
    hexes = dict.fromkeys(position.at[unit] for unit in game.sorted(position.at) if game.is_enemy(unit))
    hexes = {label: None for label in hexes if label in game.board.hexes and judge.defenders_in(label)}
    found = {label: tuple(unit for unit in own if not any(judge.may_attack(unit, (label,)))) for label in hexes}
    return {label: units for label, units in found.items() if units}


def possible_results(
    game: Game, position: Position, attack: DeclaredAttack
) -> Iterator[tuple[DeclaredAttack, Fraction]]:
    """Yield what may come of a legal attack, with its probability; who may choose where to retreat goes the first way."""
    rule = attack_rule(game)
    assert rule is not None
    for one in AttackReferee(rule, game, position).assess(attack).results:
        if one.probability:
            yield decided(game, position, replace(attack, result=one.code)), one.probability


def decided(game: Game, position: Position, attack: DeclaredAttack) -> DeclaredAttack:
    """Return an attack with its result, and with a way for whoever retreats and of whom nothing is said."""
    return AttackInTheMaking(game, position, attack).decided()


def named(now: Moment, text: str) -> RollOutcome:
    """Return the outcome of the roll that is due that a text names: by its move; of an attack, with who went where.

    Raises
    ------
    InputError
        If it isn't one of the outcomes.
    """
    for one in now.due:
        if str(one.move) == text:
            return one
    if is_attack(text):
        said = parse_attack(text)
        for one in now.due:
            due = one.move
            if isinstance(due, DeclaredAttack) and (said.declared, said.result) == (due.declared, due.result):
                return RollOutcome(decided(now.phase.game, now.standing, said), one.probability)
    listed = ", ".join(str(one.move) for one in now.due)
    raise InputError([Problem(f"must be one of {listed}", "result")])
