"""Crossroads, statement by statement: all but the attacks."""

from __future__ import annotations

from tests.games.statements.board import FLANK, LINE, STAR, right, wrong
from tests.games.statements.crossroads_attacks import ATTACKS
from tests.games.statements.crossroads_board import MUD, board, due, foe, guns, horse, own, tank

DUE = {"phase": "reinforcement", "turn": 3}
SECOND = {"phase": "second_movement"}

REINFORCEMENTS = (
    # CR-02, 1.4: whose hex it is
    right("CR-02", board(LINE, due(3, "B"), own("B"), **DUE), "q [pool]-B", borderline=True),
    wrong("CR-02", board(LINE, due(3, "B"), own("C"), **DUE), "q [pool]-B", "3.2", "B"),
    # CR-04, 3.1: the schedule
    right("CR-04", board(LINE, due(3, "A"), control="A", **DUE), "q [pool]-A", borderline=True),
    wrong("CR-04", board(LINE, due(4, "A"), control="A", **DUE), "q [pool]-A", "3.1", "A"),
    wrong("CR-04", board(LINE, due(3, "A"), control="AB", **DUE), "q [pool]-B", "3.1", "B"),
    # CR-05: free of cost
    right("CR-05", board(LINE, due(3, "A"), control="A", terrain={"A": "marsh"}, **DUE), "q [pool]-A", mp="0"),
    wrong("CR-05", board(LINE, own("A"), terrain={"B": "marsh"}), "x A-B", legal=True, mp="3", note="moving isn't"),
    # CR-06: whoever can
    right("CR-06", board(LINE, due(3, "A"), foe("A"), **DUE), ""),
    wrong("CR-06", board(LINE, due(3, "A"), foe("B"), control="A", **DUE), "", "3.1", "pool", "q"),
    # CR-07, 3.2: not among enemies
    right("CR-07", board(LINE, due(3, "A"), foe("B"), control="A", **DUE), "q [pool]-A", borderline=True),
    wrong("CR-07", board(LINE, due(3, "A"), foe("A"), **DUE), "q [pool]-A", "3.2", "A", also=(("4.7", "A"),)),
    # CR-08: or never
    right("CR-08", board(LINE, due(2, "A"), control="A", **DUE), ""),
    wrong("CR-08", board(LINE, due(2, "A"), control="A", **DUE), "q [pool]-A", "3.1", "A"),
    # CR-09, 3.3: nobody else
    right("CR-09", board(LINE, due(3, "A"), own("C"), control="A", **DUE), "q [pool]-A", borderline=True),
    wrong("CR-09", board(LINE, own("C"), **DUE), "x C-D", "3.3", "D"),
    # CR-10: in the next phase they move
    right("CR-10", board(LINE, own("A", "q", arrives={"turn": 3, "at": "A"}), turn=3), "q A-B-C-D-E", mp="4"),
    wrong("CR-10", board(LINE, due(3, "A"), control="A", **DUE), "q [pool]-A-B", "3.3", "B"),
)

