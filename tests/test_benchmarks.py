"""The instances for measuring: what they promise, and that every command of benchmarks/ runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import planner

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import families  # noqa: E402

SMALL = [
    ("dense", "6"),
    ("sparse", "6/tiers=1"),
    ("legs", "4/hexes=400/ma=6-10"),
    ("islands", "6/zones=2"),
    ("crowded", "6"),
    ("stacks", "6"),
    ("joint", "4"),
    ("shipped", "dai_senso/manchuria"),
]


@pytest.mark.parametrize(("family", "size"), SMALL)
def test_the_same_seed_writes_the_same_scenario_and_another_seed_another_one(family, size, tmp_path):
    one = families.write(family, size, 1, tmp_path / "one").read_bytes()
    assert families.write(family, size, 1, tmp_path / "two").read_bytes() == one
    if family != "shipped":
        assert families.write(family, size, 2, tmp_path / "two").read_bytes() != one


@pytest.mark.parametrize(("family", "size"), SMALL)
def test_an_instance_loads_and_the_position_is_legal_as_it_stands(family, size, tmp_path):
    for seed in range(3):
        scenario = planner.load(families.write(family, size, seed, tmp_path))
        assert scenario.tiers
        assert planner.check(scenario, []).legal


def test_a_map_wider_than_two_digits_comes_with_the_same_rules_in_three(tmp_path):
    scenario = planner.load(families.write("sparse", "80", 1, tmp_path))
    shipped = planner.load("dai_senso/manchuria").game.rulebook
    assert len(scenario.game.board.hexes) == 12 * 120
    assert [rule.id for rule in scenario.game.rulebook.rules] == [rule.id for rule in shipped.rules]


@pytest.mark.parametrize(
    ("family", "size"),
    [
        ("dens", "6"),
        ("dense", "x"),
        ("dense", "6/hexes=4"),
        ("dense", "0"),
        ("legs", "6/ma=9-3"),
        ("shipped", "nowhere"),
    ],
)
def test_a_size_that_a_family_does_not_have_is_refused(family, size):
    with pytest.raises(ValueError, match=r"must|has no|there is no"):
        families.draft(family, size, 0)


def test_every_size_of_a_full_measurement_can_be_written():
    for family, sizes in families.SIZES.items():
        for size in sizes:
            assert families.draft(family, size, 0).lines
