"""What the enemy can do against a placement of defenders: whether it achieves its goal, and what its best is worth."""

from __future__ import annotations

from dataclasses import dataclass, replace

from planner.limits import Limits
from planner.objective import Tier
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.scenario import Scenario
from planner.search.context import SearchContext
from planner.search.enumeration import Census
from planner.search.result import Result
from planner.search.search import best_plan, probe


@dataclass(frozen=True)
class Best:
    """The enemy's best under a placement.

    Attributes
    ----------
    value : tuple of Fraction
        What it is worth, by tiers; empty, and so less than any other, where it has no legal plan.
    plan : Plan or None
        The plan; None: it has no legal plan.
    proved : bool
        Whether no plan is better, as one configuration of the solver says.
    """

    value: Value
    plan: Plan | None
    proved: bool


@dataclass(frozen=True)
class Enemy:
    """The planner of the side that moves.

    Attributes
    ----------
    limits : Limits
        When its searches must end, and how they are run.
    """

    limits: Limits

    def achieves(self, scenario: Scenario) -> tuple[bool | None, Plan | None, bool]:
        """Tell whether it can fulfil the requirements of a scenario, with a plan, and whether a "no" is confirmed.

        None: not known.
        """
        result = self._search(replace(scenario, tiers=()), True)
        if result.status == "infeasible":
            return False, None, result.confirmed
        if result.plan is not None:
            return True, result.plan, True
        return self._by_bound(scenario)

    def _by_bound(self, scenario: Scenario) -> tuple[bool | None, Plan | None, bool]:
        """Ask how much of its goals can be had at most: where a search proves no plan impossible, its bound may do."""
        goals = scenario.requirements
        if any(goal.weight != 1 or goal.sign < 0 or not goal.averages for goal in goals):
            return None, None, False
        full = sum(goal.full(scenario.game) for goal in goals)
        other = replace(scenario, tiers=(Tier(terms=goals),), requirements=())
        short = []
        for confirms in (False, True):
            result = self._search(other, confirms)
            if result.plan is not None and result.value[0] >= full:
                return True, result.plan, True
            short.append(bool(result.bound) and result.bound[0] < full)
        return (False, None, all(short)) if any(short) else (None, None, False)

    def best(self, scenario: Scenario) -> Best | None:
        """Return the best that it can do in a scenario; None: nothing was found."""
        result = self._search(replace(scenario, requirements=()), False)
        if result.status == "infeasible":
            return Best((), None, True)
        if result.plan is None:
            return None
        return Best(result.value, result.plan, result.status == "optimal" or result.value == result.bound)

    def confirms(self, scenario: Scenario, value: Value) -> bool:
        """Tell whether a second configuration of the solver agrees that it can do no better than this.

        An empty value: that it has no legal plan.
        """
        result = self._search(replace(scenario, requirements=()), True)
        if not value:
            return result.status == "infeasible" and result.confirmed
        return result.plan is not None and result.value == value and result.bound == value

    def _search(self, scenario: Scenario, confirms: bool) -> Result:
        """Search in the time that is left; a search that confirms is made by another configuration of the solver.

        Raises
        ------
        OutOfTimeError
            If there is none.
        """
        self.limits.check()
        context = probe(scenario, self.limits, confirms)
        result = best_plan(context)
        settled = result.status in ("optimal", "infeasible") or result.value == result.bound != ()
        return result if settled or context.combat is None else self._by_trying(context, result)

    def _by_trying(self, context: SearchContext, result: Result) -> Result:
        """Go through every plan that may be better, where entering a hex is a combat: no model proves much there."""
        least = result.value if result.plan is not None else None
        highest = result.bound[0] if result.bound else None
        census = Census(context, least, highest)
        every = census.run()
        if every is None:
            return result
        entries = every.all()
        if not entries:
            return Result("infeasible", result.seconds)
        _, value, best, _ = entries[0]
        plan = census.tidy(best)
        return replace(result, status="optimal", value=value, bound=value, plan=plan, verdict=context.replay(plan))
