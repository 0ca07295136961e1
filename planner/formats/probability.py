"""Probabilities: exact fractions inside, strings such as ``"5/6"`` in files."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from planner.formats.mp import format_mp
from planner.formats.spoken_numbers import AMOUNT, read_number


def parse_probability(value: object) -> Fraction:
    """Read a probability.

    Parameters
    ----------
    value : int, str or Fraction
        ``1``, ``0``, ``"5/6"``, ``"⅔"`` or ``"0.75"``.

    Raises
    ------
    ValueError
        If it is none of these, or isn't from 0 to 1.
    """
    try:
        if isinstance(value, bool) or not isinstance(value, (int, str, Fraction)) or len(str(value)) > 20:
            raise ValueError
        found = read_number(value) if isinstance(value, str) else Fraction(value)
    except ValueError as error:
        raise ValueError('a probability must be 0, 1 or a fraction in quotes such as "5/6"') from error
    if not 0 <= found <= 1 or found.denominator > 1_000_000:
        raise ValueError("a probability must be from 0 to 1, with a denominator of at most 1000000")
    return found


def parse_share(text: str) -> Fraction:
    """Read a share as people write it: a percentage, a fraction or a decimal number.

    Raises
    ------
    ValueError
        If it is none of these.
    """
    try:
        return read_number(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
    except ValueError as error:
        raise ValueError(f'must be a share such as "10%" or "1/10", not {text[:40]!r}') from error


def format_probability(probability: Fraction) -> int | str:
    """Write a probability the way files and answers hold it."""
    return format_mp(probability)


def spoken_percent(probability: Fraction) -> str:
    """Return a probability in percent, as messages have it: only what is certain is 100 %, and only what can't be is 0 %."""
    share = f"{float(probability):.1%}"
    if share == "100.0%" and probability < 1:
        return "over 99.9%"
    return "under 0.1%" if share == "0.0%" and probability else share


Probability = Annotated[
    Fraction,
    BeforeValidator(parse_probability),
    PlainSerializer(format_probability),
    WithJsonSchema(
        {
            "description": "A probability: 0, 1, or a fraction in quotes",
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": 1},
                {"type": "string", "pattern": AMOUNT, "maxLength": 20},
            ],
        }
    ),
]
