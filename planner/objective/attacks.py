"""Terms that count what the attacks come to that are declared after the moves, and what the enemy could attack then."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.hex_lists import Labels
from planner.formats.mp import MP
from planner.formats.probability import Probability
from planner.formats.spelling import several_are_a_list
from planner.formats.spoken_numbers import spoken_number
from planner.objective.base import Linear, OutcomeModel, Tally, Term, unknown_hexes
from planner.rules.attack_losses import PossibleResult
from planner.rules.attack_referee import AssessedAttack, AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.world.forces import Unit
from planner.world.selectors import Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.attack_table import AttackRule
    from planner.rules.end_state import Literal as Holding
    from planner.rules.game import Game
    from planner.world.declared_attack import MadeAttack
    from planner.world.position import Position

Counting = Literal["units", "steps", "strength"]
"""What losses are counted in: units, their steps, or the printed strength of those that are eliminated."""


class AttackTerm(Term):
    """A term that looks at the attacks after the moves: where one is asked for, plans declare them."""

    averages: ClassVar[bool] = False
    counts_mp: ClassVar[bool] = False
    promises: ClassVar[bool] = True
    """Whether it speaks, as a requirement, of what is had on average, which a plan that reacts only has as a whole."""

    @property
    def looks_at_attacks(self) -> bool:
        """Whether the term looks at the attacks after the moves: it does."""
        return True

    def out_of_phase(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield that there are no attacks after this phase."""
        return without_attacks(game)

    # -- the referee's face

    @staticmethod
    def _assessed(game: Game, position: Position, tally: Tally) -> tuple[AssessedAttack, ...]:
        return assessed(game, position, tally) if tally.assessed is None else tally.assessed

    # -- the solver's face

    def post(self, outcome: OutcomeModel) -> Linear:
        """Return nothing: the count is no whole number, see `on_average`."""
        raise NotImplementedError

    @staticmethod
    def _made(game: Game) -> tuple[MadeAttack, ...]:
        """Return the attacks that have been made before what is asked."""
        return () if game.begun is None else game.begun.position.attacked


class OfHexes(AttackTerm):
    """A term that counts hexes in which enemies are as the phase begins."""

    hexes: Labels = Field(default=(), description="The hexes; absent: all in which enemies are")

    def highest(self, game: Game) -> int:
        """Return the number of hexes."""
        return len(self._asked(game.at_first))

    def _asked(self, game: Game) -> list[str]:
        hexes = self.hexes or tuple(game.homes[unit] for unit in game.homes if game.is_enemy(unit))
        return [label for label in dict.fromkeys(hexes) if game.enemies_at(label)]


class _Losses(AttackTerm):
    of: UnitSelector = Field(default=UnitSelector(), description="The units that count")
    counting: Counting = Field(
        default="strength",
        description="What losses are counted in: units, their steps, or the printed strength of units that are lost",
    )

    def _each(self, unit: Unit) -> Fraction:
        """Return what it counts that a unit is eliminated, besides its steps."""
        return Fraction(self.counting == "units" and self.of.matches(unit))

    def _per_step(self, unit: Unit, strength: Fraction) -> Fraction:
        """Return what it counts that a unit loses a step; with all of its steps, it loses its strength."""
        if self.counting == "units" or not self.of.matches(unit):
            return Fraction(0)
        return Fraction(1) if self.counting == "steps" else strength / unit.steps

    def _whole(self, unit: Unit, strength: Fraction) -> Fraction:
        """Return what a unit counts that is eliminated with all of its steps."""
        return self._each(unit) + unit.steps * self._per_step(unit, strength)

    def _suffered(self, game: Game, position: Position, unit: str, strength: Fraction) -> Fraction:
        """Return what a unit counts that is eliminated, or has lost steps by the attacks that have been made."""
        counter = game.units[unit]
        if unit not in position.at:
            return self._whole(counter, strength)
        return position.lost_steps.get(unit, 0) * self._per_step(counter, strength)

    def _lost(self, game: Game, attack: AssessedAttack, enemies: bool) -> Fraction:
        """Return what one side loses on average in an attack."""
        total = Fraction(0)
        for result in attack.results:
            losses = result.enemy if enemies else result.own
            each = sum((self._each(game.units[unit]) for unit in losses.eliminated), Fraction(0))
            steps = ((game.units[unit], steps) for unit, steps in losses.steps)
            worth = (n * self._per_step(unit, unit.defense if enemies else unit.attack) for unit, n in steps)
            total += result.probability * (each + sum(worth, Fraction(0)))
        return total


