"""Terms that count where single units end: how near to a place, and what each hex is worth to each unit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import Field, model_validator

from planner.formats.hex_lists import Labels, Rows, shortly
from planner.objective.base import Linear, OutcomeModel, Tally, Term, unknown_hexes, unknown_units
from planner.objective.costs import CostTerm

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.position import Position


class Remaining(CostTerm):
    """Counts how far units still are from where they are to get, each from where it ends."""

    def addends(self, game: Game) -> tuple[Term, ...]:
        """Return how far each unit still is."""
        return self.of_each(game)

    # -- the solver's face

    def nearer(self, outcome: OutcomeModel) -> tuple[list[tuple[str, str, int]], int]:
        """Return (unit, place, how much nearer than nowhere) of each end, and what it comes to if nobody is anywhere."""
        raise NotImplementedError

    def post(self, outcome: OutcomeModel) -> Linear:
        """Subtract from what it comes to nowhere how much nearer each unit ends."""
        nearer, nowhere = self.nearer(outcome)
        return Linear(tuple((-less, outcome.ends(unit, label)) for unit, label, less in nearer), nowhere)

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Do the same with the probabilities of the ends."""
        if not outcome.chancy:
            return super().on_average(outcome)
        nearer, nowhere = self.nearer(outcome)
        parts = (outcome.end_on_average(unit, label).times(-less) for unit, label, less in nearer)
        return Linear.sum_of([*parts, Linear(constant=nowhere * outcome.mp_scale)])


class Distance(Remaining):
    """Counts how many hexes units end away from places, each from the nearest: as near as possible is best.

    Who is not in a hex of the same map sheet counts one hex more than the farthest hex; who was off the map when the phase
    began doesn't count.
    """

    kind: Literal["distance"]
    looks_near: ClassVar[bool] = True
    counts_mp: ClassVar[bool] = False
    to: Labels = Field(min_length=1, description="The hexes: the distance to the nearest of them counts")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield the hexes that the map doesn't have, boxes, and that it isn't limited where results are rolled."""
        yield from unknown_hexes(game, self.to, "to")
        yield from self.unmeant(game)
        yield from (
            (f"{label} must be a hex: a box is at no distance", "to")
            for label in self.to
            if label in game.board and label not in game.board.hexes
        )
        if self.most is not None and game.rulebook.rolled:
            yield "distance can't be limited in games in which results are rolled; avoid and end can", "most"

    def describe(self) -> str:
        """Return what the term counts; as a requirement, what is allowed."""
        return self.told(f"hexes away from {shortly(self.to)}")

    def _counted_units(self, game: Game) -> list[str]:
        there = game.at_first.homes
        return [unit for unit in self._counted(game) if unit in there]

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Add up the distances."""
        return Fraction(sum(self._left(game, position, unit) for unit in self._counted_units(game)))

    def share(self, game: Game, position: Position, unit: str) -> Fraction | None:
        """Return how far it is away."""
        counts = self._counts(game, unit) and unit in game.at_first.homes
        return Fraction(self._left(game, position, unit) if counts else 0)

    def _left(self, game: Game, position: Position, unit: str) -> int:
        here = position.at.get(unit)
        found = [] if here is None else [game.board.distance(here, place) for place in self.to]
        away = [hexes for hexes in found if hexes is not None]
        return min(away) if away else self._beyond(game)

    def _beyond(self, game: Game) -> int:
        """Return one hex more than the farthest hex is away."""
        return 1 + max(game.board.distances(self.to).values(), default=0)

    # -- the solver's face

    def nearer(self, outcome: OutcomeModel) -> tuple[list[tuple[str, str, int]], int]:
        """Return (unit, hex, how many hexes nearer than nowhere) of each end, and what it comes to if nobody is anywhere."""
        game, found = outcome.game, []
        units, beyond, away = self._counted_units(game), self._beyond(game), game.board.distances(self.to)
        for unit in units:
            for label in outcome.possible_places(unit):
                if label in away:
                    found.append((unit, label, beyond - away[label]))
        return found, beyond * len(units)


