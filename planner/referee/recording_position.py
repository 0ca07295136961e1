"""Positions that note what is looked at and what is changed, so that a move is played once for all that comes to the same.

In most of a plan's outcomes a move looks at the same units in the same hexes as in another one: what fails elsewhere is
nothing to it. Whatever it looked at, at all, is noted while it is played; where all of that is the same again, so is
everything that it does, and what it has changed is changed once more.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, MutableMapping, MutableSet, Sequence
from typing import Generic, TypeVar

from planner.world.board import NOTHING
from planner.world.position import Position, Remembered

T = TypeVar("T")

MAPPINGS = ("at", "boxes", "under_way", "taken", "given", "_by_hex")
SETS = ("lost", "ways", "failed", "used", "bogged", "demoralized", "entered")
WHOLES = ("legs", "committed", "relied", "attacked", "declared", "due", "lost_steps")
"""What is looked at, and changed, as a whole."""
OTHERS = "others"
"""In place of the name of a part: the units in a hex but for some, both of which are the key."""
MOVED, REMOVED = "move", "remove"
"""In place of the name of a part: a unit has been put somewhere, whoever else stands there."""


class _Mark:
    """Something that is told apart by its identity, which copies and pickles keep."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __reduce__(self) -> str:
        return self._name


MISSING = _Mark("MISSING")
"""In place of the value of a key that isn't there."""
WHOLE = _Mark("WHOLE")
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
    """A part of a position that is a mapping."""

    def __init__(self, name: str, known: dict[str, object], log: _Log) -> None:
        self._name, self._known, self._log = name, known, log

    def __getitem__(self, key: str) -> object:
        self._log.looks[self._name, key] = None
        return self._known[key]

    def get(self, key: str, default: object = None) -> object:
        """Return what stands under a key, or something else."""
        self._log.looks[self._name, key] = None
        return self._known.get(key, default)

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
    """A part of a position that is a set."""

    def __init__(self, name: str, known: set[object], log: _Log) -> None:
        self._name, self._known, self._log = name, known, log

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
    before : sequence of Change
        What has been changed since: it is so in the copy, and isn't noted once more.

    Attributes
    ----------
    log : _Log
        What has been looked at, and what has been changed, in the order in which it was.
    """

    def __init__(self, position: Position, before: Sequence[Change] = ()) -> None:
        self.log = _Log()
        self._first, self._before = position, before
        self._now = position.copy()
        change(self._now, before)
        self.in_hand = NOTHING

    def __getattr__(self, name: str) -> object:
        """Make a part that is looked at for the first time: most are never."""
        part: object
        if name in MAPPINGS:
            part = _RecordingMapping(name, getattr(self._now, name), self.log)
        elif name in SETS:
            part = _RecordingSet(name, getattr(self._now, name), self.log)
        else:
            raise AttributeError(name)
        setattr(self, name, part)
        return part

    def units_but(self, label: str, those: frozenset[str]) -> tuple[str, ...]:
        """Return those of the units in a hex that aren't among some, without a look at these."""
        self.log.looks[OTHERS, (label, those)] = None
        return self._now.units_but(label, those)

    def units_beside(self, labels: Iterable[str], those: frozenset[str]) -> list[tuple[str, str]]:
        """Return the units in some hexes that aren't among some, without a look at these."""
        labels = tuple(labels)
        self.log.looks.update(dict.fromkeys((OTHERS, (label, those)) for label in labels))
        return self._now.units_beside(labels, those)

    def move(self, unit: str, to: str) -> None:
        """Put a unit into a hex, from another one or from off the map; who else stands in either is no matter."""
        self._leaving(unit)
        self._now.move(unit, to)
        self.log.changes.append((MOVED, unit, to))

    def remove(self, unit: str, box: str) -> None:
        """Take a unit off the map and put it into a box."""
        self._leaving(unit)
        self._now.remove(unit, box)
        self.log.changes.append((REMOVED, unit, box))

    def _leaving(self, unit: str) -> None:
        self.log.looks["at", unit] = self.log.looks["boxes", unit] = None

    def remembered(self) -> Remembered:
        """Return how many changes have been noted up to now."""
        return frozenset(), frozenset(), len(self._before) + len(self.log.changes)

    def news_since(self, then: Remembered) -> tuple[list[str], set[str]]:
        """Return what has been taken and eliminated since, without a look at what had been before."""
        changes = [*self._before, *self.log.changes]
        taken: dict[str, None] = {}
        lost: set[str] = set()
        for name, key, value in changes[then[2] :]:
            if name == "taken" and isinstance(key, str):
                taken.pop(key, None)
                if value is not MISSING:
                    taken[key] = None
            elif name == "lost" and isinstance(key, str):
                lost.add(key)
        return [one for one in taken if not self._had("taken", one, then[2])], {
            one for one in lost if one in self.lost and not self._had("lost", one, then[2])
        }

    def _had(self, name: str, key: str, then: int) -> bool:
        """Tell whether something was so when so many changes had been noted."""
        self.log.looks[name, key] = None
        had = key in getattr(self._first, name)
        for part, one, value in [*self._before, *self.log.changes][:then]:
            if (part, one) == (name, key):
                had = value is not MISSING
        return had


