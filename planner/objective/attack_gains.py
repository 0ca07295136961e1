"""Terms that count what the attacks after the moves open: hexes that can be taken, and results that are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.mp import MP, format_mp
from planner.formats.probability import Probability
from planner.formats.spelling import several_are_a_list
from planner.formats.spoken_numbers import spoken_number
from planner.objective.attacks import AttackTerm, OfHexes
from planner.objective.base import Linear, OutcomeModel, Tally, unknown_hexes
from planner.rules.attack_losses import AttackLosses
from planner.rules.attack_referee import AssessedAttack, AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.world.selectors import Names

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.declared_attack import MadeAttack
    from planner.world.position import Position


class Taken(OfHexes):
    """Counts, or ensures, on average, the hexes that attackers may enter because their attack empties them.

    The attackers that are neither eliminated nor retreat enter one hex each at most, by the rule's advances. A hex of which
    the moves have eliminated the enemies, and in which a unit ends, is taken; one in which no enemy was when the phase
    began does not count.
    """

    kind: Literal["taken"]
    bounded_by: ClassVar[str] = "at_least"
    at_least: MP | None = Field(
        default=None, description="As a requirement: so many at least, on average; of one hex, how likely it is"
    )

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield that there are no attacks, or no advances, and hexes that the map doesn't have."""
        yield from super().problems(game)
        rule = attack_rule(game)
        if rule is not None and rule.advances is None:
            yield "by this game's rulebook nobody advances after an attack", "kind"
        yield from unknown_hexes(game, self.hexes, "hexes")

    def describe(self) -> str:
        """Return what the term counts; as a requirement, what is asked for."""
        which = " ".join(self.hexes) if self.hexes else "hexes"
        if self.at_least is None:
            return f"{which} taken by attacks"
        if len(self.hexes) == 1:
            return f"{which} taken with a probability of {format_mp(self.at_least)} at least"
        return f"at least {spoken_number(self.at_least)} of {which} taken, on average"

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the hexes that the moves have taken, and add up how many each attack lets its attackers enter."""
        asked, count = self._asked(game.at_first), Fraction(0)
        for label in asked:
            there = position.units_in(label)
            count += bool(there) and not any(game.is_enemy(unit) for unit in there)
        rule = attack_rule(game)
        if rule is None:
            return count
        losses = AttackLosses(rule, game, position)
        for told in self._assessed(game, position, tally):
            for result in told.results:
                out = {*result.own.eliminated, *(unit for unit, _ in result.retreats)}
                ways = {
                    label: [u for u in told.attack.attackers if u not in out and losses.may_advance(u, label)]
                    for label in result.emptied
                    if label in asked
                }
                count += result.probability * _entered(ways)
        return count

    def holds(self, game: Game, position: Position, tally: Tally) -> bool:
        """Tell whether it is as many as are asked for."""
        return self.score(game, position, tally) >= (self.at_least or 0)

    # -- the solver's face

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Add up, over hexes, columns and results, whether they are taken."""
        game, asked, terms = outcome.game, self._asked(outcome.game.at_first), []
        for label in asked:
            gone = [outcome.gone(enemy) for enemy in game.enemies_at(label)]
            held = outcome.any_of(outcome.ends(unit, label) for unit in game.order if unit in game.friends)
            terms.append((outcome.mp_scale, outcome.all_of([held, *gone])))
        before = Linear(tuple(terms))
        return before if outcome.attacks is None else Linear.sum_of([before, outcome.attacks.taken(asked)])

    def required(self, outcome: OutcomeModel) -> Linear:
        """Return by how much it is more than is asked for, scaled."""
        least = -floor(-(self.at_least or Fraction(0)) * outcome.mp_scale)
        return Linear.sum_of([self.on_average(outcome), Linear(constant=-least)])


