"""The parameters reach what games of the field commonly have; each variant is shown by a made-up game of data alone.

The board is a column of hexes, 03.01 to 03.06 from north to south, with neighbours on both sides. An enemy in 04.02 lies
beside 03.02 and 03.03, one in 02.03 beside 03.03 and 03.04, one in 04.04 beside 03.04 and 03.05.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.objective import Tier
from planner.objective.goals import End
from planner.rules.roles import Exempts, Exhausts
from planner.search.search import Search
from tests.conftest import DEEP
from tests.oracles.brute_force import BruteForce
from tests.oracles.every_plan import EveryPlan
from tests.plain_game import ANYWHERE, BONUS, EXHAUSTION, LIMIT, OVERRUN, ROAD, Variant, build, effect

ONE, TWO = ("guard e 04.02",), ("guard e 04.02", "guard g 02.03")
PAIR = ("foot f 03.01 9", "foot g 03.02 9")

FERRY = '[[rule]]\nid = "ferry"\nkind = "transport"\nparagraph = "ferry"\nembark = [{{ traits = "port" }}]\n'
FERRY += 'debark = [{{ traits = "port" }}]\n{}\n'
OWN_PORTS = '[control]\nsouth = "03.02 05.04"\n[[marker]]\ntype = "boat"\nside = "south"\nzone = "water"\n'

DEEP_RIVER = 'hexsides.river = {{ {}, assisted = [{{ by = {{ types = "scout" }}, {} }}] }}\n'

VARIANTS = [
    Variant(
        "a ZOC locks: it may be entered, not left",
        effect('on = "leave", does = "forbid", negatable = false'),
        enemies=ONE,
        verdicts=(("f 03.01-03.02", ""), ("f 03.01-03.02-02.02", "zoc")),
    ),
    Variant(
        "a ZOC locks unless a friend covers the hex",
        effect('on = "leave", does = "forbid"'),
        units=("foot f 03.01 9", "foot g 03.02 0"),
        enemies=ONE,
        verdicts=(("f 03.01-03.02-03.01", ""), ("f 03.01-03.02-03.03-03.04", "zoc")),
    ),
    Variant(
        "nobody goes from one EZOC hex straight to another",
        effect('on = "enter", does = "forbid", from_ezoc = "any", negatable = false'),
        enemies=TWO,
        verdicts=(
            ("f 03.01-03.02", ""),
            ("f 03.01-03.02-03.03", "zoc"),
            ("f 03.01-03.02-02.02", "zoc"),  # g's ZOC
            ("f 03.01-03.02-03.01", ""),
            ("f 03.01-03.02-03.01-02.01", ""),
        ),
    ),
    Variant(
        "nobody goes straight from one hex to another in the same enemy's ZOC",
        effect('on = "enter", does = "forbid", from_ezoc = "same", negatable = false'),
        enemies=TWO,
        verdicts=(("f 03.01-03.02-02.02", ""), ("f 03.01-03.02-03.03", "zoc")),
    ),
    Variant(
        "a friend in either hex lets others go from EZOC to EZOC",
        effect('on = "enter", does = "forbid", from_ezoc = "any"'),
        units=("foot f 03.01 9", "foot g 03.01 9"),
        enemies=ONE,
        verdicts=(
            ("f 03.01-03.02-03.03", "zoc"),
            ("g 03.01-03.02; f 03.01-03.02-03.03", ""),
            ("g 03.01-02.01-02.02-02.03-03.04-03.03; f 03.01-03.02-03.03", ""),
            ("f 03.01-03.02-03.03; g 03.01-03.02", "zoc"),  # too late
        ),
    ),
    Variant(
        "entering an EZOC costs MP",
        effect('on = "enter", does = "cost", mp = "3/2", negatable = false'),
        enemies=ONE,
        prices=(("f 03.01-03.02", "5/2"), ("f 03.01-03.02-03.03", "5"), ("f 03.01-02.01", "1")),
    ),
    Variant(
        "leaving an EZOC costs MP",
        effect('on = "leave", does = "cost", mp = 2, negatable = false'),
        enemies=ONE,
        prices=(("f 03.01-03.02", "1"), ("f 03.01-03.02-03.01", "4")),
    ),
    Variant(
        "going from EZOC to EZOC costs MP",
        effect('on = "enter", does = "cost", mp = 2, from_ezoc = "any", negatable = false'),
        enemies=ONE,
        prices=(("f 03.01-03.02", "1"), ("f 03.01-03.02-03.03", "4"), ("f 03.01-03.02-02.02", "2")),
    ),
    Variant(
        "a ZOC doesn't reach across a river",
        effect('on = "enter", does = "stop"').replace("exerted_by", 'blocked_by = { features = "river" }\nexerted_by'),
        "hexsides.river = { mp = 1 }",
        enemies=ONE,
        hexsides='hexsides.river = ["04.02 03.02"]',
        verdicts=(("f 03.01-03.02-03.03", ""), ("f 03.01-03.02-03.03-03.04", "zoc")),
    ),
    Variant(
        "a ZOC doesn't reach into a town, but out of one",
        effect('on = "enter", does = "stop", where = { except_terrain = "town" }'),
        enemies=ONE,
        rows=". . . . .\n. . t t .\n" + ". . . . .\n" * 4,
        verdicts=(("f 03.01-03.02-03.03", ""), ("f 03.01-03.02-03.03-03.04", "zoc")),
    ),
    Variant(
        "a ZOC reaches neither into a town nor out of one",
        effect('on = "enter", does = "stop"').replace("exerted_by", 'blocked_by = { terrain = "town" }\nexerted_by'),
        enemies=ONE,
        rows=". . . . .\n. . . t .\n" + ". . . . .\n" * 4,
        verdicts=(("f 03.01-03.02-03.03-03.04", ""),),
    ),
    Variant(
        "classes without a ZOC, and classes that it doesn't bind",
        effect('on = "enter", does = "stop", movers = { without = "light" }'),
        units=("foot f 03.01 9", "scout s 03.01 9"),
        enemies=("guard e 04.02", "foot n 02.04"),
        verdicts=(
            ("s 03.01-03.02-03.03-03.04", ""),
            ("f 03.01-03.02-03.03", "zoc"),
            ("f 03.01-02.01-02.02-02.03-01.04", ""),  # 02.03 lies beside n, which has none
        ),
    ),
    Variant(
        "a road overrides the terrain, dear or cheap",
        chart='[[routes]]\nfeature = "road"\noverrides = true\nprices = [{ mp = 2 }]',
        rows=". . . . .\n. . h . .\n" + ". . . . .\n" * 4,
        hexsides='hexsides.road = ["03.01 03.02 03.03"]',
        prices=(("f 03.01-03.02", "2"), ("f 03.01-03.02-03.03", "4"), ("f 03.01-02.01", "1")),
    ),
    Variant(
        "a trail only caps the cost",
        chart='[[routes]]\nfeature = "trail"\nprices = [{ mp = 2 }]',
        rows=". . . . .\n. . h . .\n" + ". . . . .\n" * 4,
        hexsides='hexsides.trail = ["03.01 03.02 03.03"]',
        prices=(("f 03.01-03.02", "2"), ("f 03.01-03.02-03.03", "3")),
    ),
    Variant(
        "a ford adds to the road that leads through it",
        chart='hexsides.ford = { mp = 1 }\n[[routes]]\nfeature = "road"\nplus_hexside = true\nprices = [{ mp = "1/2" }]',
        hexsides='hexsides.road = ["03.01 03.02 03.03"]\nhexsides.ford = ["03.02 03.03"]',
        prices=(("f 03.01-03.02", "1/2"), ("f 03.01-03.02-03.03", "2")),
    ),
    Variant(
        "a river is barred unless it is bridged or forded",
        chart='hexsides.river = { prohibited = true, one_of = "water" }\n'
        'hexsides.bridge = { mp = 0, one_of = "water" }\nhexsides.ford = { mp = 2, one_of = "water" }',
        hexsides='hexsides.river = ["03.01 03.02", "03.02 03.03", "03.03 03.04"]\n'
        'hexsides.bridge = ["03.01 03.02"]\nhexsides.ford = ["03.02 03.03"]',
        verdicts=(("f 03.01-03.02-03.03-03.04", "costs"),),
        prices=(("f 03.01-03.02", "1"), ("f 03.01-03.02-03.03", "4")),
    ),
    Variant(
        "stacking by units, at the end",
        LIMIT + "limits = [{ units = 1 }]",
        units=PAIR,
        verdicts=(("f 03.01-03.02", "stacking"), ("f 03.01-03.02-03.03", "")),
    ),
    Variant(
        "stacking by units, at any time",
        LIMIT + 'limits = [{ units = 1 }]\nwhen = "always"',
        units=PAIR,
        verdicts=(
            ("f 03.01-03.02-03.03", "stacking"),
            ("g 03.02-03.03; f 03.01-03.02", ""),
            ("f 03.01-02.01", ""),
        ),
    ),
    Variant(
        "stacking by steps, with exempt classes",
        LIMIT + 'limits = [{ steps = 3 }]\ncounts = { without = "light" }',
        units=("foot f 03.01 9", "foot g 03.02 9", "scout s 03.02 9"),
        more={"f": "steps = 2", "g": "steps = 2", "s": "steps = 2"},
        verdicts=(("f 03.01-03.02", "stacking"), ("g 03.02-03.03; f 03.01-03.02", "")),
    ),
    Variant(
        "stacking by points of size",
        LIMIT + 'limits = [{ size = "3/2" }]',
        units=("foot f 03.01 9", "train t 03.01 9", "foot g 03.02 9"),
        verdicts=(("t 03.01-03.02", ""), ("f 03.01-03.02", "stacking")),
    ),
    Variant(
        "stacking by strength, at any time, with a hex that holds more",
        LIMIT + 'limits = [{ where = { terrain = "town" }, strength = 9 }, { strength = 5 }]\nwhen = "always"',
        units=("foot f 03.01 3-9", "foot g 03.02 3-9", "foot k 03.03 6-9"),
        rows=". . . . .\n. . . . .\n. . t . .\n" + ". . . . .\n" * 3,
        verdicts=(
            ("f 03.01-03.02", "stacking"),
            ("g 03.02-03.03", ""),
            ("g 03.02-03.03; f 03.01-03.02-03.03", "stacking"),
        ),
    ),
    Variant(
        "stacking by units, after each move: who relieves a friend waits until that has left, and may pass through",
        LIMIT + 'limits = [{ units = 1 }]\nwhen = "move"',
        units=PAIR,
        verdicts=(
            ("f 03.01-03.02; g 03.02-03.03", "stacking"),
            ("g 03.02-03.03; f 03.01-03.02", ""),
            ("f 03.01-03.02-03.03", ""),
        ),
    ),
    Variant(
        "stacking by units, once the phase is over: who relieves a friend may come first",
        LIMIT + 'limits = [{ units = 1 }]\nwhen = "phase"',
        units=PAIR,
        verdicts=(("f 03.01-03.02; g 03.02-03.03", ""), ("f 03.01-03.02", "stacking")),
    ),
    Variant(
        "units of different nations don't end a move in one hex",
        LIMIT + 'limits = []\nwhen = "move"\napart = {}',
        units=PAIR,
        more={"f": 'nationality = "red"', "g": 'nationality = "blue"'},
        verdicts=(("f 03.01-03.02; g 03.02-03.03", "stacking"), ("f 03.01-03.02-03.03", "")),
    ),
    Variant(
        "stacking of a class at any time",
        LIMIT + 'limits = []\nwhen = "always"\nat_most = [{ units = { types = "foot" }, at_most = 1, name = "foot" }]',
        units=("foot f 03.01 9", "scout s 03.01 9", "foot g 03.02 9"),
        verdicts=(("s 03.01-03.02", ""), ("f 03.01-03.02-03.03", "stacking")),
    ),
    Variant(
        "units of different nations are never in one hex",
        LIMIT + 'limits = []\nwhen = "always"\napart = {}',
        units=("foot f 03.01 9", "foot g 03.02 9", "foot k 03.01 9"),
        more={"f": 'nationality = "red"', "g": 'nationality = "blue"', "k": 'nationality = "red"'},
        verdicts=(
            ("f 03.01-03.02-03.03", "stacking"),
            ("g 03.02-03.03; f 03.01-03.02", ""),
            ("f 03.01-02.01; k 03.01-02.01", ""),
        ),
    ),
    Variant(
        "mud makes fields dear for some, where it lies",
        chart='terrain.field = { symbol = "f", prices = [{ units = { types = "train" }, weather = "mud", mp = 3 }] }',
        rows=". . . . .\n. . f f .\n. . f . .\n" + ". . . . .\n" * 3,
        units=("foot f 03.01 9", "train t 03.01 9"),
        hexsides='[weather]\nmud = "03.02"',
        prices=(("f 03.01-03.02-03.03", "2"), ("t 03.01-03.02-03.03", "4"), ("t 03.01-02.01", "1")),
    ),
    Variant(
        "a ferry that takes a part of the MA, to which units march",
        FERRY.format("takes = 2\nfrom_start = false"),
        units=("foot f 03.01 5", "foot g 03.01 5"),
        hexsides='hexes."03.02 05.04" = { traits = "port" }\nzones.water = "03.02 05.04"\n' + OWN_PORTS,
        verdicts=(
            ("f 03.01-03.02~05.04-05.05", ""),
            ("f 03.01-03.02~05.04-05.05-05.06-04.06", "costs"),  # 1 + 2 + 3 of 5
            ("f 03.01-03.02~05.04; g 03.01-03.02~05.04", "ferry"),
        ),
        prices=(("f 03.01-03.02~05.04-05.05", "4"),),
    ),
    Variant(
        "nobody lands in an EZOC; on foot it may be entered",
        effect('on = "enter", does = "forbid", ways = "ferry", negatable = false')
        + FERRY.format("takes = 2\nfrom_start = false"),
        enemies=("guard e 05.05",),
        hexsides='hexes."03.02 05.04" = { traits = "port" }\nzones.water = "03.02 05.04"\n' + OWN_PORTS,
        verdicts=(("f 03.01-03.02~05.04", "zoc"), ("f 03.01-04.01-05.02-05.03-05.04", "")),
    ),
    Variant(
        "nobody moves through friends",
        '[[rule]]\nid = "vacancy"\nkind = "vacancy"\nparagraph = "vacancy"\n',
        units=PAIR,
        verdicts=(("f 03.01-03.02-03.03", "vacancy"), ("g 03.02-02.02; f 03.01-03.02-03.03", "")),
    ),
    Variant(
        "nobody ends a move with a friend, who may be passed",
        '[[rule]]\nid = "vacancy"\nkind = "vacancy"\nparagraph = "vacancy"\nwhen = "move"\n',
        units=PAIR,
        verdicts=(
            ("f 03.01-03.02-03.03", ""),
            ("f 03.01-03.02; g 03.02-03.03", "vacancy"),
            ("g 03.02-03.03; f 03.01-03.02", ""),
        ),
    ),
    Variant(
        "a scout isn't with other scouts once the phase is over",
        '[[rule]]\nid = "vacancy"\nkind = "vacancy"\nparagraph = "vacancy"\nwhen = "phase"\n'
        'who = { types = "scout" }\nof = { types = "scout" }\n',
        units=("scout s 03.01 9", "scout t 03.02 9"),
        verdicts=(("s 03.01-03.02", "vacancy"), ("s 03.01-03.02; t 03.02-03.03", "")),
    ),
    Variant(
        "a road bonus of 2 MP, before, between and after other steps",
        BONUS.format("false"),
        chart=ROAD,
        hexsides='hexsides.road = ["03.01 03.02 03.03 03.04 03.05"]',
        units=("foot f 03.01 2",),
        verdicts=(
            ("f 03.01-03.02-03.03-03.04-03.05", ""),
            ("f 03.01-03.02-03.03-02.03-01.03", ""),
            ("f 03.01-02.01-03.02-03.03-03.04", ""),
            ("f 03.01-03.02-02.02-03.03-03.04", ""),
            ("f 03.01-02.01-03.02-02.02", "costs"),
            ("f 03.01-03.02-03.03-03.04-03.05-03.04", "costs"),
        ),
        prices=(("f 03.01-03.02-03.03-03.04-03.05", "4"),),
    ),
    Variant(
        "a road bonus for whole moves along the road",
        BONUS.format("true"),
        chart=ROAD,
        hexsides='hexsides.road = ["03.01 03.02 03.03 03.04 03.05"]',
        units=("foot f 03.01 2",),
        verdicts=(
            ("f 03.01-03.02-03.03-03.04-03.05", ""),
            ("f 03.01-02.01-03.02", ""),
            ("f 03.01-03.02-03.03-02.03", "costs"),
            ("f 03.01-02.01-03.02-03.03", "costs"),
        ),
    ),
    Variant(
        # Along the road 1 of the 2 MP of the bonus is spent, and nothing of the MA, which the marsh takes; then another.
        "a bonus isn't of the MA, the whole of which a marsh takes",
        BONUS.format("false"),
        chart='terrain.marsh = { symbol = "m", prices = [{ all = true }] }\n' + ROAD,
        rows=". . . . .\n. . . . .\n. . m . .\n" + ". . . . .\n" * 3,
        hexsides='hexsides.road = ["03.01 03.02", "03.03 03.04"]',
        units=("foot f 03.01 2",),
        verdicts=(
            ("f 03.01-03.02-03.03", ""),
            ("f 03.01-03.02-03.03-03.04", ""),
            ("f 03.01-03.02-03.03-02.03", "costs"),
            ("f 03.01-02.01-03.02-03.03", "costs"),
        ),
        prices=(("f 03.01-03.02-03.03", "3"),),
    ),
    Variant(
        "one river a turn",
        '[[rule]]\nid = "once"\nkind = "step_limit"\nparagraph = "once"\nacross = { features = "river" }\n',
        chart="hexsides.river = { mp = 0 }",
        hexsides='hexsides.river = ["03.01 03.02", "03.03 03.04"]',
        verdicts=(("f 03.01-03.02-03.03", ""), ("f 03.01-03.02-03.03-03.04", "once"), ("f 03.01-03.02-03.01", "once")),
    ),
    Variant(
        "an HQ ends where a friend ends, not where one was",
        '[[rule]]\nid = "hq"\nkind = "company"\nparagraph = "hq"\nwho = { types = "train" }\nfriends = { types = "foot" }\n',
        units=("train t 03.01 9", "foot f 03.01 9"),
        verdicts=(
            ("t 03.01-03.02", "hq"),
            ("f 03.01-03.02", "hq"),
            ("t 03.01-03.02; f 03.01-03.02", ""),
            ("f 03.01-03.02; t 03.01-03.02", ""),
        ),
    ),
    Variant(
        "a train ends at most a hex away from a friend",
        '[[rule]]\nid = "hq"\nkind = "company"\nparagraph = "hq"\nwho = { types = "train" }\nfriends = {}\nwithin = 1\n',
        units=("train t 03.01 9", "foot f 03.01 9"),
        verdicts=(("t 03.01-03.02", ""), ("t 03.01-03.02-03.03", "hq"), ("f 03.01-03.02-03.03", "hq")),
    ),
    Variant(
        "no overrun across a river",
        OVERRUN + 'shifts = [{ name = "a river", hexsides = { features = "river" } }]\n',
        chart="hexsides.river = { mp = 0 }",
        hexsides='hexsides.river = ["03.02 03.03"]',
        enemies=("guard e 03.03",),
        verdicts=(("f 03.01-03.02x03.03", "overrun"), ("f 03.01-03.02-02.02x03.03", "")),
    ),
    Variant(
        "a road crosses a river where there is a bridge",
        chart="hexsides.river = { mp = 3 }\nhexsides.bridge = { mp = 0 }\n"
        '[[routes]]\nfeature = "road"\nprices = [{ mp = "1/2" }]\nnot_with = "river"\nunless = "bridge"\n',
        hexsides='hexsides.road = ["03.01 03.02 03.03 03.04"]\nhexsides.river = ["03.02 03.03", "03.03 03.04"]\n'
        'hexsides.bridge = ["03.02 03.03"]\n',
        prices=(("f 03.01-03.02-03.03", "1"), ("f 03.01-03.02-03.03-03.04", "5")),
    ),
    Variant(
        "a river doesn't count beside a road, unless the road is cut",
        chart='hexsides.river = { mp = 3, not_with = "road", unless = "cut" }\nhexsides.cut = { mp = 0 }\n'
        "hexsides.road = { mp = 0 }\n",
        hexsides='hexsides.road = ["03.01 03.02 03.03"]\nhexsides.river = ["03.01 03.02 03.03 03.04"]\n'
        'hexsides.cut = ["03.02 03.03"]\n',
        prices=(("f 03.01-03.02", "1"), ("f 03.01-03.02-03.03", "5"), ("f 03.01-03.02-03.03-03.04", "9")),
    ),
    Variant(
        "drops: at most three hexes from a port, into a hex that is empty; on foot friends may be joined",
        '[[rule]]\nid = "drop"\nkind = "passage"\nparagraph = "drop"\nadjacent = false\nrange = 3\ntakes = 1\n'
        'reads = { units = { types = "scout" }, origin = { traits = "port" }, to = { terrain = "town" } }\n'
        '[[rule]]\nid = "empty"\nkind = "vacancy"\nparagraph = "empty"\nways = "drop"\n'
        '[[rule]]\nid = "no_enemy"\nkind = "entry_restriction"\nparagraph = "no enemy"\nenemy_units = {}\nways = "drop"\n',
        rows=". . . . .\n. . . t .\n. . t . .\n. . t . .\n. . t . .\n. . . . .\n",
        hexsides='hexes."03.01" = { traits = "port" }\n',
        units=("scout s 03.01 1", "scout t 03.02 1", "foot f 03.03 1"),
        enemies=("guard e 03.04",),
        verdicts=(
            ("s 03.01-04.02", ""),
            ("s 03.01-03.05", "drop"),
            ("s 03.01-03.03", "empty"),
            ("s 03.01-03.04", "no enemy"),
            ("f 03.03-02.03; s 03.01-03.03", ""),
            ("t 03.02-03.03", ""),
        ),
    ),
    Variant(
        "an engineer helps across, if that costs less",
        chart=DEEP_RIVER.format("mp = 2", "mp = 3") + DEEP_RIVER.format("mp = 2", "mp = 0").replace("river", "brook"),
        hexsides='hexsides.river = ["03.01 03.02"]\nhexsides.brook = ["03.02 03.03"]\n',
        units=("foot f 03.01 5", "scout s 03.02 9"),
        prices=(("f 03.01-03.02", "3"), ("f 03.01-03.02-03.03", "4")),
        verdicts=(("f 03.01-03.02-03.03-03.04", ""), ("s 03.02-02.02; f 03.01-03.02-03.03", "costs")),
    ),
    Variant(
        "an engineer in the hex left helps in an overrun, too",
        OVERRUN,
        chart=DEEP_RIVER.format("mp = 2", "mp = 0"),
        hexsides='hexsides.river = ["03.01 03.02"]\n',
        units=("foot f 03.01 2", "scout s 03.01 9"),
        enemies=("foot e 03.02",),
        verdicts=(("f 03.01x03.02", ""), ("s 03.01-02.01; f 03.01x03.02", "costs")),
    ),
    Variant(
        "nobody crosses but with an engineer's help, who opens what is prohibited",
        chart=DEEP_RIVER.format("prohibited = true", "mp = 2, lifts = true"),
        hexsides='hexsides.river = ["03.01 03.02"]\n',
        units=("foot f 03.01 9", "scout s 03.03 9"),
        verdicts=(
            ("f 03.01-03.02", "costs"),
            ("s 03.03-03.02; f 03.01-03.02", ""),
            ("s 03.03-02.02; f 03.01-03.02", "costs"),
        ),
        prices=(("s 03.03-03.02; f 03.01-03.02", "3"),),
    ),
    Variant(
        "an engineer who has moved doesn't help",
        chart=DEEP_RIVER.format("prohibited = true", "mp = 0, lifts = true, unmoved = true"),
        hexsides='hexsides.river = ["03.01 03.02"]\n',
        units=("foot f 03.01 9", "scout s 03.02 9", "scout t 02.02 9"),
        verdicts=(
            ("f 03.01-03.02; s 03.02-03.03", ""),
            ("s 03.02-03.03; t 02.02-03.02; f 03.01-03.02", "costs"),
            ("s 03.02-03.03-03.02; f 03.01-03.02", "costs"),
        ),
    ),
    Variant(
        "an engineer who moves later doesn't help",
        chart=DEEP_RIVER.format("mp = 8", "mp = 1, stays = true"),
        hexsides='hexsides.river = ["03.01 03.02"]\n',
        units=("foot f 03.01 9", "scout s 03.02 9", "scout t 03.02 9"),
        verdicts=(
            ("f 03.01-03.02-03.03", ""),
            ("f 03.01-03.02-03.03; s 03.02-03.03", ""),
            ("f 03.01-03.02-03.03; s 03.02-03.03; t 03.02-03.03", "costs"),
            ("s 03.02-03.03; f 03.01-03.02-03.03", ""),
            ("f 03.01-03.02; s 03.02-03.03; t 03.02-03.03", ""),
        ),
        prices=(("f 03.01-03.02", "2"),),
    ),
    Variant(
        "trains keep to the railway, at the price of the ground",
        '[[rule]]\nid = "rails"\nkind = "route_bound"\nparagraph = "rails"\nwho = { types = "train" }\nalong = "rail"\n',
        chart="hexsides.rail = { mp = 0 }\n",
        rows=". . . . .\n. . h . .\n" + ". . . . .\n" * 4,
        hexsides='hexsides.rail = ["03.01 03.02 03.03"]\n',
        units=("train t 03.01 9", "foot f 03.01 9"),
        verdicts=(("t 03.01-02.01", "rails"), ("t 03.01-03.02-03.03-03.04", "rails"), ("f 03.01-02.01", "")),
        prices=(("t 03.01-03.02-03.03", "4"),),
    ),
    Variant(
        "any hex may be entered while MP are left",
        ANYWHERE,
        rows=". . . . .\n" * 2 + ". . h . .\n" + ". . . . .\n" * 3,
        units=("foot f 03.01 2", "foot g 03.02 1"),
        verdicts=(
            ("f 03.01-03.02-03.03", ""),
            ("f 03.01-02.01-03.02-03.03", "costs"),
            ("g 03.02-03.03", ""),
        ),
        prices=(("f 03.01-03.02-03.03", "4"), ("g 03.02-03.03", "3")),
    ),
    Variant(
        "any hex may be entered while MP are left, but not overrun",
        OVERRUN + ANYWHERE + "overruns = false\n",
        rows=". . . . .\n" * 2 + ". . h . .\n" + ". . . . .\n" * 3,
        units=("foot f 03.01 2",),
        enemies=("foot e 03.03",),
        verdicts=(
            ("f 03.01-03.02x03.03", "overdraft"),
            ("f 03.01-02.01-03.02x03.03", "costs"),
        ),
    ),
    Variant(
        "any hex may be entered while MP are left, those of a road bonus too where it holds",
        BONUS.format("false") + ANYWHERE,
        chart=ROAD,
        rows=". . . . .\n" * 2 + ". . h . .\n" + ". . . . .\n" * 3,
        hexsides='hexsides.road = ["03.01 03.02", "03.01 02.01", "03.04 03.05"]\n',
        units=("foot f 03.01 2", "foot g 03.04 1"),
        verdicts=(
            ("f 03.01-03.02-03.03", ""),  # 1 of the road, and 3 of 2
            (
                "f 03.01-03.02-03.01-03.02-03.03",
                "",
            ),  # 3 of the road, 2 of them beyond the MA: 1 is left for other steps
            ("f 03.01-03.02-03.01-03.02-03.01-03.02", "costs"),
            ("f 03.01-03.02-03.01-02.01-02.02-03.03", "costs"),  # 1 of the MA is left with 3 of the road, and then none
            ("g 03.04-03.05-03.04-03.03", ""),
            ("g 03.04-03.05-03.04-03.05-03.06", "costs"),
        ),
        prices=(("f 03.01-03.02-03.03", "4"),),
    ),
    Variant(
        "a river takes all MP that are left, of which there must be some",
        EXHAUSTION,
        chart='hexsides.river = { mp = 0 }\nterrain.track = { symbol = "-", mp = 0 }\n',
        rows=". . . . .\n" * 3 + ". . - . .\n" + ". . . . .\n" * 2,
        hexsides='hexsides.river = ["03.01 03.02", "03.03 03.04"]\n',
        units=("foot f 03.01 3", "foot g 03.02 2"),
        verdicts=(
            ("f 03.01-03.02-03.03", "costs"),
            (
                "g 03.02-03.03-03.04",
                "",
            ),
            ("g 03.02-02.02-03.03-03.04", "ford"),
            ("g 03.02-03.03-03.04-03.05", "costs"),
        ),
        prices=(("f 03.01-03.02", "3"), ("g 03.02-03.03-03.04", "2")),
    ),
    Variant(
        "a river takes all MP that are left, those of a road bonus too",
        BONUS.format("false") + EXHAUSTION,
        chart='hexsides.river = { mp = 0 }\nterrain.track = { symbol = "-", mp = 0 }\n' + ROAD,
        rows=". . . . .\n" * 3 + ". . - . .\n" + ". . . . .\n" * 2,
        hexsides='hexsides.river = ["03.02 03.03", "02.03 03.04"]\nhexsides.road = ["03.01 03.02", "03.03 02.03"]\n',
        units=("foot f 03.01 2", "foot g 03.03 1", "foot h 02.02 1"),
        verdicts=(
            ("f 03.01-03.02-03.03", ""),
            ("f 03.01-03.02-03.03-03.04", ""),  # that costs nothing
            ("f 03.01-03.02-03.03-02.03", "costs"),  # along the road: what it had of the bonus has lapsed
            ("f 03.01-03.02-03.01-03.02-03.03", ""),
            ("g 03.03-02.03-03.04", ""),
            ("g 03.03-02.03-03.03-02.03-03.04", "ford"),  # all 3 of the MA and the road are gone
            ("h 02.02-02.03-03.04", "ford"),  # what is left holds along the road alone
        ),
        prices=(("f 03.01-03.02-03.03", "2"), ("f 03.01-03.02-03.01-03.02-03.03", "4")),
    ),
    Variant("everybody moves through friends", units=PAIR, verdicts=(("f 03.01-03.02-03.03", ""),)),
    Variant(
        "units that enemies may pass",
        '[[rule]]\nid = "bar"\nkind = "entry_restriction"\nparagraph = "bar"\nenemy_units = { without = "light" }\n',
        enemies=("scout s 03.02", "guard e 03.04"),
        verdicts=(("f 03.01-03.02-03.03", ""), ("f 03.01-03.02-03.03-03.04", "bar")),
    ),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name.replace(" ", "_"))
def test_both_faces_judge_each_variant_as_players_would(variant: Variant, tmp_path: Path) -> None:
    scenario = build(variant, tmp_path)
    assert variant.verdicts or variant.prices
    for moves, rule in variant.verdicts:
        for solver in (False, True):
            verdict = planner.check(scenario, moves.split("; "), solver=solver)
            assert {violation.rule for violation in verdict.violations} == ({rule} if rule else set()), (moves, solver)
    for moves, mp in variant.prices:
        assert planner.check(scenario, moves.split("; ")).moves[-1].mp == Fraction(mp), moves
        assert planner.check(scenario, moves.split("; "), solver=True).legal, moves


def test_of_those_who_have_helped_one_stays_in_a_phase_in_progress(tmp_path: Path) -> None:
    variant = next(variant for variant in VARIANTS if variant.name == "an engineer who moves later doesn't help")
    made = build(variant, tmp_path).after("f 03.01-03.02-03.03")
    for moves, rule in (("s 03.02-03.03", ""), ("s 03.02-03.03; t 03.02-03.03", "costs")):
        for solver in (False, True):
            verdict = planner.check(made, moves.split("; "), solver=solver)
            assert {violation.rule for violation in verdict.violations} == ({rule} if rule else set()), (moves, solver)
    one_is_gone = made.after("s 03.02-03.03")
    assert [str(v) for v in planner.check(one_is_gone, "t 03.02-03.03").violations] == [
        "costs: t must stay in 03.02: it has helped f across"
    ]
    assert not planner.check(one_is_gone, "t 03.02-03.03", solver=True).legal


@pytest.mark.thorough
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name.replace(" ", "_"))
def test_the_best_plan_under_each_variant_is_that_of_brute_force(variant: Variant, tmp_path: Path) -> None:
    text = replace_ma(variant)
    scenario = build(text, tmp_path)
    result = Search(scenario).run()
    assert result.status == "optimal"
    book = scenario.game.rulebook
    far = any(not way.plain and not way.carries for way in book.ways)
    at_once = bool(book.of(Exhausts)) or any(rule.anywhere for rule in book.of(Exempts))
    oracle = EveryPlan(scenario).best if book.tallying or far or at_once else BruteForce(scenario).run
    assert result.value == oracle()


def replace_ma(variant: Variant) -> Variant:
    """Give everybody an MA of 4 at most, three of them one of 3, so that brute force comes to an end soon."""
    most = "4" if len(variant.units) < 3 or DEEP else "3"
    units = tuple(text.removesuffix("9") + most if text.endswith("9") else text for text in variant.units)
    return Variant(**{**variant.__dict__, "units": units})


def test_two_who_are_alike_cant_change_places_where_one_may_stand_at_any_time(tmp_path: Path) -> None:
    # Whoever goes first would enter the hex of the other one, who is still there: one of them gets there at most.
    variant = next(variant for variant in VARIANTS if variant.name == "stacking by units, at any time")
    ends = (End(kind="end", unit="f", at=("03.02",)), End(kind="end", unit="g", at=("03.01",)))
    scenario = replace(build(replace_ma(variant), tmp_path), tiers=(Tier(terms=ends),))
    result = Search(scenario).run()
    assert (result.status, result.value) == ("optimal", (1,))
    assert BruteForce(scenario).run() == (1,)
