"""Who comes before whom, in a phase that has begun."""

from __future__ import annotations

from pathlib import Path

import planner
from tests.plain_game import placed, write_model


def after(folder: Path, move: str, units: str, wanted: str) -> planner.Position:
    """Return a position after a move of units beside a hex that costs 1 MP, and 1 for each who has entered it before."""
    column = (
        '[[rule]]\nid = "column"\nkind = "column_entry"\nparagraph = "column"\nmp = 1\ninto = { terrain = "town" }\n'
    )
    scenario = placed(
        write_model(folder / "any_game", column),
        {"03.01": "town", "03.02": "plain"},
        [{"id": unit, "side": "south", "type": "foot", "values": "1-3", "at": "03.02"} for unit in units],
        tier=[
            {"terms": [{"kind": "end", "unit": unit, "at": "03.01"} for unit in wanted]},
            {"terms": [{"kind": "mp_spent"}]},
        ],
    )
    position = planner.Position(scenario)
    position.push(move)
    return position


def test_who_has_entered_a_hex_before_what_is_asked_counts_with_those_who_enter_it_then(tmp_path: Path) -> None:
    # f has entered it for 1 MP; the others pay 2 and 3.
    assert after(tmp_path, "f 03.02-03.01", "fkm", "km").suggest().value == (2, -6)


def test_who_enters_a_hex_again_counts_once(tmp_path: Path) -> None:
    # f has spent 2 MP, and pays 1 more, as nobody else has been there; k pays 2.
    assert after(tmp_path, "f 03.02-03.01-03.02", "fkm", "fk").suggest().value == (2, -5)
