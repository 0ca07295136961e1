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
