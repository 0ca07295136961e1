"""Dai Senso, 3.1: one unit at a time, and the stop in an EZOC."""

from __future__ import annotations

from tests.statements.board import FLANK, LINE, STAR, air, arm, board, e1, e2, eair, foe, hq, i1, i2, own, right, wrong

CASES = (
    # DS-06: singly, never as a stack
    right("DS-06", board(STAR, i1("A"), arm("A"), e1("T")), "i1 A-B; arm A-B-C"),
    wrong("DS-06", board(STAR, i1("A"), arm("A"), e1("T")), "i1+arm A-B-C", "3.1", "A", unit="i1"),
    wrong("DS-06", board(LINE, i1("A"), arm("A")), "i1+arm A-B", "3.1", "A", note="even where no enemy is near"),
    wrong(
        "DS-06",
        board(STAR, i1("A"), arm("A"), e1("T")),
        "i1 A-B-C; arm A-B-C",
        "3.1",
        "B",
        "e1",
        note="neither may call the other its friend",
    ),
    # DS-07: finished before the next one begins, never resumed
    right("DS-07", board(LINE, i1("A"), arm("A")), "i1 A-B-C; arm A-B"),
    wrong("DS-07", board(STAR, i1("A"), arm("A")), "i1 A-B; arm A-B-C; i1 B-G", "3.1", "B", unit="i1"),
    wrong("DS-07", board(LINE, i1("A")), "i1 A-B; i1 B-C", "3.1", "B", borderline=True, note="with MA to spare"),
    wrong("DS-07", board(LINE, i1("A"), arm("A")), "i1 B-C", "3.1", "B", note="a unit moves from where it stands"),
    # DS-08: entering an EZOC ends the move
    right("DS-08", board(STAR, i1("A"), e1("T")), "i1 A-B", mp="1", stops="3.1"),
    wrong("DS-08", board(STAR, i1("A"), e1("T")), "i1 A-B-C", "3.1", "B", "e1", unit="i1"),
    right("DS-08", board(STAR, i1("A"), e1("U")), "i1 A-B-C", borderline=True, note="two hexes away is not next to it"),
    wrong("DS-08", board(STAR, i1("A"), e1("T"), phase="exploitation"), "i1 A-B-C", "3.1", "B", "e1"),
    wrong("DS-08", board(FLANK, arm("A"), e1("T")), "arm A-B-C-D", "3.1", "B", "e1", also=(("3.1", "C"),)),
    wrong("DS-08", board(STAR, i1("A"), e1("T", type="hq")), "i1 A-B-C", "3.1", "B", "e1"),
    # DS-09: a different friendly unit in the hex
    right("DS-09", board(STAR, i1("B"), arm("A"), e1("T")), "arm A-B-C"),
    wrong("DS-09", board(STAR, i1("C"), arm("A"), e1("T")), "arm A-B-C", "3.1", "B", "e1", unit="arm"),
    right("DS-09", board(STAR, i1("A"), arm("A"), e2("T")), "i1 A-B; arm A-B-C"),
    wrong("DS-09", board(STAR, i1("A"), arm("A"), e2("T")), "arm A-B-C; i1 A-B", "3.1", "B", "e2", unit="arm"),
    right("DS-09", board(STAR, hq("B"), arm("A"), e1("T")), "arm A-B-C", note="an HQ is a ground unit"),
    wrong("DS-09", board(STAR, air("B"), arm("A"), e1("T")), "arm A-B-C", "3.1", "B", "e1", note="ground units only"),
    right(
        "DS-09",
        board(STAR, i1("B", supplied=False, ma=0), arm("A"), e1("T")),
        "arm A-B-C",
        note="whatever the friend itself could do",
    ),
    wrong(
        "DS-09",
        board(STAR, i1("B", side="western"), arm("A")),
        "arm A-B-C",
        "3.1.4",
        "B",
        "i1",
        note="an allied faction's unit is no friend",
    ),
    right("DS-09", board(STAR, i1("B"), arm("A"), e1("T"), phase="exploitation"), "arm A-B-C"),
    right(
        "DS-09",
        board(STAR, arm("A"), i1("A"), i1("E", id="j1"), e1("T")),
        "i1 A-B; arm A-B-C-D; j1 E-D-C-B",
        borderline=True,
        note="each finds the board as the one before has left it",
    ),
    # DS-10: an Airdrop marker does the same
    right("DS-10", board(STAR, i1("A"), e1("T"), markers=[own("airdrop", "B")]), "i1 A-B-C"),
    wrong("DS-10", board(STAR, i1("A"), e1("T"), markers=[own("airdrop", "C")]), "i1 A-B-C", "3.1", "B", "e1"),
    wrong(
        "DS-10",
        board(STAR, i1("A"), e1("T"), markers=[foe("airdrop", "B")]),
        "i1 A-B-C",
        "3.1",
        "B",
        "e1",
        borderline=True,
        note="a friendly one",
    ),
    wrong(
        "DS-10", board(STAR, i1("A"), e1("T"), markers=[foe("airdrop", "B", "western")]), "i1 A-B-C", "3.1", "B", "e1"
    ),
    # DS-11: the EZOC of the victim
    right("DS-11", board(STAR, arm("A"), e1("T")), "arm A-BxT", boxes={"e1": "force_pool"}),
    wrong("DS-11", board(STAR, i2("A"), e1("T")), "i2 A-BxT", "3.2", "T", note="infantry can't overrun"),
    wrong("DS-11", board(STAR, i2("A"), e1("T")), "i2 A-B-T", "3.1", "B", "e1", also=(("3.1.4", "T"),)),
    wrong(
        "DS-11",
        board(STAR, arm("A"), e1("T"), e1("C", id="f1")),
        "arm A-BxT",
        "3.1",
        "B",
        "f1",
        borderline=True,
        note="of the very unit that is overrun: f1's EZOC still stops",
    ),
    # DS-12 to DS-14: other markers don't lift the stop
    right("DS-12", board(STAR, i1("B"), arm("A"), e1("T"), markers=[own("detachment", "B")]), "arm A-B-C"),
    wrong("DS-12", board(STAR, arm("A"), e1("T"), markers=[own("detachment", "B")]), "arm A-B-C", "3.1", "B", "e1"),
    right("DS-13", board(STAR, arm("A"), e1("T"), markers=[own("logistics", "B")]), "arm A-B", stops="3.1"),
    wrong("DS-13", board(STAR, arm("A"), e1("T"), markers=[own("logistics", "B")]), "arm A-B-C", "3.1", "B", "e1"),
    right("DS-14", board(STAR, arm("A"), e1("T"), markers=[own("partisan_base", "B")]), "arm A-B", stops="3.1"),
    wrong("DS-14", board(STAR, arm("A"), e1("T"), markers=[own("partisan_base", "B")]), "arm A-B-C", "3.1", "B", "e1"),
    # DS-15: a unit that begins in an EZOC may leave it
    right("DS-15", board(STAR, i1("B"), e1("T")), "i1 B-C-D", mp="2"),
    wrong("DS-15", board(STAR, i1("A"), e1("T")), "i1 A-B-A", "3.1", "B", "e1"),
    wrong("DS-15", board(STAR, i1("A"), e1("T")), "i1 A-B; i1 B-C", "3.1", "B"),
    wrong(
        "DS-15",
        board(STAR, i1("B"), e1("T")),
        "i1 B-C-B-A",
        "3.1",
        "B",
        "e1",
        borderline=True,
        note="the hex in which it began stops it when it comes back",
    ),
    # DS-16: straight from one EZOC hex into another, at any point
    right("DS-16", board(FLANK, i1("B"), e1("T")), "i1 B-C"),
    right("DS-16", board(STAR, i1("D"), e1("T")), "i1 D-C-B"),
    wrong("DS-16", board(FLANK, i1("B"), e1("T")), "i1 B-C-D", "3.1", "C", "e1"),
    # DS-17: which stops it as usual
    right("DS-17", board(FLANK, i1("C"), arm("B"), e1("T")), "arm B-C-D"),
    wrong("DS-17", board(FLANK, arm("B"), e1("T")), "arm B-C-D", "3.1", "C", "e1"),
    wrong(
        "DS-17",
        board(FLANK, i1("B"), arm("B"), e1("T")),
        "arm B-C-D",
        "3.1",
        "C",
        "e1",
        borderline=True,
        note="the friend must stand in the hex that is entered, not in the one that is left",
    ),
    # DS-18: every side that is not phasing is an enemy
    right("DS-18", board(STAR, i1("A", side="western"), e1("T", side="western"), phasing="western"), "i1 A-B-C"),
    wrong(
        "DS-18",
        board(STAR, i1("A", side="western"), e1("T", side="soviet"), phasing="western"),
        "i1 A-B-C",
        "3.1",
        "B",
        "e1",
        unit="i1",
    ),
    wrong("DS-18", board(LINE, i1("A"), e1("B", side="western")), "i1 A-B", "3.1.4", "B", "e1"),
    right("DS-18", board(LINE, arm("A"), e1("B", side="western")), "arm AxB", boxes={"e1": "force_pool"}),
    right(
        "DS-18",
        board(STAR, i1("A"), eair("T", side="western")),
        "i1 A-B-C",
        borderline=True,
        note="an enemy, but one without a ZOC",
    ),
    right(
        "DS-18",
        board(STAR, i1("A"), arm("U"), e1("T", side="western")),
        "arm UxT; i1 A-B-C",
    ),
    wrong(
        "DS-18",
        board(STAR, i1("A"), e1("T", side="western"), e2("X")),
        "i1 A-B-C",
        "3.1",
        "B",
        "e1 e2",
        note="both factions at once",
    ),
)
