"""The classic rule set, 3.1 to 5.2, statement by statement."""

from __future__ import annotations

from tests.games.statements.board import LINE, STAR, right, wrong
from tests.games.statements.classic_hex_board import board, due, foe, own

TWO = (foe("B", "e", 2), foe("B", "f", 2))
"""Two defenders of B, who stand it if one or two of them are demoralized: only then is it seen where they go."""

SURE = own("A", "x", 12)
"""Three times as strong as they are: they always give way."""

MOVEMENT = (
    # CH-01: the MA of one movement phase
    right("CH-01", board(LINE, own("A")), "x A-B-C-D", mp="3"),
    wrong("CH-01", board(LINE, own("A")), "x A-B-C-D-E", "3.1", "E"),
    # CH-02: own units, in the own phase
    right("CH-02", board(LINE, own("A")), "x A-B"),
    wrong("CH-02", board(LINE, foe("A")), "e A-B", "3", "A"),
    # CH-03: alone or in groups
    right("CH-03", board(LINE, own("A"), own("A", "y")), "x+y A-B", borderline=True),
    right("CH-03", board(LINE, own("A"), own("A", "y")), "x A-B; y A-B-C"),
    wrong(
        "CH-03", board(LINE, own("A"), own("B", "y")), "x+y A-B", "3", "A", unit="y", note="not from different hexes"
    ),
    # CH-04: hex by hex, in any direction
    right("CH-04", board(STAR, own("A")), "x A-B-A-X", mp="3"),
    wrong("CH-04", board(LINE, own("A")), "x A-C", "3", "C"),
    # CH-05: until the player has had enough
    right("CH-05", board(LINE, own("A"), own("B", "y"), own("C", "z")), "x A-B"),
    wrong("CH-05", board(LINE, own("A"), own("B", "y")), "", legal=True, note="nobody has to"),
    # CH-06, 3.1: the MA is never exceeded
    right("CH-06", board(LINE, own("A", ma=2), terrain={"B": "forest"}), "x A-B", mp="2", borderline=True),
    wrong("CH-06", board(LINE, own("A", ma=1), terrain={"B": "forest"}), "x A-B", "3.1", "B"),
    # CH-07: and otherwise free
    right("CH-07", board(LINE, own("A", ma=5)), "x A-B-C-D-E-F", mp="5"),
    wrong("CH-07", board(LINE, own("A", ma=5)), "x A-B-C-D-E-F-G", "3.1", "G"),
    # CH-08: one MP at least
    right("CH-08", board(LINE, own("A", ma=2), road="ABC"), "x A-B-C", mp="2"),
    wrong("CH-08", board(LINE, own("A", ma=2), road="ABCDE"), "x A-B-C-D", "3.1", "D"),
    # CH-09: less is allowed
    right("CH-09", board(LINE, own("A")), "x A-B", mp="1"),
    wrong("CH-09", board(LINE, own("A")), "x A-B-C", legal=True, mp="2", note="nor has it to stop there"),
    # CH-10: nobody must move
    right("CH-10", board(LINE, own("A", ma=4)), ""),
    wrong("CH-10", board(LINE, own("A", ma=4), own("B", "y")), "y B-C", legal=True, note="x stays"),
    # CH-11: MP are not lent
    right("CH-11", board(LINE, own("A"), own("A", "y", ma=5)), "x A-B-C-D; y A-B-C-D-E-F", mp="5"),
    wrong("CH-11", board(LINE, own("A"), own("A", "y", ma=5)), "x+y A-B-C-D-E", "3.1", "E", unit="x"),
    # CH-12: nor saved
    right("CH-12", board(LINE, own("A")), "x A-B; x B-C-D", note="in one phase they are one's own"),
    wrong("CH-12", board(LINE, own("A")), "x A-B; x B-C-D-E", "3.1", "E"),
    # CH-13, 3.2: terrain
    right("CH-13", board(LINE, own("A"), terrain={"C": "forest"}), "x A-B-C", mp="3", borderline=True),
    wrong("CH-13", board(LINE, own("A", ma=2), terrain={"C": "forest"}), "x A-B-C", "3.1", "C"),
    # CH-14: by the chart
    right("CH-14", board(LINE, own("A"), terrain={"B": "hills"}), "x A-B", mp="3"),
    wrong("CH-14", board(LINE, own("A"), terrain={"B": "lake"}), "x A-B", "3.2", "B"),
    # CH-15: without the MP no entry
    right("CH-15", board(LINE, own("A", ma=4), terrain={"C": "hills"}), "x A-B-C", mp="4"),
    wrong("CH-15", board(LINE, own("A"), terrain={"C": "hills"}), "x A-B-C", "3.1", "C"),
    # CH-16: roads and bridges
    right("CH-16", board(LINE, own("A", ma=1), terrain={"B": "swamp"}, road="AB"), "x A-B", mp="1", borderline=True),
    wrong("CH-16", board(LINE, own("A", ma=1), terrain={"B": "swamp"}, road="BC"), "x A-B", "3.1", "B"),
    # CH-17: only through the road's own hexside
    right("CH-17", board(STAR, own("C"), terrain={"B": "swamp"}, road="AB"), "x C-B", mp="3"),
    wrong("CH-17", board(STAR, own("C", ma=1), terrain={"B": "swamp"}, road="AB"), "x C-B", "3.1", "B"),
    # CH-18: rivers
    right("CH-18", board(LINE, own("A"), terrain={"B": "forest"}, river="AB"), "x A-B", mp="3"),
    wrong("CH-18", board(LINE, own("A", ma=2), terrain={"B": "forest"}, river="AB"), "x A-B", "3.1", "B"),
    # CH-19: bridges
    right("CH-19", board(LINE, own("A", ma=1), river="AB", bridge="AB"), "x A-B", mp="1"),
    wrong("CH-19", board(LINE, own("A", ma=1), river="AB", bridge="BC"), "x A-B", "3.1", "B"),
    # CH-20: impassable hexsides
    right("CH-20", board(STAR, own("A"), impassable="AB"), "x A-Y-B"),
    right(
        "CH-20", board(STAR, SURE, *TWO, impassable="BG"), "x AxB", places={"e": "C", "f": "C"}, note="nor in retreat"
    ),
    wrong("CH-20", board(STAR, own("A"), impassable="AB", road="AB"), "x A-B", "3.2", "B"),
    # CH-21, 3.3: entering an enemy's hex ends the move
    right("CH-21", board(STAR, SURE, foe("B")), "x AxB", stops="3.3"),
    wrong("CH-21", board(STAR, SURE, foe("B")), "x AxB-C", "3.3", "B"),
    # CH-22: and is a combat at once
    right("CH-22", board(STAR, SURE, own("A", "y"), foe("B")), "x AxB; y A-B-C", borderline=True),
    wrong("CH-22", board(STAR, own("A", strength=6), own("A", "y"), foe("B")), "x AxB; y A-B-C", "3.3", "B", unit="y"),
    # CH-23: whoever has attacked moves no further
    right("CH-23", board(STAR, SURE, foe("B")), "x AxB", places={"x": "B"}),
    wrong("CH-23", board(STAR, SURE, foe("B")), "x AxB; x B-C", "3.3", "B"),
    # CH-24: retreats need no MP
    right("CH-24", board(STAR, SURE, foe("B", "e", 2, 0), foe("B", "f", 2, 0)), "x AxB", places={"e": "G", "f": "G"}),
    wrong("CH-24", board(STAR, own("A", ma=1), foe("B")), "x AxB", legal=True, places={"x": "AB"}, borderline=True),
    # CH-25, 3.4: the edge
    right("CH-25", board(LINE, own("A")), "x A-B", borderline=True),
    wrong("CH-25", board(LINE, own("A")), "x A-[beyond]", "3.4", "beyond"),
    # CH-26: who is forced across it is eliminated
    right("CH-26", board(LINE, SURE, *TWO), "x AxB", places={"e": "C", "f": "C"}),
    wrong("CH-26", board("A B", SURE, *TWO), "x AxB", legal=True, places={"e": "-", "f": "-"}),
)

