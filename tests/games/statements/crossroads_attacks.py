"""The attacks of Crossroads, statement by statement."""

from __future__ import annotations

from tests.games.statements.board import LINE, STAR, right, wrong
from tests.games.statements.crossroads_board import after, board, foe, guns, own

GANG = (own("A", "x", values="4-4-4"), own("C", "y", values="3-4-4"), own("Y", "z", values="2-4-4"))
"""Three attackers of B, worth 9 together."""

STRONG = own("A", values="12-4-4")
DOZEN = (STRONG, own("A", "y", values="12-4-4"))
"""Two who attack 4 at 6:1."""


PAIR = (foe("B"), foe("B", "f"))
"""Two in B."""

RETREAT = "x -> B=DR e B-G-D, f B-G-D"
"""Both go to D."""

FULL = {"U": "lake", "V": "lake", "E": "lake"}
"""Nobody who leaves B can go anywhere but to D."""


def solid(at: str, defense: int) -> dict[str, object]:
    """Return an enemy that defends with so much."""
    return foe(at, values=f"4-{defense}-4")


TWO = board(STAR, own("A"), own("C", "y"), foe("B"), foe("D", "f"))
"""Each has one to attack."""

FREE = board(STAR, own("A"), guns("C"), foe("B"), foe("D", "f"))
"""One must attack, the other may."""

DECLARED = (
    # CR-34, 7.1: after the moves
    right("CR-34", board(LINE, own("A"), foe("C")), "x A-B; x -> C", borderline=True),
    wrong("CR-34", board(LINE, own("A"), foe("B"), phase="second_movement"), "x -> B", "7.1", "B"),
    wrong("CR-34", board(LINE, own("A"), foe("B"), phase="reinforcement", turn=3), "x -> B", "7.1", "B"),
    # CR-67: all before the first is rolled
    right("CR-67", after(TWO, "x -> B=EX; y -> D"), "y -> D", borderline=True),
    right("CR-67", after(FREE, "x -> B=EX; no other attacks"), "no attacks"),
    wrong("CR-67", after(TWO, "x -> B=EX; y -> D"), "no attacks", "7.1", "D"),
    wrong("CR-67", after(FREE, "x -> B=EX; no other attacks"), "g -> D", "7.1", "D"),
    # CR-35: beside it
    right("CR-35", board(LINE, own("A"), foe("B")), "x -> B"),
    wrong("CR-35", board(LINE, own("A"), foe("C")), "x -> C", "7.1", "A", unit="x"),
    # CR-36: together
    right("CR-36", board(LINE, own("A"), own("A", "y"), foe("B")), "x+y -> B", odds="2:1"),
    right("CR-36", board(STAR, own("A"), own("C", "y"), foe("B")), "x+y -> B", odds="2:1"),
    wrong("CR-36", board(STAR, own("A"), own("D", "y"), foe("B")), "x+y -> B", "7.1", "D", unit="y"),
    # CR-37, 7.2: one attack each
    right("CR-37", board(STAR, own("B"), foe("A"), foe("G", "f")), "x -> A", borderline=True),
    wrong("CR-37", board(STAR, own("B"), foe("A"), foe("G", "f")), "x -> A; x -> G", "7.2", "B", unit="x"),
    # CR-38: and on each
    right("CR-38", board(STAR, own("A"), own("C", "y"), foe("B"), foe("D", "f")), "x -> B; y -> D"),
    wrong("CR-38", board(STAR, own("A"), own("C", "y"), foe("B")), "x -> B; y -> B", "7.2", "B", "e"),
    # CR-39: all in it
    right("CR-39", board(LINE, own("A"), foe("B"), foe("B", "f")), "x -> B", odds="1:2"),
    right("CR-39", board(LINE, own("A"), foe("B"), foe("B", "f")), "x -> B(e+f)", odds="1:2"),
    wrong("CR-39", board(LINE, own("A"), foe("B"), foe("B", "f")), "x -> B(e)", "7.2", "B", "f"),
    # CR-40, 7.3: who must
    right("CR-40", board(LINE, own("A"), foe("B")), "x -> B", borderline=True),
    right("CR-40", board(LINE, own("A"), foe("B"), river="AB"), "no attacks", note="in no EZOC"),
    wrong("CR-40", board(LINE, own("A"), foe("B")), "no attacks", "7.3", "A", "e", unit="x"),
    wrong("CR-40", board(LINE, own("A"), own("A", "y"), foe("B")), "x -> B", "7.3", "A", "e", unit="y"),
    # CR-41: who needn't
    right("CR-41", board(LINE, guns("A"), foe("B")), "no attacks"),
    wrong("CR-41", board(LINE, guns("A"), own("A"), foe("B")), "g -> B", "7.3", "A", "e", unit="x"),
    # CR-42, 7.4: two hexes
    right("CR-42", board(LINE, guns("A"), own("B"), foe("C")), "g+x -> C", odds="2:1", borderline=True),
    wrong("CR-42", board(LINE, guns("A"), own("C"), foe("D")), "g+x -> D", "7.4", "A", unit="g"),
    wrong("CR-42", board(LINE, own("A"), own("B", "y"), foe("C")), "x+y -> C", "7.1", "A", unit="x"),
    # CR-43: in company
    right("CR-43", board(LINE, guns("A"), own("B"), foe("C")), "g+x -> C"),
    right("CR-43", board(LINE, guns("A"), foe("B")), "g -> B", note="beside the hex it needs none"),
    wrong("CR-43", board(LINE, guns("A"), foe("C")), "g -> C", "7.4", "A", unit="g"),
    wrong("CR-43", board(LINE, guns("A"), own("B"), foe("C")), "g -> C; x -> C", "7.4", "A", also=(("7.2", "C"),)),
    # CR-44: safe from afar
    right(
        "CR-44",
        board(LINE, guns("A"), own("B"), foe("C")),
        "g+x -> C",
        results={"AR": "1/3: x back 1", "EX": "1/6: x lost, e lost"},
    ),
    right(
        "CR-44",
        board(LINE, guns("A"), own("B", values="1-4-4"), foe("C")),
        "g+x -> C",
        results={"AE": "1/6: x lost"},
    ),
    wrong(
        "CR-44",
        board(LINE, guns("B"), own("B", values="1-4-4"), foe("C")),
        "g+x -> C",
        legal=True,
        results={"AE": "1/6: g lost, x lost", "AR": "1/2: g back 1, x back 1"},
        note="not beside the hex",
    ),
)

