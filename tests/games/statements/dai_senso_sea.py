"""Dai Senso, 3.1.1 to 3.1.4 and ports: beaches, marines, boxes, and what goes by sea."""

from __future__ import annotations

from typing import Any

from tests.games.statements.board import Board, Unit, e1, e2, eair, i1, i2, printed, right, wrong
from tests.games.statements.overseas import EE, base, beach, edge, overseas, ship, western

SEA = {"C": "all_sea"}
ONE_SHIP = (ship(),)
SHIP_IN_EACH = (ship("n"), ship("s"))
OURS: dict[str, Any] = {"phasing": "western"}


def shore(*units: Unit, **more: Any) -> Board:
    """Return a coast with a Beachhead in the sea hex C, facing D."""
    return overseas(*units, terrain=SEA, markers=more.pop("markers", [beach()]), **more)


def two(*units: Unit, ships: Any = ONE_SHIP, **more: Any) -> Board:
    """Return two ports, A and D, of one zone."""
    return overseas(*units, zones={"n": "AD"}, markers=[*ships, *more.pop("markers", [])], **more)


def chain(*units: Unit, ships: Any = SHIP_IN_EACH, **more: Any) -> Board:
    """Return three ports, A, D and G, and two zones that D touches both."""
    return overseas(*units, zones={"n": "AD", "s": "DG"}, markers=ships, **more)


def j1(at: str, **given: Any) -> Unit:
    """Return another one-step infantry unit, MA 3."""
    return i1(at, id="j1", **given)


def west(at: str, nationality: str = "us", **given: Any) -> Unit:
    """Return a Western one-step infantry unit."""
    return i1(at, side="western", nationality=nationality, **given)


def axis(at: str, nationality: str, **given: Any) -> Unit:
    """Return an Axis one-step infantry unit."""
    return i1(at, side="axis", nationality=nationality, **given)


JAPAN = {"kind": "standard_convoy", "side": "axis", "nationality": "japan"}
RUSSIA = {"kind": "standard_convoy", "side": "soviet", "nationality": "russia"}
TRAIN = western("fleet_train", "us", id="train")
MANY = [i1("x", id=f"u{i}") for i in range(10)]
XYZ = {"x": "y", "y": "z", "z": ""}

