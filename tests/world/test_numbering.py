"""Labels and coordinates: adjacency as the printed map has it, both ways, for every kind of numbering."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.rules.rulebook_file import load_rulebook, model_folder
from planner.world.numbering import Numbering

NUMBERINGS = st.builds(
    Numbering,
    pattern=st.sampled_from(["{row:02}{column:02}", "{sheet}{row:02}{column:02}", "{sheet}{column:03}.{row:03}"]),
    straight=st.sampled_from(["rows", "columns"]),
    rows_count=st.sampled_from(["north", "south"]),
    shifted=st.sampled_from(["odd", "even"]),
    shift=st.sampled_from(["west", "east"]),
)
SPOTS = st.tuples(st.integers(2, 90), st.integers(2, 90))


@pytest.mark.parametrize(
    ("a", "b", "adjacent"),
    [
        ("w5525", "w5425", True),
        ("w5525", "w5424", True),
        ("w5525", "w5426", False),  # the worked example needs the detour through w5425
        ("w5526", "w5425", True),  # so the 4th Kwantung Army's ZOC lies on w5425
        ("w5425", "w5426", True),
        ("w4725", "w4624", True),  # the misprinted 24723
        ("w4724", "w4624", True),
        ("w4624", "w4524", True),
        ("w4120", "w4119", True),
        ("w4119", "w4219", True),
        ("w5525", "e5425", False),
    ],
)
def test_the_worked_examples_fix_who_is_adjacent_to_whom(a: str, b: str, adjacent: bool) -> None:
    numbering = load_rulebook(model_folder("dai_senso")).numbering
    assert (b in numbering.neighbours(a)) is adjacent
    assert (a in numbering.neighbours(b)) is adjacent


@given(NUMBERINGS, SPOTS)
def test_every_hex_has_six_different_neighbours_each_one_hexside_away(
    numbering: Numbering, spot: tuple[int, int]
) -> None:
    label = numbering.label("", *spot)
    neighbours = numbering.neighbours(label)
    assert len(set(neighbours)) == 6
    for neighbour in neighbours:
        assert label in numbering.neighbours(neighbour)
        assert numbering.distance(label, neighbour) == 1


@given(NUMBERINGS, SPOTS)
def test_a_label_reads_back_to_the_row_and_column_that_it_was_made_of(
    numbering: Numbering, spot: tuple[int, int]
) -> None:
    assert numbering.row_and_column(numbering.label("", *spot)) == ("", *spot)


@given(NUMBERINGS, SPOTS, st.lists(st.integers(0, 5), max_size=12))
def test_no_walk_is_shorter_than_the_distance(numbering: Numbering, spot: tuple[int, int], walk: list[int]) -> None:
    start = here = numbering.label("", *spot)
    for turn in walk:
        neighbours = numbering.neighbours(here)
        here = neighbours[turn % len(neighbours)]
    distance = numbering.distance(start, here)
    assert distance is not None
    assert distance <= len(walk)


def test_hexes_of_different_sheets_have_no_distance() -> None:
    numbering = Numbering(pattern="{sheet}{row:02}{column:02}")
    assert numbering.distance("w1010", "e1010") is None


@pytest.mark.parametrize("label", ["", "w55", "w55255", "5525x", "w5525 ", "w٥٥٢٥"])
def test_a_label_that_does_not_follow_the_pattern_is_refused(label: str) -> None:
    with pytest.raises(ValueError, match="must have the form"):
        Numbering(pattern="{sheet}{row:02}{column:02}").coordinates(label)
