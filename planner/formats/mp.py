"""Movement points: exact fractions inside, whole numbers or strings such as ``"1/2"`` in files."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from planner.formats.spoken_numbers import AMOUNT, read_number

LARGEST_MP = 10_000
"""No printed movement value comes near this; larger ones are typing errors."""

_NO_MORE = f"MP must be from 0 to {LARGEST_MP}, with a denominator of at most 1000"

_DIGITS = re.compile(r"\s*(\d+\s+)?\d+(/0*[1-9]\d*)?\s*", re.ASCII)
"""What is written like a number is one, however many digits it has."""


def parse_mp(value: object) -> Fraction:
    """Read an amount of MP.

    Parameters
    ----------
    value : int, str or Fraction
        ``3``, ``"3"``, ``"1/2"``, ``"1 1/2"`` or ``"1½"``; at least 0.

    Raises
    ------
    ValueError
        If it is none of these, is negative, or exceeds `LARGEST_MP`.
    """
    # The same few values are printed on all counters.
    return _known(value) if isinstance(value, str) and len(value) <= 12 else _parse(value)


def _parse(value: object) -> Fraction:
    """Read an amount of MP."""
    if isinstance(value, bool) or not isinstance(value, (int, str, Fraction)):
        raise ValueError('MP must be a whole number or a fraction in quotes such as "1/2"')
    too_long = isinstance(value, str) and any(len(part) > 12 for part in value.split())
    if too_long and _DIGITS.fullmatch(str(value)):
        raise ValueError(_NO_MORE)
    try:
        if too_long:
            raise ValueError
        mp = read_number(value) if isinstance(value, str) else Fraction(value)
    except ValueError as error:
        raise ValueError('MP must be a whole number or a fraction in quotes such as "1/2"') from error
    if not 0 <= mp <= LARGEST_MP or mp.denominator > 1000:
        raise ValueError(_NO_MORE)
    return mp


_known = lru_cache(maxsize=1_000)(_parse)


def format_mp(mp: Fraction | int) -> int | str:
    """Write an exact number the way files and answers hold it: ``3`` or ``"1/2"``."""
    return mp.numerator if mp.denominator == 1 else f"{mp.numerator}/{mp.denominator}"


MP = Annotated[
    Fraction,
    BeforeValidator(parse_mp),
    PlainSerializer(format_mp),
    WithJsonSchema(
        {
            "description": "Movement points: a whole number, or a fraction in quotes",
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": LARGEST_MP},
                {"type": "string", "pattern": AMOUNT},
            ],
        }
    ),
]
"""A field that holds MP."""
