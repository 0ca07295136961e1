"""What has been worked out for one position and may serve the next question, about it or about one that is like it."""

from __future__ import annotations

import threading
from typing import Protocol, TypeVar


class Kept(Protocol):
    """Something that is kept for later questions."""

    @property
    def size(self) -> int:
        """About how many objects it holds by now."""


T = TypeVar("T", bound=Kept)

MOST_KEPT = 4
"""How many things are kept of a kind."""

MOST_OBJECTS = 150_000
"""How many objects may be kept, all kinds together: some 60 MB."""


class Memory:
    """What questions about a position, and about those made of it, have worked out: little, for no longer than these live.

    Nothing depends on it but how long an answer takes. It may be asked, and told, from several threads at once; what is kept
    must stand that.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[Kept] = []

    def of(self, kind: type[T]) -> tuple[T, ...]:
        """Return what is kept of a kind, what has been used last first."""
        with self._lock:
            return tuple(one for one in self._kept if isinstance(one, kind))

    def keep(self, thing: Kept) -> None:
        """Keep something, as what has been used last; what hasn't been used for longest goes where there is too much."""
        with self._lock:
            kept = [thing, *(one for one in self._kept if one is not thing)]
            alike = [one for one in kept if type(one) is type(thing)]
            room, self._kept = MOST_OBJECTS, []
            for one in kept:
                room -= one.size
                if one is thing or (room >= 0 and one not in alike[MOST_KEPT:]):
                    self._kept.append(one)

    def forget(self, thing: Kept) -> None:
        """Keep something no longer."""
        with self._lock:
            self._kept = [one for one in self._kept if one is not thing]

    def __deepcopy__(self, memo: object) -> Memory:
        return Memory()

    def __reduce__(self) -> tuple[type[Memory], tuple[()]]:
        return Memory, ()