BEACHES = (
    right("DS-37", shore(i1("B")), "i1 B-C"),
    wrong("DS-37", shore(i1("A")), "i1 A-B-C", "3.1.1", "C", borderline=True),
    right("DS-38", shore(i1("B")), "i1 B-C", mp="3", stops="3.1.1"),
    wrong("DS-38", shore(i1("B")), "i1 B-C-D", "3.1.1", "C", also=(("3.1.1", "D"),)),
    right("DS-39", shore(i1("B"), hexsides={"all_sea": "BC"}), "i1 B-C"),
    wrong("DS-39", shore(i1("B"), markers=[]), "i1 B-C", "3.1.1", "C"),
    right("DS-40", shore(i1("C")), "i1 C-D"),
    wrong("DS-40", shore(i1("B", ma=9)), "i1 B-C-D", "3.1.1", "D", also=(("3.1.1", "C"),)),
    right("DS-41", shore(i1("C")), "i1 C-D", mp="3", stops="3.1.1"),
    wrong("DS-41", shore(i1("C")), "i1 C-D-E", "3.1.1", "D", also=(("3.1.1", "E"),)),
    right("DS-42", shore(i1("C")), "i1 C-D", borderline=True),
    wrong("DS-42", shore(i1("C")), "i1 C-B", "3.1.1", "B"),
    wrong(
        "DS-42",
        overseas(i1("C"), terrain={"C": "all_sea", "D": "all_sea"}, markers=[beach("C", "B"), beach("D", "E")]),
        "i1 C-D",
        "3.1.1",
        "D",
        note="not to another beach either",
    ),
    right("DS-43", shore(i1("B"), i1("C", id="j1")), "i1 B-C; j1 C-D"),
    wrong("DS-43", shore(i1("C")), "i1 C-B", "3.1.1", "B"),
    right("DS-44", printed("dai_senso/hanoi_beachhead"), "army15 w4120-w4119", stops="3.1.1"),
    right("DS-44", printed("dai_senso/hanoi_beachhead_reserve"), "army15 w4119-w4219", borderline=True),
    wrong(
        "DS-44",
        printed("dai_senso/hanoi_beachhead"),
        "army15 w4120-w4119-w4219",
        "3.1.1",
        "w4119",
        also=(("3.1.1", "w4219"),),
    ),
    wrong("DS-44", printed("dai_senso/hanoi_beachhead_reserve"), "army15 w4119-w4120", "3.1.1", "w4120"),
    right("DS-45", shore(i1("C"), zones={"n": "CF"}, markers=[beach(), ship()]), "i1 C~F"),
    wrong("DS-45", shore(i1("C"), zones={"n": "CF"}), "i1 C~F", "3.1.2", "F"),
    wrong("DS-45", overseas(i1("C"), terrain=SEA, zones={"n": "CF"}, markers=[ship()]), "i1 C~F", "3.1.2", "F"),
    right("DS-46", overseas(i1("A", type="marine"), hexsides={"all_sea": "AB"}), "i1 A-B"),
    wrong("DS-46", overseas(i1("A"), hexsides={"all_sea": "AB"}), "i1 A-B", "3.1.1", "B"),
    wrong("DS-46", overseas(i1("A", type="marine"), hexsides={"all_sea": "BC"}), "i1 A-B-C", "3.1.1", "C"),
    right("DS-47", overseas(i1("A", type="marine"), hexsides={"all_sea": "AB"}), "i1 A-B", mp="3", stops="3.1.1"),
    wrong(
        "DS-47",
        overseas(i1("A", type="marine"), hexsides={"all_sea": "AB"}),
        "i1 A-B-C",
        "3.1.1",
        "B",
        also=(("3.1.1", "C"),),
    ),
    right(
        "DS-47",
        overseas(i1("A", type="marine"), hexsides={"all_sea": "AB", "connected_strait": "AB"}),
        "i1 A-B-C",
        borderline=True,
        note="a strait carries marines as it carries others",
    ),
)

EASTERN_EUROPE = (
    right("DS-48", edge(i1("w5411")), f"i1 w5411-[{EE}]"),
    wrong("DS-48", edge(i1("w5412")), f"i1 w5412-[{EE}]", "3.1.1", EE),
    wrong("DS-48", edge(i1("w5412")), f"i1 w5412-w5411-[{EE}]", "3.1.1", EE),
    wrong("DS-48", edge(i1("w5411", side="axis"), phasing="axis"), f"i1 w5411-[{EE}]", "3.1.1", EE),
    right("DS-49", edge(i1("w5311")), f"i1 w5311-[{EE}]", borderline=True),
    right("DS-49", edge(i1("w6011")), f"i1 w6011-[{EE}]", borderline=True),
    wrong("DS-49", edge(i1("w5211")), f"i1 w5211-[{EE}]", "3.1.1", EE, borderline=True),
    wrong("DS-49", edge(i1("w5511"), foreign="w5511"), f"i1 w5511-[{EE}]", "3.1.1", EE),
    right("DS-50", edge(i1("w5411")), f"i1 w5411-[{EE}]", mp="3", stops="3.1.1"),
    wrong("DS-50", edge(i1("w5411")), f"i1 w5411-[{EE}]-w5511", "3.1.1", EE, also=(("3.1.1", "w5511"),)),
    right("DS-51", edge(i1(EE)), f"i1 [{EE}]-w5911"),
    wrong("DS-51", edge(i1(EE)), f"i1 [{EE}]-w5412", "3.1.1", "w5412"),
    right("DS-52", edge(i1(EE), eair("w5411")), f"i1 [{EE}]-w5511"),
    wrong("DS-52", edge(i1(EE), eair("w5411")), f"i1 [{EE}]-w5411", "3.1.4", "w5411", "eair"),
    right("DS-53", edge(i1(EE), e1("w5512")), f"i1 [{EE}]-w5511", stops="3.1"),
    wrong("DS-53", edge(i1(EE), e1("w5512"), phase="reserve_movement"), f"i1 [{EE}]-w5511", "3.1.1", "w5511", "e1"),
    right("DS-54", edge(i1(EE), terrain={"w5511": "rough"}), f"i1 [{EE}]-w5511-w5512-w5513", mp="3", borderline=True),
    wrong(
        "DS-54",
        edge(i1(EE, ma=1), terrain={"w5511": "rough"}),
        f"i1 [{EE}]-w5511-w5512",
        "3.1.1",
        "w5512",
        note="the placement is the first hex: no minimum move after it",
    ),
    right("DS-55", edge(i1(EE), supply={"soviet": "w6011"}), f"i1 [{EE}]-w5511-w5512"),
    wrong("DS-55", edge(i1("w5511"), supply={"soviet": "w6011"}), "i1 w5511-w5512", "3", "w5511"),
    right("DS-56", edge(i1(EE)), f"i1 [{EE}]-w5511-w5512-w5513", mp="3", stops=""),
    wrong(
        "DS-56",
        edge(i1(EE), zones={"n": "w5511 w5311"}, markers=[ship()]),
        f"i1 [{EE}]-w5511~w5311",
        "3.1.4",
        "w5311",
        also=(("3.1.2", "w5311"), ("3.1.1", "w5311")),
    ),
)

