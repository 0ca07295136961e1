"""An attack as it is declared, and as it is known to have been made."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class DeclaredAttack:
    """Units that attack hexes together, once the moves of a phase are made.

    It is written ``a+b -> 0303``, against several hexes ``a+b -> 0303+0304``; where the units of a hex don't defend as one,
    those who are attacked stand in brackets: ``a -> 0303(e1)``. One that has been made has its result, and where units
    have gone on account of it: ``a+b -> 0303=DR e1 0303-0404, a 0302-0303``.

    Attributes
    ----------
    attackers : tuple of str
        Unit ids, each once.
    hexes : tuple of str
        The labels of the hexes that they attack, each once.
    defenders : tuple of str
        The units that are attacked, where they are named; otherwise all who defend the hexes.
    result : str
        The result of the table that has been rolled, such as DR; empty as long as none has.
    ways : tuple of (str, tuple of str)
        Who goes where after that: units, each with the hexes of its way, the one in which it stands first.
    """

    attackers: tuple[str, ...]
    hexes: tuple[str, ...]
    defenders: tuple[str, ...] = ()
    result: str = ""
    ways: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __str__(self) -> str:
        whom = f"({'+'.join(self.defenders)})" if self.defenders else ""
        rolled = f"={self.result}" if self.result else ""
        gone = ", ".join(f"{unit} {'-'.join(hexes)}" for unit, hexes in self.ways)
        return f"{'+'.join(self.attackers)} -> {'+'.join(self.hexes)}{whom}{rolled}{' ' * bool(gone)}{gone}"

    @property
    def declared(self) -> DeclaredAttack:
        """The attack as it was declared, without its result."""
        return replace(self, result="", ways=())

    def way_of(self, unit: str) -> tuple[str, ...]:
        """Return the hexes of a unit's way after the attack; none if nothing is said of it."""
        return next((hexes for name, hexes in self.ways if name == unit), ())


@dataclass(frozen=True)
class MadeAttack(DeclaredAttack):
    """An attack that has been made, with all who were attacked as its `defenders`.

    Attributes
    ----------
    column : int
        The index of the column that it came to after shifts.
    whole : tuple of str
        Those of its hexes of which all defenders were attacked, none of them before.
    crowds : tuple of str
        The hexes into which units have retreated on account of it, where they may crowd.
    """

    column: int = 0
    whole: tuple[str, ...] = ()
    crowds: tuple[str, ...] = ()
