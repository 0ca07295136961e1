"""How moves follow each other."""

from __future__ import annotations

from collections import abc
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER, Foremost, when
from planner.rules.demands import Arc, Demand, Tick, lifting_group, no_tick
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Sequences
from planner.world.forces import Unit
from planner.world.selectors import UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game


class Sequence(Sequences):
    """Ensures that each move is that of one unit, or of one stack, and that a unit that has moved is finished.

    A move that breaks the sequence can't be played: the referee reports it and goes on with the next one. In the solver the
    sequence is the form of the model, one move for each unit or stack in one total order, and no constraint but that units
    make no step together where they may not.
    """

    kind: Literal["sequence"]
    stacks: bool = Field(
        default=False,
        description="Whether units that stand together may move as a stack, which may drop units on its way",
    )

    waiting: UnitSelector | None = Field(
        default=None,
        description="The units that may break off a move and go on later, within the same MA; absent: none may",
    )

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "A move is over before the next one begins; stacks that move as one, and waiting, are parameters."
    )

    def lets_wait(self, unit: Unit) -> bool:
        """Tell whether a unit may go on after it has broken off its move."""
        return self.waiting is not None and self.waiting.matches(unit)

    def check_group(self, units: tuple[str, ...]) -> Iterable[Finding]:
        """Yield a finding if several units are to move as one."""
        if len(units) > 1 and not self.stacks:
            yield Finding(self.paragraph, f"{' and '.join(units)} may not move together: units move one at a time")

    def check_pick_up(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the unit has moved before."""
        if play.moved and not play.in_hand and not self.lets_wait(play.unit):
            yield Finding(self.paragraph, f"{play.unit.id} may not move again: its move is over")

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the friends that lift stops of units that may go on by staying where they are."""
        if game.begun is None:
            return {}
        return {
            lifting_group(unit, number): stop.lifted_by
            for unit, progress in game.begun.position.under_way.items()
            for number, stop in enumerate(progress.stops)
            if stop.lifted_by
        }

    def pick_up_demands(self, game: Game, unit: Unit, origin: str, tick: Tick = no_tick) -> Iterable[Demand]:
        """Yield that a unit that has moved moves no more, or, while its move isn't over, before all others."""
        begun = game.begun
        if begun is None or unit.id not in begun.position.under_way:
            return
        if self.waiting is not None and self.waiting.matches(unit):
            return
        goes_on = unit.id in begun.position.in_hand
        yield Demand(self.paragraph, when(Foremost("")) if goes_on else NEVER, cause="over", source=self.id)

    def together_demands(self, game: Game, team: abc.Sequence[Unit], arc: Arc) -> Iterable[Demand]:
        """Yield that several units never make a step together where they don't move as stacks."""
        if len(team) > 1 and not self.stacks:
            yield Demand(self.paragraph, NEVER, cause="together", source=self.id)
