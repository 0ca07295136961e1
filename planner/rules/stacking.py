"""How many units may end in one hex."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from planner.forces import Unit
from planner.mp import MP, format_mp
from planner.position import Position
from planner.rules.base import NEVER, Demand, EndState, Finding, Rule
from planner.selectors import HexSelector, UnitSelector

if TYPE_CHECKING:
    from planner.game import Game


class Limit(BaseModel):
    """How much a hex holds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    where: HexSelector = Field(default=HexSelector(), description="The hexes; the first limit that fits a hex holds")
    units: int | None = Field(default=None, ge=0, description="So many units at most")
    size: MP | None = Field(default=None, description="So much in size at most")
    steps: int | None = Field(default=None, ge=0, description="So many steps at most")


class AtMost(BaseModel):
    """Units of which a hex holds only so many."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    units: UnitSelector = Field(description="The units")
    at_most: int = Field(default=1, ge=0, description="So many at most")
    name: str = Field(description="What messages call them")


class Stacking(Rule):
    """Ensures that no hex holds more than the limit once the phase is over; passing through is free, and so are boxes."""

    kind: Literal["stacking"]
    counts: UnitSelector = Field(default=UnitSelector(), description="The units that count towards the limits")
    limits: tuple[Limit, ...] = Field(description="The limits")
    at_most: tuple[AtMost, ...] = Field(default=(), description="Further limits for units of a class")
    size_called: str = Field(default="size", max_length=20, description="What messages call size")
    apart: UnitSelector | None = Field(
        default=None, description="Units that never end in one hex with such a unit of another nationality"
    )
    apart_exempt: UnitSelector | None = Field(default=None, description="Units that `apart` doesn't bind; absent: none")

    summary: ClassVar[str] = "A hex holds so many units and steps, and only so many of a class, at the end of a phase."

    # -- the referee's face

    def check_end(self, game: Game, position: Position) -> Iterable[tuple[str | None, Finding]]:
        """Yield a finding for each limit that a hex exceeds."""
        for label in game.board.hexes:
            inside = [game.units[unit] for unit in position.units_in(label) if not game.is_enemy(unit)]
            if not inside:
                continue
            counted = [unit for unit in inside if self.counts.matches(unit)]
            ids = game.sorted(unit.id for unit in counted)
            weather = game.weather(label)
            limit = next((lim for lim in self.limits if lim.where.matches(game.board.hexes[label], weather)), None)
            if limit is not None:
                steps = sum(unit.steps for unit in counted)
                size = sum((unit.size for unit in counted), Fraction(0))
                if limit.size is not None and size > limit.size:
                    most, found = format_mp(limit.size), format_mp(size)
                    text = f"{label} holds {found} {self.size_called}, at most {most} may stay"
                    yield None, Finding(self.paragraph, text, ids, label)
                if limit.units is not None and len(counted) > limit.units:
                    text = f"{label} holds {len(counted)} units, at most {limit.units} may stay"
                    yield None, Finding(self.paragraph, text, ids, label)
                if limit.steps is not None and steps > limit.steps:
                    text = f"{label} holds {steps} steps, at most {limit.steps} may stay"
                    yield None, Finding(self.paragraph, text, ids, label)
            for further in self.at_most:
                few = game.sorted(unit.id for unit in inside if further.units.matches(unit))
                if len(few) > further.at_most:
                    text = f"{label} holds {len(few)} {further.name} units, at most {further.at_most} may stay"
                    yield None, Finding(self.paragraph, text, few, label)
            if self.apart is not None:
                strangers = [
                    unit
                    for unit in counted
                    if self.apart.matches(unit) and not (self.apart_exempt and self.apart_exempt.matches(unit))
                ]
                if len({self._strange_to(game, unit) for unit in strangers}) > 1:
                    names = game.sorted(unit.id for unit in strangers)
                    text = f"{game.names(names)} may not stay together in {label}: units of different minor countries"
                    yield None, Finding(self.paragraph, text, names, label)

    def _strange_to(self, game: Game, unit: Unit) -> frozenset[str]:
        """Return those of a unit's nationalities by which it is kept apart."""
        assert self.apart is not None
        chart = game.rulebook.forces.nationalities
        return frozenset(
            name
            for name in unit.nationalities
            if name not in chart or set(chart[name].traits).issuperset(self.apart.nationality_traits)
        )

    # -- the solver's face

    def post_end(self, end: EndState) -> None:
        """Ensure that the units that end in a hex stay within its limits."""
        game = end.game
        guests: dict[str, list[str]] = {}
        for unit in game.order:
            if unit in game.phasing:
                for label in end.possible_stands(unit):
                    guests.setdefault(label, []).append(unit)
        for label, units in guests.items():
            if game.board.places[label].box:
                continue  # a box holds any number
            hexagon, weather = game.board.hexes[label], game.weather(label)
            counted = [unit for unit in units if self.counts.matches(game.units[unit])]
            for limit in self.limits:
                if limit.where.matches(hexagon, weather):
                    if limit.units is not None:
                        self._post(end, label, [(1, unit) for unit in counted], limit.units, "units")
                    if limit.size is not None:
                        sizes = [game.units[unit].size for unit in counted]
                        whole = lcm(limit.size.denominator, *(size.denominator for size in sizes))
                        weights = [(int(size * whole), unit) for size, unit in zip(sizes, counted, strict=True)]
                        self._post(end, label, weights, int(limit.size * whole), "size")
                    if limit.steps is not None:
                        self._post(end, label, [(game.units[u].steps, u) for u in counted], limit.steps, "steps")
                    break
            for further in self.at_most:
                few = [unit for unit in units if further.units.matches(game.units[unit])]
                self._post(end, label, [(1, unit) for unit in few], further.at_most, further.name)
            if self.apart is not None:
                bound = (unit for unit in counted if self.apart.matches(game.units[unit]))
                exempt = self.apart_exempt
                strangers = [unit for unit in bound if exempt is None or not exempt.matches(game.units[unit])]
                wanted = set(self.apart.nationality_traits)
                nations = game.rulebook.forces.nationalities
                own = {
                    unit: {
                        n for n in game.units[unit].nationalities if n not in nations or wanted <= {*nations[n].traits}
                    }
                    for unit in strangers
                }
                for one, other in combinations(strangers, 2):
                    if own[one] != own[other]:
                        self._post(end, label, [(1, one), (1, other)], 1, "apart")

    def _post(self, end: EndState, label: str, weights: list[tuple[int, str]], limit: int, cause: str) -> None:
        if sum(weight for weight, _ in weights) > limit:
            demand = Demand(
                self.paragraph, NEVER, tuple(unit for _, unit in weights), at=label, cause=cause, source=self.id
            )
            end.at_most([(weight, end.stands(unit, label)) for weight, unit in weights], limit, demand)
