"""What helpers are there for is told by what comes of their plan without them, of which little is played."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.search.reach_entries import Entries
from tests.instances import instance
from tests.plain_game import effect, placed, write_model

FAMILIES = [
    pytest.param("dense", "16", marks=pytest.mark.thorough),
    ("crowded", "12"),
    pytest.param("villages", "20", marks=pytest.mark.thorough),
    pytest.param("joint", "12", marks=pytest.mark.thorough),
    pytest.param("stacks", "10", marks=pytest.mark.thorough),
]


@pytest.mark.parametrize(("family", "size"), FAMILIES)
def test_helpers_only_make_room_wherever_the_plan_does_as_well_with_them_off_the_map(
    family: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[bool] = set()

    def played(self: Entries, index: int, unit: str, label: str, verdict: Verdict) -> bool:
        referee, position, moved = Referee(self._game), self._start.copy(), set[str]()
        moves = [one.move for one in verdict.moves]
        leaving, made = set(moves[index].units), True
        for turn, move in enumerate(moves):
            if turn == index:
                for one in leaving:
                    position.remove(one, "elsewhere")
            elif turn < index or leaving.isdisjoint(move.units):
                later = frozenset(name for other in moves[turn + 1 :] for name in other.units)
                made = made and not referee.play_move(move, position, moved, turn, later)[0]
                moved.update(move.units)
        asked.add(made and position.at.get(unit) == label and not referee.check_end(position))
        return made and position.at.get(unit) == label and not referee.check_end(position)

    told = planner.reach_all(instance(family, size, 0))
    assert any(entry.help for one in told for entry in one.with_help)
    monkeypatch.setattr(Entries, "_only_makes_room", played)
    assert planner.reach_all(instance(family, size, 0)) == told
    assert asked == {"crowded": {True}, "villages": {True, False}, "joint": {True, False}}.get(family, {False})


def test_who_makes_room_and_takes_a_base_on_its_way_helps_by_taking_it() -> None:
    """The base in e2808 closes the port of e2709, which the marine leaves: without its move moresby can't land there.

    Wherever the marine goes on to, it has taken the base: that it stands in e2808 is no help.
    """
    told = planner.reach("dai_senso/island_campaign", "moresby")
    [entry] = [one for one in told.with_help if one.hex == "e2709"]
    helps = {(one.kind, one.what) for one in entry.help if one.by == ("marine",)}
    assert helps == {("taken", "e2808"), ("gone", "sudest")}


def test_who_may_leave_an_ezoc_by_some_ways_is_not_said_to_be_unable_to_move(tmp_path: Path) -> None:
    """By hand: e's ZOC keeps f from steps out of 01.01, but not from going to the port in 03.01."""
    jump = 'reads = { origin = { traits = "port" }, to = { traits = "port" } }\nadjacent = false\ntakes = 1\n'
    jump = f'[[rule]]\nid = "jump"\nkind = "passage"\nparagraph = "jump"\n{jump}'
    pinned = effect('on = "leave", does = "forbid", except_ways = "jump", negatable = false')
    hexes = {"01.01 03.01": {"terrain": "plain", "traits": "port"}, "01.02 02.01": "plain"}
    units = [
        {"id": "f", "side": "south", "type": "foot", "at": "01.01", "values": "1-1"},
        {"id": "e", "side": "north", "type": "guard", "at": "01.02", "values": "1-0"},
    ]
    told = planner.reach(placed(write_model(tmp_path / "model", jump + pinned), {}, units, map={"hexes": hexes}), "f")
    assert [one.hex for one in told.alone] == ["03.01"]
    assert not told.hindrances
