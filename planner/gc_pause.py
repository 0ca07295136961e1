"""Garbage is collected less often while many objects are made that live as long as the work does.

Listing what units can do makes hundreds of thousands of objects, none of which is garbage before the end; every look of the
collector at all of them takes a good part of a second, in which no limit is kept. When the work is done, what is left is
known to be mostly no garbage: it counts as old from then on, without a look at it. That look would take a tenth of what a
question about a small position takes, and a fifth of listing where the units of a large one can go.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

YOUNG = 100_000
"""How many new objects the collector waits for."""

OLDER = 20
"""How many collections of the young, and then of the older, go by before those that are older still are looked at."""

ENOUGH = 5_000_000
"""How many objects grow old unseen until all are looked at, once: hundreds of questions about small positions."""

AT_ONCE = 10
"""How often, in one piece of work, so many new objects grow old at once, without a look at them: it isn't garbage yet."""

_lock = threading.Lock()
_before: list[tuple[int, int, int]] = []
_depth = 0
_unseen = 0
_passed = 0
_passing = False


@contextmanager
def seldom() -> Iterator[None]:
    """Let the collector wait longer, in all threads, until the last of those who want it so is done."""
    global _depth, _passed
    with _lock:
        if not _depth:
            _passed = 0
            gc.callbacks.append(_pass_over)
            _before[:] = [gc.get_threshold()]
            young = _before[0][0]
            gc.set_threshold(max(young, YOUNG) if young else 0, OLDER, OLDER)
        _depth += 1
    many = False
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if not _depth:
                gc.callbacks.remove(_pass_over)
                _pass_over("stop", {})  # a look that has begun in another thread tells nobody of its end any more
                many = _grow_old()
                gc.set_threshold(*_before[0])
        if many:
            gc.collect()


def _pass_over(phase: str, info: Mapping[str, int]) -> None:
    """Let the collector, which is about to look at the young ones, find none: they are out of its sight until it is done."""
    global _passed, _passing
    if phase == "stop":
        if _passing:
            gc.unfreeze()  # among the oldest
        _passing = False
    elif info["generation"] == 0 and _passed < AT_ONCE and not gc.get_freeze_count():
        gc.freeze()
        _passing, _passed = True, _passed + 1


def _grow_old() -> bool:
    """Let what is young be old, and tell whether so much has become so that it is time to look at all of it.

    That look takes a second where millions of objects are alive, and large pieces of work have time limits to keep: it waits
    for the end of a small one. Nothing is done where the collector rests, and where somebody has taken objects out of its
    sight for good: they would come back.
    """
    global _unseen
    if not gc.isenabled() or gc.get_freeze_count():
        return False
    young, middle, _ = gc.get_count()
    made = young + (middle + max(_passed - 1, 0)) * YOUNG  # whenever something is frozen, counts begin anew
    _unseen += made
    gc.freeze()
    gc.unfreeze()
    if _unseen <= ENOUGH or made > YOUNG:
        return False
    _unseen = 0
    return True
