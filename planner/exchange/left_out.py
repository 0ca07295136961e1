"""What of a position a file for another program has no place for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.exchange.tables import UNIT_WORDS
from planner.scenario import Scenario
from planner.world.position import Position

_SAID_ELSEWHERE = frozenset(
    ("format", "model", "title", "description", "source", "phase", "phasing", "map", "unit", "verdict", "answer")
)
"""What of a scenario file a mapping says, or stands in other parts, or is no part of the position."""
_PLACES = ("at", "box")
"""Of a unit: where it is, which exports say in their own words."""


def of_a_map(scenario: Scenario, position: Position) -> list[str]:
    """Return what a map of Tiled hasn't: terrain, hexsides and the units in hexes alone are in it."""
    hexes = scenario.game.board.hexes
    away = [unit for unit, label in position.at.items() if label not in hexes]
    away += [unit for unit in position.boxes if unit not in position.at]
    further = [key for key, value in scenario.data.items() if value and key not in _SAID_ELSEWHERE]
    if position.taken or position.given:
        further.append("control")
    return [
        *_of_hexes(scenario),
        *_told("units off the map", away),
        *of_units(scenario),
        *_told("of the scenario", further),
    ]


def of_terrain(scenario: Scenario) -> list[str]:
    """Return what a table of terrain hasn't, of a map."""
    board = scenario.game.board
    sides = {one for label in board.hexes for other in board.neighbours[label] for one in board.hexside(label, other)}
    return [*_of_hexes(scenario), *_told("what lies on hexsides", sides)]


def of_units(scenario: Scenario) -> list[str]:
    """Return what neither a table of units nor a map has, of what the scenario says of units."""
    known = {*UNIT_WORDS, *_PLACES}
    return [*_told("of units", (key for entry in scenario.data.get("unit", []) for key in entry if key not in known))]


def _of_hexes(scenario: Scenario) -> Iterator[str]:
    hexes = scenario.game.board.hexes.values()
    for what, key in (("boxes of the map", "boxes"), ("zones", "zones")):
        yield from _told(what, scenario.data["map"].get(key, ()))
    yield from _told("further terrain", (name for one in hexes for name in one.also))
    yield from _told("traits of hexes", (name for one in hexes for name in one.traits))
    yield from _told("countries and areas", (one.area for one in hexes if one.area))


def _told(what: str, names: Iterable[str]) -> Iterator[str]:
    """Yield a kind of thing with the names of what there is of it, if there is any."""
    if found := sorted(set(names)):
        yield f"not in it: {what} ({', '.join(found)})"
