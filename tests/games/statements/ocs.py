"""OCS 4.3: ground movement, statement by statement."""

from __future__ import annotations

from tests.games.statements.board import FLANK, LINE, STAR, right, wrong
from tests.games.statements.ocs_board import board, enemy, leg, other, track, truck

LONG = "A B C D E F G H I J K L"
TWO = """
 U T
A N V W
"""
"""T touches N and V; U touches A and N."""

MOVEMENT = (
    # OCS-01, 6.0: as many or as few as one likes
    right("OCS-01", board(LINE, truck("A"), truck("A", "t2"), leg("A")), "t1 A-B; t2 A-B-C"),
    wrong("OCS-01", board(LINE, truck("A"), truck("A", "t2")), "", legal=True, borderline=True, note="nobody has to"),
    # OCS-02: the Reaction and the Exploitation Phase, as far as modes allow
    right("OCS-02", board(LINE, track("A", traits="exploitation_mode"), phase="exploitation"), "k1 A-B"),
    right("OCS-02", board(LINE, track("A", traits=["reserve_mode", "released"]), phase="exploitation"), "k1 A-B"),
    wrong("OCS-02", board(LINE, track("A"), phase="exploitation"), "k1 A-B", "6.0", "A"),
    wrong("OCS-02", board(LINE, track("A", side="allied"), phase="reaction"), "k1 A-B", "6.0", "A"),
    # OCS-03: only MA, mode, fuel and terrain bound a move
    right("OCS-03", board(LONG, truck("A", ma=20)), "t1 A-B-C-D-E-F-G-H-I-J-K", mp="20", borderline=True),
    wrong("OCS-03", board(LONG, truck("A", ma=20)), "t1 A-B-C-D-E-F-G-H-I-J-K-L", "6.1a", "L"),
    # OCS-04, 6.1: alone or as a stack
    right("OCS-04", board(LINE, truck("A"), truck("A", "t2")), "t1+t2 A-B-C", borderline=True),
    right("OCS-04", board(LINE, truck("A"), truck("A", "t2")), "t1 A-B-C; t2 A-B-C"),
    wrong("OCS-04", board(LINE, truck("A"), truck("B", "t2")), "t1+t2 A-B-C", "6.1g", "A", unit="t2"),
    # OCS-05: an unbroken chain of hexes
    right("OCS-05", board(LINE, track("A")), "k1 A-B-C", mp="2"),
    wrong("OCS-05", board(LINE, track("A")), "k1 A-C", "6.1", "C"),
    # OCS-06: in any direction, and back again
    right("OCS-06", board(STAR, track("A")), "k1 A-B-A-X", mp="3"),
    wrong("OCS-06", board(STAR, track("A", ma=2)), "k1 A-B-A-X", "6.1a", "X", note="coming back is not free"),
    # OCS-07: one is finished before the next begins
    right("OCS-07", board(LINE, truck("A"), truck("A", "t2")), "t1 A-B-C; t2 A-B"),
    wrong("OCS-07", board(LINE, truck("A"), truck("A", "t2")), "t1 A-B; t2 A-B; t1 B-C", "6.1g", "B", unit="t1"),
    # OCS-08: no regular combat while moving
    right("OCS-08", board(STAR, leg("A"), enemy("T")), "l1 A-B"),
    wrong("OCS-08", board(STAR, leg("A"), enemy("T")), "l1 A-B-T", "6.3b", "T", "e"),
    # OCS-09: but overruns
    right("OCS-09", board(STAR, track("B"), track("B", "k2"), enemy("T")), "k1+k2 BxT", mp="3"),
    wrong(
        "OCS-09", board(STAR, track("B", traits="dg"), track("B", "k2"), enemy("T")), "k1+k2 BxT", "8.1", "T", unit="k1"
    ),
    # OCS-10, 6.1a: hexes and hexsides by the chart
    right("OCS-10", board(LINE, leg("A", ma=2), minor_river="AB"), "l1 A-B", mp="2", borderline=True),
    wrong("OCS-10", board(LINE, leg("A", ma=2), minor_river="BC"), "l1 A-B-C", "6.1a", "C"),
    # OCS-11: the total so far
    right("OCS-11", board(LINE, truck("A", ma=6)), "t1 A-B-C-D", mp="6", borderline=True),
    wrong("OCS-11", board(LINE, truck("A", ma=6)), "t1 A-B-C-D-E", "6.1a", "E"),
    # OCS-12, 6.1b: each phase brings the MA anew
    right("OCS-12", board(LONG, track("A", ma=10)), "k1 A-B-C-D-E-F-G-H-I-J-K", mp="10", borderline=True),
    right("OCS-12", board(LONG, track("A", ma=10, traits="exploitation_mode"), phase="exploitation"), "k1 A-B-C-D-E-F"),
    wrong("OCS-12", board(LONG, track("A", ma=10)), "k1 A-B-C-D-E-F-G-H-I-J-K-L", "6.1a", "L"),
    # OCS-13: modes change it
    right("OCS-13", board(LONG, truck("A", ma=10, traits="strat_mode")), "t1 A-B-C-D-E-F-G-H-I-J-K", mp="20"),
    wrong("OCS-13", board(LONG, leg("A", ma=10, traits="dg")), "l1 A-B-C-D-E-F-G", "6.1a", "G"),
    # OCS-14: units without an MA
    right("OCS-14", board(LINE, leg("A", ma=5)), "l1 A-B"),
    wrong("OCS-14", board(LINE, other("A", "air_base")), "o1 A-B", "6.1b", "A"),
    wrong("OCS-14", board(LINE, other("A", "hedgehog")), "o1 A-B", "6.1b", "A"),
    # OCS-15, 6.1c: one hex at least, as the whole move
    right("OCS-15", board(LINE, track("A", ma=6, traits="reserve_mode"), terrain={"B": "hills"}), "k1 A-B", mp="3"),
    wrong(
        "OCS-15", board(LINE, track("A", ma=6, traits="reserve_mode"), terrain={"C": "hills"}), "k1 A-B-C", "6.1a", "C"
    ),
    wrong(
        "OCS-15",
        board(LINE, track("A", ma=6, traits="reserve_mode"), terrain={"B": "hills"}, road="BC"),
        "k1 A-B-C",
        "6.1c",
        "B",
        also=(("6.1a", "C"),),
        note="and no further hex after it",
    ),
    # OCS-16: never an overrun
    right("OCS-16", board(STAR, track("B", ma=3), enemy("T")), "k1 BxT", mp="3", borderline=True),
    wrong("OCS-16", board(STAR, track("B", ma=2), enemy("T")), "k1 BxT", "6.1c", "T"),
    # OCS-17: never against the mode
    right("OCS-17", board(FLANK, track("A", ma=2, traits="reserve_mode"), enemy("T")), "k1 A-B"),
    wrong("OCS-17", board(FLANK, truck("A", ma="1/2", traits="strat_mode"), enemy("T")), "t1 A-B", "5.8", "B", "e"),
    # OCS-18: never into prohibited terrain
    right("OCS-18", board(LINE, track("A", ma=1), terrain={"B": "hills"}), "k1 A-B", mp="3"),
    wrong("OCS-18", board(LINE, track("A", ma=1), terrain={"B": "mountain"}), "k1 A-B", "6.2c", "B"),
    # OCS-19: only with an MA above zero
    right("OCS-19", board(LINE, track("A", ma=1, traits="reserve_mode")), "k1 A-B", mp="1", borderline=True),
    wrong("OCS-19", board(LINE, other("A", "supply")), "o1 A-B", "6.1b", "A"),
    wrong("OCS-19", board(LINE, leg("A", ma=0)), "l1 A-B", "6.1b", "A"),
    # OCS-20, 6.1d: from A to B only if from B to A
    right("OCS-20", board(LINE, leg("A"), terrain={"A": "mountain"}), "l1 A-B"),
    wrong("OCS-20", board(LINE, truck("A"), terrain={"A": "mountain"}), "t1 A-B", "6.1d", "B"),
    # OCS-21, its example
    right("OCS-21", board(LINE, truck("B"), terrain={"B": "mountain"}, road="AB"), "t1 B-A", mp="1/2"),
    wrong("OCS-21", board(LINE, truck("B"), terrain={"B": "mountain"}, road="AB"), "t1 B-C", "6.1d", "C"),
    right(
        "OCS-21",
        board(LINE, truck("B"), terrain={"B": "mountain", "C": "mountain"}, road="ABCD"),
        "t1 B-C-D",
        borderline=True,
    ),
    # OCS-22: roads don't count in an overrun
    right("OCS-22", board(STAR, leg("B"), enemy("T"), terrain={"B": "mountain"}), "l1 BxT"),
    wrong("OCS-22", board(STAR, track("B"), enemy("T"), terrain={"B": "mountain"}, road="BT"), "k1 BxT", "6.1d", "T"),
    wrong(
        "OCS-22",
        board(STAR, track("B"), enemy("T"), terrain={"B": "village"}, also={"B": "swamp"}, road="BT"),
        "k1 BxT",
        "6.1d",
        "T",
    ),
    # OCS-23, 6.1e: each unit its own MA
    right("OCS-23", board(LINE, leg("A", ma=2), truck("A")), "l1+t1 A-B-C/l1-D", mp="6", borderline=True),
    wrong("OCS-23", board(LINE, leg("A", ma=2), truck("A")), "l1+t1 A-B-C-D", "6.1a", "D", unit="l1"),
    # OCS-24: each mobility class its own price
    right(
        "OCS-24",
        board(LINE, leg("A", ma=2), track("A", ma=3), terrain={"B": "hills"}),
        "l1+k1 A-B",
        mp="3",
        borderline=True,
    ),
    wrong(
        "OCS-24",
        board(LINE, leg("A", ma=3), track("A", ma=3), terrain={"C": "hills"}),
        "l1+k1 A-B-C",
        "6.1a",
        "C",
        unit="k1",
    ),
    # OCS-25: MP are not passed on
    right("OCS-25", board(LINE, truck("A", ma=4), truck("A", "t2")), "t1+t2 A-B-C/t1-D"),
    wrong("OCS-25", board(LINE, truck("A", ma=4), truck("A", "t2")), "t1+t2 A-B-C-D", "6.1a", "D", unit="t1"),
    # OCS-26: nor kept
    right(
        "OCS-26",
        board(LINE, track("A", ma=6, traits="exploitation_mode"), phase="exploitation"),
        "k1 A-B-C-D",
        borderline=True,
    ),
    wrong(
        "OCS-26",
        board(LINE, track("A", ma=6, traits="exploitation_mode"), phase="exploitation"),
        "k1 A-B-C-D-E",
        "6.1a",
        "E",
    ),
    # OCS-27, 6.1f: units are dropped on the way, none are picked up
    right("OCS-27", board(LINE, truck("A"), truck("A", "t2")), "t1+t2 A-B/t1-C", borderline=True),
    wrong("OCS-27", board(LINE, truck("A"), truck("C", "t2")), "t1+t2 A-B-C-D", "6.1g", "A", unit="t2"),
    # OCS-28: who was dropped moves no more
    right("OCS-28", board(LINE, truck("A"), truck("A", "t2")), "t1+t2 A-B/t1-C-D"),
    wrong("OCS-28", board(LINE, truck("A"), truck("A", "t2")), "t1+t2 A-B/t1-C; t1 B-C", "6.1g", "B", unit="t1"),
    # OCS-29: who goes elsewhere doesn't set out with the stack
    right("OCS-29", board(STAR, truck("A"), truck("A", "t2")), "t1 A-X; t2 A-B"),
    wrong("OCS-29", board(STAR, truck("A"), truck("A", "t2")), "t1+t2 A-B; t1 B-T", "6.1g", "B", unit="t1"),
    # OCS-30, 6.1g: no part of a move now and the rest later
    right("OCS-30", board(LINE, truck("A"), truck("A", "t2")), "t1 A-B-C; t2 A-B-C", borderline=True),
    wrong("OCS-30", board(LINE, truck("A"), truck("A", "t2")), "t1 A-B; t2 A-B-C; t1 B-C", "6.1g", "B", unit="t1"),
    # OCS-31: not for an air mission either
    right("OCS-31", board(TWO, track("A"), enemy("T")), "k1 A-NxT", note="the mission comes before the move"),
    wrong("OCS-31", board(TWO, track("A"), enemy("T")), "k1 A-N; k1 NxT", "6.1g", "N", unit="k1"),
    # OCS-32: once begun, without a break
    right("OCS-32", board(TWO, track("A"), enemy("T")), "k1 A-NxT-V"),
    wrong("OCS-32", board(TWO, track("A"), truck("A"), enemy("T")), "k1 A-N; t1 A-U; k1 NxT", "6.1g", "N", unit="k1"),
    # OCS-33: but for Transport Points
    right(
        "OCS-33",
        board(LINE, other("A", "transport", ma=6), leg("A")),
        "o1 A-B; l1 A-B; o1 B-C-D",
        mp="4",
        borderline=True,
    ),
    wrong(
        "OCS-33", board(LINE, other("A", "transport", ma=6), leg("A")), "l1 A-B; o1 A-B; l1 B-C", "6.1g", "B", unit="l1"
    ),
    wrong("OCS-33", board(LINE, other("A", "transport", ma=6)), "o1 A-B; o1 B-C-D-E", "6.1a", "E"),
    # OCS-34, 6.1h: doubled, halved, quartered
    right("OCS-34", board(LINE, track("A", ma=12, traits="reserve_mode")), "k1 A-B-C-D", borderline=True),
    wrong("OCS-34", board(LINE, track("A", ma=12, traits="reserve_mode")), "k1 A-B-C-D-E", "6.1a", "E"),
    # OCS-35: never rounded
    right(
        "OCS-35",
        board(LINE, leg("A", traits="dg"), terrain={"B": "hills"}, road="BC"),
        "l1 A-B-C",
        mp="5/2",
        borderline=True,
    ),
    wrong("OCS-35", board(LINE, leg("A", traits="dg"), terrain={"B": "hills"}, road="BCD"), "l1 A-B-C-D", "6.1a", "D"),
)

