"""Terms that ask for something, and can be hard requirements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from planner.formats.hex_lists import LONGEST_TOLD, Labels, shortly
from planner.objective.base import Linear, OutcomeModel, Tally, Term, unknown_hexes, unknown_units
from planner.rules.combat_roles import Bogs, JointlyOverruns
from planner.rules.later_roles import Outlasts
from planner.rules.roles import Controls
from planner.world.selectors import Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.position import Position


class Hold(Term):
    """Ensures, or counts, that hexes are held: that a unit of the phasing side is in each."""

    kind: Literal["hold"]
    looks_near: ClassVar[bool] = True
    asks_for: ClassVar[str] = "hexes"
    adds_up: ClassVar[str] = "hexes"
    counts_mp: ClassVar[bool] = False
    hexes: Labels = Field(min_length=1, description="The hexes")
    by: UnitSelector = Field(default=UnitSelector(), description="The units that can hold them")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield the hexes that the map doesn't have."""
        return unknown_hexes(game, self.hexes, "hexes")

    def depends_on(self) -> Iterable[str]:
        """Return the hexes."""
        return self.hexes

    def describe(self) -> str:
        """Return what the term counts."""
        return f"hold {shortly(self.hexes)}"

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the hexes with a fitting unit of the phasing side."""
        held = 0
        for label in self.hexes:
            inside = [unit for unit in position.units_in(label) if not game.is_enemy(unit)]
            held += any(self.by.matches(game.units[unit]) for unit in inside)
        return Fraction(held)

    def _holders(self, game: Game) -> list[str]:
        return [unit for unit in game.order if unit in game.friends and self.by.matches(game.units[unit])]

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
    looks_near: ClassVar[bool] = True
    asks_for: ClassVar[str] = "units"
    adds_up: ClassVar[str] = "units"
    counts_mp: ClassVar[bool] = False
    units: Names = Field(min_length=1, description="The enemy units")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield the units that don't exist or are no enemies."""
        yield from unknown_units(game, self.units, "units")
        for unit in self.units:
            if unit in game.friends:
                yield f"{unit!r} must be an enemy", "units"

    def depends_on(self) -> Iterable[str]:
        """Return the enemies."""
        return self.units

    def describe(self) -> str:
        """Return what the term counts."""
        return f"eliminate {shortly(self.units, 'units')}"

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
    """Ensures, or counts, that a unit ends in one of some hexes, in none of some, or sound.

    A unit is sound that is on the map, and is neither demoralized nor bogged down, and wasn't when the phase began.
    """

    kind: Literal["end"]
    looks_near: ClassVar[bool] = True
    counts_mp: ClassVar[bool] = False
    unit: str = Field(description="The unit")
    at: Labels = Field(default=(), description="The hexes; absent: any")
    not_at: Labels = Field(default=(), description="The hexes in which it must not end")
    sound: bool = Field(default=False, description="Whether it must be on the map, neither demoralized nor bogged down")

    @model_validator(mode="after")
    def _asks_for_something(self) -> End:
        if not (self.at or self.not_at or self.sound):
            raise ValueError("at, not_at or sound must be given: where, or how, is it to end?")
        return self

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield an unknown unit and unknown hexes, and that it can't be told who is sound."""
        yield from unknown_units(game, [self.unit], "unit")
        yield from unknown_hexes(game, self.at, "at")
        yield from unknown_hexes(game, self.not_at, "not_at")
        if self.unit in game.units and self.unit not in game.friends:
            yield f"{self.unit!r} must belong to the phasing side", "unit"
        if self.sound and bool(game.rulebook.of(Bogs)) and bool(game.rulebook.of(JointlyOverruns)):
            yield (
                "who is sound isn't counted in games in which units bog down, and overrun together: where it ends may be",
                "sound",
            )

    def depends_on(self) -> Iterable[str] | None:
        """Return the hexes; where it must not end, it may be of use to end anywhere else."""
        return self.at if self.at and not self.sound else None

    def concerns(self) -> Iterable[str]:
        """Return the unit of which alone it matters where it ends."""
        return (self.unit,)

    def describe(self) -> str:
        """Return what the term counts."""
        if not (self.at or self.sound):
            return f"{self.unit} does not end in {_or(self.not_at)}"
        where = f" in {_or(self.at)}" if self.at else ""
        but = f" but not in {_or(self.not_at)}" if self.not_at else ""
        return f"{self.unit} ends{' sound' if self.sound else ''}{where}{but}"

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Return 1 if the unit stands where it may, and is sound, if it must be."""
        here = position.at.get(self.unit)
        if (self.at and here not in self.at) or here in self.not_at:
            return Fraction(0)
        if self.sound:
            shaken = self.unit in position.demoralized or self.unit in position.bogged
            return Fraction(here is not None and not shaken and not _was_harmed(game, self.unit))
        return Fraction(1)

    def is_lost(self, game: Game, position: Position) -> bool:
        """Tell whether the unit is to end sound and, whatever is done, can't: nobody recovers in a phase."""
        harmed = self.unit in position.demoralized or self.unit in position.bogged or _was_harmed(game, self.unit)
        return self.sound and harmed

    # -- the solver's face

    def _fits(self, label: str) -> bool:
        return (not self.at or label in self.at) and label not in self.not_at

    def _arrivals(self, outcome: OutcomeModel) -> list[tuple[Fraction, object]]:
        """Return how it may come to end sound where it may, each with how likely that is."""
        game, found = outcome.game, list[tuple[Fraction, object]]()
        if _was_harmed(game, self.unit):
            return found
        if self._fits(game.homes.get(self.unit, "")) and self.unit in game.homes:
            found.append((Fraction(1), outcome.negate(outcome.surely_moves(self.unit))))
        found += [(chance, literal) for label, _, chance, literal in outcome.arrivals(self.unit) if self._fits(label)]
        return found

    def post(self, outcome: OutcomeModel) -> Linear:
        """Tell whether the unit ends where it may; where units bog down, and it must be sound, for certain."""
        if self.sound and outcome.game.rulebook.of(Bogs):
            certain = (literal for chance, literal in self._arrivals(outcome) if chance >= outcome.confidence)
            return Linear(((1, outcome.any_of(certain)),))
        if self.sound and (_was_harmed(outcome.game, self.unit) or self.unit not in outcome.game.homes):
            return Linear()
        places = [label for label in outcome.possible_places(self.unit) if self._fits(label)]
        away = not self.at and self.unit not in outcome.game.homes
        return Linear(((1, outcome.ends_among(self.unit, places)),), int(away))

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Sum the probabilities that the unit ends where it may."""
        if not outcome.chancy:
            return super().on_average(outcome)
        if self.sound and outcome.game.rulebook.of(Bogs):
            return Linear(tuple((int(chance * outcome.mp_scale), x) for chance, x in self._arrivals(outcome)))
        if self.sound and _was_harmed(outcome.game, self.unit):
            return Linear()
        if self.unit not in outcome.game.homes:
            return super().on_average(outcome)
        places = (label for label in outcome.possible_places(self.unit) if self._fits(label))
        return Linear.sum_of(outcome.end_on_average(self.unit, label) for label in places)


def _or(labels: Sequence[str]) -> str:
    return " or ".join(labels) if len(labels) <= LONGEST_TOLD else f"one of {shortly(labels)}"


def _was_harmed(game: Game, unit: str) -> bool:
    """Tell whether a unit bears a mark of harm when the phase begins."""
    return any(
        rule.mark_of_harm in game.units[unit].traits
        for rule in game.rulebook.of(Outlasts)
        if rule.mark_of_harm is not None
    )


class Stay(Term):
    """Ensures, or counts, that units make no move in the phase; moves that have been made in it count."""

    kind: Literal["stay"]
    looks_near: ClassVar[bool] = True
    asks_for: ClassVar[str] = "units"
    adds_up: ClassVar[str] = "units"
    counts_mp: ClassVar[bool] = False
    units: Names = Field(min_length=1, description="The units")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield unknown units."""
        return unknown_units(game, self.units, "units")

    def depends_on(self) -> Iterable[str]:
        """Return nothing: it is moves that count."""
        return ()

    def describe(self) -> str:
        """Return what the term counts."""
        return f"{' '.join(self.units)} {'stay' if len(self.units) > 1 else 'stays'}"

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

    Each target by itself: a unit counts towards every one that it is beside. The attack strengths of all units of the
    phasing side beside the target, over the defense strengths of the enemies still there. Hexsides that can't be
    crossed don't count. A hex that the plan empties is as good as attacked, so that no plan spares the target for the odds'
    sake; where no enemy was from the start, there are no odds, nor without attackers.
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
        return f"{self.odds.replace(' ', '')} against {self.target} by itself"

    def _ratio(self) -> tuple[int, int]:
        attack, defense = self.odds.split(":")
        return int(attack), int(defense)

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Return 1 if the odds are reached."""
        label = _hex_of(game, self.target)
        if label is None or not _was_held(game, label):
            return Fraction(0)
        defenders = [unit for unit in position.units_in(label) if game.is_enemy(unit)]
        if not defenders:
            return Fraction(1)
        attack, defense = Fraction(0), sum((game.units[unit].defense for unit in defenders), Fraction(0))
        for neighbour in game.board.neighbours[label]:
            if game.crossable(neighbour, label):
                for unit in position.units_in(neighbour):
                    if not game.is_enemy(unit) and self.by.matches(game.units[unit]):
                        attack += game.units[unit].attack
        wanted, per = self._ratio()
        return Fraction(attack > 0 and attack * per >= defense * wanted)

    def post(self, outcome: OutcomeModel) -> Linear:
        """Compare both strengths, brought to whole numbers."""
        game = outcome.game
        label = _hex_of(game, self.target)
        if label is None or not _was_held(game, label):
            return Linear(constant=0)
        defenders = game.enemies_at(label)
        if not defenders:  # it has been emptied in the phase before what is asked
            return Linear(constant=1)
        wanted, per = self._ratio()
        beside = {n for n in game.board.neighbours[label] if game.crossable(n, label)}
        scale = lcm(*(d for u in game.units.values() for d in (u.attack.denominator, u.defense.denominator)))
        terms, attackers = [], []
        for unit in game.order:
            if unit in game.friends and self.by.matches(game.units[unit]) and game.units[unit].attack:
                strength = int(game.units[unit].attack * per * scale)
                attackers.append(outcome.ends_among(unit, beside))
                terms.append((strength, attackers[-1]))
        for enemy in defenders:
            strength = int(game.units[enemy].defense * wanted * scale)
            if strength:
                terms.append((-strength, outcome.negate(outcome.gone(enemy))))
        reached = outcome.at_least(Linear(tuple(terms)), 0)
        if not all(game.units[enemy].defense for enemy in defenders):
            emptied = outcome.all_of([outcome.gone(enemy) for enemy in defenders])
            reached = outcome.any_of([emptied, outcome.all_of([reached, outcome.any_of(attackers)])])
        return Linear(((1, reached),))


class Surround(Term):
    """Ensures, or counts, that a target is surrounded: each hex beside it is friendly or in a friendly ZOC.

    Hexes beside it that no unit can enter from there don't count. A target that the plan eliminates is as good as
    surrounded; one that wasn't on the map from the start is not.
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
        home = _hex_of(game, self.target)
        if home is None:
            return Fraction(0)
        if self.target in game.units and self.target not in position.at:
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
            return Linear(constant=0)
        if self.target in game.units and self.target not in game.homes:
            return Linear(constant=1)
        closed = []
        for label in game.board.neighbours[home]:
            if game.crossable(home, label):
                around = game.board.neighbours[label]
                closers = []
                for unit in (u for u in game.order if u in game.friends):
                    rules = game.rulebook.of(Controls)
                    reaching = {end for end in around if any(_zoc_reaches(game, r, unit, end, label) for r in rules)}
                    closers.append(outcome.ends_among(unit, {label, *reaching}))
                closed.append(outcome.any_of(closers))
        surrounded = outcome.all_of(closed)
        if self.target in game.units:
            surrounded = outcome.any_of([surrounded, outcome.gone(self.target)])
        return Linear(((1, surrounded),))


def _unknown_target(game: Game, target: str) -> Iterable[tuple[str, str]]:
    enemy = target in game.units and target not in game.friends
    if not enemy and target not in game.board.hexes:
        yield f"target must be an enemy unit or a hex of the map, not {target!r}", "target"


def _hex_of(game: Game, target: str) -> str | None:
    """Return the hex of a target: the home of an enemy, or a hex of the map; None: it is off the map, or in a box.

    Of an enemy that has been eliminated in the phase before what is asked it is the one in which it was.
    """
    enemy = target in game.units and target not in game.friends
    labels = (game.homes.get(target), game.at_first.homes.get(target)) if enemy else (target,)
    return next((label for label in labels if label in game.board.hexes), None)


def _was_held(game: Game, label: str) -> bool:
    """Tell whether enemies are in a hex, or were as the phase began."""
    return bool(game.enemies_at(label) or game.at_first.enemies_at(label))


def _zoc_reaches(game: Game, rule: Controls, unit: str, origin: str, label: str) -> bool:
    return rule.exerted_by.matches(game.units[unit]) and not rule.barriers_of(game.units[unit]).matches(
        game.board, origin, label
    )
