"""Hexes and hexsides without whose price a unit would get somewhere for less: where other ground may be what it takes."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable
from dataclasses import replace
from fractions import Fraction

from planner.objective.marches import ground_price
from planner.rules.game import Game
from planner.world.forces import Unit


def plainest(game: Game, unit: Unit, weather: str) -> str:
    """Return the terrain that costs a unit least, the first of the chart among equals; empty if all is prohibited."""
    phase = game.situation.phase
    costs = {
        name: cost
        for name, entry in game.rulebook.terrain.terrain.items()
        if not entry.never_part and (cost := entry.cost(unit, phase, weather)) is not None
    }
    return min(costs, key=lambda name: (costs[name].all, costs[name].mp), default="")


def plainer_ways(game: Game, unit: str, ends: Collection[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return what would let a unit get to some hexes for less than it takes now, by the charts alone, the cheapest first.

    Parameters
    ----------
    game : Game
        The position.
    unit : str
        A unit; one that is off the map gets nowhere by steps.
    ends : collection of str
        Where it is to get.

    Returns
    -------
    hexes : list of str
        The hexes each of which would do so if its ground were the plainest.
    sides : list of (str, str)
        The hexsides each of which would without one of its features, as they would be crossed.
    """
    board, counter, home = game.board, game.units[unit], game.homes.get(unit, "")
    ends = [label for label in ends if label in board.hexes]
    if home not in board.hexes or home in ends:
        return [], []
    out, on = _from(game, counter, [home], False), _from(game, counter, ends, True)
    now = min((out[label] for label in ends if label in out), default=None)
    hexes, sides = dict[str, Fraction](), dict[tuple[str, str], Fraction]()
    for before, label in ((b, a) for a in board.hexes if a in on for b in board.neighbours[a] if b in out):
        for feature, price in _plainer(game, counter, before, label):
            total = out[before] + price + on[label]
            if now is not None and total >= now:
                continue
            if feature:
                sides[before, label] = min(total, sides.get((before, label), total))
            else:
                hexes[label] = min(total, hexes.get(label, total))
    return sorted(hexes, key=hexes.__getitem__), sorted(sides, key=sides.__getitem__)


def _plainer(game: Game, unit: Unit, before: str, label: str) -> Iterable[tuple[str, Fraction]]:
    """Yield what a step would cost on other ground (with an empty text), or without a feature of the hexside."""
    chart, phase, weather = game.rulebook.terrain, game.situation.phase, game.weather(label)
    place, along = game.board.hexes[label], game.board.hexside(before, label)
    terrain = plainest(game, unit, weather)
    tries = [(feature, place, along - {feature}) for feature in along & chart.hexsides.keys()]
    if terrain and terrain != place.terrain:
        tries.append(("", replace(place, terrain=terrain, also=()), along))
    for feature, other, features in tries:
        cost = chart.entry_cost(other, features, unit, phase, (), weather)
        if cost is not None:
            yield feature, cost.of(unit.ma)


def _from(game: Game, unit: Unit, starts: Iterable[str], backward: bool) -> dict[str, Fraction]:
    """Return what it costs a unit to get from some hexes to others, or `backward` from others to one of them.

    A hex that nobody may enter is there, too, backward: at what it costs to go on from it.
    """
    found: dict[str, Fraction] = {}
    queue = [(Fraction(0), label) for label in starts]
    while queue:
        spent, label = heapq.heappop(queue)
        if label in found:
            continue
        found[label] = spent
        for other in game.board.neighbours[label]:
            price = ground_price(game, unit, *((other, label) if backward else (label, other)))
            if price is not None and other not in found:
                heapq.heappush(queue, (spent + price, other))
    return found
