"""A case for every rule of Dai Senso."""

from __future__ import annotations

from typing import Any

from tests.laws.mutants.case import Case

# On this map odd rows are shifted west: w3020 lies between w3120 and w3121 to the north, and w2920 and w2921 to the south.


def ends(**at: str) -> list[dict[str, Any]]:
    return [{"kind": "end", "unit": unit, "at": label} for unit, label in at.items()]


def hold(label: str) -> list[dict[str, Any]]:
    return [{"kind": "hold", "hexes": label}]


AIDE_STAYS = {"kind": "stay", "units": ["aide"]}
"""What the help costs that breaks a circle in which each waits for another one."""

ROAD = "w3020 w3021 w3022 w3023"
FOOT = ("infantry", "3-3-1", 1, "w3020")
HORSE = ("cavalry", "2-2-2", 1, "w3020")
TANK = ("tank", "6-5-3", 2, "w3020")
FORT = ("infantry", "4-5-1", 2, "w3022")

CASES = {
    # Air units don't move in this phase.
    "movers": Case({ROAD: "clear"}, {"wing": ("air", "1-1-3", 1, "w3020")}, hold("w3021"), 0, ["wing w3020-w3021"]),
    # The only supply source lies behind the enemy.
    "supply": Case(
        {ROAD: "clear"},
        {"foot": FOOT, "e1": ("infantry", "1-1-1", 1, "w3022")},
        hold("w3021"),
        0,
        ["foot w3020-w3021"],
        more={"supply": {"soviet": "w3023"}},
    ),
    "one_at_a_time": Case({ROAD: "clear"}, {"foot": FOOT}, hold("w3021"), 1, ["foot w3020-w3021", "foot w3021-w3022"]),
    # The horse has 2 MP for two hexes, but must stop in the first.
    "ezoc": Case(
        {ROAD + " w3121": "clear"},
        {"horse": HORSE, "e1": ("infantry", "4-5-1", 2, "w3121")},
        hold("w3022"),
        0,
        ["horse w3020-w3021-w3022"],
    ),
    "hexes": Case({ROAD: "clear"}, {"foot": FOOT}, hold("w3022"), 0, ["foot w3020-w3022"]),
    # Nobody enters the sea.
    "mp": Case({"w3020": "clear", "w3021": "all_sea"}, {"foot": FOOT}, hold("w3021"), 0, ["foot w3020-w3021"]),
    # With 1 MP into the mountains for 3.
    "minimum_move": Case(
        {"w3020": "clear", "w3021": "mountain"}, {"foot": FOOT}, hold("w3021"), 1, ["foot w3020-w3021"], legal=True
    ),
    "enemy_units": Case(
        {ROAD: "clear"}, {"foot": (*FOOT[:3], "w3021"), "e1": FORT}, hold("w3022"), 0, ["foot w3021-w3022"]
    ),
    "enemy_beachheads": Case(
        {ROAD: "clear"},
        {"foot": FOOT},
        hold("w3021"),
        0,
        ["foot w3020-w3021"],
        more={"marker": [{"type": "beachhead", "side": "axis", "at": "w3021"}]},
    ),
    # An enemy of two steps can't be overrun.
    "overruns": Case(
        {ROAD: "clear"},
        {"tank": TANK, "e1": FORT},
        [{"kind": "eliminate", "units": ["e1"]}],
        0,
        ["tank w3020-w3021xw3022"],
    ),
    # Four units want to end in one hex, three may.
    "stacking": Case(
        {ROAD: "clear"},
        {f"foot{i}": FOOT for i in range(4)},
        ends(**{f"foot{i}": "w3021" for i in range(4)}),
        3,
        [f"foot{i} w3020-w3021" for i in range(4)],
    ),
    # Each of the two would have to stand where the other one passes: w3020 and w3021 are in the EZOC of the fort in w2921.
    # So the aide must go to w3020, rather than stay.
    "friend_in_time": Case(
        {"w3019 w3020 w3021 w3022 w2921": "clear"},
        {
            "left": ("cavalry", "2-2-2", 1, "w3019"),
            "right": ("cavalry", "2-2-2", 1, "w3022"),
            "aide": ("infantry", "1-1-1", 1, "w3019"),
            "e1": ("infantry", "4-5-1", 2, "w2921"),
        },
        [*ends(left="w3021", right="w3020"), AIDE_STAYS],
        2,
        ["left w3019-w3020-w3021", "right w3022-w3021-w3020"],
    ),
    # Each of the two could overrun its enemy if the other one's were gone: w3121 in the north and w2921 in the south are in
    # the EZOCs of both. The aide can see to the first one, if it doesn't stay.
    "gone_in_time": Case(
        {"w3019 w3020 w3021 w3121 w2921 w3221 w2820": "clear"},
        {
            "north": ("tank", "6-5-3", 2, "w3221"),
            "south": ("tank", "6-5-3", 2, "w2820"),
            "aide": ("tank", "6-5-1", 2, "w3019"),
            "e1": ("infantry", "1-1-1", 1, "w3020"),
            "e2": ("infantry", "1-1-1", 1, "w3021"),
        },
        [{"kind": "eliminate", "units": ["e1", "e2"]}, AIDE_STAYS],
        2,
        ["north w3221-w3121xw3020", "south w2820-w2921xw3021"],
    ),
    # Three passes, each beside the two others, all in EZOCs: whoever goes through one needs the unit that has gone through
    # the one before, all the way round. Any two of the three orders are possible, but not all three,
    # unless the aide goes first.
    "transitive_order": Case(
        {"w3020 w3021 w3121 w3019 w3022 w3220 w2921 w3221": "clear"},
        {
            "west": ("cavalry", "2-2-2", 1, "w3019"),
            "east": ("cavalry", "2-2-2", 1, "w3022"),
            "north": ("cavalry", "2-2-2", 1, "w3220"),
            "aide": ("infantry", "1-1-1", 1, "w3019"),
            "e1": ("infantry", "4-5-1", 2, "w2921"),
            "e2": ("infantry", "4-5-1", 2, "w3221"),
        },
        [*ends(west="w3021", east="w3121", north="w3020"), AIDE_STAYS],
        3,
        ["west w3019-w3020-w3021", "east w3022-w3021-w3121", "north w3220-w3121-w3020"],
    ),
}

