"""The solver as a judge of plans with combats: what follows a combat is judged by where that leaves the enemies."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.scenario import Scenario
from tests.plain_game import FORCES, Variant, build, effect

COMBAT = '[[rule]]\nid = "combat"\nkind = "combat_on_entry"\nparagraph = "combat"\ndemoralized = "tired"\n'
COMBAT += 'columns = [{ from_percent = -100, entries = [[0, 1]] }]\neliminated_to = [{ box = "dead" }]\n'
STOP = 'on = "enter", does = "stop", negatable = false'
TURNS = ("", "stacks = true\n", "waiting = {}\n")
RETREAT = "f 03.02-03.03"
"""E, in 03.03, is driven back straight, to 03.04."""


def _position(rules: str, turns: str, folder: Path) -> Scenario:
    units = ("foot f 03.02 9", "foot g 02.01 9", "foot h 02.05 9")
    forces = FORCES + 'unit_traits = { tired = "Tired" }\n'
    return build(
        Variant("combats", COMBAT + rules, "", units, ("guard e 03.03 0",), turns=turns, forces=forces), folder
    )


def _both(scenario: Scenario, *moves: str) -> bool:
    """Tell whether moves are legal, by both faces."""
    found = {planner.check(scenario, list(moves), solver=solver).legal for solver in (False, True)}
    assert len(found) == 1, moves
    return found.pop()


@pytest.mark.parametrize("turns", TURNS)
def test_a_zone_of_control_is_where_a_combat_has_driven_the_enemy(turns: str, tmp_path: Path) -> None:
    """02.02 is next to 03.03 alone, 02.04 to 03.04 alone."""
    scenario = _position(effect(STOP), turns, tmp_path)
    through, beyond = "g 02.01-02.02-02.01", "h 02.05-02.04-02.05"
    assert not _both(scenario, through)
    assert _both(scenario, beyond)
    assert _both(scenario, RETREAT, through)
    assert not _both(scenario, RETREAT, beyond)


@pytest.mark.parametrize("turns", TURNS)
def test_whoever_enters_a_hex_after_a_combat_fights_who_is_there_now(turns: str, tmp_path: Path) -> None:
    """G passes 03.03 once e has left it; h can't pass 03.04, to which e has gone, but could before."""
    scenario = _position("", turns, tmp_path)
    assert not _both(scenario, "g 02.01-02.02-03.03-02.03")
    assert _both(scenario, RETREAT, "g 02.01-02.02-03.03-02.03")
    assert _both(scenario, "h 02.05-02.04-03.04-02.04")
    assert not _both(scenario, RETREAT, "h 02.05-02.04-03.04-02.04")
