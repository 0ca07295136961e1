"""A way of playing by a rule: after each roll, the best plan fixed in advance is asked for again.

Whatever is rolled, going on with the old plan is one of the plans that are looked at; so this is never worth less than the
best plan fixed in advance (it is what is called a rollout: Bertsekas, Tsitsiklis & Wu 1997). What has been done before a
roll can't react to it: of the old plan, as little as may be is done before the roll that tells most. The value is worked
out exactly: situation by situation, the likeliest first. Where the time isn't enough, the plan that is known is carried out.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from planner.errors import InputError, OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.objective.scoring import Value, values_of
from planner.plans.plan import Move, Plan
from planner.plans.policy import MOST_ROLLS, Branch, Made, Node, mean_value
from planner.referee.referee import Referee
from planner.referee.verdict import PlayedMove, Roll
from planner.scenario import Scenario
from planner.world.declared_attack import DeclaredAttack


@dataclass(eq=False)
class TreeNode:
    """A situation of the tree while it grows.

    Attributes
    ----------
    now : Scenario
        The phase in progress.
    probability : Fraction
        How likely it is to come about.
    plan : tuple of Move
        What is done as long as nobody asks again.
    value : tuple of Fraction
        What that is worth on average.
    attacks : tuple of DeclaredAttack
        The attacks that follow, where moves have been made.
    depth : int
        How many rolls have led to it.
    settled : Node or None
        The best way of playing from here on, where that is known.
    head : tuple of Move
        The moves up to the next roll, once it has been looked at.
    after : list of (tuple of Move or DeclaredAttack, Fraction, TreeNode)
        The results of the roll: as the last move, or the attack, has been made, how likely each is, and the situation then.
    hoped : tuple of Move
        What is done if all goes well: what is done anyway, and after it what relies on its rolls.
    legal : bool
        Whether what is done is legal: not where nobody may be left as he stands, and it isn't known yet what else to do.
    """

    now: Scenario
    probability: Fraction
    plan: tuple[Move, ...] = ()
    value: Value = ()
    attacks: tuple[DeclaredAttack, ...] = ()
    depth: int = 0
    settled: Node | None = None
    head: tuple[Move, ...] = ()
    after: list[tuple[tuple[Made, ...], Fraction, TreeNode]] = field(default_factory=list)
    hoped: tuple[Move, ...] = ()
    legal: bool = True

    def node(self) -> Node:
        """Return what is done from here on."""
        if self.settled is not None:
            return self.settled
        if not self.after:
            return Node(self.plan, (), self.value, attacks=self.attacks)
        branches = tuple(Branch(made, chance, then.node()) for made, chance, then in self.after)
        mean = mean_value([(branch.probability, branch.then.value) for branch in branches])
        return Node(self.head, branches, mean, attacks=self.attacks)


class Growing:
    """Grows the tree of what is done after each result, the likeliest situations first.

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
        self._settle, self._suggest, self._limits = settle, suggest, limits
        self.root = TreeNode(scenario, Fraction(1))
        self.complete = self.full = False

    def grow(self, tell: Callable[[Node], None], most: int) -> None:
        """Look at situations until nothing is rolled in any, there are too many, or the time is up.

        Parameters
        ----------
        tell : callable
            Is told of each better way of playing.
        most : int
            How many situations are looked at: `full` says whether there are more.
        """
        queue: list[tuple[Fraction, int, TreeNode]] = [(-self.root.probability, 0, self.root)]
        ticket = 0
        while queue:
            if self._limits.late:
                return
            if not most:
                self.full = True
                return
            most -= 1
            here = heapq.heappop(queue)[2]
            try:
                self._expand(here)
            except (OutOfTimeError, TooManyOutcomesError):
                return
            for _, _, then in here.after:
                ticket += 1
                if then.settled is None and self._goes_on(then):
                    heapq.heappush(queue, (-then.probability, ticket, then))
            if here.after:
                tell(self.root.node())
        self.complete = True

    def cast(self, plays: int, rng: random.Random) -> list[Fraction]:
        """Play the rule so often, asking again after every roll; return what each comes to in the first tier.

        There are fewer plays if the time is up. The tree grows by what is looked at.
        """
        found: list[Fraction] = []
        while len(found) < plays and not self._limits.late:
            here = self.root
            try:
                while here.settled is None:
                    if not here.after:
                        self._expand(here)
                    if not here.after:  # nothing is rolled any more
                        break
                    [(_, _, here)] = rng.choices(here.after, [float(chance) for _, chance, _ in here.after])
            except (OutOfTimeError, TooManyOutcomesError):
                break
            found.append((here.value if here.settled is None else here.settled.value)[0])
        return found

    def _expand(self, here: TreeNode) -> None:
        """Look at the results of the first roll of a situation, and ask again after each."""
        raise NotImplementedError

    @staticmethod
    def _goes_on(then: TreeNode) -> bool:
        """Tell whether a situation may be looked at in turn."""
        return then.depth < MOST_ROLLS * 2 // 3  # what is settled may go on

    def _check(self) -> None:
        self._limits.check("while it was worked out what a plan comes to")


