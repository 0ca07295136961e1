"""Overruns by stacks: units that move together attack the enemies in a hex, at odds, and enter it if these give way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.mp import MP
from planner.formats.spoken_numbers import spoken_number
from planner.rules.atoms import NEVER, Conjunction, Gone, Room, There, when
from planner.rules.cited import Cited, paragraph_for
from planner.rules.demands import Arc, Demand
from planner.rules.destinations import Destination, box_of
from planner.rules.joint_odds import JointOdds
from planner.rules.odds_table import Column, Modifier, Support
from planner.rules.play import Finding, MoveInPlay
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class JointOverrun(JointOdds):
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
    extra: MP = Field(default=Fraction(0), description="MP on top of those of the hex, for each attempt")
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
    results: tuple[Column, ...] = Field(
        min_length=1, description="The table of results, by rising odds; chances don't fall"
    )
    eliminated_to: tuple[Destination, ...] = Field(description="Where eliminated units go; the first that fits holds")
    support: Support | None = Field(
        default=None, description="The friends that add their attack strength, each once in a phase; absent: none do"
    )
    opposition: Support | None = Field(
        default=None, description="The enemies that may add their defense strength, if they choose to; absent: none may"
    )
    failed_paragraph: str = Field(
        default="", description="The paragraph that verdicts cite where an overrun has failed, or is tried again"
    )
    after_failure: Literal["over", "go_on"] = Field(
        default="over",
        description="What becomes of units whose overrun has failed. over: their move is, and nobody tries the hex again in "
        "the phase; go_on: they may go on, and anybody may try again",
    )
    cited: tuple[Cited, ...] = Field(
        default=(), description="Paragraphs that they cite for units that can't overrun; the first that fits holds"
    )
    where_paragraph: str = Field(default="", description="The paragraph that they cite for the wrong hex")

    looks_near: ClassVar[bool] = True
    minds_plain_steps: ClassVar[bool] = False
    summary: ClassVar[str] = (
        "Units that move together attack an enemy's hex at odds, and enter it if the defenders are gone."
    )

    @property
    def failure_is_final(self) -> bool:
        """Whether the move of units whose overrun has failed is over, and nobody tries the hex again in the phase."""
        return self.after_failure == "over"

    def with_luck(self) -> JointOverrun:
        """Return the rule by which every overrun that may be tried goes through."""
        sure = tuple(Column(odds=column.odds, chance=Fraction(1)) for column in self.results)
        return self.model_copy(update={"results": sure}) if self.rolled else self

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield what is wrong with phases and table."""
        yield from rulebook.unknown("phases", self.phases)
        given = (None if entry is None else entry.becomes for entry in (self.support, self.opposition))
        yield from rulebook.unknown("unit_traits", [trait for trait in given if trait is not None])
        sequence = rulebook.sequence
        for name in ("support", "opposition"):
            waits = not rulebook.whole or (sequence is not None and sequence.waiting is not None)
            if getattr(self, name) is not None and not waits:
                yield (
                    f"{name} doesn't go with units none of which may wait (waiting of sequence): no search would find an "
                    "overrun that is supported. Let units wait, or let those who help take part, most_units of them"
                )
        odds = [column.odds for column in self.results]
        if odds != sorted(set(odds)):
            yield "results must have rising odds"
        chances = [column.chance for column in self.results]
        if chances != sorted(chances):
            yield "the chances of results mustn't fall as odds rise"

    def amounts(self) -> Iterable[Fraction]:
        """Return what an attempt costs, or costs besides the hex."""
        return (self.extra,) if self.price is None else (self.price, self.extra)

    def victims(self, game: Game, enemies: Iterable[str]) -> tuple[str, ...]:
        """Return which of the enemies in a hex an overrun of it would eliminate; none where nobody defends it."""
        there = tuple(enemies)
        defenders = super().victims(game, there)
        return there if defenders and self.bystanders else defenders

    # -- the referee's face

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what bars one of the units from the overrun."""
        if not play.overrun:
            return
        game, unit, label = play.game, play.unit, play.to
        if self.phases and game.situation.phase not in self.phases:
            yield Finding(self.paragraph, "no overruns in this phase")
        if not self.by.matches(unit):
            yield Finding(paragraph_for(self.cited, unit, self.paragraph), f"{unit.id} is not a unit that can overrun")
        place, weather = game.board.places[label], game.weather(label)
        if not self.where.matches(place, weather):
            because = f": {weather.replace('_', ' ')}" if weather and self.where.matches(place, "") else ""
            yield Finding(self.where_paragraph or self.paragraph, f"no overruns in {label}{because}")
        if play.way is not None and not play.way.overruns:
            yield Finding(self.paragraph, f"no overruns from {play.origin} to {label}: it is no step on foot")
        if self.entry_at_most is not None and (found := _dear_entry(play, self.entry_at_most)):
            most = spoken_number(self.entry_at_most)
            text = f"{unit.id} can't overrun {label}: entry {found}, at most {most} off the road"
            yield Finding(self.paragraph, text)

    def check_together(self, stack: Sequence[MoveInPlay]) -> Iterable[Finding]:
        """Yield what bars the units together: nobody there, too many, the wrong ones, too low odds."""
        first = stack[0]
        if not first.overrun:
            return
        game, label = first.game, first.to
        enemies = first.enemies_in(label)
        defenders = tuple(enemy for enemy in enemies if self.defenders.matches(game.units[enemy]))
        who = game.names(game.sorted(play.unit.id for play in stack))
        if not defenders:
            yield Finding(self.paragraph, f"{who} {'have' if stack[1:] else 'has'} nothing to overrun in {label}")
            return
        others = tuple(enemy for enemy in enemies if enemy not in defenders)
        if others and not self.bystanders:
            yield Finding(self.paragraph, f"the overrun of {label} is barred by {game.names(others)}", others)
        if self.most_units is not None and len(stack) > self.most_units:
            yield Finding(self.paragraph, f"{who} are too many: at most {self.most_units} may overrun together")
        if self.at_least_one is not None and not any(self.at_least_one.matches(play.unit) for play in stack):
            yield Finding(self.paragraph, f"{who} can't overrun without a unit of another kind")
        if first.attempts > self.attempts:
            yield Finding(self.paragraph, f"{who} can't try {label} {first.attempts} times: {self.attempts} at most")
        if self.size_at_most is not None:
            yield from self._check_size(stack, self.size_at_most)
        if self.failure_is_final and label in first.position.failed:
            text = f"{who} can't try {label} again: an overrun of it has failed in this phase"
            yield Finding(self.paragraph_of_failure, text, defenders)
        yield from self._check_support(first)
        yield from self._check_odds(stack, who, defenders)

    def _check_size(self, stack: Sequence[MoveInPlay], most: Fraction) -> Iterable[Finding]:
        """Yield that the hex from which the overrun is made holds too much."""
        first = stack[0]
        game, origin = first.game, first.origin
        friends = [game.units[unit] for unit in first.position.units_in(origin) if not game.is_enemy(unit)]
        counted = [unit for unit in friends if self.size_counts.matches(unit)]
        size = sum((unit.size for unit in counted), Fraction(0))
        if size > most:
            text = (
                f"{origin} holds {spoken_number(size)}, at most {spoken_number(most)} when an overrun is made from it"
            )
            us = {play.unit.id for play in stack}
            own = sum((play.unit.size for play in stack if self.size_counts.matches(play.unit)), Fraction(0))
            others = game.sorted(unit.id for unit in counted if unit.id not in us)
            blame = others if own <= most else ()  # else they are too large by themselves
            yield Finding(
                self.paragraph, text, blame, origin, first.step - 1, amounts=(("found", size), ("most", most))
            )

    def overrun_price(self, play: MoveInPlay, cheapest: Fraction | None) -> Fraction | None:
        """Return what the overrun costs, given the cheapest price of the hex; None: prohibited."""
        if self.price is not None:
            return self.price * play.attempts
        return None if cheapest is None else (cheapest + self.extra) * play.attempts

    def carry_out(self, play: MoveInPlay) -> Iterable[tuple[str, str]]:
        """Yield the enemies in the hex that is overrun, with the boxes to which they go."""
        if play.overrun:
            units, enemies = play.game.units, play.enemies_in(play.to)
            if any(self.defenders.matches(units[enemy]) for enemy in enemies):
                for enemy in enemies:
                    if self.bystanders or self.defenders.matches(units[enemy]):
                        yield enemy, box_of(units[enemy], self.eliminated_to)

    # -- the solver's face

    @property
    def lasting(self) -> bool:
        """Whether friends help only if they stay: those of this rule help nobody, they take room."""
        return True

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the friends whose size counts in the hex from which an overrun is made."""
        return {self.id: frozenset(unit for unit in game.friends if self.size_counts.matches(game.units[unit]))}

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
                game.board.places[label], game.board.hexside(arc.origin, label), unit, phase, (), game.weather(label)
            )
            reasons["entry"] = cost is None or cost.all or cost.mp > self.entry_at_most
        cited = {"unit": paragraph_for(self.cited, unit, self.paragraph), "hex": self.where_paragraph}
        for cause, barred in reasons.items():
            if barred:
                yield Demand(cited.get(cause) or self.paragraph, NEVER, cause=cause, source=self.id)

    def together_demands(self, game: Game, team: Sequence[Unit], arc: Arc) -> Iterable[Demand]:
        """Yield what the units need to overrun together."""
        if arc.victims is None:
            return
        if not arc.victims:
            yield Demand(self.paragraph, NEVER, cause="nobody", source=self.id)
            return
        there = [game.units[enemy] for enemy in game.enemies_at(arc.to)]
        defenders = [unit.id for unit in there if self.defenders.matches(unit)]
        yield Demand(self.paragraph, when(*map(There, defenders)), cause="nobody", source=self.id)
        # Where nobody is left to be overrun, nothing else is said of it.
        nobody = when(*map(Gone, defenders))
        if not self.bystanders:
            for other in (unit.id for unit in there if unit.id not in defenders):
                yield Demand(self.paragraph, when(Gone(other)) + nobody, (other,), cause="others", source=self.id)
        if self.failure_is_final and game.begun is not None and arc.to in game.begun.position.failed:
            yield Demand(self.paragraph_of_failure, nobody, tuple(defenders), cause="again", source=self.id)
        reasons = {
            "number": self.most_units is not None and len(team) > self.most_units,
            "leader": self.at_least_one is not None and not any(map(self.at_least_one.matches, team)),
            "attempts": arc.attempts > self.attempts,
        }
        for cause, barred in reasons.items():
            if barred:
                yield Demand(self.paragraph, nobody, cause=cause, source=self.id)
        if self.size_at_most is not None:
            room = self._room(team, arc.origin, self.size_at_most)
            yield Demand(self.paragraph, room + nobody, at=arc.origin, cause="size", source=self.id)
        for helper in arc.support:
            if helper not in self.supporters_of(game, arc.to):
                yield Demand(self.support_paragraph, nobody, cause=f"support {helper}", source=self.id)
        if self._chance_of_one(game, team, arc) is None:
            yield Demand(self.paragraph, nobody, tuple(defenders), cause="odds", source=self.id)
        else:
            yield from self._withstood(game, team, arc, nobody)

    def _room(self, team: Sequence[Unit], origin: str, most: Fraction) -> tuple[Conjunction, ...]:
        """Return that the others in the hex leave room for the team that overruns from it."""
        left = most - sum((unit.size for unit in team if self.size_counts.matches(unit)), Fraction(0))
        return when(Room(origin, self.id, left, frozenset(unit.id for unit in team))) if left >= 0 else NEVER

    def overrun_tariff(self, game: Game, unit: Unit, arc: Arc, cheapest: Fraction | None) -> Fraction | None:
        """Return what an overrun costs, given the price of the hex; None: prohibited."""
        if self.price is not None:
            return self.price * arc.attempts
        return None if cheapest is None else (cheapest + self.extra) * arc.attempts


def _dear_entry(play: MoveInPlay, most: Fraction) -> str:
    """Say what the unit would pay off the road for the hex; nothing if it is no more than allowed."""
    game, label = play.game, play.to
    features, phase, weather = game.board.hexside(play.origin, label), game.situation.phase, game.weather(label)
    chart, place = game.rulebook.terrain, game.board.places[label]
    cost = chart.entry_cost(place, features, play.unit, phase, (), weather)
    if cost is None:
        return "is prohibited"
    if cost.all:
        return "takes the whole MA"
    return f"costs {spoken_number(cost.mp)}" if cost.mp > most else ""
