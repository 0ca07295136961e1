"""Who stands where at one moment, and the situation that holds for a whole phase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING

from planner.notebook import Shown
from planner.world.board import NOTHING, Country
from planner.world.forces import Marker

if TYPE_CHECKING:
    from planner.world.barriers import Barrier
    from planner.world.declared_attack import DeclaredAttack, MadeAttack


@dataclass(frozen=True)
class Situation:
    """What holds for the whole phase.

    Attributes
    ----------
    phase : str
        One of the game's phases.
    phasing : str
        The side whose phase it is. Every other side is an enemy, but for its allies.
    weather : mapping from hex labels to weather
        Hexes without an entry have fair weather.
    flags : frozenset of str
        Anything else that is in force.
    markers : tuple of Marker
        Every marker, on the map and in the boxes of naval zones, as the phase begins.
    control : mapping from labels to sides
        Whose each place is as the phase begins; places without an entry are nobody's.
    supply_sources : mapping from sides to hex labels
        Where each side's supply lines end.
    countries : mapping from names to Country
        Every country and region.
    restrictions : mapping from rule ids to barriers
        What the scenario forbids beyond the rulebook, by the rule under which it does.
    orders : mapping from hex traits to numbers
        How many units may be ordered in each section of the board, in games with orders.
    turn : int or None
        The number of the turn, where a schedule asks for it.
    confidence : Fraction
        The probability from which on later moves may rely on a result that is rolled.
    margin : Fraction or None
        How much more strength of defenders' support each overrun must survive; None: all that is in range.
    contested : frozenset of str
        Places of which the objective asks whose they are in the end.
    allies : frozenset of str
        The sides that are no enemies of the phasing side; their units are friends who don't move.
    """

    phase: str
    phasing: str
    weather: Mapping[str, str] = field(default_factory=dict)
    flags: frozenset[str] = NOTHING
    markers: tuple[Marker, ...] = ()
    control: Mapping[str, str] = field(default_factory=dict)
    supply_sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    countries: Mapping[str, Country] = field(default_factory=dict)
    restrictions: Mapping[str, tuple[Barrier, ...]] = field(default_factory=dict)
    orders: Mapping[str, int] = field(default_factory=dict)
    confidence: Fraction = Fraction(1)
    turn: int | None = None
    margin: Fraction | None = Fraction(0)
    contested: frozenset[str] = NOTHING
    allies: frozenset[str] = NOTHING

    def befriends(self, side: str | None) -> bool:
        """Tell whether a side is the phasing side, or an ally of it; nobody is neither."""
        return side == self.phasing or side in self.allies

    def holder(self, label: str, position: Position) -> str | None:
        """Return whose a place is in a position of the phase: that of whoever took it last; None: nobody's."""
        if label in position.taken:
            return self.phasing
        return position.given.get(label, self.control.get(label))

    def holders(self, position: Position) -> dict[str, str]:
        """Return whose each place is in a position of the phase, but for those that are nobody's."""
        return {**self.control, **position.given, **dict.fromkeys(position.taken, self.phasing)}


@dataclass(frozen=True)
class Leg:
    """A unit's passage aboard a carrier.

    Attributes
    ----------
    unit : str
        The unit.
    step : int
        How many steps it has made in the phase when it lands.
    carriers : tuple of (zone, markers) pairs
        The ids of the markers that could carry it, for each zone that it may have crossed.
    linked : bool
        Whether it continues the leg before it, and so must cross another zone.
    """

    unit: str
    step: int
    carriers: tuple[tuple[str, tuple[str, ...]], ...]
    linked: bool = False


