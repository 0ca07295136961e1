"""What has been listed of one position is taken over only where units' ways are looked for in the same manner."""

from __future__ import annotations

from pathlib import Path

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.kept_reach import remember
from planner.scenario.memory import Memory
from tests.instances import list_possibilities
from tests.plain_game import effect, placed, write_model

MUD = '[[rule]]\nid = "bog"\nkind = "bogging"\nparagraph = "bog"\nwho = { types = "train" }\nbad_side = "1/2"\n'
MUD += 'features = [{ name = "mud", hexes = { terrain = "hill" } }]\n'


def test_once_moves_may_be_left_undone_what_needs_more_is_listed_though_it_was_not_before(tmp_path: Path) -> None:
    # f gets to 02.01 by 03.02, or by 02.02 if somebody is there, for 2 MP either way. As long as nobody rolls, the former is
    # as good. Once c is a train, which may bog down in 02.03, f saves its MP by the latter where c doesn't come.
    model = write_model(tmp_path / "any_game", MUD + effect('on = "enter", does = "stop", negatable = true'))
    hexes = {"03.03 03.02 02.01 02.02 02.04 01.02": "plain", "02.03": "hill"}
    units = [
        {"id": "f", "side": "south", "type": "foot", "values": "1-2", "at": "03.03"},
        {"id": "h", "side": "south", "type": "foot", "values": "1-1", "at": "03.03"},
        {"id": "c", "side": "south", "type": "scout", "values": "1-4", "at": "02.04"},
        {"id": "g", "side": "north", "type": "guard", "values": "9-0", "at": "01.02"},
    ]
    before = placed(model, hexes, units, confidence="1/2")
    after, memory = before.with_units([{"id": "c", "type": "train"}]), Memory()
    listed = []
    for scenario in (before, after):
        reach = ConditionalReach(scenario.game)
        remember(reach, memory)
        listed.append([one.path for one in list_possibilities(reach)["f"] if one.end == "02.01"])
    assert listed == [[("03.03", "03.02", "02.01")], [("03.03", "03.02", "02.01"), ("03.03", "02.02", "02.01")]]
