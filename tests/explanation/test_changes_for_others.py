"""What would have to be different about one unit may be what another one needs."""

from __future__ import annotations

from pathlib import Path

import planner
from tests.plain_game import FORCES, TERRAIN, placed, write_model

ROOM = '[[rule]]\nid = "room"\nkind = "vacancy"\nparagraph = "room"\n'
FERRY = 'hexsides.river = { prohibited = true, assisted = [{ by = { without = "tired" }, mp = 0, lifts = true }] }\n'


def test_who_could_leave_if_it_had_more_mp_would_make_room_for_another(tmp_path: Path) -> None:
    """By hand: s has MA 0 and keeps f out of 02.01, the only way on; with 1 MP it goes to 03.01, and f comes to 02.01."""
    kind = {"side": "south", "type": "foot"}
    units = [{"id": "f", "at": "01.01", "values": "1-1", **kind}, {"id": "s", "at": "02.01", "values": "1-0", **kind}]
    scenario = placed(write_model(tmp_path / "model", ROOM), {"01.01 02.01 03.01": "plain"}, units)
    found = planner.explain(scenario, "f to 02.01")
    assert found.status == "forbidden"
    changes = [tuple(map(str, one.changes)) for one in found.remedies]
    assert changes == [("s had 1 MP more",), ("s were not there",)]


def test_who_could_help_across_if_it_were_in_another_state_would_help_another(tmp_path: Path) -> None:
    """By hand: f crosses the river only beside a friend who isn't tired; g is the only one."""
    kind = {"side": "south", "type": "foot", "at": "01.01", "values": "1-1"}
    forces = f'{FORCES}unit_traits = {{ tired = "Tired" }}\n'
    model = write_model(tmp_path / "model", forces=forces, terrain=TERRAIN + FERRY)
    units = [{"id": "f", **kind}, {"id": "g", "traits": "tired", **kind}]
    board = {"map": {"hexes": {"01.01 02.01": "plain"}, "hexsides": {"river": ["01.01 02.01"]}}}
    scenario = placed(model, {}, units, **board)
    found = planner.explain(scenario, require=["f to 02.01", "g in 01.01"])
    assert found.status == "forbidden"
    changes = [tuple(map(str, one.changes)) for one in found.remedies]
    assert ("g did not count as tired",) in changes
