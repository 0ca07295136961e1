"""The step from a hex to a neighbouring one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from planner.forces import Unit
from planner.rules.base import NEVER, Arc, Demand, Finding, MoveInPlay, Rule

if TYPE_CHECKING:
    from planner.game import Game


class HexToHex(Rule):
    """Ensures that every step crosses one hexside into a neighbouring hex."""

    kind: Literal["hex_to_hex"]

    summary: ClassVar[str] = "A step crosses one hexside into a neighbouring hex, in any direction."

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the hexes share no hexside."""
        if not play.game.board.adjacent(play.origin, play.to):
            yield Finding(self.paragraph, f"{play.origin} and {play.to} are not adjacent")

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield an impossible demand if the hexes share no hexside."""
        if arc.to not in game.board.neighbours[arc.origin]:
            yield Demand(self.paragraph, NEVER, source=self.id)
