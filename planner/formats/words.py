"""Names in sentences: ids of hexes and of units, which may be numbers with dots, or the beginnings of longer names."""

from __future__ import annotations

import re


def has_word(sentence: str, name: str) -> bool:
    """Tell whether a sentence has a name as a word of its own, not as a part of a longer name or number."""
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w|\.\w)", sentence) is not None
