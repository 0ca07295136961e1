"""Changes to scenario files, decoded, that must not change what the best plan is worth."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from typing import Any

from planner.objective import Tier
from planner.objective.costs import MpSpent
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.world.charts import TerrainChart
from planner.world.numbering import Numbering

Cube = tuple[int, int, int]
Data = dict[str, Any]

CORNER = 20
"""The least line, and the least place along it, of a transformed map."""


def symmetries() -> Iterator[tuple[str, Callable[[Cube], Cube]]]:
    """Yield the six rotations of a hex map and their mirror images, each with a name."""

    def turned(cube: Cube, sixths: int) -> Cube:
        for _ in range(sixths):
            x, y, z = cube
            cube = (-z, -x, -y)
        return cube

    for sixths in range(6):
        yield f"turned by {60 * sixths} degrees", lambda cube, n=sixths: turned(cube, n)
        yield (
            f"mirrored and turned by {60 * sixths} degrees",
            lambda cube, n=sixths: turned((cube[1], cube[0], cube[2]), n),
        )


def listed(data: Data, scenario: Scenario) -> Data:
    """Return the scenario with a map of listed hexes and two-hex chains instead of rows."""
    board = scenario.game.board
    new = deepcopy(data)
    hexsides: dict[str, list[str]] = {}
    for pair, features in board.hexsides().items():
        for feature in sorted(features):
            hexsides.setdefault(feature, []).append(" ".join(pair))
    hexes = {
        label: {"terrain": hexagon.terrain, "traits": sorted(hexagon.traits)} for label, hexagon in board.hexes.items()
    }
    overseas = {name: section for name, section in new["map"].items() if name in ("zones", "boxes")}
    new["map"] = {"hexes": hexes, "hexsides": hexsides, **overseas}
    return new


def moved_map(data: Data, scenario: Scenario, symmetry: Callable[[Cube], Cube]) -> Data:
    """Return the scenario on a map that has been turned or mirrored, and shifted to where its labels exist."""
    return relabelled(listed(data, scenario), moved_labels(scenario, symmetry))


def moved_labels(scenario: Scenario, symmetry: Callable[[Cube], Cube]) -> dict[str, str]:
    """Return the label that each hex has on a map that has been turned or mirrored."""
    numbering = scenario.game.rulebook.numbering
    doubled = {}
    for label in scenario.game.board.hexes:
        _, line, place = numbering.coordinates(label)
        x = (place - line) // 2
        new_x, _, new_line = symmetry((x, -x - line, line))
        doubled[label] = (new_line, 2 * new_x + new_line)
    lines = CORNER - min(line for line, _ in doubled.values())
    places = 2 * CORNER - min(place for _, place in doubled.values())
    _, line, place = numbering.coordinates(next(iter(doubled)))
    places += (places - lines + line + place) % 2  # whether lines and places are both odd differs from game to game
    return {label: _label(numbering, line + lines, place + places) for label, (line, place) in doubled.items()}


def _label(numbering: Numbering, line: int, place: int) -> str:
    """Return the label of doubled coordinates."""
    shifted = (line % 2 == 1) == (numbering.shifted == "odd")
    forward = numbering.shift in ("east", numbering.rows_count)
    along = (place - (1 if forward else -1) * shifted) // 2
    row, column = (line, along) if numbering.straight == "rows" else (along, line)
    label = numbering.label("w", row, column)
    assert numbering.coordinates(label)[1:] == (line, place)
    return label


def relabelled(data: Data, names: Mapping[str, str]) -> Data:
    """Return the scenario with hex labels, or unit ids, replaced wherever they stand."""

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return " ".join(names.get(word, word) for word in value.split())
        if isinstance(value, list):
            return [renamed(item) for item in value]
        if isinstance(value, dict):
            return {names.get(key, key): renamed(item) for key, item in value.items()}
        return value

    return {
        key: value if key in ("format", "model", "title", "phase", "phasing") else renamed(value)
        for key, value in data.items()
    }


def reordered(data: Data, rng: random.Random) -> Data:
    """Return the scenario with its units in another order."""
    new = deepcopy(data)
    rng.shuffle(new["unit"])
    return new


def disguises(data: Data, scenario: Scenario, rng: random.Random) -> dict[str, Data]:
    """Return positions that are worth the same: on a turned or mirrored map, with other names, in another order of units."""
    found = {name: moved_map(data, scenario, symmetry) for name, symmetry in symmetries()}
    ids = [unit["id"] for unit in data["unit"]]
    names = rng.sample([f"n{number}" for number in range(len(ids))], len(ids))
    found["renamed"] = relabelled(data, dict(zip(ids, names, strict=True)))
    found["reordered"] = reordered(data, rng)
    return found


def in_turn(relations: Mapping[str, Data], seed: int, first: int) -> dict[str, Data]:
    """Return all relations for the first seeds, and one of them in turn for each later seed."""
    return dict(relations if seed < first else [list(relations.items())[seed % len(relations)]])


def with_island(data: Data, scenario: Scenario) -> Data:
    """Return the scenario with an island far away, on which two enemies and an own unit have their own war."""
    new = listed(data, scenario)
    island = [f"w{row:02}{column:02}" for row in (80, 81) for column in range(80, 85)]
    new["map"]["hexes"] |= dict.fromkeys(island, "clear")
    common = {"nationality": "japan", "values": "1-1-1"}
    new["unit"] = [
        {"id": "islander", "side": "soviet", "type": "tank", "values": "6-5-3", "steps": 2, "at": "w8080"},
        *new["unit"],
        {"id": "castaway", "side": "axis", "type": "infantry", "at": "w8083"} | common,
        {"id": "hermit", "side": "axis", "type": "hq", "at": "w8184"} | common,
    ]
    return new


def with_ma(data: Data, unit: str, more: int) -> Data:
    """Return the scenario with a larger MA for one unit."""
    new = deepcopy(data)
    for entry in new["unit"]:
        if entry["id"] == unit and "values" not in entry:
            entry["ma"] += more
        elif entry["id"] == unit:
            *strengths, ma = entry["values"].split("-")
            entry["values"] = "-".join([*strengths, str(int(ma) + more)])
    return new


def scaled(scenario: Scenario, factor: Fraction, others: int, mp: int) -> Scenario:
    """Return the scenario with all MP multiplied: those of the chart and those of the units.

    Parameters
    ----------
    scenario : Scenario
        The scenario.
    factor : Fraction
        By which MP are multiplied.
    others, mp : int
        By which the weights of the other terms, and of MP spent, are multiplied.
    """
    game = scenario.game
    book = replace(game.rulebook, terrain=_scaled_chart(game.rulebook.terrain, factor))
    units = {unit.id: replace(unit, ma=unit.ma * factor) for unit in game.units.values()}
    tiers = tuple(
        Tier(
            name=tier.name,
            terms=tuple(
                term.model_copy(update={"weight": term.weight * (mp if isinstance(term, MpSpent) else others)})
                for term in tier.terms
            ),
        )
        for tier in scenario.tiers
    )
    return replace(scenario, game=Game(game.board, units, book, game.situation, game.homes), tiers=tiers)


def _scaled_chart(chart: TerrainChart, factor: Fraction) -> TerrainChart:
    def times(entry: Any) -> Any:
        return entry.model_copy(update={"mp": None if entry.mp is None else entry.mp * factor})

    return chart.model_copy(
        update={
            "terrain": {name: times(entry) for name, entry in chart.terrain.items()},
            "hexsides": {name: times(entry) for name, entry in chart.hexsides.items()},
            "routes": tuple(
                route.model_copy(update={"prices": tuple(map(times, route.prices))}) for route in chart.routes
            ),
        }
    )
