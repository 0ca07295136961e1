"""Columns: the more units have entered a hex before, the more it costs the next one."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.mp import MP
from planner.rules.atoms import Early, when
from planner.rules.combat_roles import Bogs, JointlyOverruns
from planner.rules.demands import Arc, Demand
from planner.rules.play import NO_MP, MoveInPlay
from planner.rules.roles import Phased, Prices
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class ColumnEntry(Prices, Phased):
    """Ensures that a unit pays more to enter certain hexes for each other one that has entered them before in the phase.

    So those who come one behind the other pay, say, 1/2 MP, 1, 1 1/2. A unit that enters a hex twice counts once.
    """

    kind: Literal["column_entry"]
    who: UnitSelector = Field(
        default=UnitSelector(),
        description="The units that pay, and that count; not where units move as stacks, overrun together or may bog down",
    )
    out_of: HexSelector | None = Field(
        default=None, description="Steps out of such hexes, or boxes, pay and count; absent: any"
    )
    into: HexSelector | None = Field(default=None, description="Steps into such hexes do; absent: any")
    ways: Names = Field(default=(), description="Steps of such ways of moving do, by the ids of rules; none named: any")
    mp: MP = Field(description="So many MP more for each unit that has entered before")
    phases: Names = Field(default=(), description="The phases in which it holds; none named: all")

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Entering a hex costs more for each unit that has entered it before in the phase."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield phases and ways that the game doesn't have, and kinds of rules with which it doesn't go."""
        yield from super().problems(rulebook)
        yield from rulebook.unknown_ways("ways", self.ways)
        instead = "a price of such steps in the terrain chart, or of the way, may stand for it"
        yield from rulebook.beside_caps(instead)
        for rule in (*rulebook.of(JointlyOverruns), *rulebook.of(Bogs)):
            yield f"it doesn't go with {rule.kind} ({rule.id}), since units that may fail have no certain order: {instead}"
        if rulebook.stacks:
            yield (
                "it doesn't go with units that move as a stack (stacks of sequence), since all of one enter at once: let "
                f"units move one at a time, or {instead}"
            )

    def amounts(self) -> Iterable[Fraction]:
        """Return what each unit adds."""
        return (self.mp,)

    # -- the referee's face

    def _counts(self, play: MoveInPlay) -> bool:
        """Tell whether a step pays and counts."""
        game, places = play.game, play.game.board.places
        if not self.who.matches(play.unit) or (self.phases and game.situation.phase not in self.phases):
            return False
        if self.ways and (play.way is None or play.way.id not in self.ways):
            return False
        if self.out_of is not None and not self.out_of.matches(places[play.origin], game.weather(play.origin)):
            return False
        return self.into is None or self.into.matches(places[play.to], game.weather(play.to))

    def step_cost(self, play: MoveInPlay) -> Fraction:
        """Return what those cost who have entered the hex before."""
        if not self._counts(play):
            return NO_MP
        entered, others = play.position.entered, play.game.friends - {play.unit.id}
        return self.mp * sum((self.id, play.to, other) in entered for other in others)

    def settle(self, play: MoveInPlay) -> None:
        """Note that the unit has entered the hex."""
        if self._counts(play):
            play.position.entered.add((self.id, play.to, play.unit.id))

    # -- the solver's face

    def _fits(self, game: Game, unit: Unit, arc: Arc) -> bool:
        """Tell whether an arc pays and counts."""
        return (
            self.who.matches(unit)
            and game.situation.phase in (self.phases or (game.situation.phase,))
            and arc.way in (self.ways or (arc.way,))
            and all(
                where is None or where.matches(game.board.places[label], game.weather(label))
                for where, label in ((self.out_of, arc.origin), (self.into, arc.to))
            )
        )

    def looks_at_friends(self, game: Game) -> int:
        """Return how many there are who pay and count."""
        return game.cached((self.id, "who"), lambda: sum(self.who.matches(game.units[one]) for one in game.friends))

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield nothing that could fail: that others learn of it."""
        if self._fits(game, unit, arc):
            yield Demand(self.paragraph, when(Early(arc.to, self.id)), source=self.id, choice=True)

    def arc_prices(self, game: Game, unit: Unit, arc: Arc) -> Iterable[tuple[Fraction, tuple[Demand, ...]]]:
        """Yield what it costs behind nobody, behind one at most, and so on."""
        others = self.looks_at_friends(game) - 1 if self.mp and self._fits(game, unit, arc) else 0
        for before in range(others):
            asked = Demand(self.paragraph, when(Early(arc.to, self.id, before)), source=self.id, choice=True)
            yield self.mp * before, (asked,)
        yield self.mp * others, ()
