"""How many sequences of moves there are in the shipped scenarios is what it was: numbers to hold other engines against."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner import Position, perft
from planner.formats.files import data_folder
from planner.rules.rulebook_file import shipped_models
from tests.conftest import sized

GOLDEN: dict[str, list[int]] = {
    name: numbers
    for file in sorted((Path(__file__).parent / "perft").glob("*.json"))
    for name, numbers in json.loads(file.read_text(encoding="utf-8")).items()
}
"""By scenario, those of 1, 2, 3 moves, as many as can be counted in a second; elsewhere brute force counts some of them."""

MOST = sized(15, 1_000, 10_000)
"""Longer counts are made where there is time."""


def test_every_model_has_numbers() -> None:
    assert {name.partition("/")[0] for name in GOLDEN} == set(shipped_models())
    assert all((data_folder("scenarios") / f"{name}.toml").is_file() for name in GOLDEN)


@pytest.mark.parametrize("name", [name for name, numbers in GOLDEN.items() if numbers[0] <= MOST])
def test_sequences_are_as_many_as_they_were(name: str) -> None:
    for depth, number in enumerate(GOLDEN[name], 1):
        if number <= MOST:
            assert perft(Position(name), depth) == number, depth
