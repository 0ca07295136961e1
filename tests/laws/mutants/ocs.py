"""A case for every rule of OCS, and for moving together."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.laws.mutants.case import Case as AnyCase

Case = partial(AnyCase, model="ocs")


def at(label: str, *units: str) -> list[dict[str, Any]]:
    return [{"kind": "end", "unit": unit, "at": label} for unit in units or ("one",)]


def gone(enemy: str = "e1", weight: int = 1) -> dict[str, Any]:
    return {"kind": "eliminate", "units": [enemy], "weight": weight}


ROAD = {"10.10 10.11 10.12 10.13": "open"}
FOOT = ("infantry", "4-4-5", 1, "10.10")
TRUCK = ("motorized", "4-4-12", 1, "10.10")
TANK = ("tank", "8-4-4", 1, "10.10")
ENEMY = ("infantry", "4-4-5", 1, "10.11")


def one(**more: Any) -> dict[str, Any]:
    """Return a scenario's only unit, infantry."""
    return {"id": "one", "side": "axis", "type": "infantry", "values": "4-4-5", "at": "10.10", **more}


CASES = {
    # It is the other side's phase.
    "movers": Case(
        ROAD,
        {"one": FOOT},
        [{"kind": "hold", "hexes": "10.11"}],
        0,
        ["one 10.10-10.11"],
        more={"phase": "reaction"},
    ),
    "movable": Case(ROAD, {"one": ("port", "0-0-0", 1, "10.10")}, at("10.11"), 0, ["one 10.10-10.11"]),
    "exploiters": Case(ROAD, {"one": FOOT}, at("10.11"), 0, ["one 10.10-10.11"], more={"phase": "exploitation"}),
    "reactors": Case(
        ROAD, {"one": FOOT}, at("10.11"), 0, ["one 10.10-10.11"], more={"phase": "reaction", "phasing": "allied"}
    ),
    "fuel": Case(
        ROAD,
        {},
        at("10.11"),
        0,
        ["one 10.10-10.11"],
        more={"unit": [one(type="motorized", values="4-4-12", traits=["unfuelled"])]},
    ),
    # Disorganized, 2 1/2 MP for three hexes.
    "modes": Case(ROAD, {}, at("10.13"), 0, ["one 10.10-10.11-10.12-10.13"], more={"unit": [one(traits=["dg"])]}),
    "one_stack_at_a_time": Case(ROAD, {"one": FOOT}, at("10.11"), 1, ["one 10.10-10.11", "one 10.11-10.12"]),
    "contiguous": Case({"10.10 10.12": "open"}, {"one": FOOT}, at("10.12"), 0, ["one 10.10-10.12"]),
    # Nobody enters a lake.
    "costs": Case({"10.10": "open", "10.11": "lake"}, {"one": FOOT}, at("10.11"), 0, ["one 10.10-10.11"]),
    # A truck that somebody has put onto a mountain.
    "back_and_forth": Case({"10.10": "mountain", "10.11": "open"}, {"one": TRUCK}, at("10.11"), 0, ["one 10.10-10.11"]),
    # 2 MP with 1.
    "minimum": Case(ROAD, {"one": ("motorized", "4-4-1", 1, "10.10")}, at("10.11"), 1, ["one 10.10-10.11"], legal=True),
    # The truck stops beside the enemy, whom it can't overrun.
    "zoc": Case(
        {**ROAD, "11.11": "open"},
        {"one": ("artillery", "0-4-12", 1, "10.10"), "e1": ("infantry", "4-4-5", 1, "11.11")},
        at("10.13"),
        0,
        ["one 10.10-10.11-10.12-10.13"],
    ),
    "enemy_combat_units": Case(
        ROAD, {"one": ("artillery", "0-4-9", 1, "10.10"), "e1": ENEMY}, at("10.12"), 0, ["one 10.10-10.11-10.12"]
    ),
    "enemy_other_units": Case(
        ROAD,
        {"one": ("artillery", "0-4-9", 1, "10.10"), "e1": ("supply", "0-0-0", 1, "10.11")},
        at("10.12"),
        0,
        ["one 10.10-10.11-10.12"],
    ),
    # 4 to 4, once; seven attempts are too many, MP or not.
    "overruns": Case(ROAD, {"one": FOOT, "e1": ENEMY}, [gone()], "1/6", ["one 10.10x10.11*7"]),
    # Ten divisions fill the hex.
    "stacking": Case(
        ROAD,
        {f"d{i}": FOOT for i in range(11)},
        at("10.11", *(f"d{i}" for i in range(11))),
        10,
        [f"d{i} 10.10-10.11" for i in range(11)],
    ),
    # a and b want to attack from where c and d stand, who want to attack from where a and b stand; at most 10 RE may be
    # there then, and each counts 3. So one of each pair would have to leave before the other pair comes: but the pairs stay
    # together. c and d attack at 2:1, for 3 x 5/12; a alone, before them, at 1:1, for 1/6, while b leaves.
    "teams": Case(
        ROAD,
        {},
        [gone("e1"), gone("e2", 3)],
        "17/12",
        ["a+b 10.11-10.12x10.13", "c+d 10.12-10.11x10.10"],
        more={
            "unit": [
                {"id": "a", "side": "axis", "type": "tank", "values": "1-1-4", "size": 3, "at": "10.11"},
                {"id": "b", "side": "axis", "type": "tank", "values": "1-1-4", "size": 3, "at": "10.11"},
                {"id": "c", "side": "axis", "type": "tank", "values": "8-1-4", "size": 3, "at": "10.12"},
                {"id": "d", "side": "axis", "type": "tank", "values": "8-1-4", "size": 3, "at": "10.12"},
                {"id": "e1", "side": "allied", "type": "infantry", "values": "1-1-1", "at": "10.13"},
                {"id": "e2", "side": "allied", "type": "infantry", "values": "1-8-1", "at": "10.10"},
            ]
        },
    ),
}

FORM_OF_THE_SEARCH = {"movers", "modes", "one_stack_at_a_time", "contiguous"}
"""Beside the two: only the side whose phase it is moves, and the MA of the mode is worked out when the file is read."""
FORM_OF_THE_JUDGE = {"movers", "modes", "teams"}
"""The judge, too, has no moves of the other side, and is told who moves together."""
