"""A way of playing by a rule where attacks follow the moves: after each result, the best that is known is asked for again.

What is known is a plan fixed in advance, whose attacks are rolled in their order; where attacks are declared one by one,
others may be declared after a result. Whatever is rolled, going on with the old plan is one of the things that are looked
at; so this is never worth less than that plan. Values are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count

from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.objective.scoring import Value, score_position, tier_values
from planner.plans.plan import Plan
from planner.plans.policy import MOST_ROLLS, Made, Node
from planner.referee.attack_outcomes import left_of, played_out, results
from planner.referee.attacks import AttackInTheMaking, violations_of
from planner.referee.referee import Referee, tally_of
from planner.rules.attack_rule import attack_rule
from planner.scenario import Scenario
from planner.search.asking_again import Growing, TreeNode
from planner.solver.tuning import Adapting
from planner.world.declared_attack import DeclaredAttack


class AskingAgainOfAttacks(Growing):
    """Grows the tree of what is done after each result of each attack; parameters as those of `Growing`."""

    def __init__(
        self,
        scenario: Scenario,
        settle: Callable[[Scenario], Node | None],
        suggest: Callable[[Scenario, Limits], Plan | None],
        limits: Limits,
    ) -> None:
        super().__init__(scenario, settle, suggest, limits)
        self._referee = Referee(scenario.game)
        rule = attack_rule(scenario.game)
        self._at_once = rule is not None and rule.declared == "at_once"

    def begin(self, plan: Plan) -> Node | None:
        """Begin with a plan; return it as a way of playing, None where what it is worth can't be worked out roll by roll."""
        begin, moves, attacks = self.root.now, plan.moves, plan.attacks or ()
        if any(played.rolls for played in self._referee.play(Plan(moves), begin.start, rolls=False).moves):
            return None
        now = begin.after(Plan(moves))
        try:
            value = self._worth(now, attacks, self._in_any_case())
        except (OutOfTimeError, TooManyOutcomesError):
            return None
        if value is None:
            return None
        self.root = TreeNode(now, Fraction(1), moves, value, attacks, head=moves)
        return self.root.node()

    def _in_any_case(self) -> Callable[[], None]:
        """Return what looks at the time once some positions have been played: whoever stops it is told what is known."""
        played = count()

        def check() -> None:
            if next(played) >= Adapting.in_any_case:
                self._check()

        return check

    @staticmethod
    def _goes_on(then: TreeNode) -> bool:
        return bool(then.attacks) and then.depth < MOST_ROLLS // 3

    def _expand(self, here: TreeNode) -> None:
        game, start = self._referee.game, here.now.start
        order = [left_of(game, start, attack) for attack in here.attacks]
        first = next((index for index, attack in enumerate(order) if attack is not None), None)
        if first is None:
            here.attacks = ()
            return
        attack = order[first]
        assert attack is not None
        # What has been declared must be made if it can be; what nobody has declared yet need not.
        rest = (*here.attacks[: first if self._at_once else 0], *here.attacks[first + 1 :])
        after = list[tuple[tuple[Made, ...], Fraction, TreeNode]]()
        for chance, rolled in results(game, start, attack):
            ways = self._ways(here, rolled, rest, chance)
            best = max(ways, key=lambda one: one[1].value, default=None)
            if best is None:  # what couldn't be made before can be now, and fails a requirement
                return
            if not self._at_once:
                self._ask(best[1])
            after.append(((best[0],), chance, best[1]))
        here.attacks = (attack, *rest) if self._at_once else (attack,)
        here.after = after

    def _ways(
        self, here: TreeNode, rolled: DeclaredAttack, rest: tuple[DeclaredAttack, ...], chance: Fraction
    ) -> Iterator[tuple[DeclaredAttack, TreeNode]]:
        """Yield each way to go on from a result, with what follows if the rest is done as it was planned."""
        for made in AttackInTheMaking(self._referee.game, here.now.start, rolled).choices():
            self._limits.check("while it was worked out what a plan comes to")
            if self._referee.make_attack(made, here.now.start.copy()):
                continue
            now = here.now.after(Plan((), (made,)))
            value = self._worth(now, rest)
            if value is not None:
                yield made, TreeNode(now, here.probability * chance, (), value, rest, here.depth + 1)

    def _ask(self, then: TreeNode) -> None:
        """Ask what is best from a situation on; what was planned stays if nothing better is found."""
        then.settled = self._settle(then.now)
        if then.settled is not None:
            return
        plan = self._suggest(then.now, self._limits)
        if plan is not None and not plan.moves:
            value = self._worth(then.now, plan.attacks or ())
            if value is not None and value > then.value:
                then.attacks, then.value = plan.attacks or (), value

    def _worth(
        self, now: Scenario, attacks: tuple[DeclaredAttack, ...], check: Callable[[], None] | None = None
    ) -> Value | None:
        """Return what attacks come to that are rolled in their order; None if that isn't legal whatever comes."""
        game, total = self._referee.game, [Fraction(0)] * len(now.tiers)
        for chance, position in played_out(self._referee, now.start, attacks, check or self._check):
            if not self._at_once and violations_of(game, position, ()):
                return None
            tally = tally_of(position)
            if not all(term.holds(game, position, tally) for term in now.requirements):
                return None
            worth = tier_values(now.tiers, score_position(game, now.tiers, position, tally))
            total = [sofar + chance * one for sofar, one in zip(total, worth, strict=True)]
        return tuple(total)
