"""A kind of step that is had once a turn: what was had in one phase isn't had again in the next, in both faces."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.plans.plan import Plan
from planner.playing.position import Position
from planner.scenario import Scenario
from planner.scenario.next_phase import write_after
from planner.solver.plan_judge import judge
from tests.plain_game import write_model

FORD = """
[[rule]]
id = "ford"
kind = "step_limit"
paragraph = "ford"
across = { features = "river" }
"""
FORCES = """
sides = { north = "North", south = "South" }
phases.march = { name = "March", next = "forced" }
phases.forced = { name = "Forced March", next = "march" }
counter = ["strength", "ma"]
unit_types.foot = {}
"""
TERRAIN = """
terrain.plain = { symbol = ".", mp = 1 }
hexsides.river = { mp = 0 }
"""
# Rivers lie between the first two hexes, and between the third and the fourth.
SCENARIO = """
format = "planner/scenario-1"
model = "./model"
phase = "march"
phasing = "south"
[map]
origin = "03.01"
rows = ". \\n. \\n. \\n. \\n. "
hexsides.river = ["03.01 03.02", "03.03 03.04"]
[[unit]]
id = "f"
side = "south"
type = "foot"
values = "1-3"
at = "03.01"
[[unit]]
id = "g"
side = "south"
type = "foot"
values = "1-3"
at = "03.03"
[[tier]]
terms = [{ kind = "end", unit = "f", at = "03.05" }, { kind = "end", unit = "g", at = "03.04" }]
"""


@pytest.fixture(params=["turn", "phase"])
def per(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def march(folder: Path, per: str, more: str = "") -> Path:
    """Write the game, whose fords are limited in a turn or in a phase, and return the scenario's file."""
    write_model(folder / "model", f'{FORD}per = "{per}"\n{more}', FORCES, TERRAIN)
    (folder / "march.toml").write_text(SCENARIO)
    return folder / "march.toml"


def broken(scenario: Scenario, *moves: str) -> list[str]:
    """Return the paragraphs that moves break, by both faces alike."""
    plan = Plan.parse(moves)
    found = [violation.rule for violation in planner.check(scenario, plan).violations]
    assert [violation.rule for violation in judge(scenario, plan)] == found
    return found


def test_a_ford_of_the_first_march_isnt_had_again_in_the_second(tmp_path: Path, per: str) -> None:
    position = Position(march(tmp_path, per))
    position.push("f 03.01-03.02-03.03")
    position.end_phase()
    assert position.phase == "forced"
    again = ["ford"] if per == "turn" else []
    assert broken(position.scenario, "f 03.03-03.04-03.05") == again
    assert broken(position.scenario, "g 03.03-03.04") == []
    found = planner.suggest(position.scenario, time_limit=20)
    assert (found.status, found.value) == ("optimal", (1 if per == "turn" else 2,))


def test_it_is_had_again_in_the_next_turn(tmp_path: Path) -> None:
    position = Position(march(tmp_path, "turn"))
    position.push("f 03.01-03.02-03.03")
    for _ in range(4):  # both phases of both sides
        position.end_phase()
    assert (position.turn, position.phase, position.side) == (2, "march", "south")
    assert broken(position.scenario, "f 03.03-03.04-03.05") == []


def test_what_is_written_after_a_phase_has_it(tmp_path: Path) -> None:
    scenario = planner.load(march(tmp_path, "turn"))
    made = planner.check(scenario, ["f 03.01-03.02-03.03"]).position
    write_after(scenario, made, tmp_path / "forced.toml")
    later = planner.load(tmp_path / "forced.toml")
    assert later.game.units["f"].steps_made == (("ford", 1),)
    assert broken(later, "f 03.03-03.04") == ["ford"]
    # In a second phase in which it isn't used it is kept; with the next turn it is gone.
    idle = planner.check(later, []).position
    write_after(later, idle, tmp_path / "march.toml")
    assert planner.load(tmp_path / "march.toml").game.units["f"].steps_made == ()
    write_after(later, idle, tmp_path / "same.toml", "forced")
    assert planner.load(tmp_path / "same.toml").game.units["f"].steps_made == ()


