"""The step from a hex to a neighbouring one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from planner.rules.atoms import NEVER
from planner.rules.base import Way
from planner.rules.demands import Arc, Before, Demand
from planner.rules.play import Finding, MoveInPlay
from planner.world.forces import Unit

if TYPE_CHECKING:
    from planner.rules.game import Game


class HexToHex(Way):
    """Ensures that every step crosses one hexside into a neighbouring hex."""

    kind: Literal["hex_to_hex"]

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "A step crosses one hexside into a neighbouring hex, in any direction."

    plain: ClassVar[bool] = True
    always_in_force: ClassVar[bool] = True

    def joins(self, game: Game, unit: Unit, origin: str, to: str, loosely: bool = False) -> bool:
        """Tell whether the hexes share a hexside."""
        return game.board.adjacent(origin, to)

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the hexes share no hexside."""
        if play.way is self and not play.game.board.adjacent(play.origin, play.to):
            yield Finding(self.paragraph, f"{play.origin} and {play.to} are not adjacent")

    def offers(self, game: Game, unit: Unit, origin: str, before: Before) -> Iterable[Arc]:
        """Yield a step into each neighbouring hex."""
        for to in game.board.neighbours[origin]:
            yield Arc(origin, to, way=self.id, before=before)

    def leads_afar(self, game: Game, origin: str) -> Iterable[str] | None:
        """Return that neighbours are all."""
        return ()

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield an impossible demand if the hexes share no hexside."""
        if arc.way == self.id and arc.to not in game.board.neighbours[arc.origin]:
            yield Demand(self.paragraph, NEVER, source=self.id)
