"""Defensive air that has kept an overrun from succeeding is committed (13.53, 13.531): scenarios say so, both ways."""

from __future__ import annotations

import tomllib
from pathlib import Path

import planner
from planner.referee.played_moves import fate
from planner.scenario import load_scenario
from planner.scenario.next_phase import write_after

HEAD = """\
format = "planner/scenario-1"
model = "a_world_at_war"
phase = "movement"
phasing = "axis"
margin = "all"
map.hexes."L11 L12 L13 L14 L15 L16 L17" = "clear"
unit = [
  { id = "west", side = "axis", type = "armor", values = "6-4", at = "L11" },
  { id = "east", side = "axis", type = "armor", values = "6-4", traits = "exploiting", at = "L14" },
  { id = "first", side = "allies", type = "infantry", values = "1-3", at = "L12" },
  { id = "second", side = "allies", type = "infantry", values = "1-3", at = "L15" },
"""
WING = '  {{ id = "{}", side = "allies", type = "air", values = "1-0", at = "L16"{} }},\n'


def _file(folder: Path, *wings: str) -> Path:
    file = folder / "air.toml"
    file.write_text(HEAD + "".join(wings) + "]\n")
    return file


def _judged(file: Path, moves: str) -> set[str]:
    """Return the paragraphs that a plan breaks, on which both faces of the rules must agree."""
    found = {one.rule for one in planner.check(file, moves).violations}
    assert found == {one.rule for one in planner.check(file, moves, solver=True).violations}
    return found


def _marked(file: Path, moves: list[str], to: Path) -> set[str]:
    """Return the units that are committed in the scenario after a plan."""
    scenario = load_scenario(file)
    verdict = planner.check(scenario, moves)
    assert verdict.legal
    write_after(scenario, verdict.position, to, "exploitation")
    units = tomllib.loads(to.read_text())["unit"]
    return {unit["id"] for unit in units if "committed" in unit.get("traits", ())}


def test_air_that_is_committed_supports_nobody(tmp_path: Path) -> None:
    """6 to 1 is 6:1, and with 1 of support 3:1, which every overrun is to survive; the wing is within 4 hexes of both."""
    assert _judged(_file(tmp_path, WING.format("wing", "")), "east L14xL15") == {"13.531"}
    assert _judged(_file(tmp_path, WING.format("wing", ', traits = "committed"')), "east L14xL15") == set()


def test_an_overrun_cannot_fail_by_committed_air(tmp_path: Path) -> None:
    """L11!L12 says that it has failed: nobody was there to make it fail."""
    assert _judged(_file(tmp_path, WING.format("wing", "")), "west L11!L12") == set()
    assert _judged(_file(tmp_path, WING.format("wing", ', traits = "committed"')), "west L11!L12") != set()


def test_after_the_plan_the_air_is_committed_in_the_scenario_that_is_written(tmp_path: Path) -> None:
    """One wing alone can have kept L12: in exploitation the other overrun meets none."""
    after = tmp_path / "after.toml"
    assert _marked(_file(tmp_path, WING.format("wing", "")), ["west L11!L12"], after) == {"wing"}
    assert _judged(after, "east L14xL15") == set()


def test_which_of_two_wings_it_was_is_not_made_up(tmp_path: Path) -> None:
    """Either can have kept L12: neither is marked, and the next overrun must reckon with both."""
    wings = (WING.format("one", ""), WING.format("other", ""))
    assert _marked(_file(tmp_path, *wings), ["west L11!L12"], tmp_path / "after.toml") == set()


def test_an_overrun_that_has_failed_is_not_said_to_survive_anything(tmp_path: Path) -> None:
    file = _file(tmp_path, WING.format("wing", ""))
    told = fate(planner.check(file, "west L11!L12").moves[0])
    assert "its overrun of L12 has failed" in told
    assert "survives" not in told
    assert "survives support" in fate(planner.check(file, "west L11xL12").moves[0])