def test_a_phase_in_which_the_rule_does_not_hold_counts_nothing(tmp_path: Path) -> None:
    """Fords are free in the first march, so that the second has one all the same."""
    position = Position(march(tmp_path, "turn", 'phases = "forced"\n'))
    position.push("f 03.01-03.02-03.03-03.04")
    position.end_phase()
    assert broken(position.scenario, "f 03.04-03.03") == []
    assert broken(position.scenario, "f 03.04-03.03-03.04") == ["ford"]


def test_a_phase_in_progress_goes_on_from_what_was_made_before_it(tmp_path: Path) -> None:
    position = Position(march(tmp_path, "turn"))
    position.push("f 03.01-03.02")
    position.end_phase()
    begun = position.scenario.after("f 03.02-03.03")
    assert broken(begun, "f 03.03-03.04") == ["ford"]


def test_positions_that_differ_in_nothing_but_the_steps_made_differ(tmp_path: Path) -> None:
    """To 03.03 in three steps at 3 MP, once across the river and once around it."""
    file = march(tmp_path, "phase")
    wider = SCENARIO.replace('". \\n. \\n. \\n. \\n. "', '". .\\n. .\\n. .\\n. .\\n. ."').replace('"1-3"', '"1-4"')
    file.write_text(wider.replace("03.03 03.04", "03.03 04.03"))
    across, around = Position(file), Position(file)
    across.push("f 03.01-03.02-04.02-03.03")
    around.push("f 03.01-04.01-04.02-03.03")
    assert across != around
    assert len({str(move) for move in around.legal_moves("f")}) > len({str(move) for move in across.legal_moves("f")})


def test_steps_of_rules_that_are_not_limited_in_a_turn_are_refused(tmp_path: Path) -> None:
    file = march(tmp_path, "phase")
    file.write_text(SCENARIO.replace('at = "03.01"\n', 'at = "03.01"\nsteps_made = { ford = 1 }\n', 1))
    with pytest.raises(InputError, match=r"must name rules that limit steps in a turn \(none\), not 'ford'"):
        planner.load(file)


def test_what_a_player_writes_of_the_turn_and_of_the_phase_adds_up(tmp_path: Path) -> None:
    """Of two fords in a turn f has had one in an earlier phase, and one in this phase, in a move written as made."""
    file = march(tmp_path, "turn", "most = 2\n")
    had, done = 'at = "03.01"\nsteps_made = { ford = 1 }\n', '[[done]]\nmove = "f 03.01-03.02"\n'
    file.write_text(SCENARIO.replace('at = "03.01"\n', had, 1) + done)
    assert broken(planner.load(file), "f 03.02-03.03-03.04") == ["ford"]
    file.write_text(SCENARIO + done)
    assert broken(planner.load(file), "f 03.02-03.03-03.04") == []
    file.write_text(SCENARIO.replace('at = "03.01"\n', had, 1))
    assert broken(planner.load(file), "f 03.01-03.02-03.03") == []
    assert broken(planner.load(file), "f 03.01-03.02-03.03-03.04") == ["ford"]


@pytest.mark.parametrize("number", ["-1", '"one"', "0.5"])
def test_steps_made_are_whole_numbers(number: str, tmp_path: Path) -> None:
    file = march(tmp_path, "turn")
    file.write_text(SCENARIO.replace('at = "03.01"\n', f'at = "03.01"\nsteps_made = {{ ford = {number} }}\n', 1))
    with pytest.raises(InputError, match=r"steps_made\.ford"):
        planner.load(file)


def test_a_chart_of_the_scenario_may_make_a_limit_one_of_the_turn(tmp_path: Path) -> None:
    file = march(tmp_path, "phase")
    file.write_text(SCENARIO.replace("[map]", '[charts.rules.ford]\nper = "turn"\n[map]', 1))
    position = Position(file)
    position.push("f 03.01-03.02-03.03")
    position.end_phase()
    assert broken(position.scenario, "f 03.03-03.04") == ["ford"]