class EnemyLosses(_Losses):
    """Counts, or ensures, what the enemy loses by the attacks, on average; who is eliminated by the moves counts whole."""

    kind: Literal["enemy_losses"]
    bounded_by: ClassVar[str] = "at_least"
    at_least: MP | None = Field(default=None, description="As a requirement: so much at least, on average")

    def describe(self) -> str:
        """Return what the term counts; as a requirement, what is asked for."""
        if self.at_least is None:
            return f"{self.counting} that the enemy loses"
        return f"at least {_amount(self.at_least, self.counting)} lost by the enemy on average"

    def highest(self, game: Game) -> int:
        """Return what all enemies on the map count."""
        enemies = (game.units[unit] for unit in game.at_first.homes if game.is_enemy(unit))
        return -floor(-sum((self._whole(unit, unit.defense) for unit in enemies), Fraction(0)))

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Add up what the enemy loses on average in each attack, and what moves and attacks that are made have cost him."""
        enemies = (unit for unit in game.at_first.homes if game.is_enemy(unit))
        before = sum((self._suffered(game, position, unit, game.units[unit].defense) for unit in enemies), Fraction(0))
        attacks = self._assessed(game, position, tally)
        return before + sum((self._lost(game, attack, True) for attack in attacks), Fraction(0))

    def holds(self, game: Game, position: Position, tally: Tally) -> bool:
        """Tell whether it is as much as is asked for."""
        return self.score(game, position, tally) >= (self.at_least or 0)

    # -- the solver's face

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Add up, over attacks and their columns, what the enemy loses, and those who are gone before."""
        game, scale = outcome.game, outcome.mp_scale
        gone: list[tuple[int, Holding]] = []
        before = Fraction(0)
        for unit in game.at_first.homes:
            if game.is_enemy(unit):
                counter = game.units[unit]
                if game.begun is not None:
                    before += self._suffered(game, game.begun.position, unit, counter.defense)
                had = 0 if game.begun is None else game.begun.position.lost_steps.get(unit, 0)
                worth = self._whole(counter, counter.defense) - had * self._per_step(counter, counter.defense)
                if unit in game.homes and worth:
                    gone.append((int(worth * scale), outcome.gone(unit)))
        terms = Linear(tuple(gone), int(before * scale))
        if outcome.attacks is None:
            return terms
        each = {unit.id: self._each(unit) for unit in game.units.values()}
        per_step = {unit.id: self._per_step(unit, unit.defense) for unit in game.units.values()}
        return Linear.sum_of([terms, outcome.attacks.enemy_losses(each, per_step)])

    def required(self, outcome: OutcomeModel) -> Linear:
        """Return by how much it is more than is asked for, scaled."""
        least = -floor(-(self.at_least or Fraction(0)) * outcome.mp_scale)
        return Linear.sum_of([self.on_average(outcome), Linear(constant=-least)])


