"""Units that have to move, where what they do is rolled for, and where they may not even begin."""

from __future__ import annotations

from pathlib import Path

import planner
from planner.plans.plan import Plan
from planner.scenario import load_scenario
from planner.solver.plan_judge import judge
from tests.plain_game import LIMIT, Variant, build, write_model

OBLIGED = """
[[rule]]
id = "obliged"
kind = "obligation"
paragraph = "obliged"
who = {}
"""
OVERRUNS = """
[[rule]]
id = "enemies"
kind = "entry_restriction"
paragraph = "enemies"
enemy_units = {}
unless_overrun = true
[[rule]]
id = "overruns"
kind = "joint_overrun"
paragraph = "overruns"
results = [{ odds = "1:1", chance = "1/2" }]
eliminated_to = [{ box = "dead" }]
"""
COMBAT = """
[[rule]]
id = "combat"
kind = "combat_on_entry"
paragraph = "combat"
demoralized = "tired"
columns = [{ from_percent = -100, entries = [[1, 0]] }]
eliminated_to = [{ box = "dead" }]
"""
SUPPLY = """
[[rule]]
id = "supply"
kind = "supply"
paragraph = "supply"
"""
FORCES = """
sides = { north = "North", south = "South" }
phases.march = { name = "March" }
counter = ["strength", "ma"]
unit_types.foot = {}
unit_traits.tired = "Tired"
"""
TERRAIN = "terrain.plain = { symbol = '.', mp = 1 }"
SCENARIO = """
format = "planner/scenario-1"
model = "./model"
phase = "march"
phasing = "south"
[map]
origin = "03.01"
rows = ". \\n. "
[[unit]]
id = "f"
side = "south"
type = "foot"
values = "2-2"
at = "03.01"
"""
ENEMY = '[[unit]]\nid = "e"\nside = "north"\ntype = "foot"\nvalues = "2-2"\nat = "03.02"\n'
GOAL = '[[tier]]\nterms = [{ kind = "end", unit = "f", at = "03.02" }]\n'


def written(folder: Path, rules: str, more: str) -> Path:
    """Write a game and a scenario of two hexes, and return the scenario's file."""
    write_model(folder / "model", OBLIGED + rules, FORCES, TERRAIN)
    (folder / "march.toml").write_text(SCENARIO + more)
    return folder / "march.toml"


def test_an_attempt_that_gains_nothing_is_planned_where_nothing_else_is_left_to_who_has_to_move(tmp_path: Path) -> None:
    found = planner.suggest(load_scenario(written(tmp_path, OVERRUNS, ENEMY)))
    assert (found.status, found.plan) == ("optimal", Plan.parse(["f 03.01x03.02"]))


def test_whoever_tries_an_overrun_from_where_it_began_has_moved_whatever_is_rolled(tmp_path: Path) -> None:
    scenario = load_scenario(written(tmp_path, OVERRUNS, ENEMY + GOAL))
    assert planner.check(scenario, Plan.parse(["f 03.01x03.02"])).legal
    assert [one.rule for one in planner.check(scenario, Plan()).violations] == ["obliged"]
    found = planner.suggest(scenario)
    assert found.plan == Plan.parse(["f 03.01x03.02"])


def test_whoever_is_moved_though_it_may_not_begin_has_moved_as_written(tmp_path: Path) -> None:
    # Out of supply, f may not begin; that it has to is then no second fault.
    path = written(tmp_path, SUPPLY, "supplied = false\n")
    book = tmp_path / "model" / "rulebook.toml"
    book.write_text(book.read_text().replace('kind = "sequence"\n', 'kind = "sequence"\nwaiting = {}\n'))
    scenario, plan = load_scenario(path), Plan.parse(["f 03.01-03.02"])
    assert [one.rule for one in planner.check(scenario, plan).violations] == ["supply"]
    assert [one.rule for one in judge(scenario, plan)] == ["supply"]


def test_who_has_to_move_may_come_back_where_entering_an_enemys_hex_is_a_combat(tmp_path: Path) -> None:
    """To end where it began is worth the way to the next hex and back; in the one after that there is an enemy."""
    goal = (
        ENEMY.replace("03.02", "03.03") + GOAL.replace("03.02", "03.01") + '[[tier]]\nterms = [{ kind = "mp_spent" }]\n'
    )
    path = written(tmp_path, COMBAT, goal)
    path.write_text(path.read_text().replace('rows = ". ', 'rows = ". \\n. '))
    scenario = load_scenario(path)
    result = planner.suggest(scenario)
    assert str(result.plan) == "f 03.01-03.02-03.01"
    assert (result.status, *map(int, result.value)) == ("optimal", 1, -2)
    assert [str(one.result.plan) for one in planner.alternatives(scenario, 3).plans] == [
        str(result.plan),
        "f 03.01-03.02",
    ]


def test_who_has_to_move_anyway_helps_by_leaving_wherever_it_goes(tmp_path: Path) -> None:
    rules = '[[rule]]\nid = "must"\nkind = "obligation"\nparagraph = "must"\nwho = { types = "train" }\n'
    rules += LIMIT + 'when = "move"\nlimits = [{ units = 1 }]\n'
    scenario = build(Variant("must", rules, units=("foot f 03.01 1", "train t 03.02 1")), tmp_path)
    [there] = [one for one in planner.reach(scenario, "f").with_help if one.hex == "03.02"]
    assert [str(one) for one in there.help] == ["03.02 left by t"]