TERRAIN = (
    # OCS-36, 6.2
    right("OCS-36", board(LINE, leg("A", ma=2), minor_river="AB"), "l1 A-B", mp="2", borderline=True),
    wrong("OCS-36", board(LINE, leg("A", ma=2), minor_river="BC"), "l1 A-B-C", "6.1a", "C"),
    # OCS-37: the whole price
    right("OCS-37", board(LINE, track("A", ma=4), terrain={"C": "hills"}), "k1 A-B-C", mp="4"),
    wrong("OCS-37", board(LINE, track("A", ma="7/2"), terrain={"C": "hills"}), "k1 A-B-C", "6.1a", "C"),
    # OCS-38: by mobility class
    right("OCS-38", board(LINE, leg("A", ma=3), terrain={"B": "mountain"}), "l1 A-B", mp="3"),
    wrong("OCS-38", board(LINE, truck("A", ma=40), terrain={"B": "mountain"}), "t1 A-B", "6.2c", "B"),
    # OCS-39: everything road-like is a road
    right("OCS-39", board(LINE, truck("A", ma=2), railroad="ABC"), "t1 A-B-C", mp="2"),
    right("OCS-39", board(LINE, truck("A", ma=2), track_road="AB", secondary_road="BC"), "t1 A-B-C", mp="2"),
    wrong("OCS-39", board(LINE, truck("A", ma=2), minor_river="ABC"), "t1 A-B-C", "6.1c", "B", also=(("6.1a", "C"),)),
    # OCS-40, 6.2a: across the hexside
    right("OCS-40", board(LINE, truck("A", ma=1), road="ABC"), "t1 A-B-C", mp="1", borderline=True),
    wrong("OCS-40", board(STAR, truck("A", ma=1), road="XA,YB"), "t1 A-B-C", "6.1c", "B", also=(("6.1a", "C"),)),
    # OCS-41: the road price alone
    right("OCS-41", board(LINE, truck("A", ma=12), terrain={"B": "mountain"}, road="AB"), "t1 A-B", mp="1/2"),
    wrong("OCS-41", board(LINE, truck("A", ma=12), terrain={"B": "mountain"}, road="BC"), "t1 A-B", "6.2c", "B"),
    # OCS-42: roads need not meet in the hex
    right("OCS-42", board(STAR, truck("A", ma=1), road="AB,BC"), "t1 A-B-C", mp="1"),
    wrong("OCS-42", board(STAR, truck("A", ma=1), road="AB,YC"), "t1 A-B-C", "6.1a", "C", note="but there must be one"),
    # OCS-43: nor be of one kind
    right("OCS-43", board(LINE, truck("A", ma="3/2"), railroad="AB", road="BC"), "t1 A-B-C", mp="3/2", borderline=True),
    wrong("OCS-43", board(LINE, truck("A", ma="3/2"), railroad="AB"), "t1 A-B-C", "6.1a", "C"),
    # OCS-44, 6.2b: hexsides on top
    right("OCS-44", board(LINE, leg("A", ma=2), minor_river="AB"), "l1 A-B", mp="2"),
    wrong("OCS-44", board(LINE, leg("A", ma=3), minor_river="ABC"), "l1 A-B-C", "6.1a", "C"),
    # OCS-45: but along a road
    right("OCS-45", board(LINE, leg("A", ma="1/2"), minor_river="AB", road="AB"), "l1 A-B", mp="1/2", borderline=True),
    wrong("OCS-45", board(LINE, leg("A", ma=3), minor_river="BC", road="AB"), "l1 A-B-C-D", "6.1a", "D"),
    # OCS-46: bridging
    right(
        "OCS-46",
        board(LINE, track("A"), leg("B", "eng", type="engineer", traits="bridging"), minor_river="AB"),
        "k1 A-B",
        mp="1",
    ),
    wrong(
        "OCS-46",
        board(LINE, track("A", ma=2), leg("C", "eng", type="engineer", traits="bridging"), minor_river="AB"),
        "k1 A-B-C",
        "6.1c",
        "B",
        also=(("6.1a", "C"),),
    ),
    right(
        "OCS-46",
        board(LINE, track("A"), truck("A", "eng", type="engineer", traits="bridging"), minor_river="BC"),
        "eng A-B; k1 A-B-C",
        mp="2",
        note="once it is there",
    ),
    wrong(
        "OCS-46",
        board(LINE, track("A", ma=2), truck("A", "eng", type="engineer", traits="bridging"), minor_river="BC"),
        "k1 A-B-C; eng A-B",
        "6.1a",
        "C",
        unit="k1",
    ),
    # OCS-47, 6.2c: prohibited
    right("OCS-47", board(LINE, truck("A"), terrain={"B": "mountain"}, railroad="AB"), "t1 A-B", borderline=True),
    wrong("OCS-47", board(LINE, truck("A"), terrain={"B": "mountain"}), "t1 A-B", "6.2c", "B"),
    wrong("OCS-47", board(LINE, leg("A"), lake_side="AB"), "l1 A-B", "6.2c", "B"),
    right("OCS-47", board(LINE, leg("A"), lake_side="AB", road="AB"), "l1 A-B", mp="1/2", note="a causeway"),
    # OCS-49, 6.2d: of mixed terrain the dearest for the class
    right(
        "OCS-49", board(LINE, leg("A"), terrain={"B": "marsh"}, also={"B": "hills"}), "l1 A-B", mp="3", borderline=True
    ),
    right("OCS-49", board(LINE, track("A"), terrain={"B": "marsh"}, also={"B": "hills"}), "k1 A-B", mp="3"),
    wrong("OCS-49", board(LINE, leg("A", ma=3), terrain={"C": "marsh"}, also={"C": "hills"}), "l1 A-B-C", "6.1a", "C"),
    wrong(
        "OCS-49", board(LINE, track("A", ma=3), terrain={"C": "marsh"}, also={"C": "hills"}), "k1 A-B-C", "6.1a", "C"
    ),
    # OCS-50: however little of it
    right("OCS-50", board(LINE, leg("A", ma=3), also={"B": "mountain"}), "l1 A-B", mp="3"),
    wrong("OCS-50", board(LINE, leg("A", ma=3), also={"C": "mountain"}), "l1 A-B-C", "6.1a", "C"),
    wrong("OCS-50", board(LINE, truck("A"), also={"B": "mountain"}), "t1 A-B", "6.2c", "B"),
    # OCS-51: but for nubs of city and village
    right("OCS-51", board(LINE, leg("A", ma=1), also={"B": "village"}), "l1 A-B", mp="1"),
    wrong(
        "OCS-51",
        board(LINE, truck("A", ma=3), also={"B": "village", "C": "village"}),
        "t1 A-B-C",
        "6.1a",
        "C",
        note="it stays open ground",
    ),
    # OCS-52: no water where land shows
    right("OCS-52", board(LINE, leg("A"), lake_side="AB", land="AB"), "l1 A-B", mp="1"),
    wrong("OCS-52", board(LINE, leg("A"), lake_side="AB"), "l1 A-B", "6.2c", "B"),
    # OCS-53: the cheapest water
    right("OCS-53", board(LINE, leg("A"), lake_side="AB", minor_river="AB"), "l1 A-B", mp="2"),
    wrong(
        "OCS-53",
        board(LINE, leg("A", ma=2), lake_side="AB", minor_river="AB"),
        "l1 A-B-C",
        "6.1a",
        "C",
        note="which is paid",
    ),
    # OCS-54: a river's loose end is no river
    right("OCS-54", board(LINE, leg("A", ma=1), minor_river="BC"), "l1 A-B", mp="1"),
    wrong("OCS-54", board(LINE, leg("A", ma=2), minor_river="BC"), "l1 A-B-C", "6.1a", "C"),
    # OCS-91: the chart is data
    right("OCS-91", board(LINE, truck("A", ma=4), terrain={"B": "hills"}), "t1 A-B", mp="4", borderline=True),
    wrong("OCS-91", board(LINE, truck("A", ma=5), terrain={"C": "hills"}), "t1 A-B-C", "6.1a", "C"),
    # OCS-92: "All"
    right("OCS-92", board(LINE, truck("A"), terrain={"B": "marsh"}), "t1 A-B", mp="12", borderline=True),
    wrong("OCS-92", board(LINE, truck("A"), terrain={"B": "marsh"}), "t1 A-B-C", "6.1a", "C"),
    wrong(
        "OCS-92", board(LINE, truck("A"), terrain={"C": "marsh"}), "t1 A-B-C", "6.1a", "C", note="of an untouched MA"
    ),
    # OCS-93: "P"
    right("OCS-93", board(LINE, truck("A"), terrain={"B": "swamp"}, track_road="AB"), "t1 A-B", mp="1"),
    wrong("OCS-93", board(LINE, truck("A"), terrain={"B": "swamp"}), "t1 A-B", "6.2c", "B"),
)

