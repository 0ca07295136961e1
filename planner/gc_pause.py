"""Garbage is collected less often while many objects are made that live as long as the work does.

Listing what units can do makes hundreds of thousands of objects, none of which is garbage before the end; every look of the
collector at all of them takes a good part of a second, in which no limit is kept.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 100_000
"""How many new objects the collector waits for."""

OLDER = 20
"""How many collections of the young, and then of the older, go by before those that are older still are looked at."""

_lock = threading.Lock()
_before: list[tuple[int, int, int]] = []
_depth = 0


@contextmanager
def seldom() -> Iterator[None]:
    """Let the collector wait longer, in all threads, until the last of those who want it so is done."""
    global _depth
    with _lock:
        if not _depth:
            _before[:] = [gc.get_threshold()]
            young = _before[0][0]
            gc.set_threshold(max(young, YOUNG) if young else 0, OLDER, OLDER)
        _depth += 1
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if not _depth:
                gc.set_threshold(*_before[0])
