"""Small random positions in which units get in each other's way: one unit a hex, orders, wire, tanks that may bog down."""

from __future__ import annotations

import random
from typing import Any

from planner.plans.plan import Move, Plan
from planner.scenario import Scenario, build_scenario

ROWS = "DEF"


def neighbours(label: str, labels: list[str]) -> list[str]:
    """Return the neighbours of a hex on the game's board: rows B, D, F and so on are shifted half a hex to the right."""
    row, place = "ABCDEFGHI".index(label[0]), int(label[1:])
    left = place - 1 if row % 2 == 0 else place
    found = [(row, place - 1), (row, place + 1)]
    found += [(other, n) for other in (row - 1, row + 1) for n in (left, left + 1)]
    return [name for r, n in found if 0 <= r < 9 and (name := f"{'ABCDEFGHI'[r]}{n}") in labels]


def draw_trenches(rng: random.Random) -> dict[str, Any]:
    """Return a position: the same generator, in the same state, gives the same one."""
    labels = [f"{row}{place}" for row in ROWS for place in (4, 5, 6)]
    terrain = rng.choices(
        ("countryside", "trench", "shell_crater", "forest", "waterway", "ford"), (6, 2, 1, 1, 3, 1), k=len(labels)
    )
    hexes: dict[str, dict[str, Any]] = {}
    for label, name in zip(labels, terrain, strict=True):
        sections = ["left"] if label[1] == "4" else ["left", "center"] if label[1] == "5" else ["center"]
        hexes[label] = {"terrain": name, "traits": sections}
        if name == "trench" and rng.random() < 0.4:
            hexes[label]["traits"] = [*sections, "allied_trench_line"]
    dry = [label for label in labels if hexes[label]["terrain"] not in ("waterway", "ford")]
    for label in [one for one in labels if one not in dry][
        : max(0, 2 - len(dry))
    ]:  # somebody stands there, and may move
        hexes[label]["terrain"] = "countryside"
        dry.append(label)
    places = rng.sample(dry, min(len(dry), rng.choice((3, 4, 4, 5))))
    units: list[dict[str, Any]] = []
    kinds = ("infantry", "infantry", "infantry", "machine_gun", "mark_iv", "later_tank", "early_tank")
    for number, at in enumerate(places[:-1]):
        if number < 3:
            units.append({"id": f"u{number}", "side": "allied", "type": rng.choice(kinds), "at": at})
            if rng.random() < 0.3:
                units[-1]["traits"] = "ordered"
            elif rng.random() < 0.06:
                units[-1]["traits"] = "bogged"
        else:
            units.append({"id": f"u{number}", "side": "allied", "type": "reserve_artillery", "at": at})
    if rng.random() < 0.6 and places:
        units.append({"id": "e", "side": "central", "type": "infantry", "at": places[-1]})
    markers = [
        {"type": rng.choice(("wire", "wire", "wire", "fortified_position")), "side": "central", "at": label}
        for label in rng.sample(labels, rng.choice((0, 1, 1, 2)))
    ]
    own = [unit["id"] for unit in units if unit["side"] == "allied"]
    goals: list[dict[str, Any]] = [
        {"kind": "end", "unit": unit, "at": rng.choice(dry), "weight": rng.randint(1, 6)} for unit in own[:3]
    ]
    goals.append({"kind": "hold", "hexes": rng.choice(dry), "weight": rng.randint(1, 3)})
    if rng.random() < 0.6:
        goals.append({"kind": "battle", "weight": rng.randint(1, 3)})
    return {
        "format": "planner/scenario-1",
        "model": "great_war",
        "phase": "movement",
        "phasing": "allied",
        "orders": {"left": rng.choice((0, 1, 2, 3)), "center": rng.choice((0, 1, 2, 3))},
        "map": {"hexes": hexes},
        "unit": units,
        "marker": markers,
        "tier": [{"terms": goals}, {"terms": [{"kind": "mp_spent"}, {"kind": "units_moved"}]}],
    }


def trenches(seed: int) -> tuple[Scenario, random.Random]:
    """Return the position of a seed, with the generator that drew it."""
    rng = random.Random(f"trenches {seed}")
    return build_scenario(draw_trenches(rng), f"trenches {seed}"), rng


def doubtful_trenches(seed: int) -> Scenario:
    """Return the position of a seed in which plans may rely on likely results."""
    data = draw_trenches(random.Random(f"trenches {seed}"))
    data["confidence"] = random.Random(seed).choice(("25/36", "5/6"))
    return build_scenario(data, f"doubtful trenches {seed}")


def random_march(scenario: Scenario, rng: random.Random) -> Plan:
    """Return a plan of moves that mostly make some sense, and often break a rule."""
    game = scenario.game
    own = [unit for unit in scenario.start.at if unit in game.friends]
    moves = []
    for unit in rng.sample(own, rng.randint(min(1, len(own)), len(own))):
        path = [scenario.start.at[unit]]
        for _ in range(rng.choice((1, 1, 2, 2, 3))):
            path.append(
                rng.choice(sorted(game.board.hexes if rng.random() < 0.04 else game.board.neighbours[path[-1]]))
            )
        moves.append(Move((unit,), tuple(path), failed=rng.random() < 0.05))
    if moves and rng.random() < 0.05:
        moves.append(moves[0])
    return Plan(tuple(moves))
