"""Exact numbers as players write them: 12½ rather than 25/2; files and JSON have them as `format_mp` writes them."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil
from typing import Annotated

from pydantic import WithJsonSchema

from planner.formats.exact import exact

SIGNS = {
    "¼": Fraction(1, 4),
    "½": Fraction(1, 2),
    "¾": Fraction(3, 4),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
}
"""Fractions that have a sign of their own."""
_SIGN_OF = {fraction: sign for sign, fraction in SIGNS.items()}
_MIXED = re.compile(
    rf"\s*(?P<minus>-?)(?:(?P<whole>[0-9]{{1,18}})\s+(?P<rest>[0-9]+/[0-9]+)|(?P<before>[0-9]{{0,18}})(?P<sign>[{''.join(SIGNS)}]))\s*"
)

_PLAIN = r"([0-9]{1,18}(\.[0-9]{0,18})?|\.[0-9]{1,18}|[0-9]{1,18}/0*[1-9][0-9]{0,17})"
_WITH_FRACTION = rf"([0-9]{{1,18}}\s+[0-9]+/0*[1-9][0-9]{{0,17}}|[0-9]{{0,18}}[{''.join(SIGNS)}])"
NUMBER = rf"^\s*([-+]?{_PLAIN}|-?{_WITH_FRACTION})\s*$"
"""The texts that `read_number` reads, for schemas: without what some validators lack, such as looking ahead."""
AMOUNT = rf"^\s*(\+?{_PLAIN}|{_WITH_FRACTION})\s*$"
"""Those of them that are no negative numbers."""

Number = Annotated[int | str, WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string", "pattern": NUMBER}]})]
"""A field that holds a number, as a file has it; whoever reads it calls `read_number`."""


def spoken_number(number: Fraction | int) -> str:
    """Return a number as players write it: ``3``, ``12½``, ``-3 11/36``; exact."""
    if isinstance(number, int) or number.denominator == 1:  # most are
        return str(number.numerator)
    minus, (whole, rest) = "-" if number < 0 else "", divmod(abs(number), 1)
    if rest in _SIGN_OF:
        return f"{minus}{whole or ''}{_SIGN_OF[rest]}"
    return f"{minus}{whole} {rest}" if whole else f"{minus}{rest}"


def read_number(text: str) -> Fraction:
    """Read what `spoken_number` writes, or files have: what is quoted can be written into a file.

    Raises
    ------
    ValueError
        If it is no number.
    """
    match = _MIXED.fullmatch(text)
    if match is None:
        return exact(text)
    whole = int(match["whole"] or match["before"] or 0)
    number = whole + (SIGNS[match["sign"]] if match["sign"] else exact(match["rest"]))
    return -number if match["minus"] else number


def written_out(text: str) -> str:
    """Return a text without signs that terminals may lack: of fractions, and of what is left out."""
    for sign, fraction in SIGNS.items():
        text = re.sub(rf"(\d?){sign}", lambda found, f=fraction: f"{found[1]} {f}".strip(), text)  # type: ignore[misc]
    return text.replace("…", "...")


def at_most(bound: Fraction | int) -> str:
    """Return what something can't exceed: exact where that is soon read, else with two decimals, rounded up."""
    bound = Fraction(bound)
    if bound.denominator == 1 or bound % 1 in _SIGN_OF:
        return spoken_number(bound)
    hundredths = ceil(bound * 100)
    return f"{'-' if hundredths < 0 else ''}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"
