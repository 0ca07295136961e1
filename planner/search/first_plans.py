"""First plans, made move by move before there is a model (`greedy`), of what is known by then.

What they are for: a search tells of a plan at once, and its model begins with one. Measured on all families: a plan as good
as greedy's is there in 0.9 to 1.4 times greedy's own time; on long legs of 80 units it is told after 2.5 to 4 s, where
listing takes 10.
"""

from __future__ import annotations

from planner.search.context import SearchContext
from planner.search.greedy import FirstPlan
from planner.search.reach_cache import Possibilities, size
from planner.solver.tuning import Greedy, Listing


class SureMoves:
    """Where units roll: of what they can do alone, and for sure, as listing what they can do together may take long."""

    def suits(self, context: SearchContext) -> bool:
        """Tell whether units roll."""
        return context.plain and context.ground.reach.rolls

    def run(self, context: SearchContext) -> None:
        """Make a plan of moves without overruns."""
        everything = context.ground.possibilities.items()
        _make(context, {unit: [found for found in some if not found.overruns] for unit, some in everything})


class BeforeListing:
    """Where listing takes long: of what each unit can do on the board as it stands after each move."""

    def suits(self, context: SearchContext) -> bool:
        """Tell whether listing takes long."""
        return _may_be_provisional(context) and context.ground.large

    def run(self, context: SearchContext) -> None:
        """Make a plan of what hasn't been listed yet."""
        _make(context, None, provisional=True)


class BeforeChoosing:
    """Where there are many possibilities: of all of them, before it is known which can matter."""

    def suits(self, context: SearchContext) -> bool:
        """Tell whether there are many."""
        ground = context.ground
        return _may_be_provisional(context) and not ground.large and size(ground.possibilities) >= Greedy.many

    def run(self, context: SearchContext) -> None:
        """Make a plan of all possibilities."""
        _make(context, context.ground.possibilities, provisional=True)


class OfTheModel:
    """Of the possibilities of the model, so that it begins with it; better ones that are provisional stay the best."""

    def suits(self, context: SearchContext) -> bool:
        """Tell whether nothing is asked for beside the objective."""
        return context.plain

    def run(self, context: SearchContext) -> None:
        """Make a plan of the possibilities of the model."""
        _make(context, context.possibilities)


def _may_be_provisional(context: SearchContext) -> bool:
    return context.plain and not context.ground.reach.rolls and bool(context.scenario.tiers)


def _make(context: SearchContext, possibilities: Possibilities | None, provisional: bool = False) -> None:
    """Make a plan move by move, of units that move alone and for sure, and remember it if it is the best so far.

    The model may not have the very moves of a provisional plan.
    """
    scenario = context.scenario
    if not scenario.tiers or scenario.requirements or (context.incumbent is not None and not context.provisional):
        return
    context.provisional = provisional
    if possibilities is None:
        limits = context.limits.share(Greedy.share, Greedy.patience)
        made = FirstPlan(scenario, context.ground.reach, None, Listing.looked_through, limits)
    else:
        made = FirstPlan(scenario, context.ground.reach, possibilities)
    plan = made.find()
    verdict = context.replay(plan)
    if not verdict.legal:
        return
    worth = context.value(verdict)
    if context.incumbent is None or worth > context.incumbent.worth:
        context.remember(plan, worth)
    context.warm_start = {} if provisional else made.chosen
