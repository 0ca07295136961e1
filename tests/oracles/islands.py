"""Small random positions with seas, ports, ships, bases, beaches, boxes, weather and restrictions."""

from __future__ import annotations

import random
from typing import Any

from planner.plans.plan import Move, Plan
from planner.scenario import Scenario, build_scenario

NATIONS = ("us", "us", "britain", "britain", "australia")
ROWS, COLUMNS = (30, 31, 32), (20, 21, 22, 27, 28, 29)
"""Two islands, so far apart that a base on one closes no port of the other."""


def draw_islands(rng: random.Random) -> dict[str, Any]:
    """Return a position: the same generator, in the same state, gives the same one."""
    terrain = {
        f"w{row}{column}": "all_sea" if rng.random() < 0.4 else "rough" if rng.random() < 0.15 else "clear"
        for row in ROWS
        for column in COLUMNS
    }
    land = [label for label, name in terrain.items() if name != "all_sea"]
    sea = [label for label, name in terrain.items() if name == "all_sea"]
    near, far = ([label for label in land if (int(label[3:]) < 25) is here] for here in (True, False))
    ports = [*rng.sample(near, min(len(near), rng.randint(1, 2))), *rng.sample(far, min(len(far), rng.randint(2, 3)))]
    zones: dict[str, list[str]] = {"n": [], "s": []}
    for port in ports:
        for zone in rng.choice(("n", "s", "ns", "ns", "ns")):
            zones[zone].append(port)
    hexes = {label: {"terrain": name, "traits": ["port"] * (label in ports)} for label, name in terrain.items()}
    markers = _markers(rng, ports, sea, terrain, zones)
    boxes: dict[str, Any] = {}
    if rng.random() < 0.3:
        boxes = {"x": {"traits": ["port"], "adjacent": ["y"]}, "y": {"traits": rng.choice(([], ["tk_map"]))}}
        zones[rng.choice("ns")].append("x")
    return {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "reserve_movement" if rng.random() < 0.12 else "operational_movement",
        "phasing": "western",
        "map": {"hexes": hexes, "zones": {zone: " ".join(places) for zone, places in zones.items()}, "boxes": boxes},
        "unit": _units(rng, ports, land, boxes, markers),
        "marker": markers,
        "control": {"western": " ".join(port for port in ports if port == ports[0] or rng.random() < 0.8)},
        **_politics(rng, land, terrain),
        "tier": [
            {
                "terms": [
                    {"kind": "hold", "hexes": " ".join(ports[1:] or ports), "weight": 3},
                    {"kind": "hold", "hexes": rng.choice(far or land), "weight": 2},
                ]
            },
            {"terms": [{"kind": "mp_spent"}, {"kind": "units_moved"}]},
        ],
    }


def _markers(
    rng: random.Random, ports: list[str], sea: list[str], terrain: dict[str, str], zones: dict[str, list[str]]
) -> list[dict[str, Any]]:
    markers: list[dict[str, Any]] = []
    kinds = ("standard_convoy", "standard_convoy", "escort_convoy", "fleet_train")
    for number in range(rng.randint(2, 4)):
        kind = rng.choice(kinds)
        nation = "us" if kind == "fleet_train" else rng.choice(("us", "britain"))
        markers.append({"id": f"ship{number}", "type": kind, "side": "western", "nationality": nation})
        markers[-1] |= {"zone": rng.choice("ns"), "used": rng.random() < 0.1}
    markers += [
        {"id": f"base{number}", "type": "detachment", "side": "axis", "at": port}
        for number, port in enumerate(rng.sample(ports[1:], min(rng.choice((0, 0, 1, 1, 2)), len(ports) - 1)))
    ]
    around = {label: [n for n in _neighbours(label) if terrain.get(n, "all_sea") != "all_sea"] for label in sea}
    beaches = [label for label in sea if around[label]]
    if beaches and rng.random() < 0.4:
        at = rng.choice(beaches)
        side = "western" if rng.random() < 0.8 else "axis"
        markers.append({"type": "beachhead", "side": side, "at": at, "facing": rng.choice(around[at])})
        zones[rng.choice("ns")].append(at)
    return markers


