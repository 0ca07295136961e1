"""The term that counts own units that enemies could attack as everybody stands after the moves."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.objective.attacks import without_attacks
from planner.objective.base import Linear, OutcomeModel, Tally, Term
from planner.rules.attack_rule import attack_rule
from planner.world.forces import Unit
from planner.world.selectors import UnitSelector

if TYPE_CHECKING:
    from planner.rules.attack_table import AttackRule
    from planner.rules.game import Game
    from planner.world.position import Position


class OpenToAttack(Term):
    """Counts, or limits, own units that the enemies, as they stand after the moves, could attack at certain odds.

    All enemies that can attack a hex by the rules of attacks are taken together, each with the strength that it would have
    there, against all who would defend it. Neither column shifts nor what depends on the hexsides of all attackers counts.
    """

    kind: Literal["open_to_attack"]
    bounded_by: ClassVar[str] = "most"
    averages: ClassVar[bool] = False
    counts_mp: ClassVar[bool] = False
    sign: ClassVar[int] = -1
    odds: str = Field(
        pattern=r"^\s*(\d{1,4}:\d{1,4}|[+-]\d{1,4})\s*$", description='Such as "3:1"; or a difference, "+2"'
    )
    of: UnitSelector = Field(default=UnitSelector(), description="The units that count")
    most: int | None = Field(default=None, ge=0, le=5_000, description="As a requirement: so many at most")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield odds of nothing."""
        if "0" in self.odds.split(":"):
            yield f"odds must be above 0, not {self.odds}", "odds"

    def out_of_phase(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield that there are no attacks after this phase."""
        return without_attacks(game)

    def describe(self) -> str:
        """Return what the term counts; as a requirement, what is allowed."""
        if self.most is None:
            return f"units open to an attack at {self.odds}"
        if not self.most:
            return f"no unit open to an attack at {self.odds}"
        return f"at most {self.most} unit{'s' * (self.most > 1)} open to an attack at {self.odds}"

    def _asked(self) -> tuple[Fraction, Fraction]:
        """Return what the attackers must have: so many times the defenders' strength, and so much more."""
        attack, _, defense = self.odds.strip().partition(":")
        return (Fraction(int(attack), int(defense)), Fraction(0)) if defense else (Fraction(1), Fraction(int(attack)))

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the units in hexes that could be attacked so."""
        count = 0
        for label in dict.fromkeys(position.at.values()):
            inside = [game.units[unit] for unit in position.units_in(label) if not game.is_enemy(unit)]
            counted = [unit for unit in inside if self.of.matches(unit)]
            if counted and label in game.board.hexes and self._is_open(game, position, label, inside):
                count += len(counted)
        return Fraction(count)

    def _is_open(self, game: Game, position: Position, label: str, inside: Iterable[Unit]) -> bool:
        rule = attack_rule(game)
        if rule is None:
            return False
        place, times, more = (game.board.places[label], game.weather(label)), *self._asked()
        defense = Fraction(0)
        for unit in inside:
            fitting = (f for f in rule.factors if f.of == "defense" and f.hexsides is None and f.units.matches(unit))
            if rule.against.matches(unit):
                defense += unit.defense * prod(f.times for f in fitting if f.hexes is None or f.hexes.matches(*place))
        near, far = Fraction(0), Fraction(0)
        for enemy, at in position.at.items():
            if game.is_enemy(enemy) and at in game.board.hexes and threatens(rule, game, enemy, at, label):
                strength = _threat(rule, game, enemy, at, label)
                if game.board.adjacent(at, label) or rule.range_of(game.units[enemy]).alone:
                    near += strength
                else:
                    far += strength
        attack = near + far if near else near
        return attack > 0 and attack >= times * defense + more

    def holds(self, game: Game, position: Position, tally: Tally) -> bool:
        """Tell whether there aren't more than are allowed."""
        return self.most is None or self.score(game, position, tally) <= self.most

    # -- the solver's face

    def post(self, outcome: OutcomeModel) -> Linear:
        """Sum, over units and where they end, whether the hex could be attacked so."""
        game, found = outcome.game, []
        for unit in game.order:
            if unit not in game.friends or not self.of.matches(game.units[unit]):
                continue
            for label in outcome.possible_ends(unit):
                if label in game.board.hexes and (exposed := outcome.open_in(label, self._asked())) is not False:
                    found.append((1, outcome.all_of([outcome.ends(unit, label), exposed])))
        return Linear(tuple(found))

    def required(self, outcome: OutcomeModel) -> Linear:
        """Return how many more would be allowed."""
        return Linear.sum_of([self.post(outcome).times(-1), Linear(constant=self.most or 0)])


def could_attack(game: Game, unit: str, at: str) -> frozenset[str]:
    """Return the hexes that a unit of any side could attack from one, if somebody were there.

    By the rule of attacks, from as far away as it allows; without such a rule, those beside it that it could enter.
    """
    rule, board = attack_rule(game), game.board
    if rule is None:
        return frozenset(to for to in board.neighbours.get(at, ()) if game.crossable(at, to))
    near = board.around(at, rule.range_of(game.units[unit]).range)
    return frozenset(to for to in near if threatens(rule, game, unit, at, to))


def threatens(rule: AttackRule, game: Game, unit: str, at: str, label: str) -> bool:
    """Tell whether a unit of any side can attack a hex from where it stands, as the referee's face has it."""
    counter, board = game.units[unit], game.board
    beside = board.adjacent(at, label)
    if at == label or not rule.by.matches(counter) or not board.within(at, label, rule.range_of(counter).range):
        return False
    crossed = not beside or (
        (rule.uncrossable or game.crossable(at, label))
        and (rule.only_across is None or rule.only_across.matches(board, at, label))
    )
    target, origin = (board.places[label], game.weather(label)), (board.places[at], game.weather(at))
    return crossed and not any(
        bar.units.matches(counter)
        and (bar.hexsides is None or (beside and bar.hexsides.matches(board, at, label)))
        and (bar.hexes is None or bar.hexes.matches(*target))
        and (bar.from_hexes is None or bar.from_hexes.matches(*origin))
        for bar in rule.bars
    )


def _threat(rule: AttackRule, game: Game, unit: str, at: str, label: str) -> Fraction:
    """Return the strength with which a unit of any side would attack a hex, as the referee's face has it."""
    counter, board = game.units[unit], game.board
    beside, strength = board.adjacent(at, label), counter.attack
    for factor in rule.factors:
        fits = factor.of == "attack" and factor.units.matches(counter) and factor.from_afar in (None, not beside)
        if factor.hexes is not None:
            fits = fits and factor.hexes.matches(board.places[label], game.weather(label))
        if factor.hexsides is not None:
            fits = fits and beside and factor.hexsides.matches(board, at, label)
        if factor.from_hexes is not None:
            fits = fits and factor.from_hexes.matches(board.places[at], game.weather(at))
        strength *= factor.times if fits else 1
    return strength
