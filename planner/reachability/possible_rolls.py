"""Whether anything can be rolled in a position: a property of who stands where, not of the game alone."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import replace

from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.demands import Arc
from planner.rules.game import Game
from planner.rules.roles import Ends
from planner.world.forces import Unit


def may_roll(game: Game) -> bool:
    """Tell whether something may be rolled for in what is left of the phase; where it tells that nothing is, nothing is.

    Parameters
    ----------
    game : Game
        The game; its phase may be in progress.
    """
    return game.rulebook.rolled and game.cached("may roll", lambda: any(_rolls(ConditionalReach(game))))


def may_end_illegally(game: Game) -> bool:
    """Tell whether a plan may rely on a roll after which, if it fails, units stand where they may not.

    What is legal whatever is rolled is no bound then: a way of playing must be so, and a plan that is fixed in advance not
    where something fails whose probability reaches the scenario's confidence.

    Parameters
    ----------
    game : Game
        The game; its phase may be in progress.
    """
    book = game.rulebook
    if game.situation.confidence == 1 or not (bool(book.halting) or bool(book.of(Ends))):
        return False
    return (book.fights or ConditionalReach(game).relies_on_rolls) and may_roll(game)


def _rolls(reach: ConditionalReach) -> Iterator[bool]:
    """Yield of each step that a unit might make whether it may be rolled for."""
    game = reach.game
    fights = bool(reach.of(Fights))
    attackers: dict[str, list[Unit]] = {}
    sides: dict[str, dict[str, Arc]] = {}
    for unit in reach.movers:
        counter = game.units[unit]
        bogs = reach.rolls_alone(counter)
        for arc in _arcs(reach, unit):
            # Late in a move there are as many dice as anywhere.
            yield bogs and reach.roll_of(counter, arc, max(reach.counts_hexes, 1)) < 1
            yield fights and bool(game.enemies_at(arc.to))
            if not arc.overrun or not reach.joint:
                continue
            team, known = attackers.setdefault(arc.to, []), sides.setdefault(arc.to, {})
            if counter not in team or arc.origin not in known:
                team += [counter] if counter not in team else []
                known.setdefault(arc.origin, arc)
                yield any(_odds_are_rolled(reach, team, one) for one in known.values())


def _odds_are_rolled(reach: ConditionalReach, team: list[Unit], arc: Arc) -> bool:
    """Tell whether an overrun by some of a team may be rolled for: not where even all of them are too weak."""
    game, label = reach.game, arc.to
    for rule in reach.of(JointlyOverruns):
        if rule.rolled:
            attack, defense = sum(rule.attack_of(game, unit, label) for unit in team), rule.defense_in(game, label)
            sure = rule.sure_odds is not None and attack >= rule.sure_odds * defense
            by_all = reach.chance(team, replace(arc, attempts=1)) < 1
            supported = any(rule.supports_from(game, unit, label, label) for unit in game.homes)  # once it has come up
            if by_all or (sure and len(team) > 1) or supported:
                return True
    return False


def _arcs(reach: ConditionalReach, unit: str) -> Iterator[Arc]:
    """Yield the steps that a unit might make, whatever they need of others, as if all that is rolled went well."""
    counter, departure = reach.game.units[unit], reach.departed(unit)
    home = reach.game.homes[unit]
    best, queue = {home: departure.spent}, [(departure.spent, home)]
    while queue:
        spent, here = heapq.heappop(queue)
        if spent > best[here]:
            continue
        for step in reach.steps(unit, here, overruns=True):
            total, to = spent + step.cost, step.arc.to
            if not reach.affords(counter, step, total, first=here == home and not departure.steps):
                continue
            yield step.arc
            if to not in best or total < best[to]:
                best[to] = total
                heapq.heappush(queue, (total, to))
