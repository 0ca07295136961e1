"""A World at War: movement and overruns, statement by statement."""

from __future__ import annotations

from tests.games.statements.a_world_at_war_board import armor, board, enemy, fighters, foot, mech, tanks, wing
from tests.games.statements.board import FLANK, LINE, STAR, right, wrong

POOL = "[force_pool]"
EDGE = {"east": {"traits": ["free_to_move"], "adjacent": ["C"]}, "closed": {"adjacent": ["C", "east"]}}
LONG = "A B C D E F G H I"

MOVEMENT = (
    # AW-01, 13.11: all, some or none
    right("AW-01", board(LINE, armor("A"), mech("A"), foot("A")), "x A-B", borderline=True),
    wrong("AW-01", board(LINE, armor("A"), mech("A")), "", legal=True, note="nobody has to move"),
    # AW-02: air units first, so no longer now
    right("AW-02", board(LINE, foot("A"), wing("A")), "z A-B"),
    wrong("AW-02", board(LINE, foot("A"), wing("A")), "z A-B; w A-B", "13.31", "B", unit="w", borderline=True),
    # AW-03, 13.21: own units, and those of active minor allies
    right(
        "AW-03",
        board(LINE, foot("A", nationality="finland", supplied=False)),
        f"z A-{POOL}",
        mp="0",
        boxes={},
        borderline=True,
    ),
    wrong(
        "AW-03",
        board(LINE, foot("A", nationality="italy", traits="another_powers")),
        f"z A-{POOL}",
        "13.21",
        "force_pool",
    ),
    right("AW-03", board(LINE, foot("east"), boxes=EDGE), f"z [east]-{POOL}", mp="0", note="off the map, too"),
    wrong(
        "AW-03",
        board(LINE, foot("closed", traits="another_powers"), boxes=EDGE),
        f"z [closed]-{POOL}",
        "13.21",
        "force_pool",
    ),
    # AW-04: just before the movement phase
    right(
        "AW-04",
        board(LINE, foot("A"), foot("closed", "z2"), foot("B", "z3"), boxes=EDGE),
        f"z3 B-{POOL}; z2 [closed]-{POOL}; z A-B",
        borderline=True,
    ),
    right(
        "AW-04",
        board(LINE, foot("A"), foot("B", "z2"), foot("B", "z3")),
        f"z2 B-{POOL}; z3 B-{POOL}; z A-B",
        borderline=True,
    ),
    wrong("AW-04", board(LINE, foot("A"), foot("B", "z2")), f"z A-B; z2 B-{POOL}", "13.21", "force_pool", unit="z2"),
    wrong("AW-04", board(LINE, foot("A")), f"z A-B-{POOL}", "13.21", "force_pool"),
    # AW-05, 13.21A: no neutral power
    right("AW-05", board(LINE, foot("A")), f"z A-{POOL}", borderline=True),
    wrong(
        "AW-05",
        board(LINE, foot("A", nationality="usa"), country={"usa": {"status": ["neutral"]}}),
        f"z A-{POOL}",
        "13.21A",
        "force_pool",
    ),
    wrong(
        "AW-05",
        board(LINE, foot("east", nationality="usa"), boxes=EDGE, country={"usa": {"status": ["neutral"]}}),
        f"z [east]-{POOL}",
        "13.21A",
        "force_pool",
    ),
    # AW-06, 13.21B: minors once they are active
    right("AW-06", board(LINE, foot("A", nationality="rumania")), f"z A-{POOL}", borderline=True),
    wrong(
        "AW-06",
        board(LINE, foot("A", nationality="vichy"), country={"vichy": {"status": ["inactive"]}}),
        f"z A-{POOL}",
        "13.21B",
        "force_pool",
    ),
    # AW-07, 13.21C: no naval units
    right("AW-07", board(LINE, wing("A")), f"w A-{POOL}", borderline=True),
    wrong(
        "AW-07",
        board(LINE, wing("A", "n", type="naval")),
        f"n A-{POOL}",
        "13.21",
        "force_pool",
        also=(("13.11", "A"),),
    ),
    # AW-08, 13.21D: no airbases
    right("AW-08", board(LINE, wing("A"), wing("A", "b", type="airbase")), f"w A-{POOL}", borderline=True),
    wrong(
        "AW-08",
        board(LINE, wing("A", "b", type="airbase")),
        f"b A-{POOL}",
        "13.21",
        "force_pool",
        also=(("13.11", "A"),),
    ),
    # AW-15, 13.33: supply is looked at once
    right("AW-15", board(STAR, armor("B"), foot("A"), enemy("T")), "x BxT; z A-B", borderline=True),
    wrong(
        "AW-15",
        board(STAR, armor("B"), foot("A", supplied=False), enemy("T")),
        "x BxT; z A-B",
        "13.41A",
        "B",
        unit="z",
    ),
    # AW-16, 13.41: the movement factor bounds the whole move
    right("AW-16", board(LINE, foot("A")), "z A-B-C-D", mp="3", borderline=True),
    wrong("AW-16", board(LINE, foot("A")), "z A-B-C-D-E", "13.41", "E"),
    # AW-17, 13.41A: out of supply
    right("AW-17", board(LINE, foot("A")), "z A-B"),
    wrong("AW-17", board(LINE, foot("A", supplied=False)), "z A-B", "13.41A", "B", borderline=True),
    # AW-18, 13.41B: a clear hex costs 1
    right("AW-18", board(LINE, foot("A", ma=2)), "z A-B-C", mp="2", borderline=True),
    wrong("AW-18", board(LINE, foot("A", ma=1)), "z A-B-C", "13.41", "C"),
    # AW-19, 13.41C: rough terrain one more
    right("AW-19", board(LINE, foot("A"), terrain={"C": "forest"}), "z A-B-C", mp="3", borderline=True),
    right("AW-19", board(LINE, foot("A", ma=2), terrain={"B": "swamp"}), "z A-B", mp="2"),
    right("AW-19", board(LINE, foot("A", ma=2), terrain={"B": "mountain"}), "z A-B", mp="2"),
    wrong("AW-19", board(LINE, foot("A", ma=2), terrain={"C": "forest"}), "z A-B-C", "13.41", "C"),
    # AW-20: jungle is clear to the Japanese and to the Chindit
    right(
        "AW-20",
        board(LINE, foot("A", ma=2, nationality="japan"), terrain={"C": "jungle"}),
        "z A-B-C",
        mp="2",
        borderline=True,
    ),
    right(
        "AW-20",
        board(LINE, foot("A", ma=2, nationality="britain", traits="chindit"), terrain={"C": "jungle"}),
        "z A-B-C",
        mp="2",
    ),
    wrong(
        "AW-20", board(LINE, foot("A", ma=2, nationality="britain"), terrain={"C": "jungle"}), "z A-B-C", "13.41", "C"
    ),
    # AW-21: jungle/mountain isn't
    right(
        "AW-21",
        board(LINE, foot("A", nationality="japan"), terrain={"C": "jungle_mountain"}),
        "z A-B-C",
        mp="3",
        borderline=True,
    ),
    wrong(
        "AW-21",
        board(LINE, foot("A", ma=2, nationality="japan"), terrain={"C": "jungle_mountain"}),
        "z A-B-C",
        "13.41",
        "C",
    ),
    # AW-22, 13.41D: Europe, 2 more to leave the ZOC of armor; T touches B and C
    right("AW-22", board(FLANK, foot("B"), tanks("T")), "z B-A", mp="3", borderline=True),
    wrong("AW-22", board(FLANK, foot("A"), tanks("T")), "z A-B-A", "13.41", "A"),
    # AW-23: from one such hex to another, once
    right("AW-23", board(FLANK, foot("B"), tanks("T")), "z B-C", mp="3", borderline=True),
    wrong("AW-23", board(FLANK, foot("B", ma=2), tanks("T")), "z B-C-D", "13.41", "D", also=(("13.411", "C"),)),
    # AW-24: surprised armor has none
    right("AW-24", board(FLANK, foot("B"), tanks("T", traits="surprised")), "z B-C-D-E", mp="3", borderline=True),
    wrong("AW-24", board(FLANK, foot("B"), tanks("T")), "z B-C-D", "13.41", "D"),
    # AW-25: the Pacific, 1 more
    right("AW-25", board(FLANK, foot("B", ma=2), tanks("T"), pacific="ABCDET"), "z B-A", mp="2", borderline=True),
    wrong("AW-25", board(FLANK, foot("A", ma=2), tanks("T"), pacific="ABCDET"), "z A-B-A", "13.41", "A"),
    # AW-26: there too, once
    right("AW-26", board(FLANK, foot("B", ma=2), tanks("T"), pacific="ABCDET"), "z B-C", mp="2", borderline=True),
    wrong("AW-26", board(FLANK, foot("B"), tanks("T"), pacific="ABCDET"), "z B-C-D", "13.41", "D"),
    # AW-27: entering costs nothing more
    right("AW-27", board(FLANK, foot("A", ma=1), tanks("T")), "z A-B", mp="1", borderline=True),
    wrong("AW-27", board(FLANK, foot("A", ma=2), tanks("T")), "z A-B", legal=True, mp="1", note="not 3"),
    # AW-29, 13.41E: an overrun costs one more
    right("AW-29", board(STAR, armor("B", ma=2), enemy("T")), "x BxT", mp="2", borderline=True),
    wrong("AW-29", board(STAR, armor("B", ma=1), enemy("T")), "x BxT", "13.411", "T"),
    # AW-30, 13.41F: partial supply
    right("AW-30", board(LINE, armor("A", traits="partially_supplied")), "x A-B-C-D", mp="3", borderline=True),
    wrong("AW-30", board(LINE, armor("A", traits="partially_supplied")), "x A-B-C-D-E", "13.41F", "E"),
    wrong("AW-30", board(LINE, armor("A", traits="partially_supplied"), pacific="ABCDEFG"), "x A-B-C-D", "13.41F", "D"),
    # AW-31: oil
    right("AW-31", board(LONG, armor("A")), "x A-B-C-D-E-F-G", mp="6"),
    wrong("AW-31", board(LONG, armor("A", traits="no_component")), "x A-B-C-D-E", "13.41F", "E", borderline=True),
    # AW-32: infantry in the Pacific
    right(
        "AW-32",
        board(LINE, mech("A", nationality="usa"), pacific="ABCDEFG"),
        "y A-B-C",
        mp="2",
        borderline=True,
    ),
    wrong("AW-32", board(LINE, mech("A", nationality="usa"), pacific="ABCDEFG"), "y A-B-C-D", "13.41F", "D"),
    # AW-33, 13.411: one hex always
    right(
        "AW-33",
        board(FLANK, foot("B"), tanks("T"), terrain={"A": "mountain"}),
        "z B-A",
        mp="4",
        stops="13.411",
        borderline=True,
    ),
    wrong("AW-33", board(FLANK, foot("A"), tanks("T")), "z A-B-C", "13.41", "C"),
    # AW-34: whatever reduces the movement factor
    right(
        "AW-34",
        board(FLANK, armor("B", traits=["exploiting", "from_objective"]), tanks("T"), phase="exploitation"),
        "x B-A",
        mp="3",
        borderline=True,
    ),
    right("AW-34", board(LINE, foot("A", ma=2), terrain={"B": "mountain"}, mud="B"), "z A-B", mp="2"),
    wrong(
        "AW-34",
        board(LINE, armor("A", traits=["exploiting", "from_objective"]), phase="exploitation"),
        "x A-B-C",
        "13.41F",
        "C",
    ),
    # AW-35: but no overrun
    right("AW-35", board(FLANK, armor("B", ma=4), enemy("C"), tanks("T")), "x BxC", mp="4", borderline=True),
    wrong("AW-35", board(FLANK, armor("B", ma=3), enemy("C"), tanks("T")), "x BxC", "13.411", "C"),
    # AW-36: and no hex that can't be entered
    right("AW-36", board(LINE, foot("A", ma=1), terrain={"B": "mountain"}), "z A-B", mp="2", borderline=True),
    wrong("AW-36", board(LINE, foot("A", ma=1), lake="AB"), "z A-B", "13.43", "B"),
    wrong("AW-36", board(LINE, foot("A", ma=1), enemy("B")), "z A-B", "13.46", "B", "e"),
    # AW-38, 13.42: nobody moves with another's movement factor
    right("AW-38", board(LINE, armor("A"), foot("A")), "z A-B-C-D; x A-B-C-D-E-F", borderline=True),
    wrong("AW-38", board(LINE, armor("A"), foot("A")), "x+z A-B-C-D-E", "13.41", "E", unit="z"),
    # AW-39: nor saves it
    right("AW-39", board(LINE, foot("A")), "z A-B-C-D", mp="3", borderline=True),
    wrong("AW-39", board(LINE, foot("A")), "z A-B-C-D-E-F", "13.41", "E", also=(("13.41", "F"),)),
    # AW-40, 13.43A: lakes and oceans
    right("AW-40", board(LINE, foot("A"), ocean="BC"), "z A-B", borderline=True),
    wrong("AW-40", board(LINE, foot("A"), ocean="AB"), "z A-B", "13.43", "B"),
    wrong("AW-40", board(LINE, foot("A"), lake="AB"), "z A-B", "13.43", "B"),
    # AW-41: crossing arrows
    right("AW-41", board(LINE, foot("A"), ocean="AB", crossing_arrow="AB"), "z A-B", mp="1", borderline=True),
    wrong("AW-41", board(LINE, foot("A"), ocean="ABC", crossing_arrow="AB"), "z A-B-C", "13.43", "C"),
    # AW-42, 13.43B: Qattara
    right("AW-42", board(LINE, foot("A"), qattara="BC"), "z A-B"),
    wrong("AW-42", board(LINE, foot("A"), qattara="BC"), "z A-B-C", "13.43", "C", borderline=True),
    wrong("AW-42", board(LINE, foot("C"), qattara="BC"), "z C-B", "13.43", "B"),
    # AW-43, 13.43C: Himalaya
    right("AW-43", board(LINE, foot("A"), himalaya="BC"), "z A-B"),
    wrong("AW-43", board(LINE, foot("A"), himalaya="BC"), "z A-B-C", "13.43", "C", borderline=True),
    # AW-44, 13.43D: outback
    right("AW-44", board(LINE, foot("A"), outback="BC"), "z A-B"),
    wrong("AW-44", board(LINE, foot("A"), outback="BC"), "z A-B-C", "13.43", "C", borderline=True),
    # AW-45, 13.44: boxes
    right("AW-45", board(LINE, foot("A"), boxes=EDGE), "z A-B-C-[east]", mp="3"),
    right("AW-45", board(LINE, foot("east"), boxes=EDGE), "z [east]-C-D", mp="2"),
    wrong("AW-45", board(LINE, foot("A"), boxes=EDGE), "z A-B-C-[closed]", "13.44", "closed", borderline=True),
    wrong("AW-45", board(LINE, foot("closed"), boxes=EDGE), "z [closed]-C", "13.44", "C"),
    # AW-46: with movement factors enough
    right("AW-46", board(LINE, foot("B", ma=2), boxes=EDGE), "z B-C-[east]", mp="2", borderline=True),
    wrong("AW-46", board(LINE, foot("B", ma=1), boxes=EDGE), "z B-C-[east]", "13.41", "east"),
    wrong(
        "AW-46",
        board("C D E F G\n A B", foot("C", ma=1), tanks("D"), boxes=EDGE),
        "z C-[east]",
        "13.41",
        "east",
        note="not as its one hex either",
    ),
    # AW-47: off the board it is clear
    right("AW-47", board(LINE, foot("C", ma=1), boxes=EDGE), "z C-[east]", mp="1", borderline=True),
    wrong("AW-47", board(LINE, foot("C"), boxes=EDGE), "z C-[east]", legal=True, mp="1", note="not 2"),
    # AW-48: no box to box
    right("AW-48", board(LINE, foot("east"), boxes=EDGE), "z [east]-C", mp="1"),
    wrong("AW-48", board(LINE, foot("east"), boxes=EDGE), "z [east]-[closed]", "13.44", "closed", borderline=True),
    # AW-49, 13.45: together
    right("AW-49", board(STAR, armor("A"), mech("A")), "x+y A-B-C", mp="2", borderline=True),
    wrong("AW-49", board(STAR, armor("A"), mech("X")), "x+y A-B-C", "13.45", "A", unit="y"),
    # AW-50: and waiting
    right(
        "AW-50",
        board(STAR, armor("A", strength=3), mech("C"), enemy("T")),
        "x A-B; y C-B; x+y BxT",
        mp="2",
        borderline=True,
    ),
    wrong("AW-50", board(STAR, armor("A", strength=3), mech("C"), enemy("T")), "x A-BxT", "13.52", "T", "e"),
    # AW-51: within one movement factor
    right("AW-51", board(LONG, armor("A"), foot("C")), "x A-B; z C-D; x B-C-D-E-F-G", mp="5", borderline=True),
    wrong("AW-51", board(LONG, armor("A"), foot("C")), "x A-B; z C-D; x B-C-D-E-F-G-H", "13.41", "H", unit="x"),
    # AW-52, 13.46: hexes of the enemy
    right("AW-52", board(STAR, armor("B"), mech("B"), enemy("T")), "x+y BxT"),
    right("AW-52", board(LINE, foot("A"), fighters("B")), "z A-B-C", note="air alone bars nobody"),
    wrong("AW-52", board(LINE, foot("A"), enemy("B")), "z A-B-C", "13.46", "B", "e", borderline=True),
    # AW-54, 13.47: weather binds those who are in it; two movement factors in mud
    right("AW-54", board(LINE, foot("A", ma=4), mud="BCD"), "z A-B-C", mp="2", borderline=True),
    wrong("AW-54", board(LINE, foot("A", ma=4), mud="BCD"), "z A-B-C-D", "13.47", "D"),
    # AW-55: and nobody else
    right("AW-55", board(LINE, foot("A", ma=4), mud="B"), "z A-B-C-D-E", mp="4", borderline=True),
    wrong("AW-55", board(LINE, foot("A", ma=4), mud="D"), "z A-B-C-D", "13.47", "D"),
    # AW-56: the worked example: an eastern mountain in winter
    right(
        "AW-56",
        board(
            LINE,
            armor("A", traits="exploiting"),
            phase="exploitation",
            winter="ABCD",
            terrain={"B": "mountain"},
            traits={"B": ["eastern_front"]},
        ),
        "x A-B",
    ),
    wrong(
        "AW-56",
        board(
            LINE,
            armor("A", traits="exploiting"),
            phase="exploitation",
            winter="ABCD",
            terrain={"B": "mountain"},
            traits={"B": ["eastern_front"]},
        ),
        "x A-B-C",
        "13.47",
        "C",
        borderline=True,
    ),
    # AW-57: a clear eastern hex, and a Mediterranean mountain
    right(
        "AW-57",
        board(
            LINE,
            armor("A", traits="exploiting"),
            phase="exploitation",
            winter="ABCD",
            terrain={"C": "mountain"},
            traits={"B": ["eastern_front"], "C": ["mediterranean_front"]},
        ),
        "x A-B-C-D",
        mp="4",
        borderline=True,
    ),
    wrong(
        "AW-57",
        board(
            LINE,
            armor("A", traits="exploiting"),
            phase="exploitation",
            winter="ABCD",
            terrain={"C": "mountain"},
            traits={"B": ["eastern_front"], "C": ["eastern_front"]},
        ),
        "x A-B-C-D",
        "13.47",
        "D",
    ),
)

