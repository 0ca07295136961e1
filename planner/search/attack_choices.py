"""Which attacks may be declared in a position after the moves: all at once, or one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product

from planner.rules.attack_referee import AttackReferee
from planner.rules.attack_table import AttackRule
from planner.rules.game import Game
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position

_Aim = tuple[tuple[str, ...], tuple[str, ...]]
"""Whom an attack may be against: hexes, and enemies where not all in them."""


class AttackChoices:
    """The attacks that may be declared in one position.

    Parameters
    ----------
    rule : AttackRule
        The rule of attacks in force.
    game : Game
        Board, units, rules and situation.
    position : Position
        Who stands where, and which attacks have been made.
    count : callable
        Called for each attack that is looked at, and for all whom one may be against; raises something when there are too
        many, or the time is up.
    """

    def __init__(self, rule: AttackRule, game: Game, position: Position, count: Callable[[], None]) -> None:
        self._rule, self._game, self._count = rule, game, count
        self._judge = AttackReferee(rule, game, position)
        busy = {unit for attack in position.attacked for unit in attack.attackers}
        own = [unit for unit in game.sorted(position.at) if game.may_be_moved(unit) and unit not in busy]
        self._aims = dict(self._listed({at for unit, at in position.at.items() if game.is_enemy(unit)}, own))
        self._able = {unit: [aim for aim, able in self._aims.items() if unit in able] for unit in own}

    def _listed(self, places: set[str], own: list[str]) -> Iterator[tuple[_Aim, list[str]]]:
        """Yield whom one attack may be against, each time with the own units that may take part in it."""
        there = {label: self._judge.defenders_in(label) for label in sorted(places) if label in self._game.board.hexes}
        defended = [label for label, units in there.items() if units]
        for many in range(1, self._rule.most_hexes + 1):
            for hexes in combinations(defended, many):
                self._count()
                able = [unit for unit in own if not any(self._judge.may_attack(unit, hexes))]
                if able:
                    yield (hexes, ()), able
                if not able or self._rule.defenders_together:
                    continue
                everybody = [unit for label in hexes for unit in there[label]]
                for size in range(many, len(everybody)):
                    for some in combinations(everybody, size):
                        self._count()
                        if all(any(unit in some for unit in there[label]) for label in hexes):
                            yield (hexes, self._game.sorted(some)), able

    def single(self) -> Iterator[DeclaredAttack]:
        """Yield each attack that may be made, whatever must be done besides."""
        for aim, able in self._aims.items():
            for size in range(1, len(able) + 1):
                for some in combinations(able, size):
                    self._count()
                    attack = DeclaredAttack(some, *aim)
                    if not self._judge.check_declared([attack]):
                        yield attack

    def together(self) -> Iterator[tuple[DeclaredAttack, ...]]:
        """Yield every way to declare attacks at once, one at least, with all that must be declared."""
        for chosen in product(*([None, *aims] for aims in self._able.values())):
            self._count()
            groups: dict[_Aim, list[str]] = {}
            for unit, aim in zip(self._able, chosen, strict=True):
                if aim is not None:
                    groups.setdefault(aim, []).append(unit)
            attacks = tuple(DeclaredAttack(tuple(who), *aim) for aim, who in groups.items())
            if attacks and not self._judge.check(attacks):
                yield attacks
