"""Published schemas take of numbers what files are read with, and nothing else; what is true is no number."""

from __future__ import annotations

import jsonschema
import pytest
from pydantic import TypeAdapter, ValidationError

from planner.batch.shapes import SuggestAsked
from planner.formats.mp import MP
from planner.formats.probability import Probability
from planner.formats.spoken_numbers import Number, read_number
from planner.formats.validation import problems_of
from planner.plans.policy import PolicyFile
from planner.scenario.shape import AnswerEntry, MarkerEntry, UnitEntry

MP_READ = [3, 0, "3", " 3 ", "1/2", "1 1/2", "0 1/2", "1½", "½", "1.5", ".5", "1.", "+2", "12/08"]
MP_REFUSED = [-1, 10_001, True, 1.5, "1/0", "0/00", "1 1/0", "-1", "1e2", "1/", "/2", "½1", "", "1 2", "1,5", "\u0663"]
CHANCES_READ = [0, 1, "1", "5/6", "0 1/2", "⅔", "0.75", ".5", "1.0", "+1/2"]
CHANCES_REFUSED = [2, -1, True, 0.5, "1/0", "-1/2", "75%", "", "1/2/3", "0." + "5" * 19]
NUMBERS_READ = [3, -3, "-3", "+3", "-1/2", "-1 1/2", "-12½", "-.5", "3.25"]
NUMBERS_REFUSED = [True, 1.5, "1/0", "--1", "+1 1/2", "+½", "a half", "", "1 -1/2"]


@pytest.mark.parametrize(
    ("kind", "read", "refused"),
    [(MP, MP_READ, MP_REFUSED), (Probability, CHANCES_READ, CHANCES_REFUSED), (Number, NUMBERS_READ, NUMBERS_REFUSED)],
    ids=["mp", "probability", "number"],
)
def test_a_schema_takes_the_numbers_that_are_read(kind: object, read: list[object], refused: list[object]) -> None:
    """Either is asked of each text; what is too large for the rules, written as text, is told by the reader alone."""
    shape: TypeAdapter[object] = TypeAdapter(tuple[kind, ...] if kind is not Number else AnswerEntry)
    validator = jsonschema.Draft202012Validator(shape.json_schema())

    def as_read(value: object) -> bool:
        try:
            if kind is Number:
                for number in TypeAdapter(AnswerEntry).validate_python({"value": [value]}).value:
                    read_number(str(number))
            else:
                shape.validate_python([value])
        except ValueError:
            return False
        return True

    for value, expected in [(value, True) for value in read] + [(value, False) for value in refused]:
        assert as_read(value) is expected, value
        assert validator.is_valid({"value": [value]} if kind is Number else [value]) is expected, value


@pytest.mark.parametrize(
    ("shape", "said", "told"),
    [
        (AnswerEntry, {"value": [1, True]}, "must be a whole number or text, not true @ x: value[1]"),
        (AnswerEntry, {"length": True}, "must be a whole number, not true @ x: length"),
        (AnswerEntry, {"length": "3"}, "must be a whole number, not '3' @ x: length"),
        (
            UnitEntry,
            {"id": "a", "side": "a", "type": "b", "steps_made": {"rail": False}},
            "must be a whole number, not false @ x: steps_made.rail",
        ),
        (MarkerEntry, {"type": "a", "side": "b", "used": 1}, "must be true or false, not 1 @ x: used"),
        (
            SuggestAsked,
            {"id": 1, "verb": "suggest", "scenario": "a", "time_limit": True},
            "must be a number, not true @ x: time_limit",
        ),
        (
            PolicyFile,
            {
                "format": "planner/policy-1",
                "root": {"moves": [], "branches": [{"made": ["a"], "probability": True, "then": {"moves": []}}]},
            },
            "must be a whole number or text, not true @ x: root.branches[0].probability",
        ),
    ],
)
def test_what_is_true_is_no_number_and_no_number_is_true(shape: type, said: dict[str, object], told: str) -> None:
    with pytest.raises(ValidationError) as error:
        shape.model_validate(said)
    assert [str(problem) for problem in problems_of(error.value, "x", shape, said)] == [told]