COMBAT = (
    # CH-27, 4: one strength
    right("CH-27", board(STAR, own("A", strength=6), foe("B")), "x AxB", chance="2/3"),
    wrong("CH-27", board(STAR, own("A", strength=4), foe("B", strength=6)), "x AxB", legal=True, chance="1/6"),
    # CH-28: at once
    right("CH-28", board(STAR, own("A"), foe("B")), "x AxB", places={"x": "AB"}),
    wrong(
        "CH-28", board(STAR, SURE, foe("B")), "x AxB", legal=True, places={"x": "B", "e": "-G"}, note="never both in B"
    ),
    # CH-29: all who enter attack
    right(
        "CH-29", board(STAR, own("A", strength=3), own("A", "y", 3), foe("B")), "x+y AxB", chance="2/3", borderline=True
    ),
    wrong("CH-29", board(STAR, own("A", strength=3), own("A", "y", 3), foe("B")), "x AxB", legal=True, chance="1/6"),
    # CH-30: all who are there defend
    right("CH-30", board(STAR, own("A", strength=6), *TWO), "x AxB", chance="2/3"),
    wrong(
        "CH-30",
        board(STAR, own("A", strength=6), foe("B", "e", 2)),
        "x AxB",
        legal=True,
        chance="1",
        note="against one of them",
    ),
    # CH-31: on the table
    right("CH-31", board(STAR, own("A"), foe("B")), "x AxB", chance="1/2"),
    wrong(
        "CH-31",
        board(STAR, own("A", strength=5), foe("B")),
        "x AxB",
        legal=True,
        chance="1/2",
        note="25 % more is the same column",
    ),
    # CH-32: both may suffer
    right("CH-32", board(STAR, own("A"), foe("B")), "x AxB", shaken="x e"),
    wrong("CH-32", board(STAR, SURE, foe("B")), "x AxB", legal=True, shaken="e", note="not on that column"),
    # CH-33: a sum
    right(
        "CH-33", board(STAR, own("A", strength=3), own("A", "y", 5), foe("B")), "x+y AxB", chance="5/6", note="+100 %"
    ),
    wrong("CH-33", board(STAR, own("A", strength=3), own("C", "y", 5), foe("B")), "x AxB", legal=True, chance="1/6"),
    # CH-34: half of it, rounded down
    right(
        "CH-34",
        board(STAR, own("A", strength=3, traits="demoralized"), own("A", "y", 5), foe("B")),
        "x+y AxB",
        chance="2/3",
    ),
    wrong(
        "CH-34",
        board(STAR, own("A", strength=3, traits="demoralized"), own("A", "y", 4), foe("B")),
        "x+y AxB",
        legal=True,
        chance="1/2",
    ),
    # CH-35: in percent
    right("CH-35", board(STAR, own("A", strength=6), foe("B")), "x AxB", chance="2/3", places={"x": "AB"}),
    wrong(
        "CH-35",
        board(STAR, own("A", strength=12), foe("B", strength=10)),
        "x AxB",
        legal=True,
        chance="1/2",
        note="two more are 20 %",
    ),
    # CH-36: terrain of the defender
    right("CH-36", board(STAR, own("A", strength=6), foe("B"), terrain={"B": "forest"}), "x AxB", chance="1/2"),
    wrong(
        "CH-36", board(STAR, own("A", strength=6), foe("B"), terrain={"A": "forest"}), "x AxB", legal=True, chance="2/3"
    ),
    # CH-37: drawn at random
    right("CH-37", board(STAR, own("A", strength=2), foe("B")), "x AxB", chance="1/6"),
    wrong(
        "CH-37",
        board(STAR, own("A", strength=6), own("A", "y"), foe("B")),
        "x AxB; y A-B-G",
        "3.3",
        "B",
        unit="y",
        also=(("3.3", "B"),),
    ),
    # CH-38: damage of each side
    right("CH-38", board(STAR, own("A", strength=8), foe("B")), "x AxB", shaken="x e"),
    wrong("CH-38", board(STAR, own("A", strength=1), foe("B", strength=8)), "x AxB", legal=True, places={"x": "-A"}),
    # CH-39: who suffers more goes
    right("CH-39", board(STAR, SURE, *TWO), "x AxB", places={"x": "B", "e": "G", "f": "G"}),
    wrong("CH-39", board(STAR, own("A", strength=1), *TWO), "x AxB", legal=True, places={"e": "B", "f": "B"}),
    # CH-40: the attackers if both suffer alike
    right("CH-40", board(STAR, own("A", strength=1), *TWO), "x AxB", shaken="x e", places={"x": "-A"}),
    wrong("CH-40", board(STAR, own("A", strength=6), foe("B")), "x AxB", legal=True, places={"e": "-BG"}),
    # CH-41, 4.1: shifts add up
    right(
        "CH-41",
        board(STAR, own("A", strength=8), foe("B"), terrain={"B": "forest"}, river="AB"),
        "x AxB",
        chance="1/2",
        borderline=True,
    ),
    wrong(
        "CH-41", board(STAR, own("A", strength=8), foe("B"), terrain={"B": "forest"}), "x AxB", legal=True, chance="2/3"
    ),
    # CH-42: so the hex of departure matters
    right("CH-42", board(STAR, own("Y", strength=6), foe("B"), river="AB"), "x YxB", chance="2/3"),
    wrong("CH-42", board(STAR, own("A", strength=6), foe("B"), river="AB"), "x AxB", legal=True, chance="1/2"),
    # CH-43, 4.2: a column of the table
    right(
        "CH-43",
        board(STAR, own("A", strength=1), foe("B", strength=8), terrain={"B": "city"}),
        "x AxB",
        chance="0",
        borderline=True,
    ),
    wrong("CH-43", board(STAR, own("A", strength=1, traits="demoralized"), foe("B")), "x AxB", legal=True, chance="0"),
    # CH-44: further shifts are ignored
    right("CH-44", board(STAR, own("A", strength=2), foe("B"), terrain={"B": "city"}), "x AxB", chance="0"),
    wrong(
        "CH-44",
        board(STAR, own("A", strength=40), foe("B")),
        "x AxB",
        legal=True,
        chance="1",
        note="the last column is the last",
    ),
    # CH-45, 4.3: damage to units
    right("CH-45", board(STAR, SURE, *TWO), "x AxB", shaken="e f", borderline=True),
    wrong("CH-45", board(STAR, SURE, foe("B", "e", 4)), "x AxB", legal=True, shaken="e"),
    # CH-46: demoralized first
    right("CH-46", board(STAR, SURE, *TWO), "x AxB", places={"e": "G"}),
    wrong(
        "CH-46",
        board(STAR, SURE, foe("B", "e", 2), foe("B", "f", 2, traits="demoralized")),
        "x AxB",
        legal=True,
        places={"e": "-G", "f": "G"},
    ),
    # CH-47: then destroyed
    right("CH-47", board(STAR, SURE, foe("B")), "x AxB", places={"e": "-G"}),
    wrong("CH-47", board(STAR, SURE, *TWO), "x AxB", legal=True, places={"f": "G"}, note="two damage for two of them"),
    # CH-48: demoralized once only
    right("CH-48", board(STAR, SURE, foe("B", traits="demoralized")), "x AxB", places={"e": "-"}),
    wrong(
        "CH-48",
        board(STAR, SURE, foe("B", traits="demoralized"), foe("B", "f")),
        "x AxB",
        legal=True,
        shaken="f x",
        note="only who was not",
    ),
    # CH-49, 4.4: attackers go back to where they came from
    right("CH-49", board(STAR, own("A", strength=1), *TWO), "x AxB", places={"x": "-A"}),
    wrong("CH-49", board(STAR, own("A", strength=1, ma=3), *TWO), "x A-YxB", legal=True, places={"x": "-Y"}),
    # CH-50: defenders straight on
    right("CH-50", board(STAR, SURE, *TWO), "x AxB", places={"e": "G"}, borderline=True),
    wrong("CH-50", board(STAR, own("Y", strength=12), *TWO), "x YxB", legal=True, places={"e": "T"}),
    # CH-51: or beside
    right("CH-51", board(STAR, SURE, *TWO, terrain={"G": "lake"}), "x AxB", places={"e": "C"}),
    right("CH-51", board(STAR, SURE, own("G", "y"), *TWO), "x AxB", places={"e": "C"}),
    wrong(
        "CH-51", board(STAR, SURE, own("C", "y"), *TWO, terrain={"G": "lake"}), "x AxB", legal=True, places={"e": "T"}
    ),
    # CH-52: or nowhere
    right(
        "CH-52",
        board(STAR, SURE, own("C", "y"), own("T", "z"), *TWO, terrain={"G": "lake"}),
        "x AxB",
        places={"e": "-", "f": "-"},
    ),
    wrong(
        "CH-52",
        board(STAR, SURE, own("C", "y"), own("Y", "z"), *TWO, terrain={"G": "lake"}),
        "x AxB",
        legal=True,
        places={"e": "T"},
    ),
    # CH-53: together
    right("CH-53", board(STAR, SURE, *TWO), "x AxB", places={"e": "G", "f": "G"}),
    wrong("CH-53", board(STAR, SURE, *TWO, terrain={"G": "swamp"}), "x AxB", legal=True, places={"e": "G", "f": "G"}),
    # CH-54: whatever their MA
    right(
        "CH-54",
        board(STAR, SURE, foe("B", "e", 2, 1), foe("B", "f", 2, 1), terrain={"G": "swamp"}),
        "x AxB",
        places={"e": "G"},
    ),
    wrong("CH-54", board(STAR, SURE, *TWO, terrain={"G": "hills"}), "x AxB", legal=True, places={"f": "G"}),
)

