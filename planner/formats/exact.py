"""Exact numbers as people write them: whole, decimal, or fractions."""

from __future__ import annotations

import re
from fractions import Fraction

_NUMBER = re.compile(r"\s*[-+]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18}|\d{1,18}/\d{1,18})\s*", re.ASCII)


def exact(text: str) -> Fraction:
    """Read a number such as ``3``, ``-0.75`` or ``5/6``; but no powers of ten, in which a few letters make hours of work.

    Raises
    ------
    ValueError
        If it is no number.
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError("must be a number")
    try:
        return Fraction(text)
    except ZeroDivisionError as error:
        raise ValueError("must be a number") from error
