"""Reinforcements: units that enter by a schedule, each at its own place, or are lost."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER, Gone, when
from planner.rules.base import Way
from planner.rules.demands import Arc, Before, Demand, control_of
from planner.rules.end_state import EndState
from planner.rules.later_roles import Outlasts
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Ends, Reinforces
from planner.world.forces import Unit
from planner.world.position import Position
from planner.world.selectors import Names

if TYPE_CHECKING:
    from planner.rules.game import Game


class Reinforcement(Reinforces, Ends, Outlasts, Way):
    """Ensures that units enter from a box in their turn, in the hex of the schedule, if it is friendly; and that they do."""

    kind: Literal["reinforcement"]
    phases: Names = Field(description="The phases in which units enter")
    entry_paragraph: str = Field(default="", description="The paragraph cited where the hex isn't friendly")
    lost_to: str = Field(default="lost", description="The box of units that could not enter")

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Units enter in the turn and the hex of the schedule, if the hex is friendly, or are lost."

    def joins(self, game: Game, unit: Unit, origin: str, to: str, loosely: bool = False) -> bool:
        """Tell whether a step leads from a box onto the map."""
        return game.board.places[origin].box and not game.board.places[to].box

    def leads_from(self, game: Game, origin: str) -> bool:
        """Tell whether the place is a box."""
        return game.board.places[origin].box

    def box_after(self, game: Game, unit: str, position: Position) -> str | None:
        """Return the box of the lost for a unit that was due and could not enter."""
        if game.situation.phase not in self.phases or not game.may_be_moved(unit) or unit not in position.at:
            return None
        due = (game.units[unit].arrives or (None,))[0] == game.situation.turn
        return self.lost_to if due and game.board.places[position.at[unit]].box else None

    # -- the referee's face

    def price(self, play: MoveInPlay) -> Fraction | None:
        """Return that it costs nothing."""
        return Fraction(0)

    def minds_control(self, game: Game, label: str) -> bool:
        """Tell whether a unit is due in the hex."""
        return any(unit.arrives is not None and unit.arrives[1] == label for unit in game.units.values())

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what is wrong with an arrival."""
        if play.way is not self:
            return
        unit, situation = play.unit, play.game.situation
        due = unit.arrives
        if situation.phase not in self.phases:
            yield Finding(self.paragraph, f"{unit.id} can't enter: reinforcements don't enter in this phase")
        elif due is None or due[0] != situation.turn:
            when = "it is on no schedule" if due is None else f"it is due in turn {due[0]}"
            yield Finding(self.paragraph, f"{unit.id} can't enter now: {when}")
        elif due[1] != play.to:
            yield Finding(self.paragraph, f"{unit.id} can't enter in {play.to}: it is due in {due[1]}")
        elif not self._is_open(play.game, play.position, play.to):
            enemies = play.enemies_in(play.to)
            what = f"holds {play.game.names(enemies)}" if enemies else "is not in friendly control"
            text = f"{unit.id} can't enter: {play.to} {what}; if it stays so, {unit.id} is lost"
            yield Finding(self.entry_paragraph or self.paragraph, text)

    def check_end(self, game: Game, position: Position) -> Iterable[tuple[str | None, Finding]]:
        """Yield a finding for each unit that could have entered and has not."""
        if game.situation.phase not in self.phases:
            return
        for unit in filter(game.may_be_moved, game.sorted(game.friends)):
            due = game.units[unit].arrives
            if due is None or due[0] != game.situation.turn or unit in position.under_way:
                continue
            here = position.at.get(unit, "")
            waiting = here in game.board and game.board.places[here].box
            if waiting and self._is_open(game, position, due[1]):
                yield None, Finding(self.paragraph, f"{unit} has to enter in {due[1]}", (unit,), here)

    @staticmethod
    def _is_open(game: Game, position: Position, label: str) -> bool:
        """Tell whether a hex is friendly by now, and no enemy is in it."""
        friendly = game.situation.befriends(game.situation.holder(label, position))
        return friendly and not any(map(game.is_enemy, position.units_in(label)))

    # -- the solver's face

    def offers(self, game: Game, unit: Unit, origin: str, before: Before) -> Iterable[Arc]:
        """Yield the step into the hex of the schedule."""
        if unit.arrives is not None and game.board.places[origin].box and unit.arrives[1] in game.board.hexes:
            yield Arc(origin, unit.arrives[1], way=self.id, before=before)

    def tokens(self, game: Game) -> Iterable[str]:
        """Return the control of the hexes in which units are due and that aren't friendly."""
        situation = game.situation
        dues = (unit.arrives for unit in game.units.values() if unit.arrives is not None)
        for turn, label in dues if situation.phase in self.phases else ():
            if turn == situation.turn and not situation.befriends(situation.control.get(label)):
                yield control_of(label)

    def unwelcome(self, game: Game) -> Iterable[str]:
        """Return the enemies in hexes in which units in boxes are due, and the control of these: by it units must enter."""
        situation = game.situation
        for unit, home in game.homes.items() if situation.phase in self.phases else ():
            due = game.units[unit].arrives
            if unit in game.friends and home not in game.board.hexes and due is not None and due[0] == situation.turn:
                yield from game.enemies_at(due[1])
                if not situation.befriends(situation.control.get(due[1])):
                    yield control_of(due[1])

    def tariff(self, game: Game, unit: Unit, arc: Arc) -> Fraction | None:
        """Return that it costs nothing."""
        return Fraction(0)

    def same_from_anywhere(self, game: Game, way: str) -> bool:
        """Tell whether what it asks doesn't depend on the hex left: it asks nothing of other steps than its own."""
        return way != self.id

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield what no move can bring about where phase, turn or hex are wrong; and that the hex be friendly by then."""
        if arc.way != self.id:
            return
        situation = game.situation
        on_time = situation.phase in self.phases and unit.arrives is not None and unit.arrives[0] == situation.turn
        if not on_time or unit.arrives is None or unit.arrives[1] != arc.to:
            yield Demand(self.paragraph, NEVER, cause="schedule", source=self.id)
            return
        enemies = game.enemies_at(arc.to)
        lacking = [] if situation.befriends(situation.control.get(arc.to)) else [control_of(arc.to)]
        if enemies or lacking:
            open_by_then = when(*map(Gone, (*enemies, *lacking)))
            yield Demand(self.entry_paragraph or self.paragraph, open_by_then, cause="control", source=self.id)

    def post_end(self, end: EndState) -> None:
        """Ensure that each unit that can enter in the end has entered."""
        game = end.game
        if game.situation.phase not in self.phases:
            return
        for unit, home in game.homes.items():
            due = game.units[unit].arrives
            if unit not in game.friends or game.units[unit].allied or due is None or due[0] != game.situation.turn:
                continue
            if home in game.board.hexes:
                continue
            friendly = game.situation.befriends(game.situation.control.get(due[1])) or end.taken(due[1])
            gone = (end.gone(enemy) for enemy in game.enemies_at(due[1]))
            demand = Demand(self.paragraph, NEVER, (unit,), at=home, cause=unit, source=self.id)
            end.at_most([(1, end.all_of([end.negate(end.moves(unit)), friendly, *gone]))], 0, demand)
