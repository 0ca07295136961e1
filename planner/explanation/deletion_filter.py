"""Deletion: what a set needs so that it still forbids something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def deletion_filter(
    items: Sequence[T], forbids: Callable[[list[T]], bool | None], late: Callable[[], bool], fixed: Sequence[T] = ()
) -> tuple[list[T], bool]:
    """Return a part of some items that still forbids something, and whether each of them is known to be needed.

    Items are left out in halves, then in smaller parts, then one by one; earlier ones first.

    Parameters
    ----------
    items : sequence
        Together, with those that are fixed, they forbid it.
    forbids : callable
        Tells whether some items do; None: not known.
    late : callable
        Tells whether the time is up; what has not been looked at is kept then.
    fixed : sequence
        Items that are always kept, and not returned.
    """
    kept: list[T] = []
    rest = list(items)
    certain, size = True, max(1, len(rest) // 2)
    while rest:
        if late():
            return [*kept, *rest], False
        part, remaining = rest[:size], rest[size:]
        answer = forbids([*fixed, *kept, *remaining])
        if answer:
            rest = remaining
            size = max(1, min(size * 2, len(rest) // 2))
        elif size == 1:
            certain = certain and answer is False
            kept, rest = [*kept, *part], remaining
            size = max(1, min(2, len(rest) // 2))
        else:
            size //= 2
    return kept, certain