ODDS = (
    # CR-45, 7.5: rounded down
    right("CR-45", board(LINE, own("A", values="7-4-4"), foe("B")), "x -> B", odds="1:1", borderline=True),
    wrong("CR-45", board(LINE, own("A", values="8-4-4"), foe("B")), "x -> B", legal=True, odds="2:1"),
    # CR-46: the ends of the table
    right("CR-46", board(LINE, own("A", values="1-4-4"), foe("B")), "x -> B", odds="less than 1:2, as 1:2"),
    right("CR-46", board(LINE, own("A", values="28-4-4"), foe("B")), "x -> B", odds="6:1"),
    wrong("CR-46", board(LINE, own("A", values="2-4-4"), foe("B")), "x -> B", legal=True, odds="1:2"),
    wrong("CR-46", board(LINE, own("A", values="23-4-4"), foe("B")), "x -> B", legal=True, odds="5:1"),
    # CR-47: the ground
    *(
        right("CR-47", board(LINE, STRONG, foe("B"), terrain={"B": name}), "x -> B", odds=f"3:1, 2:1 for the {name}")
        for name in ("woods", "hills", "town")
    ),
    wrong("CR-47", board(LINE, STRONG, foe("B"), terrain={"A": "woods"}), "x -> B", legal=True, odds="3:1"),
    wrong("CR-47", board(LINE, STRONG, foe("B"), terrain={"B": "marsh"}), "x -> B", legal=True, odds="3:1"),
    # CR-48: forts
    right("CR-48", board(LINE, STRONG, foe("B"), fort="B"), "x -> B", odds="3:1, 2:1 for the fort"),
    right(
        "CR-48",
        board(LINE, STRONG, foe("B"), fort="B", terrain={"B": "hills"}),
        "x -> B",
        odds="3:1, 1:1 for the hills and the fort",
    ),
    wrong("CR-48", board(LINE, STRONG, foe("B"), fort="A"), "x -> B", legal=True, odds="3:1"),
    # CR-49: the river
    right("CR-49", board(LINE, STRONG, foe("B"), river="AB"), "x -> B", odds="3:1, 2:1 for the river between"),
    right(
        "CR-49",
        board(LINE, guns("A"), own("B", values="7-4-4"), foe("C"), river="BC"),
        "g+x -> C",
        odds="3:1, 2:1 for the river between",
        note="of those beside the hex",
    ),
    wrong("CR-49", board(LINE, STRONG, foe("B"), river="AB", bridge="AB"), "x -> B", legal=True, odds="3:1"),
    wrong("CR-49", board(STAR, own("A"), own("C", "y"), foe("B"), river="AB"), "x+y -> B", legal=True, odds="2:1"),
    # CR-50: no farther
    right(
        "CR-50",
        board(LINE, own("A"), foe("B"), fort="B", terrain={"B": "hills"}),
        "x -> B",
        odds="1:1, 1:2 for the hills and the fort",
    ),
    wrong("CR-50", board(LINE, own("A"), foe("B"), fort="B"), "x -> B", legal=True, odds="1:1, 1:2 for the fort"),
)

