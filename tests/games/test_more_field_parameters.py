"""More of what games of the field have, each shown by a made-up game of data alone, on the board of the first such tests.

An enemy in 04.02 lies beside 03.02 and 03.03, one in 02.03 beside 03.03 and 03.04, one in 04.04 beside 03.04 and 03.05.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.solver.plan_judge import judge
from tests.games.test_field_parameters import test_both_faces_judge_each_variant_as_players_would as judge_variant
from tests.games.test_field_parameters import (
    test_the_best_plan_under_each_variant_is_that_of_brute_force as search_variant,
)
from tests.plain_game import BONUS, LIMIT, ROAD, Variant, build, effect

DROP = (
    '[[rule]]\nid = "drop"\nkind = "passage"\nparagraph = "drop"\nadjacent = false\nrange = 3\ntakes = 1\n'
    'reads = { units = { types = "scout" }, origin = { traits = "port" }, to = { terrain = "town" } }\n'
)
EMPTY = '[[rule]]\nid = "empty"\nkind = "vacancy"\nparagraph = "empty"\n'

RIVER = 'hexsides.river = ["03.02 04.02", "02.03 03.03", "02.03 03.04"]'
NOT_FOR_FOOT = 'blocked_for = [{ units = { types = "foot" }, blocked_by = { features = "river" } }]\nexerted_by = {}'

VARIANTS = [
    Variant(
        "a ZOC that foot doesn't exert across a river, and guards do",
        effect('on = "enter", does = "stop"').replace('exerted_by = { types = "guard" }', NOT_FOR_FOOT),
        chart="hexsides.river = { mp = 0 }",
        hexsides=RIVER,
        enemies=("foot e 04.02", "guard g 02.03"),
        verdicts=(("f 03.01-03.02-02.02", ""), ("f 03.01-03.02-03.03-03.04", "zoc")),
    ),
    Variant(
        "from EZOC to EZOC, whoever exerts them, and across what",
        effect('on = "enter", does = "forbid", from_ezoc = "any"').replace(
            'exerted_by = { types = "guard" }', NOT_FOR_FOOT
        ),
        chart="hexsides.river = { mp = 0 }",
        hexsides=RIVER,
        enemies=("foot e 04.02", "guard g 02.03"),
        # 03.02 lies in no ZOC, 03.03 in e's and g's, 03.04 in g's.
        verdicts=(("f 03.01-03.02-03.03", ""), ("f 03.01-03.02-03.03-03.04", "zoc")),
    ),
    Variant(
        "one more MP in EZOCs, of whatever kinds they are",
        effect('on = "enter", does = "cost", mp = 1, negatable = false').replace(
            'exerted_by = { types = "guard" }', NOT_FOR_FOOT
        ),
        chart="hexsides.river = { mp = 0 }",
        hexsides=RIVER,
        enemies=("foot e 04.02", "guard g 02.03"),
        prices=(("f 03.01-03.02", "1"), ("f 03.01-03.02-03.03", "3"), ("f 03.01-03.02-03.03-03.04", "5")),
    ),
    Variant(
        "2 MP more along a road, or 1 more in towns, not both",
        BONUS.format("false")
        + BONUS.format("false")
        .replace('"bonus"', '"towns"')
        .replace('mp = 2, along = "road"', 'mp = 1, into = { terrain = "town" }'),
        chart=ROAD,
        units=("foot f 03.01 1",),
        rows=". . . . .\n. . t . .\n. . . . .\n. . . . .\n. . t . .\n. . . . .\n",
        hexsides='hexsides.road = ["03.01 03.02 03.03 03.04 03.05"]\n',
        verdicts=(
            ("f 03.01-03.02-03.03-03.04", ""),
            ("f 03.01-03.02-03.03-03.04-03.05", "costs"),  # 4 MP, 1 of the MA, 2 of the road: not 1 of the town besides
            ("f 03.01-02.01-03.02", ""),
            ("f 03.01-02.01-03.02-03.03", "costs"),
        ),
    ),
    Variant(
        "a drop begins and ends in hexes that are empty of friends",
        DROP + EMPTY + 'ways = "drop"\n' + EMPTY.replace('"empty"', '"alone"') + 'ways = "drop"\nleaving = true\n',
        units=("scout s 03.01 1", "foot f 03.01 9"),
        rows=". . . . .\n. . . . .\n. . t . .\n" + ". . . . .\n" * 3,
        hexsides='hexes."03.01" = { traits = "port" }\n',
        verdicts=(
            ("s 03.01-03.03", "alone"),
            ("f 03.01-03.02; s 03.01-03.03", ""),
            ("f 03.01-03.02-03.03; s 03.01-03.03", "empty"),
            ("s 03.01-02.01", ""),
        ),
    ),
    Variant(
        "two units a hex, one in an EZOC",
        effect('on = "enter", does = "stop", negatable = false')
        + LIMIT
        + "limits = [{ in_ezoc = true, units = 1 }, { units = 2 }]\n",
        units=("foot f 03.01 9", "foot g 03.01 9", "foot h 02.01 9"),
        enemies=("guard e 04.02",),
        verdicts=(
            ("f 03.01-03.02", ""),
            ("f 03.01-03.02; g 03.01-03.02", "stacking"),
            ("f 03.01-02.01", ""),
            ("f 03.01-02.01; g 03.01-02.01", "stacking"),
        ),
    ),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name.replace(" ", "_"))
def test_both_faces_judge_each_variant_as_players_would(variant: Variant, tmp_path: Path) -> None:
    judge_variant(variant, tmp_path)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name.replace(" ", "_"))
def test_the_best_plan_under_each_variant_is_that_of_brute_force(variant: Variant, tmp_path: Path) -> None:
    search_variant(variant, tmp_path)


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


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (BONUS.format("false").replace("road", "raod"), "feature 'raod' must be one of road; did you mean 'road'?"),
        (BONUS.format("false").replace('"road"', "[]"), "an allowance must have along or into, or both"),
        (BONUS.split("allowances")[0] + "allowances = []\n", "must have at least 1 entry"),
        (
            LIMIT + "limits = [{ in_ezoc = true, units = 1 }]\n",
            "in_ezoc must go with zone_of_control: in this game nobody has a ZOC",
        ),
        (LIMIT + "limits = []\nalways = true\n", "unknown key 'always'; did you mean when = \"always\"?"),
    ],
)
def test_what_is_wrong_with_a_rule_is_said(rule: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        build(Variant("faulty", rule, chart=ROAD), tmp_path)
    assert said in [problem.what for problem in error.value.problems]


def test_one_hex_is_no_hexes(tmp_path: Path) -> None:
    """The drop from 03.01 to 03.03 is 2 hexes far; an HQ in 03.01 has nobody beside it."""
    company = '[[rule]]\nid = "hq"\nkind = "company"\nparagraph = "hq"\nwho = {}\nfriends = {}\nwithin = 1\n'
    variant = Variant(
        "one hex",
        DROP.replace("range = 3", "range = 1") + company,
        units=("scout s 03.01 1",),
        rows=". . . . .\n. . . . .\n. . t . .\n" + ". . . . .\n" * 3,
        hexsides='hexes."03.01" = { traits = "port" }\n',
    )
    said = " / ".join(
        violation.message for violation in planner.check(build(variant, tmp_path), ["s 03.01-03.03"]).violations
    )
    assert "it is farther than 1 hex /" in said + " /"
    assert "s may not be without a friend within 1 hex of " in said


def test_markers_keep_nobody_company_and_need_none(tmp_path: Path) -> None:
    company = '[[rule]]\nid = "hq"\nkind = "company"\nparagraph = "hq"\nwho = {}\nfriends = {}\n'
    variant = Variant(
        "a boat lies in 03.02",
        company,
        units=("foot f 03.01 1", "foot g 03.01 1"),
        hexsides='[[marker]]\ntype = "boat"\nside = "south"\nat = "03.02"\n',
    )
    scenario = build(variant, tmp_path)
    for moves, broken in ((["f 03.01-03.02"], ["hq", "hq"]), (["f 03.01-03.02", "g 03.01-03.02"], [])):
        assert [violation.rule for violation in planner.check(scenario, moves).violations] == broken
        assert [violation.rule for violation in judge(scenario, planner.Plan.parse(moves))] == broken


@pytest.mark.parametrize(
    ("which", "at", "move", "told"),
    [
        ("origin", "pool", "s [pool]-03.03", "s may not go from pool to 03.03: it leads only from hex to hex"),
        ("to", "03.03", "s 03.03-[pool]", "s may not go from 03.03 to pool: it leads only from hex to hex"),
    ],
)
def test_a_way_of_so_many_hexes_is_not_said_to_be_too_short_for_a_box(
    which: str, at: str, move: str, told: str, tmp_path: Path
) -> None:
    """No distance leads from a box to a hex: there is none that could be too great."""
    way = '[[rule]]\nid = "drop"\nkind = "passage"\nparagraph = "drop"\nadjacent = false\nrange = 3\ntakes = 1\n'
    way += f"reads = {{ {which} = {{ boxes = true }} }}\n"
    variant = Variant("a box", way, units=(f"scout s {at} 9",), hexsides="boxes.pool = {}\n")
    found = planner.check(build(variant, tmp_path), [move])
    assert [violation.message for violation in found.violations] == [told]