class OwnLosses(_Losses):
    """Counts, or limits, what the own side loses by the attacks, on average."""

    kind: Literal["own_losses"]
    bounded_by: ClassVar[str] = "most"
    sign: ClassVar[int] = -1
    most: MP | None = Field(default=None, description="As a requirement: so much at most, on average")

    def describe(self) -> str:
        """Return what the term counts; as a requirement, what is allowed."""
        if self.most is None:
            return f"own {self.counting} lost by attacks"
        return f"at most {_amount(self.most, self.counting, 'own ')} lost by attacks on average"

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Add up what the own side loses on average in each attack, and has lost in those that are made."""
        attacks = self._assessed(game, position, tally)
        before = self._before(game, position)
        return before + sum((self._lost(game, attack, False) for attack in attacks), Fraction(0))

    def _before(self, game: Game, position: Position) -> Fraction:
        """Return what the attackers have lost in the attacks that have been made."""
        attackers = [unit for attack in position.attacked for unit in attack.attackers]
        return sum((self._suffered(game, position, unit, game.units[unit].attack) for unit in attackers), Fraction(0))

    def holds(self, game: Game, position: Position, tally: Tally) -> bool:
        """Tell whether it isn't more than is allowed."""
        return self.most is None or self.score(game, position, tally) <= self.most

    # -- the solver's face

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Add up, over attacks, their columns and who takes part, what is lost."""
        game = outcome.game
        lost = Fraction(0) if game.begun is None else self._before(game, game.begun.position)
        before = Linear(constant=int(lost * outcome.mp_scale))
        if outcome.attacks is None:
            return before
        each = {unit.id: self._each(unit) for unit in outcome.game.units.values()}
        per_step = {unit.id: self._per_step(unit, unit.attack) for unit in outcome.game.units.values()}
        return Linear.sum_of([before, outcome.attacks.own_losses(each, per_step)])

    def required(self, outcome: OutcomeModel) -> Linear:
        """Return by how much it is less than is allowed, scaled."""
        allowed = floor((self.most or Fraction(0)) * outcome.mp_scale)
        return Linear.sum_of([self.on_average(outcome).times(-1), Linear(constant=allowed)])


class Emptied(OfHexes):
    """Counts, on average, the hexes that the attacks leave without an enemy, or ensures how likely that is of each.

    A hex that moves, or attacks that are made, have emptied counts; one in which no enemy was when the phase began does not.
    """

    kind: Literal["emptied"]
    bounded_by: ClassVar[str] = "at_least"
    at_least: Probability | None = Field(default=None, description="As a requirement: how likely each is at least")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield hexes that the map doesn't have."""
        return unknown_hexes(game, self.hexes, "hexes")

    def describe(self) -> str:
        """Return what the term counts; as a requirement, what is asked for."""
        which = " ".join(self.hexes) if self.hexes else "all hexes" if self.at_least is not None else "hexes"
        if self.at_least is None:
            return f"{which} emptied by attacks"
        return f"{which} emptied with a probability of {self.at_least} at least"

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Add up how likely each hex is to be emptied."""
        return sum(self._chances(game, position, tally).values(), Fraction(0))

    def _chances(self, game: Game, position: Position, tally: Tally) -> dict[str, Fraction]:
        attacks, found = self._assessed(game, position, tally), {}
        for label in self._asked(game.at_first):
            found[label] = Fraction(not any(game.is_enemy(unit) for unit in position.units_in(label)))
            for attack in attacks:
                found[label] += sum(
                    (r.probability for r in attack.results if label in _emptied(game, position, r)), Fraction(0)
                )
        return found

    def holds(self, game: Game, position: Position, tally: Tally) -> bool:
        """Tell whether each hex is as likely to be emptied as is asked for."""
        least = Fraction(self.at_least or 0)
        return all(chance >= least for chance in self._chances(game, position, tally).values())

    # -- the solver's face

    def _posted(self, outcome: OutcomeModel, label: str) -> Linear:
        """Return the probability that a hex is emptied, scaled."""
        gone = outcome.all_of([outcome.gone(enemy) for enemy in outcome.game.enemies_at(label)])
        before = Linear(((outcome.mp_scale, gone),))
        return before if outcome.attacks is None else Linear.sum_of([before, outcome.attacks.emptied(label)])

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Add up, over hexes, columns and results, how likely they are."""
        return Linear.sum_of(self._posted(outcome, label) for label in self._asked(outcome.game.at_first))

    def required(self, outcome: OutcomeModel) -> Linear:
        """Return less than 0 if a hex isn't as likely to be emptied as is asked for."""
        least = -floor(-Fraction(self.at_least or 0) * outcome.mp_scale)
        hexes = [self._posted(outcome, label) for label in self._asked(outcome.game.at_first)]
        return Linear(((1, outcome.all_of([outcome.at_least(chance, least) for chance in hexes])),), -1)


