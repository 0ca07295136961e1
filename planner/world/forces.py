"""Sides, units and markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from planner.world.board import NOTHING

Measure = Literal["units", "size", "steps", "strength"]
"""What limits of stacking count: units, their size, their steps or their defense strength."""


def sides_of(values: str, steps: int | None = None) -> tuple[list[str], int]:
    """Return the values of each side of a counter, the strongest first, and the index of the one that is up.

    Parameters
    ----------
    values : str
        The printed values: of one side, or of several with commas between them, each of which has a step less.
    steps : int, optional
        The steps that the unit has; by default all.
    """
    sides = [side.strip() for side in values.split(",")]
    return sides, 0 if steps is None else max(len(sides) - steps, 0)


@dataclass(frozen=True)
class Unit:
    """A unit as its counter shows it; where it stands is the position's affair.

    Attributes
    ----------
    id : str
        By which plans and verdicts call it; unique in the scenario.
    name : str
        What players call it.
    side : str
        One of the game's sides.
    type : str
        One of the game's unit types.
    traits : frozenset of str
        Those of the type and its own.
    nationalities : tuple of str
        Of the game's nationalities: one, several of a multi-national unit, or none.
    nationality_traits : frozenset of str
        Those that its nationalities have in the game.
    steps : int
        At least 1.
    attack, defense : Fraction
        Combat strengths.
    ma : Fraction
        Movement allowance in MP, as it is in this phase; 0 for a unit that never moves.
    printed_ma : Fraction or None
        The one on the counter; None: the same.
    supplied : bool or None
        Whether it is supplied. None: of a phasing unit its supply line decides, an enemy counts as supplied.
    support_range : int or None
        How far its support reaches, in hexes; None where the game's chart decides.
    size : Fraction
        What it counts towards stacking limits by size.
    arrives : tuple of (int, str), or None
        The turn and the hex in which it enters as a reinforcement.
    steps_made : tuple of (str, Fraction)
        How many steps it has made in earlier phases of the turn that rules, by their ids, limit in a turn.
    allied : bool
        Whether it belongs to an ally of the phasing side: a friend who doesn't move.
    """

    id: str
    name: str
    side: str
    type: str
    traits: frozenset[str] = NOTHING
    nationalities: tuple[str, ...] = ()
    nationality_traits: frozenset[str] = NOTHING
    steps: int = 1
    attack: Fraction = Fraction(0)
    defense: Fraction = Fraction(0)
    ma: Fraction = Fraction(0)
    printed_ma: Fraction | None = None
    supplied: bool | None = None
    support_range: int | None = None
    size: Fraction = Fraction(1)
    arrives: tuple[int, str] | None = None
    steps_made: tuple[tuple[str, Fraction], ...] = ()
    allied: bool = False

    def counts(self, measure: Measure) -> Fraction:
        """Return what the unit counts towards a limit of stacking."""
        if measure == "size":
            return self.size
        if measure == "strength":
            return self.defense
        return Fraction(self.steps if measure == "steps" else 1)


@dataclass(frozen=True)
class Marker:
    """A marker; markers don't move by themselves.

    Attributes
    ----------
    type : str
        One of the game's marker types.
    side : str
        One of the game's sides.
    at : str
        The label of its place; empty for a marker of a naval zone.
    traits : frozenset of str
        Those of the type.
    id : str
        By which plans and verdicts call it; unique in the scenario.
    nationality : str
        One of the game's nationalities, or empty.
    facing : str
        The neighbouring hex towards which it faces, or empty.
    zone : str
        The naval zone in whose box it is, or empty.
    used : bool
        Whether it has been used up for this phase.
    capacity : int
        How many units it carries in a phase.
    """

    type: str
    side: str
    at: str
    traits: frozenset[str] = NOTHING
    id: str = ""
    nationality: str = ""
    facing: str = ""
    zone: str = ""
    used: bool = False
    capacity: int = 1

    @property
    def berths(self) -> tuple[str, ...]:
        """What it has room for, one by one: its id, or its id with numbers where it carries several units."""
        if self.capacity == 1:
            return (self.id,)
        return tuple(f"{self.id} {number}" for number in range(1, self.capacity + 1))


def carrier_of(berth: str) -> str:
    """Return the id of the marker to which a berth belongs."""
    return berth.partition(" ")[0]


ORDERS = "orders"
"""What stands for a zone where units take orders of sections, "order left 0", as others take berths of carriers."""


def one_left(berths: Sequence[str], zone: str) -> str:
    """Return that one of some berths were left for a passage of a zone, or one of some orders, to follow "if"."""
    if zone == ORDERS and all(berth.startswith("order ") for berth in berths):
        sections = dict.fromkeys(berth.split(" ")[1] for berth in berths)
        return f"an order were left in the {' or '.join(sections)} section"
    return f"{' or '.join(dict.fromkeys(map(carrier_of, berths)))} were left to carry it across {zone}"
