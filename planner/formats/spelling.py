"""What somebody may have meant who has written a name that doesn't exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST_KNOWN = 5_000
"""Among more names none is looked for: it would take longer than to read the file."""


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """Return ``; did you mean 'river'?`` if a known name is much like one that isn't; an empty text otherwise.

    Parameters
    ----------
    name : object
        What is written; only text can be misspelt.
    known : iterable
        The names that there are; of these, too, only text counts.
    """
    if not isinstance(name, str) or not 2 <= len(name) <= 80:
        return ""
    names = {one.casefold(): one for one in known if isinstance(one, str)}
    if len(names) > MOST_KNOWN:
        return ""
    near = get_close_matches(name.casefold(), names, 1, 0.65)
    return f"; did you mean {names[near[0]]!r}?" if near and names[near[0]] != name else ""
