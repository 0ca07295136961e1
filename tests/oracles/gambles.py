"""Small random positions in which it pays to look at the dice before going on."""

from __future__ import annotations

import random
from typing import Any

from planner.scenario import Scenario, build_scenario


def draw_gamble(rng: random.Random, small: bool = False) -> dict[str, Any]:
    """Return a lane with an enemy or two, stacks that may try them, and hexes behind or beside that are worth something.

    A `small` one has four hexes, and nobody has MP for more than an attempt and a step: brute force takes half a second.
    """
    lane = ["10.10", "10.11", "10.12", "10.13"][: 3 if small else rng.choice((3, 4, 4))]
    beside = rng.sample(["09.10", "11.10", "09.11", "11.11", "11.12"], 1 if small else rng.randint(1, 2))
    units = [
        {
            "id": f"u{number}",
            "side": "axis",
            "type": rng.choice(("tank", "tank", "mechanized", "infantry")),
            "values": f"{rng.choice((2, 4, 6, 8))}-4-{rng.choice((3, 4) if small else (4, 5, 6, 7))}",
            "at": rng.choice((lane[0], lane[0], beside[0])),
        }
        for number in range(rng.choice((1, 2, 2, 2) if small else (1, 2, 2)))
    ]
    foes = rng.sample(lane[1:-1] or lane[1:], 1) + ([lane[-1]] if rng.random() < 0.3 else [])
    units += [
        {"id": f"e{n}", "side": "allied", "type": "infantry", "values": f"2-{rng.choice((2, 4))}-2", "at": label}
        for n, label in enumerate(dict.fromkeys(foes))
    ]
    goals = [
        {"kind": "eliminate", "units": [unit["id"]], "weight": rng.randint(1, 4)}
        for unit in units
        if unit["side"] == "allied"
    ]
    goals += [
        {"kind": "hold", "hexes": label, "weight": rng.randint(1, 4)}
        for label in rng.sample([*beside, lane[-1], lane[0]], 2)
    ]
    tiers = [{"terms": goals}]
    if rng.random() < 0.5:
        tiers.append({"terms": [{"kind": rng.choice(("mp_spent", "units_moved"))}]})
    return {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {" ".join([*lane, *beside]): "open"}},
        "unit": units,
        "tier": tiers,
    }


def draw_assault(rng: random.Random) -> dict[str, Any]:
    """Return a stronghold or two with few hexes round them, and units that attack one after another, or go elsewhere."""
    labels = ["0505", "0504", "0506", "0405", "0406", "0605"][: rng.choice((4, 4, 5))]
    terrain = {label: {"terrain": rng.choices(("clear", "forest", "city"), (8, 2, 1))[0]} for label in labels}
    own = rng.sample(labels[1:], rng.choice((1, 2, 2, 2)))  # whoever attacks from hexes of its own may stay there, too
    free = [label for label in labels[1:] if label not in own]
    units: list[dict[str, Any]] = [
        {
            "id": f"u{number}",
            "side": "blue",
            "type": "infantry",
            "values": f"{rng.choice((2, 3, 4, 6))}-{rng.choice((1, 1, 2))}",
            "at": own[number % len(own)],
        }
        for number in range(rng.choice((2, 2, 2, 3)))
    ]
    foes = [labels[0], *rng.sample(free, min(len(free) - 1, 1) if len(free) > 1 and rng.random() < 0.2 else 0)]
    units += [
        {"id": f"e{n}", "side": "red", "type": "infantry", "values": f"{rng.choice((2, 3))}-2", "at": label}
        for n, label in enumerate(foes)
    ]
    for unit in units:
        if rng.random() < 0.25:
            unit["traits"] = "demoralized"
    goals: list[dict[str, Any]] = [
        {"kind": rng.choice(("eliminate", "eliminate", "hold")), "weight": rng.randint(3, 5)} for _ in foes
    ]
    for goal, (number, label) in zip(goals, enumerate(foes), strict=True):
        goal.update({"units": [f"e{number}"]} if goal["kind"] == "eliminate" else {"hexes": label})
    elsewhere = own if rng.random() < 0.7 else [label for label in labels[1:] if label not in foes]
    goals += [
        {"kind": "hold", "hexes": label, "weight": rng.randint(1, 2)}
        for label in rng.sample(elsewhere, min(2, len(elsewhere)))
    ]
    tiers = [{"terms": goals}]
    if rng.random() < 0.5:
        tiers.append({"terms": [{"kind": rng.choice(("mp_spent", "units_moved"))}]})
    return {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": terrain},
        "unit": units,
        "tier": tiers,
    }


