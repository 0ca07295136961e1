"""Searches for the best way of playing where dice are rolled: a plan that reacts to what comes of them.

First every step is tried in every situation, where that is little enough: then the way of playing is proved the best.
Where it isn't, the best plan fixed in advance is asked for again after each roll, and what that comes to on average is
worked out; `policy_bound.py` says what no way of playing is worth more than.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace

from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.plans.policy import Node
from planner.reachability.possible_rolls import may_end_illegally, may_roll
from planner.scenario import Scenario
from planner.search.asking_again import AskingAgain, Growing
from planner.search.attack_bound import attack_bounds
from planner.search.attacks_again import AskingAgainOfAttacks
from planner.search.expectimax import Expectimax, TooManyStepsError
from planner.search.policy import Estimate, Policy
from planner.search.policy_bound import bound_of
from planner.search.policy_judge import ensure_no_averages, judge_policy
from planner.search.reacting_with_luck import react_with_luck
from planner.search.relying import Relying
from planner.search.result import Progress, Result
from planner.search.search import Search
from planner.solver.model import most
from planner.solver.tuning import Adapting

STOPPED = "It was stopped"
TOO_MANY = "There are too many situations to try every step in each"
TOO_LITTLE_TIME = "The time wasn't enough to try every step in each situation"
NOT_WORKED_OUT = "What the best plan that is fixed in advance comes to can't be worked out roll by roll"
NONE_FIXED = "No plan that is fixed in advance fulfils every requirement, proved, but one that reacts might"


def adapt(
    scenario: Scenario, limits: Limits | None = None, on_progress: Callable[[Progress], None] | None = None
) -> Policy:
    """Search for the best way of playing.

    Parameters
    ----------
    scenario : Scenario
        The position; its phase may be in progress.
    limits : Limits, optional
        When it must end, who may stop it, its seed and its cores; absent: none.
    on_progress : callable, optional
        Gets a `Progress` whenever value or bound of the first tier improves.

    Raises
    ------
    InputError
        If requirements speak of what attacks bring on average.
    """
    ensure_no_averages(scenario)
    return _Adapting(scenario, limits or Limits(), on_progress).run()


def in_passing(scenario: Scenario, limits: Limits, fixed: Value | None) -> Value | None:
    """Return what the best way of playing is worth where few steps are enough to know; None where they aren't.

    Nor is any step needed where a plan that is fixed in advance, by its value, leaves nothing to be counted beyond it.
    """
    if fixed == tuple(most(tier, scenario.game) for tier in scenario.tiers) and not scenario.asks_for_attacks:
        return fixed
    if may_end_illegally(scenario.game):  # who reacts may have less
        return None
    trial = Expectimax(scenario, Adapting.steps_in_passing, lambda: limits.check("while few steps were tried"))
    try:
        found = trial.best() if scenario.tiers and not scenario.asks_for_attacks else None
    except (TooManyStepsError, OutOfTimeError):
        return None
    return None if found is None else found.value


class _Adapting:
    """One search; parameters as those of `adapt`."""

    def __init__(self, scenario: Scenario, limits: Limits, on_progress: Callable[[Progress], None] | None) -> None:
        self._scenario, self._limits, self._tell_progress = scenario, limits, on_progress
        self._begin = time.monotonic()
        self._bound: Value = tuple(most(tier, scenario.game) for tier in scenario.tiers)
        self._in_time = True  # as far as every step was tried
        # Plans fixed in advance may end where no way of playing may; what is left of a way may be such a plan.
        self._relies = may_end_illegally(scenario.game)
        self._relied: Value = ()  # what no plan exceeds that relies on rolls
        self._hopeless = False  # to try every step: not one situation was settled by the first of them
        self._trial: Expectimax | None = None  # of every step, which goes on where it was ended
        self._looked_at: Plan | None = None
        self._fixed_proved = False  # of the plan that is fixed in advance, that none of those is better
        # The best plan with attacks that has been told, and what it comes to as it is played.
        self._told: tuple[Plan, Value] | None = None

    def run(self) -> Policy:
        """Search."""
        found = self._run()
        return replace(found, fixed_proved=self._fixed_proved and bool(found.fixed))

    def _run(self) -> Policy:
        rolls, attacks = may_roll(self._scenario.game), self._scenario.asks_for_attacks
        found = self._settle_at_once() if rolls and not attacks else None
        if found is False:
            return Policy("infeasible", self._seconds)
        # Whoever asks for a plan that reacts gets one that is as good as the fixed one, which is where asking again begins:
        # nearly all of the time is for that, as long as it isn't proved.
        share = Adapting.share_fixed if rolls or attacks else 1
        fixed = Search(self._scenario, self._limits.part(share), self._tell_fixed).run()
        if attacks:
            return self._with_attacks(fixed)
        self._fixed_proved = fixed.status == "optimal"
        if not rolls:  # nothing to react to
            proved = fixed.status == "optimal"
            root = None if fixed.plan is None else Node(fixed.plan.moves, (), fixed.value, proved)
            return Policy(fixed.status, self._seconds, root, fixed.bound, fixed.value, fixed.interrupted, fixed.reason)
        if found is None:
            self._take_bound(fixed.value)
            if not self._hopeless and fixed.value != self._bound:
                found = self._settle(self._scenario, Adapting.steps, self._limits.part(1 / 4))
                self._take_relied(fixed.value)
            if found is None and fixed.plan is not None and fixed.value == self._bound:
                root = Node(fixed.plan.moves, (), fixed.value, proved=True)
                return Policy("optimal", self._seconds, root, fixed.value, fixed.value)
        if isinstance(found, Node):
            return Policy("optimal", self._seconds, found.as_proved().merged(), found.value, fixed.value)
        if found is False:
            return Policy("infeasible", self._seconds)
        if fixed.plan is None:
            reason = f"{NONE_FIXED}. {self._why}." if fixed.status == "infeasible" else f"{self._why}."
            return Policy("unknown", self._seconds, interrupted=self._stopped, reason=reason)
        return self._ask_again(fixed)

    def _with_attacks(self, fixed: Result) -> Policy:
        """Search where attacks after the moves are looked at: what plans are worth is worked out anew, roll by roll."""
        asking, root = self._begun(fixed.plan)
        if self._told is not None and (root is None or root.value < self._told[1]):
            asking, root = self._begun(self._told[0])
        value = () if root is None else root.value
        for steps in (Adapting.steps_first, Adapting.steps):
            found = self._settle(self._scenario, steps, self._limits.part(1 / 2))
            if isinstance(found, Node):
                return Policy("optimal", self._seconds, found.as_proved().merged(), found.value, value)
            if found is False:
                return Policy("infeasible", self._seconds)
            if steps == Adapting.steps_first:
                bounds = attack_bounds(self._scenario, self._limits.part(Adapting.share_bound))
                self._bound = (*map(min, self._bound, bounds), *self._bound[len(bounds) :])
            if self._hopeless or (root is not None and value == self._bound):
                break
        if root is None:
            why = NOT_WORKED_OUT if fixed.plan is not None else NONE_FIXED if fixed.status == "infeasible" else ""
            reason = f"{why}. {self._why}." if why else f"{self._why}."
            return Policy("unknown", self._seconds, interrupted=self._stopped, reason=reason)
        if value != self._bound:
            asking.grow(self._tell, Adapting.situations)
        root = max(asking.root.node(), root, key=lambda node: node.value)
        again = "each time something is rolled, the best that is known is asked for again"
        return self._answered(asking, replace(root, proved=False), value, again)

    def _begun(self, plan: Plan | None) -> tuple[AskingAgainOfAttacks, Node | None]:
        """Begin with a plan with attacks, which comes to something else as a way of playing: nobody advances in it."""
        asking = AskingAgainOfAttacks(self._scenario, self._settle_attacks, self._suggest, self._limits)
        return asking, None if plan is None else asking.begin(plan)

    def _settle_attacks(self, now: Scenario) -> Node | None:
        found = self._settle(now, Adapting.steps_again, self._limits.part(1 / 20))
        return found if isinstance(found, Node) else None

    def _ask_again(self, fixed: Result) -> Policy:
        asking = AskingAgain(self._scenario, self._settle_soon, self._suggest, self._limits)
        assert fixed.plan is not None
        asking.begin(fixed.plan, fixed.value)
        asking.grow(self._tell, Adapting.situations)
        root = asking.root.node()
        root = root if root.value >= fixed.value else Node(fixed.plan.moves, (), fixed.value)
        lucky = self._with_luck(root) if root.value < self._bound else None
        if lucky is not None:
            asking, root = lucky, lucky.root.node()
        if fixed.value != root.value and root.value[:1] == self._bound[:1]:  # now the tiers after it can be bounded
            self._take_bound(root.value)
        again = "each time something is rolled, the best fixed plan is asked for again"
        again += " in the likeliest situations, and goes on as it is in the others" if asking.full else ""
        again += "; it begins with what would be best if all rolls went well" if lucky is not None else ""
        return self._answered(asking, root, fixed.value, again)

    def _answered(self, asking: Growing, root: Node, fixed: Value, again: str) -> Policy:
        """Return the best way of playing that is known, and, where it isn't proved, why, and what was asked for again."""
        proved = root.value == self._bound
        if not proved and (last := self._settle_last()) is not None:
            return Policy("optimal", self._seconds, last, last.value, fixed)
        self._take_relied(root.value)
        proved = root.value == self._bound
        self._in_time = self._in_time and asking.complete
        rule = self._estimate(asking) if asking.full and not proved else None
        return Policy(
            "optimal" if proved else "feasible",
            self._seconds,
            (replace(root, proved=True) if proved else root).merged(),
            tuple(max(b, v) if i else b for i, (b, v) in enumerate(zip(self._bound, root.value, strict=True))),
            fixed,
            self._stopped and not proved,
            "" if proved else f"{self._why}; {again}.",
            rule,
        )

    def _with_luck(self, known: Node) -> AskingAgain | None:
        """Begin with the plan that would be the best if all rolls went well; None if that is worth no more than is known."""
        found = react_with_luck(
            self._scenario, self._limits, self._suggest, self._settle_soon, Adapting.share_with_luck
        )
        if found is None or found.root.node().value <= known.value:
            return None
        self._tell(found.root.node())
        return found

    def _estimate(self, asking: Growing) -> Estimate | None:
        """Cast the dice for what can't be written out."""
        if not asking.root.value:
            return None
        found = asking.cast(Adapting.plays, random.Random(self._limits.seed))
        return Estimate.of(found) if len(found) >= Adapting.fewest_plays else None

    # -- what it is made of

    def _settle(self, now: Scenario, steps: int, limits: Limits) -> Node | bool | None:
        """Return the best way of playing by trying every step; False if there is none, None if there are too many."""
        trial = self._trial_of(now, steps, lambda: limits.check("while every step was tried"))
        try:
            found = trial.best()
        except TooManyStepsError:
            if now is self._scenario:
                self._hopeless = not trial.settled
            return None
        except OutOfTimeError:
            self._in_time = False
            return None
        if found is None or not self._relies or judge_policy(now, found).legal:
            return found or False
        if now is self._scenario:  # what bounds all that may rely on rolls
            self._relied = found.value
        return None

    def _trial_of(self, now: Scenario, steps: int, check_time: Callable[[], None]) -> Expectimax:
        """Return what tries every step: of the scenario itself always the same, which goes on."""
        kind = Relying if self._relies else Expectimax
        if now is not self._scenario:
            return kind(now, steps, check_time)
        if self._trial is None:
            self._trial = kind(now, steps, check_time)
        self._trial.go_on(steps, check_time)
        return self._trial

    def _settle_at_once(self) -> Node | bool | None:
        """Return what `_settle` returns where few steps are enough: what is found so soon takes no time from anything.

        They count as no work, so that after the same work the fixed plan is the one that is found without them.
        """
        found = self._settle(self._scenario, Adapting.steps_first, replace(self._limits.part(1 / 20), effort=None))
        self._in_time = True  # there is another try
        return found

    def _settle_last(self) -> Node | None:
        """Return the best way of playing by trying every step, with all the time that nothing else has needed."""
        if self._hopeless or self._stopped:
            return None
        self._in_time = True
        found = self._settle(self._scenario, Adapting.longer * Adapting.steps, self._limits)
        return found.as_proved().merged() if isinstance(found, Node) else None

    def _settle_soon(self, now: Scenario) -> Node | None:
        found = self._settle(now, Adapting.steps_again, self._limits.part(1 / 20))
        return found.as_proved() if isinstance(found, Node) else None

    def _suggest(self, now: Scenario, limits: Limits) -> Plan | None:
        try:
            return Search(now, limits.part(Adapting.share_again)).run().plan
        except (OutOfTimeError, TooManyOutcomesError):
            return None

    def _take_bound(self, value: Value) -> None:
        """Work out what no way of playing is worth more than, given what a known one is worth."""
        if self._relies:
            self._take_relied(value)
            return
        found = bound_of(self._scenario, value, self._limits.part(2 / 3))
        self._bound = tuple(map(min, self._bound, found))

    def _take_relied(self, value: Value) -> None:
        """Take what trying every step says for a bound, given the tiers in which a known way of playing is worth as much."""
        for tier, most_ in enumerate(self._relied):
            self._bound = (*self._bound[:tier], min(self._bound[tier], most_), *self._bound[tier + 1 :])
            if value[tier : tier + 1] != (most_,):
                return

    # -- telling

    @property
    def _seconds(self) -> float:
        return round(time.monotonic() - self._begin, 3)

    @property
    def _stopped(self) -> bool:
        return self._limits.stop.is_set()

    @property
    def _why(self) -> str:
        """Why nothing is proved."""
        return STOPPED if self._stopped else TOO_MANY if self._in_time else TOO_LITTLE_TIME

    def _tell_fixed(self, found: Progress) -> None:
        """Tell of a plan that is fixed in advance: what bounds those doesn't bound plans that react."""
        if self._tell_progress is None or found.tier != 0 or found.value is None:
            return
        if not self._scenario.asks_for_attacks:
            self._tell_progress(replace(found, bound=self._bound[0], seconds=self._seconds))
        elif found.plan is not None and found.plan != self._looked_at:
            self._looked_at = found.plan
            root = self._begun(found.plan)[1]
            if root is not None and (self._told is None or root.value > self._told[1]):
                self._told = found.plan, root.value
                told = Progress(0, root.value[0], self._bound[0], self._seconds, found.plan, root.value)
                self._tell_progress(told)

    def _tell(self, node: Node) -> None:
        if self._tell_progress is not None and node.value:
            first = Plan(node.moves)  # up to the first roll
            self._tell_progress(Progress(0, node.value[0], self._bound[0], self._seconds, first, node.value))
