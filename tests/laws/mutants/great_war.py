"""A case for every rule of The Great War, and for empty hexes."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.laws.mutants.case import Case as AnyCase

Case = partial(AnyCase, model="great_war")

LINE = {"E1 E2 E3 E4": "countryside"}
ORDERED = {"traits": "ordered"}


def at(label: str, *units: str) -> list[dict[str, Any]]:
    return [{"kind": "end", "unit": unit, "at": label} for unit in units or ("one",)]


def unit(id: str, kind: str, label: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "side": "allied", "type": kind, "at": label, "traits": "ordered", **more}


def one(kind: str = "infantry", **more: Any) -> dict[str, Any]:
    """Return a scenario's only unit, or its first."""
    return unit("one", kind, "E1", **more)


def foe(label: str) -> dict[str, Any]:
    return {"id": "e1", "side": "central", "type": "infantry", "at": label}


def posed(*units: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return what a case says beyond hexes and goals."""
    return {"unit": list(units), **more}


def ground(*units: dict[str, Any], **hexes: Any) -> dict[str, Any]:
    """Return a case's position after a close combat."""
    traits = {"E2": {"terrain": "countryside", "traits": "vacated"}, **hexes}
    return posed(*units, phase="taking_ground", map={"hexes": {"E1 E3": "countryside", **traits}})


WINNER = {"traits": "won_close_combat"}

CASES = {
    # A prisoner belongs to the other side.
    "movers": Case(
        LINE,
        {},
        [{"kind": "hold", "hexes": "E2"}],
        0,
        ["e1 E1-E2"],
        more=posed(foe("E1")),
    ),
    "reserve_artillery": Case(LINE, {}, at("E2"), 0, ["one E1-E2"], more=posed(one("reserve_artillery", ma=1))),
    "bogged": Case(LINE, {}, at("E2"), 0, ["one E1-E2"], more=posed(one("mark_iv", traits=["ordered", "bogged"]))),
    "orders": Case(LINE, {}, at("E2"), 0, ["one E1-E2"], more=posed(one(traits=[]))),
    "ground_takers": Case(LINE, {}, at("E2"), 0, ["one E1-E2"], more=ground(one())),
    # Where it has to go, it bogs down once in six times; staying would be worth 6.
    "must_take_ground": Case(
        LINE,
        {},
        [{"kind": "end", "unit": "one", "at": "E1", "weight": 6}, *at("E2")],
        1,
        [],
        more=ground(one("mark_iv", **WINNER)),
    ),
    "vacated_hex": Case(LINE, {}, at("D1"), 0, ["one E1-D1"], more=ground(one(**WINNER), D1="countryside")),
    "one_hex_of_ground": Case(
        LINE,
        {},
        at("E3"),
        0,
        ["one E1-E2-E3"],
        more=ground(one(**WINNER), E3={"terrain": "countryside", "traits": "vacated"}),
    ),
    "one_by_one": Case(LINE, {}, at("E2"), 1, ["one E1-E2", "one E2-E3"], more=posed(one())),
    # From E2 nobody leaves, and it takes a hex.
    "leaving": Case(
        LINE,
        {},
        at("home"),
        0,
        ["one E1-E2-[home]"],
        more=posed(one(), flags="exits", map={"hexes": LINE, "boxes": {"home": {"adjacent": "E4"}}}),
    ),
    "exits": Case(
        LINE,
        {},
        at("home"),
        0,
        ["one E1-[home]"],
        more=posed(one(), map={"hexes": LINE, "boxes": {"home": {"adjacent": "E1"}}}),
    ),
    "hex_by_hex": Case({"E1 E3": "countryside"}, {}, at("E3"), 0, ["one E1-E3"], more=posed(one())),
    "distance": Case(LINE, {}, at("E4"), 0, ["one E1-E2-E3-E4"], more=posed(one())),
    "half_hexes": Case(
        LINE,
        {},
        at("E2"),
        0,
        ["one E1-E2"],
        more=posed(one(), map={"hexes": {"E1": "countryside", "E2": {"terrain": "countryside", "traits": "half_hex"}}}),
    ),
    "enemies": Case(LINE, {}, at("E3"), 0, ["one E1-E2-E3"], more=posed(one(), foe("E2"))),
    # Who stands in the way has no order.
    "one_unit_a_hex": Case(
        LINE, {}, at("E3"), 0, ["one E1-E2-E3"], more=posed(one(), unit("two", "infantry", "E2", traits=[]))
    ),
    "wire": Case(
        LINE,
        {},
        at("E3"),
        0,
        ["one E1-E2-E3"],
        more=posed(one(), marker=[{"type": "wire", "side": "central", "at": "E2"}]),
    ),
    # The tank drives through, and the infantry follows.
    "wire_goes": Case(
        {"E1 D1 D2 C1 C2": "countryside"},
        {},
        at("C1"),
        1,
        ["two D2-D1-C2", "one E1-D1-C1"],
        legal=True,
        more=posed(one(), unit("two", "mark_iv", "D2"), marker=[{"type": "wire", "side": "central", "at": "D1"}]),
    ),
    "hard_going": Case({"E1 E3": "countryside", "E2": "forest"}, {}, at("E3"), 0, ["one E1-E2-E3"], more=posed(one())),
    "fords": Case({"E1 E3": "countryside", "E2": "ford"}, {}, at("E3"), 0, ["one E1-E2-E3"], more=posed(one())),
    # 6 x 25/36 in a trench as its second hex.
    "bogging": Case(
        {"E1 E2 E4": "countryside", "E3": "trench"},
        {},
        [{"kind": "battle", "weight": 6}],
        "25/6",
        ["one E1-E2-E3!"],
        legal=True,
        more=posed(one("mark_iv"), foe("E4")),
    ),
    # Two hexes would be too far.
    "battles": Case(LINE, {}, [{"kind": "battle"}], 1, ["one E1-E2"], legal=True, more=posed(one(), foe("E4"))),
    "bonus_combat": Case(
        LINE,
        {},
        [{"kind": "battle", "weight": 6}],
        5,
        ["one E1-E2"],
        legal=True,
        more=ground(one("mark_iv", **WINNER), foe("E3")),
    ),
    # Each wants to be where the other one is.
    "vacant_in_time": Case(
        {"E1 E2": "countryside"},
        {},
        [*at("E2"), *at("E1", "two")],
        0,
        ["one E1-E2", "two E2-E1"],
        more=posed(one(), unit("two", "infantry", "E2")),
    ),
}

FORM_OF_THE_SEARCH = {
    "movers": "only the side whose phase it is moves",
    "one_by_one": "there is one move for each unit",
    "hex_by_hex": "steps lead to neighbouring hexes",
    "one_hex_of_ground": "the MA is what it is",
    "leaving": "steps lead to neighbouring places",
    "battles": "it counts, and forbids nothing",
    "bonus_combat": "it counts, and forbids nothing",
}
FORM_OF_THE_JUDGE = {
    "movers": "the judge, too, has no moves of the other side",
    "one_hex_of_ground": "the MA is what it is",
    "battles": "it counts, and forbids nothing",
    "bonus_combat": "it counts, and forbids nothing",
    "bogging": "who bogs down does so by what is written",
}
