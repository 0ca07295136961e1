"""Who can battle after having moved. Battles themselves belong to another phase; plans are made for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.table import Table
from planner.rules.later_roles import Battles
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game


class Reach(Table):
    """How far units battle, and after how long a move."""

    units: UnitSelector = Field(default=UnitSelector(), description="The units")
    hexes_moved: int = Field(ge=0, le=100, description="After a move of so many hexes at most")
    range: int = Field(ge=1, le=100, description="At enemies at most so many hexes away")
    assumed: bool = Field(default=False, description="Whether a value stands in for one that no text gives")


class Battle(Battles):
    """Says which units can battle after the moves: how far they have moved, where they have gone, who is in range.

    It forbids no move. The objective may count such units.
    """

    kind: Literal["battle"]
    reaches: tuple[Reach, ...] = Field(
        description="The first that fits a unit holds; a unit that none fits doesn't battle"
    )
    not_on_entering: HexSelector | None = Field(
        default=None, description="Who ends in such a hex after moving into it can't battle"
    )
    only_after_moving: bool = Field(default=False, description="Whether only units that have moved battle")
    phases: Names = Field(default=(), description="The phases after which there are battles; none named: all")

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "A unit that has moved too far, or into certain terrain, or has bogged down, doesn't battle."
    )

    @property
    def counts_hexes(self) -> int:
        """One hex more than those after which some unit can battle."""
        return max((reach.hexes_moved for reach in self.reaches), default=0) + 1

    def reach_of(self, unit: Unit) -> Reach | None:
        """Return how far a unit battles, and after how long a move; None: it doesn't."""
        return next((reach for reach in self.reaches if reach.units.matches(unit)), None)

    def may(self, game: Game, unit: Unit, label: str, hexes: int) -> bool:
        """Tell whether a unit that has entered so many hexes, the last of them the one in which it is, may battle there."""
        reach = self.reach_of(unit)
        if self.only_after_moving and not hexes:
            return False
        if reach is None or hexes > reach.hexes_moved or (self.phases and game.situation.phase not in self.phases):
            return False
        barred = self.not_on_entering
        return not (hexes and barred is not None and barred.matches(game.board.places[label], game.weather(label)))