SHORE = {"w3020 w3022": "clear", "w3021": "all_sea"}
"""Two hexes of land and one of sea between them."""
SHIP = {"type": "scratch_convoy", "side": "soviet", "zone": "gulf"}


def at_sea(*markers: dict[str, Any], control: str = "w3020 w3025", **more: Any) -> dict[str, Any]:
    """Return the rest of a position with two ports of one naval zone."""
    ports = {"w3020 w3025": {"terrain": "clear", "traits": ["port"]}, "w3021 w3026": "clear"}
    board = {"hexes": ports, "zones": {"gulf": "w3020 w3025"}, **more}
    return {"map": board, "marker": list(markers), "control": {"soviet": control}}


def kept_out(hexes: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Return the rest of a position in which w3021 lies in another country than w3020."""
    ours = {"terrain": "clear", "area": "mongolia"}
    return {"map": {"hexes": {"w3020": ours, "w3021": {"terrain": "clear", **(hexes or {"area": "siam"})}}}, **more}


def barred(unit: dict[str, Any] | None = None, **more: Any) -> Case:
    """Return a case in which a unit may not go from w3020 to w3021."""
    foot = {"id": "foot", "side": "soviet", "type": "infantry", "values": "3-3-1", "at": "w3020", **(unit or {})}
    return Case({}, {}, hold("w3021"), 0, ["foot w3020-w3021"], more={"unit": [foot], **more})


BEACH = {"type": "beachhead", "side": "soviet", "at": "w3021", "facing": "w3022"}
EDGE = {"boxes": {"eastern_europe_box": {}}, "hexes": {"w5411 w5412": {"terrain": "clear", "area": "russia"}}}

CASES |= {
    # Off the beach to w3022 only, where it faces; the unit may not go back to w3020.
    "beachhead_off": Case(
        SHORE, {"foot": (*FOOT[:3], "w3021")}, hold("w3020"), 0, ["foot w3021-w3020"], more={"marker": [BEACH]}
    ),
    # Not after another step.
    "beachhead_on": Case(
        {**SHORE, "w3019": "clear"},
        {"foot": ("infantry", "3-3-3", 1, "w3019")},
        hold("w3021"),
        0,
        ["foot w3019-w3020-w3021"],
        more={"marker": [BEACH]},
    ),
    # Over the strait, but not after another step.
    "marine": Case(
        {},
        {"foot": ("marine", "3-3-3", 1, "w3019")},
        hold("w3021"),
        0,
        ["foot w3019-w3020-w3021"],
        more={"map": {"hexes": {"w3019 w3020 w3021": "clear"}, "hexsides": {"all_sea": ["w3020 w3021"]}}},
    ),
    # Only from the edge, where w5412 isn't.
    "eastern_europe_in": Case(
        {},
        {"foot": (*FOOT[:3], "w5412")},
        ends(foot="eastern_europe_box"),
        0,
        ["foot w5412-[eastern_europe_box]"],
        more={"map": EDGE},
    ),
    # Only to the edge.
    "eastern_europe_out": Case(
        {},
        {"foot": (*FOOT[:3], "eastern_europe_box")},
        ends(foot="w5412"),
        0,
        ["foot [eastern_europe_box]-w5412"],
        more={"map": EDGE},
    ),
    # Only the Allies.
    "box_to_box": Case(
        {},
        {},
        ends(foot="two"),
        0,
        ["foot [one]-[two]"],
        more={
            "phasing": "axis",
            "unit": [{"id": "foot", "side": "axis", "type": "infantry", "values": "3-3-1", "at": "one"}],
            "map": {"hexes": {"w3020": "clear"}, "boxes": {"one": {"adjacent": ["two"]}, "two": {}}},
        },
    ),
    # The port is the enemy's.
    "port_to_port": Case(
        {}, {"foot": FOOT}, hold("w3025"), 0, ["foot w3020~w3025"], more=at_sea(SHIP, control="w3020")
    ),
    # A hex from the port the enemy has a base, which the guard takes before the other one sails.
    "capture": Case(
        {},
        {"foot": FOOT, "guard": ("infantry", "3-3-1", 1, "w3025")},
        ends(foot="w3025"),
        1,
        ["guard w3025-w3026", "foot w3020~w3025"],
        legal=True,
        more={
            **at_sea(SHIP, {"type": "detachment", "side": "axis", "at": "w3026"}),
            "map": {
                "hexes": {"w3020 w3025 w3026": {"terrain": "clear", "traits": ["port"]}},
                "zones": {"gulf": "w3020 w3025"},
            },
        },
    ),
    # Marching after landing: the price is no road's, but a hex of no cost.
    "one_procedure": Case({}, {"foot": FOOT}, hold("w3026"), 0, ["foot w3020~w3025-w3026"], more=at_sea(SHIP)),
    "kwantung_by_sea": Case(
        {},
        {},
        hold("w3025"),
        0,
        ["foot w3020~w3025"],
        more={
            **at_sea(SHIP),
            "unit": [
                {
                    "id": "foot",
                    "side": "soviet",
                    "type": "infantry",
                    "values": "3-3-1",
                    "at": "w3020",
                    "traits": ["kwantung"],
                }
            ],
        },
    ),
    # One ship, two passengers.
    "carriers": Case(
        {},
        {"foot": FOOT, "other": FOOT},
        ends(foot="w3025", other="w3025"),
        1,
        ["foot w3020~w3025", "other w3020~w3025"],
        more=at_sea(SHIP),
    ),
    **{
        rule: barred(restriction=[{"rule": rule, "hexes": {"areas": "siam"}}], **kept_out())
        for rule in ("policies", "truces", "failures")
    },
    "pre_war": barred({"nationality": "mongolia"}, flags=["pre_war"], **kept_out()),
    "neutral_minors": barred(**kept_out(country={"siam": {"status": ["neutral"]}})),
    "quit_india": barred(
        {"side": "western"},
        phasing="western",
        flags=["quit_india"],
        map={"hexes": {"w3020": {"terrain": "clear", "area": "india"}, "w3021": {"terrain": "clear", "area": "burma"}}},
    ),
    "axis_countries": barred({"side": "axis", "nationality": "siam"}, phasing="axis", **kept_out({"area": "hopeh"})),
    "exp_dependents": barred(
        {"side": "axis", "nationality": "siam", "traits": ["exp"]}, phasing="axis", **kept_out({"area": "korea"})
    ),
    "kwantung": barred(
        {"side": "axis", "nationality": "japan", "traits": ["kwantung"]},
        phasing="axis",
        **kept_out(country={"russia": {"status": ["policy_affected"]}}),
    ),
    **{
        rule: barred({"nationality": "mongolia"}, **kept_out(country={"mongolia": {"status": [rule]}}))
        for rule in ("free_passage", "mobilizing", "no_occupation")
    },
    "western_edge": Case(
        {},
        {},
        hold("w5411"),
        0,
        ["foot w5412-w5411"],
        more={
            "phasing": "western",
            "map": EDGE,
            "unit": [{"id": "foot", "side": "western", "type": "infantry", "values": "3-3-1", "at": "w5412"}],
        },
    ),
    "just_activated": barred(**kept_out(country={"siam": {"side": "axis", "status": ["just_activated"]}})),
    "tk_boxes": Case(
        {},
        {"foot": (*FOOT[:3], "one")},
        ends(foot="two"),
        0,
        ["foot [one]-[two]"],
        more={
            "flags": ["combined_game"],
            "map": {
                "hexes": {"w3020": "clear"},
                "boxes": {"one": {"adjacent": ["two"]}, "two": {"traits": ["tk_map"]}},
            },
        },
    ),
    "tk_map": barred(flags=["combined_game"], **kept_out({"traits": ["tk_map"]})),
}

FORM_OF_THE_SEARCH = {
    "one_at_a_time", "hexes", "eastern_europe_out", "one_procedure", "beachhead_on", "marine",
}  # fmt: skip
"""Beside the two: a search looks for ways out of a box among the hexes that may be entered alone; and what takes the whole
MA is out of the question after another step, and leaves no MP for one."""
FORM_OF_THE_JUDGE = {"transitive_order"}
"""The judge is told the order of the moves."""
