"""A made-up game of data alone: flat-topped hexes, no overruns, no minimum move, ZOCs that bar instead of stopping."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.scenario import Scenario

RULEBOOK = """
format = "planner/rulebook-1"
title = "Two Valleys"

[numbering]
pattern = "{column:02}.{row:02}"
straight = "columns"
rows_count = "south"
shifted = "even"
shift = "south"

[[rule]]
id = "who"
kind = "eligibility"
paragraph = "1"

[[rule]]
id = "turns"
kind = "sequence"
paragraph = "2"

[[rule]]
id = "steps"
kind = "hex_to_hex"
paragraph = "3"

[[rule]]
id = "costs"
kind = "movement_points"
paragraph = "4"

[[rule]]
id = "zoc"
kind = "zone_of_control"
paragraph = "5"
exerted_by = { types = "guard" }

  [[rule.effects]]                # only scouts may leave an EZOC, unless a friend covers the hex
  paragraph = "5.1"
  on = "leave"
  does = "forbid"
  movers = { without = "light" }

  [[rule.effects]]                # wagons never enter one
  paragraph = "5.2"
  on = "enter"
  does = "forbid"
  movers = { types = "wagon" }
  negatable = false

[[rule]]
id = "no_passing"
kind = "entry_restriction"
paragraph = "6"
enemy_units = {}

[[rule]]
id = "no_swamp"
kind = "entry_restriction"
paragraph = "7"
who = { types = "wagon" }
hexes = { terrain = "swamp" }

[[rule]]
id = "one_each"
kind = "stacking"
paragraph = "8"
limits = [{ units = 1 }]
"""

TERRAIN = """
terrain.plain = { symbol = ".", mp = 1 }
terrain.swamp = { symbol = "s", mp = "3/2" }
"""

FORCES = """
sides = { north = "North", south = "South" }
phases = { day = { name = "Day" } }
counter = ["ma"]
unit_types.guard = {}
unit_types.scout = { traits = ["light"] }
unit_types.wagon = {}
"""

# Columns 01-05, rows 01-03; even columns lie half a hex lower. The guard in 03.01 has a ZOC on 02.01, 04.01, 03.02 and
# (as 03.01's southern neighbours in even columns are the ones of row 01) on nothing in row 02 but 03.02.
SCENARIO = """
format = "planner/scenario-1"
model = "./two_valleys"
phase = "day"
phasing = "south"

[map]
origin = "01.01"
rows = [". . . . .", ". . . . .", ". s s . ."]

[[unit]]
id = "guard"
side = "north"
type = "guard"
values = "0"
at = "03.01"

[[unit]]
id = "foot"
side = "south"
type = "guard"
values = "3"
at = "01.02"

[[unit]]
id = "scout"
side = "south"
type = "scout"
values = "5"
at = "01.01"

[[unit]]
id = "wagon"
side = "south"
type = "wagon"
values = "4"
at = "01.03"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Hold the whole game: a folder with three files, and a scenario beside it."""
    model = tmp_path / "two_valleys"
    model.mkdir()
    (model / "rulebook.toml").write_text(RULEBOOK)
    (model / "terrain.toml").write_text(TERRAIN)
    (model / "forces.toml").write_text(FORCES)
    return tmp_path


def scenario(folder: Path, more: str) -> Scenario:
    path = folder / "valley.toml"
    path.write_text(SCENARIO + more)
    return planner.load(path)


def test_flat_topped_hexes_have_their_neighbours_where_the_numbering_says(folder: Path) -> None:
    board = scenario(folder, "").game.board
    assert set(board.neighbours["03.02"]) == {"03.01", "03.03", "02.01", "02.02", "04.01", "04.02"}
    assert set(board.neighbours["02.02"]) == {"02.01", "02.03", "01.02", "01.03", "03.02", "03.03"}


@pytest.mark.parametrize("solver", [False, True], ids=["referee", "solver"])
@pytest.mark.parametrize(
    ("moves", "rules"),
    [
        (["foot 01.02-02.01"], set()),
        (["foot 01.02-02.01-02.02"], {"5.1"}),  # into the EZOC, but not out again
        (["scout 01.01-02.01-03.02-04.01"], set()),  # scouts go where they like
        (["wagon 01.03-02.02-03.02"], {"5.2"}),
        (["wagon 01.03-02.03"], {"7"}),
        (["foot 01.02-02.02-02.03"], set()),  # 1 + 3/2 of 3
        (["foot 01.02-02.02-02.03-01.03"], {"4", "8"}),  # 7/2 of 3, and onto the wagon
        (["scout 01.01-02.01-03.01"], {"6"}),
        (["scout 01.01-01.02"], {"8"}),
        (["scout 01.01-02.01", "foot 01.02-02.01-02.02"], set()),  # the scout covers the foot's way out
    ],
)
def test_its_rules_hold_as_they_are_written(folder: Path, moves: list[str], rules: set[str], solver: bool) -> None:
    verdict = planner.check(scenario(folder, ""), moves, solver=solver)
    assert {violation.rule for violation in verdict.violations} == rules


def test_the_best_plan_is_proved(folder: Path) -> None:
    """Foot to 04.02: 4 MP round the south are too many (3 MA), and through 02.01 nobody leaves alone.

    01.02-02.02-03.03s costs 1 + 3/2, then 04.02 one more: 7/2 > 3. Through 03.02 (EZOC): 01.02-02.02-03.02 costs 2, and
    leaving it needs a friend there, the scout: 01.01-02.01-03.02 is 2 MP. Then 03.02-04.02 is the third MP. So 3 + 2 MP.
    """
    tiers = """
[[tier]]
terms = [{ kind = "end", unit = "foot", at = "04.02" }]

[[tier]]
terms = [{ kind = "mp_spent" }]
"""
    result = planner.suggest(scenario(folder, tiers))
    assert result.status == "optimal"
    assert result.value == result.bound == (1, -5)
    assert [move.units for move in result.plan.moves] == [("scout",), ("foot",)] if result.plan else False


def test_what_nobody_can_do_is_infeasible(folder: Path) -> None:
    """The wagon's only ways east lead through the swamp or the EZOC."""
    require = '[[require]]\nkind = "end"\nunit = "wagon"\nat = "05.02"\n'
    result = planner.suggest(scenario(folder, require))
    assert (result.status, result.confirmed) == ("infeasible", True)


def test_every_name_that_a_rule_or_chart_selects_by_is_one_of_the_game(folder: Path) -> None:
    model = folder / "two_valleys"
    (model / "rulebook.toml").write_text(
        RULEBOOK.replace(
            'exerted_by = { types = "guard" }', 'exerted_by = { types = "gaurd", traits = "grim" }'
        ).replace(
            'movers = { types = "wagon" }',
            'movers = { types = "wagon", sides = "nroth" }\n  where = { terrain = "bog" }',
        )
    )
    with pytest.raises(InputError) as error:
        scenario(folder, "")
    found = {(problem.what.split(" must")[0], problem.where.partition("rule[")[2]) for problem in error.value.problems}
    assert found == {
        ("unit type 'gaurd'", "4] (zoc).exerted_by.types"),
        ("unit trait 'grim'", "4] (zoc).exerted_by.traits"),
        ("side 'nroth'", "4] (zoc).effects[1].movers.sides"),
        ("terrain 'bog'", "4] (zoc).effects[1].where.terrain"),
    }
