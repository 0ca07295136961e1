"""Roles of rules about what comes after the moves: what outlasts the phase, and who battles then."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from planner.rules.base import Rule
from planner.rules.roles import Phased
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.position import Position


class Binds(Phased):
    """Lets certain units go from hex to hex along certain routes alone."""

    if TYPE_CHECKING:
        who: UnitSelector
        along: Names


class Attacks(Phased):
    """Lets attacks be declared once the moves are made: `planner.rules.attack_table` has the parameters."""


class Outlasts(Rule):
    """Leaves something with units that outlasts the phase."""

    @property
    def mark_of_harm(self) -> str | None:
        """The trait of units that it has harmed before; None: it harms nobody."""
        return None

    def traits_after(self, game: "Game", unit: str, position: "Position") -> Iterable[str]:
        """Yield the traits that a unit has in the phases after this one."""
        return ()

    def box_after(self, game: "Game", unit: str, position: "Position") -> str | None:
        """Return the box to which a unit goes after the phase; None: it stays where it is."""
        return None


class BattleReach(Protocol):
    """How far units battle, and after how long a move."""

    @property
    def hexes_moved(self) -> int:
        """After a move of so many hexes at most."""

    @property
    def range(self) -> int:
        """At enemies at most so many hexes away."""


class Battles(Phased):
    """Says who battles after the phase."""

    if TYPE_CHECKING:
        not_on_entering: HexSelector | None
        only_after_moving: bool

    def reach_of(self, unit: Unit) -> BattleReach | None:
        """Return how far a unit battles, and after how long a move; None: it doesn't."""
        raise NotImplementedError

    def may(self, game: "Game", unit: Unit, label: str, hexes: int) -> bool:
        """Tell whether a unit that has entered so many hexes, the last of them the one in which it is, may battle there."""
        raise NotImplementedError
