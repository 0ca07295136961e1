"""Overruns that are supported by friends who come up first, or by nobody."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.scenario import Scenario, build_scenario
from tests.plain_game import JOINT, SHUT, write_model

SUPPORTED = JOINT.replace('odds = "1:1", chance = "1/2"', 'odds = "3:1", chance = 1')
SUPPORTED += 'support = { paragraph = "support", units = { types = "guard" }, range = 1 }\n'


def scenario(folder: Path, helper: str = "guard", rules: str = SUPPORTED) -> Scenario:
    """Return two units, of which the second comes up in a step, and an enemy of strength 1 beside the first."""
    units = [("a", "south", "foot", "01.02", "2-1"), ("g", "south", helper, "01.01", "1-1")]
    return drawn(folder, rules, [*units, ("e", "north", "foot", "01.03", "1-1")])


def drawn(
    folder: Path, rules: str, units: list[tuple[str, str, str, str, str]], more: str = "", confidence: str = "1"
) -> Scenario:
    """Return some units, each in a hex of its own; `more` hexes lie round them. The enemy e is to be eliminated."""
    hexes = " ".join(dict.fromkeys([*(at for _, _, _, at, _ in units), *more.split()]))
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": str(write_model(folder, rules + SHUT, turns="waiting = {}\n")),
            "phase": "day",
            "phasing": "south",
            "confidence": confidence,
            "map": {"hexes": {hexes: "plain"}},
            "unit": [
                {"id": one, "side": side, "type": kind, "at": at, "values": values}
                for one, side, kind, at, values in units
            ],
            "tier": [{"terms": [{"kind": "eliminate", "units": "e"}]}],
        },
        "position.toml",
    )


ELSEWHERE = [(f"i{number}", "south", "foot", f"{3 + number:02}.02", "1-4") for number in range(10)]
"""Ten units that roam over sixty hexes: too many for every step to be tried."""
ROUND_THEM = " ".join(f"{column:02}.{row:02}" for column in range(3, 13) for row in range(1, 7))


def test_a_friend_who_comes_up_first_supports_an_overrun(tmp_path: Path) -> None:
    # g comes within a hex of e, and then it is 2 + 1 to 1.
    position, plan = scenario(tmp_path), ["g 01.01-01.02", "a 01.02x01.03(g)"]
    assert planner.check(position, plan).legal
    result = planner.suggest(position)
    assert (result.status, result.value, str(result.plan).splitlines()) == ("optimal", (1,), plan)
    assert planner.explain(position, "a to 01.03").status == "with_help"
    assert "01.03" in {one.hex for one in planner.reach(position, "a").with_help}


def test_it_does_so_among_more_than_can_be_tried_step_by_step(tmp_path: Path) -> None:
    units = [("a", "south", "foot", "01.02", "2-1"), ("g", "south", "guard", "01.01", "1-1")]
    units += [("e", "north", "foot", "01.03", "1-1"), *ELSEWHERE]
    result = planner.suggest(drawn(tmp_path, SUPPORTED, units, ROUND_THEM), time_limit=20)
    assert (result.status, result.value) == ("optimal", (1,))


def test_who_comes_up_by_an_overrun_of_its_own_supports_the_next_one(tmp_path: Path) -> None:
    # g eliminates b alone, 3 to 1, and stands in 01.02 then, in range of e: 2 + 3 to 1 for a, not 2 to 1.
    units = [("a", "south", "foot", "01.04", "2-1"), ("g", "south", "guard", "01.01", "3-1")]
    units += [("b", "north", "foot", "01.02", "1-1"), ("e", "north", "foot", "01.03", "1-1"), *ELSEWHERE]
    result = planner.suggest(drawn(tmp_path, SUPPORTED, units, ROUND_THEM), time_limit=20)
    assert (result.status, result.value) == ("optimal", (1,))
    assert str(result.plan).splitlines() == ["g 01.01x01.02", "a 01.04x01.03(g)"]


@pytest.mark.parametrize("confidence", ["1", "1/2"])
def test_who_comes_up_supports_an_overrun_that_is_rolled(tmp_path: Path, confidence: str) -> None:
    # At 3 to 1 one in two goes through. a may go on then with its last MP; nobody gets there otherwise: g is 1 to 1 alone.
    rolled = SUPPORTED.replace("chance = 1 ", 'chance = "1/2" ')
    units = [("a", "south", "foot", "01.02", "2-2"), ("g", "south", "guard", "01.01", "1-1")]
    position = drawn(tmp_path, rolled, [*units, ("e", "north", "foot", "01.03", "1-1")], "01.04", confidence)
    result = planner.suggest(position)
    assert (result.status, result.value) == ("optimal", (Fraction(1, 2),))
    assert str(result.plan).splitlines() == ["g 01.01-01.02", "a 01.02x01.03(g)"]
    a, g = planner.reach_all(position)
    assert {one.hex: one.chance for one in a.with_help} == dict.fromkeys(("01.03", "01.04"), Fraction(1, 2))
    assert [one.hex for one in (*g.alone, *g.with_help)] == ["01.02"]
    assert not a.open
    assert not g.open


def test_what_dice_decide_with_support_isnt_said_to_be_impossible_nor_a_unit_too_weak_without(tmp_path: Path) -> None:
    # a by itself is 2 to 1, with g it is 3:1, by which e falls in one case of two: it may be had, though not for certain.
    position = scenario(tmp_path, "guard", SUPPORTED.replace("chance = 1 ", 'chance = "1/2" '))
    for goal in ("eliminate e", "hold 01.03"):
        found = planner.explain(position, require=goal)
        assert (found.question, found.status) == (f"{goal}, for certain", "forbidden")
        told = [one.message for reason in found.reasons for one in reason.instances]
        assert "no overrun of 01.03 is sure to go through: dice decide, whatever the odds" in told
        assert not any("2 to 1" in one for one in told)


def test_a_legal_overrun_with_support_that_is_rolled_is_left_to_the_referee(tmp_path: Path) -> None:
    position = scenario(tmp_path, "guard", SUPPORTED.replace("chance = 1 ", 'chance = "1/2" '))
    plan = ["g 01.01-01.02", "a 01.02x01.03(g)"]
    assert planner.check(position, plan).legal
    with pytest.raises(planner.InputError, match="the referee alone judges the plan"):
        planner.check(position, plan, solver=True)


def test_where_nobody_is_there_who_might_support_it_is_proved_as_in_other_games(tmp_path: Path) -> None:
    # Only guards support, and g is none: together they come to 3 to 1, not 4:1. With limits to steps every step is tried.
    limit = '[[rule]]\nid = "once"\nkind = "step_limit"\nparagraph = "once"\ninto = { terrain = "plain" }\n'
    position = scenario(tmp_path, "foot", SUPPORTED.replace('"3:1"', '"4:1"') + limit)
    result = planner.suggest(position)
    assert (result.status, result.value) == ("optimal", (0,))
