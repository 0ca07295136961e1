"""Which of our units the enemies could attack as everybody stands after the moves."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from planner.objective import Linear
from planner.rules.attack_prospect import AttackProspect
from planner.rules.attack_table import AttackRule
from planner.solver.cp_sat import Literal

if TYPE_CHECKING:
    from planner.solver.coupling.final_position import FinalPosition


class Threats:
    """What the enemies could attack, all who can together.

    Parameters
    ----------
    outcome : FinalPosition
        Where the units end, and who is gone; gets the constraints.
    rule : AttackRule
        The rule in force.
    """

    def __init__(self, outcome: FinalPosition, rule: AttackRule) -> None:
        self._outcome, self._rule, self._game = outcome, rule, outcome.game
        self._prospect = AttackProspect(outcome.game, rule, {}, (), outcome.tick)
        self._known: dict[tuple[str, Fraction, Fraction], Literal] = {}

    def open_in(self, label: str, times: Fraction, more: Fraction) -> Literal:
        """The enemies could attack those in a hex with so many times their strength at least, and so much more."""
        key = label, times, more
        if key not in self._known:
            self._known[key] = self._could_attack(*key)
        return self._known[key]

    def _could_attack(self, label: str, times: Fraction, more: Fraction) -> Literal:
        outcome, threats = self._outcome, self._prospect.threats(label)
        alive = {enemy: outcome.negate(outcome.gone(enemy)) for enemy, _, _ in threats}
        company = outcome.any_of([alive[enemy] for enemy, _, alone in threats if not alone])
        weights: list[tuple[Fraction, Literal]] = [
            (strength, outcome.all_of([alive[enemy], company]) if alone else alive[enemy])
            for enemy, strength, alone in threats
        ]
        anybody = outcome.any_of([literal for _, literal in weights])
        if anybody is False:
            return False
        for unit in (u for u in self._game.order if u in self._game.friends):
            counter, there = self._game.units[unit], outcome.ends(unit, label)
            if there is not False and self._rule.against.matches(counter):
                weights.append((-times * self._prospect.steadfast(counter, label), there))
        scale = lcm(more.denominator, *(weight.denominator for weight, _ in weights))
        total = Linear(tuple((int(weight * scale), literal) for weight, literal in weights))
        return outcome.all_of([anybody, outcome.at_least(total, int(more * scale))])