@dataclass(frozen=True)
class Stop:
    """Why a unit must end its move where it stands.

    Attributes
    ----------
    paragraph : str
        The printed paragraph.
    reason : str
        Why, to follow "must stop in w5425: ".
    step : int
        The step that brought the unit there.
    at : str
        The hex in which it must stop.
    enemies : tuple of str
        The enemies on whose account it must stop; empty if nothing can lift the stop.
    overrun_lifts : bool
        Whether an enemy that is overrun in the very next step doesn't count.
    any_overrun_lifts : bool
        Whether any overrun may be made in the very next step.
    lifted_by : frozenset of str
        Who would lift it by being left in the hex; known of moves that have been made alone.
    stays : bool
        Whether they must make no move afterwards.
    lifted_in : str
        The hex in which they stand, where it isn't that in which the unit must stop.
    """

    paragraph: str
    reason: str
    step: int
    at: str
    enemies: tuple[str, ...] = ()
    overrun_lifts: bool = False
    any_overrun_lifts: bool = False
    lifted_by: frozenset[str] = NOTHING
    stays: bool = False
    lifted_in: str = ""


@dataclass(frozen=True)
class UnitProgress:
    """How far a unit has got that may go on later in the phase.

    Attributes
    ----------
    spent : Fraction
        MP spent so far.
    steps : int
        How many steps it has made.
    stops : tuple of Stop
        What keeps it from moving on.
    way : str
        The id of the rule as whose step its last step was read; empty before the first.
    zones : tuple of str
        The naval zones that it may have crossed with it.
    tallies : tuple of (str, Fraction)
        What rules, by their ids, have added up of its steps.
    """

    spent: Fraction
    steps: int
    stops: tuple[Stop, ...] = ()
    way: str = ""
    zones: tuple[str, ...] = ()
    tallies: tuple[tuple[str, Fraction], ...] = ()


Remembered = tuple[frozenset[str], frozenset[str], int]
"""The places taken and the markers eliminated at one time, or how many changes had been noted by then."""


@dataclass(frozen=True)
class Reliance:
    """An EZOC that has been disregarded in this phase on account of friends of whom one must stay.

    Attributes
    ----------
    paragraph : str
        The printed paragraph.
    unit : str
        Who disregarded it.
    friends : frozenset of str
        Those on whose account it did, and of whom one at least stays for the rest of the phase; who has moved since isn't
        among them.
    rule : str
        The id of the rule by which they did.
    """

    paragraph: str
    unit: str
    friends: frozenset[str]
    rule: str


