"""Labels and coordinates: adjacency as the printed map has it, both ways, for every kind of numbering."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.formats.spelling import HexSpellings
from planner.rules.rulebook_file import load_rulebook, model_folder
from planner.world.numbering import Numbering

NUMBERINGS = st.builds(
    Numbering,
    pattern=st.sampled_from(
        ["{row:02}{column:02}", "{sheet}{row:02}{column:02}", "{sheet}{column:03}.{row:03}", "{row:A}{column}"]
    ),
    straight=st.sampled_from(["rows", "columns"]),
    rows_count=st.sampled_from(["north", "south"]),
    shifted=st.sampled_from(["odd", "even", "each"]),
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


@pytest.mark.parametrize(
    ("labels", "typed", "meant"),
    [
        (("02.04", "02.05"), "0204", "02.04"),
        (("02.04", "02.05"), "2.4", "02.04"),
        (("0204", "0205"), "02.04", "0204"),
        (("w5525", "w5425"), "W5525", "w5525"),
        (("w5525", "w5425"), "5525", "w5525"),
        (("w5525", "e5525"), "5525", None),
        (("L11", "L1"), "l11", "L11"),
        (("02.04", "02.05"), "03.07", None),
    ],
)
def test_a_label_that_is_written_otherwise_is_found_where_one_alone_is_like_it(
    labels: tuple[str, ...], typed: str, meant: str | None
) -> None:
    assert HexSpellings(labels).did_you_mean(typed) == (f"; did you mean {meant!r}?" if meant else "")


def test_one_number_of_diagonal_numbering_runs_straight_and_the_other_along_a_diagonal() -> None:
    """Row C below row B: 5 of row C touches 4 and 5 of row B where rows shift east, 5 and 6 where they shift west."""
    east = Numbering(pattern="{row:A}{column}", shifted="each", shift="east")
    assert set(east.neighbours("C5")) == {"C4", "C6", "B5", "B6", "D4", "D5"}
    west = Numbering(pattern="{row:A}{column}", shifted="each", shift="west")
    assert set(west.neighbours("C5")) == {"C4", "C6", "B4", "B5", "D5", "D6"}
    assert west.distance("A1", "E5") == 4, "down the diagonal of the grain it is a step a row"
    assert east.distance("A1", "E5") == 8, "against it each row costs a step along the row, too"
    assert set(west.neighbours("AA7")) == {"AA6", "AA8", "Z6", "Z7", "BB7", "BB8"}


def test_columns_that_shift_each_against_the_one_before_are_diagonal_too() -> None:
    numbering = Numbering(pattern="{column:A}{row:02}", straight="columns", shifted="each", shift="north")
    assert set(numbering.neighbours("C05")) == {"C04", "C06", "B04", "B05", "D05", "D06"}


@pytest.mark.parametrize(
    ("pattern", "labels"),
    [
        ("{column}{row:02}", {"101": (1, 1), "1201": (1, 12), "12345": (45, 123)}),
        ("{column:03}{row}", {"0017": (7, 1), "001117": (117, 1)}),
        ("{column}.{row}", {"0.0": (0, 0), "120.7": (7, 120)}),
        ("{column:02}{row:02}", {"0001": (1, 0), "0100": (0, 1)}),
    ],
)
def test_numbers_have_as_many_digits_as_they_need_and_may_begin_with_nothing(
    pattern: str, labels: dict[str, tuple[int, int]]
) -> None:
    numbering = Numbering(pattern=pattern, straight="columns")
    for label, spot in labels.items():
        assert numbering.row_and_column(label) == ("", *spot)
        assert numbering.label("", *spot) == label


def test_a_hex_of_column_00_has_no_neighbours_beyond_it() -> None:
    numbering = Numbering(pattern="{column:02}{row:02}", straight="columns", shifted="odd", shift="south")
    assert set(numbering.neighbours("0005")) == {"0004", "0006", "0104", "0105"}
    assert numbering.ring("0005").count("") == 2


TABLE = Numbering.model_validate({"labels": "a1 b7 c2\n d4 _ e9\nf1 g1", "shifted": "even", "shift": "east"})


def test_labels_from_a_table_lie_where_the_table_has_them() -> None:
    assert set(TABLE.neighbours("d4")) == {"a1", "b7", "f1", "g1"}, (
        "the second row is shifted east; beside d4 is no hex"
    )
    assert set(TABLE.neighbours("e9")) == {"c2"}, "nothing stands to the east of c2, and no third cell below"
    assert TABLE.row_and_column("e9") == ("", 2, 3)
    with pytest.raises(ValueError, match="one of those that the rulebook lists"):
        TABLE.coordinates("a2")


@pytest.mark.parametrize(
    ("faulty", "said"),
    [
        ({"labels": "a1 a1"}, "a1 comes twice"),
        ({"labels": "a1 Paris"}, "not 'Paris': by the digits, plans tell hexes from units"),
        ({"labels": "a1", "rows_count": "north"}, "rows_count must be south"),
        ({"labels": 7}, "rows of words"),
    ],
)
def test_a_table_that_cannot_be_read_back_is_refused(faulty: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Numbering.model_validate(faulty)
