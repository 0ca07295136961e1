"""Terms that ask for something, and can be hard requirements."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from planner.formats.hex_lists import Labels
from planner.objective.base import Linear, OutcomeModel, Tally, Term, unknown_hexes, unknown_units
from planner.rules.roles import Controls
from planner.world.selectors import Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.position import Position


class Hold(Term):
    """Ensures, or counts, that hexes are held: that a unit of the phasing side is in each."""

    kind: Literal["hold"]
    counts_mp: ClassVar[bool] = False
    hexes: Labels = Field(min_length=1, description="The hexes")
    by: UnitSelector = Field(default=UnitSelector(), description="The units that can hold them")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield the hexes that the map doesn't have."""
        return unknown_hexes(game, self.hexes, "hexes")

    def full(self, game: Game) -> int:
        """Return the number of hexes."""
        return len(self.hexes)

    def depends_on(self) -> Iterable[str]:
        """Return the hexes."""
        return self.hexes

    def describe(self) -> str:
        """Return what the term counts."""
        return f"hold {' '.join(self.hexes)}"

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the hexes with a fitting unit of the phasing side."""
        held = 0
        for label in self.hexes:
            inside = [unit for unit in position.units_in(label) if not game.is_enemy(unit)]
            held += any(self.by.matches(game.units[unit]) for unit in inside)
        return Fraction(held)

    def _holders(self, game: Game) -> list[str]:
        return [unit for unit in game.order if unit in game.phasing and self.by.matches(game.units[unit])]

    def post(self, outcome: OutcomeModel) -> Linear:
        """Sum, over the hexes, whether some unit ends there."""
        holders = self._holders(outcome.game)
        ends = ([outcome.ends(u, at) for u in holders if at in outcome.possible_ends(u)] for at in self.hexes)
        return Linear(tuple((1, outcome.any_of(some)) for some in ends))

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Sum the probabilities that the hexes are held."""
        if not outcome.chancy:
            return super().on_average(outcome)
        holders = self._holders(outcome.game)
        return Linear.sum_of(outcome.held_on_average(label, holders) for label in self.hexes)


class Eliminate(Term):
    """Ensures, or counts, that enemies are eliminated."""

    kind: Literal["eliminate"]
    counts_mp: ClassVar[bool] = False
    units: Names = Field(min_length=1, description="The enemy units")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield the units that don't exist or are no enemies."""
        yield from unknown_units(game, self.units, "units")
        for unit in self.units:
            if unit in game.phasing:
                yield f"{unit!r} must be an enemy", "units"

    def full(self, game: Game) -> int:
        """Return the number of units."""
        return len(self.units)

    def depends_on(self) -> Iterable[str]:
        """Return the enemies."""
        return self.units

    def describe(self) -> str:
        """Return what the term counts."""
        return f"eliminate {' '.join(self.units)}"

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the units that are off the map."""
        return Fraction(sum(unit not in position.at for unit in self.units))

    def post(self, outcome: OutcomeModel) -> Linear:
        """Sum over the units whether each is gone."""
        return Linear(tuple((1, outcome.gone(unit)) for unit in self.units))

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Sum the probabilities that the units are gone."""
        if not outcome.chancy:
            return super().on_average(outcome)
        return Linear.sum_of(outcome.gone_on_average(unit) for unit in self.units)


