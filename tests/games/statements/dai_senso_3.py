"""Dai Senso, 3: who may move."""

from __future__ import annotations

from tests.games.statements.board import LINE, air, arm, board, e1, e2, eair, hq, i1, i2, right, wrong

CUT = """
   T
S C A B
"""
"""S is a supply source; T touches C and A."""

CASES = (
    # DS-01: only the ground units of the side whose phase it is
    right("DS-01", board(LINE, i1("A")), "i1 A-B"),
    right("DS-01", board(LINE, i1("A", side="western"), phasing="western"), "i1 A-B"),
    wrong("DS-01", board(LINE, i1("A", side="western")), "i1 A-B", "3", "A"),
    wrong("DS-01", board(LINE, i1("A"), e1("C", ma=3)), "e1 C-D", "3", "C", unit="e1"),
    wrong("DS-01", board(LINE, air("A")), "air A-B", "3", "A", note="an Air unit is no ground unit"),
    wrong("DS-01", board(LINE, i1("A", type="naval")), "i1 A-B", "3", "A"),
    # DS-02: MA 0
    right("DS-02", board(LINE, hq("A", ma=1)), "hq A-B", mp="1", borderline=True),
    right("DS-02", board(LINE, hq("A", ma="1/2")), "hq A-B", mp="1", borderline=True, note="any MA above 0 will do"),
    wrong("DS-02", board(LINE, i1("A", type="static", ma=0)), "i1 A-B", "3", "A"),
    # DS-03: supply is tested on the board as it stands when the unit is picked up
    right(
        "DS-03",
        board("S X A B", arm("S"), i1("A"), e1("X"), supply={"soviet": "S"}),
        "arm SxX; i1 A-B",
        borderline=True,
    ),
    wrong(
        "DS-03",
        board("S X A B", arm("S"), i1("A"), e1("X"), supply={"soviet": "S"}),
        "i1 A-B; arm SxX",
        "3",
        "A",
        "e1",
        unit="i1",
    ),
    right("DS-03", board(CUT, i2("S"), i1("A"), e1("T"), supply={"soviet": "S"}), "i2 S-C; i1 A-B"),
    wrong("DS-03", board(CUT, i2("S"), i1("A"), e1("T"), supply={"soviet": "S"}), "i1 A-B; i2 S-C", "3", "A", "e1"),
    right("DS-03", board(CUT, i2("C"), i1("A"), e1("T"), supply={"soviet": "S"}), "i1 A-B; i2 C-S"),
    wrong(
        "DS-03",
        board(CUT, i2("C"), i1("A"), e1("T"), supply={"soviet": "S"}),
        "i2 C-S; i1 A-B",
        "3",
        "A",
        "e1",
        unit="i1",
    ),
    wrong(
        "DS-03",
        board("S X A B", i1("A"), e1("X", side="western"), supply={"soviet": "S"}),
        "i1 A-B",
        "3",
        "A",
        "e1",
        note="an allied faction cuts supply too: an enemy in everything",
    ),
    right("DS-03", board(CUT, i1("A"), eair("T"), supply={"soviet": "S"}), "i1 A-B", note="no ZOC"),
    right("DS-03", board(CUT, i1("A"), e1("T", type="fortress"), supply={"soviet": "S"}), "i1 A-B", note="no ZOC"),
    right("DS-03", board(CUT, i1("A"), e1("T"), supply={"soviet": "S"}, all_sea="TC"), "i1 A-B"),
    right("DS-03", board(CUT, i1("A"), e1("T"), supply={"soviet": "S"}, barred="TC"), "i1 A-B"),
    right("DS-03", board(CUT, i1("A"), e1("T"), supply={"soviet": "S"}, terrain={"T": "all_sea"}), "i1 A-B"),
    wrong("DS-03", board(CUT, i1("A"), e1("T"), supply={"soviet": "S"}, all_sea="TA"), "i1 A-B", "3", "A", "e1"),
    wrong("DS-03", board(CUT, i1("A"), e1("T"), air("C"), supply={"soviet": "S"}), "i1 A-B", "3", "A", "e1"),
    # DS-04: a move begun in supply runs on without
    right("DS-04", board("T A B C", i1("A"), e2("T"), supply={"soviet": "A"}), "i1 A-B-C", mp="2"),
    wrong("DS-04", board("T A B C", i1("C"), e2("T"), supply={"soviet": "A"}), "i1 C-B", "3", "C", "e2"),
    wrong("DS-04", board(LINE, i1("C", supplied=False)), "i1 C-B", "3", "C"),
    # DS-05: a move may end without supply
    right("DS-05", board("T A B C", i1("A"), e2("T"), supply={"soviet": "A"}), "i1 A-B"),
    wrong("DS-05", board("T A B C", i1("B"), e2("T"), supply={"soviet": "A"}), "i1 B-A", "3", "B", "e2"),
    right(
        "DS-05",
        board("T A B C", i1("A", ma=3), e2("T"), supply={"soviet": "A"}),
        "i1 A-B-C-B",
        borderline=True,
        note="to the last MP, out of supply from the first hex on",
    ),
)
