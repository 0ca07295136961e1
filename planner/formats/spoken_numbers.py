"""Exact numbers as players write them: 12½ rather than 25/2; files and JSON have them as `format_mp` writes them."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

SIGNS = {
    "¼": Fraction(1, 4),
    "½": Fraction(1, 2),
    "¾": Fraction(3, 4),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
}
"""Fractions that have a sign of their own."""
_SIGN_OF = {fraction: sign for sign, fraction in SIGNS.items()}


def spoken_number(number: Fraction | int) -> str:
    """Return a number as players write it: ``3``, ``12½``, ``-3 11/36``; exact."""
    number = Fraction(number)
    minus, (whole, rest) = "-" if number < 0 else "", divmod(abs(number), 1)
    if not rest:
        return f"{minus}{whole}"
    if rest in _SIGN_OF:
        return f"{minus}{whole or ''}{_SIGN_OF[rest]}"
    return f"{minus}{whole} {rest}" if whole else f"{minus}{rest}"


def at_most(bound: Fraction | int) -> str:
    """Return what something can't exceed: exact where that is soon read, else with two decimals, rounded up."""
    bound = Fraction(bound)
    if bound.denominator == 1 or bound % 1 in _SIGN_OF:
        return spoken_number(bound)
    hundredths = ceil(bound * 100)
    return f"{'-' if hundredths < 0 else ''}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"
