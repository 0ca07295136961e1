"""The best way to move by trying every step, and the best attacks to declare after it, as a plan declares them.

A plan that is fixed in advance is worth what its attacks come to on average. That isn't what reacting to their results is
worth, which is the value of the board in the end; so attacks are no steps here, but belong to the end of the phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from planner.errors import OutOfTimeError
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.referee.attacks import assessed, violations_of
from planner.referee.referee import Referee, tally_of
from planner.rules.attack_rule import attack_rule
from planner.search.attack_choices import AttackChoices
from planner.search.context import SearchContext
from planner.search.expectimax import Expectimax
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position


class Declaring(Expectimax):
    """Tries every step, and declares what is worth most in the end.

    Parameters
    ----------
    context : SearchContext
        What is searched for: attacks follow of which none has been declared, and nothing is rolled while units move.
    most : int
        How many steps, and ways to attack, are tried at most.
    """

    def __init__(self, context: SearchContext, most: int) -> None:
        asked = context.conditions
        super().__init__(context.scenario, most, context.limits.check, asked.partial, asked.goals)
        self._attacks = None  # none of them is a step

    def with_attacks(self, plan: Plan) -> Plan:
        """Return moves with the best attacks after them; without any if the time is up."""
        position = Referee(self._scenario.game).play(plan, self._scenario.start).position
        try:
            ways = self._declared(position, self._check_time)  # they have been counted before
            found = [(worth, attacks) for worth, attacks in ways if worth is not None]
        except OutOfTimeError:
            return plan
        return replace(plan, attacks=max(found, key=lambda one: one[0])[1]) if found else plan

    def _worth(self, position: Position) -> Value | None:
        """Return what the phase ranks if it ends with the best attacks."""
        ways = self._declared(position, self._count)
        return max((worth for worth, _ in ways if worth is not None), default=None)

    def _declared(
        self, position: Position, count: Callable[[], None]
    ) -> Iterator[tuple[Value | None, tuple[DeclaredAttack, ...]]]:
        """Yield every way to declare attacks, none first, with what the phase ranks then."""
        rule = attack_rule(self._game)
        assert rule is not None
        if self._allows(position, ()) and not violations_of(self._game, position, ()):
            yield self._worth_with(position, tally_of(position)), ()
        for attacks in AttackChoices(rule, self._game, position, count).together():
            if self._allows(position, attacks):
                yield self._worth_with(position, tally_of(position, Plan((), attacks))), attacks

    def _allows(self, position: Position, attacks: tuple[DeclaredAttack, ...]) -> bool:
        """Tell whether attacks are what is settled of attacks."""
        settled = self._partial
        return not settled.settles_attacks or settled.allows(assessed(self._game, position, attacks))