MOVEMENT = (
    # CR-03, 2.1: the chart
    right("CR-03", board(LINE, own("A"), terrain={"B": "hills", "C": "woods"}), "x A-B-C", mp="4", borderline=True),
    right("CR-03", board(LINE, tank("A"), terrain={"B": "hills", "C": "woods"}), "t A-B-C", mp="6"),
    wrong("CR-03", board(LINE, own("A"), terrain={"B": "hills", "C": "woods"}), "x A-B-C-D", "4.2", "D"),
    # CR-11, 4.1: one's own
    right("CR-11", board(LINE, own("A")), "x A-B"),
    wrong("CR-11", board(LINE, foe("A")), "e A-B", "4.1", "A"),
    # CR-12: one by one
    right("CR-12", board(LINE, own("A"), own("A", "y")), "x A-B-C; y A-B-C", borderline=True),
    wrong("CR-12", board(LINE, own("A"), own("A", "y")), "x+y A-B", "4.1", "A", unit="x"),
    wrong("CR-12", board(LINE, own("A")), "x A-B; x B-C", "4.1", "B"),
    # CR-13: or none at all
    right("CR-13", board(LINE, own("A"), own("C", "y")), ""),
    wrong("CR-13", board(LINE, own("A"), own("C", "y")), "y C-D", legal=True, note="x stays"),
    # CR-14, 4.2: hex by hex
    right("CR-14", board(STAR, own("A")), "x A-B-A-X", mp="3"),
    wrong("CR-14", board(LINE, own("A")), "x A-C", "4.2", "C"),
    # CR-15: out of the MA
    right("CR-15", board(LINE, own("A"), terrain={"D": "woods"}), "x A-B-C-D", mp="4", borderline=True),
    wrong("CR-15", board(LINE, own("A"), terrain={"E": "woods"}), "x A-B-C-D-E", "4.2", "E"),
    # CR-16: which is one's own
    right("CR-16", board(LINE, own("A"), horse("A")), "x A-B; c A-B-C-D-E-F-G", mp="6"),
    wrong("CR-16", board(LINE, own("A"), horse("A")), "c A-B; x A-B-C-D-E-F", "4.2", "F", unit="x"),
    # CR-17, 4.3: roads
    right("CR-17", board(LINE, tank("A"), terrain={"B": "marsh", "C": "woods"}, road="ABC"), "t A-B-C", mp="1"),
    wrong("CR-17", board(STAR, own("C"), terrain={"B": "woods"}, road="AB"), "x C-B", legal=True, mp="2"),
    wrong("CR-17", board(STAR, tank("C"), terrain={"B": "marsh"}, road="AB"), "t C-B", "4.4", "B"),
    # CR-18: bridges
    right("CR-18", board(LINE, tank("A"), road="ABC", river="AB", bridge="AB"), "t A-B-C", mp="1", borderline=True),
    wrong("CR-18", board(LINE, tank("A"), road="BC", river="AB", bridge="BC"), "t A-B-C", "4.2", "C"),
    # CR-19, 4.4: the river on foot
    right("CR-19", board(LINE, own("A"), terrain={"B": "woods"}, river="AB"), "x A-B", mp="4", borderline=True),
    wrong("CR-19", board(LINE, own("A"), terrain={"B": "marsh"}, river="AB"), "x A-B", "4.2", "B"),
    # CR-20: on wheels
    right("CR-20", board(LINE, tank("A"), river="AB"), "t A-B", mp="6"),
    wrong("CR-20", board(LINE, tank("A"), river="AB"), "t A-B-C", "4.2", "C"),
    wrong("CR-20", board(LINE, tank("A"), river="BC"), "t A-B-C", "4.2", "C"),
    # CR-21: where nobody drives
    right("CR-21", board(LINE, horse("A"), terrain={"B": "marsh"}), "c A-B", mp="3"),
    wrong("CR-21", board(LINE, guns("A"), terrain={"B": "marsh"}), "g A-B", "4.4", "B"),
    wrong("CR-21", board(LINE, own("A"), terrain={"B": "lake"}), "x A-B", "4.4", "B"),
    # CR-22, 4.5: engineers
    right("CR-22", board(LINE, tank("A"), own("A", "g", "engineer"), river="AB"), "t A-B-C", mp="3"),
    right(
        "CR-22",
        board(LINE, own("B", values="4-4-2"), own("A", "g", "engineer"), river="BC"),
        "g A-B; x B-C",
        mp="2",
        borderline=True,
        note="once they are there",
    ),
    wrong("CR-22", board(LINE, own("B", values="4-4-2"), own("A", "g", "engineer"), river="BC"), "x B-C", "4.2", "C"),
    # CR-23, 4.6: friends on the way
    right("CR-23", board(LINE, own("A"), own("B", "y"), own("B", "z")), "x A-B-C", borderline=True),
    wrong("CR-23", board(LINE, own("A"), own("B", "y"), own("B", "z")), "x A-B", "6.1", "B", "x y z"),
    # CR-24, 4.7: enemies
    right("CR-24", board(LINE, own("A"), foe("C")), "x A-B", borderline=True),
    wrong("CR-24", board(LINE, own("A"), foe("B", type="artillery")), "x A-B", "4.7", "B", "e"),
)

