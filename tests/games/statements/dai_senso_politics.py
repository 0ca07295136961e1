"""Dai Senso, 3.1.4: whom politics keep out of which hexes."""

from __future__ import annotations

from typing import Any

from tests.games.statements.board import Board, Unit, arm, e1, e2, i1, printed, right, wrong
from tests.games.statements.overseas import edge, overseas, ship

BORDER = {"siam": "AB", "malaya": "CD"}
"""Two countries: the border runs between B and C."""


def axis(at: str, *nationality: str, **given: Any) -> Unit:
    """Return an Axis one-step infantry unit."""
    return i1(at, side="axis", nationality=list(nationality), **given)


def realm(*units: Unit, phasing: str = "axis", areas: dict[str, str] | None = None, **more: Any) -> Board:
    """Return two countries, by default Siam (A, B) and Malaya (C, D)."""
    return overseas(*units, areas=areas or BORDER, phasing=phasing, **more)


def barrier(rule: str, **more: Any) -> list[dict[str, Any]]:
    """Return a restriction of the scenario."""
    return [{"rule": rule, **more}]


def status(country: str, *what: str, **more: Any) -> dict[str, Any]:
    """Return what is in force in a country."""
    return {country: {"status": list(what), **more}}


KWANTUNG = {"traits": ["kwantung"]}
MANCHURIA = {"manchukuo": "AB", "nationalist_china": "CD", "korea": "E", "japan": "FG"}
NEW = {"manchukuo": "AB", "inner_mongolia": "CD"}
DEPENDENT = {"inner_mongolia": {"side": "axis", "dependent_of": "japan"}}
HOPEH = {"hopeh": "A", "nationalist_china": "B", "japan": "D", "siam": "E", "korea": "F", "mongolia": "G"}
EXP = {"traits": ["exp"]}
INDIA = {"india": "AB", "burma": "CD", "ceylon": "FG"}
WEST = {"side": "western", "nationality": "britain"}
THREE = ("russia", "communist_china", "nationalist_china")
TK = {"x": "y", "y": ""}


def tk(*units: Unit, flags: list[str]) -> Board:
    """Return two boxes, of which y is on the TK map."""
    drawn = overseas(*units, boxes=TK, phasing="soviet", flags=flags)
    drawn.data["map"]["boxes"]["y"]["traits"].append("tk_map")
    return drawn


def in_capital(kind: str, *units: Unit, **more: Any) -> Board:
    """Return Siam and Malaya with a marker in the Siamese capital A."""
    drawn = realm(*units, markers=[{"type": kind, "side": "axis", "at": "A"}], **more)
    drawn.data["country"] = {"siam": {"capital": drawn.labels["A"]}, **drawn.data.get("country", {})}
    return drawn


