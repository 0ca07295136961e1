"""First plans: that nobody moves, then such as are made move by move before there is a model (`greedy`).

What they are for: a search tells of a plan at once, and its model begins with one. Measured on all families: a plan as good
as greedy's is there in 0.9 to 1.4 times greedy's own time; on long legs of 80 units it is told after 2.5 to 4 s, where
listing takes 10.

Where little can be done the solver is as soon, and mostly proves all tiers at a glance: then none is made by hand, so
that boards of 20 units among villages take 0.73 of the time. One is made if it doesn't, or in a hurry.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from planner.limits import CHECKED
from planner.objective import Tier
from planner.scenario import Scenario
from planner.search.context import SearchContext
from planner.search.first_attacks import FirstAttacks
from planner.search.greedy import FirstPlan
from planner.search.reach_cache import Possibilities, size
from planner.solver.tuning import Greedy, Listing


class NobodyMoves:
    """In any case, before anything is listed, that nobody moves but as is settled, where that does what is required.

    One replay says so, mostly in 2 ms or less: of the 125 scenarios that ship less than 5 % of the search, 13 % in one.
    """

    def suits(self, context: SearchContext) -> bool:
        """Tell whether a plan is worth something, or somebody waits for one, and none is known."""
        return (bool(context.scenario.tiers) or context.on_progress is not None) and context.incumbent is None

    def run(self, context: SearchContext) -> None:
        """Remember that nobody else moves; any plan by hand may be made beside it."""
        plan = context.nobody_else_moves()
        if plan is not None:
            context.remember(plan, context.value(context.replay(plan)))
            context.provisional = True


class SureMoves:
    """Where units roll: of what they can do alone, and for sure, as listing what they can do together may take long."""

    def suits(self, context: SearchContext) -> bool:
        """Tell whether units roll."""
        return context.plain and _may_roll(context)

    def run(self, context: SearchContext) -> None:
        """Make a plan of moves without overruns."""
        everything = context.ground.possibilities.items()
        _make(context, {unit: [found for found in some if not found.overruns] for unit, some in everything})


class BeforeModel:
    """Where listing takes long: of what each unit can do after each move; where there is much, of all possibilities.

    That is before it is known which of them can matter.
    """

    def suits(self, context: SearchContext) -> bool:
        """Tell whether listing takes long, or there are many possibilities."""
        ground = context.ground
        wanted = context.plain and not _may_roll(context) and bool(context.scenario.tiers)
        return wanted and (ground.large or size(ground.possibilities) >= Greedy.many)

    def run(self, context: SearchContext) -> None:
        """Make a plan of what hasn't been listed yet, or of all possibilities."""
        _make(context, None if context.ground.large else context.ground.possibilities, provisional=True)


class OfTheModel:
    """Of the possibilities of the model, so that it begins with it; better ones that are provisional stay the best."""

    def suits(self, context: SearchContext) -> bool:
        """Tell whether nothing is asked for beside the objective."""
        return context.plain

    def run(self, context: SearchContext) -> None:
        """Make a plan of the possibilities of the model; where the solver may be done as soon, once it turns out not to be.

        Whoever has hardly any time has the plan at once. What the model begins with is the same.
        """
        make = partial(_make, context, context.possibilities)
        if not _may_be_solved_soon(context):
            make()
        elif not context.limits.but(Greedy.hurry).late:
            context.by_hand = make
        else:
            make()
            chosen, context.warm_start = context.warm_start, {}
            context.by_hand = partial(setattr, context, "warm_start", chosen)


def _may_be_solved_soon(context: SearchContext) -> bool:
    """Tell whether cores are likely to prove a tier sooner than a plan is made by hand."""
    scenario = context.scenario
    more = scenario.requirements or scenario.asks_for_attacks or context.ceilings or _may_roll(context)
    alone = bool(scenario.tiers) and not more and context.limits.workers == 1
    return alone and size(context.possibilities) <= Greedy.few


def _may_roll(context: SearchContext) -> bool:
    """Tell whether units that can move may have to roll, or overrun together; that there are rules of it isn't enough."""
    reach, units = context.ground.reach, context.scenario.game.units
    return reach.joint or any(reach.rolls_alone(units[unit]) for unit in reach.movers)


def _make(context: SearchContext, possibilities: Possibilities | None, provisional: bool = False) -> None:
    """Make a plan move by move, of units that move alone and for sure, and remember it if it is the best so far.

    The model may not have the very moves of a provisional plan.
    """
    scenario = context.scenario
    if not scenario.tiers or (context.incumbent is not None and not context.provisional):
        return
    kind, reach = FirstAttacks if scenario.asks_for_attacks else FirstPlan, context.ground.reach
    # Counted, whatever the limit: the clock is to have no part in what a search without one begins with.
    limits = context.limits.part(Greedy.share).of_work(Greedy.looks * len(reach.movers) * CHECKED)
    most_ways = Listing.looked_through if possibilities is None else None
    made = kind(_requirements_first(scenario), reach, possibilities, most_ways, limits)
    for plan in made.plans():
        verdict = context.replay(plan)
        if not verdict.legal or not context.fulfils(plan, verdict):
            continue
        context.provisional = provisional
        worth = context.value(verdict)
        better = context.incumbent is None or worth > context.incumbent.worth
        if better:
            context.remember(plan, worth)
        # Moves without the attacks for which they are made held the solver back: 95 of 97 after 22 s instead of 14.
        if not provisional and not scenario.asks_for_attacks and (better or not context.warm_start):
            context.warm_start = dict(made.chosen)


def _requirements_first(scenario: Scenario) -> Scenario:
    """Return a scenario in which what is required counts before everything else, as far as it can be counted."""
    wanted = tuple(term for term in scenario.requirements if term.sign > 0)
    return replace(scenario, tiers=(Tier(terms=wanted), *scenario.tiers)) if wanted else scenario