def _neighbours(label: str) -> list[str]:
    """Return the labels beside a hex; odd rows lie half a hex to the west."""
    row, column = int(label[1:3]), int(label[3:])
    left = column - 1 if row % 2 else column
    beside = [(row, column - 1), (row, column + 1)]
    beside += [(other, place) for other in (row - 1, row + 1) for place in (left, left + 1)]
    return [f"w{r:02}{c:02}" for r, c in beside]


def _units(
    rng: random.Random, ports: list[str], land: list[str], boxes: dict[str, Any], markers: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    units = []
    bases = [marker["at"] for marker in markers if marker["type"] == "detachment"]
    enemies = rng.sample(land, rng.choice((0, 0, 1, min(2, len(land)))))
    enemies += [base for base in bases if rng.random() < 0.3]
    enemies = [label for label in enemies if label != ports[0]]
    places = [label for label in land if label not in enemies]
    by_the_base = [label for base in bases for label in _neighbours(base) if label in places]
    beaches = [m["at"] for m in markers if m["type"] == "beachhead" and m["side"] == "western"]
    for number in range(rng.randint(2, 3)):
        steps = rng.choice((1, 1, 1, 2))
        at = ports[0] if rng.random() < 0.75 else rng.choice(places)
        if by_the_base and rng.random() < 0.3:
            at = rng.choice(by_the_base)
        elif beaches and rng.random() < 0.3:
            at = beaches[0]
        elif boxes and rng.random() < 0.3:
            at = rng.choice(sorted(boxes))
        kind = rng.choice(("infantry", "infantry", "marine", "tank"))
        unit = {"id": f"u{number}", "side": "western", "type": kind, "nationality": rng.choice(NATIONS)}
        unit |= {"ma": rng.randint(1, 2), "steps": steps, "at": at, "traits": ["exp"] * (rng.random() < 0.15)}
        units.append(unit)
    for number, at in enumerate(dict.fromkeys(enemies)):
        units.append({"id": f"e{number}", "side": "axis", "type": "infantry", "ma": 1, "steps": 1, "at": at})
    return units


def _politics(rng: random.Random, land: list[str], terrain: dict[str, str]) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if rng.random() < 0.3:
        kind = rng.choice(("mud", "storms", "snow"))
        more["weather"] = {kind: " ".join(rng.sample(sorted(terrain), 6))}
    if rng.random() < 0.3:
        who = {"nationalities": rng.choice(NATIONS)}
        more["restriction"] = [{"rule": "policies", "who": who, "hexes": {"labels": rng.choice(land)}}]
    return more


def random_plan(scenario: Scenario, rng: random.Random) -> Plan:
    """Return a plan of moves that mostly make some sense, and often break a rule."""
    game, board = scenario.game, scenario.game.board
    ships = [marker.id for marker in game.situation.markers if marker.zone]
    moves = []
    own = [unit for unit in scenario.start.at if unit in game.friends]
    for unit in rng.sample(own, rng.randint(1, len(own))):
        path, overruns, carried = [scenario.start.at[unit]], set(), []
        for step in range(1, rng.choice((1, 1, 2, 2, 3)) + 1):
            here = path[-1]
            overseas = [p for zone in board.zones_of(here) for p in board.zones[zone]]
            near = [*board.neighbours[here], *board.box_links.get(here, ())]
            choices = overseas if overseas and rng.random() < 0.6 else near or sorted(board.places)
            to = rng.choice(sorted(board.places)) if rng.random() < 0.06 else rng.choice(choices)
            if to in overseas and rng.random() < 0.85:
                carried.append((step, rng.choice(ships) if rng.random() < 0.25 else ""))
            elif game.enemies_at(to) and rng.random() < 0.7:
                overruns.add(step)
            path.append(to)
        moves.append(Move((unit,), tuple(path), frozenset(overruns), tuple(carried)))
    return Plan(tuple(moves))


def islands(seed: int) -> tuple[Scenario, random.Random]:
    """Return the position of a seed, with the generator that drew it."""
    rng = random.Random(f"islands {seed}")
    return build_scenario(draw_islands(rng), f"islands {seed}"), rng
