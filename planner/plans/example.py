"""By what messages show how moves are written: a unit and hexes of the position, where that is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.rules.game import Game


@dataclass(frozen=True)
class Example:
    """A unit that could make a move, whether it is legal or not.

    Attributes
    ----------
    unit : str
        Its id.
    origin, to : str
        The hex in which it stands, and one beside it.
    """

    unit: str = "inf"
    origin: str = "w5525"
    to: str = "w5425"

    @classmethod
    def of(cls, game: Game) -> Example:
        """Return the first unit of the phasing side that stands in a hex with another beside it; of another game without."""
        for unit in game.sorted(game.friends):
            origin = game.homes.get(unit, "")
            near = sorted(label for label in game.board.neighbours.get(origin, ()) if label in game.board.hexes)
            if origin in game.board.hexes and near:
                return cls(unit, origin, near[0])
        return ANY_EXAMPLE

    @property
    def move(self) -> str:
        """A move."""
        return f"{self.unit} {self.origin}-{self.to}"

    @property
    def destination(self) -> str:
        """A line of a partial plan."""
        return f"{self.unit} -> {self.to}"


ANY_EXAMPLE = Example()
