"""Units that overrun a hex in which not all of them may end go on from there, also if nothing counts where they go."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.scenario import Scenario
from tests.plain_game import JOINT, SHUT, placed, write_model

ONE = '[[rule]]\nid = "narrow"\nkind = "stacking"\nparagraph = "narrow"\n'
ONE += 'limits = [{ where = { terrain = "town" }, units = 1 }]\n'
NOBODY = ONE.replace("units = 1", "units = 0")
BY_ITSELF = '[[rule]]\nid = "narrow"\nkind = "vacancy"\nparagraph = "narrow"\nwhere = { terrain = "town" }\n'
LIMITS = {
    "one may stay": ONE + 'when = "phase"\n',
    "one may end a move": ONE + 'when = "move"\n',
    "nobody may stay": NOBODY + 'when = "phase"\n',
    "none stays with another": BY_ITSELF + 'when = "phase"\n',
    "none ends a move with another": BY_ITSELF + 'when = "move"\n',
}


def beside_the_town(folder: Path, limit: str) -> Scenario:
    """Return a position in which it takes both a and b to overrun e in a town, behind which nothing counts."""
    model = write_model(folder / "any_game", SHUT + JOINT + limit, turns="stacks = true\n")
    hexes = {"03.01": "plain", "03.02": "town", "03.03": "plain"}
    own = [{"id": unit, "side": "south", "type": "foot", "at": "03.01", "values": "1-2"} for unit in "ab"]
    enemy = {"id": "e", "side": "north", "type": "guard", "at": "03.02", "values": "2-0"}
    tier = [{"terms": [{"kind": "eliminate", "units": ["e"]}]}]
    return placed(model, hexes, [*own, enemy], tier=tier)


@pytest.mark.parametrize("limit", LIMITS)
def test_whoever_may_not_end_where_they_have_overrun_goes_on(limit: str, tmp_path: Path) -> None:
    """By hand: both overrun e, with an even chance, and one of them, or both, go on to 03.03, or back."""
    found = planner.suggest(beside_the_town(tmp_path, LIMITS[limit]))
    assert (found.status, found.value) == ("optimal", (Fraction(1, 2),))
