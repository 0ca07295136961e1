"""Ways by which a unit would go straight to a hex, whatever the rules say: those that a player would think of."""

from __future__ import annotations

from collections.abc import Container, Sequence
from fractions import Fraction
from itertools import pairwise

from planner.objective.marches import ground_price
from planner.rules.game import Game

Against = tuple[int, bool, int, bool, Fraction]
"""What is to be said against a way: how many hexes are to be shunned, lakes, enemies, what is prohibited to the unit, MP."""


def direct_way(game: Game, unit: str, to: str, shunned: Container[str] = ()) -> list[str]:
    """Return the shortest way of a unit to a hex, round lakes and enemies if that is no longer; empty: there is none.

    Of ways that are as short it is one that costs the least by the charts.

    Parameters
    ----------
    game : Game
        The position.
    unit : str
        A unit that is somewhere on the map.
    to : str
        The hex.
    shunned : container of str
        Hexes that it leads by only if none as short leads by fewer of them.
    """
    home, neighbours = game.homes[unit], game.board.neighbours
    levels, seen = [[home]], {home}
    while to not in seen:
        following = dict.fromkeys(other for label in levels[-1] for other in neighbours[label] if other not in seen)
        if not following:
            return []
        levels.append([*following])
        seen.update(following)
    # Backward, hex by hex of such ways: the worst that lies ahead, and where it goes on.
    ahead: dict[str, tuple[Against, str]] = {to: ((0, False, 0, False, Fraction(0)), "")}
    for level in reversed(levels[:-1]):
        further: dict[str, tuple[Against, str]] = {}
        for label in level:
            ways = [
                (_with_step(game, unit, label, on, ahead[on][0], None if on == to else on in shunned), on)
                for on in neighbours[label]
                if on in ahead
            ]
            if ways:
                further[label] = min(ways)
        ahead = {**further, **ahead}
    path = [home]
    while path[-1] != to:
        path.append(ahead[path[-1]][1])
    return path


def _with_step(game: Game, unit: str, origin: str, to: str, rest: Against, shunned: bool | None) -> Against:
    """Return what is to be said against a way with a step before it; `shunned`: None where it is the last step."""
    few, lakes, enemies, prohibited, mp = rest
    price = ground_price(game, game.units[unit], origin, to)
    return (
        few + bool(shunned),
        lakes or not game.crossable(origin, to),
        enemies + (shunned is not None and bool(game.enemies_at(to))),
        prohibited or price is None,
        mp + (price or 0),
    )


def is_passable(game: Game, path: Sequence[str]) -> bool:
    """Tell whether no step between hexes that lie side by side is one that nobody can make, such as into a lake."""
    hexes, neighbours = game.board.hexes, game.board.neighbours
    steps = (
        step for step in pairwise(path) if step[0] in hexes and step[1] in hexes and step[1] in neighbours[step[0]]
    )
    return all(game.crossable(*step) for step in steps)