REINFORCEMENTS = (
    # CH-55, 5: in the turn of the schedule
    right("CH-55", board(LINE, due(3, "A"), phase="reinforcement", turn=3, control="A"), "q [pool]-A", borderline=True),
    wrong("CH-55", board(LINE, due(3, "A"), phase="reinforcement", turn=2, control="A"), "q [pool]-A", "5", "A"),
    wrong("CH-55", board(LINE, due(3, "A"), phase="movement", turn=3, control="A"), "q [pool]-A", "5", "A"),
    # CH-56: in their hexes
    right("CH-56", board(LINE, due(3, "A"), own("C"), phase="reinforcement", turn=3, control="A"), "q [pool]-A"),
    wrong("CH-56", board(LINE, due(3, "A"), phase="reinforcement", turn=3, control="AB"), "q [pool]-B", "5", "B"),
    wrong(
        "CH-56",
        board(LINE, due(3, "A"), phase="reinforcement", turn=3, control="A"),
        "",
        "5",
        "pool",
        "q",
        note="they do enter",
    ),
    # CH-57, 5.1: or are lost
    right("CH-57", board(LINE, due(3, "A"), phase="reinforcement", turn=3), "", borderline=True),
    wrong("CH-57", board(LINE, due(3, "A"), foe("A"), phase="reinforcement", turn=3), "q [pool]-A", "5.1", "A"),
    # CH-58: friendly control
    right("CH-58", board(LINE, due(3, "B"), own("C"), phase="reinforcement", turn=3, control="B"), "q [pool]-B"),
    wrong("CH-58", board(LINE, due(3, "B"), own("C"), phase="reinforcement", turn=3), "q [pool]-B", "5.1", "B"),
    # CH-59: it may be empty
    right("CH-59", board(LINE, due(3, "A"), phase="reinforcement", turn=3, control="AB"), "q [pool]-A"),
    wrong("CH-59", board(LINE, due(3, "A"), foe("B"), phase="reinforcement", turn=3), "q [pool]-A", "5.1", "A"),
    # CH-60: or hold friends
    right("CH-60", board(LINE, due(3, "A"), own("A"), phase="reinforcement", turn=3), "q [pool]-A"),
    wrong("CH-60", board(LINE, due(3, "A"), own("B"), phase="reinforcement", turn=3), "q [pool]-A", "5.1", "A"),
    # CH-61: once only
    right("CH-61", board(LINE, due(3, "A"), phase="reinforcement", turn=4, control="A"), ""),
    wrong("CH-61", board(LINE, due(3, "A"), phase="reinforcement", turn=4, control="A"), "q [pool]-A", "5", "A"),
    # CH-62, 5.2: then like any other unit
    right(
        "CH-62",
        board(LINE, own("A", "q", ma=4, arrives={"turn": 3, "at": "A"}), turn=4),
        "q A-B-C-D-E",
        borderline=True,
    ),
    wrong(
        "CH-62", board(LINE, own("A", "q", ma=4, arrives={"turn": 3, "at": "A"}), turn=4), "q A-B-C-D-E-F", "3.1", "F"
    ),
    # CH-63: in the next movement phase
    right("CH-63", board(LINE, own("A", "q", ma=4), turn=4), "q A-B-C-D-E", mp="4"),
    wrong("CH-63", board(LINE, due(3, "A"), phase="reinforcement", turn=3, control="A"), "q [pool]-A-B", "5.2", "B"),
    # CH-64: charts are data
    right("CH-64", board(LINE, own("A"), terrain={"B": "hills"}), "x A-B", mp="3", note="as the chart says"),
    wrong("CH-64", board(LINE, own("A", ma=2), terrain={"B": "hills"}), "x A-B", "3.1", "B"),
)

CASES = (*MOVEMENT, *COMBAT, *REINFORCEMENTS)
