"""Numbers are read as they are quoted, and where signs are lacking they are written out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from planner.formats.spoken_numbers import read_number, spoken_number, written_out


@pytest.mark.parametrize("below", [1, 2, 3, 4, 7, 144])
def test_a_number_is_read_as_it_is_quoted_with_its_signs_or_without(below: int) -> None:
    for above in range(-300, 300, 7):
        number = Fraction(above, below)
        assert read_number(spoken_number(number)) == read_number(written_out(spoken_number(number))) == number
        assert read_number(str(number)) == number


@pytest.mark.parametrize("text", ["", "½½", "1 2", "1 1/0", "1/2 1/2", "- ½ x", "1½ 1/2", "1 -1/2"])
def test_what_is_no_number_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="must be a number"):
        read_number(text)