PORTS = (
    right("DS-57", two(i1("A")), "i1 A~D"),
    wrong("DS-57", two(i1("B")), "i1 B-A~D", "3.1.2", "D", also=(("3.1.4", "D"), ("3.1.1", "D"))),
    wrong("DS-57", overseas(i1("A"), zones={"n": "AD"}, ports="D", markers=[ship()]), "i1 A~D", "3.1.2", "D"),
    right("DS-58", two(i1("A")), "i1 A-D", note="where hexes aren't adjacent, a plain sign will do"),
    wrong("DS-58", two(i1("A"), ships=[ship(used=True)]), "i1 A~D", "3.1.2", "D"),
    wrong("DS-58", chain(i1("A"), ships=[ship("s")]), "i1 A~D", "3.1.2", "D"),
    wrong("DS-58", two(i1("A"), ships=[ship(side="axis")]), "i1 A~D", "3.1.2", "D", note="the enemy's won't do"),
    right("DS-59", two(i1("A")), "i1 A~D", mp="3"),
    wrong("DS-59", two(i1("A"), control={"soviet": "A", "axis": "D"}), "i1 A~D", "3.1.2", "D"),
    wrong("DS-59", two(i1("A"), control={"soviet": "A"}), "i1 A~D", "3.1.2", "D", note="nobody's port isn't friendly"),
    wrong("DS-59", overseas(i1("A"), zones={"n": "A", "s": "D"}, markers=[ship()]), "i1 A~D", "3.1.2", "D"),
    wrong("DS-59", two(i1("A")), "i1 A~A", "3.1.2", "A"),
    wrong("DS-59", shore(i1("F"), zones={"n": "CF"}, markers=[beach(), ship()]), "i1 F~C", "3.1.2", "C"),
    right("DS-60", two(i1("A"), e2("B")), "i1 A~D", mp="3"),
    wrong("DS-60", two(i1("A"), e2("B")), "i1 A-B", "3.1.4", "B", "e2"),
    right("DS-61", overseas(i1("A"), zones={"n": "AG"}, ports="ABG", markers=[ship(), base("B")]), "i1 A~G"),
    wrong(
        "DS-61",
        overseas(i1("G"), zones={"n": "AG"}, ports="ABG", markers=[ship(), base("B")]),
        "i1 G~A",
        "3.1.2",
        "A",
        "base",
    ),
    # That the port of departure must not be the enemy's can't come to pass: who stands there has taken it.
    right("DS-62", printed("dai_senso/micronesia"), "inf_majuro e3515-e2611"),
    wrong("DS-62", printed("dai_senso/micronesia"), "inf_guadalcanal e2611-e3515", "3.1.2", "e3515", "kwajalein"),
    right(
        "DS-63",
        overseas(i1("A"), zones={"n": "A x"}, boxes={"x": ""}, markers=[ship()], control={"soviet": "A x"}),
        "i1 A~[x]",
        stops="3.1.2",
    ),
    wrong(
        "DS-63",
        overseas(i1("A"), zones={"n": "A x", "s": "x G"}, boxes={"x": ""}, markers=[ship(), ship("s")]),
        "i1 A~[x]~G",
        "3.1.2",
        "x",
    ),
    right("DS-64", chain(i1("A")), "i1 A~D~G"),
    wrong(
        "DS-64", overseas(i1("A"), zones={"n": "AD", "s": "G"}, markers=[ship(), ship("s")]), "i1 A~D~G", "3.1.2", "G"
    ),
    wrong(
        "DS-64",
        overseas(i1("A"), zones={"n": "ADG"}, markers=[ship(), ship()]),
        "i1 A~D~G",
        "3.1.2",
        "G",
        borderline=True,
        note="the next leg crosses another zone",
    ),
    wrong("DS-64", chain(i1("A"), e1("C")), "i1 A~D~G", "3.1", "D", "e1", note="an EZOC in the port ends the chain"),
    right("DS-64", chain(i1("A"), j1("D"), e1("C")), "i1 A~D~G", note="but not where a friend is"),
    right("DS-65", chain(i1("A")), "i1 A~D~G", mp="3"),
    wrong("DS-65", chain(i1("A"), ships=[ship("n")]), "i1 A~D~G", "3.1.2", "G"),
    right("DS-66", printed("dai_senso/micronesia_coral_sea"), "inf_majuro e3515-e2611-e2106"),
    wrong("DS-66", printed("dai_senso/micronesia"), "inf_majuro e3515-e2611-e2106", "3.1.2", "e2106"),
    right("DS-67", chain(i1("A", ma=1)), "i1 A~D~G", mp="1", borderline=True),
    wrong("DS-67", two(i1("A")), "i1 A~D-E", "3.1.4", "E", also=(("3.1.1", "E"),)),
    right("DS-68", two(i1("A")), "i1 A~D"),
    wrong("DS-68", two(i1("A"), j1("A")), "i1 A~D; j1 A~D", "3.1.2", "D", unit="j1", borderline=True),
    right("DS-69", two(i1("A"), j1("A"), ships=[ship(), ship()]), "i1 A~D; j1 A~D", borderline=True),
    wrong(
        "DS-69",
        two(i1("A"), j1("A"), ships=[ship(id="one"), ship(id="two")]),
        "i1 A~D(one); j1 A~D(one)",
        "3.1.2",
        "D",
        unit="j1",
    ),
    right("DS-70", two(west("A", steps=2), ships=[TRAIN], **OURS), "i1 A~D"),
    wrong(
        "DS-70", two(west("A"), west("A", id="j1"), ships=[TRAIN], **OURS), "i1 A~D; j1 A~D", "3.1.2", "D", unit="j1"
    ),
    right("DS-71", chain(west("A"), ships=[TRAIN, western("fleet_train", "us", "s")], **OURS), "i1 A~D~G"),
    wrong(
        "DS-71",
        two(west("A"), west("D", id="j1"), ships=[TRAIN], **OURS),
        "i1 A~D(train); j1 D~A(train)",
        "3.1.2",
        "A",
        unit="j1",
    ),
    right("DS-72", two(i1("A"), j1("A"), ships=[ship(), ship()]), "j1 A~D; i1 A~D"),
    wrong("DS-72", two(i2("A"), ships=[ship(), ship()]), "i2 A~D", "3.1.2", "D"),
    right("DS-73", chain(i1("A")), "i1 A~D~G", mp="3"),
    wrong("DS-73", chain(i1("A"), ships=[ship("n"), ship("n")]), "i1 A~D~G", "3.1.2", "G"),
    right(
        "DS-74",
        two(west("A"), west("A", id="big", steps=2), ships=[western("standard_convoy", "britain"), TRAIN], **OURS),
        "i1 A~D; big A~D",
        borderline=True,
        note="nobody has said which one takes whom: the Train is left for the large unit",
    ),
    wrong(
        "DS-74", two(west("A", steps=2), ships=[western("standard_convoy", "us")] * 2, **OURS), "i1 A~D", "3.1.2", "D"
    ),
    wrong("DS-74", two(west("A", "britain", steps=2), ships=[TRAIN], **OURS), "i1 A~D", "3.1.2", "D"),
)

