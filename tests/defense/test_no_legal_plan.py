"""Where the enemy has no legal plan at all, nothing is worse for it, and that is proved."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.cli.defense_text import print_defense
from planner.scenario import Scenario
from tests.plain_game import LIMIT, SHUT, placed, write_model

ONE_EACH = LIMIT + 'limits = [{ units = 1 }]\nwhen = "phase"\n'


@pytest.fixture
def crowded(tmp_path: Path) -> Scenario:
    """F and g stand in one hex, where only one may stay; from it one way leads out, to a hex that e may shut.

    With e in 01.02 there is no legal plan. With e in 01.03, or left in 01.04, one of them goes to 01.02: for f 1 is had.
    """
    foot = {"side": "south", "type": "foot", "values": "1-2", "at": "01.01"}
    guard = {"id": "e", "side": "north", "type": "guard", "values": "1-2", "at": "01.04"}
    return placed(
        write_model(tmp_path / "crowded", ONE_EACH + SHUT.replace("unless_overrun = true\n", "")),
        {"01.01 01.02 01.03 01.04": "plain"},
        [{"id": "f", **foot}, {"id": "g", **foot}, guard],
        tier=[{"terms": [{"kind": "end", "unit": "f", "at": "01.02"}]}],
        defense={"place": [{"units": ["e"], "hexes": "01.02 01.03"}]},
    )


def test_a_placement_that_leaves_the_enemy_no_legal_plan_is_proved_the_worst_for_it(
    crowded: Scenario, capsys: pytest.CaptureFixture[str]
) -> None:
    found = planner.defend(crowded)
    assert (found.status, [str(one.placement) for one in found.accepted]) == ("best", ["e in 01.02"])
    [best] = found.accepted
    assert (best.value, best.plan, best.confirmed) == ((), None, True)
    assert not found.undecided
    print_defense(found, every=False)
    assert capsys.readouterr().out.startswith("The enemy has no legal plan, proved.")


def test_all_placements_that_leave_the_enemy_no_legal_plan_are_listed(
    crowded: Scenario, capsys: pytest.CaptureFixture[str]
) -> None:
    found = planner.defend(crowded, every=True)
    assert (found.status, found.complete, found.rejected) == ("best", True, 2)
    assert all(one.value == (Fraction(1),) for one in found.refutations)
    print_defense(found, every=True)
    told = capsys.readouterr().out
    assert told.startswith("The enemy has no legal plan, proved; 1 placement does it, it is the only one.")
    assert (
        "\nWorse: 2 placements, each replayed; the enemy's plans that do better under those that obey the rules:"
        in told
    )


def test_a_goal_is_kept_from_an_enemy_without_a_legal_plan(crowded: Scenario) -> None:
    found = planner.defend(crowded, require="f to 01.02", every=True)
    assert (found.status, found.complete, [str(one.placement) for one in found.accepted]) == (
        "holds",
        True,
        ["e in 01.02"],
    )
