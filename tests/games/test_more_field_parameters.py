"""More of what games of the field have, each shown by a made-up game of data alone, on the board of the first such tests.

An enemy in 04.02 lies beside 03.02 and 03.03, one in 02.03 beside 03.03 and 03.04, one in 04.04 beside 03.04 and 03.05.
"""

from __future__ import annotations

from pathlib import Path

import planner
from tests.games.test_field_parameters import Variant, build

DROP = (
    '[[rule]]\nid = "drop"\nkind = "passage"\nparagraph = "drop"\nadjacent = false\nrange = 3\ntakes = 1\n'
    'reads = { units = { types = "scout" }, origin = { traits = "port" }, to = { terrain = "town" } }\n'
)
EMPTY = '[[rule]]\nid = "empty"\nkind = "vacancy"\nparagraph = "empty"\n'


def test_friends_whom_a_drop_keeps_apart_may_stand_together_before_and_after_the_phase(tmp_path: Path) -> None:
    """Nobody drops onto a friend; on foot t joins s all the same, and the next phase begins with both in 03.03."""
    variant = Variant(
        "a drop needs an empty hex",
        DROP + EMPTY + 'ways = "drop"\n',
        units=("scout s 03.01 1", "foot f 03.01 9", "foot t 03.02 9"),
        rows=". . . . .\n. . . . .\n. . t . .\n" + ". . . . .\n" * 3,
        hexsides='hexes."03.01" = { traits = "port" }\n',
    )
    scenario = build(variant, tmp_path)
    assert planner.check(scenario, ["s 03.01-03.03", "t 03.02-03.03"]).legal
    assert not planner.check(scenario, ["t 03.02-03.03", "s 03.01-03.03"]).legal
    position = planner.Position(scenario)
    position.push("s 03.01-03.03")
    position.push("t 03.02-03.03")
    position.end_phase()
    assert position.at["s"] == position.at["t"] == "03.03"


def test_friends_may_stand_together_where_a_vacancy_does_not_hold(tmp_path: Path) -> None:
    variant = Variant(
        "towns hold one", EMPTY + 'where = { terrain = "town" }\n', units=("foot f 03.01 9", "foot g 03.01 9")
    )
    assert planner.check(build(variant, tmp_path), []).legal
