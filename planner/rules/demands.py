"""What the solver's face of a rule asks for: demands made of atoms, and the steps that they bind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from planner.rules.atoms import Atom, Conjunction, GoneOrFriend


@dataclass(frozen=True)
class Demand:
    """What a step, or moving on after it, needs at the moment when the unit moves.

    Attributes
    ----------
    paragraph : str
        The printed paragraph.
    any_of : tuple of sets of atoms
        One of the sets must hold entirely; none at all means never.
    blame : tuple of str
        The enemies to blame if it doesn't hold.
    onward : bool
        False: the step needs it. True: only a further step needs it, so that the unit may stop here.
    lifted_by_overrun_of : str or None
        An onward demand lapses if the further step is an overrun of this enemy, or of any if it is `ANYBODY`.
    at : str or None
        The hex to name, where it is not the hex being entered.
    cause : str
        What the demand is about. A step may fail several demands of one paragraph; those of one cause are one violation,
        with the blame of all.
    source : str
        The id of the rule, to switch single rules off.
    choice : bool
        Whether it isn't forbidden to fail it: it is what one of several prices asks for.
    """

    paragraph: str
    any_of: tuple[Conjunction, ...]
    blame: tuple[str, ...] = ()
    onward: bool = False
    lifted_by_overrun_of: str | None = None
    at: str | None = None
    cause: str = ""
    source: str = ""
    choice: bool = False

    @property
    def atoms(self) -> Iterator[Atom]:
        """All atoms, in whatever order."""
        return (atom for conjunction in self.any_of for atom in conjunction)

    @property
    def wishes(self) -> str:
        """What would have to be for it to be fulfilled, to follow "it would do if"; empty if nothing could."""
        plain = [atoms for atoms in self.any_of if not any(isinstance(atom, GoneOrFriend) for atom in atoms)]
        sets = [" and ".join(sorted(atom.wish for atom in atoms)) for atoms in plain or self.any_of]
        return ", or if ".join(dict.fromkeys(filter(None, sets)))

    def lapses(self, victims: Sequence[str] | None) -> bool:
        """Tell whether an overrun that eliminates some enemies may be made although the demand isn't fulfilled."""
        return bool(victims) and (self.lifted_by_overrun_of == ANYBODY or self.lifted_by_overrun_of in (victims or ()))


ANYBODY = "*"
"""In `Demand.lifted_by_overrun_of`: whoever is overrun."""


def control_of(label: str) -> str:
    """Return what stands for the fact that a place isn't friendly: it is gone when the phasing side takes the place."""
    return f"control of {label}"


Before = tuple[str, str] | None
"""The procedure of a unit's last step, with the zone that it crossed or an empty string; None before the first step."""


@dataclass(frozen=True)
class Arc:
    """One possible step of one unit.

    Attributes
    ----------
    origin, to : str
        The hexes left and entered.
    victims : tuple of str or None
        None for a plain step. For an overrun, the enemies in the hex that it would eliminate.
    way : str
        The id of the rule as whose step it is read.
    zone : str
        The zone that it crosses, or empty.
    before : Before
        What the unit's step before this one was.
    carrier : str
        The marker that is named to carry the unit, or empty.
    attempts : int
        How often an overrun may be tried.
    support : tuple of str
        The units that support an overrun.
    fails : bool
        Whether it is an overrun that fails, or a step on which the unit bogs down.
    hexes : int
        How many hexes the unit has entered in the phase with it; 0 where that isn't known.
    """

    origin: str
    to: str
    victims: tuple[str, ...] | None = None
    way: str = ""
    zone: str = ""
    before: Before = None
    carrier: str = ""
    attempts: int = 1
    support: tuple[str, ...] = ()
    fails: bool = False
    hexes: int = 0

    @property
    def overrun(self) -> bool:
        """Whether the step is an overrun."""
        return self.victims is not None


Tick = Callable[[], None]
"""Raises when the time is up."""


def no_tick() -> None:
    """Let a computation take its time."""


def lifting_group(unit: str, number: int) -> str:
    """Return the name of the group of those who would lift a stop of a unit, by its number, by staying."""
    return f"lifting stop {number} of {unit}"
