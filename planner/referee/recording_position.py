"""Positions that note what is looked at and what is changed, so that a move is played once for all that comes to the same.

In most of a plan's outcomes a move looks at the same units in the same hexes as in another one: what fails elsewhere is
nothing to it. Whatever it looked at, at all, is noted while it is played; where all of that is the same again, so is
everything that it does, and what it has changed is changed once more.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, MutableMapping, MutableSet, Sequence
from typing import Generic, TypeVar

from planner.world.position import Leg, Position

T = TypeVar("T")

MAPPINGS = ("at", "boxes", "under_way", "taken", "_by_hex")
SETS = ("lost", "ways", "failed", "used", "bogged", "demoralized", "given", "entered")
MISSING = object()
"""In place of the value of a key that isn't there."""
WHOLE = object()
"""In place of a key: all of it has been looked at."""

Look = tuple[str, object]
"""What has been looked at: the name of a part of the position, and a key or `WHOLE`."""
Change = tuple[str, object, object]
"""What has been changed: the name of a part, a key, and its new value, `MISSING` where it is gone."""


class _Log:
    def __init__(self) -> None:
        self.looks: dict[Look, None] = {}
        self.changes: list[Change] = []


class _RecordingMapping(MutableMapping[str, object]):
    """A copy of a part of a position that is a mapping."""

    def __init__(self, name: str, known: Mapping[str, object], log: _Log) -> None:
        self._name, self._known, self._log = name, dict(known), log

    def __getitem__(self, key: str) -> object:
        self._log.looks[self._name, key] = None
        return self._known[key]

    def __contains__(self, key: object) -> bool:
        self._log.looks[self._name, key] = None
        return key in self._known

    def __setitem__(self, key: str, value: object) -> None:
        self._known[key] = value
        self._log.changes.append((self._name, key, value))

    def __delitem__(self, key: str) -> None:
        self._log.looks[self._name, key] = None
        del self._known[key]
        self._log.changes.append((self._name, key, MISSING))

    def __iter__(self) -> Iterator[str]:
        self._log.looks[self._name, WHOLE] = None
        return iter(self._known)

    def __len__(self) -> int:
        self._log.looks[self._name, WHOLE] = None
        return len(self._known)

    def copy(self) -> dict[str, object]:
        """Return a plain copy."""
        return dict(self)


class _RecordingSet(MutableSet[object]):
    """A copy of a part of a position that is a set."""

    def __init__(self, name: str, known: Iterable[object], log: _Log) -> None:
        self._name, self._known, self._log = name, set(known), log

    @classmethod
    def _from_iterable(cls, it: Iterable[T]) -> set[T]:
        return set(it)

    def __contains__(self, key: object) -> bool:
        self._log.looks[self._name, key] = None
        return key in self._known

    def __iter__(self) -> Iterator[object]:
        self._log.looks[self._name, WHOLE] = None
        return iter(self._known)

    def __len__(self) -> int:
        self._log.looks[self._name, WHOLE] = None
        return len(self._known)

    def add(self, value: object) -> None:
        """Add an element."""
        self._known.add(value)
        self._log.changes.append((self._name, value, True))

    def discard(self, value: object) -> None:
        """Remove an element, if it is there."""
        self._known.discard(value)
        self._log.changes.append((self._name, value, MISSING))

    def update(self, *others: Iterable[object]) -> None:
        """Add the elements of others."""
        for other in others:
            for value in other:
                self.add(value)

    def copy(self) -> set[object]:
        """Return a plain copy."""
        return set(self)


class RecordingPosition(Position):
    """A copy of a position that notes what is looked at and what is changed.

    Parameters
    ----------
    position : Position
        The position; left as it is.

    Attributes
    ----------
    log : _Log
        What has been looked at, and what has been changed, in the order in which it was.
    """

    def __init__(self, position: Position) -> None:
        self.log = _Log()
        for name in MAPPINGS:
            setattr(self, name, _RecordingMapping(name, getattr(position, name), self.log))
        for name in SETS:
            setattr(self, name, _RecordingSet(name, getattr(position, name), self.log))
        self._legs, self._committed = position.legs, position.committed
        self.in_hand, self.relied = None, position.relied  # who has been relied on is the same in all that comes
        self.attacked, self.due, self.lost_steps = position.attacked, position.due, position.lost_steps  # likewise
        self.declared = position.declared

    @property
    def legs(self) -> tuple[Leg, ...]:
        """Who has been carried in this phase."""
        self.log.looks["legs", WHOLE] = None
        return self._legs

    @legs.setter
    def legs(self, legs: tuple[Leg, ...]) -> None:
        self._legs = legs
        self.log.changes.append(("legs", WHOLE, legs))

    @property
    def committed(self) -> frozenset[frozenset[str]]:
        """Which enemies may be those that have supported defenders."""
        self.log.looks["committed", WHOLE] = None
        return self._committed

    @committed.setter
    def committed(self, committed: frozenset[frozenset[str]]) -> None:
        self._committed = committed
        self.log.changes.append(("committed", WHOLE, committed))


def seen(position: Position, looks: Iterable[Look]) -> list[object]:
    """Return what would be seen in a position by looks at it."""
    found: list[object] = []
    for name, key in looks:
        part = getattr(position, name)
        if key is WHOLE:
            # What is taken, and who has moved, is kept in the order in which it was.
            found.append([*part.items()] if isinstance(part, dict) else part if name == "legs" else frozenset(part))
        elif isinstance(part, dict):
            found.append(part.get(key, MISSING))
        else:
            found.append(key in part)
    return found


def change(position: Position, changes: Sequence[Change]) -> None:
    """Change a position as it has been noted of another one."""
    for name, key, value in changes:
        if key is WHOLE:
            setattr(position, name, value)
            continue
        part = getattr(position, name)
        if isinstance(part, dict):
            if value is MISSING:
                del part[key]
            else:
                part[key] = value
        elif value is MISSING:
            part.discard(key)
        else:
            part.add(key)


class Memory(Generic[T]):
    """What has been done in positions, for whoever does it again where all that it looks at is the same."""

    def __init__(self) -> None:
        self._known: dict[Hashable, dict[tuple[Look, ...], list[tuple[list[object], T, list[Change]]]]] = {}

    def do(self, key: Hashable, position: Position, act: Callable[[Position], T]) -> tuple[Position, T]:
        """Do something in a copy of a position; return the copy, and what the act returns.

        Parameters
        ----------
        key : hashable
            What is done; the same key must do the same in positions that look the same.
        position : Position
            The position; left as it is.
        act : callable
            Does it. Depends on nothing but what it looks at in the position that it gets, and changes nothing else.
        """
        if position.in_hand is not None:  # what goes on depends on all that it went through
            after = position.copy()
            return after, act(after)
        known = self._known.setdefault(key, {})
        for looks, cases in known.items():
            here = seen(position, looks)
            for there, result, changes in cases:
                if here == there:
                    after = position.copy()
                    change(after, changes)
                    return after, result
        recording = RecordingPosition(position)
        result = act(recording)
        looks = tuple(recording.log.looks)
        changes = recording.log.changes
        known.setdefault(looks, []).append((seen(position, looks), result, changes))
        after = position.copy()
        change(after, changes)
        return after, result
