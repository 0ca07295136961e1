"""Which phase a position that is written after one is for, where the charts say so, and where they don't."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.scenario.next_phase import data_after
from tests.plain_game import FORCES, placed, write_model

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
