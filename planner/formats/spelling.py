"""What somebody may have meant who has written a name that doesn't exist."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
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


def not_among(what: str, name: str, known: Iterable[str]) -> str:
    """Return that a name of some kind must be one of those that there are, or, where there are none, that it can't be."""
    names = sorted(known)
    if not names:
        return f"{what} can't be {name!r}: there is none"
    return f"{what} {name!r} must be one of {', '.join(names)}{did_you_mean(name, names)}"


def several_are_a_list(name: str, known: Container[str]) -> str:
    """Return ``; several are a list: ["a", "b"]`` of a text in which known names stand side by side; otherwise an empty one.

    Parameters
    ----------
    name : str
        What is written where one name or a list of names may be.
    known : container of str
        The names that there are.
    """
    words = name.replace(",", " ").split()
    if len(words) < 2 or not all(word in known for word in words):
        return ""
    quoted = ", ".join(f'"{word}"' for word in words)
    return f"; several are a list: [{quoted}]"


class HexSpellings:
    """Finds the hex that is meant by a label whose letters, points or leading noughts are written otherwise, or missing.

    Parameters
    ----------
    labels : iterable of str
        The labels that there are.
    """

    def __init__(self, labels: Iterable[str]) -> None:
        self._meant: list[dict[object, list[str]]] = [{} for _ in _READINGS]
        for label in labels:
            for reading, meant in zip(_READINGS, self._meant, strict=True):
                meant.setdefault(reading(label), []).append(label)

    def did_you_mean(self, label: str) -> str:
        """Return ``; did you mean '02.04'?`` if one hex alone may be meant by a label that isn't there."""
        if 2 <= len(label) <= 40:
            for reading, meant in zip(_READINGS, self._meant, strict=True):
                near = meant.get(reading(label), [])
                if len(near) == 1 and _digits(label):
                    return f"; did you mean {near[0]!r}?"
        return ""


def _letters_and_digits(label: str) -> str:
    return re.sub(r"[\W_]", "", label).casefold()


def _numbers(label: str) -> tuple[str, ...]:
    parts = re.findall(r"[^\W\d_]+|\d+", label.casefold())
    return tuple(part.lstrip("0") or "0" for part in parts)


def _digits(label: str) -> str:
    return re.sub(r"\D", "", label)


_READINGS: tuple[Callable[[str], object], ...] = (_letters_and_digits, _numbers, _digits)
