"""Patterns of names, as mapping files write them: ``*`` is anything, ``{word}`` anything but nothing, which can be used."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")

_WILD = re.compile(r"\*|\{(\w+)\}", re.ASCII)


def match(pattern: str, text: str) -> dict[str, str] | None:
    """Return what the words of a pattern stand for in a text; None if it doesn't fit.

    Each wild part takes as little as it can, so a text is gone through once, however many there are.
    """
    literals = _WILD.split(pattern)[::2]
    names = [found[1] for found in _WILD.finditer(pattern)]
    if not text.startswith(literals[0]) or (not names and text != pattern):
        return None
    caught: dict[str, str] = {}
    at = len(literals[0])
    for index, name in enumerate(names):
        literal = literals[index + 1]
        last = index == len(names) - 1
        least = at + (1 if name else 0)
        end = len(text) - len(literal) if last else text.find(literal, least)
        if end < least or (last and not text.endswith(literal)):
            return None
        if name:
            caught[name] = text[at:end]
        at = end + len(literal)
    return caught


def first_match(patterns: Mapping[str, T], text: str) -> T | None:
    """Return what belongs to the first pattern that fits a text; an exact one goes first."""
    if text in patterns:
        return patterns[text]
    return next((value for pattern, value in patterns.items() if match(pattern, text) is not None), None)


def fill(template: str, said: Mapping[str, str]) -> str:
    """Return a template with what its words stand for.

    Raises
    ------
    KeyError
        If something isn't said.
    """
    return re.sub(r"\{([^{}]+)\}", lambda found: said[found[1]], template)