ENEMIES = (
    # OCS-55, 6.3a: whose phase it is
    right("OCS-55", board(LINE, truck("A")), "t1 A-B", borderline=True),
    wrong("OCS-55", board(LINE, truck("A"), enemy("D")), "e D-E", "6.3a", "D", unit="e"),
    # OCS-56: the Reaction Phase
    right(
        "OCS-56",
        board(LINE, truck("A", traits=["reserve_mode", "released"]), phase="reaction", phasing="allied"),
        "t1 A-B",
    ),
    wrong(
        "OCS-56", board(LINE, truck("A", traits=["reserve_mode", "released"]), phase="reaction"), "t1 A-B", "6.3a", "A"
    ),
    # OCS-57, 6.3b: an EZOC stops trucks
    right("OCS-57", board(STAR, truck("A"), enemy("T")), "t1 A-B", stops="6.3b"),
    wrong("OCS-57", board(STAR, truck("A"), enemy("T")), "t1 A-B-C", "6.3b", "B", "e"),
    right("OCS-57", board(STAR, truck("A"), enemy("U")), "t1 A-B-C", borderline=True, note="two hexes away"),
    # OCS-58: and nobody else
    right("OCS-58", board(STAR, leg("A"), enemy("T")), "l1 A-B-C", stops=""),
    right("OCS-58", board(STAR, track("A"), enemy("T")), "k1 A-B-C"),
    wrong("OCS-58", board(STAR, truck("A"), leg("A"), enemy("T")), "l1+t1 A-B-C", "6.3b", "B", "e", unit="t1"),
    # OCS-59: enemy combat units bar, others don't
    right("OCS-59", board(LINE, leg("A"), enemy("B", type="air_base", ma=0)), "l1 A-B"),
    wrong("OCS-59", board(LINE, leg("A"), enemy("B")), "l1 A-B", "6.3b", "B", "e"),
    # OCS-60: ZOCs cross any hexside
    right("OCS-60", board(STAR, truck("A"), enemy("T"), lake_side="TB"), "t1 A-B", stops="6.3b", borderline=True),
    wrong("OCS-60", board(STAR, truck("A"), enemy("T"), lake_side="TB"), "t1 A-B-C", "6.3b", "B", "e"),
    # OCS-61: who has one
    wrong("OCS-61", board(STAR, truck("A"), enemy("T")), "t1 A-B-C", "6.3b", "B", "e"),
    right("OCS-61", board(STAR, truck("A"), enemy("T", traits="strat_mode")), "t1 A-B-C"),
    right("OCS-61", board(STAR, truck("A"), enemy("T", traits="reserve_mode")), "t1 A-B-C"),
    right("OCS-61", board(STAR, truck("A"), enemy("T", supplied=False)), "t1 A-B-C"),
    right("OCS-61", board(STAR, truck("A"), enemy("T", type="security")), "t1 A-B-C", note="not attack-capable"),
    # OCS-62: end the move, or overrun
    right("OCS-62", board(TWO, truck("A"), enemy("T")), "t1 A-NxT"),
    wrong("OCS-62", board(TWO, truck("A"), enemy("T")), "t1 A-N-V", "6.3b", "N", "e"),
    # OCS-63: who starts in one may leave
    right("OCS-63", board(STAR, truck("B"), enemy("T")), "t1 B-C-D"),
    wrong("OCS-63", board(STAR, truck("A"), enemy("T")), "t1 A-B-C-D", "6.3b", "B", "e"),
    # OCS-64: a friend in the hex
    right("OCS-64", board(STAR, truck("B"), truck("A", "t2"), enemy("T")), "t2 A-B-C"),
    right("OCS-64", board(STAR, truck("A"), truck("A", "t2"), enemy("T")), "t1+t2 A-B/t1-C", borderline=True),
    wrong(
        "OCS-64", board(STAR, truck("A"), truck("A", "t2"), enemy("T")), "t2 A-B-C; t1 A-B", "6.3b", "B", "e", unit="t2"
    ),
    wrong("OCS-64", board(STAR, other("B", "hq"), truck("A", "t2"), enemy("T")), "t2 A-B-C", "6.3b", "B", "e"),
    # OCS-65: who spends no MP later
    right("OCS-65", board(STAR, truck("A"), truck("A", "t2"), enemy("T")), "t1 A-B; t2 A-B-C"),
    wrong(
        "OCS-65", board(STAR, truck("B"), truck("A", "t2"), enemy("T")), "t2 A-B-C; t1 B-A", "6.3b", "B", "e", unit="t2"
    ),
    # OCS-66: the carpet
    right(
        "OCS-66",
        board(FLANK, truck("A", ma=18), truck("A", "t2", ma=18), truck("A", "t3", ma=18), enemy("T"), road="ABCDE"),
        "t1+t2+t3 A-B/t1-C/t2-D-E",
        mp="2",
        borderline=True,
    ),
    wrong(
        "OCS-66",
        board(FLANK, truck("A", ma=18), truck("A", "t2", ma=18), enemy("T"), road="ABCDE"),
        "t1+t2 A-B/t1-C-D-E",
        "6.3b",
        "C",
        "e",
        unit="t2",
    ),
    # OCS-67, 5.8: Strat Mode doubles
    right(
        "OCS-67",
        board(LONG, truck("A", ma=10, traits="strat_mode")),
        "t1 A-B-C-D-E-F-G-H-I-J-K",
        mp="20",
        borderline=True,
    ),
    wrong("OCS-67", board(LONG, truck("A", ma=10, traits="strat_mode")), "t1 A-B-C-D-E-F-G-H-I-J-K-L", "6.1a", "L"),
    # OCS-68: it never enters an EZOC
    right("OCS-68", board(STAR, truck("A", traits="strat_mode"), enemy("T")), "t1 A-Y-C"),
    right(
        "OCS-68",
        board(STAR, truck("A", traits="strat_mode"), leg("B"), enemy("T")),
        "t1 A-B-C",
        note="unless it is negated",
    ),
    wrong("OCS-68", board(STAR, truck("A", traits="strat_mode"), enemy("T")), "t1 A-B", "5.8", "B", "e"),
    # OCS-69: nor overruns
    right("OCS-69", board(STAR, truck("B"), enemy("T")), "t1 BxT"),
    wrong("OCS-69", board(STAR, truck("B", traits="strat_mode"), enemy("T")), "t1 BxT", "8.1", "T"),
    # OCS-70, 5.7: reserves
    right("OCS-70", board(LINE, track("A", ma=12, traits="reserve_mode")), "k1 A-B-C-D", borderline=True),
    wrong("OCS-70", board(LINE, track("A", ma=12, traits="reserve_mode")), "k1 A-B-C-D-E", "6.1a", "E"),
    # OCS-71: released in the Exploitation Phase
    right(
        "OCS-71",
        board(LONG, track("A", ma=10, traits=["reserve_mode", "released"]), phase="exploitation"),
        "k1 A-B-C-D-E-F-G-H-I-J-K",
        mp="10",
        borderline=True,
    ),
    wrong(
        "OCS-71",
        board(LONG, track("A", ma=10, traits=["reserve_mode", "released"]), phase="exploitation"),
        "k1 A-B-C-D-E-F-G-H-I-J-K-L",
        "6.1a",
        "L",
    ),
    # OCS-72: in the Reaction Phase
    right(
        "OCS-72",
        board(LONG, track("A", ma=12, traits=["reserve_mode", "released"]), phase="reaction", phasing="allied"),
        "k1 A-B-C-D-E-F-G",
        mp="6",
        borderline=True,
    ),
    wrong(
        "OCS-72",
        board(LONG, track("A", ma=12, traits=["reserve_mode", "released"]), phase="reaction", phasing="allied"),
        "k1 A-B-C-D-E-F-G-H",
        "6.1a",
        "H",
    ),
    # OCS-73: Exploitation Mode
    right(
        "OCS-73",
        board(LONG, truck("A", ma=20, traits="exploitation_mode"), phase="exploitation"),
        "t1 A-B-C-D-E-F",
        mp="10",
        borderline=True,
    ),
    wrong(
        "OCS-73",
        board(LONG, truck("A", ma=20, traits="exploitation_mode"), phase="exploitation"),
        "t1 A-B-C-D-E-F-G",
        "6.1a",
        "G",
    ),
    # OCS-74, 5.10: Disorganized
    right("OCS-74", board(LINE, leg("A", traits="dg"), road="CD"), "l1 A-B-C-D", mp="5/2", borderline=True),
    wrong("OCS-74", board(LINE, leg("A", traits="dg")), "l1 A-B-C-D", "6.1a", "D"),
    # OCS-75: and no overrun
    right("OCS-75", board(STAR, leg("B"), leg("B", "l2"), enemy("T")), "l1+l2 BxT"),
    wrong(
        "OCS-75",
        board(STAR, leg("B"), leg("B", "l2", traits="dg", ma=8), enemy("T")),
        "l1+l2 BxT",
        "8.1",
        "T",
        unit="l2",
    ),
    # OCS-76, 4.8: 10 RE
    right("OCS-76", board(LINE, leg("A", size=5), leg("B", "l2", size=5)), "l1 A-B", borderline=True),
    wrong("OCS-76", board(LINE, leg("A", size="battalion"), leg("B", "l2", size=10)), "l1 A-B", "4.8", "B", "l1 l2"),
    # OCS-77: in the end only
    right("OCS-77", board(LINE, leg("A", size=3), leg("B", "l2", size=8)), "l1 A-B-C"),
    wrong("OCS-77", board(LINE, leg("A", size=3), leg("B", "l2", size=8)), "l1 A-B", "4.8", "B", "l1 l2"),
    # OCS-78, 8.1: and in the hex from which an overrun is made
    right("OCS-78", board(TWO, track("A", size=2), leg("N", size=8), enemy("T")), "k1 A-NxT", borderline=True),
    wrong(
        "OCS-78",
        board(TWO, track("A", size=3), leg("N", size=8), enemy("T")),
        "k1 A-NxT",
        "8.1",
        "N",
        "l1",
        also=(("4.8", "N"),),
        note="and if it fails the stack is stuck there",
    ),
    wrong(
        "OCS-78",
        board(TWO, track("A", size=3), leg("N", size=8), enemy("T")),
        "k1 A-NxT; l1 N-A",
        "8.1",
        "N",
        "l1",
        unit="k1",
    ),
    right("OCS-78", board(TWO, track("A", size=3), leg("N", size=8), enemy("T")), "l1 N-A; k1 A-NxT"),
    # OCS-79: sizes
    right(
        "OCS-79",
        board(
            LINE,
            leg("A", size="battalion"),
            leg("A", "l2", size="battalion"),
            leg("A", "l3", size="company"),
            leg("B", "l4", size="35/4"),
        ),
        "l1+l2+l3 A-B",
        borderline=True,
    ),
    wrong(
        "OCS-79",
        board(LINE, leg("A"), leg("A", "l2"), leg("A", "l3"), leg("B", "l4", size="35/4")),
        "l1+l2+l3 A-B",
        "4.8",
        "B",
        "l1 l2 l3 l4",
    ),
    # OCS-80: who overruns together started together
    right("OCS-80", board(TWO, track("A"), track("A", "k2"), enemy("T")), "k1+k2 A-NxT"),
    wrong("OCS-80", board(TWO, track("A"), track("N", "k2"), enemy("T")), "k1+k2 A-NxT", "6.1g", "A", unit="k2"),
    # OCS-81: 3 MP an attempt
    right("OCS-81", board(STAR, track("B", ma=3), enemy("T")), "k1 BxT", mp="3", borderline=True),
    wrong("OCS-81", board(TWO, track("A", ma="7/2"), enemy("T")), "k1 A-NxT", "6.1a", "T"),
    # OCS-82: occupying the hex is free
    right("OCS-82", board(STAR, track("B", ma=3), enemy("T"), terrain={"T": "hills"}), "k1 BxT", mp="3"),
    wrong("OCS-82", board(TWO, track("N", ma=3), enemy("T")), "k1 NxT-V", "6.1a", "V", note="going on is not"),
    # OCS-83: entry at most 3
    right("OCS-83", board(STAR, track("B"), enemy("T"), terrain={"T": "hills"}), "k1 BxT", borderline=True),
    wrong(
        "OCS-83", board(STAR, track("B"), enemy("T"), terrain={"T": "hills"}, minor_river="BT"), "k1 BxT", "8.1", "T"
    ),
    # OCS-84: without road or bridge
    right("OCS-84", board(STAR, track("B"), enemy("T"), road="BT"), "k1 BxT", mp="3"),
    wrong("OCS-84", board(STAR, track("B"), enemy("T"), major_river="BT", road="BT"), "k1 BxT", "8.1", "T"),
    # OCS-85: "All" bars it
    right("OCS-85", board(STAR, track("B"), enemy("T"), terrain={"T": "marsh"}), "k1 BxT"),
    wrong("OCS-85", board(STAR, truck("B", ma=3), enemy("T"), terrain={"T": "marsh"}), "t1 BxT", "8.1", "T"),
    # OCS-86: modes
    right("OCS-86", board(STAR, track("B", traits="exploitation_mode"), enemy("T"), phase="exploitation"), "k1 BxT"),
    wrong("OCS-86", board(STAR, track("B", ma=40, traits="reserve_mode"), enemy("T")), "k1 BxT", "8.1", "T"),
    # OCS-87: again, while there are 3 MP
    right("OCS-87", board(STAR, track("B", ma=7), enemy("T")), "k1 BxT*2", mp="6", borderline=True),
    wrong("OCS-87", board(STAR, track("B", ma=5), enemy("T")), "k1 BxT*2", "6.1a", "T"),
    # OCS-88: the result is rolled
    right("OCS-88", board(TWO, track("N"), enemy("T")), "k1 NxT-V", note="what follows, if it goes through"),
    wrong("OCS-88", board(TWO, track("N"), leg("N"), enemy("T")), "k1 NxT; l1 N-T", "6.3b", "T", "e", unit="l1"),
    right("OCS-88", board(TWO, track("N"), leg("N"), enemy("T"), confidence="5/6"), "k1 NxT; l1 N-T", borderline=True),
    wrong(
        "OCS-88",
        board(TWO, track("N"), leg("N"), enemy("T"), confidence="6/7"),
        "k1 NxT; l1 N-T",
        "6.3b",
        "T",
        "e",
        unit="l1",
    ),
    # OCS-89, 4.8c: onto enemies that don't fight
    right("OCS-89", board(LINE, leg("A"), enemy("B", type="supply", ma=0)), "l1 A-B", borderline=True),
    wrong(
        "OCS-89",
        board(LINE, other("A", "transport", ma=10), enemy("B", type="supply", ma=0)),
        "o1 A-B",
        "4.8c",
        "B",
        "e",
    ),
    # OCS-90, 12.5: fuel
    right("OCS-90", board(LINE, leg("A", traits="unfuelled")), "l1 A-B", borderline=True),
    right(
        "OCS-90", board(LINE, other("A", "transport", ma=10, traits="unfuelled")), "o1 A-B", note="combat units only"
    ),
    wrong("OCS-90", board(LINE, track("A", traits="unfuelled")), "k1 A-B", "12.5", "A"),
    wrong("OCS-90", board(LINE, truck("A", traits="unfuelled")), "t1 A-B", "12.5", "A"),
)

CASES = (*MOVEMENT, *TERRAIN, *ENEMIES)
