"""A case for every rule of the classic rule set."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.laws.mutants.case import Case as AnyCase

Case = partial(AnyCase, model="classic_hex")

LINE = {"0404 0405 0406 0407": "clear"}
ONE = ("infantry", "4-2", 1, "0404")


def at(label: str, *units: str) -> list[dict[str, Any]]:
    return [{"kind": "end", "unit": unit, "at": label} for unit in units or ("one",)]


def late(**more: Any) -> dict[str, Any]:
    """Return a position with a reinforcement that is due in turn 3, in 0404."""
    unit = {"id": "one", "side": "blue", "type": "infantry", "values": "4-2", "at": "pool"}
    return {
        "unit": [{**unit, "arrives": {"turn": 3, "at": "0404"}}],
        "map": {"hexes": LINE, "boxes": {"pool": {}}},
        "phase": "reinforcement",
        "turn": 3,
        "control": {"blue": "0404"},
        **more,
    }


CASES = {
    "movers": Case(LINE, {"e1": ONE}, [{"kind": "hold", "hexes": "0405"}], 0, ["e1 0404-0405"]),
    "groups": Case(LINE, {"one": ONE, "two": ("infantry", "4-2", 1, "0405")}, at("0406"), 1, ["one+two 0404-0405"]),
    # A turn too early.
    "reinforcements": Case(LINE, {}, at("0404"), 0, ["one [pool]-0404"], more=late(turn=2)),
    "across_the_edge": Case(
        LINE,
        {"one": ONE},
        at("off"),
        0,
        ["one 0404-[off]"],
        more={"map": {"hexes": LINE, "boxes": {"off": {"adjacent": "0404"}}}},
    ),
    "edges": Case(
        LINE,
        {"one": ONE},
        at("off"),
        0,
        ["one 0404-[off]"],
        more={"map": {"hexes": LINE, "boxes": {"off": {"adjacent": "0404"}}}},
    ),
    "hex_by_hex": Case({"0404 0406": "clear"}, {"one": ONE}, at("0406"), 0, ["one 0404-0406"]),
    "costs": Case(LINE, {"one": ONE}, at("0407"), 0, ["one 0404-0405-0406-0407"]),
    # It arrives, and moves no further.
    "rest": Case(LINE, {}, at("0405"), 0, ["one [pool]-0404-0405"], more=late()),
    # 4 against 4: three entries of six let it take the hex; once there, it stays.
    "combat": Case(
        LINE,
        {"one": ONE, "e1": ("infantry", "4-2", 1, "0405")},
        [{"kind": "hold", "hexes": "0405", "weight": 2}, {"kind": "hold", "hexes": "0406", "weight": 9}],
        1,
        ["one 0404x0405-0406"],
    ),
    "control": Case(LINE, {"one": ONE}, [{"kind": "hold", "hexes": "0405"}], 1, ["one 0404-0405"], legal=True),
}

FORM_OF_THE_SEARCH = {
    "movers": "only the side whose phase it is moves",
    "groups": "groups are formed where units stand together",
    "hex_by_hex": "steps lead to neighbouring hexes",
    "across_the_edge": "steps lead to neighbouring places",
    "edges": "steps lead to neighbouring hexes, and boxes are no places to go to",
    "rest": "who comes from a box goes no further",
    "reinforcements": "who comes from a box goes no further",
    "control": "it says whose a place is, and forbids nothing",
}
FORM_OF_THE_JUDGE = {
    "control": "it says whose a place is, and forbids nothing",
    "across_the_edge": "boxes are beside no hex",
}
