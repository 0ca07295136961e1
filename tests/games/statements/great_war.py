"""Commands & Colors: The Great War, Phase 3, Movement: statement by statement."""

from __future__ import annotations

from tests.games.statements.board import LINE, STAR, right, wrong
from tests.games.statements.great_war_board import board, foe, guns, inf, mg, mortar, tank

UNIT, INFANTRY, GUNS = "Unit Movement", "Infantry Unit Movement", "Machine Gun & Mortar Unit Movement"
TANK, BOGGED, INTRO, TERRAIN = "Tank Movement", "Tank Bogged Down", "Movement", "Terrain"
RESERVE = "Reserve Artillery Movement"

MOVEMENT = (
    # GW-01: one after another
    right("GW-01", board(LINE, inf("B"), inf("A", "i2")), "i1 B-C; i2 A-B"),
    wrong(
        "GW-01",
        board(LINE, inf("A"), inf("B", "i2")),
        "i1 A-B; i2 B-A",
        UNIT,
        "B",
        "i2",
        note="no swap",
    ),
    # GW-02: in the owner's order
    right("GW-02", board(LINE, inf("B"), tank("A")), "i1 B-C-D; m1 A-B"),
    wrong(
        "GW-02",
        board(LINE, inf("A"), tank("C")),
        "m1 C-D; i1 A-B-C",
        legal=True,
        borderline=True,
        note="whoever is listed first",
    ),
    # GW-03: one is over before the next begins
    right("GW-03", board(STAR, inf("A"), inf("G", "i2")), "i1 A-B-C; i2 G-B"),
    wrong("GW-03", board(LINE, inf("A"), inf("D", "i2")), "i1 A-B; i2 D-E; i1 B-C", UNIT, "B", unit="i1"),
    # GW-04: only ordered units
    right(
        "GW-04", board(LINE, inf("A", traits=[]), traits={"A": "left"}, orders={"left": 1}), "i1 A-B", borderline=True
    ),
    right("GW-04", board(LINE, inf("A")), "i1 A-B"),
    wrong("GW-04", board(LINE, inf("A", traits=[]), traits={"A": "left"}, orders={"center": 1}), "i1 A-B", INTRO, "A"),
    wrong(
        "GW-04",
        board(
            LINE, inf("A", traits=[]), inf("C", "i2", traits=[]), traits={"A": "left", "C": "left"}, orders={"left": 1}
        ),
        "i2 C-D; i1 A-B",
        INTRO,
        "A",
        unit="i1",
        note="the order is spent",
    ),
    right(
        "GW-04",
        board(
            LINE,
            inf("A", traits=[]),
            inf("C", "i2", traits=[]),
            traits={"A": "left center", "C": "left"},
            orders={"left": 1, "center": 1},
        ),
        "i1 A-B; i2 C-D",
        borderline=True,
        note="a hex on the line between two sections takes an order of either",
    ),
    # GW-05: once a turn
    right("GW-05", board(LINE, inf("A")), "i1 A-B"),
    wrong("GW-05", board(STAR, inf("A"), inf("Y", "i2")), "i1 A-B; i2 Y-C; i1 B-X", UNIT, "B", unit="i1"),
    # GW-06: an order forces nobody
    right("GW-06", board(LINE, mg("A"), foe("C")), "", battles="1", borderline=True),
    wrong(
        "GW-06",
        board(LINE, mg("A"), foe("C")),
        "g1 A-B",
        legal=True,
        battles="0",
        note="it need not, and had better not",
    ),
    # GW-07: across sections
    right(
        "GW-07",
        board(LINE, inf("A", traits=[]), traits={"A": "left", "B": "center", "C": "center"}, orders={"left": 1}),
        "i1 A-B-C",
    ),
    wrong(
        "GW-07",
        board(LINE, inf("A", traits=[]), traits={"A": "left", "B": "center"}, orders={"center": 1}),
        "i1 A-B",
        INTRO,
        "A",
        note="it is ordered in the section from which it comes",
    ),
    # GW-08: half-hexes
    right("GW-08", board(LINE, inf("A"), traits={"C": "half_hex"}), "i1 A-B", borderline=True),
    wrong("GW-08", board(LINE, inf("A"), traits={"C": "half_hex"}), "i1 A-B-C", UNIT, "C"),
    wrong(
        "GW-08",
        board(LINE, tank("A", traits="won_close_combat"), traits={"B": "half_hex vacated"}, phase="taking_ground"),
        "m1 A-B",
        UNIT,
        "B",
        note="nor in taking ground",
    ),
    # GW-09: over the baseline
    right("GW-09", board(LINE, inf("B"), exit="A", flags="exits"), "i1 B-A-[home]", borderline=True),
    wrong("GW-09", board(LINE, inf("B"), exit="A"), "i1 B-A-[home]", UNIT, "home"),
    wrong(
        "GW-09",
        board(LINE, inf("B"), exit="A", flags="exits"),
        "i1 B-[home]",
        UNIT,
        "home",
        note="from a baseline hex only",
    ),
    # GW-10: one unit a hex
    right("GW-10", board(LINE, inf("A"), inf("C", "i2")), "i1 A-B", borderline=True),
    wrong("GW-10", board(LINE, inf("A"), inf("B", "i2")), "i1 A-B", UNIT, "B", "i2"),
    # GW-11: nor through a friend
    right("GW-11", board(LINE, inf("A"), inf("B", "i2")), "i2 B-C-D; i1 A-B-C"),
    wrong("GW-11", board(LINE, inf("A"), inf("B", "i2")), "i1 A-B-C; i2 B-A", UNIT, "B", "i2", unit="i1"),
    # GW-12: nor through an enemy
    right("GW-12", board(STAR, inf("A"), foe("B")), "i1 A-Y-C"),
    wrong("GW-12", board(STAR, inf("A"), foe("B")), "i1 A-B-C", UNIT, "B", "e"),
    # GW-13: a unit stays together
    right("GW-13", board(LINE, inf("A", steps=4)), "i1 A-B"),
    wrong(
        "GW-13",
        board(STAR, inf("B", steps=4)),
        "i1 B-A; i1 B-C",
        UNIT,
        "B",
        unit="i1",
        note="half of it there, half of it here",
    ),
    # GW-14: units don't merge
    right("GW-14", board(LINE, inf("A", steps=1), inf("C", "i2", steps=2)), "i1 A-B"),
    wrong("GW-14", board(LINE, inf("A", steps=1), inf("B", "i2", steps=2)), "i1 A-B", UNIT, "B", "i2"),
    # GW-15: terrain cuts moves short
    right("GW-15", board(LINE, inf("A")), "i1 A-B-C", mp="2"),
    wrong("GW-15", board(LINE, inf("A"), wire="B"), "i1 A-B-C", TANK, "B"),
    wrong("GW-15", board(LINE, inf("A"), terrain={"B": "forest"}), "i1 A-B-C", UNIT, "B"),
    wrong(
        "GW-15", board(LINE, inf("A"), foe("C"), terrain={"B": "forest"}), "i1 A-B", legal=True, battles="0", stops=UNIT
    ),
    # GW-17: up to one hex and battle
    right("GW-17", board(LINE, inf("A"), foe("D")), "i1 A-B", battles="1", borderline=True),
    wrong("GW-17", board(LINE, inf("A"), foe("D")), "i1 A-B-C", legal=True, battles="0"),
    # GW-18: two hexes and no battle
    right("GW-18", board(LINE, inf("A"), foe("D")), "i1 A-B-C", battles="0"),
    wrong(
        "GW-18",
        board(LINE, inf("A"), foe("D")),
        "i1 A-B",
        legal=True,
        battles="1",
        borderline=True,
        note="after one hex it does",
    ),
    # GW-19: two hexes at most
    right("GW-19", board(LINE, inf("A")), "i1 A-B-C", borderline=True),
    wrong("GW-19", board(LINE, inf("A")), "i1 A-B-C-D", INFANTRY, "D"),
    # GW-20: machine guns and mortars one hex
    right("GW-20", board(LINE, mg("A")), "g1 A-B", borderline=True),
    right("GW-20", board(LINE, mortar("A")), "r1 A-B"),
    wrong("GW-20", board(LINE, mg("A")), "g1 A-B-C", GUNS, "C"),
    wrong("GW-20", board(LINE, mortar("A")), "r1 A-B-C", GUNS, "C"),
    # GW-21: and don't battle then
    right("GW-21", board(LINE, mg("A"), foe("D")), "", battles="1"),
    wrong("GW-21", board(LINE, mg("A"), foe("D")), "g1 A-B", legal=True, battles="0"),
    wrong("GW-21", board(LINE, mortar("A"), foe("D")), "r1 A-B", legal=True, battles="0"),
)

