"""How a hex is overrun, or stormed so that it is surely opened: one group after the other, each strong enough.

What is proposed here is no more than a guess: the referee judges it, in the game in which it is to be legal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

from planner.explanation.needs import Aim, Need, nearest
from planner.explanation.single_unit_bounds import Scopes, SingleUnitBounds
from planner.explanation.strongest_overrun import strongest_overruns
from planner.plans.plan import Move, Plan
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.combat_table import Aftermath
from planner.rules.demands import Arc
from planner.rules.game import Game

MOST_GROUPS = 4
"""So many groups attack one after another at most: what their combats lead to multiplies."""


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
    """Yield plans in which groups storm the one hex of the enemies' in which a unit is to end, and it enters it then.

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
    for [aim, *others] in needs if game.rulebook.of(Fights) else ():
        for label in (label for label in aim.ends if not others and game.enemies_at(label)):
            beside = frozenset(game.board.neighbours[label])
            ways: dict[str, list[Move]] = {}
            for unit in movers:
                bounds.limits.check()
                home = game.homes[unit]
                stays = [Move((unit,), (home,))] if home in beside else []
                ways[unit] = [*bounds.legal_moves(scopes, Aim(unit, beside)), *stays]
            plan = siege(game, label, start.demoralized, ways, aim.unit)
            if plan is not None:
                yield plan


def siege(
    game: Game, label: str, shaken: Collection[str], ways: Mapping[str, Iterable[Move]], last: str
) -> Plan | None:
    """Return a plan in which groups storm a hex until nobody can be left, and a unit enters then; None: none is known.

    Parameters
    ----------
    game : Game
        The position.
    label : str
        A hex in which enemies stand.
    shaken : collection of str
        Who has been demoralized in this phase already.
    ways : mapping from units to iterables of Move
        For each unit that may take part the moves by which it comes beside the hex; without steps where it stands there.
    last : str
        The unit that enters.
    """
    rule = next(iter(game.rulebook.of(Fights)), None)
    beside = {unit: {move.end: move for move in moves} for unit, moves in ways.items()}
    if rule is None or not beside.get(last):
        return None
    foes, weak, rested = list(game.enemies_at(label)), set(shaken), [unit for unit in beside if unit != last]
    approaches, attacks = list[Move](), list[Move]()
    while foes and len(attacks) < MOST_GROUPS:
        best: tuple[tuple[int, int], str, list[str], Aftermath] | None = None
        for origin in game.board.neighbours[label]:
            for team in _teams(game, rule, [unit for unit in rested if origin in beside[unit]], weak):
                arc = Arc(origin, label)
                worst = _worst(game, rule, team, foes, arc, weak)
                harm = _harm(worst, team)
                if harm > (0, 0) and (best is None or harm > best[0] or (harm == best[0] and len(team) < len(best[2]))):
                    best = harm, origin, team, worst
        if best is None:
            return None
        _, origin, team, worst = best
        rested = [unit for unit in rested if unit not in team]
        approaches += [beside[unit][origin] for unit in team]
        attacks.append(Move(tuple(team), (origin, label), frozenset([1])))
        gone = worst.eliminated | {unit for unit, _ in worst.back if unit in foes}
        foes = [enemy for enemy in foes if enemy not in gone]
        weak |= worst.shaken
    if foes:
        return None
    approach = min(beside[last].values(), key=lambda move: len(move.path))
    moves = [move for move in (*approaches, approach) if len(move.path) > 1]
    return Plan((*moves, *attacks, Move((last,), (approach.end, label))))


def _teams(game: Game, rule: Fights, able: Iterable[str], weak: Collection[str]) -> Iterator[list[str]]:
    """Yield teams: the strongest alone, the two strongest, and so on."""
    line = sorted(able, key=lambda unit: -rule.strength_of(game.units[unit], weak))
    yield from (line[:size] for size in range(1, len(line) + 1))


def _worst(
    game: Game, rule: Fights, team: Iterable[str], foes: Iterable[str], arc: Arc, weak: Collection[str]
) -> Aftermath:
    """Return the result that does the defenders the least harm."""
    units = game.units
    results = rule.aftermath(
        game, [units[one] for one in team], [units[one] for one in foes], arc, weak, lambda _: False
    )
    return min(results, key=lambda one: _harm(one, team))


def _harm(result: Aftermath, team: Iterable[str]) -> tuple[int, int]:
    """Return how many defenders a result drives away, and how many it demoralizes."""
    gone = result.eliminated | {unit for unit, _ in result.back}
    return len(gone.difference(team)), len(result.shaken.difference(team))
