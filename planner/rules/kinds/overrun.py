"""Overruns: entering the hex of an enemy, who is eliminated at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER, Gone, There, when
from planner.rules.demands import Arc, Demand
from planner.rules.destinations import Destination, box_of
from planner.rules.odds_table import Shift
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Overruns, Phased
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, Names, UnitSelector, selectors_in

if TYPE_CHECKING:
    from planner.rules.game import Game


class Overrun(Overruns, Phased):
    """Ensures that only the right units overrun, only such enemies as may be overrun, where nothing would help these."""

    kind: Literal["overrun"]
    by: UnitSelector = Field(description="The units that can overrun")
    defenders: UnitSelector = Field(description="The enemies that defend a hex; others in it bar the overrun")
    target: UnitSelector = Field(description="What the single defender must be")
    where: HexSelector = Field(default=HexSelector(), description="The hexes in which overruns are possible")
    phases: Names = Field(default=(), description="The phases in which they are; none named: all")
    shifts: tuple[Shift, ...] = Field(default=(), description="Column shifts, any of which bars an overrun")
    eliminated_to: tuple[Destination, ...] = Field(description="Where eliminated units go; the first that fits holds")

    looks_near: ClassVar[bool] = True
    minds_plain_steps: ClassVar[bool] = False
    summary: ClassVar[str] = (
        "A unit of the named class may enter the hex of a lone enemy of the named class, which is eliminated."
    )

    # -- the referee's face

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield everything that bars a declared overrun."""
        if not play.overrun:
            return
        game, unit, label = play.game, play.unit, play.to
        enemies = play.enemies_in(label)
        defenders = tuple(enemy for enemy in enemies if self.defenders.matches(game.units[enemy]))
        others = tuple(enemy for enemy in enemies if enemy not in defenders)
        if not defenders:
            yield Finding(self.paragraph, f"{unit.id} has nothing to overrun in {label}")
            return
        if self.phases and game.situation.phase not in self.phases:
            yield Finding(self.paragraph, "no overruns in this phase")
        if play.way is not None and not play.way.overruns:
            yield Finding(self.paragraph, f"no overruns from {play.origin} to {label}: it is no step on foot")
        if not self.by.matches(unit):
            yield Finding(self.paragraph, f"{unit.id} is not a unit that can overrun")
        if not self.where.matches(game.board.places[label], game.weather(label)):
            yield Finding(self.paragraph, f"no overruns in {label}")
        if len(defenders) > 1:
            yield Finding(self.paragraph, f"more than one unit defends {label}: {game.names(defenders)}", defenders)
        for enemy in defenders:
            if not self.target.matches(game.units[enemy]):
                yield Finding(self.paragraph, self._no_target(game.units[enemy]), (enemy,))
        if others:
            yield Finding(self.paragraph, f"the overrun of {label} is barred by {game.names(others)}", others)
        yield from self._check_shifts(play, defenders)

    def _no_target(self, enemy: Unit) -> str:
        """Say of an enemy that it can't be overrun: for its steps, if it could be with others, or whatever these are."""
        parts = [one for _, one in selectors_in(self.target) if isinstance(one, UnitSelector)]
        named = (bound for one in parts for bound in (one.steps_min, one.steps_max) if bound is not None)
        bounds = {1, *(bound + more for bound in named for more in (0, 1))}
        if any(self.target.matches(replace(enemy, steps=steps)) for steps in bounds):
            return f"{enemy.id} can't be overrun: it has {enemy.steps} step{'s' if enemy.steps > 1 else ''}"
        return f"{enemy.id} is not a unit that can be overrun"

    def _check_shifts(self, play: MoveInPlay, defenders: tuple[str, ...]) -> Iterable[Finding]:
        game, label = play.game, play.to
        hexagon = game.board.places[label]
        whom = game.names(defenders)
        terrain = game.rulebook.terrain.terrain.get(hexagon.terrain)
        for shift in self.shifts:
            by_terrain = shift.terrain and terrain is not None and terrain.shift
            by_hex = shift.where is not None and shift.where.matches(hexagon, game.weather(label))
            by_marker = shift.markers is not None and any(
                not game.situation.befriends(marker.side) and shift.markers.matches(marker)
                for marker in play.markers_in(label)
            )
            by_side = shift.hexsides is not None and shift.hexsides.matches(game.board, play.origin, label)
            if by_terrain or by_hex or by_marker or by_side:
                what = f"{shift.name} ({hexagon.terrain})" if by_terrain else shift.name
                yield Finding(self.paragraph, f"{whom} would have a column shift in {label}: {what}", defenders)
            if blamed := self._in_range(play, shift):
                text = f"{whom} would have a column shift in {label}: {shift.name} ({game.names(blamed)})"
                yield Finding(self.paragraph, text, blamed)

    def _in_range(self, play: MoveInPlay, shift: Shift) -> tuple[str, ...]:
        """List the enemies on the map in whose range of support the hex lies."""
        game, found = play.game, []
        for enemy in self._able_to_support(game, shift):
            supporter, at = game.units[enemy], play.position.at.get(enemy)
            if at is not None and not (shift.supplied and supporter.supplied is False):
                reach = shift.range if supporter.support_range is None else supporter.support_range
                if game.board.within(at, play.to, reach):
                    found.append(enemy)
        return game.sorted(found)

    def _able_to_support(self, game: Game, shift: Shift) -> tuple[str, ...]:
        """Return the enemies of the kind that supports, wherever they stand."""
        support = shift.support
        if support is None:
            return ()
        return game.cached(
            (self.id, "able to support", self.shifts.index(shift)),
            lambda: tuple(unit.id for unit in game.units.values() if game.is_enemy(unit.id) and support.matches(unit)),
        )

    def carry_out(self, play: MoveInPlay) -> Iterable[tuple[str, str]]:
        """Yield the defenders of the hex that is overrun, with the boxes to which they go."""
        if play.overrun:
            for enemy in play.enemies_in(play.to):
                if self.defenders.matches(play.game.units[enemy]):
                    yield enemy, box_of(play.game.units[enemy], self.eliminated_to)

    # -- the solver's face

    def same_from_anywhere(self, game: Game, way: str) -> bool:
        """Tell whether what it asks doesn't depend on the hex left: so it is unless hexsides give shifts."""
        return all(shift.hexsides is None for shift in self.shifts)

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield that somebody is there to be overrun, and that whatever would bar it is gone."""
        if arc.victims is None:
            return
        if not arc.victims:
            yield Demand(self.paragraph, NEVER, source=self.id)
            return
        yield Demand(self.paragraph, tuple(frozenset([There(enemy)]) for enemy in arc.victims), source=self.id)
        nobody = when(*map(Gone, arc.victims))
        out_of_phase = bool(self.phases) and game.situation.phase not in self.phases
        wrong_hex = not self.where.matches(game.board.places[arc.to], game.weather(arc.to))
        on_foot = all(way.overruns for way in game.rulebook.ways if way.id == arc.way)
        reasons = {"phase": out_of_phase, "way": not on_foot, "unit": not self.by.matches(unit), "hex": wrong_hex}
        for cause, barred in reasons.items():
            if barred:
                yield Demand(self.paragraph, nobody, cause=cause, source=self.id)
        for one, other in combinations(arc.victims, 2):
            yield Demand(
                self.paragraph, when(Gone(one)) + when(Gone(other)), (one, other), cause="alone", source=self.id
            )
        shifts = [shift.name for shift in self.shifts if self._step_gives_shift(game, shift, arc)]
        for enemy in arc.victims:
            gone = when(Gone(enemy))
            for name in shifts:
                yield Demand(self.paragraph, gone, (enemy,), cause=name, source=self.id)
            if not self.target.matches(game.units[enemy]):
                yield Demand(self.paragraph, gone, (enemy,), cause=f"target {enemy}", source=self.id)
        bystanders = [enemy for enemy in game.enemies_at(arc.to) if enemy not in arc.victims]
        barring = [(enemy, "others") for enemy in bystanders]
        barring += [
            (enemy, f"{shift.name} support") for shift in self.shifts for enemy in self._supporters(game, shift, arc.to)
        ]
        for enemy, cause in barring:
            yield Demand(self.paragraph, when(Gone(enemy)) + nobody, (enemy,), cause=cause, source=self.id)

    def looks_at_afar(self, game: Game, label: str) -> tuple[object, ...]:
        """Return the enemies who would support those in the hex."""
        if not game.enemies_at(label):
            return ()
        return tuple(self._supporters(game, shift, label) for shift in self.shifts)

    def _step_gives_shift(self, game: Game, shift: Shift, arc: Arc) -> bool:
        """Tell whether the hexside, the hex itself, or an enemy marker in it, gives a column shift."""
        label, hexagon = arc.to, game.board.places[arc.to]
        if shift.hexsides is not None and shift.hexsides.matches(game.board, arc.origin, label):
            return True
        chart = game.rulebook.terrain.terrain
        if shift.terrain and not hexagon.box and chart[hexagon.terrain].shift:
            return True
        if shift.where is not None and shift.where.matches(hexagon, game.weather(label)):
            return True
        foreign = (m for m in game.markers_at(label) if not game.situation.befriends(m.side))
        return shift.markers is not None and any(map(shift.markers.matches, foreign))

    def _supporters(self, game: Game, shift: Shift, label: str) -> tuple[str, ...]:
        """Return the enemies that, while they live, give a defender of the hex a column shift of one kind."""
        if shift.support is None:
            return ()
        key, board, homes = (self.id, "support", self.shifts.index(shift)), game.board, game.homes
        able = game.cached(key, lambda: self._supporting(game, shift))
        return game.cached(
            (*key, label), lambda: tuple(enemy for enemy, far in able if board.within(homes[enemy], label, far))
        )

    @staticmethod
    def _supporting(game: Game, shift: Shift) -> list[tuple[str, int]]:
        """Return the enemies who give a shift to defenders in their range, each with that range."""
        assert shift.support is not None
        found = []
        for enemy in game.homes:
            unit, own = game.units[enemy], game.units[enemy].support_range
            fits = game.is_enemy(enemy) and shift.support.matches(unit)
            if fits and not (shift.supplied and unit.supplied is False):
                found.append((enemy, shift.range if own is None else own))
        return found