class End(Term):
    """Ensures, or counts, that a unit ends in one of some hexes."""

    kind: Literal["end"]
    counts_mp: ClassVar[bool] = False
    unit: str = Field(description="The unit")
    at: Labels = Field(min_length=1, description="The hexes")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield an unknown unit and unknown hexes."""
        yield from unknown_units(game, [self.unit], "unit")
        yield from unknown_hexes(game, self.at, "at")
        if self.unit in game.units and self.unit not in game.phasing:
            yield f"{self.unit!r} must belong to the phasing side", "unit"

    def depends_on(self) -> Iterable[str]:
        """Return the hexes."""
        return self.at

    def describe(self) -> str:
        """Return what the term counts."""
        return f"{self.unit} ends in {' or '.join(self.at)}"

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Return 1 if the unit stands in one of the hexes."""
        return Fraction(position.at.get(self.unit) in self.at)

    def post(self, outcome: OutcomeModel) -> Linear:
        """Tell whether the unit ends in one of the hexes."""
        return Linear(((1, outcome.ends_among(self.unit, self.at)),))

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Sum the probabilities that the unit ends in one of the hexes."""
        if not outcome.chancy:
            return super().on_average(outcome)
        return Linear.sum_of(outcome.end_on_average(self.unit, label) for label in dict.fromkeys(self.at))


class Stay(Term):
    """Ensures, or counts, that units make no move."""

    kind: Literal["stay"]
    counts_mp: ClassVar[bool] = False
    units: Names = Field(min_length=1, description="The units")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield unknown units."""
        return unknown_units(game, self.units, "units")

    def full(self, game: Game) -> int:
        """Return the number of units."""
        return len(self.units)

    def depends_on(self) -> Iterable[str]:
        """Return nothing: it is moves that count."""
        return ()

    def describe(self) -> str:
        """Return what the term counts."""
        return f"{' '.join(self.units)} stays"

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the units without a move."""
        return Fraction(sum(unit not in tally.mp for unit in self.units))

    def post(self, outcome: OutcomeModel) -> Linear:
        """Subtract each unit's move from the number of units."""
        return Linear(tuple((-1, outcome.moves(unit)) for unit in self.units), len(self.units))

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Subtract the moves that are made whatever is rolled from the number of units."""
        moves = tuple((-1, outcome.surely_moves(unit)) for unit in self.units)
        return Linear(moves, len(self.units)).times(outcome.mp_scale)


def _odds(text: str) -> str:
    match = re.fullmatch(r"\s*(\d{1,4})\s*:\s*(\d{1,4})\s*", text, re.ASCII)
    if match is None or int(match[1]) == 0 or int(match[2]) == 0:
        raise ValueError('must look like "3:1"')
    return text


class Odds(Term):
    """Ensures, or counts, that enough attack strength stands next to a target for the stated odds.

    The attack strengths of all units of the phasing side beside the target, over the defense strengths of the enemies that
    still there. Hexsides that can't be crossed don't count. An emptied target hex, or a target off the map, fulfils any
    odds.
    """

    kind: Literal["odds"]

    averages: ClassVar[bool] = False
    target: str = Field(description="An enemy unit, meaning its hex, or a hex label")
    odds: Annotated[str, AfterValidator(_odds)] = Field(description='Such as "3:1"')
    by: UnitSelector = Field(default=UnitSelector(), description="The units that count")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield an unknown target."""
        return _unknown_target(game, self.target)

    def describe(self) -> str:
        """Return what the term counts."""
        return f"{self.odds.replace(' ', '')} against {self.target}"

    def _ratio(self) -> tuple[int, int]:
        attack, defense = self.odds.split(":")
        return int(attack), int(defense)

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Return 1 if the odds are reached."""
        label = _hex_of(game, self.target)
        if label is None:
            return Fraction(1)
        attack = defense = Fraction(0)
        for unit in position.units_in(label):
            if game.is_enemy(unit):
                defense += game.units[unit].defense
        for neighbour in game.board.neighbours[label]:
            if game.crossable(neighbour, label):
                for unit in position.units_in(neighbour):
                    if not game.is_enemy(unit) and self.by.matches(game.units[unit]):
                        attack += game.units[unit].attack
        wanted, per = self._ratio()
        return Fraction(attack * per >= defense * wanted)

    def post(self, outcome: OutcomeModel) -> Linear:
        """Compare both strengths, brought to whole numbers."""
        game = outcome.game
        label = _hex_of(game, self.target)
        if label is None:
            return Linear(constant=1)
        wanted, per = self._ratio()
        beside = {n for n in game.board.neighbours[label] if game.crossable(n, label)}
        scale = lcm(*(d for u in game.units.values() for d in (u.attack.denominator, u.defense.denominator)))
        terms = []
        for unit in game.order:
            if unit in game.phasing and self.by.matches(game.units[unit]) and game.units[unit].attack:
                strength = int(game.units[unit].attack * per * scale)
                terms.append((strength, outcome.ends_among(unit, beside)))
        for enemy in game.enemies_at(label):
            strength = int(game.units[enemy].defense * wanted * scale)
            if strength:
                terms.append((-strength, outcome.negate(outcome.gone(enemy))))
        return Linear(((1, outcome.at_least(Linear(tuple(terms)), 0)),))


class Surround(Term):
    """Ensures, or counts, that a target is surrounded: each hex beside it is friendly or in a friendly ZOC.

    Hexes beside it that no unit can enter from there don't count. An eliminated target is as good as surrounded.
    """

    kind: Literal["surround"]

    averages: ClassVar[bool] = False
    target: str = Field(description="An enemy unit, or a hex label")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield an unknown target."""
        return _unknown_target(game, self.target)

    def describe(self) -> str:
        """Return what the term counts."""
        return f"surround {self.target}"

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Return 1 if the target is gone or has no open hex beside it."""
        if self.target in game.units and self.target not in position.at:
            return Fraction(1)
        home = _hex_of(game, self.target)
        if home is None:
            return Fraction(1)
        for label in game.board.neighbours[home]:
            if not game.crossable(home, label):
                continue
            if any(not game.is_enemy(unit) for unit in position.units_in(label)):
                continue
            if not any(
                not game.is_enemy(unit)
                and any(_zoc_reaches(game, rule, unit, side, label) for rule in game.rulebook.of(Controls))
                for side in game.board.neighbours[label]
                for unit in position.units_in(side)
            ):
                return Fraction(0)
        return Fraction(1)

    def post(self, outcome: OutcomeModel) -> Linear:
        """Demand for each hex beside the target a unit there, or one whose ZOC reaches it."""
        game = outcome.game
        home = _hex_of(game, self.target)
        if home is None:
            return Linear(constant=1)
        closed = []
        for label in game.board.neighbours[home]:
            if game.crossable(home, label):
                around = game.board.neighbours[label]
                closers = []
                for unit in (u for u in game.order if u in game.phasing):
                    rules = game.rulebook.of(Controls)
                    reaching = {end for end in around if any(_zoc_reaches(game, r, unit, end, label) for r in rules)}
                    closers.append(outcome.ends_among(unit, {label, *reaching}))
                closed.append(outcome.any_of(closers))
        surrounded = outcome.all_of(closed)
        if self.target in game.units:
            surrounded = outcome.any_of([surrounded, outcome.gone(self.target)])
        return Linear(((1, surrounded),))


def _unknown_target(game: Game, target: str) -> Iterable[tuple[str, str]]:
    enemy = target in game.units and target not in game.phasing
    if not enemy and target not in game.board:
        yield f"target must be an enemy unit or a hex of the map, not {target!r}", "target"


def _hex_of(game: Game, target: str) -> str | None:
    """Return the hex of a target: the home of an enemy, None if it is off the map, or a hex of the map."""
    if target in game.units and target not in game.phasing:
        return game.homes.get(target)
    return target if target in game.board else None


def _zoc_reaches(game: Game, rule: Controls, unit: str, origin: str, label: str) -> bool:
    return rule.exerted_by.matches(game.units[unit]) and not rule.blocked_by.matches(game.board, origin, label)
