"""Limits to MP that are less than units must spend at least, each by itself, to get where they are to be, or to leave."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from planner.explanation.needs import Aim, Need, needs_of
from planner.explanation.single_unit_bounds import Scopes, SingleUnitBounds
from planner.objective import Term
from planner.objective.costs import MpSpent
from planner.objective.goals import End
from planner.objective.together import each_goal
from planner.rules.attack_rule import attack_rule
from planner.rules.game import Game


def too_costly(bounds: SingleUnitBounds, scopes: Scopes, goals: Iterable[Term]) -> list[Need] | None:
    """Return what units can't all come to for as many MP as a limit allows; None: no such is known.

    Whoever is to leave pays for a step at least, also if it is thrown back or eliminated by what it fights: nobody else's
    moves take a friend from where it stands. What is returned is that each of them does it for less than it must, so that
    none of it can be had.

    Parameters
    ----------
    bounds : SingleUnitBounds
        Knows the relaxed games; what is needed must be had for certain.
    scopes : sequence of Scope or None
        Where rules are in force.
    goals : iterable of Term
        All that is asked for, and required.

    Raises
    ------
    OutOfTimeError
        If it gets late.
    """
    game, parts = bounds.scenario.game, list(each_goal(goals))
    limits = [part for part in parts if isinstance(part, MpSpent) and part.most is not None]
    # In combats after the moves units are eliminated, or retreat, for no MP.
    if not limits or not bounds.surely or bounds.scenario.start.attacking or attack_rule(game) is not None:
        return None
    least: dict[str, tuple[Fraction, Aim]] = {}
    for aim in (aim for part in parts for aim in _moving(part, game)):
        mp = bounds.least_mp(scopes, aim)
        if mp is None:
            return [(aim,)]
        if mp > 0 and (aim.unit not in least or mp > least[aim.unit][0]):
            least[aim.unit] = mp, aim
    for limit in limits:
        own = [unit for unit in game.homes if unit in game.friends and limit.of.matches(game.units[unit])]
        needed = [least[unit] for unit in own if unit in least]
        if needed and sum(map(game.spent, own)) + sum(mp for mp, _ in needed) > Fraction(limit.most or 0):
            return [(_for_less(bounds, scopes, aim, mp),) for mp, aim in needed]
    return None


def _moving(goal: Term, game: Game) -> list[Aim]:
    """Return the unit that has to move for a goal, if it is one alone: into certain hexes, or from where it stands."""
    if not isinstance(goal, End) or goal.unit not in game.homes:
        return []
    home = game.homes[goal.unit]
    aims = [aim for need in needs_of(goal, game) for aim in need if home not in aim.ends]
    if not aims and home in goal.not_at:
        aims = [Aim(goal.unit, frozenset(game.board.places) - {home}, passing=True)]
    return aims


def _for_less(bounds: SingleUnitBounds, scopes: Scopes, aim: Aim, mp: Fraction) -> Aim:
    """Return an aim for fewer MP than a unit needs."""
    spent = bounds.scenario.game.spent(aim.unit)
    return replace(aim, within=spent + mp - Fraction(1, 2 * bounds.reach(scopes).scale))
