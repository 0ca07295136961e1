"""Terms that look beyond the phase: how many turns a unit still needs, and which enemies could attack in theirs.

Both say what units could do by themselves, as if nobody else stood on the board: `planner.objective.marches` knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.hex_lists import Labels, shortly
from planner.formats.spelling import did_you_mean
from planner.objective.base import Linear, OutcomeModel, Tally, unknown_hexes
from planner.objective.costs import CostTerm
from planner.objective.marches import March
from planner.objective.nearness import Remaining
from planner.objective.threats import could_attack
from planner.world.selectors import UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.forces import Unit
    from planner.world.position import Position


class Turns(Remaining):
    """Counts the turns that units still need after this one to come to places, moving with all of their MA in each.

    By themselves, as if nobody else stood on the board, at what the charts say that steps cost in this phase and weather.
    Who needs more than `ahead` turns, or is off the map, counts one more than that.
    """

    kind: Literal["turns"]
    counts_mp: ClassVar[bool] = False
    to: Labels = Field(min_length=1, description="The hexes: one of them is to be reached")
    ahead: int = Field(default=10, ge=1, le=100, description="So many turns are looked ahead")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield the hexes that the map doesn't have, and that it isn't limited where results are rolled."""
        yield from unknown_hexes(game, self.to, "to")
        yield from self.unmeant(game)
        if self.most is not None and game.rulebook.rolled:
            yield "turns can't be limited in games in which results are rolled; avoid and end can", "most"

    def describe(self) -> str:
        """Return what the term counts; as a requirement, what is allowed."""
        return self.told(f"turns more to {shortly(self.to)}")

    def remarks(self, game: Game, position: Position) -> Iterable[str]:
        """Yield for each unit in how many turns it could be there, and by which way."""
        for unit in self._counted_units(game):
            here = position.at.get(unit)
            if here is None or here not in game.board.hexes:
                continue
            route = self._route(game, game.units[unit], here)
            if route is None:
                yield f"{unit} can't be at {shortly(self.to)} in {self.ahead} turns"
            elif len(route) > 1:
                legs = ", then ".join("-".join(leg) for leg in route[1:])
                yield f"{unit} could be at {route[-1][-1]} {len(route) - 1} turn{'s' * (len(route) > 2)} later: {legs}"

    def _counted_units(self, game: Game) -> list[str]:
        there = game.at_first.homes
        return [unit for unit in self._counted(game) if unit in there]

    # -- the referee's face: forward, from where a unit stands

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Add up the turns."""
        total = 0
        for unit in self._counted_units(game):
            here = position.at.get(unit)
            route = None if here is None else self._route(game, game.units[unit], here)
            total += self.ahead + 1 if route is None else len(route) - 1
        return Fraction(total)

    def _route(self, game: Game, unit: Unit, start: str) -> list[list[str]] | None:
        """Return the hexes of each turn of a quickest way, the first where it stands; None if it takes too long."""
        return game.cached((self.to, self.ahead, unit.id, start), partial(self._search, game, unit, start))

    def _search(self, game: Game, unit: Unit, start: str) -> list[list[str]] | None:
        march, routes = March(game, unit), {start: [[start]]}
        edge = [start]
        for turn in range(self.ahead + 1):
            there = [label for label in edge if label in self.to]
            if there or turn == self.ahead or not edge:
                return routes[there[0]] if there else None
            reached = march.forward(edge)
            edge = [label for label in reached if label not in routes]
            routes.update({label: [*routes[way[0]], way[1:]] for label in edge for _, way in [reached[label]]})
        return None

    # -- the solver's face: backward, from the places, a turn at a time

    def _needed(self, game: Game, unit: Unit) -> Mapping[str, int]:
        """Return how many turns the unit needs from each hex from which it comes there in time."""
        return game.cached((self.id_of_places, "needed", unit.id), partial(self._layers, game, unit))

    @property
    def id_of_places(self) -> object:
        """What tells where is to be reached, and how far is looked ahead."""
        return "turns to", self.to, self.ahead

    def _layers(self, game: Game, unit: Unit) -> Mapping[str, int]:
        march, edge = March(game, unit), {label for label in self.to if label in game.board.hexes}
        needed = dict.fromkeys(edge, 0)
        for turn in range(1, self.ahead + 1):
            edge = march.backward(edge) - needed.keys()
            needed.update(dict.fromkeys(edge, turn))
        return needed

    def nearer(self, outcome: OutcomeModel) -> tuple[list[tuple[str, str, int]], int]:
        """Return (unit, hex, how many turns fewer than too many) of each end, and what it comes to if nobody is anywhere."""
        game, found = outcome.game, []
        units = self._counted_units(game)
        for unit in units:
            needed = self._needed(game, game.units[unit])
            found += [
                (unit, label, self.ahead + 1 - needed[label])
                for label in outcome.possible_places(unit)
                if label in needed
            ]
        return found, (self.ahead + 1) * len(units)


class Threat(CostTerm):
    """Counts the attack strength of the enemies that could attack, in their next turn, hexes in which units end.

    A hex counts once, whoever ends in it; with `hexes`, these count, whoever is there. An enemy could attack a hex if it
    stands, or could come with all of its MA by itself, as if nobody else stood on the board, to where it could attack it by
    the rule of attacks, or beside it where there is none: never less than it can do indeed, passages and transport aside.
    Its MA is that of this phase, whichever phase's prices it pays.
    """

    kind: Literal["threat"]
    counted: ClassVar[str] = "strength that could attack"
    averages: ClassVar[bool] = False
    counts_mp: ClassVar[bool] = False
    by: UnitSelector = Field(default=UnitSelector(), description="The enemies that count")
    hexes: Labels = Field(default=(), description="The hexes that count; absent: those in which units of `of` end")
    phase: str = Field(default="", description="The phase whose prices the enemies pay; absent: this one's")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield unknown hexes, an unknown phase, and strengths that are no whole numbers."""
        yield from unknown_hexes(game, self.hexes, "hexes")
        phases = game.rulebook.forces.phases
        if self.phase and self.phase not in phases:
            yield (
                f"phase must be one of {', '.join(phases)}, not {self.phase!r}{did_you_mean(self.phase, phases)}",
                "phase",
            )
        for enemy in self._enemies(game):
            if game.units[enemy].attack.denominator > 1:
                yield f"threat counts whole strengths, and that of {enemy} is {game.units[enemy].attack}", "by"
        yield from self.unmeant(game)
        if self.hexes and self.of != UnitSelector():
            yield "of must not be given with hexes: whoever is there, they count", "of"

    def describe(self) -> str:
        """Return what the term counts; as a requirement, what is allowed."""
        return self.told(f"{self.counted} {shortly(self.hexes)}" if self.hexes else f"{self.counted} where units end")

    def _enemies(self, game: Game) -> list[str]:
        units = (unit for unit in game.order if unit in game.homes)
        return [unit for unit in units if game.is_enemy(unit) and self.by.matches(game.units[unit])]

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Add up, over the hexes, the strengths of the enemies on the map that could attack each."""
        own = {position.at[unit] for unit in self._counted(game) if unit in position.at}
        enemies = [unit for unit in self._enemies(game) if unit in position.at]
        total = Fraction(0)
        for label in dict.fromkeys(self.hexes) if self.hexes else own:
            total += sum((game.units[e].attack for e in enemies if label in self._attackable(game, e)), Fraction(0))
        return total

    def _attackable(self, game: Game, enemy: str) -> frozenset[str]:
        """Return the hexes that an enemy could attack from where it stands."""
        return game.cached(("attackable", self.phase, enemy), partial(self._find_attackable, game, enemy))

    def _find_attackable(self, game: Game, enemy: str) -> frozenset[str]:
        reached = March(game, game.units[enemy], self.phase).forward([game.homes[enemy]])
        return frozenset(to for label in reached for to in could_attack(game, enemy, label))

    # -- the solver's face

    def post(self, outcome: OutcomeModel) -> Linear:
        """Sum, over hexes and enemies that could attack them, whether the hex is held and the enemy lives."""
        game = outcome.game
        if self.hexes:
            held: dict[str, object] = dict.fromkeys(self.hexes, outcome.any_of([True]))
        else:
            ends: dict[str, list[object]] = {}
            for unit in self._counted(game):
                for label in outcome.possible_ends(unit):
                    ends.setdefault(label, []).append(outcome.ends(unit, label))
            held = {label: outcome.any_of(some) for label, some in ends.items()}
        terms = []
        for label, literal in held.items():
            for enemy in self._attackers_of(game, label):
                strength = int(game.units[enemy].attack)
                lives = outcome.negate(outcome.gone(enemy))
                terms.append((strength, outcome.all_of([literal, lives])))
        return Linear(tuple(terms))

    def _attackers_of(self, game: Game, label: str) -> list[str]:
        """Return the enemies that could come to where they could attack a hex, or stand there: from the hex backward."""
        found = []
        for enemy in self._enemies(game):
            near = game.cached(("attacking from", enemy), partial(self._near, game, enemy))
            march = March(game, game.units[enemy], self.phase)
            if game.homes[enemy] in march.backward(near.get(label, ())):
                found.append(enemy)
        return found

    @staticmethod
    def _near(game: Game, enemy: str) -> dict[str, list[str]]:
        """Map each hex to those from which an enemy could attack it."""
        near: dict[str, list[str]] = {}
        for at in game.board.hexes:
            for label in could_attack(game, enemy, at):
                near.setdefault(label, []).append(at)
        return near
