"""A position as one word: short enough for a line, an address or a message, and read again without loss."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping

from planner.errors import InputError, Problem
from planner.formats.files import LARGEST_FILE, parse_json

BEGIN = "position1."
"""With what such words begin; the number is that of their form."""


def to_word(data: Mapping[str, object]) -> str:
    """Return what a scenario file would hold as a word of letters, digits, ``-``, ``_`` and ``.``: packed JSON."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return BEGIN + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def from_word(word: str) -> dict[str, object]:
    """Return what a word holds.

    Raises
    ------
    InputError
        If it isn't such a word, or a part of one, or holds more than a file may.
    """
    word = word.strip()
    where = f"{word[:20]}…" if len(word) > 20 else word or "text"
    if not word.startswith(BEGIN):
        raise InputError([Problem(f"a position as text must begin with {BEGIN}", where)])
    packed = word.removeprefix(BEGIN)
    unpacking, content = zlib.decompressobj(), b""
    try:
        content = unpacking.decompress(base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", True), LARGEST_FILE)
        sound = unpacking.eof and not unpacking.unused_data
        text = content.decode("utf-8") if sound else ""
    except (ValueError, zlib.error):
        sound = False
    if not sound:
        raise InputError([Problem("isn't the text of a position: some of it is missing, changed or too much", where)])
    data = parse_json(text, where)
    if not isinstance(data, dict):
        raise InputError([Problem("must be a scenario", where)])
    return data