OVERRUNS = (
    # AW-58, 13.51: armor and mechanized infantry alone
    right("AW-58", board(STAR, armor("B"), mech("B"), enemy("T")), "x+y BxT", borderline=True),
    wrong("AW-58", board(STAR, armor("B"), foot("B"), enemy("T")), "x+z BxT", "13.51", "T", unit="z"),
    # AW-59: in movement and in exploitation
    right(
        "AW-59",
        board(STAR, armor("B", traits="exploiting"), enemy("T"), phase="exploitation"),
        "x BxT",
        borderline=True,
    ),
    wrong(
        "AW-59",
        board(STAR, armor("B"), enemy("T"), phase="combat"),
        "x BxT",
        "13.51",
        "B",
        also=(("13.52", "T"),),
    ),
    # AW-60: with the modifiers of an attack
    right("AW-60", board(STAR, armor("B", strength=7), enemy("T")), "x BxT"),
    wrong(
        "AW-60",
        board(STAR, armor("B", strength=7), enemy("T"), terrain={"T": "forest"}),
        "x BxT",
        "13.52",
        "T",
        "e",
        borderline=True,
    ),
    # AW-61, 13.52: two at most
    right("AW-61", board(STAR, armor("B"), armor("B", "v"), enemy("T")), "x+v BxT", borderline=True),
    wrong(
        "AW-61",
        board(STAR, armor("B"), armor("B", "v"), mech("B"), enemy("T")),
        "x+v+y BxT",
        "13.52",
        "T",
        unit="x",
        also=(("12.1", "T"),),
    ),
    # AW-62: through one hexside
    right("AW-62", board(FLANK, armor("B", strength=3), mech("B"), enemy("T")), "x+y BxT", borderline=True),
    wrong("AW-62", board(FLANK, armor("B", strength=3), mech("C"), enemy("T")), "x+y BxT", "13.45", "B", unit="y"),
    # AW-63: all who are there defend
    right("AW-63", board(STAR, armor("B", strength=12), enemy("T"), enemy("T", "e2")), "x BxT", borderline=True),
    wrong("AW-63", board(STAR, armor("B", strength=8), enemy("T"), enemy("T", "e2")), "x BxT", "13.52", "T", "e e2"),
    # AW-64: 6:1
    right("AW-64", board(STAR, armor("B", strength=12), enemy("T", strength=2)), "x BxT", borderline=True),
    wrong("AW-64", board(STAR, armor("B", strength=11), enemy("T", strength=2)), "x BxT", "13.52", "T", "e"),
    # AW-65: one of them armor
    right("AW-65", board(STAR, armor("B", strength=3), mech("B"), enemy("T")), "x+y BxT", borderline=True),
    wrong("AW-65", board(STAR, mech("B"), mech("B", "y2"), enemy("T")), "y+y2 BxT", "13.52", "T", unit="y"),
    # AW-66: both with a working component
    right("AW-66", board(STAR, armor("B"), mech("B"), enemy("T")), "x+y BxT"),
    wrong(
        "AW-66",
        board(STAR, armor("B"), mech("B", traits="no_component"), enemy("T")),
        "x+y BxT",
        "13.52",
        "T",
        unit="y",
        borderline=True,
    ),
    # AW-67: one more, each
    right("AW-67", board(STAR, armor("B", ma=2), mech("B", ma=2), enemy("T")), "x+y BxT", mp="2", borderline=True),
    wrong("AW-67", board(STAR, armor("B", ma=2), mech("B", ma=1), enemy("T")), "x+y BxT", "13.411", "T", unit="y"),
    # AW-68: who can't pay can't take part
    right("AW-68", board(STAR, armor("B", ma=4), mech("B", ma=2), enemy("T")), "x+y BxT", borderline=True),
    wrong("AW-68", board(STAR, armor("B", ma=4), mech("B", ma=1), enemy("T")), "x+y BxT", "13.411", "T", unit="y"),
    # AW-69, 13.521: from different places
    right(
        "AW-69",
        board(STAR, armor("A", strength=3), mech("C"), enemy("T")),
        "x A-B; y C-B; x+y BxT",
        borderline=True,
    ),
    wrong(
        "AW-69",
        board(STAR, armor("A", strength=3), mech("C"), enemy("T")),
        "x A-B; x+y BxT",
        "13.45",
        "B",
        unit="y",
    ),
    # AW-70: one that has come by sea, with what it has left
    right("AW-70", board(STAR, armor("B", strength=3), mech("B", ma=2), enemy("T")), "x+y BxT", borderline=True),
    wrong(
        "AW-70", board(STAR, armor("B", strength=3), mech("B", ma=1), enemy("T")), "x+y BxT", "13.411", "T", unit="y"
    ),
    # AW-71: armor that exploits from several hexes
    right(
        "AW-71",
        board(
            STAR,
            armor("A", strength=3, traits="exploiting"),
            armor("C", "v", strength=3, traits="exploiting"),
            enemy("T"),
            phase="exploitation",
        ),
        "x A-B; v C-B; x+v BxT",
        borderline=True,
    ),
    wrong(
        "AW-71",
        board(STAR, armor("A", strength=3, traits="exploiting"), armor("C", "v"), enemy("T"), phase="exploitation"),
        "x A-B; v C-B",
        "13.55D",
        "C",
        unit="v",
    ),
    # AW-72, 13.522: two from one breakthrough hex
    right(
        "AW-72",
        board(
            STAR,
            armor("B", strength=3, traits="exploiting"),
            armor("B", "v", strength=3, traits="exploiting"),
            enemy("T"),
            phase="exploitation",
        ),
        "x+v BxT",
        borderline=True,
    ),
    wrong(
        "AW-72",
        board(
            STAR,
            armor("B", traits="exploiting"),
            armor("B", "v", traits="exploiting"),
            armor("B", "u", traits="exploiting"),
            enemy("T"),
            phase="exploitation",
        ),
        "x+v+u BxT",
        "13.52",
        "T",
        unit="x",
        also=(("12.1", "T"),),
    ),
    # AW-73, 13.53: ground support within range, 4 hexes
    right("AW-73", board(LONG, armor("D", strength=8), wing("A"), enemy("E", strength=2)), "x DxE(w)", borderline=True),
    wrong(
        "AW-73",
        board(LONG, armor("E", strength=8), wing("A"), enemy("F", strength=2)),
        "x ExF(w)",
        "13.53",
        "F",
        unit="x",
    ),
    # AW-74: the defender's air
    right("AW-74", board(LONG, armor("A", strength=8), enemy("B"), fighters("G"), margin="all"), "x AxB"),
    wrong(
        "AW-74",
        board(LONG, armor("A", strength=8), enemy("B"), fighters("F"), margin="all"),
        "x AxB",
        "13.531",
        "B",
        "ef",
        borderline=True,
    ),
    # AW-77: air that came by sea, from where it landed
    right("AW-77", board(LONG, armor("D", strength=8), wing("A"), enemy("E", strength=2)), "x DxE(w)", borderline=True),
    wrong(
        "AW-77",
        board(LONG, armor("D", strength=8), wing("A"), enemy("E", strength=2)),
        "w A-B; x DxE(w)",
        "13.31",
        "B",
        unit="w",
    ),
    # AW-78: each air factor once
    right(
        "AW-78",
        board(STAR, armor("B", strength=8), wing("A"), enemy("T", strength=2), enemy("U", "e2")),
        "x BxT(w)xU",
        borderline=True,
    ),
    wrong(
        "AW-78",
        board(STAR, armor("B", strength=8), wing("A"), enemy("T", strength=2), enemy("U", "e2", strength=2)),
        "x BxT(w)xU(w)",
        "13.53",
        "U",
        unit="x",
    ),
    # AW-79, 13.531: what the defender's air does to the odds
    right("AW-79", board(STAR, armor("B", strength=12), enemy("T"), fighters("E"), margin=1), "x BxT", borderline=True),
    wrong(
        "AW-79",
        board(STAR, armor("B", strength=8), enemy("T"), fighters("E"), margin=1),
        "x BxT",
        "13.531",
        "T",
        "ef",
    ),
    # AW-80: who has failed stays
    right("AW-80", board(STAR, armor("A", strength=8), enemy("T"), fighters("E")), "x A-B!T", mp="3", borderline=True),
    wrong(
        "AW-80",
        board(STAR, armor("A", strength=8), enemy("T"), fighters("E")),
        "x A-B!T; x B-C",
        "13.531",
        "B",
        unit="x",
    ),
    wrong("AW-80", board(STAR, armor("A", strength=12), enemy("T"), fighters("E")), "x A-B!T", "13.531", "T"),
    # AW-81: and must not be too many at the end
    right(
        "AW-81",
        board(STAR, armor("B", strength=8), mech("B"), foot("B"), enemy("T"), fighters("E")),
        "x+y B!T; z B-C",
        borderline=True,
    ),
    wrong(
        "AW-81",
        board(STAR, armor("B", strength=8), mech("B"), foot("A"), enemy("T"), fighters("E")),
        "z A-B; x+y B!T",
        "12.1",
        "B",
        "x y z",
    ),
    # AW-82: no second attempt by anybody
    right(
        "AW-82",
        board(FLANK, armor("B", strength=8), armor("C", "v"), enemy("T"), fighters("A"), enemy("D", "e2")),
        "x B!T; v CxD",
    ),
    wrong(
        "AW-82",
        board(FLANK, armor("B", strength=8), armor("C", "v"), enemy("T"), fighters("A")),
        "x B!T; v CxT",
        "13.531",
        "T",
        "e",
        unit="v",
        borderline=True,
    ),
    # AW-86, 13.532: no airdrops
    right("AW-86", board(STAR, armor("B", strength=8), wing("A"), enemy("T", strength=2)), "x BxT(w)"),
    wrong(
        "AW-86",
        board(STAR, armor("B", strength=11), foot("A", "para", strength=4), enemy("T", strength=2)),
        "x BxT(para)",
        "13.53",
        "T",
        unit="x",
        borderline=True,
    ),
    # AW-88, 13.54: gone at once, and its ZOC with it
    right(
        "AW-88",
        board(FLANK, armor("B", strength=18), foot("C"), tanks("T")),
        "x BxT; z C-D-E",
        mp="2",
        borderline=True,
    ),
    wrong(
        "AW-88", board(FLANK, armor("B", strength=18), foot("C"), tanks("T")), "z C-D-E; x BxT", "13.41", "E", unit="z"
    ),
    # AW-89: the mover loses nothing
    right(
        "AW-89",
        board(STAR, armor("B"), mech("B"), enemy("T")),
        "x+y BxT",
        boxes={"x": None, "y": None, "e": "force_pool"},
        borderline=True,
    ),
    wrong("AW-89", board(STAR, armor("B"), enemy("T")), "x BxT-U", legal=True, note="it goes on undiminished"),
    # AW-90, 13.55A: moving on
    right("AW-90", board(STAR, armor("B", ma=5), enemy("T")), "x BxT-U-G-D", mp="5", borderline=True),
    wrong("AW-90", board(STAR, armor("B", ma=2), enemy("T")), "x BxT-U", "13.41", "U"),
    # AW-91, 13.55B: overrunning again
    right("AW-91", board(STAR, armor("B", ma=4), enemy("T"), enemy("U", "e2")), "x BxTxU", mp="4", borderline=True),
    wrong("AW-91", board(STAR, armor("B", ma=3), enemy("T"), enemy("U", "e2")), "x BxTxU", "13.41", "U"),
    # AW-93, 13.55D: exploiting
    right("AW-93", board(LINE, armor("A", traits="exploiting"), phase="exploitation"), "x A-B", borderline=True),
    wrong("AW-93", board(LINE, armor("A"), phase="exploitation"), "x A-B", "13.55D", "A"),
    # AW-94, 13.56: no surcharge for those who follow
    right("AW-94", board(STAR, armor("B"), foot("B", ma=1), enemy("T")), "x BxT; z B-T", mp="1", borderline=True),
    wrong("AW-94", board(STAR, armor("B"), foot("A"), enemy("T")), "z A-B; x BxT; z B-T-U-V", "13.41", "V", unit="z"),
    # AW-95, 13.57: weather
    right("AW-95", board(STAR, armor("B"), enemy("T"), winter="BT"), "x BxT"),
    wrong("AW-95", board(STAR, armor("B"), enemy("T"), mud="T"), "x BxT", "13.57", "T", borderline=True),
    # AW-97, 13.58: inland, armor that exploits from the beach
    right(
        "AW-97",
        board(STAR, armor("B", traits=["exploiting", "landed"]), enemy("T"), phase="exploitation"),
        "x BxT",
        borderline=True,
    ),
    wrong(
        "AW-97",
        board(STAR, armor("B", traits=["exploiting", "landed"]), enemy("T"), phase="exploitation"),
        "x B-T",
        "13.46",
        "T",
        "e",
    ),
    # AW-98, 13.59: no hex is exempt
    right(
        "AW-98",
        board(STAR, armor("B", strength=12), enemy("T"), traits={"T": ["capital", "fortress"]}),
        "x BxT",
        borderline=True,
    ),
    wrong(
        "AW-98",
        board(STAR, armor("B", strength=11), enemy("T"), traits={"T": ["capital", "fortress"]}),
        "x BxT",
        "13.52",
        "T",
        "e",
    ),
    # AW-99: armor alone has a ZOC that costs
    right("AW-99", board(FLANK, foot("B"), enemy("T")), "z B-C-D-E", mp="3", borderline=True),
    wrong("AW-99", board(FLANK, foot("B"), tanks("T")), "z B-C-D", "13.41", "D"),
    # AW-100: the theater is the hex's
    right("AW-100", board(FLANK, foot("B"), tanks("T"), pacific="B"), "z B-C", mp="2", borderline=True),
    wrong("AW-100", board(FLANK, foot("B"), tanks("T"), pacific="ACDET"), "z B-C-D", "13.41", "D"),
    # AW-101: stacking is data
    right("AW-101", board(LINE, foot("A"), foot("A", "z2")), "z A-B; z2 A-B", borderline=True),
    wrong("AW-101", board(LINE, foot("A"), foot("A", "z2"), foot("B", "z3")), "z A-B; z2 A-B", "12.1", "B", "z z2 z3"),
    # AW-102: odds after modifiers
    right("AW-102", board(STAR, armor("B", strength=7), enemy("T")), "x BxT"),
    wrong(
        "AW-102",
        board(STAR, armor("B", strength=7), enemy("T"), terrain={"T": "mountain"}),
        "x BxT",
        "13.52",
        "T",
        "e",
        borderline=True,
    ),
)

CASES = (*MOVEMENT, *OVERRUNS)
