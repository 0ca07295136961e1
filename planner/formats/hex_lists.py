"""Hex labels in files: one string with spaces between them, or a list of such strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

MOST_HEXES = 200_000
"""No map has more hexes, and no list of hexes more labels."""

STRINGS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
"""The schema of a string, or a list of strings."""


def _strings(value: object, what: str) -> list[str]:
    """Return a string, or each of a list of strings; `ValueError` says what else it must be."""
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, (list, tuple)) or not all(isinstance(item, str) for item in items):
        raise ValueError(f"must be {what}")
    return list(items)


def split_labels(value: object) -> tuple[str, ...]:
    """Split strings of labels into a flat tuple of labels.

    Raises
    ------
    ValueError
        If the value is no string and no list of strings, or holds too many labels.
    """
    what = 'hex labels with spaces between them, such as "w5525 w5425", or a list of such strings'
    labels = tuple(label for item in _strings(value, what) for label in item.split())
    if len(labels) > MOST_HEXES:
        raise ValueError(f"must have at most {MOST_HEXES} entries")
    return labels


_LABELS_SCHEMA = {"description": "Hex labels with spaces between them, or a list of such strings", **STRINGS}

Labels = Annotated[tuple[str, ...], BeforeValidator(split_labels), WithJsonSchema(_LABELS_SCHEMA)]
"""A field that holds hex labels."""


def split_chains(value: object) -> tuple[tuple[str, ...], ...]:
    """Split each string into a chain of labels.

    Raises
    ------
    ValueError
        If the value is no string and no list of strings, or holds too many labels.
    """
    what = 'a chain of hex labels, such as "w5525 w5425 w5426", or a list of chains'
    chains = tuple(tuple(item.split()) for item in _strings(value, what))
    if sum(map(len, chains)) > 4 * MOST_HEXES:
        raise ValueError(f"must have at most {4 * MOST_HEXES} labels")
    return chains


Chains = Annotated[
    tuple[tuple[str, ...], ...],
    BeforeValidator(split_chains),
    WithJsonSchema({**_LABELS_SCHEMA, "description": "A chain of neighbouring hexes, or a list of chains"}),
]
"""A field that holds chains of labels: each hexside between two that follow each other is meant."""


def split_rows(value: object) -> object:
    """Split a table of words, one string with a line for each row or a list of rows, into the words of each row.

    Raises
    ------
    ValueError
        If the value is no string and no list of strings.
    """
    if isinstance(value, tuple) and all(isinstance(row, tuple) for row in value):
        return value  # it has been split
    rows = value.strip("\n").split("\n") if isinstance(value, str) else value
    return tuple(tuple(row.split()) for row in _strings(rows, "rows of words with spaces between them"))


Rows = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(split_rows), WithJsonSchema(STRINGS)]
"""A table of words: one string with a line for each row, or a list of rows."""


LONGEST_TOLD = 8
"""So many labels are told one by one."""


def shortly(labels: Sequence[str], what: str = "hexes") -> str:
    """Return labels as a player is told them: all of a few; of a long list, its ends and how many they are."""
    if len(labels) <= LONGEST_TOLD:
        return " ".join(labels)
    return f"{labels[0]} {labels[1]} … {labels[-1]} ({len(labels)} {what})"