TANKS = (
    # GW-22: tanks move as others do
    right("GW-22", board(LINE, tank("A")), "m1 A-B-C"),
    wrong("GW-22", board(LINE, tank("A"), inf("B")), "m1 A-B-C", UNIT, "B", "i1"),
    # GW-23: through wire
    right("GW-23", board(LINE, tank("A"), wire="B"), "m1 A-B-C", borderline=True),
    wrong("GW-23", board(LINE, inf("A"), wire="B"), "i1 A-B-C", TANK, "B"),
    # GW-24: which they remove
    right("GW-24", board(STAR, tank("A"), inf("X"), wire="B"), "m1 A-B-C; i1 X-B-T"),
    right("GW-24", board(STAR, tank("A"), inf("X"), wire="B"), "i1 X-A", legal=False, rule=UNIT, at="A", blame="m1"),
    wrong("GW-24", board(STAR, tank("A"), inf("X"), wire="B"), "i1 X-B-T; m1 A-B-C", TANK, "B", unit="i1"),
    wrong("GW-24", board(STAR, tank("A"), inf("X"), wire="B"), "i1 X-B; m1 A-B-C", UNIT, "B", "i1", unit="m1"),
    # GW-25: who bogs down moves no further
    right("GW-25", board(LINE, tank("A")), "m1 A-B"),
    wrong("GW-25", board(LINE, tank("A", traits=["ordered", "bogged"])), "m1 A-B", BOGGED, "A"),
    # GW-26: nor later
    right("GW-26", board(LINE, tank("A"), inf("C")), "m1 A-B; i1 C-D", borderline=True),
    wrong("GW-26", board(LINE, tank("A", type="a7v", traits=["ordered", "bogged"])), "m1 A-B-C", BOGGED, "A"),
    # GW-27: dice are for tanks that move
    right("GW-27", board(LINE, tank("A", type="early_tank"), foe("B")), "", battles="1"),
    wrong(
        "GW-27", board(LINE, tank("A", type="early_tank")), "m1 A-B", legal=True, dice="1", note="not without its die"
    ),
    # GW-28: an early tank's first hex
    right("GW-28", board(LINE, tank("A", type="early_tank")), "m1 A-B", dice="1", mp="1"),
    wrong("GW-28", board(LINE, tank("A")), "m1 A-B", legal=True, dice="0", mp="1", note="a later one rolls none"),
    # GW-29: a later tank's first hex
    right("GW-29", board(LINE, tank("A")), "m1 A-B", dice="0", borderline=True),
    right("GW-29", board(LINE, tank("A", type="later_tank")), "m1 A-B", dice="0"),
    wrong(
        "GW-29", board(LINE, tank("A")), "m1 A-B!", BOGGED, "B", note="where no die is rolled, none shows the bad side"
    ),
    # GW-30: its second and third
    right("GW-30", board(LINE, tank("A")), "m1 A-B-C", dice="0 1"),
    right("GW-30", board(LINE, tank("A", type="later_tank")), "m1 A-B-C-D", dice="0 1 1"),
    wrong("GW-30", board(LINE, tank("A", type="later_tank")), "m1 A-B-C-D-E", TANK, "E"),
    # GW-31: taking ground
    right(
        "GW-31",
        board(LINE, tank("A", traits="won_close_combat"), traits={"B": "vacated"}, phase="taking_ground"),
        "m1 A-B",
        dice="1",
    ),
    wrong(
        "GW-31",
        board(STAR, tank("A", traits="won_close_combat"), traits={"B": "vacated"}, phase="taking_ground"),
        "m1 A-X",
        BOGGED,
        "X",
        note="only there",
    ),
    # GW-32: terrain costs a die even on the first hex
    right("GW-32", board(LINE, tank("A"), terrain={"B": "forest"}), "m1 A-B", dice="1"),
    wrong(
        "GW-32",
        board(LINE, tank("A"), terrain={"B": "hill"}),
        "m1 A-B",
        legal=True,
        dice="0",
        note="a hill is not listed",
    ),
    *(
        case
        for number, name in enumerate(
            ("forest", "building", "building_rubble", "trench", "shell_crater", "mine_crater"), 33
        )
        for case in (
            right(
                f"GW-{number}",
                board(LINE, tank("A", id="m2"), terrain={"B": name}),
                "m2 A-B",
                dice="1",
                borderline=True,
            ),
            wrong(
                f"GW-{number}",
                board(LINE, tank("A", id="m2"), terrain={"A": name}),
                "m2 A-B",
                legal=True,
                dice="0",
                note="it is the hex that is entered",
            ),
        )
    ),
    # GW-39: a fortified position
    right("GW-39", board(LINE, tank("A"), fortified="B"), "m1 A-B", dice="1"),
    right(
        "GW-39",
        board(LINE, tank("A"), fortified="B", terrain={"B": "trench"}),
        "m1 A-B",
        dice="2",
        note="each is a die",
    ),
    wrong("GW-39", board(LINE, tank("A"), fortified="C"), "m1 A-B", legal=True, dice="0"),
    # GW-40: wire costs none
    right("GW-40", board(LINE, tank("A"), wire="B"), "m1 A-B", dice="0"),
    wrong(
        "GW-40",
        board(LINE, tank("A"), wire="B", terrain={"B": "trench"}),
        "m1 A-B",
        legal=True,
        dice="1",
        note="the trench does",
    ),
    # GW-41: its own trench line
    right(
        "GW-41",
        board(LINE, tank("A"), terrain={"B": "trench"}, traits={"B": "allied_trench_line"}),
        "m1 A-B",
        dice="0",
        borderline=True,
    ),
    right(
        "GW-41",
        board(LINE, tank("A"), terrain={"C": "trench"}, traits={"C": "allied_trench_line"}),
        "m1 A-B-C",
        dice="0 1",
        note="the second hex is one all the same",
    ),
    wrong(
        "GW-41",
        board(LINE, tank("A"), terrain={"B": "trench"}, traits={"B": "central_trench_line"}),
        "m1 A-B",
        legal=True,
        dice="1",
    ),
    # GW-42: all dice of a hex are added
    right("GW-42", board(LINE, tank("A"), terrain={"C": "trench"}), "m1 A-B-C", dice="0 2"),
    wrong(
        "GW-42",
        board(LINE, tank("A", type="early_tank"), terrain={"B": "forest"}),
        "m1 A-B",
        legal=True,
        dice="2",
        note="not one",
    ),
    # GW-43: one bad die is enough
    right("GW-43", board(LINE, tank("A"), foe("D"), terrain={"C": "trench"}), "m1 A-B-C", dice="0 2", battles="25/36"),
    wrong(
        "GW-43",
        board(LINE, tank("A"), foe("D")),
        "m1 A-B-C",
        legal=True,
        dice="0 1",
        battles="5/6",
        note="with one die",
    ),
    # GW-44: the hex stays occupied
    right("GW-44", board(STAR, tank("X"), inf("A"), terrain={"B": "trench"}), "m1 X-B; i1 A-Y-C"),
    wrong(
        "GW-44",
        board(STAR, tank("X"), inf("A"), terrain={"B": "trench"}),
        "m1 X-B-T; i1 A-B-C",
        UNIT,
        "B",
        "m1",
        unit="i1",
    ),
    # GW-45: no battle then
    right("GW-45", board(LINE, tank("A"), foe("D")), "m1 A-B-C", battles="5/6"),
    wrong("GW-45", board(LINE, tank("A"), foe("D")), "m1 A-B-C!", legal=True, battles="0"),
    # GW-46: nor a bonus combat
    right(
        "GW-46",
        board(LINE, tank("A", traits="won_close_combat"), foe("C"), traits={"B": "vacated"}, phase="taking_ground"),
        "m1 A-B",
        battles="5/6",
    ),
    wrong(
        "GW-46",
        board(LINE, tank("A", traits="won_close_combat"), foe("C"), traits={"B": "vacated"}, phase="taking_ground"),
        "m1 A-B!",
        legal=True,
        battles="0",
    ),
    # GW-47 to GW-49, GW-51: the worked examples
    right("GW-47", board(LINE, tank("A")), "m1 A-B-C", dice="0 1", borderline=True),
    wrong(
        "GW-47",
        board(LINE, tank("A", type="a7v")),
        "m1 A-B-C",
        legal=True,
        dice="0 1",
        note="not two: hexes are rolled for apart",
    ),
    right(
        "GW-48",
        board(LINE, tank("A"), terrain={"C": "trench"}, traits={"C": "central_trench_line"}),
        "m1 A-B-C",
        dice="0 2",
    ),
    wrong(
        "GW-48",
        board(LINE, tank("A"), terrain={"B": "trench"}),
        "m1 A-B-C",
        legal=True,
        dice="1 1",
        note="as its first hex",
    ),
    right(
        "GW-49",
        board(LINE, tank("A", traits="won_close_combat"), traits={"B": "vacated"}, phase="taking_ground"),
        "m1 A-B",
        dice="1",
        mp="1",
    ),
    wrong(
        "GW-49",
        board(LINE, inf("A", traits="won_close_combat"), traits={"B": "vacated"}, phase="taking_ground"),
        "",
        legal=True,
    ),
    # GW-50: it has no choice
    right(
        "GW-50",
        board(LINE, tank("A", traits="won_close_combat"), inf("D"), traits={"B": "vacated"}, phase="taking_ground"),
        "m1 A-B",
    ),
    wrong(
        "GW-50",
        board(LINE, tank("A", traits="won_close_combat"), traits={"B": "vacated"}, phase="taking_ground"),
        "",
        BOGGED,
        "A",
        "m1",
    ),
    right(
        "GW-51",
        board(
            LINE,
            tank("A", traits="won_close_combat"),
            terrain={"B": "shell_crater"},
            traits={"B": "vacated"},
            phase="taking_ground",
        ),
        "m1 A-B",
        dice="2",
    ),
    wrong(
        "GW-51",
        board(
            LINE,
            tank("A", traits="won_close_combat"),
            terrain={"B": "shell_crater"},
            traits={"B": "vacated"},
            phase="taking_ground",
        ),
        "m1 A-B-C",
        BOGGED,
        "C",
        also=((TANK, "C"),),
        note="one hex",
    ),
    # GW-52: reserve artillery
    right("GW-52", board(LINE, guns("A"), foe("C")), "", borderline=True),
    wrong("GW-52", board(LINE, guns("A")), "b1 A-B", RESERVE, "A", also=((RESERVE, "B"),)),
    # GW-53 to GW-59: facts of other chapters
    right("GW-53", board(LINE, tank("A"), inf("C")), "m1 A-B"),
    wrong("GW-53", board(LINE, tank("A"), inf("B")), "m1 A-B", UNIT, "B", "i1"),
    right("GW-54", board(LINE, tank("A", type="a7v"), foe("D")), "m1 A-B-C", dice="0 1", battles="5/6"),
    wrong("GW-54", board(LINE, tank("A", type="a7v"), foe("C")), "m1 A-B", legal=True, dice="0", battles="1"),
    right("GW-55", board(LINE, tank("A", type="a7v")), "m1 A-B-C", dice="0 1", borderline=True),
    wrong("GW-55", board(LINE, tank("A")), "m1 A-B-C-D", TANK, "D"),
    right("GW-56", board(LINE, tank("A", type="later_tank")), "m1 A-B-C-D", dice="0 1 1", mp="3"),
    wrong("GW-56", board(LINE, tank("A", type="early_tank")), "m1 A-B-C", TANK, "C"),
    right("GW-57", board(STAR, inf("A"), terrain={"B": "waterway"}), "i1 A-Y-C", borderline=True),
    wrong("GW-57", board(STAR, inf("A"), terrain={"B": "waterway"}), "i1 A-B", TERRAIN, "B"),
    right("GW-58", board(LINE, inf("A"), terrain={"B": "ford"}), "i1 A-B", stops=TERRAIN),
    wrong("GW-58", board(LINE, inf("A"), terrain={"B": "ford"}), "i1 A-B-C", TERRAIN, "B"),
    right("GW-59", board(LINE, mg("A"), terrain={"B": "ford"}), "g1 A-B"),
    wrong("GW-59", board(LINE, tank("A"), terrain={"B": "ford"}), "m1 A-B", TERRAIN, "B"),
    wrong("GW-59", board(LINE, guns("A", type="field_artillery"), terrain={"B": "ford"}), "b1 A-B", TERRAIN, "B"),
)

CASES = (*MOVEMENT, *TANKS)
