"""Dai Senso, what section 3 takes for granted: the map, ZOCs, the Reserve Movement Phase, stacking."""

from __future__ import annotations

from tests.games.statements.board import (
    LINE,
    STAR,
    Case,
    air,
    arm,
    board,
    e1,
    e2,
    eair,
    hq,
    i1,
    i2,
    own,
    printed,
    right,
    wrong,
)

RESERVE = "reserve_movement"
RING = "AYCGTX"


def ring() -> tuple[Case, ...]:
    """Return a case for each of the six hexes around B from which a ZOC reaches it, and one over a barred hexside."""
    found = []
    for place, enemy in enumerate(RING):
        start, end = RING[(place + 2) % 6], RING[(place + 4) % 6]
        found.append(wrong("DS-150", board(STAR, i1(start), e1(enemy)), f"i1 {start}-B-{end}", "3.1", "B", "e1"))
        found.append(
            right("DS-150", board(STAR, i1(start), e1(enemy), barred=f"B{enemy}"), f"i1 {start}-B-{end}", mp="2")
        )
    return tuple(found)


CASES = (
    # DS-149: the labels
    right("DS-149", printed("dai_senso/manchuria"), "inf w5525-w5425"),
    wrong(
        "DS-149", printed("dai_senso/manchuria", drop="inf111"), "inf w5525-w5426", "3.1.1", "w5426", borderline=True
    ),
    right("DS-149", printed("dai_senso/manchuria", drop="hailar kwantung4 inf111"), "plv w5525-w5526-w5425-w5325"),
    wrong(
        "DS-149",
        printed("dai_senso/manchuria", drop="inf111", at={"inf": "w5425"}),
        "inf w5425-w5524",
        "3.1.1",
        "w5524",
    ),
    right("DS-149", printed("dai_senso/nanking"), "hq w4725-w4624", note="the misprinted 24723"),
    # DS-150: how far a ZOC reaches
    right("DS-150", board(STAR, i1("A"), e1("T"), all_sea="BT"), "i1 A-B-C"),
    right(
        "DS-150",
        board(STAR, i1("A"), e1("T"), terrain={"T": "all_sea"}),
        "i1 A-B-C",
        note="from a Beachhead, over its all-sea hexsides",
    ),
    right("DS-150", board(STAR, i1("A"), eair("T")), "i1 A-B-C", note="an Air unit has none"),
    right("DS-150", board(STAR, i1("A"), e1("T", type="fortress")), "i1 A-B-C", note="nor has a Fortress"),
    right("DS-150", board(STAR, i1("A"), e1("U")), "i1 A-B-C", borderline=True, note="two hexes away"),
    wrong("DS-150", board(STAR, i1("A"), e1("T"), river="BT"), "i1 A-B-C", "3.1", "B", "e1", note="a river is no bar"),
    wrong(
        "DS-150",
        board(STAR, i1("A"), e1("T"), all_sea="BG"),
        "i1 A-B-C",
        "3.1",
        "B",
        "e1",
        note="the sea lies elsewhere",
    ),
    wrong("DS-150", board(STAR, i1("A"), e1("T", supplied=False)), "i1 A-B-C", "3.1", "B", "e1"),
    *ring(),
    # DS-151: cancelling lasts as long as the friend stays
    right("DS-151", board(STAR, i1("B"), arm("A"), e1("T")), "arm A-B-C; i1 B-A"),
    wrong("DS-151", board(STAR, i1("B"), arm("A"), e1("T")), "i1 B-A; arm A-B-C", "3.1", "B", "e1", unit="arm"),
    right("DS-151", board(STAR, i1("D"), arm("A"), e1("T")), "i1 D-C-B; arm A-B-C", borderline=True),
    right(
        "DS-151",
        board(STAR, i1("B"), i2("B"), arm("A"), e1("T")),
        "i1 B-A; arm A-B-C",
        note="while one friend stays the other may go",
    ),
    # DS-152: the Reserve Movement Phase
    right("DS-152", board(LINE, i1("A"), phase=RESERVE), "i1 A-B"),
    right("DS-152", board(STAR, i1("A"), e1("U"), phase=RESERVE), "i1 A-B-C", borderline=True),
    wrong("DS-152", board(STAR, i1("B"), e1("T"), phase=RESERVE), "i1 B-C", "5", "B", "e1"),
    wrong("DS-152", board(STAR, i1("A"), e1("T"), phase=RESERVE), "i1 A-B", "5", "B", "e1"),
    wrong("DS-152", board(STAR, i1("A"), e1("T"), phase=RESERVE), "i1 A-B-C", "5", "B", "e1"),
    wrong("DS-152", board(STAR, i1("A"), i2("B"), e1("T"), phase=RESERVE), "i1 A-B", "5", "B", "e1", unit="i1"),
    wrong("DS-152", board(STAR, i1("B"), i2("B"), e1("T"), phase=RESERVE), "i1 B-C", "5", "B", "e1", unit="i1"),
    wrong(
        "DS-152",
        board(STAR, i1("A"), e1("T"), phase=RESERVE, markers=[own("airdrop", "B")]),
        "i1 A-B",
        "5",
        "B",
        "e1",
        note="nor does an Airdrop help",
    ),
    wrong("DS-152", board(STAR, i1("B", ma=1), e2("T"), phase=RESERVE), "i1 B-C", "5", "B", "e2"),
    right("DS-152", board(STAR, i1("B"), e1("T"), phase=RESERVE, all_sea="BT"), "i1 B-C"),
    # DS-153: three units and six steps, when the phase ends
    right("DS-153", board(LINE, i1("B", id="a"), i1("B", id="b"), i1("B", id="c"), i1("A")), "i1 A-B-C"),
    right("DS-153", board(LINE, i1("B", id="a"), i1("B", id="b"), i1("A")), "i1 A-B", borderline=True),
    wrong(
        "DS-153",
        board(LINE, i1("B", id="a"), i1("B", id="b"), i1("B", id="c"), i1("A")),
        "i1 A-B",
        "Stacking",
        "B",
        "a b c i1",
        borderline=True,
    ),
    right("DS-153", board(LINE, i2("B", id="a"), i2("B", id="b"), i2("A")), "i2 A-B", borderline=True),
    wrong(
        "DS-153",
        board(LINE, i2("B", id="a"), i2("B", id="b"), i2("A", steps=3)),
        "i2 A-B",
        "Stacking",
        "B",
        "a b i2",
        borderline=True,
    ),
    right("DS-153", board(LINE, i1("B", id="a"), i1("B", id="b"), i1("B", id="c"), i1("A")), "i1 A-B; a B-C"),
    right("DS-153", board(LINE, i1("B", id="a"), i1("B", id="b"), i1("B", id="c"), i1("A")), "a B-C; i1 A-B"),
    right("DS-153", board(LINE, i1("B", id="a"), i1("B", id="b"), air("B"), i1("A")), "i1 A-B", note="ground units"),
    right(
        "DS-153", board(LINE, arm("A"), i1("A"), i2("A"), e1("B")), "arm AxB; i1 A-B; i2 A-B", note="victims are gone"
    ),
    # DS-154: Limited Stacking hexes and Beachheads
    right("DS-154", board(LINE, i1("B"), i2("A"), traits={"B": "limited_stacking"}), "i2 A-B", borderline=True),
    wrong(
        "DS-154",
        board(LINE, i2("B", id="a"), i2("A"), traits={"B": "limited_stacking"}),
        "i2 A-B",
        "Stacking",
        "B",
        "a i2",
        borderline=True,
    ),
    right(
        "DS-154",
        board(LINE, i1("B", id="a"), i1("B", id="b"), i1("A"), traits={"B": "limited_stacking"}),
        "i1 A-B",
        borderline=True,
    ),
    right(
        "DS-154",
        board(LINE, i1("A"), i1("B", id="a"), i2("B"), terrain={"B": "all_sea"}, markers=[own("beachhead", "B")]),
        "",
        note="on a Beachhead since an earlier phase",
    ),
    wrong(
        "DS-154",
        board(LINE, i2("B", id="a"), i2("B"), i1("D"), terrain={"B": "all_sea"}, markers=[own("beachhead", "B")]),
        "i1 D-E",
        "Stacking",
        "B",
        "a i2",
    ),
    right(
        "DS-154",
        board(LINE, *(i1("B", id=unit) for unit in "abc"), terrain={"B": "all_sea"}, markers=[own("beachhead", "B")]),
        "",
        borderline=True,
    ),
    right("DS-154", board(LINE, i2("B", id="a"), i2("A"), traits={"C": "limited_stacking"}), "i2 A-B"),
    right("DS-154", board(LINE, i2("B", id="a"), i2("A"), traits={"B": "limited_stacking"}), "i2 A-B-C"),
    # DS-155: one HQ and one Fortress
    right("DS-155", board(LINE, hq("A"), i2("B")), "hq A-B"),
    wrong("DS-155", board(LINE, hq("A"), hq("B", id="staff")), "hq A-B", "Stacking", "B", "hq staff", borderline=True),
    right(
        "DS-155", board(LINE, hq("A"), i1("B", type="fortress", ma=0)), "hq A-B", borderline=True, note="one of each"
    ),
    wrong(
        "DS-155",
        board(LINE, i1("A", type="fortress"), i1("B", id="fort", type="fortress", ma=0)),
        "i1 A-B",
        "Stacking",
        "B",
        "i1 fort",
    ),
    right("DS-155", board(LINE, hq("A"), hq("B", id="staff")), "staff B-C; hq A-B"),
    # DS-157: no plan may end with an excess
    right("DS-157", board(LINE, i1("A"), i1("A", id="b"), i1("B", id="c")), "i1 A-B; b A-B", borderline=True),
    wrong(
        "DS-157",
        board(LINE, i1("A"), i1("A", id="b"), i1("B", id="c"), i1("B", id="d")),
        "i1 A-B; b A-B",
        "Stacking",
        "B",
        "i1 b c d",
    ),
    wrong(
        "DS-157",
        board(LINE, i1("A"), *(i1("C", id=unit) for unit in "abcd")),
        "i1 A-B",
        "Stacking",
        "C",
        "a b c d",
        note="nor with one that was there before",
    ),
    right("DS-157", board(LINE, *(i1("C", id=unit) for unit in "abcd")), "a C-B", note="but it may be resolved"),
    # DS-158: units of different minor countries
    right(
        "DS-158",
        board(LINE, i1("A", nationality="siam", traits=["exp"]), i1("B", id="h1", nationality="hopeh")),
        "i1 A-B",
        borderline=True,
    ),
    wrong(
        "DS-158",
        board(LINE, i1("A", nationality="siam"), i1("B", id="h1", nationality="hopeh")),
        "i1 A-B",
        "Stacking",
        "B",
        "i1 h1",
    ),
    right(
        "DS-158",
        board(LINE, i1("A", nationality="siam"), i1("B", id="h1", nationality="hopeh")),
        "i1 A-B-C",
        note="passing through is free",
    ),
    right("DS-158", board(LINE, i1("A", nationality="siam"), i1("B", id="h1", nationality="siam")), "i1 A-B"),
    right("DS-158", board(LINE, i1("A", nationality="japan"), i1("B", id="h1", nationality="hopeh")), "i1 A-B"),
    wrong(
        "DS-158",
        board(LINE, i2("A", nationality="siam", traits=["exp"]), i1("B", id="h1", nationality="hopeh")),
        "i2 A-B",
        "Stacking",
        "B",
        "i2 h1",
        note="a multi-step unit has lost its Exp ability",
    ),
)
