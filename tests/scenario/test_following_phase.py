"""Which phase a position that is written after one is for, where the charts say so, and where they don't."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.scenario.next_phase import data_after, write_after
from tests.plain_game import FORCES, Variant, build, placed, write_model

TURN = '[[turn]]\nside = "{}"\nphase = "{}"\n'


@pytest.mark.parametrize(
    ("phases", "turn", "then"),
    [
        ("day = {}, dusk = {}", (), ["dusk", "day"]),  # side by side, each with all phases, as games are played
        ('day = { next = "day" }, dusk = {}', (), ["day", "day"]),
        (
            "dusk = {}, night = {}, day = {}",
            (("south", "day"), ("north", "dusk"), ("south", "night")),
            ["night", "day"],
        ),
        ("dusk = {}, day = {}", (("south", "dusk"), ("north", "day")), ["day", "day"]),  # no step of south's turn
        ("day = {}", (), ["day", "day"]),
    ],
)
def test_where_no_phase_is_named_as_the_next_it_is_the_sides_next_one_in_the_turn(
    phases: str, turn: tuple[tuple[str, str], ...], then: list[str], tmp_path: Path
) -> None:
    forces = "".join(line for line in FORCES.splitlines(True) if not line.startswith("phases"))
    forces = f"phases = {{ {phases} }}\n{forces}" + "".join(TURN.format(*step) for step in turn)
    units = [{"id": "f", "side": "south", "type": "foot", "values": "1-3", "at": "03.01"}]
    scenario = placed(write_model(tmp_path / "game", forces=forces), {"03.01 03.02": "plain"}, units)
    for phase in then:
        scenario = planner.Scenario.from_dict(data_after(scenario, scenario.start))
        assert scenario.to_dict()["phase"] == phase


def test_a_model_beside_both_files_is_called_as_the_author_called_it(tmp_path: Path) -> None:
    scenario = build(Variant("any"), tmp_path)
    (tmp_path / "further").mkdir()
    for folder, model in ((tmp_path, "./any_game"), (tmp_path / "further", str((tmp_path / "any_game").resolve()))):
        write_after(scenario, scenario.start, folder / "after.toml")
        assert planner.load(folder / "after.toml").to_dict()["model"] == model


def test_who_is_in_a_box_of_the_map_is_still_there_in_the_phases_that_follow() -> None:
    """The box may be written as `box`, as it is of a unit that has been eliminated; the reinforcement then arrives."""
    units = [
        {"id": "b", "side": "blue", "type": "infantry", "values": "8-2-2", "at": "0303"},
        {"id": "r", "side": "red", "type": "infantry", "values": "1-1-2", "at": "0304"},
        {"id": "new", "side": "blue", "type": "infantry", "values": "4-4-4", "box": "reserve"},
    ]
    units[2]["arrives"] = {"turn": 2, "at": "0404"}
    begin = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "turn": 1,
        "map": {"hexes": {"0303 0304 0404": "clear"}, "boxes": {"eliminated": {}, "reserve": {}}},
        "control": {"blue": "0404"},
        "unit": units,
    }
    position = planner.Position(planner.Scenario.from_dict(begin))
    position.push("b -> 0304")
    position.roll(result="b -> 0304=DE")
    while position.turn == 1:
        position.end_phase()
    assert position.at == {"b": "0303", "r": "eliminated", "new": "reserve"}
    position.push("new [reserve]-0404")
    position.end_phase()
    assert position.at == {"b": "0303", "r": "eliminated", "new": "0404"}


@pytest.mark.parametrize(
    ("scenario", "phase", "named", "then"),
    [
        ("crossroads/bridge", "movement", None, ("second_movement", 1)),
        ("crossroads/bridge", "second_movement", None, ("reinforcement", 2)),  # red's turn lies between
        ("crossroads/bridge", "second_movement", "movement", ("movement", 2)),
        ("crossroads/bridge", "movement", "movement", ("movement", 2)),
        ("ocs/swamp", "reaction", None, ("exploitation", 1)),
        ("ocs/swamp", "exploitation", None, ("movement", 2)),
        ("a_world_at_war/rendezvous", "combat", None, ("exploitation", 1)),  # though the charts list it after that
    ],
)
def test_a_phase_of_the_sides_next_turn_says_which_turn_it_is(
    scenario: str, phase: str, named: str | None, then: tuple[str, int]
) -> None:
    """It was still the old turn: who arrives in the next one stayed away, and its weather was yesterday's."""
    begin = planner.load(scenario).to_dict() | {"phase": phase}
    begin = {key: value for key, value in begin.items() if key not in ("tier", "require", "answer", "verdict")}
    loaded = planner.Scenario.from_dict(begin)
    after = data_after(loaded, loaded.start, named)
    assert (after["phase"], after.get("turn", 1)) == then
