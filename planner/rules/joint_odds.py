"""What overruns by several units come to: strengths, odds, results, and support from afar of either side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from planner.formats.spoken_numbers import spoken_number
from planner.rules.atoms import NEVER, Conjunction, Gone, There
from planner.rules.combat_roles import Committed, JointlyOverruns
from planner.rules.demands import Arc, Demand
from planner.rules.later_roles import Outlasts
from planner.rules.odds_table import Column, Modifier, Support, chance_at, factor, in_range, subsets
from planner.rules.play import Finding, MoveInPlay, overrun_links
from planner.world.forces import Unit

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.position import Position
    from planner.world.selectors import UnitSelector


class JointOdds(JointlyOverruns, Outlasts):
    """Ensures that the odds of an overrun are in the table of results, and that who supports either side can."""

    if TYPE_CHECKING:
        defenders: UnitSelector
        modifiers: tuple[Modifier, ...]
        results: tuple[Column, ...]
        support: Support | None
        opposition: Support | None
        failed_paragraph: str

    @property
    def rolled(self) -> bool:
        """Whether some results are rolled."""
        return any(column.chance != 1 for column in self.results)

    @property
    def sure_odds(self) -> Fraction | None:
        """The lowest odds at which no result is rolled; None: it always is."""
        return next((Fraction(column.odds) for column in self.results if column.chance == 1), None)

    @property
    def paragraph_of_failure(self) -> str:
        """The paragraph by which units whose overrun has failed go no further, and don't try again."""
        return self.failed_paragraph or self.paragraph

    @property
    def support_paragraph(self) -> str:
        """The paragraph that verdicts cite for support from afar."""
        return self.paragraph if self.support is None else self.support.paragraph

    @property
    def opposition_paragraph(self) -> str:
        """The paragraph that verdicts cite for support of the defenders."""
        return self.paragraph if self.opposition is None else self.opposition.paragraph

    def traits_after(self, game: Game, unit: str, position: Position) -> Iterable[str]:
        """Yield the trait of a unit that has given support; of enemies, those that every reading of the plan needs."""
        if self.support is not None and self.support.becomes is not None and unit in position.used:
            yield self.support.becomes
        against = None if self.opposition is None else self.opposition.becomes
        if against is not None and unit in frozenset.intersection(*position.committed):
            yield against

    # -- the referee's face

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
        strengths = ("attack", attack), ("defense", defense)
        if once is None:
            least, found = self.results[0].odds.text, f"{spoken_number(attack)} to {spoken_number(defense)}"
            text = f"{who} can't overrun {label}: {found} is less than {least}"
            amounts = (*strengths, ("needed", self.results[0].odds * defense))
            yield Finding(self.paragraph, text, defenders, amounts=amounts)
            return
        against, possible = self._still_to_come(first)
        survives = self._survives(attack, defense)
        if first.fails:
            if possible <= survives and once == 1:
                why = "its odds are sure to do" if self.opposition is None else "it survives all that is in range"
                text = f"the overrun of {label} can't fail: {why}"
                yield Finding(self.paragraph_of_failure, text)
            return
        margin = game.situation.margin
        demanded = possible if margin is None else min(margin, possible)
        if demanded > survives and self.opposition is not None:
            found = f"{spoken_number(attack)} to {spoken_number(defense)} would do without {game.names(against)}"
            found += f", but must survive support of {spoken_number(demanded)}, not just {spoken_number(survives)}"
            margins = ("needed", demanded), ("most", survives)
            yield Finding(
                self.opposition_paragraph,
                f"{who} can't overrun {label}: {found}",
                against,
                amounts=(*strengths, *margins),
            )

    def strengths(self, stack: Sequence[MoveInPlay]) -> tuple[Fraction, Fraction] | None:
        """Return the strength of attack and defense after modifiers."""
        return self._strengths(stack) if stack[0].overrun else None

    def columns_for(self, game: Game, origin: str, to: str, defense: Fraction) -> Sequence[tuple[str, Fraction]]:
        """Return each odds of the table, with the strength of attack that they take."""
        return [(column.odds.text, column.odds * defense) for column in self.results]

    def survival(self, stack: Sequence[MoveInPlay]) -> tuple[Fraction, Fraction] | None:
        """Return how much support of the defenders the overrun survives, and how much is in range."""
        if self.opposition is None or not stack[0].overrun:
            return None
        _, possible = self._still_to_come(stack[0])
        return max(self._survives(*self._strengths(stack)), Fraction(0)), possible

    def step_chance(self, stack: Sequence[MoveInPlay]) -> Fraction:
        """Return the probability that the step that the units are about to make goes through."""
        if not stack[0].overrun:
            return Fraction(1)
        once = self._once(stack)
        return Fraction(1) if once is None else 1 - (1 - once) ** stack[0].attempts

    def settle(self, play: MoveInPlay) -> None:
        """Note who has supported the overrun."""
        if play.overrun:
            play.position.used.update(play.support)

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
            across = modifier.hexsides
            if across is not None and not across.matches(play.game.board, play.origin, play.to):
                continue
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

    def _survives(self, attack: Fraction, defense: Fraction) -> Fraction:
        """Return how much more defense the overrun survives: up to the lowest odds of the table."""
        return attack / self.results[0].odds - defense

    def _still_to_come(self, play: MoveInPlay) -> tuple[tuple[str, ...], Fraction]:
        """Return which enemies may support the defenders still, and with how much: each supports once in a phase."""
        able, units = _may_support(play, self.opposition, own=False), play.game.units
        rests = [[enemy for enemy in able if enemy not in those] for those in play.position.committed]
        most = max(sum((units[enemy].defense for enemy in rest), Fraction(0)) for rest in rests)
        return tuple(enemy for enemy in able if any(enemy in rest for rest in rests)), most

    # -- the solver's face

    def arc_chance(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
        """Return the probability that an overrun by a team goes through."""
        once = self._chance_of_one(game, team, arc) if arc.overrun else None
        return Fraction(1) if once is None else 1 - (1 - once) ** arc.attempts

    def best_chance(self, game: Game) -> Fraction:
        """Return what no overrun on the board is likelier than to go through, whoever takes part, wherever from."""
        friends = [game.units[unit] for unit in sorted(game.friends)]
        able, support = [unit for unit in friends if self.by.matches(unit)], self.support
        help_ = sum((one.attack for one in friends if support is not None and support.units.matches(one)), Fraction(0))
        once = Fraction(0)
        for label in sorted({home for unit, home in game.homes.items() if game.is_enemy(unit)}):
            strengths = sorted((self.attack_of(game, unit, label) for unit in able), reverse=True)
            attack = sum(strengths[: self.most_units], help_)
            defense = self.defense_in(game, label)
            columns = [one.chance for one in self.results if one.odds * defense <= attack]
            once = max([once, *columns])
        return 1 - (1 - once) ** self.attempts

    def attack_of(self, game: Game, unit: Unit, label: str, origin: str | None = None) -> Fraction:
        """Return the strength of a unit that overruns a hex, after modifiers."""
        own = [modifier for modifier in self.modifiers if modifier.of == "attack"]
        return max(unit.attack * factor(game, own, unit, side, label) for side in self._sides(game, label, origin))

    def defense_in(self, game: Game, label: str, origin: str | None = None) -> Fraction:
        """Return the strength of the defenders of a hex as the phase begins, after modifiers."""
        there = (game.units[enemy] for enemy in game.enemies_at(label))
        defenders = [unit for unit in there if self.defenders.matches(unit)]
        theirs = [modifier for modifier in self.modifiers if modifier.of == "defense"]
        return min(
            sum((unit.defense * factor(game, theirs, unit, side, label) for unit in defenders), Fraction(0))
            for side in self._sides(game, label, origin)
        )

    def _sides(self, game: Game, label: str, origin: str | None) -> tuple[str, ...]:
        """Return from where a hex may be overrun, as far as modifiers tell that."""
        if origin is not None or all(modifier.hexsides is None for modifier in self.modifiers):
            return (origin or label,)
        return overrun_links(game, label) or (label,)

    def supports_from(self, game: Game, unit: str, at: str, label: str) -> bool:
        """Tell whether a friend that stands somewhere can support an overrun of a hex."""
        if game.begun is not None and unit in game.begun.position.used:
            return False
        return unit in game.friends and in_range(game, self.support, unit, at, label)

    def opponents_of(self, game: Game, label: str) -> tuple[str, ...]:
        """Return the enemies that, as long as they live, may support the defenders of a hex."""
        homes, support = game.homes, self.opposition
        return tuple(u for u, home in homes.items() if game.is_enemy(u) and in_range(game, support, u, home, label))

    def withstanding(self, game: Game, label: str) -> tuple[tuple[str, ...], Fraction]:
        """Return who may support the defenders of a hex, whatever is overrun before, and how much of it must be survived."""
        homes, margin = game.homes, game.situation.margin
        spent = frozenset([frozenset[str]()]) if game.begun is None else game.begun.position.committed
        stay = [
            one for one in self.opponents_of(game, label) if one not in self.victims(game, game.enemies_at(homes[one]))
        ]
        against = tuple(one for one in stay if all(one not in those for those in spent))
        most = _defense_of(game, against)
        return against, most if margin is None else min(Fraction(margin), most)

    def opposed(
        self, game: Game, team: Sequence[Unit], arc: Arc, gone: Collection[str], committed: Committed
    ) -> tuple[tuple[Demand, ...], Committed]:
        """Return what fails where some enemies may be committed already, and who may be after the overrun."""
        chance = self._chance_of_one(game, team, arc)
        if self.opposition is None or chance is None:
            return (), committed
        able = [enemy for enemy in self.opponents_of(game, arc.to) if enemy not in gone]
        spare = self._spare(game, team, arc)
        if arc.fails:
            enough = [some for some in map(frozenset, subsets(able)) if _defense_of(game, some) > spare]
            ways = [(those, some) for those in committed for some in enough if some.isdisjoint(those)]
            after = frozenset(t | s for t, s in ways if not any((t, other) in ways and other < s for other in enough))
            failed = self.paragraph_of_failure
            wrong = (Demand(failed, NEVER, cause="can't fail", source=self.id),) if chance == 1 and not ways else ()
            return wrong, after if chance == 1 and after else committed
        margin = game.situation.margin
        left = max(_defense_of(game, frozenset(able) - those) for those in committed)
        blame = tuple(enemy for enemy in able if any(enemy not in those for those in committed))
        broken = left > spare and (margin is None or margin > spare)
        demand = Demand(self.opposition_paragraph, NEVER, blame, cause="margin", source=self.id)
        return (demand,) if broken else (), committed

    def _withstood(
        self, game: Game, team: Sequence[Unit], arc: Arc, nobody: tuple[Conjunction, ...]
    ) -> Iterable[Demand]:
        """Yield which enemies must be gone so that support of the others is survived, or there for the overrun to fail."""
        against, spare = self.opponents_of(game, arc.to), self._spare(game, team, arc)
        if arc.fails:
            if self._chance_of_one(game, team, arc) == 1:
                enough = (frozenset(map(There, some)) for some in subsets(against) if _defense_of(game, some) > spare)
                failed = self.paragraph_of_failure
                yield Demand(failed, (*enough, *nobody), cause="can't fail", source=self.id)
            return
        margin = game.situation.margin
        if self.opposition is not None and against and (margin is None or margin > spare):
            # Whoever of them is gone doesn't come.
            losses = (frozenset(against) - frozenset(some) for some in subsets(against))
            spent = frozenset([frozenset[str]()]) if game.begun is None else game.begun.position.committed
            harmless = [
                gone
                for gone in losses
                if all(_defense_of(game, frozenset(against) - gone - those) <= spare for those in spent)
            ]
            any_of = tuple(frozenset(map(Gone, gone)) for gone in harmless)
            yield Demand(self.opposition_paragraph, (*any_of, *nobody), against, cause="margin", source=self.id)

    def _spare(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
        """Return how much more defense the overrun would survive; less than 0: its odds are too low as it is."""
        least = min(column.odds for column in self.results)
        return self._attack(game, team, arc) / least - self.defense_in(game, arc.to, arc.origin)

    def _attack(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
        helpers = sum((game.units[unit].attack for unit in arc.support), Fraction(0))
        return sum((self.attack_of(game, unit, arc.to, arc.origin) for unit in team), helpers)

    def _chance_of_one(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction | None:
        """Return the probability that one attempt of a team goes through; None: the odds are too low."""
        defense = self.defense_in(game, arc.to, arc.origin)
        return chance_at(self.results, self._attack(game, team, arc), defense)


def _defense_of(game: Game, enemies: Iterable[str]) -> Fraction:
    """Return how much some enemies add to the defense, as the solver's face counts it."""
    return sum((game.units[enemy].defense for enemy in enemies), Fraction(0))


def _may_support(play: MoveInPlay, support: Support | None, own: bool) -> tuple[str, ...]:
    """List the units on the map that can support an overrun, or the defense against it, as the referee's face sees it."""
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
