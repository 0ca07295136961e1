"""Who stands where at one moment, and the situation that holds for a whole phase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from planner.board import NOTHING
from planner.forces import Marker


@dataclass(frozen=True)
class Situation:
    """What holds for the whole phase.

    Attributes
    ----------
    phase : str
        One of the game's phases.
    phasing : str
        The side whose phase it is. Every other side is an enemy.
    weather : mapping from hex labels to weather
        Hexes without an entry have fair weather.
    flags : frozenset of str
        Anything else that is in force.
    markers : tuple of Marker
        Every marker on the map.
    supply_sources : mapping from sides to hex labels
        Where each side's supply lines end.
    """

    phase: str
    phasing: str
    weather: Mapping[str, str] = field(default_factory=dict)
    flags: frozenset[str] = NOTHING
    markers: tuple[Marker, ...] = ()
    supply_sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Position:
    """Who stands where at one moment.

    Parameters
    ----------
    at : mapping from unit ids to hex labels
        The units on the map.
    boxes : mapping from unit ids to box names, optional
        The units off the map: eliminated ones, and those waiting to arrive.
    """

    __slots__ = ("_by_hex", "at", "boxes")

    def __init__(self, at: Mapping[str, str], boxes: Mapping[str, str] | None = None) -> None:
        self.at: dict[str, str] = dict(at)
        self.boxes: dict[str, str] = dict(boxes or {})
        self._by_hex: dict[str, tuple[str, ...]] = {}
        for unit, label in self.at.items():
            self._by_hex[label] = (*self._by_hex.get(label, ()), unit)

    def copy(self) -> Position:
        """Return a position that can be changed without changing this one."""
        twin = Position.__new__(Position)
        twin.at, twin.boxes, twin._by_hex = self.at.copy(), self.boxes.copy(), self._by_hex.copy()
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.at == other.at and self.boxes == other.boxes

    __hash__ = None  # type: ignore[assignment]  # positions change

    def __repr__(self) -> str:
        return f"Position({self.at!r}, {self.boxes!r})"

    def units_in(self, label: str) -> tuple[str, ...]:
        """Return the ids of the units in a hex, in the order in which they came."""
        return self._by_hex.get(label, ())

    def occupied(self) -> Iterable[str]:
        """Return the labels of all hexes that hold a unit."""
        return self._by_hex.keys()

    def move(self, unit: str, to: str) -> None:
        """Put a unit of the map into a hex."""
        self._take(unit)
        self.at[unit] = to
        self._by_hex[to] = (*self._by_hex.get(to, ()), unit)

    def remove(self, unit: str, box: str) -> None:
        """Take a unit off the map and put it into a box."""
        self._take(unit)
        self.boxes[unit] = box

    def _take(self, unit: str) -> None:
        label = self.at.pop(unit)
        left = tuple(other for other in self._by_hex[label] if other != unit)
        if left:
            self._by_hex[label] = left
        else:
            del self._by_hex[label]
