"""Overruns by stacks: units that move together attack the enemies in a hex, at odds, and enter it if these give way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.mp import MP, format_mp
from planner.rules.cited import Cited, paragraph_for
from planner.rules.demands import NEVER, Arc, Conjunction, Demand, Gone, Room, There, when
from planner.rules.destinations import Destination, box_of
from planner.rules.odds_table import Column, Modifier, Support, chance_at, factor, in_range, subsets
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Committed, JointlyOverruns, Outlasts
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook
    from planner.world.position import Position


class JointOverrun(JointlyOverruns, Outlasts):
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
    support: Support | None = Field(
        default=None, description="The friends that add their attack strength, each once in a phase; absent: none do"
    )
    opposition: Support | None = Field(
        default=None, description="The enemies that may add their defense strength, if they choose to; absent: none may"
    )
    failed_paragraph: str = Field(
        default="", description="The paragraph that verdicts cite where an overrun has failed, or is tried again"
    )
    cited: tuple[Cited, ...] = Field(
        default=(), description="Paragraphs that they cite for units that can't overrun; the first that fits holds"
    )
    where_paragraph: str = Field(default="", description="The paragraph that they cite for the wrong hex")

    summary: ClassVar[str] = (
        "Units that move together attack an enemy's hex at odds, and enter it if the defenders are gone."
    )

    @property
    def rolled(self) -> bool:
        """Whether some results are rolled."""
        return any(column.chance != 1 for column in self.results)

    @property
    def paragraph_of_failure(self) -> str:
        """The paragraph by which units whose overrun has failed go no further, and don't try again."""
        return self.failed_paragraph or self.paragraph

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

    def traits_after(self, unit: str, position: Position) -> Iterable[str]:
        """Yield the trait of a unit that has given support."""
        if self.support is not None and self.support.becomes is not None and unit in position.used:
            yield self.support.becomes

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
            yield Finding(self.paragraph, f"no overruns in this phase ({game.situation.phase})")
        if not self.by.matches(unit):
            yield Finding(paragraph_for(self.cited, unit, self.paragraph), f"{unit.id} is not a unit that can overrun")
        place, weather = game.board.places[label], game.weather(label)
        if not self.where.matches(place, weather):
            because = f": {weather.replace('_', ' ')}" if weather and self.where.matches(place, "") else ""
            yield Finding(self.where_paragraph or self.paragraph, f"no overruns in {label}{because}")
        if play.way is not None and not play.way.overruns:
            yield Finding(self.paragraph, f"no overruns from {play.origin} to {label}: it is no step on foot")
        if self.entry_at_most is not None and (found := _dear_entry(play, self.entry_at_most)):
            most = format_mp(self.entry_at_most)
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
            yield from self._check_size(stack, self.size_at_most)
        if label in first.position.failed:
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
            text = f"{origin} holds {format_mp(size)}, at most {format_mp(most)} when an overrun is made from it"
            us = {play.unit.id for play in stack}
            own = sum((play.unit.size for play in stack if self.size_counts.matches(play.unit)), Fraction(0))
            others = game.sorted(unit.id for unit in counted if unit.id not in us)
            blame = others if own <= most else ()  # else they are too large by themselves
            yield Finding(self.paragraph, text, blame, origin, first.step - 1)

    def _check_support(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what is wrong with the units that are said to support the overrun."""
        if self.support is None:
            if play.support:
                yield Finding(self.paragraph, f"{play.game.names(play.support)} can't support an overrun")
            return
        able = _may_support(play, self.support, own=True) if play.support else ()
        for unit in play.support:
            if unit not in able:
                text = f"{unit} can't support an overrun of {play.to}: it is no friend in range that may"
                yield Finding(self.support.paragraph, text)
            elif unit in play.position.used:
                yield Finding(self.support.paragraph, f"{unit} can't support an overrun again in this phase")

    def _check_odds(self, stack: Sequence[MoveInPlay], who: str, defenders: tuple[str, ...]) -> Iterable[Finding]:
        """Yield that the odds are too low, that too little support is survived, or that the overrun can't fail."""
        first, once = stack[0], self._once(stack)
        game, label = first.game, first.to
        attack, defense = self._strengths(stack)
        if once is None:
            least, found = self.results[0].odds.text, f"{format_mp(attack)} to {format_mp(defense)}"
            yield Finding(self.paragraph, f"{who} can't overrun {label}: {found} is less than {least}", defenders)
            return
        against, possible = self._still_to_come(first)
        survives = self._survives(attack, defense)
        if first.fails:
            if possible <= survives and once == 1:
                text = f"the overrun of {label} can't fail: it survives all that is in range"
                yield Finding(self.paragraph_of_failure, text)
            return
        margin = game.situation.margin
        demanded = possible if margin is None else min(margin, possible)
        if demanded > survives and self.opposition is not None:
            found = f"it survives support of {format_mp(survives)}, {format_mp(demanded)} is demanded"
            yield Finding(self.opposition.paragraph, f"{who} can't overrun {label}: {found}", against)

    def _survives(self, attack: Fraction, defense: Fraction) -> Fraction:
        """Return how much more defense the overrun survives: up to the lowest odds of the table."""
        return attack / self.results[0].odds - defense

    def survival(self, stack: Sequence[MoveInPlay]) -> tuple[Fraction, Fraction] | None:
        """Return how much support of the defenders the overrun survives, and how much is in range."""
        if self.opposition is None or not stack[0].overrun:
            return None
        _, possible = self._still_to_come(stack[0])
        return max(self._survives(*self._strengths(stack)), Fraction(0)), possible

    def _still_to_come(self, play: MoveInPlay) -> tuple[tuple[str, ...], Fraction]:
        """Return which enemies may support the defenders still, and with how much: each supports once in a phase."""
        able, units = _may_support(play, self.opposition, own=False), play.game.units
        rests = [[enemy for enemy in able if enemy not in those] for those in play.position.committed]
        most = max(sum((units[enemy].defense for enemy in rest), Fraction(0)) for rest in rests)
        return tuple(enemy for enemy in able if any(enemy in rest for rest in rests)), most

    def note_failure(self, stack: Sequence[MoveInPlay]) -> None:
        """Note who may have kept the overrun from succeeding: no more enemies than it takes."""
        if self.opposition is None or not stack[0].victims() or self._once(stack) != 1:
            return
        position, units = stack[0].position, stack[0].game.units
        able, survives = _may_support(stack[0], self.opposition, own=False), self._survives(*self._strengths(stack))
        found: set[frozenset[str]] = set()
        for those in position.committed:
            for some in subsets([enemy for enemy in able if enemy not in those]):
                strengths = [units[enemy].defense for enemy in some]
                total = sum(strengths, Fraction(0))
                if total > survives and all(total - strength <= survives for strength in strengths):
                    found.add(those.union(some))
        position.committed = frozenset(found) or position.committed

    def strengths(self, stack: Sequence[MoveInPlay]) -> tuple[Fraction, Fraction] | None:
        """Return the strength of attack and defense after modifiers."""
        return self._strengths(stack) if stack[0].overrun else None

    def settle(self, play: MoveInPlay) -> None:
        """Note who has supported the overrun."""
        if play.overrun:
            play.position.used.update(play.support)

    def _strengths(self, stack: Sequence[MoveInPlay]) -> tuple[Fraction, Fraction]:
        """Return attack and defense strength after modifiers."""
        first, units = stack[0], stack[0].game.units
        enemies = [units[enemy] for enemy in first.enemies_in(first.to) if self.defenders.matches(units[enemy])]
        attack = sum((self._modified(first, play.unit, "attack") for play in stack), Fraction(0))
        attack += sum((units[unit].attack for unit in first.support), Fraction(0))
        return attack, sum((self._modified(first, enemy, "defense") for enemy in enemies), Fraction(0))

    def _modified(self, play: MoveInPlay, unit: Unit, of: Literal["attack", "defense"]) -> Fraction:
        """Return the strength of one unit after modifiers."""
        place, weather = play.game.board.places[play.to], play.game.weather(play.to)
        strength = unit.attack if of == "attack" else unit.defense
        for modifier in self.modifiers:
            if modifier.of == of and modifier.units.matches(unit) and modifier.where.matches(place, weather):
                strength *= modifier.times
        return strength

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
                        yield enemy, box_of(units[enemy], self.eliminated_to)

    # -- the solver's face

    @property
    def lasting(self) -> bool:
        """Whether friends help only if they stay: those of this rule help nobody, they take room."""
        return True

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
            room = when(Room(arc.origin, self.id, left, us)) if left >= 0 else NEVER
            yield Demand(self.paragraph, room + nobody, at=arc.origin, cause="size", source=self.id)
        for helper in arc.support:
            if helper not in self.supporters_of(game, arc.to):
                paragraph = self.paragraph if self.support is None else self.support.paragraph
                yield Demand(paragraph, nobody, cause=f"support {helper}", source=self.id)
        if self._chance_of_one(game, team, arc) is None:
            yield Demand(self.paragraph, nobody, tuple(defenders), cause="odds", source=self.id)
        else:
            yield from self._opposed(game, team, arc, nobody)

    def _opposed(self, game: Game, team: Sequence[Unit], arc: Arc, nobody: tuple[Conjunction, ...]) -> Iterable[Demand]:
        """Yield which enemies must be gone so that support of the others is survived, or there for the overrun to fail."""

        def support_of(enemies: Iterable[str]) -> Fraction:
            return sum((game.units[enemy].defense for enemy in enemies), Fraction(0))

        against = self.opponents_of(game, arc.to)
        least = min(column.odds for column in self.results)
        spare = self._attack(game, team, arc) / least - self.defense_in(game, arc.to)
        if arc.fails:
            if self._chance_of_one(game, team, arc) == 1:
                enough = (frozenset(map(There, some)) for some in subsets(against) if support_of(some) > spare)
                failed = self.paragraph_of_failure
                yield Demand(failed, (*enough, *nobody), cause="can't fail", source=self.id)
            return
        margin = game.situation.margin
        if self.opposition is not None and against and (margin is None or margin > spare):
            # Whoever of them is gone doesn't come.
            losses = (frozenset(against) - frozenset(some) for some in subsets(against))
            harmless = [gone for gone in losses if support_of(frozenset(against) - gone) <= spare]
            any_of = tuple(frozenset(map(Gone, gone)) for gone in harmless)
            yield Demand(self.opposition.paragraph, (*any_of, *nobody), against, cause="margin", source=self.id)

    def opposed(
        self, game: Game, team: Sequence[Unit], arc: Arc, gone: Collection[str], committed: Committed
    ) -> tuple[tuple[Demand, ...], Committed]:
        """Return what fails where some enemies may be committed already, and who may be after the overrun."""
        chance = self._chance_of_one(game, team, arc)
        if self.opposition is None or chance is None:
            return (), committed
        able = [enemy for enemy in self.opponents_of(game, arc.to) if enemy not in gone]
        least = min(column.odds for column in self.results)
        spare = self._attack(game, team, arc) / least - self.defense_in(game, arc.to)
        enough = [some for some in map(frozenset, subsets(able)) if self._adds(game, some) > spare]
        if arc.fails:
            ways = [(those, some) for those in committed for some in enough if some.isdisjoint(those)]
            after = frozenset(t | s for t, s in ways if not any((t, other) in ways and other < s for other in enough))
            failed = self.paragraph_of_failure
            wrong = (Demand(failed, NEVER, cause="can't fail", source=self.id),) if chance == 1 and not ways else ()
            return wrong, after if chance == 1 and after else committed
        margin = game.situation.margin
        left = max(self._adds(game, frozenset(able) - those) for those in committed)
        blame = tuple(enemy for enemy in able if any(enemy not in those for those in committed))
        broken = left > spare and (margin is None or margin > spare)
        demand = Demand(self.opposition.paragraph, NEVER, blame, cause="margin", source=self.id)
        return (demand,) if broken else (), committed

    @staticmethod
    def _adds(game: Game, enemies: Iterable[str]) -> Fraction:
        return sum((game.units[enemy].defense for enemy in enemies), Fraction(0))

    def opponents_of(self, game: Game, label: str) -> tuple[str, ...]:
        """Return the enemies that, as long as they live, may support the defenders of a hex."""
        homes, support = game.homes, self.opposition
        return tuple(u for u, home in homes.items() if game.is_enemy(u) and in_range(game, support, u, home, label))

    def supports_from(self, game: Game, unit: str, at: str, label: str) -> bool:
        """Tell whether a friend that stands somewhere can support an overrun of a hex."""
        return unit in game.phasing and in_range(game, self.support, unit, at, label)

    def attack_of(self, game: Game, unit: Unit, label: str) -> Fraction:
        """Return the strength of a unit that overruns a hex, after modifiers."""
        return unit.attack * factor(self.modifiers, "attack", unit, game.board.places[label], game.weather(label))

    def defense_in(self, game: Game, label: str) -> Fraction:
        """Return the strength of the defenders of a hex as the phase begins, after modifiers."""
        place, weather = game.board.places[label], game.weather(label)
        there = (game.units[enemy] for enemy in game.enemies_at(label))
        defenders = [unit for unit in there if self.defenders.matches(unit)]
        return sum(
            (unit.defense * factor(self.modifiers, "defense", unit, place, weather) for unit in defenders), Fraction(0)
        )

    @property
    def support_paragraph(self) -> str:
        """The paragraph that verdicts cite for support from afar."""
        return self.paragraph if self.support is None else self.support.paragraph

    @property
    def sure_odds(self) -> Fraction | None:
        """The lowest odds at which no result is rolled; None: it always is."""
        return next((Fraction(column.odds) for column in self.results if column.chance == 1), None)

    def _attack(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
        helpers = sum((game.units[unit].attack for unit in arc.support), Fraction(0))
        return sum((self.attack_of(game, unit, arc.to) for unit in team), helpers)

    def _chance_of_one(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction | None:
        """Return the probability that one attempt of a team goes through; None: the odds are too low."""
        return chance_at(self.results, self._attack(game, team, arc), self.defense_in(game, arc.to))

    def overrun_tariff(self, game: Game, unit: Unit, arc: Arc, cheapest: Fraction | None) -> Fraction | None:
        """Return what an overrun costs, given the price of the hex; None: prohibited."""
        if self.price is not None:
            return self.price * arc.attempts
        return None if cheapest is None else cheapest + self.extra

    def arc_chance(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
        """Return the probability that an overrun by a team goes through."""
        once = self._chance_of_one(game, team, arc) if arc.overrun else None
        return Fraction(1) if once is None else 1 - (1 - once) ** arc.attempts


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
    return f"costs {format_mp(cost.mp)}" if cost.mp > most else ""


def _may_support(play: MoveInPlay, support: Support | None, own: bool) -> tuple[str, ...]:
    """List the units on the map that can support an overrun, or the defense against it."""
    if support is None:
        return ()
    game, found = play.game, []
    for unit, at in play.position.at.items():
        counter = game.units[unit]
        if game.is_enemy(unit) is not own and support.units.matches(counter):
            reach = support.range if counter.support_range is None else counter.support_range
            if game.board.within(at, play.to, reach):
                found.append(unit)
    return game.sorted(found)