NATIONALITY = (
    right("DS-75", two(west("A", "britain", traits=["exp"]), ships=[TRAIN], **OURS), "i1 A~D"),
    right("DS-75", two(axis("A", "siam", traits=["exp"]), ships=[ship(**JAPAN)], phasing="axis"), "i1 A~D"),
    wrong("DS-75", two(west("A", "britain"), ships=[TRAIN], **OURS), "i1 A~D", "3.1.2", "D"),
    right("DS-76", two(axis("A", "siam"), ships=[ship(side="axis")], phasing="axis"), "i1 A~D"),
    wrong("DS-76", two(west("A"), ships=[ship(side="axis")], **OURS), "i1 A~D", "3.1.2", "D"),
    right("DS-77", two(west("A", "australia"), ships=[western("standard_convoy", "us")], **OURS), "i1 A~D"),
    right("DS-77", two(west("A"), ships=[western("escort_convoy", "britain")], **OURS), "i1 A~D"),
    wrong("DS-77", two(i1("A"), ships=[western("standard_convoy", "us")]), "i1 A~D", "3.1.2", "D"),
    right("DS-78", two(axis("A", "japan"), ships=[ship(**JAPAN)], phasing="axis"), "i1 A~D"),
    right(
        "DS-78",
        two(i1("A", side="axis", nationality=["hopeh", "japan"]), ships=[ship(**JAPAN)], phasing="axis"),
        "i1 A~D",
        borderline=True,
        note="a multi-national unit is Japanese too",
    ),
    wrong("DS-78", two(axis("A", "siam"), ships=[ship(**JAPAN)], phasing="axis"), "i1 A~D", "3.1.2", "D"),
    right("DS-79", two(i1("A", nationality="russia"), ships=[ship(**RUSSIA)]), "i1 A~D"),
    wrong("DS-79", two(i1("A", nationality="mongolia"), ships=[ship(**RUSSIA)]), "i1 A~D", "3.1.2", "D"),
    right("DS-80", two(i1("A", nationality="mongolia")), "i1 A~D"),
    wrong("DS-80", two(west("A"), **OURS), "i1 A~D", "3.1.2", "D"),
    right("DS-81", two(west("A", steps=2), ships=[TRAIN], **OURS), "i1 A~D(train)"),
    wrong("DS-81", two(west("A", "britain"), ships=[TRAIN], **OURS), "i1 A~D(train)", "3.1.2", "D"),
)

