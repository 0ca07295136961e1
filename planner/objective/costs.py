"""Terms that count what a plan should avoid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.mp import MP
from planner.formats.spoken_numbers import spoken_number
from planner.objective.base import Linear, OutcomeModel, Tally, Term
from planner.world.selectors import UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.position import Position


class CostTerm(Term):
    """A term that counts what is to be avoided, of some of the phasing side's units."""

    of: UnitSelector = Field(default=UnitSelector(), description="The units of the phasing side that count")
    most: MP | None = Field(default=None, description="As a requirement: so much at most")

    sign: ClassVar[int] = -1
    in_mp: ClassVar[bool] = False
    """Whether what is counted are MP, which are scaled in models."""

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield that it is about enemies alone."""
        return self.unmeant(game)

    def unmeant(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield that `of` fits enemies alone, who don't count; where there are no friends, only if it names them."""
        fitting = [unit for unit, counter in game.units.items() if self.of.matches(counter)]
        if fitting and game.friends.isdisjoint(fitting) and (game.friends or self.of.units):
            yield f"of must fit units of the phasing side, not {fitting[0]}", "of"

    def misplaced(self, required: bool) -> Iterable[tuple[str, str]]:
        """Yield that a requirement must say how much is allowed, and a tier mustn't."""
        if required and self.most is None:
            yield f"as a requirement {self.kind} must say how much is allowed at most", "most"
        elif not required and self.most is not None:
            yield "most must be given only in a requirement", "most"

    def describe(self) -> str:
        """Return what the term counts; as a requirement, what is allowed."""
        return self.told(self.counted)

    def told(self, counted: str) -> str:
        """Return what the term counts in words; as a requirement, what is allowed."""
        if self.most is None:
            return counted
        who = (
            f" by {' or '.join(self.of.units)}"
            if self.of.units
            else " by some units"
            if self.of != UnitSelector()
            else ""
        )
        counted = re.sub(r"^(unit|hexe?|turn)s\b", _singular, counted) if self.most == 1 else counted
        return f"at most {spoken_number(self.most)} {counted}{who}"

    def holds(self, game: Game, position: Position, tally: Tally) -> bool:
        """Tell whether it isn't more than is allowed."""
        return self.most is None or self.score(game, position, tally) <= self.most

    def required(self, outcome: OutcomeModel) -> Linear:
        """Return by how much it is less than is allowed."""
        allowed = 0 if self.most is None else floor(self.most * (outcome.mp_scale if self.in_mp else 1))
        return Linear.sum_of([self.post(outcome).times(-1), Linear(constant=allowed)])

    def of_each(self, game: Game) -> tuple[Term, ...]:
        """Return the same term of each unit by itself."""
        alone = (UnitSelector(units=(unit,)) for unit in self._counted(game))
        return tuple(self.model_copy(update={"of": of}) for of in alone)

    def _counted(self, game: Game) -> list[str]:
        return [unit for unit in game.order if self._counts(game, unit)]

    def _counts(self, game: Game, unit: str) -> bool:
        return unit in game.friends and self.of.matches(game.units[unit])


def _singular(plural: re.Match[str]) -> str:
    return plural[1].removesuffix("e")


class Exposure(CostTerm):
    """Counts the units that end next to enemies."""

    kind: Literal["exposure"]
    looks_near: ClassVar[bool] = True
    counted: ClassVar[str] = "units next to enemies"
    averages: ClassVar[bool] = False
    next_to: UnitSelector = Field(default=UnitSelector(), description="The enemies that count")

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the units beside a hex with a fitting enemy."""
        return Fraction(sum(self._is_exposed(game, position, unit) for unit in self._counted(game)))

    def share(self, game: Game, position: Position, unit: str) -> Fraction | None:
        """Return 1 if the unit is one of them."""
        return Fraction(self._counts(game, unit) and self._is_exposed(game, position, unit))

    def _is_exposed(self, game: Game, position: Position, unit: str) -> bool:
        label = position.at.get(unit)
        return label is not None and any(
            game.is_enemy(other) and self.next_to.matches(game.units[other])
            for neighbour in game.board.neighbours[label]
            for other in position.units_in(neighbour)
        )

    def post(self, outcome: OutcomeModel) -> Linear:
        """Sum, over units and ends, whether the unit ends there while an enemy beside it lives."""
        game = outcome.game
        threatened: dict[str, list[str]] = {}
        for enemy, home in game.homes.items():
            if enemy not in game.friends and self.next_to.matches(game.units[enemy]):
                for label in game.board.neighbours[home]:
                    threatened.setdefault(label, []).append(enemy)
        danger = {
            label: outcome.any_of([outcome.negate(outcome.gone(enemy)) for enemy in enemies])
            for label, enemies in threatened.items()
        }
        return Linear(
            tuple(
                (1, outcome.all_of([outcome.ends(unit, label), danger[label]]))
                for unit in self._counted(game)
                for label in outcome.possible_ends(unit)
                if label in danger
            )
        )


class UnitsMoved(CostTerm):
    """Counts the units that move."""

    kind: Literal["units_moved"]
    looks_near: ClassVar[bool] = True
    counted: ClassVar[str] = "units moved"
    counts_mp: ClassVar[bool] = False

    def depends_on(self) -> Iterable[str]:
        """Return nothing: it is moves that count."""
        return ()

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the units with a move."""
        return Fraction(sum(self._counts(game, unit) for unit in tally.mp))

    def post(self, outcome: OutcomeModel) -> Linear:
        """Sum the units' moves."""
        return Linear(tuple((1, outcome.moves(unit)) for unit in self._counted(outcome.game)))

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Sum the moves that are made whatever is rolled."""
        moves = tuple((1, outcome.surely_moves(unit)) for unit in self._counted(outcome.game))
        return Linear(moves).times(outcome.mp_scale)


class MpSpent(CostTerm):
    """Counts the MP that units spend."""

    kind: Literal["mp_spent"]
    looks_near: ClassVar[bool] = True
    counted: ClassVar[str] = "MP spent"
    in_mp: ClassVar[bool] = True

    def depends_on(self) -> Iterable[str]:
        """Return nothing: it is moves that count."""
        return ()

    def addends(self, game: Game) -> tuple[Term, ...]:
        """Return the MP that each unit spends."""
        return self.of_each(game)

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Add up the MP of all moves."""
        # Fractions take their time to be added, and nearly all of them have one of few denominators.
        parts: Counter[int] = Counter()
        for unit in dict.fromkeys(self.of.units) or tally.mp:
            if unit in tally.mp and self._counts(game, unit):
                mp = tally.mp[unit]
                parts[mp.denominator] += mp.numerator
        return sum((Fraction(part, denominator) for denominator, part in parts.items()), Fraction(0))

    def post(self, outcome: OutcomeModel) -> Linear:
        """Add up the units' MP, scaled."""
        return Linear.sum_of(outcome.mp(unit) for unit in self._counted(outcome.game))

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Add up the units' MP, which are scaled already, and averaged where results are rolled."""
        return self.post(outcome)
