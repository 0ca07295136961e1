"""Who may go on with the move that his stack has begun, in games in which nobody overruns together."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from tests.plain_game import BOGGING, OVERRUN, SHUT, Variant, build


@pytest.mark.parametrize("rules", ["", BOGGING], ids=["nothing is rolled", "who goes on may bog down"])
def test_who_has_moved_in_a_stack_may_go_on_by_itself_wherever_it_has_the_mp(rules: str, tmp_path: Path) -> None:
    """With 2 MP each, a and b are one hex on, and each has one left."""
    units = ("foot a 03.03 2", "foot b 03.03 2")
    now = build(Variant("stacks", rules, units=units, turns="stacks = true\n"), tmp_path).after(["a+b 03.03-03.04"])
    near = now.game.board.neighbours["03.04"]
    assert len(near) == 6
    for report in (planner.reach(now, "a"), planner.reach(now, "b"), *planner.reach_all(now)):
        assert {end.hex for end in report.alone} == set(near)
        assert not report.with_help
        assert not report.open
        assert all(planner.check(now, end.plan).legal for end in report.alone)


def test_who_goes_on_as_a_stack_overruns_where_each_overruns_by_itself(tmp_path: Path) -> None:
    """Both enter e's hex; a is dropped there, and b goes on: all that is wanted."""
    units = ("foot a 03.02 4", "foot b 03.02 4")
    variant = Variant("stacks", OVERRUN + SHUT, units=units, enemies=("foot e 03.04 0",), turns="stacks = true\n")
    now = build(variant, tmp_path).after(["a+b 03.02-03.03"])
    goals = [
        {"kind": "eliminate", "units": "e"},
        {"kind": "end", "unit": "a", "at": "03.04"},
        {"kind": "end", "unit": "b", "at": "03.05"},
    ]
    found = planner.suggest(now.with_objective([{"terms": goals}]))
    assert (found.status, found.value) == ("optimal", (Fraction(3),))
    assert "03.04" in {end.hex for end in planner.reach(now, "a").alone}


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param("", id="plain"),
        pytest.param(OVERRUN + SHUT, id="overruns"),
        pytest.param(BOGGING, id="bogging", marks=pytest.mark.thorough),
    ],
)
@pytest.mark.parametrize("line", ["a 03.03-02.03-03.04", "a+b 03.03-02.03-03.04", "a+b 03.03-02.03/b-03.04-03.05"])
def test_a_way_round_may_be_settled_of_who_goes_on_as_a_stack(line: str, rules: str, tmp_path: Path) -> None:
    units = ("foot a 03.02 6", "foot b 03.02 6")
    now = build(Variant("stacks", rules, units=units, turns="stacks = true\n"), tmp_path).after(["a+b 03.02-03.03"])
    assert planner.check(now, line).legal
    found = planner.complete(now, line)
    assert (found.status, found.plan) == ("optimal", planner.Plan.parse([line]))


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param("", id="plain"),
        pytest.param(OVERRUN + SHUT, id="overruns"),
        pytest.param(BOGGING, id="bogging", marks=pytest.mark.thorough),
    ],
)
def test_that_those_who_go_on_as_a_stack_part_in_no_two_directions_is_confirmed(rules: str, tmp_path: Path) -> None:
    """With 1 MP left each could go its own way, but not one after the other: who isn't named has been dropped."""
    units = ("foot a 03.02 2", "foot b 03.02 2")
    now = build(Variant("stacks", rules, units=units, turns="stacks = true\n"), tmp_path).after(["a+b 03.02-03.03"])
    apart = [{"kind": "end", "unit": "a", "at": "02.02"}, {"kind": "end", "unit": "b", "at": "04.03"}]
    found = planner.suggest(now.with_objective([], apart))
    assert (found.status, found.confirmed) == ("infeasible", True)