BOXES = (
    right("DS-82", overseas(i1("x"), boxes=XYZ), "i1 [x]-[y]"),
    right("DS-82", overseas(i1("y"), boxes=XYZ), "i1 [y]-[x]", borderline=True, note="adjacent in both directions"),
    wrong("DS-82", overseas(i1("x", side="axis"), boxes=XYZ, phasing="axis"), "i1 [x]-[y]", "3.1.3", "y"),
    wrong("DS-82", overseas(i1("x"), boxes=XYZ), "i1 [x]-[z]", "3.1.3", "z"),
    right("DS-83", overseas(i1("x"), boxes=XYZ), "i1 [x]-[y]", stops="3.1.3"),
    wrong("DS-83", overseas(i1("x"), boxes=XYZ), "i1 [x]-[y]-[z]", "3.1.3", "y", also=(("3.1.3", "z"), ("3.1.1", "z"))),
    right("DS-84", overseas(i1("x", ma=1), boxes=XYZ), "i1 [x]-[y]", mp="1", borderline=True),
    wrong(
        "DS-84",
        overseas(i1("x"), boxes=XYZ),
        "i1 [x]-[y]-A",
        "3.1.3",
        "y",
        also=(("3.1.4", "A"), ("3.1.1", "A")),
    ),
    right("DS-85", overseas(*MANY, boxes=XYZ), "; ".join(f"u{i} [x]-[y]" for i in range(10))),
    wrong(
        "DS-85",
        overseas(*MANY[:2], zones={"n": "A x"}, boxes=XYZ, markers=[ship()]),
        "u0 [x]~A; u1 [x]~A",
        "3.1.2",
        "A",
        unit="u1",
        note="by sea, ships set the limit",
    ),
    right("DS-86", overseas(i1("x"), j1("y"), boxes=XYZ), "i1 [x]-[y]; j1 [y]-[x]"),
    wrong("DS-86", overseas(i1("x"), boxes=XYZ), "i1 [x]-[y]-[x]", "3.1.3", "y", also=(("3.1.3", "x"), ("3.1.1", "x"))),
    right("DS-87", overseas(i1("A"), j1("x"), zones={"n": "A x"}, boxes=XYZ, markers=[ship()]), "i1 A~[x]; j1 [x]-[y]"),
    wrong(
        "DS-87",
        overseas(i1("A"), zones={"n": "A x"}, boxes=XYZ, markers=[ship()]),
        "i1 A~[x]-[y]",
        "3.1.4",
        "y",
        also=(("3.1.2", "x"), ("3.1.3", "y"), ("3.1.1", "y")),
    ),
    right("DS-88", two(i1("A"), j1("A")), "i1 A~D; j1 A-B", note="units may use different ones"),
    wrong("DS-88", two(i1("A")), "i1 A~D-C", "3.1.4", "C", also=(("3.1.1", "C"),)),
    wrong("DS-88", two(i1("C")), "i1 C-D~A", "3.1.4", "A", also=(("3.1.2", "A"), ("3.1.1", "A")), borderline=True),
    right("DS-89", edge(i1(EE)), f"i1 [{EE}]-w5511-w5512"),
    wrong(
        "DS-89",
        shore(i1("B"), zones={"n": "CF"}, markers=[beach(), ship()]),
        "i1 B-C~F",
        "3.1.4",
        "F",
        also=(("3.1.1", "C"), ("3.1.1", "F"), ("3.1.2", "F")),
    ),
    right("DS-156", overseas(*MANY, boxes=XYZ), "u0 [x]-[y]"),
    wrong(
        "DS-156",
        overseas(*[{**unit, "at": "A"} for unit in MANY]),
        "u0 A-B",
        "Stacking",
        "A",
        " ".join(f"u{i}" for i in range(1, 10)),
    ),
)

