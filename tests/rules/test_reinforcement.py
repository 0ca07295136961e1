"""Units enter in a hex that others have cleared, or taken, before them in the phase; and then they have to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search.confirmation import nothing_known
from planner.search.context import SearchContext
from planner.search.without_needs import most_without_needs
from planner.solver.plan_judge import judge
from tests.oracles.every_plan import EveryPlan
from tests.plain_game import FORCES, JOINT, OVERRUN, SHUT, placed, write_model

ENTRY = '[[rule]]\nid = "entry"\nkind = "reinforcement"\nparagraph = "entry"\nphases = "day"\n'
CAPTURE = '[[rule]]\nid = "capture"\nkind = "capture"\nparagraph = "capture"\n'
SURE = JOINT.replace("1/2", "1")

Entry = dict[str, Any]

GOES, ENTERS = "a 01.01{}01.02-01.03", "r [reserve]-01.02"


A = {"id": "a", "side": "south", "type": "foot", "values": "1-2", "at": "01.01"}
IN_PLACE = [{"kind": "end", "unit": "a", "at": "01.03"}, {"kind": "end", "unit": "r", "at": "01.02"}]


def position(
    folder: Path, how: str, turns: str = "", a: Entry = A, goals: Sequence[Entry] = IN_PLACE, more: str = ""
) -> Scenario:
    """Return a position in which r is due in 01.02: an enemy is in it, or it is the enemy's; a may change that."""
    rules = {"overrun": SHUT + OVERRUN, "joint": SHUT + SURE, "rolled": SHUT + JOINT, "capture": CAPTURE}[how]
    units = [
        a,
        {"id": "r", "side": "south", "type": "foot", "values": "1-1", "at": "reserve"},
        {"id": "e", "side": "north", "type": "foot", "values": "1-0", "at": "01.02"},
    ]
    units[1]["arrives"] = {"turn": 2, "at": "01.02"}
    return placed(
        write_model(folder / "game", rules + ENTRY, turns=turns),
        {},
        units[:2] if how == "capture" else units,
        map={"hexes": {f"01.01 01.02 01.03 {more}": "plain"}, "boxes": {"reserve": {}}},
        turn=2,
        control={"north" if how == "capture" else "south": "01.02"},
        tier=[{"terms": list(goals)}],
    )


@pytest.mark.parametrize("turns", ["", "stacks = true\n", "waiting = {}\n"])
@pytest.mark.parametrize("how", ["overrun", "joint", "capture"])
def test_who_is_due_in_a_hex_that_becomes_free_enters_then_and_has_to(tmp_path: Path, how: str, turns: str) -> None:
    """As a has gone through 01.02, whose enemy is gone then, or which is friendly then, r enters: 1 + 1."""
    scenario, goes = position(tmp_path, how, turns), GOES.format("-" if how == "capture" else "x")
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (2,))
    assert [[one.hex for one in report.with_help] for report in planner.reach_all(scenario) if report.unit == "r"] == [
        ["01.02", "01.01", "01.03"]
    ]
    for moves, wrong in (([goes, ENTERS], []), ([goes], [None]), ([ENTERS], [0]), ([], [])):
        plan = Plan.parse(moves)
        by_referee = Referee(scenario.game).play(plan, scenario.start).violations
        assert {one.move for one in by_referee} == {*wrong}, moves
        assert {one.key for one in judge(scenario, plan)} == {one.key for one in by_referee}, moves


@pytest.mark.parametrize("how", ["overrun", "capture"])
def test_who_is_due_enters_after_what_has_been_made_as_in_one_plan_with_it(tmp_path: Path, how: str) -> None:
    scenario = position(tmp_path, how).after([GOES.format("-" if how == "capture" else "x")])
    assert planner.check(scenario, [ENTERS]).legal
    assert not planner.check(scenario, []).legal
    found = planner.suggest(scenario)
    assert (found.status, found.value, [str(move) for move in found.plan.moves]) == ("optimal", (2,), [ENTERS])


