"""Plans that have been proved best, kept for the same question: the referee plays them, and nothing is searched again.

What is kept is the answer that the search would come to: the question must be the same in all on which it depends, the seed
and the number of threads included. Where little work may be done, what is proved within it is not to depend on what was
asked before, so that nothing is recalled.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from planner.plans.plan import Plan
from planner.scenario import Scenario
from planner.scenario.memory import Memory
from planner.search.context import Claim, SearchContext
from planner.search.result import Progress, Result
from planner.solver.engine import Configuration


@dataclass(frozen=True, eq=False)
class KeptPlan:
    """A plan that has been proved best.

    Attributes
    ----------
    scenario : Scenario
        The question, with a memory of its own: whoever kept itself would wait for Python's collector.
    configuration : Configuration
        How the solver was to search.
    plan : Plan
        The answer.
    value : tuple of Fraction
        What it is worth.
    bound : tuple of Fraction
        What no plan exceeds.
    """

    scenario: Scenario
    configuration: Configuration
    plan: Plan
    value: tuple[Fraction, ...]
    bound: tuple[Fraction, ...]

    @property
    def size(self) -> int:
        """About how many objects it holds: what a scenario holds its memory doesn't count."""
        return 1 + len(self.plan)


def keep(context: SearchContext, asked: Configuration, found: Result) -> None:
    """Keep what has been proved best, if it is all that a search was asked for.

    Parameters
    ----------
    context : SearchContext
        The search.
    asked : Configuration
        How the solver was to search when it began.
    found : Result
        What has come of it.
    """
    if found.status == "optimal" and found.plan is not None and _is_common(context):
        scenario = replace(context.scenario, memory=Memory(), data={})
        # Whoever asked tells plans to which scenario they belong: each gets his own.
        context.scenario.memory.keep(KeptPlan(scenario, asked, replace(found.plan), found.value, found.bound))


def recalled(context: SearchContext) -> Result | None:
    """Return the answer to a question that has been answered before, if it is known and the referee agrees; else None."""
    memory, scenario = context.scenario.memory, context.scenario
    for known in memory.of(KeptPlan) if _is_common(context) and not context.limits.late else ():
        if known.configuration == context.configuration and _is_same(known.scenario, scenario):
            plan = replace(known.plan)
            verdict = context.judged(plan)
            if verdict is None or context.value(verdict) != known.value:
                return None  # the rules have changed under it
            memory.keep(known)
            if known.value:
                last = len(known.value) - 1
                context.remember(plan, known.value, last)
                context.tell(Progress(last, known.value[last], known.bound[last], context.seconds))
            return context.result(plan, verdict, Claim(known.bound, True, known.value))
    return None


def _is_common(context: SearchContext) -> bool:
    """Tell whether nothing but the best plan is asked for, and any work may be done for it."""
    special = context.conditions or context.conditions.exact or context.without or context.pool is not None
    return not special and context.limits.effort is None


def _is_same(one: Scenario, other: Scenario) -> bool:
    """Tell whether position and objective are the same, the order of the units included."""
    asked = one.tiers == other.tiers and one.requirements == other.requirements and one.done == other.done
    begun = one.game.begun is not None
    return (
        asked
        and one.game.is_like(other.game)
        and (one.start is other.start or (not begun and one.start == other.start))
    )
