"""Numbers are read as they are quoted, and where signs are lacking they are written out."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from pydantic import TypeAdapter

import planner
from planner.explanation.parse_question import read_goal
from planner.formats.mp import MP, parse_mp
from planner.formats.probability import Probability, parse_probability, parse_share
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


@pytest.mark.parametrize(
    ("text", "meant"), [("12½", "25/2"), ("12 1/2", "25/2"), ("½", "1/2"), (" 3 ", "3"), ("1.5", "3/2"), ("7/3", "7/3")]
)
def test_files_and_questions_take_numbers_as_answers_have_them(text: str, meant: str) -> None:
    number = Fraction(meant)
    assert parse_mp(text) == number
    assert parse_share(f"{text}%") == number / 100
    if number <= 1:
        assert parse_probability(text) == number
    goal = read_goal(planner.load("dai_senso/manchuria"), f"plv at most {text.strip()} MP")
    assert parse_mp(goal.model_dump()["most"]) == number


@pytest.mark.parametrize("text", ["1 2", "", "½½", "1/2 1/2", "1½ 1/2", "-½"])
def test_two_numbers_are_no_amount_of_mp(text: str) -> None:
    """Of "1 2" the sum was read: whoever forgets the stroke of "1 1/2" had an MA of 3."""
    with pytest.raises(ValueError, match="MP must be"):
        parse_mp(text)


@pytest.mark.parametrize(
    ("kind", "texts"), [(MP, ["12½", "12 1/2", "½", "3", "1/2"]), (Probability, ["½", "⅔", "5/6"])]
)
def test_schemas_know_numbers_as_answers_have_them(kind: object, texts: list[str]) -> None:
    [pattern] = [one["pattern"] for one in TypeAdapter(kind).json_schema()["anyOf"] if "pattern" in one]
    assert all(re.search(pattern, text) for text in texts)