class AskingAgain(Growing):
    """Grows the tree of situations in which moves are rolled for; parameters as those of `Growing`."""

    def begin(self, plan: Plan, value: Value) -> None:
        """Begin with a legal plan that is fixed in advance, and what it is worth."""
        self.root.plan, self.root.value = plan.moves, value

    def _expand(self, here: TreeNode) -> None:
        hoped = [here.hoped] if len(here.hoped) > len(here.plan) else []
        head, after = here.head, here.after
        for plan in dict.fromkeys((*hoped, self._with_a_roll_soon(here), here.plan)):
            first = self._first_roll(here, plan)
            rolled = None if first is None else self._rolled(here, plan, *first)
            if rolled is None:
                continue
            head, after = rolled
            if mean_value([(chance, then.value) for _, chance, then in after]) >= here.value:
                break
        for _, _, then in after:
            self._ask(then)
        here.head, here.after = head, after

    def _rolled(
        self, here: TreeNode, plan: tuple[Move, ...], index: int, played: PlayedMove, roll: Roll
    ) -> tuple[tuple[Move, ...], list[tuple[tuple[Made, ...], Fraction, TreeNode]]] | None:
        """Return the moves up to a roll, and its results, each with the situation in which the plan goes on.

        Who gets through and may not end the move there goes on as planned before anything else can be asked. None: whoever
        fails may not end it there, which only a plan that is fixed in advance may rely on not to happen.
        """
        # Where nobody tries again after a failure, all attempts are one roll.
        final = any(rule.failure_is_final for rule in here.now.game.rulebook.overrunning)
        move = replace(
            played.move.until(roll.step),
            attempts=tuple(a for a in played.move.attempts if a[0] < roll.step + final),
        )
        move = replace(move, units=played.move.units, damage=None, failed=False)
        before, later = plan[:index], plan[index + 1 :]
        # Otherwise the die is cast once, however often the old plan would have it cast.
        judged = Referee(here.now.game).play(Plan((*before, move)), here.now.start, rolls=False)
        whole = any(violation.halt for violation in judged.violations)
        once = played if whole else judged.moves[-1]
        if once.fights_on_its_way:
            return None
        after = list[tuple[tuple[Made, ...], Fraction, TreeNode]]()
        for results, chance in once.results():
            try:
                now = here.now.after(Plan((*before, results[0])))
            except InputError:
                return None
            then = TreeNode(now, here.probability * chance, depth=here.depth + 1)
            self._follow(then, later if whole else self._rest(played.move, roll, results[0], later))
            after.append((results, chance, then))
        return (*before, once.move), after

    def _with_a_roll_soon(self, here: TreeNode) -> tuple[Move, ...]:
        """Return the plan in an order in which as little as may be is done before a roll, of those that tell most.

        What has been done by then can't react to it any more.
        """
        referee, start, moves = Referee(here.now.game), here.now.start, here.plan
        played = referee.play(Plan(moves), start, rolls=False).moves
        rolling = {
            index: sum(chance**2 for _, chance in one.rolls[0].results_of(one.move))
            for index, one in enumerate(played)
            if one.rolls
        }
        for last in sorted(rolling, key=lambda index: rolling[index]):
            order = [*range(len(moves))]
            for earlier in reversed(range(last)):
                self._check()
                others = [index for index in order if index != earlier]
                at = others.index(last) + 1
                trial = [*others[:at], earlier, *others[at:]]
                verdict = referee.play(Plan(tuple(moves[index] for index in trial)), start, rolls=False)
                if not any(violation.move is not None for violation in verdict.violations):
                    order = trial
            if rolling.keys().isdisjoint(order[: order.index(last)]):
                return tuple(moves[index] for index in order)
        return moves

    def _ask(self, then: TreeNode) -> None:
        """Ask what is best from a situation on; what was planned stays if nothing better is found."""
        then.settled = self._settle(then.now)
        if then.settled is not None:
            return
        plan = self._suggest(then.now, self._limits)
        if plan is not None:
            known, legal = (then.plan, then.value, then.hoped), then.legal
            self._follow(then, plan.moves)
            if legal and then.value <= known[1]:
                then.plan, then.value, then.hoped = known

    @staticmethod
    def _first_roll(here: TreeNode, plan: tuple[Move, ...]) -> tuple[int, PlayedMove, Roll] | None:
        verdict = Referee(here.now.game).play(Plan(plan), here.now.start, rolls=False)
        for index, played in enumerate(verdict.moves):
            if played.rolls:
                return index, played, played.rolls[0]
        return None

    def _follow(self, here: TreeNode, moves: tuple[Move, ...]) -> None:
        """Carry out in a situation what is legal of some moves, whatever is rolled; hope for what is if all goes well."""
        referee, start, kept = Referee(here.now.game), here.now.start, list[Move]()
        for move in moves:
            judged = referee.play(Plan((*kept, move)), start, rolls=False)
            if not any(violation.move is not None for violation in judged.violations):
                kept.append(move)
        here.hoped = tuple(kept)
        verdict = referee.play(Plan(tuple(kept)), start, check_time=self._check)
        while kept and not verdict.legal:
            kept.pop()
            verdict = referee.play(Plan(tuple(kept)), start, check_time=self._check)
        here.plan, here.value = tuple(kept), values_of(here.now.game, here.now.tiers, verdict)
        here.legal = verdict.legal

    @staticmethod
    def _rest(move: Move, roll: Roll, made: Move, later: tuple[Move, ...]) -> tuple[Move, ...]:
        """Return what the old plan does after a result: the move goes on if it can, or is tried again."""
        tries = move.tries(roll.step)
        if made.failed and not made.bogs and tries > 1:
            again = move.beyond(roll.step - 1)
            fewer = tuple((step, n - (step == 1)) for step, n in again.attempts if n - (step == 1) > 1)
            return (replace(again, attempts=fewer), *later)
        if not made.failed and made.damage is None and roll.step < len(move.path) - 1:
            return (move.beyond(roll.step), *later)
        return later
