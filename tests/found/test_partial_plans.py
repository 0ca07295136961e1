"""Plans that can be completed are; hints hold only where they are legal as they are written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.puzzles.verify import verify_file
from planner.scenario import Scenario, build_scenario
from planner.search.context import Conditions
from tests.plain_game import BOGGING, Variant, build

PUZZLES = Path("scenarios/dai_senso/puzzles")
BOTH_SAIL = """
[[tier]]
terms = [{ kind = "end", unit = "corps", at = "e2805" }, { kind = "end", unit = "exp", at = "e2805" }]

[answer]
value = [2]
moves = ["corps e3005~e2805(train_n)", "exp e3005~e2805(us_n)"]
"""


def _held(scenario: Scenario, hint: str, *moves: str) -> bool:
    """Tell whether a plan does what a partial plan settles, as the referee plays it."""
    verdict = planner.check(scenario, list(moves))
    assert verdict.legal
    return Conditions(PartialPlan.parse(hint)).hold_for(scenario, Plan.parse(list(moves)), verdict)


def test_a_step_into_a_hex_that_a_combat_has_cleared_is_no_combat() -> None:
    """X takes 0405, whatever is drawn; y goes through it to 0506: legal as it stands, so it can be completed."""
    moves = ["x 0404x0405", "y 0404-0405-0506"]
    scenario = planner.load("classic_hex/puzzles/open_door")
    assert planner.check(scenario, moves).legal
    found = planner.complete(scenario, moves)
    assert found.plan is not None
    assert planner.check(scenario, found.plan).legal


def test_a_step_that_is_not_written_as_a_combat_may_be_one() -> None:
    scenario = planner.load("classic_hex/puzzles/open_door")
    for written in ("x 0404x0405", "x 0404-0405"):
        found = planner.complete(scenario, [written])
        assert found.plan is not None, written
        assert planner.check(scenario, found.plan).position.at["x"] == "0405"
    assert _held(scenario, "x 0404-0405", "x 0404x0405")
    assert _held(scenario, "x 0404x0405", "x 0404-0405")


def _stack(ma: int) -> Scenario:
    unit: dict[str, Any] = {"side": "axis", "type": "tank", "values": f"8-4-{ma}", "at": "10.10"}
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.10 10.11 10.12": "open"}},
        "unit": [
            {**unit, "id": "t1"},
            {**unit, "id": "t2"},
            {"id": "e", "side": "allied", "type": "infantry", "values": "1-1-3", "at": "10.11"},
        ],
    }
    return build_scenario(data, "a stack")


def test_a_hint_of_two_attempts_does_not_hold_where_one_is_made() -> None:
    """An attempt costs 3 MP: with 5 MP there is one, with 8 there are two."""
    poor, rich = _stack(5), _stack(8)
    assert not planner.check(poor, "t1+t2 10.10x10.11*2").legal
    assert not _held(poor, "t1+t2 10.10x10.11*2", "t1+t2 10.10x10.11")
    assert _held(rich, "t1+t2 10.10x10.11*2", "t1+t2 10.10x10.11*2")


@pytest.mark.parametrize(
    ("hint", "outcome"),
    [
        (["exp e3005~e2805(us_n)"], "holds"),
        (["exp e3005-e2805"], "holds"),
        (["exp e3005~e2805(train_n)"], "fails"),
    ],
)
def test_a_hint_that_names_a_carrier_which_somebody_else_needs_does_not_hold(
    hint: list[str], outcome: str, tmp_path: Path
) -> None:
    """The train is all that carries the corps; by itself the move with the train is legal."""
    text = (PUZZLES / "fleet_train.toml").read_text(encoding="utf-8")
    assert _outcome(tmp_path, text[: text.index("[[tier]]")] + BOTH_SAIL, hint) == outcome


@pytest.mark.parametrize(
    ("hint", "outcome"),
    [
        (["bravo w5324-w5323", "alpha w5324-w5323-w5322"], "holds"),
        (["alpha w5324-w5323-w5322", "bravo w5324-w5323"], "fails"),
    ],
)
def test_a_hint_in_an_order_in_which_it_is_illegal_does_not_hold(hint: list[str], outcome: str, tmp_path: Path) -> None:
    assert _outcome(tmp_path, (PUZZLES / "after_you.toml").read_text(encoding="utf-8"), hint) == outcome


def _outcome(folder: Path, puzzle: str, hint: list[str]) -> str:
    """Return what comes of a hint of a puzzle whose answer holds."""
    file = folder / "puzzle.toml"
    file.write_text(f"{puzzle}\n[[answer.hints]]\nmoves = {hint}\n", encoding="utf-8")
    checks = {check.kind: check.outcome for check in verify_file(str(file)).checks}
    assert checks["claim"] == checks["solution"] == "holds"
    return checks["hint"]


@pytest.mark.parametrize("again", ["tank E3-E4", "tank E1-D1", "tank E1-E2-E3"])
def test_a_unit_that_may_not_wait_makes_no_two_moves_where_it_rolls_for_the_first(again: str) -> None:
    """The first of them alone was taken for all that the tank is to do, and the plan for none that does it."""
    found = planner.complete("great_war/puzzles/wire_and_tank", ["tank E1-E2-E3", again])
    assert found.status == "infeasible"


@pytest.mark.parametrize("waits", [False, True])
def test_the_move_of_a_unit_that_rolls_may_be_settled_in_parts_where_it_may_wait(waits: bool, tmp_path: Path) -> None:
    """It bogs down in each hex with a probability of 1/6, and gets to 03.03, which counts 3, if it doesn't in 03.02.

    What it does is proved at once, though there are more ways to go 9 hexes over mud than can be listed.
    """
    scenario = build(Variant("muddy", BOGGING, turns="waiting = {}\n" if waits else ""), tmp_path)
    found = planner.complete(scenario, ["f 03.01-03.02", "f 03.02-03.03"], time_limit=60)
    assert found.status == ("optimal" if waits else "infeasible")
    assert found.value[:1] == ((Fraction(5, 2),) if waits else ())