OPEN = (
    right(
        "DS-159",
        overseas(i1("A"), zones={"n": "AC"}, ports="ACG", markers=[ship(), base("G")]),
        "i1 A~C",
        borderline=True,
    ),
    wrong(
        "DS-159",
        overseas(i1("A"), zones={"n": "AD"}, ports="ADG", markers=[ship(), base("G")]),
        "i1 A~D",
        "3.1.2",
        "D",
        "base",
        borderline=True,
    ),
    right(
        "DS-159",
        overseas(i1("A"), j1("F"), zones={"n": "AD"}, ports="ADG", markers=[ship(), base("G")]),
        "j1 F-G; i1 A~D",
        note="a Naval Base that is taken by land closes no port any more",
    ),
    wrong(
        "DS-159",
        overseas(i1("A"), j1("F"), zones={"n": "AD"}, ports="ADG", markers=[ship(), base("G")]),
        "i1 A~D; j1 F-G",
        "3.1.2",
        "D",
        "base",
        unit="i1",
    ),
    right(
        "DS-159",
        two(i1("A"), j1("E"), control={"soviet": "A", "axis": "D"}),
        "j1 E-D; i1 A~D",
        note="a port that is taken is friendly",
    ),
    right("DS-160", overseas(i1("A"), zones={"n": "AD"}, markers=[ship(), base("E")]), "i1 A~D", note="no port there"),
    wrong(
        "DS-160",
        overseas(i1("A"), zones={"n": "AD"}, ports="ADE", markers=[ship(), base("E", "western")]),
        "i1 A~D",
        "3.1.2",
        "D",
        "base",
        note="an allied faction's is an enemy's too",
    ),
    right("DS-161", chain(i1("A", ma=2)), "i1 A~D~G"),
    wrong("DS-161", chain(i1("A")), "i1 A~G", "3.1.2", "G", note="D alone links the two zones"),
)

CASES = (*BEACHES, *EASTERN_EUROPE, *PORTS, *NATIONALITY, *BOXES, *OPEN)
