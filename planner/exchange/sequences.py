"""How VASSAL puts texts into one: joined by a sign, which is escaped by a backslash where a text itself has it.

Source: VASSAL's ``SequenceEncoder`` (Reference Manual, *SaveGame format*); told in our own words and written anew.
"""

from __future__ import annotations

import re
from functools import cache


@cache
def _unescaped(delimiter: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\\){re.escape(delimiter)}")


def _token(text: str, delimiter: str) -> str:
    text = text.replace(f"\\{delimiter}", delimiter)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text


def decode(text: str, delimiter: str) -> list[str]:
    """Return the texts that have been joined by a delimiter; at least one."""
    return [_token(part, delimiter) for part in _unescaped(delimiter).split(text)]


def decode_pair(text: str, delimiter: str) -> tuple[str, str | None]:
    """Return the first two texts; None if there is no second one."""
    parts = _unescaped(delimiter).split(text, maxsplit=2)
    return _token(parts[0], delimiter), _token(parts[1], delimiter) if len(parts) > 1 else None