def _whole(name: str) -> property:
    """Return the property of a part that is looked at, and changed, as a whole."""

    def look(position: RecordingPosition) -> object:
        position.log.looks[name, WHOLE] = None
        return getattr(position._now, name)

    def put(position: RecordingPosition, value: object) -> None:
        setattr(position._now, name, value)
        position.log.changes.append((name, WHOLE, value))

    return property(look, put)


for _name in WHOLES:
    setattr(RecordingPosition, _name, _whole(_name))


class Sight:
    """What has been looked at in a position, and what was seen there.

    Parameters
    ----------
    position : Position
        The position.
    looks : iterable of Look
        What has been looked at.

    Attributes
    ----------
    looks : frozenset of Look
        The same; of units in a hex but for some, all units in it.
    """

    __slots__ = ("_contained", "_got", "_last", "_others", "_wholes", "looks")

    def __init__(self, position: Position, looks: Iterable[Look]) -> None:
        keys: dict[str, list[object]] = {}
        for name, key in looks:
            keys.setdefault(name, []).append(key)
        others = keys.pop(OTHERS, ())
        self._others = [(*key, position.units_but(*key)) for key in others]  # type: ignore[misc]
        self._wholes = [((name, WHOLE), seen(position, [(name, WHOLE)])) for name in keys if WHOLE in keys[name]]
        self._got: list[tuple[str, list[object], list[object]]] = []
        self._contained: list[tuple[str, list[object], list[object]]] = []
        for name, some in keys.items():
            if WHOLE in some:
                continue
            part = getattr(position, name)
            if name in SETS or name == "taken":  # of what is taken, too, all that counts is whether it is there
                self._contained.append((name, some, [*map(part.__contains__, some)]))
            else:
                self._got.append((name, some, [*map(part.get, some)]))
        self.looks = frozenset([(name, key) for name, some in keys.items() for key in some]).union(
            [("_by_hex", label) for label, _, _ in self._others]
        )
        self._last = position

    def place_of(self, unit: str) -> object:
        """Return where a unit that was looked at stood; None for nowhere."""
        for name, keys, values in self._got:
            if name == "at" and unit in keys:
                return values[keys.index(unit)]
        return next((dict(there).get(unit) for look, there in self._wholes if look == ("at", WHOLE)), None)  # type: ignore

    def is_the_same_in(self, here: Vantage) -> bool:
        """Tell whether the same would be seen in another position, by what has changed since it was last seen."""
        last = self._last
        if last is not here.position:
            if not self.looks.isdisjoint(here.news_since(last)) and not self.is_seen_in(here.position):
                return False
            self._last = here.position
        return True

    def is_seen_in(self, position: Position) -> bool:
        """Tell whether the same would be seen in another position, by looks at all of it."""
        for name, keys, values in self._got:
            if [*map(getattr(position, name).get, keys)] != values:
                return False
        occupied = position.occupied()
        for label, those, there in self._others:
            if (position.units_but(label, those) if label in occupied else ()) != there:
                return False
        for name, keys, values in self._contained:
            if [*map(getattr(position, name).__contains__, keys)] != values:
                return False
        return all(seen(position, [look]) == there for look, there in self._wholes)


