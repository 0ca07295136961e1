"""What steps may depend on, one thing at a time: atoms such as "this enemy is gone when I come"."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol, Self

from planner.world.forces import Measure, one_left


class View(Protocol):
    """What an atom asks about the moment when a unit is to move."""

    def is_gone(self, enemy: str) -> bool:
        """Tell whether an enemy unit or marker is off the map, or a place taken."""

    def is_friend_in(self, hex: str, group: str, stays: bool = False, unmoved: bool = False) -> bool:
        """Tell whether another of a group stands in a hex; `stays`: one that moves no more; `unmoved`: nor has moved."""

    def amount_in(self, hex: str, group: str, but: frozenset[str], of: Measure) -> Fraction:
        """Return what the others of a group who stand in a hex count together, some left out."""

    def is_foremost(self, way: str) -> bool:
        """Tell whether nobody has made another step yet than of one way."""

    def entered(self, hex: str, rule: str) -> int:
        """Return how many others have entered a hex by steps of which a rule takes note."""


class _Atom:
    """What callers ask of any atom; each kind overrides what concerns it."""

    __slots__ = ()

    helped: ClassVar[bool] = True
    """Whether moves of other friends can bring it about, or undo it."""

    spares: ClassVar[bool] = False
    """Whether it asks that an enemy be there still."""

    foremost: ClassVar[bool] = False
    """Whether it asks that others haven't moved."""

    boards: ClassVar[bool] = False
    """Whether it asks for a carrier."""

    asks: ClassVar[bool] = True
    """Whether it may fail at all, and isn't only there so that others learn of the step."""

    @property
    def leading(self) -> str:
        """The way whose steps alone may have been made before, if it asks that others haven't moved."""
        return ""

    @property
    def names(self) -> tuple[str, ...]:
        """The hexes in which others stand, and the enemies that they eliminate, on whose account it comes about."""
        return ()

    @property
    def victim(self) -> str:
        """The enemy whose being gone makes it hold; empty if that has nothing to do with it."""
        return ""

    @property
    def wish(self) -> str:
        """What would have to be, to follow "if"."""
        raise NotImplementedError

    @property
    def friend(self) -> Friend | GoneOrFriend | None:
        """The atom itself if a friend who stands in its hex makes it hold."""
        return None

    @property
    def space(self) -> Room | Vacant | None:
        """The atom itself if friends who stand in its hex may keep it from holding."""
        return None

    def on_leg(self, leg: int) -> Self:
        """Return what it is for a step of a path."""
        return self


@dataclass(frozen=True, slots=True)
class _OfEnemy(_Atom):
    enemy: str

    @property
    def names(self) -> tuple[str, ...]:
        """The enemy."""
        return (self.enemy,)

    @property
    def victim(self) -> str:
        """The enemy, unless it asks that it be there still."""
        return "" if self.spares else self.enemy


@dataclass(frozen=True, slots=True)
class _InHex(_Atom):
    hex: str
    group: str


@dataclass(frozen=True, slots=True)
class Gone(_OfEnemy):
    """The enemy is off the map by now, eliminated by an earlier move or by an earlier step of this one.

    Attributes
    ----------
    enemy : str
        The id of an enemy unit or marker, or what `control_of` makes of a place that isn't friendly.
    """

    @property
    def wish(self) -> str:
        """What would have to be."""
        return f"{self.enemy} were gone"

    def holds(self, view: View) -> bool:
        """Tell whether it holds."""
        return view.is_gone(self.enemy)


@dataclass(frozen=True, slots=True)
class There(_OfEnemy):
    """The enemy is still on the map."""

    helped: ClassVar[bool] = False
    spares: ClassVar[bool] = True

    @property
    def wish(self) -> str:
        """What would have to be."""
        return f"{self.enemy} were still there"

    def holds(self, view: View) -> bool:
        """Tell whether it holds."""
        return not view.is_gone(self.enemy)


