"""What may come of attacks: what is left of one when its turn comes, its results, and where all of them together lead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from planner.errors import Problem, TooManyOutcomesError
from planner.referee.attacks import AttackInTheMaking
from planner.referee.referee import Referee
from planner.rules import declared_attacks
from planner.rules.attack_referee import AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.rules.game import Game
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position

MOST = 4_000
"""So many positions are gone through at most."""


def left_of(game: Game, position: Position, attack: DeclaredAttack) -> DeclaredAttack | None:
    """Return what is left of an attack that was declared: those who can still make it, on those who still defend.

    Parameters
    ----------
    game : Game
        Board, units, rules and situation.
    position : Position
        Who stands where now, and which attacks have been made.
    attack : DeclaredAttack
        The attack as it was declared.

    Returns
    -------
    DeclaredAttack or None
        The attack that is made; None if there is nobody to make it, or to be attacked.
    """
    rule = attack_rule(game)
    return None if rule is None else declared_attacks.left_of(AttackReferee(rule, game, position), attack)


def results(game: Game, position: Position, attack: DeclaredAttack) -> Iterator[tuple[Fraction, DeclaredAttack]]:
    """Yield how likely each result of a legal attack is, and the attack with it; who goes where isn't said."""
    rule = attack_rule(game)
    assert rule is not None
    for one in AttackReferee(rule, game, position).assess(attack.declared).results:
        if one.probability:
            yield one.probability, replace(attack.declared, result=one.code)


def played_out(
    referee: Referee, start: Position, attacks: Iterable[DeclaredAttack], check_time: Callable[[], None]
) -> list[tuple[Fraction, Position]]:
    """Return where attacks lead that are rolled one after another whatever comes, each with how likely it is.

    What is left of each is made; who may choose where to retreat goes the first way to where there is room; nobody advances.

    Parameters
    ----------
    referee : Referee
        Makes the attacks.
    start : Position
        Who stands where before the first; left as it is.
    attacks : iterable of DeclaredAttack
        The attacks, as they were declared.
    check_time : callable
        Raises something when the time is up.

    Raises
    ------
    TooManyOutcomesError
        If there are more positions than are gone through.
    """
    game = referee.game
    layer: dict[object, tuple[Fraction, Position]] = {None: (Fraction(1), start)}
    for attack in attacks:
        after: dict[object, tuple[Fraction, Position]] = {}
        for key, (likely, position) in layer.items():
            check_time()
            now = left_of(game, position, attack)
            if now is None:
                after[key] = likely + (after[key][0] if key in after else 0), position
                continue
            for chance, rolled in results(game, position, now):
                there = position.copy()
                referee.make_attack(AttackInTheMaking(game, position, rolled).decided(), there)
                known = after.get(there.key)
                after[there.key] = likely * chance + (known[0] if known else 0), there
            if len(after) > MOST:
                raise TooManyOutcomesError(
                    [Problem("the attacks may fall in more ways than are gone through", "attacks")]
                )
        layer = after
    return [*layer.values()]