class Vantage:
    """A position that won't change, from which is told what is new since others.

    Parameters
    ----------
    position : Position
        The position.
    """

    __slots__ = ("_news", "position")

    def __init__(self, position: Position) -> None:
        self.position = position
        # By the identity of the others, which are kept with it, so that it stays theirs.
        self._news: dict[int, tuple[Position, frozenset[Look]]] = {}

    def news_since(self, other: Position) -> frozenset[Look]:
        """Return all looks that may see something else here than in another position."""
        known = self._news.get(id(other))
        if known is None:
            known = self._news[id(other)] = other, frozenset(_differences(other, self.position))
        return known[1]


def _differences(one: Position, other: Position) -> Iterator[Look]:
    """Yield all looks by which two positions may be told apart."""
    for name in MAPPINGS:
        mine, yours = getattr(one, name), getattr(other, name)
        if mine != yours:
            keys = mine.keys() | yours.keys()  # of what is taken, all that there is to see is whether it is there
            yield from ((name, key) for key in keys if mine.get(key, MISSING) != yours.get(key, MISSING))
            yield name, WHOLE
        elif [*mine] != [*yours]:
            yield name, WHOLE
    for name in SETS:
        changed = getattr(one, name) ^ getattr(other, name)
        if changed:
            yield from ((name, key) for key in changed)
            yield name, WHOLE
    for name in WHOLES:
        if getattr(one, name) != getattr(other, name):
            yield name, WHOLE


def seen(position: Position, looks: Iterable[Look]) -> list[object]:
    """Return what would be seen in a position by looks at it."""
    found: list[object] = []
    for name, key in looks:
        if name is OTHERS:
            found.append(position.units_but(*key))  # type: ignore[misc]
            continue
        part = getattr(position, name)
        if key is WHOLE:
            # What is taken, and who has moved, is kept in the order in which it was.
            found.append(part if name in WHOLES else [*part.items()] if isinstance(part, dict) else frozenset(part))
        elif isinstance(part, dict):
            found.append(part.get(key, MISSING))
        else:
            found.append(key in part)
    return found


def change(position: Position, changes: Sequence[Change]) -> None:
    """Change a position as it has been noted of another one."""
    for name, key, value in changes:
        if name == MOVED:
            position.move(key, value)  # type: ignore[arg-type]
            continue
        if name == REMOVED:
            position.remove(key, value)  # type: ignore[arg-type]
            continue
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


def without_stops_between(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Return changes that come to the same, in which each unit is put at once where it is put in the end.

    What is noted again at each step, such as which ways have been used, is noted once.
    """
    last = {(name, key): index for index, (name, key, _) in enumerate(changes) if name is MOVED or name in SETS}
    return tuple(one for index, one in enumerate(changes) if last.get(one[:2], index) == index)


class SightMemory(Generic[T]):
    """What has been done in positions, for whoever does it again where all that it looks at is the same."""

    def __init__(self) -> None:
        self._known: dict[Hashable, list[tuple[Sight, T, tuple[Change, ...]]]] = {}

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
        if position.in_hand:  # whose move it is isn't among what is noted as looked at
            after = position.copy()
            return after, act(after)
        _, result, changes = self.done(key, position, act)
        after = position.copy()
        change(after, changes)
        return after, result

    def done(
        self, key: Hashable, position: Position, act: Callable[[Position], T]
    ) -> tuple[Sight, T, tuple[Change, ...]]:
        """Return what doing something looks at, comes to and changes; parameters as for `do`, but no move is in hand."""
        known = self._known.setdefault(key, [])
        found = next((one for one in known if one[0].is_seen_in(position)), None)
        if found is None:
            recording = RecordingPosition(position)
            result = act(recording)
            found = Sight(position, recording.log.looks), result, without_stops_between(recording.log.changes)
            known.append(found)
        return found
