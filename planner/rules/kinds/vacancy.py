"""One unit a hex: nobody enters, ends in, or stays in, a hex in which a friend stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER, Room, Vacant, when
from planner.rules.demands import Arc, Demand
from planner.rules.end_state import EndState
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Moment, Spaces
from planner.world.forces import Unit
from planner.world.position import Position
from planner.world.selectors import HexSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class Vacancy(Spaces):
    """Ensures that a unit enters a hex only when no friend stands in it, so that friends must clear the way first.

    It may hold, instead, for where moves end alone, or for where units stand once the phase is over.
    """

    kind: Literal["vacancy"]
    who: UnitSelector = Field(default=UnitSelector(), description="The units that need the hex to be empty")
    of: UnitSelector = Field(default=UnitSelector(), description="The friends that must not be in it")
    where: HexSelector = Field(
        default=HexSelector(), description="The hexes in which it holds; boxes are named as such"
    )
    ways: Names = Field(
        default=(), description="The rules as whose steps it holds, such as a `passage`, with `always`; none named: any"
    )
    leaving: bool = Field(
        default=False,
        description="Whether steps out of such a hex are meant, and not steps into it; with `always`, and where units move "
        "one at a time",
    )
    when: Moment = Field(
        default="always",
        description="When it holds: whenever a unit enters a hex, if only to pass through, or together with such a friend "
        "(`always`); wherever a unit ends a move, but for where that began (`move`); or, for all units, once the phase is "
        "over (`phase`)",
    )

    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    hex_by_hex: ClassVar[bool] = True
    summary: ClassVar[str] = "No unit enters, or passes through, or else ends in, or leaves, a hex that holds a friend."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield ways that the game doesn't have, or that say nothing."""
        yield from rulebook.unknown_ways("ways", self.ways)
        if self.ways and self.when != "always":
            yield 'ways goes with when = "always": it is about steps, not about where they end'
        if self.leaving and self.when != "always":
            yield 'leaving goes with when = "always": it is about steps, not about where they end'
        if self.leaving and rulebook.stacks:
            yield (
                "leaving doesn't go with units that move as a stack (stacks of sequence), since those of one leave at once: "
                "let units move one at a time, or forbid to enter, or to end in, such hexes: leaving = false"
            )

    @property
    def limits_halts(self) -> bool:
        """Whether it holds wherever a move ends."""
        return self.when == "move"

    # -- the referee's face

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if a friend is in the hex, and nobody may pass."""
        way = "" if play.way is None else play.way.id
        meant = self.when == "always" and (not self.ways or way in self.ways)
        label = play.origin if self.leaving else play.to
        if meant and self._applies(play.game, play.unit, label):
            yield from self._taken(play, label, play.friends_in(label), "leave" if self.leaving else "enter")

    def watches_stacks(self, game: Game) -> bool:
        """Tell whether it holds for units that enter a hex together, as they come."""
        return self.when == "always" and not self.leaving

    def check_together(self, stack: Sequence[MoveInPlay]) -> Iterable[Finding]:
        """Yield a finding if units enter a hex together of which one would have to be alone there."""
        first = stack[0]
        if len(stack) < 2 or (first.fails and first.overrun):
            return
        mates, way = [play.unit for play in stack], "" if first.way is None else first.way.id
        alone = [unit for unit in mates if self._applies(first.game, unit, first.to)]
        if (not self.ways or way in self.ways) and self._disturbed(alone, mates):
            names = first.game.names([mate.id for mate in mates])
            yield Finding(self.paragraph, f"{names} may not enter {first.to} together")

    def check_halt(self, stack: Sequence[MoveInPlay], label: str) -> Iterable[Finding]:
        """Yield a finding if a unit ends its move with a friend, whether or not that has come with it."""
        game, mates = stack[0].game, [play.unit for play in stack]
        alone = [play for play in stack if self._applies(game, play.unit, label)]
        if self._disturbed([play.unit for play in alone], mates):
            yield Finding(
                self.paragraph, f"{game.names([mate.id for mate in mates])} may not end their move together in {label}"
            )
        elif alone:
            coming = {mate.id for mate in mates}
            inside = (unit for unit in stack[0].position.units_in(label) if unit not in coming)
            friends = [unit for unit in inside if not game.is_enemy(unit)]
            yield from self._taken(alone[0], label, friends, "end its move in")

    def check_end(self, game: Game, position: Position) -> Iterable[tuple[str | None, Finding]]:
        """Yield a finding for each hex in which such a unit is with such a friend once the phase is over."""
        if self.when != "phase":
            return
        for label in game.board.places:
            inside = [game.units[unit] for unit in position.units_in(label) if not game.is_enemy(unit)]
            alone = [unit for unit in inside if len(inside) > 1 and self._applies(game, unit, label)]
            wrong = [(unit, other) for unit in alone for other in inside if other != unit and self.of.matches(other)]
            if wrong:
                names = game.sorted({unit.id for pair in wrong for unit in pair})
                yield (
                    None,
                    Finding(self.paragraph, f"{game.names(names)} may not stay together in {label}", names, label),
                )

    def _applies(self, game: Game, unit: Unit, label: str) -> bool:
        bound = game.may_be_moved(unit.id) and self.who.matches(unit)
        return bound and self.where.matches(game.board.places[label], game.weather(label))

    def _disturbed(self, alone: Sequence[Unit], mates: Sequence[Unit]) -> bool:
        """Tell whether one of some units that must be alone comes with another that must not be there."""
        return any(self.of.matches(mate) for unit in alone for mate in mates if mate is not unit)

    def _taken(self, play: MoveInPlay, label: str, friends: Sequence[str], does: str) -> Iterable[Finding]:
        game = play.game
        inside = game.sorted(unit for unit in friends if self.of.matches(game.units[unit]))
        if inside:
            text = f"{play.unit.id} may not {does} {label}: it holds {game.names(inside)}"
            yield Finding(self.paragraph, text, inside)

    # -- the solver's face

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the friends that take up hexes while others move."""
        taking = (unit for unit in game.friends if self.of.matches(game.units[unit]))
        return {} if self.when == "phase" else {self.id: frozenset(taking)}

    def concerns(self, game: Game, unit: Unit) -> bool:
        """Tell whether the unit needs empty hexes on its way."""
        return self.when == "always" and self.who.matches(unit)

    def same_from_anywhere(self, game: Game, way: str) -> bool:
        """Tell whether what it asks doesn't depend on the hex left: it looks at the hex entered alone."""
        return not self.leaving

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield that the hex is empty of friends when the unit comes, or goes."""
        label = arc.origin if self.leaving else arc.to
        meant = self.concerns(game, unit) and arc.way in (self.ways or (arc.way,))
        if meant and self.where.matches(game.board.places[label], game.weather(label)):
            yield Demand(self.paragraph, when(Vacant(label, self.id)), cause="friend", source=self.id)

    def together_demands(self, game: Game, team: Sequence[Unit], arc: Arc) -> Iterable[Demand]:
        """Yield that units don't enter a hex together of which one would have to be alone there."""
        place = game.board.places[arc.to]
        enters = self.when == "always" and not self.leaving and not (arc.fails and arc.overrun)
        if len(team) < 2 or not enters or (self.ways and arc.way not in self.ways):
            return
        disturbing = [unit.id for unit in team if self.of.matches(unit)]
        alone = [unit.id for unit in team if self.who.matches(unit)]
        crowded = any(unit != other for unit in alone for other in disturbing)
        if crowded and self.where.matches(place, game.weather(arc.to)):
            yield Demand(self.paragraph, NEVER, cause="friend", source=self.id)

    def halt_demands(self, game: Game, team: Sequence[Unit], label: str) -> Iterable[Demand]:
        """Yield that the hex is empty of friends in which units end a move."""
        place = game.board.places[label]
        alone = [unit for unit in team if self.who.matches(unit)]
        if not self.limits_halts or not alone or not self.where.matches(place, game.weather(label)):
            return
        if any(self.of.matches(mate) for unit in alone for mate in team if mate.id != unit.id):
            yield Demand(self.paragraph, NEVER, cause="friend", source=self.id)
            return
        names = frozenset(unit.id for unit in team)
        atom = Vacant(label, self.id) if len(team) == 1 else Room(label, self.id, Fraction(0), names, "units")
        yield Demand(self.paragraph, when(atom), cause="friend", source=self.id)

    def post_end(self, end: EndState) -> None:
        """Ensure that no such unit stands with such a friend once the phase is over."""
        if self.when != "phase":
            return
        game, guests = end.game, dict[str, list[str]]()
        for unit in game.order:
            for label in end.possible_stands(unit) if unit in game.friends else ():
                if label in game.crowds:
                    continue
                guests.setdefault(label, []).append(unit)
        for label, units in guests.items():
            if not self.where.matches(game.board.places[label], game.weather(label)):
                continue
            own = [game.units[unit] for unit in units if not game.units[unit].allied]
            alone = {unit.id for unit in own if self.who.matches(unit)}
            taking = {unit for unit in units if self.of.matches(game.units[unit])}
            groups = {game.sorted({one, other}) for one in alone for other in taking - alone}
            groups |= {game.sorted({one, other}) for one in alone - taking for other in taking}
            for group in sorted({*groups, game.sorted(alone & taking)}):
                if len(group) > 1:
                    demand = Demand(self.paragraph, NEVER, group, at=label, cause="friend", source=self.id)
                    end.at_most([(1, end.stands(unit, label)) for unit in group], 1, demand)
