"""A case for every rule of A World at War."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.laws.mutants.case import Case as AnyCase

Case = partial(AnyCase, model="a_world_at_war")

POOL = {"force_pool": {}}
ROAD = {"J10 J11 J12 J13": "clear"}
FOOT = ("infantry", "2-3", 1, "J10")
PANZER = ("armor", "6-6", 1, "J10")
ARMY = ("infantry", "1-3", 1, "J11")


def at(label: str, *units: str) -> list[dict[str, Any]]:
    return [{"kind": "end", "unit": unit, "at": label} for unit in units or ("one",)]


def one(**more: Any) -> dict[str, Any]:
    """Return a scenario's only unit, infantry."""
    return {
        "id": "one",
        "side": "axis",
        "type": "infantry",
        "values": "2-3",
        "at": "J10",
        "nationality": "germany",
        **more,
    }


def on(boxes: dict[str, Any], *hexes: str, **more: Any) -> dict[str, Any]:
    """Return the rest of a position with boxes."""
    return {"map": {"hexes": {" ".join(hexes or ROAD): "clear"}, "boxes": boxes}, **more}


EDGE = {"east": {"traits": ["free_to_move"], "adjacent": ["J10"]}, "shut": {"adjacent": ["J10", "east"]}}

CASES = {
    # Ships don't move on land.
    "movers": Case(ROAD, {"one": ("naval", "2-3", 1, "J10")}, at("J11"), 0, ["one J10-J11"]),
    "combat_phase": Case(ROAD, {"one": FOOT}, at("J11"), 0, ["one J10-J11"], more={"phase": "combat"}),
    "exploiters": Case(ROAD, {"one": FOOT}, at("J11"), 0, ["one J10-J11"], more={"phase": "exploitation"}),
    "air_before_ground": Case(ROAD, {"one": ("air", "2-3", 1, "J10")}, at("J11"), 0, ["one J10-J11"]),
    "supply_required": Case(ROAD, {}, at("J11"), 0, ["one J10-J11"], more={"unit": [one(supplied=False)]}),
    # What has ended its move may go on, within its MF; so nothing but the place where it stands is out of sequence.
    "waiting": Case(ROAD, {"one": FOOT}, at("J13"), 1, ["one J11-J12"]),
    "voluntary_elimination": Case(
        {},
        {},
        at("force_pool"),
        0,
        ["one J10-[force_pool]"],
        more={**on(POOL), "unit": [one(traits=["another_powers"])]},
    ),
    "neutrals": Case(
        {},
        {},
        at("force_pool"),
        0,
        ["one J10-[force_pool]"],
        more={**on(POOL), "unit": [one()], "country": {"germany": {"status": ["neutral"]}}},
    ),
    "inactive_minors": Case(
        {},
        {},
        at("force_pool"),
        0,
        ["one J10-[force_pool]"],
        more={**on(POOL), "unit": [one()], "country": {"germany": {"status": ["inactive"]}}},
    ),
    # The pool is told to be beside the map, and to let units go.
    "no_way_back": Case(
        {},
        {},
        at("J10"),
        0,
        ["one [force_pool]-J10"],
        more={**on({"force_pool": {"adjacent": ["J10"], "traits": ["free_to_move"]}}), "unit": [one(at="force_pool")]},
    ),
    "box_to_box": Case({}, {}, at("shut"), 0, ["one [east]-[shut]"], more={**on(EDGE), "unit": [one(at="east")]}),
    "off_the_board": Case({}, {}, at("shut"), 0, ["one J10-[shut]"], more={**on(EDGE), "unit": [one()]}),
    "onto_the_board": Case({}, {}, at("J10"), 0, ["one [shut]-J10"], more={**on(EDGE), "unit": [one(at="shut")]}),
    "contiguous": Case({"J10 J12": "clear"}, {"one": FOOT}, at("J12"), 0, ["one J10-J12"]),
    # Nobody enters the sea.
    "costs": Case({"J10": "clear", "J11": "sea"}, {"one": FOOT}, at("J11"), 0, ["one J10-J11"]),
    # 3 MF of 6 are valid.
    "areas": Case(
        {**ROAD, "J14": "clear"},
        {},
        at("J14"),
        0,
        ["one J10-J11-J12-J13-J14"],
        more={"unit": [one(type="armor", values="6-6", traits=["partially_supplied"])]},
    ),
    # 2 MF in mud.
    "weather": Case(ROAD, {"one": FOOT}, at("J13"), 0, ["one J10-J11-J12-J13"], more={"weather": {"mud": "J13"}}),
    "winter_mountains": Case(
        {},
        {},
        at("J12"),
        0,
        ["one J10-J11-J12"],
        more={
            "phase": "exploitation",
            "map": {"hexes": {"J10 J12": "clear", "J11": {"terrain": "mountain", "traits": ["eastern_front"]}}},
            "weather": {"winter": "J11"},
            "unit": [one(type="armor", values="6-6", traits=["exploiting"])],
        },
    ),
    # 2 MF with 1.
    "one_hex": Case(
        {"J10": "clear", "J11": "mountain"},
        {"one": ("infantry", "2-1", 1, "J10")},
        at("J11"),
        1,
        ["one J10-J11"],
        legal=True,
    ),
    # Leaving J10, beside the armor in I10, takes 3 MF, and one more hex a fourth.
    "zoc": Case(
        {**ROAD, "I10": "clear"},
        {"one": FOOT, "e1": ("armor", "3-5", 1, "I10")},
        at("J12"),
        0,
        ["one J10-J11-J12"],
    ),
    "enemy_units": Case(ROAD, {"one": FOOT, "e1": ARMY}, at("J12"), 0, ["one J10-J11-J12"]),
    # 6 to 1; but infantry leads no overrun.
    "overruns": Case(
        ROAD, {"one": PANZER, "two": FOOT, "e1": ARMY}, [{"kind": "eliminate", "units": ["e1"]}], 1, ["two J10xJ11"]
    ),
    # Two fill the hex.
    "stacking": Case(
        ROAD,
        {f"z{i}": FOOT for i in range(3)},
        at("J11", *(f"z{i}" for i in range(3))),
        2,
        [f"z{i} J10-J11" for i in range(3)],
    ),
}

FORM_OF_THE_SEARCH = {"waiting", "contiguous", "box_to_box", "off_the_board", "onto_the_board"}
"""Each unit has one path, along the ways that there are."""
FORM_OF_THE_JUDGE: set[str] = set()
