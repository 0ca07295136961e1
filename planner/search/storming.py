"""How a hex is stormed so that it is surely opened, one group after the other, and another unit goes into it or through it.

What is proposed here is no more than a guess: the referee judges it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights
from planner.rules.combat_table import Aftermath
from planner.rules.demands import Arc
from planner.rules.game import Game
from planner.search.combat_routes import routes_of
from planner.search.reach_entries import Answer
from planner.world.position import Position

MOST_GROUPS = 4
"""So many groups attack one after another at most: what their combats lead to multiplies."""

Ways = Mapping[str, Mapping[str, Move]]
"""For each unit that may fight, by the hex to which it leads, how it comes there; without steps where it stands there."""


def after_storms(
    reach: ConditionalReach, start: Position, might: Mapping[str, Iterable[str]], alone: Callable[[str], Answer]
) -> Iterator[tuple[str, Plan]]:
    """Yield plans in which others storm a hex before a unit goes into it, or through it, each with the unit.

    Parameters
    ----------
    reach : ConditionalReach
        What units can do by themselves.
    start : Position
        The board.
    might : mapping from units to places
        Where units are to end.
    alone : callable
        Returns what a unit can do by itself.

    Raises
    ------
    OutOfTimeError
        If it gets late.
    """
    ways: dict[str, dict[str, Move]] = {}
    for unit in (unit for unit in start.at if unit in reach.game.friends and reach.game.rulebook.of(Fights)):
        single = {label: plan.moves[0] for label, (plan, _) in alone(unit)[0].items() if len(plan.moves) == 1}
        quiet = {label: move for label, move in single.items() if not move.overruns}
        ways[unit] = {start.at[unit]: Move((unit,), (start.at[unit],)), **quiet}
    for unit, ends in might.items() if ways else ():
        yield from ((unit, plan) for plan in stormings(reach, start.demoralized, unit, sorted(ends), ways))


def stormings(
    reach: ConditionalReach, shaken: Collection[str], unit: str, ends: Collection[str], ways: Ways
) -> Iterator[Plan]:
    """Yield plans in which groups storm a hex until nobody can be left, and a unit ends in it then, or beyond it.

    Parameters
    ----------
    reach : ConditionalReach
        What units can do by themselves, in the game in which a hex is to be stormed.
    shaken : collection of str
        Who has been demoralized in this phase already.
    unit : str
        The unit that goes last; it doesn't fight.
    ends : collection of str
        Where it is to end.
    ways : mapping from units to mappings from hexes to Move
        Who may fight, and how each of them comes to hexes by itself.

    Raises
    ------
    OutOfTimeError
        If it gets late.
    """
    game = reach.game
    others = {other: moves for other, moves in ways.items() if other != unit}
    for label in dict.fromkeys(game.homes[enemy] for enemy in game.homes if game.is_enemy(enemy)):
        if label not in game.board.hexes:
            continue
        opened, beside = routes_of(reach, unit, frozenset([label])).ends, game.board.neighbours[label]
        wanted = [opened[end][1] for end in ends if end in opened and label in opened[end][1].path]
        tried = set[tuple[Move, ...]]()
        for origins in (beside, *([one] for one in beside)) if wanted else ():
            stormed = siege(game, label, shaken, others, origins)
            if stormed is not None and stormed not in tried:
                tried.add(stormed)
                yield from (Plan((*stormed, way)) for way in wanted)


def entering(game: Game, shaken: Collection[str], unit: str, ends: Collection[str], ways: Ways) -> Iterator[Plan]:
    """Yield plans in which a unit comes beside a hex, groups storm it, and the unit enters, for which it has the MP or not.

    Parameters
    ----------
    game : Game
        The position.
    shaken, unit, ends
        As those of `stormings`.
    ways : mapping from units to mappings from hexes to Move
        As that of `stormings`; of the unit, too.
    """
    others = {other: moves for other, moves in ways.items() if other != unit}
    for label in (label for label in ends if game.enemies_at(label)):
        beside = game.board.neighbours[label]
        near = [move for here, move in ways.get(unit, {}).items() if here in beside]
        stormed = siege(game, label, shaken, others, beside) if near else None
        if stormed is not None:
            approach = min(near, key=lambda move: len(move.path))
            coming = [move for move in (*stormed, approach) if not move.overruns and len(move.path) > 1]
            attacks = [move for move in stormed if move.overruns]
            yield Plan((*coming, *attacks, Move((unit,), (approach.end, label))))


def siege(
    game: Game, label: str, shaken: Collection[str], ways: Ways, origins: Collection[str]
) -> tuple[Move, ...] | None:
    """Return moves by which groups storm a hex until nobody can be left; None: none are known.

    Parameters
    ----------
    game : Game
        The position.
    label : str
        A hex in which enemies stand.
    shaken : collection of str
        Who has been demoralized in this phase already.
    ways : mapping from units to mappings from hexes to Move
        Who may take part, and how each of them comes to hexes by itself.
    origins : collection of str
        The hexes beside it from which they attack.
    """
    rule = next(iter(game.rulebook.of(Fights)), None)
    foes, weak, rested = list(game.enemies_at(label)), set(shaken), list(ways)
    approaches, attacks = list[Move](), list[Move]()
    while rule is not None and foes and len(attacks) < MOST_GROUPS:
        best: tuple[tuple[int, int], str, list[str], Aftermath] | None = None
        for origin in origins:
            for team in _teams(game, rule, [unit for unit in rested if origin in ways[unit]], weak):
                worst = _worst(game, rule, team, foes, Arc(origin, label), weak)
                driven, shaken_too = _harm(worst, team)
                harm = driven, shaken_too if driven < len(foes) else 0  # once all are gone, fewer units do better
                if harm > (0, 0) and (best is None or harm > best[0] or (harm == best[0] and len(team) < len(best[2]))):
                    best = harm, origin, team, worst
        if best is None:
            return None
        _, origin, team, worst = best
        rested = [unit for unit in rested if unit not in team]
        approaches += [way for unit in team if len((way := ways[unit][origin]).path) > 1]
        attacks.append(Move(tuple(team), (origin, label), frozenset([1])))
        gone = worst.eliminated | {unit for unit, _ in worst.back if unit in foes}
        foes = [enemy for enemy in foes if enemy not in gone]
        weak |= worst.shaken
    return None if foes or not attacks else (*approaches, *attacks)


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
        game, [units[one] for one in team], [units[one] for one in foes], arc, weak, lambda *_: False
    )
    return min(results, key=lambda one: _harm(one, team))


def _harm(result: Aftermath, team: Iterable[str]) -> tuple[int, int]:
    """Return how many defenders a result drives away, and how many it demoralizes."""
    gone = result.eliminated | {unit for unit, _ in result.back}
    return len(gone.difference(team)), len(result.shaken.difference(team))
