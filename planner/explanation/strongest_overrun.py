"""Overruns by all who could take part: what forbids the strongest of them is why a hex can't be overrun.

A set of rule instances binds units one by one, and so the plan that shows what one of them breaks has it attack alone. That
it is too weak alone is no reason if others could help it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice

from planner.plans.plan import Move, Plan
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.game import Game

MOST_TEAMS = 30
"""So many teams are looked at, the strongest first."""

Straight = Callable[[str, str], Move | None]
"""The shortest way of a unit to a hex, whatever the rules say; None: there is none."""


def strongest_overruns(
    game: Game, rule: JointlyOverruns, unit: str, label: str, straight: Straight, movers: Sequence[str]
) -> Iterator[Plan]:
    """Yield plans in which a unit overruns a hex with others and with all support in range, the strongest teams first.

    Parameters
    ----------
    game : Game
        The game.
    rule : JointlyOverruns
        The rule of the overrun.
    unit : str
        A phasing unit on the map; it is named first.
    label : str
        The hex.
    straight : callable
        Tells the shortest way of a unit to a hex.
    movers : sequence of str
        Who may move.
    """
    way = straight(unit, label)
    if way is None or not game.enemies_at(label):
        return
    units, origin, last = game.units, way.path[-2], len(way.path) - 1
    able = [
        one
        for one in movers
        if one != unit and one in game.homes and game.units[one].attack and rule.by.matches(game.units[one])
    ]

    able.sort(key=lambda one: -rule.attack_of(game, units[one], label))
    support = tuple((last, one) for one in rule.supporters_of(game, label) if one in movers and one != unit)
    for team in islice(_teams(able, rule.most_units), MOST_TEAMS):
        together = (unit, *team)
        if all(game.homes[one] == way.path[0] for one in team):
            yield Plan((Move(together, way.path, frozenset([last]), support=support),))
            continue
        # Those who wait for each other may come from anywhere.
        coming = [straight(one, origin) for one in together if game.homes[one] != origin]
        if all(move is not None for move in coming):
            attack = Move(together, (origin, label), frozenset([1]), support=tuple((1, one) for _, one in support))
            yield Plan((*(move for move in coming if move is not None), attack))


def _teams(able: Sequence[str], most: int | None) -> Iterator[tuple[str, ...]]:
    """Yield who may come along, the largest teams first, of these the strongest; `able` begins with the strongest unit."""
    for number in range(len(able) if most is None else min(most - 1, len(able)), -1, -1):
        if most is None:
            yield tuple(able[:number])
        else:
            yield from combinations(able, number)