ZONES = (
    # CR-25, 5.1: who has a ZOC
    right("CR-25", board(STAR, own("A"), foe("T", type="artillery")), "x A-B-C", borderline=True),
    right("CR-25", board(STAR, own("A"), foe("V")), "x A-B-C", note="not beside it"),
    wrong("CR-25", board(STAR, own("A"), foe("T", type="engineer")), "x A-B-C", "5.3", "B", "e"),
    # CR-26, 5.2: not across the river
    right("CR-26", board(STAR, own("A"), foe("T"), river="TB"), "x A-B-C", borderline=True),
    wrong("CR-26", board(STAR, own("A"), foe("T"), river="TB", bridge="TB"), "x A-B-C", "5.3", "B", "e"),
    # CR-27, 5.3: stop
    right("CR-27", board(STAR, own("A"), foe("T")), "x A-B", stops="5.3", borderline=True),
    wrong("CR-27", board(STAR, horse("A"), foe("T")), "c A-B-C", "5.3", "B", "e"),
    # CR-28: until the next phase
    right("CR-28", board(STAR, own("B"), foe("T")), "x B-C-D"),
    wrong("CR-28", board(STAR, own("A"), foe("T")), "x A-B-A", "5.3", "B", "e"),
    # CR-29, 5.4: from zone to zone
    right("CR-29", board(FLANK, own("B"), foe("T")), "x B-A", borderline=True),
    wrong("CR-29", board(FLANK, own("B"), foe("T")), "x B-C", "5.4", "C", "e"),
    # CR-30, 5.5: screens
    right("CR-30", board(STAR, own("A"), guns("B"), foe("T")), "x A-B-C", borderline=True),
    wrong("CR-30", board(STAR, own("A"), guns("C"), foe("T")), "x A-B-C", "5.3", "B", "e"),
    # CR-31: from zone to zone
    right("CR-31", board(FLANK, own("B"), own("C", "y"), foe("T")), "x B-C"),
    right("CR-31", board(FLANK, own("B"), own("B", "y"), foe("T")), "x B-C", stops="5.3", note="left behind"),
    wrong("CR-31", board(FLANK, own("B"), own("D", "y"), foe("T")), "x B-C", "5.4", "C", "e"),
    # CR-32, 6.1: two in a hex
    right("CR-32", board(LINE, own("A"), own("C", "y")), "x A-B-C", borderline=True),
    wrong("CR-32", board(LINE, own("A"), own("C", "y"), guns("C")), "x A-B-C", "6.1", "C", "g x y"),
    # CR-33: in the end
    right("CR-33", board(LINE, own("A"), own("B", "y"), own("B", "z")), "x A-B; z B-C"),
    wrong(
        "CR-33", board(LINE, own("A"), own("B", "y"), own("B", "z")), "z B-A; x A-B", legal=True, note="in any order"
    ),
)

AFTERWARDS = (
    # CR-60, 8.1: who moves twice
    right("CR-60", board(LINE, horse("A"), **SECOND), "c A-B", borderline=True),
    wrong("CR-60", board(LINE, own("A"), **SECOND), "x A-B", "8.1", "A"),
    wrong("CR-60", board(LINE, guns("A"), **SECOND), "g A-B", "8.1", "A"),
    # CR-61: as before
    right("CR-61", board(STAR, horse("A"), foe("V"), **SECOND), "c A-B-C"),
    wrong("CR-61", board(STAR, horse("A"), foe("T"), **SECOND), "c A-B-C", "5.3", "B", "e"),
    # CR-62, 8.2: half the MA
    right("CR-62", board(LINE, horse("A"), **SECOND), "c A-B-C-D", mp="3", borderline=True),
    wrong("CR-62", board(LINE, horse("A"), **SECOND), "c A-B-C-D-E", "4.2", "E"),
    # CR-63, 9.1: mud
    right("CR-63", board(LINE, tank("A"), more=MUD, terrain={"C": "hills"}), "t A-B-C", mp="6", borderline=True),
    right("CR-63", board(LINE, own("A"), more=MUD), "x A-B-C-D-E", mp="4", note="not on foot"),
    wrong("CR-63", board(LINE, tank("A"), more=MUD), "t A-B-C-D-E", "4.2", "E"),
    # CR-64: muddy roads
    right("CR-64", board(LINE, tank("A"), more=MUD, road="ABC"), "t A-B-C", mp="2"),
    right("CR-64", board(LINE, own("A"), more=MUD, terrain={"B": "woods"}, road="AB"), "x A-B", mp="1"),
    wrong("CR-64", board(LINE, own("A"), more=MUD, road="ABCDEF"), "x A-B-C-D-E-F", "4.2", "F"),
)

CASES = (*REINFORCEMENTS, *MOVEMENT, *ZONES, *ATTACKS, *AFTERWARDS)