class Position(Shown):
    """Who stands where at one moment, what has been taken, and who has been carried.

    Parameters
    ----------
    at : mapping from unit ids to hex labels
        The units on the map.
    boxes : mapping from unit ids to box names, optional
        The units off the map: eliminated ones, and those waiting to arrive.

    Attributes
    ----------
    taken : dict from labels to None
        The places that the phasing side has taken in this phase, in the order in which it did.
    lost : set of str
        The ids of the markers that have been eliminated in this phase.
    legs : tuple of Leg
        Who has been carried in this phase.
    under_way : dict from unit ids to UnitProgress
        How far each unit has got that has moved in this phase.
    ways : set of str
        The ids of the rules as whose steps the steps of this phase were read.
    failed : set of str
        The hexes whose overrun has failed in this phase.
    used : set of str
        The units that have supported an overrun in this phase.
    committed : frozenset of frozenset of str
        Which enemies may be those whose support has kept overruns from succeeding in this phase.
    bogged : set of str
        The units that have bogged down in this phase.
    given : dict from labels to str
        The places that the enemy has taken, or retaken, in this phase, each with the side that did.
    demoralized : set of str
        The units, of both sides, that have been demoralized in this phase.
    in_hand : frozenset of str
        The units, all in one hex, whose move isn't over yet, since nobody else has moved after it.
    relied : tuple of Reliance
        The EZOCs that have been disregarded on account of friends who must stay, where those who do are remembered.
    attacked : tuple of MadeAttack
        The attacks that have been made after the moves, with their results and all who were attacked.
    declared : tuple of DeclaredAttack, or None
        The attacks that have been declared and are still to be rolled, where that is known; None: more may be declared.
    due : tuple of (tuple of str, tuple of str), or None
        The units that had to attack, and the enemies that had to be attacked, before the first of them; None: none has been
        made.
    lost_steps : dict from unit ids to int
        The steps that units have lost in this phase and stand all the same.
    entered : set of (str, str, str)
        The hexes that units have entered in this phase by steps of which a rule takes note: rule, hex and unit.
    """

    __slots__ = (
        "_by_hex",
        "_scenario",
        "at",
        "attacked",
        "bogged",
        "boxes",
        "committed",
        "declared",
        "demoralized",
        "due",
        "entered",
        "failed",
        "given",
        "in_hand",
        "legs",
        "lost",
        "lost_steps",
        "relied",
        "taken",
        "under_way",
        "used",
        "ways",
    )

    def __init__(self, at: Mapping[str, str], boxes: Mapping[str, str] | None = None) -> None:
        self.at: dict[str, str] = dict(at)
        self.boxes: dict[str, str] = dict(boxes or {})
        self.taken: dict[str, None] = {}
        self.lost: set[str] = set()
        self.legs: tuple[Leg, ...] = ()
        self.under_way: dict[str, UnitProgress] = {}
        self.ways: set[str] = set()
        self.failed: set[str] = set()
        self.used: set[str] = set()
        self.committed: frozenset[frozenset[str]] = frozenset([NOTHING])
        self.bogged: set[str] = set()
        self.demoralized: set[str] = set()
        self.given: dict[str, str] = {}
        self.in_hand = NOTHING
        self.relied: tuple[Reliance, ...] = ()
        self.attacked: tuple[MadeAttack, ...] = ()
        self.declared: tuple[DeclaredAttack, ...] | None = None
        self.due: tuple[tuple[str, ...], tuple[str, ...]] | None = None
        self.lost_steps: dict[str, int] = {}
        self.entered: set[tuple[str, str, str]] = set()
        self._by_hex: dict[str, tuple[str, ...]] = {}
        for unit, label in self.at.items():
            self._by_hex[label] = (*self._by_hex.get(label, ()), unit)

    def copy(self) -> Position:
        """Return a position that can be changed without changing this one."""
        twin = Position.__new__(Position)
        twin.at, twin.boxes, twin._by_hex = self.at.copy(), self.boxes.copy(), self._by_hex.copy()
        twin.taken, twin.lost, twin.legs = self.taken.copy(), self.lost.copy(), self.legs
        twin.under_way, twin.ways = self.under_way.copy(), self.ways.copy()
        twin.failed, twin.used, twin.bogged = self.failed.copy(), self.used.copy(), self.bogged.copy()
        twin.demoralized, twin.given, twin.committed = self.demoralized.copy(), self.given.copy(), self.committed
        twin.in_hand, twin.relied = self.in_hand, self.relied
        twin.attacked, twin.due, twin.lost_steps = self.attacked, self.due, self.lost_steps.copy()
        twin.entered = self.entered.copy()
        twin.declared = self.declared
        return twin

    def with_further_progress(self) -> Position:
        """Return a position in which it may change who has got how far, and in which ways; the rest is this one's."""
        twin = Position.__new__(Position)
        twin.at, twin.boxes, twin._by_hex, twin.taken = self.at, self.boxes, self._by_hex, self.taken
        twin.lost, twin.legs, twin.failed, twin.used = self.lost, self.legs, self.failed, self.used
        twin.bogged, twin.demoralized, twin.given = self.bogged, self.demoralized, self.given
        twin.committed, twin.in_hand, twin.relied = self.committed, self.in_hand, self.relied
        twin.attacked, twin.due, twin.declared = self.attacked, self.due, self.declared
        twin.lost_steps, twin.entered = self.lost_steps, self.entered
        twin.under_way, twin.ways = self.under_way.copy(), self.ways.copy()
        return twin

    @property
    def attacking(self) -> bool:
        """Whether attacks have been declared or made, so that nobody moves any more."""
        return bool(self.attacked) or self.declared is not None

    @property
    def crowds(self) -> frozenset[str]:
        """The hexes into which several units have retreated together after an attack, where they may crowd."""
        return frozenset(label for attack in self.attacked for label in attack.crowds) if self.attacked else NOTHING

    @property
    def key(self) -> tuple[object, ...]:
        """All that what comes later in the phase can depend on: alike in positions after which the same may happen."""
        return (
            frozenset(self.at.items()),
            frozenset(
                (u, one.spent, one.steps, one.stops, one.way, one.zones, one.tallies)
                for u, one in self.under_way.items()
            ),
            self.in_hand,
            frozenset(self.taken),
            *self.happened,
        )

    @property
    def happened(self) -> tuple[object, ...]:
        """What of `key` isn't about where units stand, how far they have got, and what they have taken."""
        return (
            frozenset(self.lost),
            frozenset(self.given.items()),
            frozenset(self.failed),
            frozenset(self.used),
            frozenset(self.bogged),
            frozenset(self.demoralized),
            frozenset(self.ways),
            frozenset(self.entered),
            self.legs,
            self.committed,
            frozenset(self.relied),
            frozenset(self.attacked),
            self.declared if self.declared is None else frozenset(self.declared),
            self.due,  # of who attacked first, and is gone, nothing else tells where he stood
            frozenset(self.lost_steps.items()),
        )

    def remembered(self) -> Remembered:
        """Return what `news_since` takes to tell later what has been taken, and which markers eliminated, since now."""
        return frozenset(self.taken), frozenset(self.lost), 0

    def news_since(self, then: Remembered) -> tuple[list[str], set[str]]:
        """Return the places that have been taken since, in the order in which they were, and the markers eliminated."""
        return [label for label in self.taken if label not in then[0]], self.lost - then[1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and all(
            getattr(self, name) == getattr(other, name)
            for name in self.__slots__
            if name not in ("_by_hex", "_scenario", "in_hand", "under_way", "ways")
        )

    __hash__ = None  # type: ignore[assignment]  # positions change

    def __repr__(self) -> str:
        return f"Position({self.at!r}, {self.boxes!r})"

    def units_in(self, label: str) -> tuple[str, ...]:
        """Return the ids of the units in a hex, in the order in which they came."""
        return self._by_hex.get(label, ())

    def units_but(self, label: str, those: frozenset[str]) -> tuple[str, ...]:
        """Return those of the units in a hex that aren't among some, such as all who are no friends."""
        units = self._by_hex.get(label)
        return tuple([unit for unit in units if unit not in those]) if units else ()

    def units_beside(self, labels: Iterable[str], those: frozenset[str]) -> list[tuple[str, str]]:
        """Return the units in some hexes that aren't among some, such as all who are no friends: pairs of hex and unit."""
        by_hex = self._by_hex
        return [(label, unit) for label in labels if label in by_hex for unit in by_hex[label] if unit not in those]

    def occupied(self) -> Iterable[str]:
        """Return the labels of all hexes that hold a unit."""
        return self._by_hex.keys()

    def stacks_besides(self, known: Mapping[str, tuple[str, ...]]) -> list[tuple[str, tuple[str, ...]]]:
        """Return the hexes that hold units, with these, but for stacks that are known: copies share them."""
        by_hex = self._by_hex
        others = compress(by_hex, map(is_not, by_hex.values(), map(known.get, by_hex)))  # a third of a loop's time
        return [(label, by_hex[label]) for label in others]

    def move(self, unit: str, to: str) -> None:
        """Put a unit into a hex, from another one or from off the map."""
        if self.boxes.pop(unit, None) is None:
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


@dataclass(frozen=True)
class Begun:
    """What has been done in a phase before the position that is asked about.

    Attributes
    ----------
    origins : mapping from unit ids to hex labels
        Where the units on the map stood when the phase began.
    position : Position
        Who stands where now, with all that the rules remember.
    traits : mapping from unit ids to traits
        The traits that units have come to in the phase.
    markers : tuple of (int, Marker)
        The markers that have been eliminated, with their places among all.
    held : mapping from labels to sides
        Whose places were that have changed hands; None: nobody's.
    """

    origins: Mapping[str, str]
    position: Position
    traits: Mapping[str, frozenset[str]] = field(default_factory=dict)
    markers: tuple[tuple[int, Marker], ...] = ()
    held: Mapping[str, str | None] = field(default_factory=dict)

    def situation_before(self, situation: Situation) -> Situation:
        """Return the situation as the phase began."""
        markers = list(situation.markers)
        for index, marker in self.markers:
            markers.insert(index, marker)
        control = {**situation.control, **self.held}
        return replace(
            situation,
            markers=tuple(markers),
            control={label: side for label, side in control.items() if side is not None},
        )
