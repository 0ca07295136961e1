"""The plans of a search as the referee has played them, and what they are worth: each once, and not without end.

Where results are rolled, playing a plan means going through all that the rolls may lead to, which may take longer than
the search itself. So the solver stops a little before the time is up, plans of which nobody could ever say what they lead
to aren't proposed, and a replay that isn't done some time after the end is given up.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from planner.errors import OutOfTimeError
from planner.limits import CHECKED, Limits
from planner.objective import Tier
from planner.objective.scoring import TermScore, score
from planner.plans.plan import Plan
from planner.referee.outcomes import MOST_OUTCOMES
from planner.referee.referee import Referee
from planner.referee.sharing_referee import SharingReferee
from planner.referee.verdict import Verdict
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario
from planner.solver.tuning import Replay


class Replays:
    """Plays the plans of one search.

    Parameters
    ----------
    scenario : Scenario
        The position.
    limits : Limits
        Those of the search, which begins now.
    goals : sequence of Tier
        What plans must be worth something for, beside the scenario's objective.

    Attributes
    ----------
    reserve : float
        Seconds before the end at which the solver should stop.
    most_outcomes : int
        How many outcomes a plan may have, or moves of it that have to do with each other, so that it is replayed by the end.
    """

    def __init__(self, scenario: Scenario, limits: Limits, goals: Sequence[Tier] = ()) -> None:
        self._scenario, self._stop, self._limits, self._goals = scenario, limits.stop, limits, goals
        self._end: float | None = None
        self.reserve = 0.0
        self.most_outcomes = MOST_OUTCOMES
        left = limits.left()
        if limits.deadline is not None and left is not None:
            time_limit = round(left, 2)
            self._end = limits.deadline + max(Replay.at_least, Replay.late * time_limit)
            self.reserve = Replay.share * time_limit
            self.most_outcomes = max(Replay.few, min(MOST_OUTCOMES, int(self.reserve * Replay.outcomes_a_second)))
        self._stopped: float | None = None
        # Plans of combats begin alike, and each has many outcomes.
        self._referee = (SharingReferee if scenario.game.rulebook.of(Fights) else Referee)(scenario.game)
        self._over = False
        self._known: dict[Plan, Verdict] = {}
        self._kept: Plan | None = None
        # By the identity of the verdicts that are known.
        self._scores: dict[int, list[TermScore]] = {}
        self._playing = self._counting = 0.0

    @property
    def longest(self) -> float:
        """Seconds that playing a plan, and working out what it comes to, have taken at most."""
        return self._playing + self._counting

    def play(self, plan: Plan, in_groups: bool = False) -> Verdict:
        """Return the referee's verdict on a plan.

        Parameters
        ----------
        plan : Plan
            The plan.
        in_groups : bool
            Whether many rolls are gone through only if few enough of them have to do with each other.

        Raises
        ------
        OutOfTimeError
            If the time has been up for long before it is known.
        TooManyOutcomesError
            If its rolls have more outcomes than the referee goes through, or than may be told apart for what is asked.
        """
        found = self._known.get(plan)
        if found is None:
            self._limits.spend(CHECKED * len(plan.moves))
            begin = time.monotonic()
            # One that is illegal if some roll fails isn't worth the time that listing all that is wrong with it takes.
            most = self.most_outcomes if in_groups else max(self.most_outcomes, Replay.listed)
            found = self._referee.play(plan, self._scenario.start, check_time=self._check_time, most=most)
            told = None if found.groups is None else self._counted(found, most)
            self._known[plan] = found
            if told is not None:
                self._scores[id(found)] = told
            self._playing = max(self._playing, time.monotonic() - begin)
            self._forget()
        return found

    def _counted(self, verdict: Verdict, most: int) -> list[TermScore]:
        """Return what the terms of the objective come to where rolls are in groups, if all that is asked can be told of."""
        scenario = self._scenario
        score(scenario.game, self._goals, verdict, most)
        for requirement in scenario.requirements:
            verdict.meets(requirement, scenario.game, most)
        return score(scenario.game, scenario.tiers, verdict, most)

    def scores(self, verdict: Verdict) -> list[TermScore]:
        """Return what the terms of the objective come to; it is worked out once as long as the verdict is known."""
        found = self._scores.get(id(verdict))
        if found is None:
            begin = time.monotonic()
            found = score(self._scenario.game, self._scenario.tiers, verdict)
            self._counting = max(self._counting, time.monotonic() - begin)
            if any(verdict is known for known in self._known.values()):
                self._scores[id(verdict)] = found
        return found

    def keep(self, plan: Plan) -> None:
        """Keep the verdict on a plan, whatever is played after it; no more the one that was kept before."""
        self._kept = plan

    def _forget(self) -> None:
        """Forget the oldest plans, but for the one that is to be kept, and the last one, if there is too much to keep."""
        kept = sum(map(_listed, self._known.values()))
        for plan in [*self._known][:-1]:
            if kept <= Replay.kept and len(self._known) <= Replay.kept // 100:
                break
            if plan != self._kept:
                oldest = self._known.pop(plan)
                kept -= _listed(oldest)
                self._scores.pop(id(oldest), None)

    def release(self) -> None:
        """Let whoever asks after the search have all the time that it takes."""
        self._over = True

    def _check_time(self) -> None:
        if self._over:
            return
        self._limits.spend(CHECKED)
        now = time.monotonic()
        if self._stop.is_set():
            self._stopped = self._stopped or now
        late = self._end is not None and now > self._end
        if late or (self._stopped is not None and now > self._stopped + Replay.after_stop):
            raise OutOfTimeError("the time ran out while all that the rolls may lead to was being played")


def _listed(verdict: Verdict) -> int:
    """Return how many outcomes are kept of a verdict."""
    return len(verdict.outcomes) if verdict.groups is None else verdict.groups.listed