@pytest.mark.parametrize("turns", ["", "stacks = true\n", "waiting = {}\n"])
@pytest.mark.parametrize("how", ["overrun", "joint", "capture"])
def test_who_is_to_stay_isnt_made_to_enter_by_one_who_could_go_round(tmp_path: Path, how: str, turns: str) -> None:
    """The way by 01.02 is shorter by 1 of 3 MP, which don't count, but then r would have to enter: a goes round, 1 + 1."""
    a = {"id": "a", "side": "south", "type": "foot", "values": "1-3", "at": "01.01"}
    goals = [{"kind": "end", "unit": "a", "at": "01.03"}, {"kind": "stay", "units": "r"}]
    scenario = position(tmp_path, how, turns, a, goals, "02.01 02.02")
    found = planner.suggest(scenario)
    assert (found.status, found.value, str(found.plan)) == ("optimal", (2,), "a 01.01-02.01-02.02-01.03")
    if not turns and how != "joint":
        assert EveryPlan(scenario).best() == (2,)
        searched = SearchContext(scenario, Limits(), nothing_known)
        assert (most_without_needs(searched, Limits()) or 2) >= 2


def test_who_would_have_to_enter_only_if_a_roll_goes_well_keeps_it_from_being_made(tmp_path: Path) -> None:
    """Half the time e stays in 01.02, where r can't enter; otherwise r has to. So nobody overruns, and 0 is the best."""
    scenario = position(tmp_path, "rolled")
    assert not planner.check(scenario, ["a 01.01x01.02"]).legal
    assert not planner.check(scenario, ["a 01.01x01.02", ENTERS]).legal
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (0,))


@pytest.mark.parametrize("takes", ["", "{}", '{ but = { units = "b" } }'])
def test_nobody_has_to_enter_where_an_enemy_has_been_driven_or_what_it_has_taken_there(
    tmp_path: Path, takes: str
) -> None:
    """First a drives e from 01.02 into 01.03, where r is due; b drives it on, and takes the hex, if it takes hexes."""
    fight = '[[rule]]\nid = "fight"\nkind = "combat_on_entry"\nparagraph = "fight"\ndemoralized = "tired"\n'
    fight += 'eliminated_to = [{ box = "dead" }]\ncolumns = [{ from_percent = -100, entries = [[0, 1]] }]\n'
    capture = CAPTURE + f"by = {takes}\n" if takes else ""
    forces = FORCES + 'unit_traits = { tired = "Tired" }\n'
    units = [("a", "south", "01.01"), ("b", "south", "01.01"), ("r", "south", "reserve"), ("e", "north", "01.02")]
    entries = [{"id": id, "side": side, "type": "foot", "values": "2-3", "at": at} for id, side, at in units]
    entries[2]["arrives"] = {"turn": 2, "at": "01.03"}
    scenario = placed(
        write_model(tmp_path / "game", fight + ENTRY + capture, forces),
        {},
        entries,
        map={"hexes": {"01.01 01.02 01.03 01.04": "plain"}, "boxes": {"reserve": {}}},
        turn=2,
        control={"south": "01.03"},
    )
    drives, on, enters = "a 01.01x01.02", "b 01.01-01.02x01.03", "r [reserve]-01.03"
    lost = "but" in takes
    for moves, wrong in (
        ([], [None]),
        ([enters], []),
        ([drives], []),
        ([drives, enters], [1]),
        ([drives, on], [] if lost else [None]),
        ([drives, on, enters], [2] if lost else []),
    ):
        plan = Plan.parse(moves)
        assert [one.move for one in Referee(scenario.game).play(plan, scenario.start).violations] == wrong, moves
        assert [one.move for one in judge(scenario, plan)] == wrong, moves


@pytest.mark.parametrize(
    ("how", "why"), [("overrun", "01.02 holds e"), ("capture", "01.02 is not in friendly control")]
)
def test_it_is_told_whether_an_enemy_or_control_keeps_a_unit_from_entering(tmp_path: Path, how: str, why: str) -> None:
    """In the first position 01.02 is the unit's own side's, with an enemy in it; in both of them a may still see to it."""
    wrong = [one.message for one in planner.check(position(tmp_path, how), [ENTERS]).violations if one.rule == "entry"]
    assert wrong == [f"r can't enter: {why}; if it stays so, r is lost"]