class AttackOdds(AttackTerm):
    """Counts, or ensures, targets that are attacked at certain odds or better after shifts, each unit in one attack.

    A target that the moves have eliminated counts as attacked; one that has been attacked, by the odds of that attack.
    """

    kind: Literal["attack_odds"]
    asks_for: ClassVar[str] = "targets"
    promises: ClassVar[bool] = False
    targets: Names = Field(min_length=1, description="Enemy units, or hexes of which one defender at least is attacked")
    odds: str = Field(description='A column of the table, such as "3:1" or "+2"; it, or one after it')

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield odds that the table doesn't have, and unknown targets."""
        yield from _unknown_column(game, self.odds)
        for target in self.targets:
            if target not in game.board.hexes and (target not in game.units or target in game.friends):
                several = several_are_a_list(target, {*game.units, *game.board.hexes})
                yield f"targets must be enemy units or hexes of the map, not {target!r}{several}", "targets"

    def describe(self) -> str:
        """Return what the term counts."""
        together = " together" if len(self.targets) > 1 else ""
        return f"{self.odds} against {', '.join(self.targets)}{together}"

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the targets that are attacked so, or eliminated."""
        attacks, rule, count = self._assessed(game, position, tally), attack_rule(game), 0
        first = game.at_first
        if rule is None:
            return Fraction(0)
        least = _column_of(rule, self.odds)
        for target in self.targets:
            units = (target,) if target in game.units else first.enemies_at(target)
            made = [attack.column for attack in position.attacked for unit in units if unit in attack.defenders]
            if any(column >= least for column in made):
                count += 1
                continue
            if not made and units and not any(unit in position.at for unit in units):
                count += any(unit in first.homes for unit in units)
                continue
            good = (a for a in attacks if _column_of(rule, a.shifted) >= least)
            count += any(unit in attack.defenders for attack in good for unit in units)
        return Fraction(count)

    # -- the solver's face

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Sum, over the targets, whether an attack on it comes to the column or a better one."""
        return self._counted(outcome).times(outcome.mp_scale)

    def _counted(self, outcome: OutcomeModel) -> Linear:
        game, first = outcome.game, outcome.game.at_first
        terms: list[tuple[int, Holding]] = []
        for target in self.targets:
            there = (target,) if target in game.units else first.enemies_at(target)
            units = [unit for unit in there if unit in first.homes]
            if not units or outcome.attacks is None:
                continue
            least = outcome.attacks.column_of(self.odds)
            made = [attack.column for attack in self._made(game) for unit in units if unit in attack.defenders]
            if any(column >= least for column in made):
                terms.append((1, True))
                continue
            gone = False if made else outcome.all_of([outcome.gone(unit) for unit in units])
            terms.append((1, outcome.any_of([gone, outcome.attacks.attacked(units, least)])))
        return Linear(tuple(terms))

    def required(self, outcome: OutcomeModel) -> Linear:
        """Return how many targets there are more than are asked for: 0, or less."""
        return Linear.sum_of([self._counted(outcome), Linear(constant=-len(self.targets))])