@dataclass(frozen=True, slots=True)
class Friend(_InHex):
    """Another friendly unit of a group stands in the hex at this moment.

    Attributes
    ----------
    hex : str
        The hex.
    group : str
        The name of the group, as the rule that needs it has it in `Rule.groups`.
    stays : bool
        Whether it must be one that makes no move afterwards.
    before : bool
        Whether it must be one that was there before; one who comes along and is dropped there doesn't count.
    unmoved : bool
        Whether it must be one that hasn't moved yet.
    """

    stays: bool = False
    before: bool = False
    unmoved: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The hex."""
        return (self.hex,)

    @property
    def friend(self) -> Friend:
        """The atom itself."""
        return self

    @property
    def wish(self) -> str:
        """What would have to be."""
        who = [*(["hasn't moved"] if self.unmoved else []), *(["moves no more"] if self.stays else [])]
        that = f" who {' and '.join(who)}" if who else ""
        return f"a friend{that} were in {self.hex}{' before' if self.before else ''}"

    def holds(self, view: View) -> bool:
        """Tell whether it holds."""
        return view.is_friend_in(self.hex, self.group, self.stays, self.unmoved)


@dataclass(frozen=True, slots=True)
class Carried(_Atom):
    """A carrier is left for this unit: each marker carries one.

    Attributes
    ----------
    zone : str
        The zone that is crossed.
    by : tuple of str
        The ids of the markers that could carry the unit; never empty.
    leg : int
        The index of the step for which it is needed, so that each leg of a move takes a carrier of its own; 0 as long as
        the step has no place in a path. Of several who move together, that index times their number, and then the place of
        one of them among them, so that each takes its own.
    """

    helped: ClassVar[bool] = False
    boards: ClassVar[bool] = True

    zone: str
    by: tuple[str, ...]
    leg: int = 0

    def on_leg(self, leg: int) -> Carried:
        """Return what it is for a step of a path."""
        return Carried(self.zone, self.by, leg)

    @property
    def wish(self) -> str:
        """What would have to be."""
        return one_left(self.by, self.zone)

    def holds(self, view: View) -> bool:
        """Tell whether some marker could carry the unit, if all are free."""
        return bool(self.by)


@dataclass(frozen=True, slots=True)
class GoneOrFriend(_OfEnemy):
    """The enemy is gone by now, or a friend of a group stands in the hex, whatever is rolled.

    An overrun whose result is rolled brings it about: its units are stuck in the hex if it fails.

    Attributes
    ----------
    enemy : str
        The id of an enemy unit.
    hex, group, before, stays
        As for `Friend`.
    """

    hex: str
    group: str
    before: bool = False
    stays: bool = False
    unmoved: ClassVar[bool] = False

    @property
    def names(self) -> tuple[str, ...]:
        """The hex and the enemy."""
        return self.hex, self.enemy

    @property
    def friend(self) -> GoneOrFriend:
        """The atom itself."""
        return self

    @property
    def wish(self) -> str:
        """What would have to be."""
        return f"{self.enemy} were gone, or a friend were in {self.hex}, whatever is rolled"

    def holds(self, view: View) -> bool:
        """Tell whether it holds."""
        return view.is_gone(self.enemy) or view.is_friend_in(self.hex, self.group, self.stays)


@dataclass(frozen=True, slots=True)
class Room(_InHex):
    """The others of a group who stand in the hex at this moment leave room: they count no more than so much.

    Attributes
    ----------
    hex, group
        As for `Friend`.
    size : Fraction
        What they may count together; not negative.
    but : frozenset of str
        Units that don't count: those that come together.
    of : str
        What is counted: units, size, steps or strength.
    """

    size: Fraction
    but: frozenset[str] = frozenset()
    of: Measure = "size"

    @property
    def space(self) -> Room:
        """The atom itself."""
        return self

    @property
    def wish(self) -> str:
        """What would have to be."""
        return f"others in {self.hex} were fewer"

    def holds(self, view: View) -> bool:
        """Tell whether it holds."""
        return view.amount_in(self.hex, self.group, self.but, self.of) <= self.size


@dataclass(frozen=True, slots=True)
class Vacant(_InHex):
    """Nobody else of a group stands in the hex at this moment, whatever is rolled; attributes are as for `Friend`."""

    but: ClassVar[frozenset[str]] = frozenset()

    @property
    def space(self) -> Vacant:
        """The atom itself."""
        return self

    @property
    def wish(self) -> str:
        """What would have to be."""
        return f"nobody else were in {self.hex}"

    def holds(self, view: View) -> bool:
        """Tell whether it holds."""
        return not view.is_friend_in(self.hex, self.group)


@dataclass(frozen=True, slots=True)
class Foremost(_Atom):
    """Nobody has made another step yet than of one way.

    Attributes
    ----------
    way : str
        The id of the rule as whose steps all earlier ones are read; empty: nobody has moved but those whose move isn't over.
    """

    helped: ClassVar[bool] = False
    foremost: ClassVar[bool] = True

    way: str

    @property
    def leading(self) -> str:
        """The way."""
        return self.way

    @property
    def wish(self) -> str:
        """What would have to be."""
        return "nobody had moved otherwise before"

    def holds(self, view: View) -> bool:
        """Tell whether it holds."""
        return view.is_foremost(self.way)


@dataclass(frozen=True, slots=True)
class Early(_Atom):
    """At most so many others have entered the hex by now; whoever needs it enters it, too, so that others count it.

    Attributes
    ----------
    hex : str
        The hex.
    rule : str
        The id of the rule that takes note of steps into it.
    most : int or None
        So many at most; None: any number.
    """

    helped: ClassVar[bool] = False

    hex: str
    rule: str
    most: int | None = None

    @property
    def wish(self) -> str:
        """What would have to be."""
        return "" if self.most is None else f"fewer had entered {self.hex} before"

    def holds(self, view: View) -> bool:
        """Tell whether it holds."""
        return self.most is None or view.entered(self.hex, self.rule) <= self.most


@dataclass(frozen=True, slots=True)
class Otherwise(_Atom):
    """The unit makes other steps than of a way, though it gets to where that leads, or goes by it, too.

    Who must come before such steps learns of it, and no way that makes them is as good as one that doesn't.

    Attributes
    ----------
    way : str
        The id of the rule as whose step some aren't read.
    """

    helped: ClassVar[bool] = False
    asks: ClassVar[bool] = False

    way: str

    @property
    def wish(self) -> str:
        """Nothing: it holds."""
        return ""

    def holds(self, view: View) -> bool:
        """Tell that it holds."""
        return True


Atom = Gone | There | Friend | Carried | Room | Vacant | GoneOrFriend | Foremost | Early | Otherwise
Conjunction = frozenset[Atom]
ALWAYS: tuple[Conjunction, ...] = (frozenset(),)
NEVER: tuple[Conjunction, ...] = ()


def when(*atoms: Atom) -> tuple[Conjunction, ...]:
    """Return what a demand is made of that is fulfilled when some atoms hold together; `+` offers another choice."""
    return (frozenset(atoms),)
