"""Combat odds as players write them, ``3:1``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, InstanceOf, PlainSerializer, WithJsonSchema

_PATTERN = r"^\s*(\d{1,4})\s*:\s*(\d{1,4})\s*$"


class OddsRatio(Fraction):
    """Attack to defense; it compares like the fraction that it is."""

    @property
    def text(self) -> str:
        """The odds as players write them."""
        return f"{self.numerator}:{self.denominator}"


def parse_odds(value: object) -> OddsRatio:
    """Read odds.

    Raises
    ------
    ValueError
        If they don't look like ``3:1``, or one of the numbers is 0.
    """
    if isinstance(value, OddsRatio):
        return value
    match = re.match(_PATTERN, value, re.ASCII) if isinstance(value, str) else None
    if match is None or int(match[1]) == 0 or int(match[2]) == 0:
        raise ValueError('odds must look like "3:1"')
    return OddsRatio(int(match[1]), int(match[2]))


Odds = Annotated[
    InstanceOf[OddsRatio],
    BeforeValidator(parse_odds),
    PlainSerializer(lambda odds: odds.text),
    WithJsonSchema({"type": "string", "pattern": _PATTERN, "description": "Attack to defense, such as 3:1"}),
]
