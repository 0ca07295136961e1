"""How a hex is overrun, or stormed so that it is surely opened.

What is proposed here is no more than a guess: the referee judges it, in the game in which it is to be legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

from planner.explanation.needs import Aim, Need, nearest
from planner.explanation.single_unit_bounds import Scopes, SingleUnitBounds
from planner.explanation.strongest_overrun import strongest_overruns
from planner.plans.plan import Move, Plan
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.search.storming import entering, stormings

MOST_CLEARING = 12
"""So many units, the nearest first, are tried as those who overrun a hex before another one enters it."""


def clearings(bounds: SingleUnitBounds, need: Need, aim: Aim) -> Iterator[tuple[Move, ...]]:
    """Yield moves by which a unit overruns the enemies in its way, the one hex where it is to end or passes, or others do.

    Parameters
    ----------
    bounds : SingleUnitBounds
        Knows the shortest ways.
    need : Need
        What is needed.
    aim : Aim
        The part of it that the unit is to see to.
    """
    game = bounds.scenario.game
    for label in aim.ends if game.rulebook.overrunning else ():
        enter = bounds.straight(aim.unit, label)
        barred = [] if enter is None else [step for step, here in enumerate(enter.path) if game.enemies_at(here)]
        if enter is None or len(barred) != 1:
            continue
        yield (replace(enter, overruns=frozenset(barred)),)
        others = [unit for unit in bounds.movers if unit != aim.unit] if len(need) == 1 else []
        for other in nearest(game, others, held := enter.path[barred[0]])[:MOST_CLEARING]:
            clear = bounds.straight(other, held, True)
            if clear is not None:
                yield clear, enter


def storms(bounds: SingleUnitBounds, enemies: Iterable[str]) -> Iterator[tuple[Move, ...]]:
    """Yield moves by which the strongest teams would overrun enemies if they went straight there.

    Parameters
    ----------
    bounds : SingleUnitBounds
        Knows the shortest ways.
    enemies : iterable of str
        The enemies, in a game in which units overrun together.
    """
    game, rules = bounds.scenario.game, bounds.scenario.game.rulebook.of(JointlyOverruns)
    for label in dict.fromkeys(game.homes[enemy] for enemy in enemies):
        near = nearest(game, bounds.movers, label)[:MOST_CLEARING]
        for rule, unit in product(rules, near):
            teams = strongest_overruns(game, rule, unit, label, bounds.straight, bounds.movers)
            yield from (plan.moves for plan in islice(teams, 1))


def sieges(bounds: SingleUnitBounds, scopes: Scopes, needs: Sequence[Need], movers: Iterable[str]) -> Iterator[Plan]:
    """Yield plans in which groups storm one hex of the enemies', and a unit goes into it then, or through it, to its end.

    Parameters
    ----------
    bounds : SingleUnitBounds
        Knows what units can do while nobody else moves.
    scopes : sequence of Scope or None
        Where rules are in force.
    needs : sequence of Need
        What is needed; nothing is proposed but for one unit that is to end somewhere.
    movers : iterable of str
        The units that may move.

    Raises
    ------
    OutOfTimeError
        If it gets late.
    """
    game, start = bounds.scenario.game, bounds.scenario.start
    held = {game.homes[enemy] for enemy in game.homes if game.is_enemy(enemy)}
    beside = {near for label in held if label in game.board.hexes for near in game.board.neighbours[label]}
    ways: dict[str, dict[str, Move]] = {}
    for [aim, *others] in needs if game.rulebook.of(Fights) else ():
        if others or not aim.ends or aim.unit not in movers:
            continue
        for unit in movers if not ways else ():
            bounds.limits.check()
            ways[unit] = {home: Move((unit,), (home,))} if (home := game.homes[unit]) in beside else {}
            for move in bounds.legal_moves(scopes, Aim(unit, frozenset(beside))):
                ways[unit].setdefault(move.end, move)
        yield from entering(game, start.demoralized, aim.unit, sorted(aim.ends), ways)
        if scopes is None:  # where rules aren't in force, there are other ways past enemies
            yield from stormings(bounds.reach(scopes), start.demoralized, aim.unit, sorted(aim.ends), ways)