class WeakAttacks(AttackTerm):
    """Counts, or limits, the attacks that are declared at less than certain odds after shifts."""

    kind: Literal["weak_attacks"]
    bounded_by: ClassVar[str] = "most"
    promises: ClassVar[bool] = False
    sign: ClassVar[int] = -1
    odds: str = Field(description='A column of the table, such as "3:1" or "+2"; attacks in columns before it count')
    most: int | None = Field(default=None, ge=0, le=5_000, description="As a requirement: so many at most")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield odds that the table doesn't have."""
        return _unknown_column(game, self.odds)

    def describe(self) -> str:
        """Return what the term counts; as a requirement, what is allowed."""
        if self.most is None:
            return f"attacks below {self.odds}"
        return f"no attack below {self.odds}" if not self.most else f"at most {self.most} attacks below {self.odds}"

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the attacks in columns before that of the odds."""
        rule = attack_rule(game)
        if rule is None:
            return Fraction(0)
        least = _column_of(rule, self.odds)
        columns = [attack.column for attack in position.attacked]
        columns += [_column_of(rule, attack.shifted) for attack in self._assessed(game, position, tally)]
        return Fraction(sum(column < least for column in columns))

    def holds(self, game: Game, position: Position, tally: Tally) -> bool:
        """Tell whether there aren't more than are allowed."""
        return self.most is None or self.score(game, position, tally) <= self.most

    # -- the solver's face

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Sum the attacks that come to such a column."""
        return self._counted(outcome).times(outcome.mp_scale)

    def _counted(self, outcome: OutcomeModel) -> Linear:
        attacks = outcome.attacks
        if attacks is None:
            return Linear()
        least = attacks.column_of(self.odds)
        made = sum(attack.column < least for attack in self._made(outcome.game))
        return Linear.sum_of([attacks.below(least), Linear(constant=made)])

    def required(self, outcome: OutcomeModel) -> Linear:
        """Return how many more would be allowed."""
        return Linear.sum_of([self._counted(outcome).times(-1), Linear(constant=self.most or 0)])


def _amount(number: Fraction, counting: Counting, whose: str = "") -> str:
    """Return so many units, steps or so much strength in words: ``2 steps``, ``1 own unit``, ``1/3 of a step``."""
    told = spoken_number(number)
    if counting == "strength" or number == 0 or number > 1:
        return f"{told} {whose}{counting}"
    one = counting.removesuffix("s")
    return f"{told} {whose}{one}" if number == 1 else f"{told} of an own {one}" if whose else f"{told} of a {one}"


def assessed(game: Game, position: Position, tally: Tally) -> tuple[AssessedAttack, ...]:
    """Return what the attacks that are declared come to, each by itself, on the board as it stands."""
    rule = attack_rule(game)
    if rule is None:
        return ()
    referee = AttackReferee(rule, game, position)
    return tuple(referee.assess(attack) for attack in tally.attacks)


def without_attacks(game: Game) -> Iterable[tuple[str, str]]:
    """Yield that there are no attacks after this phase."""
    if attack_rule(game) is None:
        yield "this game's rulebook says nothing of attacks after this phase", "kind"


def _unknown_column(game: Game, odds: str) -> Iterable[tuple[str, str]]:
    rule = attack_rule(game)
    known = [column.text for column in rule.columns] if rule is not None else []
    if rule is not None and odds not in known:
        yield f"odds must be a column of the combat results table ({', '.join(known)}), not {odds!r}", "odds"


def _column_of(rule: AttackRule, odds: str) -> int:
    """Return the index of a column by its name, as the referee's face has it."""
    return next(index for index, column in enumerate(rule.columns) if column.text == odds)


def _emptied(game: Game, position: Position, result: PossibleResult) -> set[str]:
    """Return the hexes in which a result leaves no enemy."""
    away = {*result.enemy.eliminated, *(unit for unit, hexes in result.retreats if hexes and game.is_enemy(unit))}
    hexes = {position.at[unit] for unit in away}
    return {at for at in hexes if not any(game.is_enemy(u) and u not in away for u in position.units_in(at))}
