"""Rows of a map: where they begin, and what is said of rows that can't be placed."""

from __future__ import annotations

from typing import Any

import pytest

from planner.errors import InputError
from planner.scenario import build_scenario


def board(rows: str | list[str], **section: Any) -> set[str]:
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "axis",
        "map": {"rows": rows, **section},
    }
    return set(build_scenario(data, "map.toml").game.board.hexes)


def test_a_row_may_say_which_hex_its_first_cell_is() -> None:
    """Rows of this map count northward: the second line, which says nothing, is row 46, from column 24 on."""
    found = board("w4724: . .\n . .\n w4530: .", hexes={})
    assert found == {"w4724", "w4725", "w4624", "w4625", "w4530"}


@pytest.mark.parametrize(
    ("rows", "said", "where"),
    [
        ("w4724: . .\nw4725: .", "w4725 must come once, but row 2 has it again", "map.rows"),
        ("w47245: .", "hex label 'w47245' must have the form", "map.rows, row 1"),
        (". .", "origin must be given", "map.origin"),
        ("w4799: . .", "row 1 runs beyond the hex numbers, at w47100", "map.rows"),
    ],
)
def test_a_row_that_cannot_be_placed_is_named(rows: str, said: str, where: str) -> None:
    with pytest.raises(InputError) as error:
        board(rows)
    assert any(said in p.what and p.where == f"map.toml: {where}" for p in error.value.problems), error.value.problems