CASES = (
    right("DS-99", realm(i1("B"), phasing="soviet"), "i1 B-C"),
    right(
        "DS-99", realm(i1("B"), phasing="soviet", restriction=barrier("policies", hexes={"areas": "siam"})), "i1 B-C"
    ),
    wrong(
        "DS-99",
        realm(i1("B"), phasing="soviet", restriction=barrier("policies", hexes={"areas": "malaya"})),
        "i1 B-C",
        "3.1.4",
        "C",
    ),
    right(
        "DS-100",
        realm(
            i1("B"), phasing="soviet", restriction=barrier("truces", who={"sides": "axis"}, hexes={"areas": "malaya"})
        ),
        "i1 B-C",
        borderline=True,
        note="a truce that binds others",
    ),
    wrong(
        "DS-100",
        realm(
            i1("B"), phasing="soviet", restriction=barrier("truces", who={"sides": "soviet"}, hexes={"areas": "malaya"})
        ),
        "i1 B-C",
        "3.1.4",
        "C",
    ),
    right("DS-101", realm(axis("B", "siam")), "i1 B-C"),
    wrong(
        "DS-101",
        realm(
            axis("B", "siam"),
            restriction=barrier("failures", who={"nationalities": "siam"}, hexes={}, unless_home=True),
        ),
        "i1 B-C",
        "3.1.4",
        "C",
    ),
    # DS-102: Pre-War
    right("DS-102", realm(axis("A", "siam"), flags=["pre_war"]), "i1 A-B"),
    right(
        "DS-102",
        realm(axis("B", "siam"), flags=["pre_war"], country={"malaya": {"dependent_of": "siam"}}),
        "i1 B-C",
        borderline=True,
    ),
    wrong("DS-102", realm(axis("B", "siam"), flags=["pre_war"]), "i1 B-C", "3.1.4", "C"),
    wrong(
        "DS-102",
        realm(
            axis("A", "siam"), flags=["pre_war"], zones={"n": "AD"}, markers=[ship(side="axis")], control={"axis": "AD"}
        ),
        "i1 A~D",
        "3.1.4",
        "D",
        note="nor by sea",
    ),
    # DS-103: neutral minors
    right("DS-103", realm(i1("C"), phasing="soviet"), "i1 C-B"),
    wrong("DS-103", realm(i1("C"), phasing="soviet", country=status("siam", "neutral")), "i1 C-B", "3.1.4", "B"),
    wrong(
        "DS-103", realm(i1("C", ma="1/2"), phasing="soviet", country=status("siam", "neutral")), "i1 C-B", "3.1.4", "B"
    ),
    wrong(
        "DS-103", realm(arm("C"), e1("B"), phasing="soviet", country=status("siam", "neutral")), "arm CxB", "3.1.4", "B"
    ),
    right(
        "DS-103",
        realm(i1("B"), phasing="soviet", country=status("malaya", "neutral")),
        "i1 B-C",
        borderline=True,
        note="Malaya is no minor country",
    ),
    # DS-104: Quit India
    right("DS-104", overseas(i1("B", **WEST), areas=INDIA, phasing="western", flags=["quit_india"]), "i1 B-A"),
    right("DS-104", overseas(i1("C", **WEST), areas=INDIA, phasing="western", flags=["quit_india"]), "i1 C-B"),
    right("DS-104", overseas(i1("B", **WEST), areas=INDIA, phasing="western"), "i1 B-C"),
    wrong(
        "DS-104",
        overseas(i1("B", **WEST), areas=INDIA, phasing="western", flags=["quit_india"]),
        "i1 B-C",
        "3.1.4",
        "C",
    ),
    wrong(
        "DS-104",
        overseas(i1("C", **WEST), areas=INDIA, phasing="western", flags=["quit_india"]),
        "i1 C-B-C",
        "3.1.4",
        "C",
        borderline=True,
        note="bound from the first hex in India on",
    ),
    # DS-105 and DS-106: Axis countries
    right("DS-105", realm(axis("A", "siam"), country={"siam": {"side": "axis"}}), "i1 A-B"),
    right("DS-105", realm(axis("B", "siam")), "i1 B-C", note="a hostile country"),
    wrong("DS-105", realm(axis("C", "siam"), areas={"malaya": "CD", "manchukuo": "B"}), "i1 C-B", "3.1.4", "B"),
    wrong("DS-105", realm(axis("C", "siam"), areas={"malaya": "CD", "japan": "B"}), "i1 C-B", "3.1.4", "B"),
    right("DS-105", realm(axis("C", "japan"), areas={"malaya": "CD", "manchukuo": "B"}), "i1 C-B", borderline=True),
    right("DS-106", realm(axis("C", "siam", **EXP), areas={"malaya": "CD", "japan": "B"}), "i1 C-B"),
    wrong("DS-106", realm(axis("C", "siam"), areas={"malaya": "CD", "japan": "B"}), "i1 C-B", "3.1.4", "B"),
    wrong(
        "DS-106",
        realm(axis("C", "siam", **EXP), areas={"malaya": "CD", "manchukuo": "B"}),
        "i1 C-B",
        "3.1.4",
        "B",
        borderline=True,
        note="Countries, not Dependents",
    ),
    right("DS-107", realm(axis("C", "siam", steps=1, **EXP), areas={"malaya": "C", "japan": "B"}), "i1 C-B"),
    wrong(
        "DS-107", realm(axis("C", "siam", steps=2, **EXP), areas={"malaya": "C", "japan": "B"}), "i1 C-B", "3.1.4", "B"
    ),
    right("DS-108", realm(axis("B", "hopeh", "japan"), areas=HOPEH), "i1 B-A"),
    wrong("DS-108", realm(axis("C", "hopeh", "japan"), areas=HOPEH), "i1 C-D", "3.1.4", "D"),
    wrong(
        "DS-108", realm(axis("C", "hopeh", "japan"), areas=HOPEH), "i1 C-D-E-F", "3.1.4", "D", also=(("3.1.4", "F"),)
    ),
    wrong(
        "DS-108",
        realm(axis("F", "hopeh", "japan"), areas=HOPEH, country={"mongolia": {"side": "axis"}}),
        "i1 F-G",
        "3.1.4",
        "G",
        borderline=True,
    ),
    # DS-109 to DS-111: Kwantung
    right("DS-109", realm(axis("B", "japan", **KWANTUNG), areas=MANCHURIA), "i1 B-C"),
    *(
        wrong(
            "DS-109",
            realm(axis("B", "japan", **KWANTUNG), areas=MANCHURIA, country=status(one, "policy_affected")),
            "i1 B-C",
            "3.1.4",
            "C",
            borderline=True,
        )
        for one in THREE
    ),
    wrong(
        "DS-109",
        realm(axis("E", "japan", **KWANTUNG), areas=MANCHURIA, country=status("russia", "policy_affected")),
        "i1 E-F",
        "3.1.4",
        "F",
    ),
    right("DS-110", realm(axis("A", "japan", **KWANTUNG), areas=MANCHURIA), "i1 A-B"),
    wrong(
        "DS-110",
        realm(
            axis("A", "japan", **KWANTUNG),
            areas=MANCHURIA,
            zones={"n": "AE"},
            markers=[ship(kind="standard_convoy", side="axis", nationality="japan")],
        ),
        "i1 A~E",
        "3.1.4",
        "E",
    ),
    right(
        "DS-111",
        realm(axis("B", "japan", **KWANTUNG), areas=NEW, country={**status("russia", "policy_affected"), **DEPENDENT}),
        "i1 B-C",
    ),
    wrong(
        "DS-111",
        realm(axis("B", "japan", **KWANTUNG), areas=NEW, country=status("russia", "policy_affected")),
        "i1 B-C",
        "3.1.4",
        "C",
    ),
    # DS-112 to DS-114: markers in capitals
    right("DS-112", in_capital("free_passage", axis("A", "siam")), "i1 A-B"),
    wrong("DS-112", in_capital("free_passage", axis("B", "siam")), "i1 B-C", "3.1.4", "C"),
    right("DS-112", in_capital("free_passage", axis("B", "japan")), "i1 B-C", borderline=True, note="others are free"),
    right("DS-113", in_capital("mobilizing", axis("A", "siam")), "i1 A-B"),
    wrong("DS-113", in_capital("mobilizing", axis("B", "siam")), "i1 B-C", "3.1.4", "C"),
    right(
        "DS-114",
        in_capital("no_occupation", axis("B", "siam"), country={"malaya": {"dependent_of": "siam"}}),
        "i1 B-C",
        borderline=True,
    ),
    wrong("DS-114", in_capital("no_occupation", axis("B", "siam")), "i1 B-C", "3.1.4", "C"),
    # DS-115 and DS-116: the western edge
    right("DS-115", edge(i1("w5413", side="axis"), phasing="axis"), "i1 w5413-w5412"),
    right("DS-115", edge(i1("w5311"), phasing="soviet"), "i1 w5311-w5411"),
    wrong("DS-115", edge(i1("w5412", side="axis"), phasing="axis"), "i1 w5412-w5411", "3.1.4", "w5411"),
    wrong("DS-115", edge(i1("w5412", **WEST), phasing="western"), "i1 w5412-w5411", "3.1.4", "w5411"),
    wrong(
        "DS-115",
        edge(arm("w5412", side="axis"), e1("w5411", side="soviet"), phasing="axis"),
        "arm w5412xw5411",
        "3.1.4",
        "w5411",
    ),
    right("DS-115", edge(i1("w5512", **WEST), phasing="western", foreign="w5511"), "i1 w5512-w5511", borderline=True),
    right(
        "DS-116", edge(i1("w5311"), e2("w5412")), "i1 w5311-w5411", stops="3.1", note="an EZOC reaches onto the edge"
    ),
    wrong("DS-116", edge(i1("w5311"), e2("w5412")), "i1 w5311-w5411-w5511", "3.1", "w5411", "e2"),
    # DS-117 and DS-118: countries activated just now
    right("DS-117", realm(i1("C"), phasing="soviet", country={"siam": {"side": "axis"}}), "i1 C-B"),
    wrong(
        "DS-117",
        realm(i1("C"), phasing="soviet", country=status("siam", "just_activated", side="axis")),
        "i1 C-B",
        "3.1.4",
        "B",
    ),
    right("DS-118", realm(i1("C"), phasing="soviet", country=status("siam", side="axis")), "i1 C-B"),
    right(
        "DS-118",
        realm(i1("C", **WEST), phasing="western", country=status("siam", "just_activated", side="axis")),
        "i1 C-B",
        borderline=True,
        note="it binds the Soviet side alone",
    ),
    wrong(
        "DS-118",
        realm(arm("C"), e1("B"), phasing="soviet", country=status("siam", "just_activated", side="axis")),
        "arm CxB",
        "3.1.4",
        "B",
    ),
    # DS-119 and DS-120: the other map of the combined game
    right("DS-119", tk(i1("y"), flags=["combined_game"]), "i1 [y]-[x]"),
    right("DS-119", tk(i1("x"), flags=[]), "i1 [x]-[y]", borderline=True, note="in the combined game alone"),
    wrong("DS-119", tk(i1("x"), flags=["combined_game"]), "i1 [x]-[y]", "3.1.4", "y"),
    right("DS-120", overseas(i1("A"), traits={"B": "tk_map"}), "i1 A-B"),
    wrong("DS-120", overseas(i1("A"), traits={"B": "tk_map"}, flags=["combined_game"]), "i1 A-B", "3.1.4", "B"),
    right("DS-120", printed("dai_senso/manchuria"), "inf w5525-w5425"),
)