class Worth(Term):
    """Counts what the hexes in which units end are worth: a table of units and hexes."""

    kind: Literal["worth"]
    looks_near: ClassVar[bool] = True
    counts_mp: ClassVar[bool] = False
    table: Rows = Field(
        description="A line of hexes, and under it a line for each unit: its id, and what each hex is worth to it, whole "
        "numbers from 0 to 1000000, - for nothing",
        min_length=2,
        max_length=5_000,
    )
    at_least: int | None = Field(default=None, ge=0, description="As a requirement: so much at least")

    @model_validator(mode="after")
    def _is_a_table(self) -> Self:
        hexes, *rows = self.table
        if not hexes or len(set(hexes)) < len(hexes):
            raise ValueError("the first line must name hexes, each once")
        for row in rows:
            if len(row) != len(hexes) + 1:
                raise ValueError(f"each line must have a unit and {len(hexes)} numbers, not {' '.join(row)[:60]!r}")
            faulty = next((cell for cell in row[1:] if re.fullmatch(r"-|[0-9]{1,7}", cell) is None), None)
            if faulty is not None or any(cell != "-" and int(cell) > 1_000_000 for cell in row[1:]):
                raise ValueError(f"what a hex is worth must be 0 to 1000000, or -, in the line of {row[0][:40]!r}")
        if len({row[0] for row in rows}) < len(rows):
            raise ValueError("each unit must have one line")
        return self

    @cached_property
    def _of(self) -> dict[str, dict[str, int]]:
        """What hexes are worth, by unit."""
        hexes, *rows = self.table
        return {
            row[0]: {
                label: int(cell) for label, cell in zip(hexes, row[1:], strict=True) if cell != "-" and int(cell) > 0
            }
            for row in rows
        }

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield unknown hexes and units, and units of the other side."""
        units = [row[0] for row in self.table[1:]]
        yield from unknown_hexes(game, self.table[0], "table")
        yield from unknown_units(game, units, "table")
        for unit in units:
            if unit in game.units and unit not in game.friends:
                yield f"{unit!r} must belong to the phasing side", "table"

    def misplaced(self, required: bool) -> Iterable[tuple[str, str]]:
        """Yield that a requirement must say how much is asked for, and a tier mustn't."""
        if required is (self.at_least is None):
            yield (
                ("as a requirement worth must say at_least" if required else "at_least is for requirements"),
                "at_least",
            )

    def full(self, game: Game) -> int:
        """Return what is asked for; in a tier, what all units could come to."""
        return self.highest(game) if self.at_least is None else self.at_least

    def highest(self, game: Game) -> int:
        """Return what the best hex of each unit comes to."""
        return sum(max(hexes.values(), default=0) for hexes in self._of.values())

    def addends(self, game: Game) -> tuple[Term, ...]:
        """Return what the hexes are worth to each unit."""
        hexes, *rows = self.table
        return tuple(Worth(kind=self.kind, weight=self.weight, table=(hexes, row)) for row in rows)

    def depends_on(self) -> Iterable[str]:
        """Return the hexes that are worth something."""
        return tuple(dict.fromkeys(label for hexes in self._of.values() for label in hexes))

    def describe(self) -> str:
        """Return what the term counts; as a requirement, how much is asked for."""
        asked = "" if self.at_least is None else f", {self.at_least} at least"
        return f"worth of {shortly(self.table[0])} to {shortly([row[0] for row in self.table[1:]], 'units')}{asked}"

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Add up what the hexes are worth in which the units stand."""
        columns = {label: column for column, label in enumerate(self.table[0], 1)}
        total = 0
        for row in self.table[1:]:
            column = columns.get(position.at.get(row[0], ""))
            if column is not None and row[column] != "-":
                total += int(row[column])
        return Fraction(total)

    def share(self, game: Game, position: Position, unit: str) -> Fraction | None:
        """Return what the unit's hex is worth."""
        return Fraction(self._of.get(unit, {}).get(position.at.get(unit, ""), 0))

    # -- the solver's face

    def post(self, outcome: OutcomeModel) -> Linear:
        """Sum over units and hexes what each end is worth."""
        parts = (
            (worth, outcome.ends(unit, label))
            for unit, hexes in self._of.items()
            for label, worth in hexes.items()
            if label in outcome.possible_ends(unit)
        )
        return Linear(tuple(parts))

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Sum the same with the probabilities of the ends."""
        if not outcome.chancy:
            return super().on_average(outcome)
        return Linear.sum_of(
            outcome.end_on_average(unit, label).times(worth)
            for unit, hexes in self._of.items()
            for label, worth in hexes.items()
            if label in outcome.possible_places(unit)
        )