RESULTS = (
    # CR-51, 7.6: eliminated
    right("CR-51", board(LINE, own("B", values="2-4-4"), foe("C")), "x -> C", results={"AE": "1/2: x lost"}),
    right("CR-51", board(LINE, *DOZEN, foe("B")), "x+y -> B", results={"DE": "2/3: e lost, B open"}, borderline=True),
    right("CR-51", board(LINE, *DOZEN, foe("B")), "x+y -> B=DE", places={"x": "A", "y": "A", "e": "-"}),
    wrong("CR-51", board(LINE, *DOZEN, foe("B")), "x+y -> B=AE", "7.1", "B", note="at 6:1 it can't be rolled"),
    # CR-52: back
    right(
        "CR-52",
        board(LINE, own("B"), foe("C")),
        "x -> C",
        results={"AR": "1/2: x back 1", "DR": "1/6: e back 2, C open"},
    ),
    right("CR-52", board(LINE, own("B"), foe("C")), "x -> C=AR x B-A", places={"x": "A", "e": "C"}),
    right("CR-52", board(LINE, own("B"), foe("C")), "x -> C=DR e C-D-E", places={"x": "B", "e": "E"}),
    wrong("CR-52", board(LINE, own("B"), foe("C")), "x -> C=DR e C-D", "7.7", "C", unit="e"),
    wrong("CR-52", board(LINE, own("C"), foe("D")), "x -> D=AR x C-B-A", "7.7", "D", unit="x"),
    # CR-53: exchanged
    right(
        "CR-53", board(STAR, *GANG, solid("B", 5)), "x+y+z -> B", results={"EX": "1/6: y lost, z lost, e lost, B open"}
    ),
    right("CR-53", board(STAR, *GANG, solid("B", 2)), "x+y+z -> B", results={"EX": "1/6: z lost, e lost, B open"}),
    wrong(
        "CR-53",
        board(LINE, guns("A"), own("B"), solid("C", 6)),
        "g+x -> C",
        legal=True,
        results={"EX": "1/6: x lost, e lost"},
        note="nobody else is beside them",
    ),
    wrong(
        "CR-53",
        board(LINE, *DOZEN, foe("B")),
        "x+y -> B",
        legal=True,
        results={"EX": "1/6: x lost, e lost, B open", "DE": "2/3: e lost, B open"},
    ),
    # CR-54, 7.7: farther and farther
    right("CR-54", board(STAR, own("A"), foe("B")), "x -> B=DR e B-G-D", places={"e": "D"}, borderline=True),
    right("CR-54", board(STAR, own("A"), foe("B"), terrain={"G": "marsh"}), "x -> B=DR e B-G-D", places={"e": "D"}),
    wrong("CR-54", board(STAR, own("A"), foe("B")), "x -> B=DR e B-C-G", "7.7", "B", unit="e"),
    wrong("CR-54", board(STAR, own("A"), foe("B")), "x -> B=DR e B-D-E", "7.7", "B", unit="e"),
    wrong("CR-54", board(STAR, own("A"), foe("B"), terrain={"G": "lake"}), "x -> B=DR e B-G-D", "7.7", "B", unit="e"),
    wrong(
        "CR-54",
        board(STAR, own("A"), foe("B", type="armor"), terrain={"G": "marsh"}),
        "x -> B=DR e B-G-D",
        "7.7",
        "B",
        unit="e",
    ),
    # CR-55: room
    right("CR-55", board(STAR, own("A"), foe("B"), foe("D", "f")), "x -> B=DR e B-G-D", places={"e": "D"}),
    wrong(
        "CR-55",
        board(STAR, own("A"), foe("B"), foe("D", "f"), foe("D", "h")),
        "x -> B=DR e B-G-D",
        "7.7",
        "B",
        unit="e",
    ),
    wrong("CR-55", board(STAR, own("A"), foe("B"), guns("D")), "x -> B=DR e B-G-D", "7.7", "B", unit="e"),
    # CR-56: zones
    right(
        "CR-56",
        board(STAR, own("A"), own("E", "y"), foe("B"), foe("D", "f")),
        "x -> B=DR e B-G-D; y -> D",
        places={"e": "D"},
    ),
    right("CR-56", board(STAR, own("A"), guns("E"), foe("B")), "x -> B=DR e B-G-D", places={"e": "D"}),
    wrong("CR-56", board(STAR, own("A"), own("E", "y"), foe("B")), "x -> B=DR e B-G-D", "7.7", "B", unit="e"),
    # CR-57: or nowhere
    right("CR-57", board(LINE, own("E"), foe("F")), "x -> F", results={"DR": "1/6: e lost, F open"}),
    right("CR-57", board(LINE, own("A"), foe("B")), "x -> B", results={"AR": "1/2: x lost"}),
    wrong("CR-57", board(LINE, own("D"), foe("E")), "x -> E", legal=True, results={"DR": "1/6: e back 2, E open"}),
    # CR-68: side by side
    right(
        "CR-68",
        board(STAR, own("A"), *PAIR, foe("D", "h"), terrain=FULL),
        RETREAT,
        places={"e": "D", "f": "D", "h": "D"},
    ),
    wrong("CR-68", board(STAR, own("A"), *PAIR, foe("D", "h"), foe("D", "i")), RETREAT, "7.7", "B"),
    # CR-69: where there is room
    right(
        "CR-69",
        board(STAR, own("A"), *PAIR, foe("D", "h")),
        "x -> B=DR e B-G-D, f B-G-U",
        places={"e": "D", "f": "U"},
        borderline=True,
    ),
    right("CR-69", board(STAR, own("A"), *PAIR), RETREAT, places={"e": "D", "f": "D"}, note="two have room"),
    wrong("CR-69", board(STAR, own("A"), *PAIR, foe("D", "h")), RETREAT, "7.7", "B"),
    # CR-58, 7.8: on
    right(
        "CR-58", board(LINE, *DOZEN, foe("B")), "x+y -> B=DE x A-B, y A-B", places={"x": "B", "y": "B"}, borderline=True
    ),
    right("CR-58", board(LINE, own("B"), foe("C")), "x -> C=DR e C-D-E, x B-C", places={"x": "C", "e": "E"}),
    right("CR-58", board(LINE, own("B"), foe("C")), "x -> C=DR e C-D-E", places={"x": "B"}, note="nobody must"),
    wrong("CR-58", board(STAR, *DOZEN, own("C", "z"), foe("B")), "x+y+z -> B=DE x A-B, y A-B, z C-B", "7.8", "B"),
    wrong("CR-58", board(LINE, *DOZEN, foe("B")), "x+y -> B=DE x A-B-C", "7.8", "B", unit="x"),
    # CR-59: artillery
    right(
        "CR-59", board(LINE, guns("A"), own("A"), foe("B")), "g+x -> B=DR e B-C-D, x A-B", places={"x": "B", "g": "A"}
    ),
    wrong("CR-59", board(LINE, guns("A"), own("A"), foe("B")), "g+x -> B=DR e B-C-D, g A-B", "7.8", "B", unit="g"),
)

ATTACKS = (*DECLARED, *ODDS, *RESULTS)
