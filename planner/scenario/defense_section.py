"""What a scenario says of a defense: who may be placed where, and what can't be so."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from planner.rules.game import Game
from planner.scenario.shape import DefenseSection, PlacementEntry
from planner.world.forces import Unit
from planner.world.position import Position

RESERVE = "to be placed"
"""The box, off the map, of units that a scenario has for its defense alone."""

MOST_NAMED = 12
"""So many hexes are named at most in one message."""


def with_reserves(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a scenario file holds with the units that are there for the defense alone, in a box off the map."""
    defense = dict(data["defense"])
    reserves = [entry for entry in defense.pop("unit", ()) if isinstance(entry, dict)]
    return {**data, "defense": defense, "unit": [*units_in(data), *({**entry, "box": RESERVE} for entry in reserves)]}


def units_in(data: Mapping[str, object]) -> list[object]:
    """Return the units that a scenario file holds; none if something else stands there."""
    units = data.get("unit")
    return units if isinstance(units, list) else []


def may_stand(game: Game, unit: Unit, label: str) -> bool:
    """Tell whether the terrain lets a unit be in a hex."""
    chart, phase = game.rulebook.terrain, game.situation.phase
    if chart.entry_cost(game.board.hexes[label], frozenset(), unit, phase, (), game.weather(label)) is not None:
        return True
    # Prohibited terrain can be reached by a route, a road for instance.
    return any(
        route.feature in game.board.hexside(label, other)
        and any(price.fits(unit, phase, game.weather(label)) and not price.prohibited for price in route.prices)
        for other in game.board.neighbours[label]
        for route in chart.routes
    )


def places_of(game: Game, start: Position, unit: str, entry: PlacementEntry) -> Iterator[str]:
    """Yield the hexes in which an entry lets a unit be placed, but for the one in which it stands."""
    home = start.at.get(unit, "")
    for label in dict.fromkeys(entry.hexes or game.board.hexes):
        if label == home or label not in game.board.hexes:
            continue
        if not entry.where.matches(game.board.hexes[label], game.weather(label)):
            continue
        if entry.within is not None and not (home and game.board.within(home, label, entry.within)):
            continue
        if not _taken(game, start, label) and may_stand(game, game.units[unit], label):
            yield label


def _taken(game: Game, start: Position, label: str) -> tuple[str, ...]:
    """Return the units of the phasing side in a hex: nobody can be placed there."""
    return tuple(unit for unit in start.units_in(label) if not game.is_enemy(unit))


def faults(
    section: DefenseSection, game: Game, start: Position, known_ids: Container[str], tiers: int
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a defense, and where.

    Parameters
    ----------
    section : DefenseSection
        The table of the scenario.
    game : Game
        Board, units and rules.
    start : Position
        Who stands where.
    known_ids : container of str
        The ids that the file mentions, those of faulty units among them.
    tiers : int
        How many tiers the objective has.
    """
    if section.tiers > tiers and "tiers" in section.model_fields_set:
        most = f"at most {tiers}, as many as the objective has" if tiers else "left out where the objective has none"
        yield f"tiers must be {most}, not {section.tiers}", "tiers"
    placed: set[str] = set()
    for index, entry in enumerate(section.place):
        place, sound = f"place[{index}]", []
        for unit in entry.units:
            if unit not in game.units:
                if unit not in known_ids:
                    yield f"no unit has the id {unit!r}", f"{place}.units"
                continue
            if not game.is_enemy(unit):
                yield f"{unit!r} must not belong to the side that moves", f"{place}.units"
            elif unit in placed:
                yield f"each unit must be named once, but {unit!r} is named twice", f"{place}.units"
            elif entry.within is not None and start.at.get(unit) not in game.board.hexes:
                yield f"within counts from a hex of the map, but {unit!r} is in none", f"{place}.within"
            else:
                sound.append(unit)
            placed.add(unit)
        known = [label for label in dict.fromkeys(entry.hexes) if label in game.board.hexes]
        wrong = list(_unfit(game, start, known, sound))
        for what in wrong:
            yield what, f"{place}.hexes"
        if wrong or len(known) < len(set(entry.hexes)):
            continue
        for unit in sound:
            if start.at.get(unit) not in known and not any(places_of(game, start, unit, entry)):
                yield f"no hex is left in which {unit!r} may be placed", place


def _unfit(game: Game, start: Position, labels: list[str], units: list[str]) -> Iterator[str]:
    """Yield what is wrong with hexes that are named for some units, like things together."""
    taken: dict[tuple[str, ...], list[str]] = {}
    barred: dict[str, list[str]] = {}
    for label in labels:
        if others := _taken(game, start, label):
            taken.setdefault(others, []).append(label)
        elif units and not any(start.at.get(u) == label or may_stand(game, game.units[u], label) for u in units):
            barred.setdefault(game.board.hexes[label].terrain, []).append(label)
    for others, those in taken.items():
        are = "are" if len(others) > 1 else "is"
        yield f"nobody can be placed in {_named(those)}: {_named(others)} of the side that moves {are} there"
    them = "them" if len(units) > 1 else "it"
    for terrain, those in barred.items():
        yield f"{_named(units)} can't be placed in {_named(those)}: the terrain, {terrain}, doesn't let {them} in"


def _named(names: list[str] | tuple[str, ...]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
