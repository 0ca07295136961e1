"""Where overruns are rolled, a friend negates an EZOC for whoever passes, and may leave the hex later, all the same.

By hand: u, in 02.01, passes 03.02, which is in the EZOC of the guard e in 04.01, on its way to 03.03. f stands in 03.02; it
goes to 03.03, too, once u has passed, and has all the time in the world: nothing says that it must stay.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.scenario import Scenario
from tests.plain_game import JOINT, SHUT, effect, placed, write_model

EFFECTS = {
    "forbid": 'on = "enter", does = "forbid"',
    "stop": 'on = "enter", does = "stop"',
    "from EZOC to EZOC": 'on = "enter", does = "forbid", from_ezoc = "any"',
}


def passing(folder: Path, zoc: str, for_good: str) -> Scenario:
    """Return the position; a second guard's EZOC lies on 02.01, so that u comes from one EZOC into another."""
    model = write_model(folder / "game", SHUT + JOINT + effect(zoc) + f"negated_for_good = {for_good}\n")
    own = {"side": "south", "type": "foot"}
    guard = {"side": "north", "type": "guard", "values": "9-0"}
    units = [
        {"id": "f", "at": "03.02", "values": "1-1", **own},
        {"id": "u", "at": "02.01", "values": "1-2", **own},
        {"id": "e", "at": "04.01", **guard},
        {"id": "d", "at": "01.01", **guard},
    ]
    goals = {"terms": [{"kind": "end", "unit": unit, "at": "03.03"} for unit in "fu"]}
    return placed(model, {"01.01 02.01 03.02 03.03 04.01": "plain"}, units, tier=[goals])


@pytest.mark.parametrize("zoc", EFFECTS)
def test_whoever_has_negated_an_ezoc_for_another_leaves_the_hex_in_the_best_plan(zoc: str, tmp_path: Path) -> None:
    scenario = passing(tmp_path, EFFECTS[zoc], "false")
    moves = ["u 02.01-03.02-03.03", "f 03.02-03.03"]
    assert planner.check(scenario, moves).legal
    found = planner.suggest(scenario)
    assert found.status == "optimal"
    assert found.value == (Fraction(2),)
    assert planner.explain(scenario, require=["u to 03.03", "f to 03.03"]).status == "possible"


@pytest.mark.parametrize("zoc", EFFECTS)
def test_where_it_negates_for_good_it_stays(zoc: str, tmp_path: Path) -> None:
    found = planner.suggest(passing(tmp_path, EFFECTS[zoc], "true"))
    assert found.status == "optimal"
    assert found.value == (Fraction(1),)
