"""The search for alternatives: plans that differ in substance, one after another.

Where every plan has a form in the model, the next best plan is the optimum of the same model with one clause more for
each plan that is known: one of its facts doesn't hold. Each such optimum is proved as any other, and when there is none
left, that is proved and confirmed, too. Where plans rely on likely results, or where entering a hex is a combat, plans
are only looked at one by one: the best of those that were looked at are given, and nothing is called proved that isn't.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from planner.alternative import Alternative, Alternatives
from planner.errors import OutOfTimeError
from planner.partial import PartialPlan
from planner.results import Progress, Result, score
from planner.scenario import Scenario
from planner.solver.conditions import Conditions, Facts
from planner.solver.groundwork import Groundwork
from planner.solver.pool import Pool
from planner.solver.search import Search
from planner.substance import substance_of


class AlternativesSearch:
    """A search for several plans of one scenario.

    Parameters
    ----------
    scenario : Scenario
        Position, objective and requirements.
    time_limit : float, optional
        Seconds for everything; absent: none.
    workers : int
        Threads.
    seed : int
        Random seed.
    conditions : Conditions, optional
        What every plan must fulfil besides; what it says of known plans and of exactness is seen to here.
    on_progress : callable, optional
        Gets a `Progress` whenever something changes.
    stop : threading.Event, optional
        Set it to stop the search.
    """

    def __init__(
        self,
        scenario: Scenario,
        time_limit: float | None = None,
        workers: int = 1,
        seed: int = 0,
        conditions: Conditions | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        stop: threading.Event | None = None,
    ) -> None:
        self.scenario = scenario
        self._begin = time.monotonic()
        self._deadline = None if time_limit is None else self._begin + time_limit
        self._workers, self._seed = workers, seed
        self._conditions = replace(
            conditions if conditions is not None else Conditions(), against=(), apart=(), exact=True
        )
        self._on_progress, self._stop = on_progress, stop or threading.Event()
        self._pool = Pool(scenario.game)
        partial: PartialPlan = self._conditions.partial
        self._groundwork = Groundwork(scenario, True, partial, self._deadline, self._stop)
        self._complete, self._form = True, "options"

    @property
    def complete(self) -> bool:
        """After a search: whether every plan has a form in the model, so that there being no other plan can be proved."""
        return self._complete

    def best(self, count: int, only_best: bool = False) -> Alternatives:
        """Return the best plans that differ in substance.

        Parameters
        ----------
        count : int
            How many at most.
        only_best : bool
            Whether to leave out plans that aren't worth as much as the best one.

        Raises
        ------
        DisagreementError
            If solver and referee contradict each other.
        """
        first = self._search(self._conditions)
        if self._form in ("reliance", "combats"):
            return self._pooled(first, count, only_best)
        found: list[Alternative] = []
        result, exhausted = first, False
        conditions = self._conditions
        if only_best and first.status == "optimal":
            goals = zip(self.scenario.tiers, first.value, strict=True)
            conditions = replace(conditions, goals=(*conditions.goals, *goals))
        while result.plan is not None:
            found.append(self._alternative(result, found))
            # Where units wait for reasons that the model doesn't know, it comes to its own optimum, which proves nothing.
            settled = result.status == "optimal" or (not self._complete and result.gap == 0)
            if not settled or len(found) == count:
                break
            against = tuple(known.substance for known in found)
            result = self._search(replace(conditions, against=against))
        if result.status == "infeasible":
            exhausted = True
        return Alternatives(first, tuple(found), exhausted, self._seconds())

    def diverse(self, count: int, within: Fraction) -> Alternatives:
        """Return the best plan, and plans that are good enough and as far as possible from all before them.

        Parameters
        ----------
        count : int
            How many at most.
        within : Fraction
            A plan is good enough if in each tier it falls short of the best plan's value by this share of it at most.
        """
        first = self._search(self._conditions)
        if first.plan is None:
            return Alternatives(first, (), first.status == "infeasible", self._seconds(), within)
        goals = tuple(
            (tier, value - within * abs(value)) for tier, value in zip(self.scenario.tiers, first.value, strict=True)
        )
        if self._form in ("reliance", "combats"):
            return self._pooled_diverse(first, count, within, [least for _, least in goals])
        found = [self._alternative(first, [])]
        exhausted, good = False, replace(self._conditions, goals=(*self._conditions.goals, *goals))
        while len(found) < count and first.status == "optimal":
            outcome, distance, proved = self._farthest(good, found)
            if not distance:
                exhausted = outcome == "optimal" or outcome == "infeasible"
                break
            result = self._search(replace(good, apart=tuple((known.substance, distance) for known in found)))
            if result.plan is None:
                break
            if not proved:
                result = replace(result, status="feasible")
            found.append(self._alternative(result, found))
            if result.status != "optimal":
                break
        return Alternatives(first, tuple(found), exhausted, self._seconds(), within)

    # -- one search after another

    def _search(self, conditions: Conditions) -> Result:
        search = self._new_search(conditions)
        result = search.run()
        self._complete, self._form = search.complete, search.form
        return result

    def _new_search(self, conditions: Conditions) -> Search:
        left = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        return Search(
            self.scenario,
            left,
            self._workers,
            self._seed,
            self._on_progress,
            self._stop,
            conditions=conditions,
            groundwork=self._groundwork,
            pool=self._pool,
        )

    def _farthest(self, good: Conditions, found: list[Alternative]) -> tuple[str, int, bool]:
        """Return how far a good plan can be from all that are known at most, and whether that is proved."""
        search = self._new_search(good)
        try:
            model = search.prepare()
        except OutOfTimeError:
            return "unknown", 0, False
        coupling, facts = model.coupling, Facts(model)
        widest = len(self.scenario.game.order) * 2
        nearest = coupling.model.new_int_var(0, widest, "distance of the nearest known plan")
        for known in found:
            coupling.model.add(nearest <= coupling.expression(facts.distance(known.substance)))
        solved = search.solve(model, 0, told=False)
        if solved.holds is None:
            return solved.outcome, 0, False
        coupling.model.maximize(nearest)
        solved = search.solve(model, 0, told=False)
        while solved.holds is not None and coupling.tighten(solved.holds):
            solved = search.solve(model, 0, told=False)
        return solved.outcome, solved.value or 0, solved.outcome == "optimal"

    def _alternative(self, result: Result, before: list[Alternative]) -> Alternative:
        assert result.verdict is not None
        substance = substance_of(self.scenario.game, result.verdict)
        distances = [substance.distance(known.substance) for known in before]
        return Alternative(result, substance, min(distances, default=None))

    # -- where plans are looked at one by one

    def _pooled(self, first: Result, count: int, only_best: bool) -> Alternatives:
        found: list[Alternative] = []
        for result in self._looked_at(first):
            if len(found) < count and not (only_best and result.value != first.value):
                found.append(self._alternative(result, found))
        return Alternatives(first, tuple(found), first.status == "infeasible", self._seconds())

    def _pooled_diverse(self, first: Result, count: int, within: Fraction, least: list[Fraction]) -> Alternatives:
        results = self._looked_at(first)
        found = [self._alternative(results[0], [])]
        left = [r for r in results[1:] if all(value >= one for value, one in zip(r.value, least, strict=True))]
        while left and len(found) < count:
            best = max(left, key=lambda result: self._alternative(result, found).distance or 0)
            left.remove(best)
            found.append(self._alternative(best, found))
        return Alternatives(first, tuple(found), False, self._seconds(), within)

    def _looked_at(self, first: Result) -> list[Result]:
        """Return the essential plans of the pool as results, the best one first as it was found."""
        if first.plan is None or first.verdict is None:
            return []
        self._pool.add(first.plan, first.verdict, first.value)
        game, tiers = self.scenario.game, self.scenario.tiers
        found = []
        for _, value, plan, verdict in self._pool.essential():
            terms = tuple(score(game, tiers, verdict))
            found.append(Result("feasible", first.seconds, value, first.bound, plan, verdict, terms))
        if found and found[0].value == first.value:
            found[0] = replace(found[0], status=first.status)
        return found

    def _seconds(self) -> float:
        return round(time.monotonic() - self._begin, 3)
