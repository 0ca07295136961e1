"""Dai Senso, 3.1.1: from hex to hex, and what it costs."""

from __future__ import annotations

from tests.games.statements.board import LINE, STAR, arm, board, e1, e2, eair, hq, i1, i2, printed, right, wrong

NANKING = printed("dai_senso/nanking")
BACK = "E D A B"

CASES = (
    # DS-19: one hexside, into an adjacent hex
    right("DS-19", board(LINE, i1("A")), "i1 A-B", mp="1"),
    wrong("DS-19", board(LINE, i1("A")), "i1 A-C", "3.1.1", "C"),
    wrong("DS-19", board(LINE, i1("A")), "i1 A-B-B", "3.1.1", "B", borderline=True, note="a hex is not next to itself"),
    wrong("DS-19", board(STAR, i1("T")), "i1 T-C", "3.1.1", "C", note="one row between them"),
    # DS-20: any direction, and back
    right("DS-20", board(BACK, arm("A")), "arm A-B-A-D", mp="3"),
    right("DS-20", board(STAR, arm("B", ma=6)), "arm B-A-Y-C-G-T-X", mp="6", borderline=True, note="all the way round"),
    wrong("DS-20", board(BACK, arm("A", ma=3)), "arm A-B-A-D-E", "3.1.1", "E"),
    # DS-21: hex and hexside are paid for before the entry
    right("DS-21", board(LINE, i1("A", ma=3), terrain={"B": "rough"}, river="AB"), "i1 A-B", mp="3"),
    right("DS-21", board(LINE, i1("A", ma=4), terrain={"C": "rough"}, river="BC"), "i1 A-B-C", mp="4", borderline=True),
    wrong("DS-21", board(LINE, i1("A", ma=3), terrain={"C": "rough"}, river="BC"), "i1 A-B-C", "3.1.1", "C"),
    # DS-22: the chart's price, for the hex entered and the hexside crossed
    right("DS-22", board(LINE, i1("E", ma=2), river="BC"), "i1 E-D-C", mp="2", borderline=True),
    wrong("DS-22", board(LINE, i1("A", ma=2), river="BC"), "i1 A-B-C", "3.1.1", "C", note="over the river it costs 2"),
    right("DS-22", board(LINE, i1("A", ma=3), river="BC"), "i1 A-B-C", mp="3", borderline=True),
    right("DS-22", board(LINE, i1("A", ma=2), terrain={"A": "rough"}), "i1 A-B-C", mp="2", note="not the hex left"),
    # DS-23: no entry without the whole price
    right("DS-23", board(LINE, i1("A", ma=3), terrain={"C": "rough"}), "i1 A-B-C", mp="3", borderline=True),
    wrong("DS-23", board(LINE, i1("A", ma=2), terrain={"C": "rough"}), "i1 A-B-C", "3.1.1", "C"),
    wrong("DS-23", board(LINE, i1("A", ma=3)), "i1 A-B-C-D-E", "3.1.1", "E"),
    # DS-24: the worked case, Nanking
    right("DS-24", NANKING, "tank w4724-w4624", mp="1"),
    wrong("DS-24", NANKING, "tank w4724-w4624-w4524", "3.1.1", "w4524", borderline=True),
    # DS-25: the minimum move
    right("DS-25", board(LINE, i1("A", ma=1), terrain={"B": "rough"}), "i1 A-B", mp="2"),
    right("DS-25", board(LINE, i1("A", ma=1), terrain={"B": "mountain"}, river="AB"), "i1 A-B", mp="4"),
    right(
        "DS-25",
        board(LINE, arm("A", ma=1), e1("B"), river="AB"),
        "arm AxB",
        mp="2",
        borderline=True,
        note="it may be an overrun",
    ),
    wrong("DS-25", board(LINE, i1("A", ma=0), terrain={"B": "rough"}), "i1 A-B", "3", "A"),
    # DS-26: the first hex only
    right("DS-26", board(LINE, i1("A", ma=2), terrain={"B": "mountain"}), "i1 A-B", mp="3"),
    wrong("DS-26", board(LINE, i1("A", ma=2), terrain={"C": "mountain"}), "i1 A-B-C", "3.1.1", "C"),
    wrong(
        "DS-26",
        board(LINE, i1("A", ma=2), terrain={"B": "rough"}),
        "i1 A-B-C",
        "3.1.1",
        "C",
        borderline=True,
        note="the MA exactly spent: no stop in B, but nothing left for C",
    ),
    wrong("DS-26", board(LINE, arm("A", ma=1), e1("C")), "arm A-BxC", "3.1.1", "C"),
    # DS-27: and there the unit stops
    right("DS-27", board(LINE, i1("A", ma=1), terrain={"B": "rough"}), "i1 A-B", mp="2", stops="3.1.1"),
    wrong(
        "DS-27",
        board(LINE, i1("A", ma=1), terrain={"B": "rough"}),
        "i1 A-B-C",
        "3.1.1",
        "B",
        also=(("3.1.1", "C"),),
    ),
    right(
        "DS-27",
        board(LINE, i1("A", ma=3), terrain={"B": "rough"}),
        "i1 A-B-C",
        mp="3",
        borderline=True,
        note="not overdrawn",
    ),
    # DS-28: every other ban holds
    right("DS-28", board(LINE, i1("A", ma=1), terrain={"B": "rough"}), "i1 A-B"),
    wrong("DS-28", board(LINE, i1("A", ma=1), e2("B"), terrain={"B": "rough"}), "i1 A-B", "3.1.4", "B", "e2"),
    wrong("DS-28", board(LINE, i1("A", ma=1), all_sea="AB"), "i1 A-B", "3.1.1", "B"),
    wrong("DS-28", board(LINE, i1("A", ma=1), terrain={"B": "all_sea"}), "i1 A-B", "3.1.1", "B"),
    wrong("DS-28", board(STAR, i1("B", ma=1), e1("T"), mud="B"), "i1 B-C", "3.1.4", "B", "e1"),
    wrong(
        "DS-28",
        board(LINE, arm("A", ma=1), e2("B"), terrain={"B": "rough"}),
        "arm AxB",
        "3.2",
        "B",
        "e2",
        borderline=True,
        note="an overrun as the first hex must be one that may be made",
    ),
    # DS-29: the worked case, the HQ over the river
    right("DS-29", NANKING, "hq w4725-w4624", mp="2", borderline=True),
    wrong("DS-29", NANKING, "hq w4725-w4624-w4524", "3.1.1", "w4624", also=(("3.1.1", "w4524"),)),
    # DS-30: a hex with an enemy Air unit may be left
    right("DS-30", board(LINE, i1("A"), eair("A")), "i1 A-B"),
    wrong("DS-30", board(LINE, i1("B"), eair("A")), "i1 B-A", "3.1.4", "A", "eair"),
    wrong(
        "DS-30",
        board(LINE, i1("A"), eair("A")),
        "i1 A-B-A",
        "3.1.4",
        "A",
        "eair",
        borderline=True,
        note="out, but not in again",
    ),
    # DS-31: at no extra price
    right("DS-31", board(LINE, i1("A", ma=1), eair("A")), "i1 A-B", mp="1"),
    right("DS-31", board(LINE, i1("A", ma=2), eair("A")), "i1 A-B-C", mp="2", borderline=True),
    wrong(
        "DS-31",
        board(LINE, i1("A", ma=1), eair("A")),
        "i1 A-B-C",
        "3.1.1",
        "C",
        note="B cost 1, so nothing is overdrawn there",
    ),
    # DS-32: the road or rail price in place of hex and hexside
    right("DS-32", board(LINE, i2("A", ma=2), terrain={"B": "rough"}, river="AB", road="AB"), "i2 A-B-C", mp="2"),
    right("DS-32", board(LINE, i1("A", ma=1), terrain={"B": "rough"}, river="AB", road="AB"), "i1 A-B", mp="1/2"),
    right("DS-32", board(LINE, i2("A", ma=1), terrain={"B": "mountain"}, rail="AB"), "i2 A-B", mp="1"),
    wrong(
        "DS-32",
        board(LINE, i2("A", ma=1), terrain={"B": "rough"}, river="AB", road="AB"),
        "i2 A-B-C",
        "3.1.1",
        "C",
        borderline=True,
        note="B cost 1, so nothing is overdrawn there",
    ),
    wrong(
        "DS-32",
        board(LINE, i2("A", ma=2), terrain={"B": "rough"}, river="AB"),
        "i2 A-B-C",
        "3.1.1",
        "B",
        also=(("3.1.1", "C"),),
        note="the same without the road",
    ),
    # DS-33: only over the hexside that it crosses
    right("DS-33", board(LINE, i2("A", ma=1), terrain={"B": "rough"}, road="AB"), "i2 A-B", mp="1"),
    right("DS-33", board(LINE, i2("A", ma=2), terrain={"B": "rough", "C": "rough"}, road="ABC"), "i2 A-B-C", mp="2"),
    wrong("DS-33", board(LINE, i2("D", ma=2), terrain={"B": "rough"}, road="AB"), "i2 D-C-B", "3.1.1", "B"),
    wrong(
        "DS-33",
        board(STAR, i2("A", ma=2), terrain={"C": "rough"}, road="ABGC"),
        "i2 A-B-C",
        "3.1.1",
        "C",
        borderline=True,
        note="the road goes the other way round to the same hex",
    ),
    # DS-34: one step or more
    right("DS-34", board(LINE, i1("A", ma=1), road="ABC"), "i1 A-B-C", mp="1", borderline=True),
    right("DS-34", board(LINE, i2("A", ma=2), road="ABC"), "i2 A-B-C", mp="2", borderline=True),
    wrong("DS-34", board(LINE, i2("A", ma=1), road="ABC"), "i2 A-B-C", "3.1.1", "C"),
    wrong("DS-34", board(LINE, i1("A", ma=1), road="ABCD"), "i1 A-B-C-D", "3.1.1", "D"),
    # DS-35: Operational or Reserve Movement Phase
    right("DS-35", board(LINE, i1("A", ma=1), rail="ABC"), "i1 A-B-C", mp="1"),
    right(
        "DS-35",
        board(LINE, i1("A", ma=1), rail="ABCDE", phase="reserve_movement"),
        "i1 A-B-C-D-E",
        mp="1",
        borderline=True,
    ),
    right("DS-35", board(LINE, i2("A", ma=1), rail="ABC", phase="reserve_movement"), "i2 A-B-C", mp="1"),
    *(
        right(
            "DS-35",
            board(LINE, unit("A"), terrain={"B": "rough"}, phase="reserve_movement", **way),
            f"{move} A-B",
            mp=mp,
        )
        for way in ({"road": "AB"}, {"all_sea": "AB", "connected_strait": "AB"})
        for unit, move, mp in ((i1, "i1", "1/2"), (i2, "i2", "1"))
    ),
    wrong("DS-35", board(LINE, i1("A", ma=1), rail="ABCDE"), "i1 A-B-C-D", "3.1.1", "D"),
    wrong("DS-35", board(LINE, i2("A", ma=1), rail="ABCDE"), "i2 A-B-C", "3.1.1", "C"),
    # DS-36: a Connected Strait
    right("DS-36", board(LINE, i1("A"), all_sea="AB", connected_strait="AB"), "i1 A-B", mp="1/2"),
    right("DS-36", board(LINE, i2("A"), all_sea="AB", connected_strait="AB"), "i2 A-B", mp="1"),
    right(
        "DS-36",
        board(LINE, i1("A", ma="1/2"), terrain={"B": "rough"}, all_sea="AB", connected_strait="AB"),
        "i1 A-B",
        mp="1/2",
        borderline=True,
    ),
    wrong("DS-36", board(LINE, i1("A"), all_sea="AB"), "i1 A-B", "3.1.1", "B"),
    wrong("DS-36", board(LINE, i1("A"), barred="AB"), "i1 A-B", "3.1.1", "B"),
    # DS-163: what is known of the chart
    right(
        "DS-163", board(LINE, hq("A", ma=4), terrain={"C": "rough"}, river="BC"), "hq A-B-C", mp="4", borderline=True
    ),
    right("DS-163", board(LINE, hq("A", ma=3)), "hq A-B-C-D", mp="3"),
    wrong("DS-163", board(LINE, hq("A", ma=3), terrain={"C": "rough"}, river="BC"), "hq A-B-C", "3.1.1", "C"),
    wrong("DS-163", board(LINE, arm("A"), e1("B"), terrain={"B": "rough"}), "arm AxB", "3.2", "B", "e1"),
)