def draw_mud(rng: random.Random) -> dict[str, Any]:
    """Return a tank that may bog down on its way, and infantry who can take the hex to which it wants, or another one."""
    aside = rng.choice(("E7", "D7"))
    terrain = dict.fromkeys(("E4", "E5", "E6", "D6", aside), "countryside")
    terrain["E5"] = rng.choice(("shell_crater", "mine_crater"))
    terrain["E6"] = rng.choice(("countryside", "countryside", "trench"))
    if rng.random() < 0.5:
        terrain[rng.choice(("F5", "D4", "D5", "E8", "D7"))] = rng.choice(("countryside", "forest", "shell_crater"))
    extra = [label for label in terrain if label not in ("E4", "E5", "E6", "D6", aside)]
    units = [
        {"id": "u0", "side": "allied", "type": rng.choice(("mark_iv", "later_tank")), "at": "E4"},
        {
            "id": "u1",
            "side": "allied",
            "type": rng.choice(("infantry", "infantry", "infantry", "later_tank")),
            "at": "D6",
        },
    ]
    if extra and rng.random() < 0.4:
        units.append({
            "id": "e" if rng.random() < 0.5 else "u2",
            "side": "allied",
            "type": "infantry",
            "at": extra[0],
        })  # fmt: skip
        units[-1]["side"] = "central" if units[-1]["id"] == "e" else "allied"
    goals: list[dict[str, Any]] = [
        {"kind": "hold", "hexes": "E6", "weight": rng.randint(2, 5)},
        {"kind": "end", "unit": "u1", "at": aside, "weight": rng.randint(1, 3)},
        {"kind": "end", "unit": "u0", "at": rng.choice(("E6", "E5", "E4", aside)), "weight": rng.randint(1, 3)},
    ]
    if rng.random() < 0.3:
        goals.append({"kind": "battle", "weight": rng.randint(1, 2)})
    hexes = {label: {"terrain": name, "traits": ["center"]} for label, name in terrain.items()}
    tiers = [{"terms": goals}]
    if rng.random() < 0.5:
        tiers.append({"terms": [{"kind": rng.choice(("mp_spent", "units_moved"))}]})
    return {
        "format": "planner/scenario-1",
        "model": "great_war",
        "phase": "movement",
        "phasing": "allied",
        "orders": {"center": 2},
        "map": {"hexes": hexes},
        "unit": units,
        "tier": tiers,
    }


def gamble(seed: int) -> Scenario:
    """Return the position of a seed."""
    return build_scenario(draw_gamble(random.Random(f"gamble {seed}")), f"gamble {seed}")


def small_gamble(seed: int) -> Scenario:
    """Return the position of a seed, of those that brute force is quick with."""
    return build_scenario(draw_gamble(random.Random(f"small gamble {seed}"), small=True), f"small gamble {seed}")


def assault(seed: int) -> Scenario:
    """Return the position of a seed in which combats follow each other."""
    return build_scenario(draw_assault(random.Random(f"assault {seed}")), f"assault {seed}")


def mud(seed: int) -> Scenario:
    """Return the position of a seed in which tanks may bog down."""
    return build_scenario(draw_mud(random.Random(f"mud {seed}")), f"mud {seed}")
