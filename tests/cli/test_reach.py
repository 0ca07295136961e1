"""The command `reach`: what is not known yet, and Ctrl-C."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_app import run


@pytest.mark.parametrize("what", [("plv",), ("--all",)])
def test_without_time_everything_is_open_and_no_hex_is_told(what: tuple[str, ...]) -> None:
    answer = json.loads(run("reach", "dai_senso/manchuria", *what, "--time-limit", "0", "--json").stdout)
    for one in answer.get("units", [answer]):
        assert not one["hexes"]
        assert not one["with_help"]
        assert one["open"]


def test_many_hexes_of_which_nothing_is_known_are_counted_not_listed() -> None:
    told = run("reach", "great_war/over_the_top", "fa1", "--time-limit", "0").stdout
    assert "nowhere of which it is known yet" in told
    assert "Not known yet of" in told
    assert len(told) < 400


def test_whose_probabilities_are_told_and_what_knows_likelier_plans_is_said_once_below() -> None:
    """The crater in D5 and the trench in E6 take dice; infantry rolls none."""
    told = run("reach", "great_war/over_the_top", "tank2", "--alone").stdout.splitlines()
    beyond = "explain looks for the likeliest one, and for ways that wait for what others roll."
    assert told[-1] == f"Each probability is that of the plan shown; {beyond}"
    assert "robability" not in run("reach", "great_war/over_the_top", "inf5", "--alone").stdout


def test_why_nobody_goes_anywhere_is_told_once_for_all_of_them() -> None:
    """In the reinforcement phase only who is due moves: nobody in turn 1, and nobody who stands on the map ever."""
    why = "3.3: b1 may not enter any hex beside it: nobody else moves in the reinforcement phase"
    [barred, bt, b8] = run("reach", "crossroads/game", "--all").stdout.splitlines()
    assert barred.startswith(f"Can't move now, {why}; likewise b2, b3, ")
    assert barred.endswith("ba2 and be")
    assert bt == "Can't move now, 3.1: bt2 can't enter now: it is due in turn 2; likewise bm2"
    assert b8 == "Can't move now, 3.1: b8 can't enter now: it is due in turn 3; likewise b9 and bc3"
    assert run("reach", "crossroads/game", "b1").stdout.splitlines() == [
        "b1 in 0402, MA 4",
        f"  can't move now, {why}",
        "By itself now: nowhere.",
    ]
