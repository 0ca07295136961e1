"""Overruns by stacks: units that move together attack the enemies in a hex, at odds, and enter it if these give way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from planner.chance import Probability
from planner.forces import Unit
from planner.mp import MP, format_mp
from planner.odds import Odds
from planner.rules.base import NEVER, Arc, Conjunction, Demand, Finding, Gone, MoveInPlay, Room, There
from planner.rules.overrun import AnyOverrun, Destination
from planner.selectors import HexSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.game import Game
    from planner.rulebook import Rulebook


class Modifier(BaseModel):
    """By what the strength of certain units is multiplied in an overrun of certain hexes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    of: Literal["attack", "defense"] = Field(description="Whose strength")
    units: UnitSelector = Field(default=UnitSelector(), description="The units")
    where: HexSelector = Field(default=HexSelector(), description="The hexes that are overrun")
    times: MP = Field(description="By what their strength is multiplied")
    assumed: bool = Field(default=False, description="No text gives the value")


class Column(BaseModel):
    """A column of the table of results."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    odds: Odds = Field(description="The odds from which on it holds, attack to defense, such as 3:1")
    chance: Probability = Field(description="The probability that the defenders are gone")
    assumed: bool = Field(default=False, description="No text gives the value")


class JointOverrun(AnyOverrun):
    """Ensures that only the right units overrun together, at odds that the table of results has.

    All units that make the step attack together. If the defenders are gone, the units occupy the hex; if not, they stay
    where they are, and their move is over.
    """

    kind: Literal["joint_overrun"]
    by: UnitSelector = Field(default=UnitSelector(), description="The units that can overrun")
    at_least_one: UnitSelector | None = Field(
        default=None, description="Of the units that overrun together, one must be such a unit; absent: any will do"
    )
    most_units: int | None = Field(default=None, ge=1, le=100, description="So many overrun together at most")
    defenders: UnitSelector = Field(default=UnitSelector(), description="The enemies that defend a hex")
    bystanders: bool = Field(
        default=True, description="Whether enemies that don't defend are eliminated too; otherwise they bar the overrun"
    )
    phases: Names = Field(default=(), description="The phases in which overruns are possible; none named: all")
    where: HexSelector = Field(default=HexSelector(), description="The hexes in which they are")
    price: MP | None = Field(
        default=None, description="MP for each attempt, the hex included; absent: those of the hex"
    )
    extra: MP = Field(default=Fraction(0), description="MP on top of those of the hex")
    entry_at_most: MP | None = Field(
        default=None,
        description="What hex and hexside would cost each unit off the road must be at most this, and not its whole MA",
    )
    size_at_most: MP | None = Field(
        default=None, description="The size of all friends in the hex from which it is made must be at most this"
    )
    size_counts: UnitSelector = Field(default=UnitSelector(), description="The friends whose size counts")
    attempts: int = Field(default=1, ge=1, le=9, description="How often a hex may be tried by one move")
    modifiers: tuple[Modifier, ...] = Field(default=(), description="What changes strengths; all that fit multiply")
    results: tuple[Column, ...] = Field(min_length=1, description="The table of results, by rising odds")
    eliminated_to: tuple[Destination, ...] = Field(description="Where eliminated units go; the first that fits holds")

    joint: ClassVar[bool] = True
    rolls: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "Units that move together attack an enemy's hex at odds, and enter it if the defenders are gone."
    )

    @property
    def best_chance(self) -> Fraction:
        """The probability of the likeliest overrun to go through."""
        return 1 - (1 - max(column.chance for column in self.results)) ** self.attempts

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield what is wrong with phases and table."""
        yield from rulebook.unknown("phases", self.phases)
        odds = [column.odds for column in self.results]
        if odds != sorted(set(odds)):
            yield "results must have rising odds"

    def destination(self, unit: Unit) -> str:
        """Return the box to which an eliminated unit goes."""
        return next((place.box for place in self.eliminated_to if place.units.matches(unit)), "eliminated")

    def victims(self, game: Game, enemies: Iterable[str]) -> tuple[str, ...]:
        """Return which of the enemies in a hex an overrun of it would eliminate; none where nobody defends it."""
        there = tuple(enemies)
        defenders = tuple(enemy for enemy in there if self.defenders.matches(game.units[enemy]))
        return there if defenders and self.bystanders else defenders

    # -- the referee's face

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what bars one of the units from the overrun."""
        if not play.overrun:
            return
        game, unit, label = play.game, play.unit, play.to
        if self.phases and game.situation.phase not in self.phases:
            yield Finding(self.paragraph, f"no overruns in this phase ({game.situation.phase})")
        if not self.by.matches(unit):
            yield Finding(self.paragraph, f"{unit.id} is not a unit that can overrun")
        if not self.where.matches(game.board.places[label], game.weather(label)):
            yield Finding(self.paragraph, f"no overruns in {label}")
        if play.way is not None and not play.way.overruns:
            yield Finding(self.paragraph, f"no overruns from {play.origin} to {label}: it is no step on foot")
        if self.entry_at_most is not None:
            features = game.board.hexside(play.origin, label)
            cost = game.rulebook.terrain.entry_cost(game.board.places[label], features, unit, game.situation.phase)
            if cost is None or cost.all or cost.mp > self.entry_at_most:
                most = format_mp(self.entry_at_most)
                what = (
                    "is prohibited"
                    if cost is None
                    else "takes the whole MA"
                    if cost.all
                    else f"costs {format_mp(cost.mp)}"
                )
                yield Finding(
                    self.paragraph, f"{unit.id} can't overrun {label}: entry {what}, at most {most} off the road"
                )

    def check_together(self, stack: Sequence[MoveInPlay]) -> Iterable[Finding]:
        """Yield what bars the units together: nobody there, too many, the wrong ones, too low odds."""
        first = stack[0]
        if not first.overrun:
            return
        game, label = first.game, first.to
        enemies = first.enemies_in(label)
        defenders = tuple(enemy for enemy in enemies if self.defenders.matches(game.units[enemy]))
        who = game.names([play.unit.id for play in stack])
        if not defenders:
            yield Finding(self.paragraph, f"{who} has nothing to overrun in {label}")
            return
        others = tuple(enemy for enemy in enemies if enemy not in defenders)
        if others and not self.bystanders:
            yield Finding(self.paragraph, f"{game.names(others)} in {label} bars the overrun", others)
        if self.most_units is not None and len(stack) > self.most_units:
            yield Finding(self.paragraph, f"{who} are too many: at most {self.most_units} may overrun together")
        if self.at_least_one is not None and not any(self.at_least_one.matches(play.unit) for play in stack):
            yield Finding(self.paragraph, f"none of {who} is a unit without which no overrun is made")
        if first.attempts > self.attempts:
            yield Finding(self.paragraph, f"{who} can't try {label} {first.attempts} times: {self.attempts} at most")
        if self.size_at_most is not None:
            inside = [game.units[unit] for unit in first.position.units_in(first.origin) if not game.is_enemy(unit)]
            size = sum((unit.size for unit in inside if self.size_counts.matches(unit)), Fraction(0))
            if size > self.size_at_most:
                most = format_mp(self.size_at_most)
                text = f"{first.origin} holds {format_mp(size)}, at most {most} when an overrun is made from it"
                yield Finding(self.paragraph, text, at=first.origin, step=first.step - 1)
        if self._once(stack) is None:
            attack, defense = self._strengths(stack)
            least, found = self.results[0].odds.text, f"{format_mp(attack)} to {format_mp(defense)}"
            text = f"{who} can't overrun {label}: {found} is less than {least}"
            yield Finding(self.paragraph, text, defenders)

    def _strengths(self, stack: Sequence[MoveInPlay]) -> tuple[Fraction, Fraction]:
        """Return attack and defense strength after modifiers."""
        game, label = stack[0].game, stack[0].to
        hexagon, weather = game.board.places[label], game.weather(label)
        attack = defense = Fraction(0)
        for play in stack:
            strength = play.unit.attack
            for modifier in self.modifiers:
                if (
                    modifier.of == "attack"
                    and modifier.units.matches(play.unit)
                    and modifier.where.matches(hexagon, weather)
                ):
                    strength *= modifier.times
            attack += strength
        for enemy in stack[0].enemies_in(label):
            unit = game.units[enemy]
            if self.defenders.matches(unit):
                strength = unit.defense
                for modifier in self.modifiers:
                    if (
                        modifier.of == "defense"
                        and modifier.units.matches(unit)
                        and modifier.where.matches(hexagon, weather)
                    ):
                        strength *= modifier.times
                defense += strength
        return attack, defense

    def _once(self, stack: Sequence[MoveInPlay]) -> Fraction | None:
        """Return the probability that one attempt goes through; None: the table has no column for the odds."""
        attack, defense = self._strengths(stack)
        found = None
        for column in self.results:
            if attack >= column.odds * defense:
                found = column.chance
        return found

    def step_chance(self, stack: Sequence[MoveInPlay]) -> Fraction:
        """Return the probability that the step that the units are about to make goes through."""
        if not stack[0].overrun:
            return Fraction(1)
        once = self._once(stack)
        return Fraction(1) if once is None else 1 - (1 - once) ** stack[0].attempts

    def overrun_price(self, play: MoveInPlay, cheapest: Fraction | None) -> Fraction | None:
        """Return what the overrun costs, given the cheapest price of the hex; None: prohibited."""
        if self.price is not None:
            return self.price * play.attempts
        return None if cheapest is None else cheapest + self.extra

    def carry_out(self, play: MoveInPlay) -> Iterable[tuple[str, str]]:
        """Yield the enemies in the hex that is overrun, with the boxes to which they go."""
        if play.overrun:
            units, enemies = play.game.units, play.enemies_in(play.to)
            if any(self.defenders.matches(units[enemy]) for enemy in enemies):
                for enemy in enemies:
                    if self.bystanders or self.defenders.matches(units[enemy]):
                        yield enemy, self.destination(units[enemy])

    # -- the solver's face

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the friends whose size counts in the hex from which an overrun is made."""
        return {self.id: frozenset(unit for unit in game.phasing if self.size_counts.matches(game.units[unit]))}

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield that somebody is there to be overrun, and what bars the unit whoever comes with it."""
        if arc.victims is None:
            return
        phase, label = game.situation.phase, arc.to
        reasons = {
            "phase": bool(self.phases) and phase not in self.phases,
            "unit": not self.by.matches(unit),
            "hex": not self.where.matches(game.board.places[label], game.weather(label)),
            "way": any(way.id == arc.way and not way.overruns for way in game.rulebook.ways),
        }
        if self.entry_at_most is not None:
            cost = game.rulebook.terrain.entry_cost(
                game.board.places[label], game.board.hexside(arc.origin, label), unit, phase
            )
            reasons["entry"] = cost is None or cost.all or cost.mp > self.entry_at_most
        for cause, barred in reasons.items():
            if barred:
                yield Demand(self.paragraph, NEVER, cause=cause, source=self.id)

    def together_demands(self, game: Game, team: Sequence[Unit], arc: Arc) -> Iterable[Demand]:
        """Yield what the units need to overrun together."""
        if arc.victims is None:
            return
        if not arc.victims:
            yield Demand(self.paragraph, NEVER, cause="nobody", source=self.id)
            return
        there = [game.units[enemy] for enemy in game.enemies_at(arc.to)]
        defenders = [unit for unit in there if self.defenders.matches(unit)]
        yield Demand(self.paragraph, (frozenset(There(unit.id) for unit in defenders),), cause="nobody", source=self.id)
        # Where nobody is left to be overrun, nothing else is said of it.
        nobody: tuple[Conjunction, ...] = (frozenset(Gone(unit.id) for unit in defenders),)
        if not self.bystanders:
            for unit in there:
                if unit not in defenders:
                    away = (frozenset([Gone(unit.id)]), *nobody)
                    yield Demand(self.paragraph, away, (unit.id,), cause="others", source=self.id)
        reasons = {
            "number": self.most_units is not None and len(team) > self.most_units,
            "leader": self.at_least_one is not None and not any(map(self.at_least_one.matches, team)),
            "attempts": arc.attempts > self.attempts,
        }
        for cause, barred in reasons.items():
            if barred:
                yield Demand(self.paragraph, nobody, cause=cause, source=self.id)
        if self.size_at_most is not None:
            own = sum((unit.size for unit in team if self.size_counts.matches(unit)), Fraction(0))
            left = self.size_at_most - own
            us = frozenset(unit.id for unit in team)
            room = (frozenset([Room(arc.origin, self.id, left, us)]),) if left >= 0 else NEVER
            yield Demand(self.paragraph, (*room, *nobody), at=arc.origin, cause="size", source=self.id)
        if self._chance_of_one(game, team, arc.to) is None:
            blame = tuple(unit.id for unit in defenders)
            yield Demand(self.paragraph, nobody, blame, cause="odds", source=self.id)

    def _chance_of_one(self, game: Game, team: Sequence[Unit], label: str) -> Fraction | None:
        """Return the probability that one attempt of a team goes through; None: the odds are too low."""
        hexagon, weather = game.board.places[label], game.weather(label)
        fitting = [modifier for modifier in self.modifiers if modifier.where.matches(hexagon, weather)]

        def modified(of: str, unit: Unit, printed: Fraction) -> Fraction:
            return prod((m.times for m in fitting if m.of == of and m.units.matches(unit)), start=printed)

        defenders = [game.units[enemy] for enemy in game.enemies_at(label)]
        attack = sum((modified("attack", unit, unit.attack) for unit in team), Fraction(0))
        defense = sum(
            (modified("defense", unit, unit.defense) for unit in defenders if self.defenders.matches(unit)), Fraction(0)
        )
        columns = [column for column in self.results if column.odds * defense <= attack]
        return max(columns, key=lambda column: column.odds).chance if columns else None

    def overrun_tariff(self, game: Game, unit: Unit, arc: Arc, cheapest: Fraction | None) -> Fraction | None:
        """Return what an overrun costs, given the price of the hex; None: prohibited."""
        if self.price is not None:
            return self.price * arc.attempts
        return None if cheapest is None else cheapest + self.extra

    def arc_chance(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
        """Return the probability that an overrun by a team goes through."""
        once = self._chance_of_one(game, team, arc.to) if arc.overrun else None
        return Fraction(1) if once is None else 1 - (1 - once) ** arc.attempts