class AttackResults(AttackTerm):
    """Counts, or ensures of each target, how likely an attack on it gives one of some results.

    A target that the moves have eliminated counts as if it were certain; one that has been attacked, by what came of it.
    """

    kind: Literal["attack_results"]
    asks_for: ClassVar[str] = "targets"
    bounded_by: ClassVar[str] = "at_least"
    targets: Names = Field(
        min_length=1, description="Enemy units, or hexes of which all defenders are attacked at once"
    )
    results: Names = Field(
        min_length=1, max_length=100, description="Results of the table, such as DE; any of them will do"
    )
    at_least: Probability | None = Field(
        default=None, description="As a requirement: how likely it is of each at least"
    )

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield that there are no attacks, results that the table doesn't have, and unknown targets."""
        yield from super().problems(game)
        rule = attack_rule(game)
        for code in self.results if rule is not None else ():
            if rule is not None and code not in rule.results:
                yield f"results must be results of the table ({', '.join(rule.results)}), not {code!r}", "results"
        for target in self.targets:
            if target not in game.board.hexes and (target not in game.units or target in game.friends):
                several = several_are_a_list(target, {*game.units, *game.board.hexes})
                yield f"targets must be enemy units or hexes of the map, not {target!r}{several}", "targets"

    def describe(self) -> str:
        """Return what the term counts; as a requirement, what is asked for."""
        told = f"{' or '.join(self.results)} against {', '.join(self.targets)}"
        return told if self.at_least is None else f"{told} with a probability of {self.at_least} at least"

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Add up how likely it is of each target."""
        return sum(self._chances(game, position, tally), Fraction(0))

    def _chances(self, game: Game, position: Position, tally: Tally) -> Iterable[Fraction]:
        attacks, rule, first = self._assessed(game, position, tally), attack_rule(game), game.at_first
        judge = None if rule is None else AttackReferee(rule, game, position)
        for target in self.targets:
            units = (target,) if target in game.units else first.enemies_at(target)
            made = self._came(target, position.attacked)
            if made:
                yield Fraction(any(made))
                continue
            if self._struck(units, position.attacked):  # not all who defend it at once
                yield Fraction(0)
                continue
            if units and not any(unit in position.at for unit in units):
                yield Fraction(any(unit in first.homes for unit in units))
                continue
            whom = {target} if target in game.units else {*judge.defenders_in(target)} if judge is not None else set()
            yield sum((self._chance(attack) for attack in attacks if whom and whom <= {*attack.defenders}), Fraction(0))

    def _came(self, target: str, made: Iterable[MadeAttack]) -> list[bool]:
        """Return, for each attack on a target that has been made, whether it gave one of the results."""
        on = (attack for attack in made if target in (*attack.defenders, *attack.whole))
        return [attack.result in self.results for attack in on]

    @staticmethod
    def _struck(units: Iterable[str], made: Iterable[MadeAttack]) -> bool:
        """Tell whether one of some enemies has been attacked."""
        return any(unit in attack.defenders for attack in made for unit in units)

    def _chance(self, attack: AssessedAttack) -> Fraction:
        return sum((one.probability for one in attack.results if one.code in self.results), Fraction(0))

    def holds(self, game: Game, position: Position, tally: Tally) -> bool:
        """Tell whether it is as likely of each target as is asked for."""
        least = Fraction(self.at_least or 0)
        return all(chance >= least for chance in self._chances(game, position, tally))

    # -- the solver's face

    def _posted(self, outcome: OutcomeModel) -> list[Linear]:
        """Return the probability of each target, scaled."""
        game, first, found = outcome.game, outcome.game.at_first, []
        for target in self.targets:
            there = (target,) if target in game.units else first.enemies_at(target)
            units = [unit for unit in there if unit in first.homes]
            if made := self._came(target, self._made(game)):
                found.append(Linear(constant=outcome.mp_scale * any(made)))
                continue
            if self._struck(units, self._made(game)):
                found.append(Linear())
                continue
            gone = outcome.all_of([outcome.gone(unit) for unit in units]) if units else False
            before = Linear(((outcome.mp_scale, gone),))
            later = outcome.attacks.resulting(target, self.results) if outcome.attacks is not None else Linear()
            found.append(Linear.sum_of([before, later]))
        return found

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Add up, over targets and columns, how likely it is."""
        return Linear.sum_of(self._posted(outcome))

    def required(self, outcome: OutcomeModel) -> Linear:
        """Return less than 0 if it isn't as likely of a target as is asked for."""
        least = -floor(-Fraction(self.at_least or 0) * outcome.mp_scale)
        targets = [outcome.at_least(chance, least) for chance in self._posted(outcome)]
        return Linear(((1, outcome.all_of(targets)),), -1)


def _entered(ways: Mapping[str, list[str]]) -> int:
    """Return how many hexes can be entered if each of those who may enter a hex enters one at most."""
    by: dict[str, str] = {}

    def find(label: str, tried: set[str]) -> bool:
        for unit in ways[label]:
            if unit not in tried:
                tried.add(unit)
                if unit not in by or find(by[unit], tried):
                    by[unit] = label
                    return True
        return False

    return sum(find(label, set()) for label in ways)
