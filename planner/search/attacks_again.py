"""A way of playing by a rule where attacks follow the moves: after each result, the best that is known is asked for again.

What is known is a plan fixed in advance, whose attacks are rolled in their order; where attacks are declared one by one,
others may be declared after a result. Whatever is rolled, going on with the old plan is one of the things that are looked
at; so this is never worth less than that plan. Values are exact.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.objective.scoring import score_position, tier_values
from planner.plans.plan import Plan
from planner.plans.policy import MOST_ROLLS, Branch, Node, Value
from planner.referee.attack_outcomes import left_of, played_out, results
from planner.referee.attacks import AttackInTheMaking, violations_of
from planner.referee.referee import Referee, tally_of
from planner.rules.attack_referee import attack_rule
from planner.scenario import Scenario
from planner.world.declared_attack import DeclaredAttack


@dataclass(eq=False)
class _Situation:
    """A situation after the moves, or after some attacks."""

    now: Scenario
    likely: Fraction
    attacks: tuple[DeclaredAttack, ...]
    value: Value
    depth: int = 0
    settled: Node | None = None
    after: list[tuple[DeclaredAttack, Fraction, _Situation]] = field(default_factory=list)

    def node(self) -> Node:
        """Return what is done from here on."""
        if self.settled is not None:
            return self.settled
        branches = tuple(Branch((made,), chance, then.node()) for made, chance, then in self.after)
        mean = tuple(
            sum((branch.probability * one for branch, one in zip(branches, tier, strict=True)), Fraction(0))
            for tier in zip(*(branch.then.value for branch in branches), strict=True)
        )
        return Node((), branches, mean if branches else self.value, attacks=self.attacks)


class AskingAgainOfAttacks:
    """Grows the tree of what is done after each result of each attack.

    Parameters
    ----------
    scenario : Scenario
        The position; its phase may be in progress.
    settle : callable
        Returns the best way of playing from a situation on, if that is soon known, else None.
    suggest : callable
        Returns the best plan from a situation on that is found within limits, or None.
    limits : Limits
        When it must end.
    """

    def __init__(
        self,
        scenario: Scenario,
        settle: Callable[[Scenario], Node | None],
        suggest: Callable[[Scenario, Limits], Plan | None],
        limits: Limits,
    ) -> None:
        self._scenario, self._settle, self._suggest, self._limits = scenario, settle, suggest, limits
        self._referee = Referee(scenario.game)
        rule = attack_rule(scenario.game)
        self._at_once = rule is not None and rule.declared == "at_once"
        self.complete = False

    def begin(self, plan: Plan) -> Node | None:
        """Begin with a plan; return it as a way of playing, None where what it is worth can't be worked out roll by roll."""
        referee = self._referee
        if any(played.rolls for played in referee.play(Plan(plan.moves), self._scenario.start, rolls=False).moves):
            return None
        now = self._scenario.after(Plan(plan.moves))
        self._head, attacks = plan.moves, plan.attacks or ()
        try:
            value = self._worth(now, attacks)
        except TooManyOutcomesError:
            return None
        if value is None:
            return None
        self._root = _Situation(now, Fraction(1), attacks, value)
        return self._tree()

    def grow(self, tell: Callable[[Node], None], most: int) -> Node:
        """Look at situations, the likeliest first, until nothing is rolled in any, there are too many, or the time is up."""
        queue: list[tuple[Fraction, int, _Situation]] = [(-self._root.likely, 0, self._root)]
        ticket = 0
        while queue and most and not self._limits.late:
            most -= 1
            here = heapq.heappop(queue)[2]
            try:
                self._expand(here)
            except (OutOfTimeError, TooManyOutcomesError):
                break
            for _, _, then in here.after:
                ticket += 1
                if then.settled is None and then.attacks and then.depth < MOST_ROLLS // 3:
                    heapq.heappush(queue, (-then.likely, ticket, then))
            if here.after:
                tell(self._tree())
        else:
            self.complete = not queue
        return self._tree()

    def _tree(self) -> Node:
        return replace(self._root.node(), moves=self._head)

    def _expand(self, here: _Situation) -> None:
        """Look at the results of the next attack, and ask again after each."""
        game, start = self._referee.game, here.now.start
        order = [left_of(game, start, attack) for attack in here.attacks]
        first = next((index for index, attack in enumerate(order) if attack is not None), None)
        if first is None:
            here.attacks = ()
            return
        attack = order[first]
        assert attack is not None
        rest = (*here.attacks[:first], *here.attacks[first + 1 :])
        after = []
        for chance, rolled in results(game, start, attack):
            made, then = max(self._ways(here, rolled, rest, chance), key=lambda one: one[1].value)
            if not self._at_once:
                self._ask(then)
            after.append((made, chance, then))
        here.attacks = (attack, *rest) if self._at_once else (attack,)
        here.after = after

    def _ways(
        self, here: _Situation, rolled: DeclaredAttack, rest: tuple[DeclaredAttack, ...], chance: Fraction
    ) -> Iterator[tuple[DeclaredAttack, _Situation]]:
        """Yield each way to go on from a result, with what follows if the rest is done as it was planned."""
        for made in AttackInTheMaking(self._referee.game, here.now.start, rolled).choices():
            self._limits.check("while it was worked out what a plan comes to")
            if self._referee.make_attack(made, here.now.start.copy()):
                continue
            now = here.now.after(Plan((), (made,)))
            value = self._worth(now, rest)
            if value is not None:
                yield made, _Situation(now, here.likely * chance, rest, value, here.depth + 1)

    def _ask(self, then: _Situation) -> None:
        """Ask what is best from a situation on; what was planned stays if nothing better is found."""
        then.settled = self._settle(then.now)
        if then.settled is not None:
            return
        plan = self._suggest(then.now, self._limits)
        if plan is not None and not plan.moves:
            value = self._worth(then.now, plan.attacks or ())
            if value is not None and value > then.value:
                then.attacks, then.value = plan.attacks or (), value

    def _worth(self, now: Scenario, attacks: tuple[DeclaredAttack, ...]) -> Value | None:
        """Return what attacks come to that are rolled in their order; None if that isn't legal whatever comes."""
        game, total = self._referee.game, [Fraction(0)] * len(now.tiers)
        for chance, position in played_out(self._referee, now.start, attacks, self._check):
            if not self._at_once and violations_of(game, position, ()):
                return None
            tally = tally_of(position)
            if not all(term.holds(game, position, tally) for term in now.requirements):
                return None
            worth = tier_values(now.tiers, score_position(game, now.tiers, position, tally))
            total = [sofar + chance * one for sofar, one in zip(total, worth, strict=True)]
        return tuple(total)

    def _check(self) -> None:
        self._limits.check("while it was worked out what a plan comes to")
