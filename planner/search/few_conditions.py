"""Plans in which no move needs many others: where all that units can do is too much to be listed soon.

Units with long legs among many enemies can get anywhere in very many ways, most of which need much of others: a friend in
this hex, another one in that, somebody eliminated. Most good moves need little. Where a look at some units shows that
listing everything will take long, plans are looked for among possibilities that need few things of others, one, two or
three: that takes a hundredth of the time. What is found is a plan, and that by itself proves nothing. Where it is known what
no plan exceeds in the first tier (`without_needs`), that tier comes first, among two and three needs: a plan that comes to
that is proved best there. Then, unless that was the only tier, everything is listed, as far as there is time. Measured on
long legs: 80 units of MA 16 to 20 among 80 enemies have a plan by it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.search.confirmation import nothing_known
from planner.search.context import Incumbent, SearchContext
from planner.search.reach_cache import ReachCache
from planner.search.result import Progress, Result
from planner.search.without_needs import most_without_needs
from planner.solver.tuning import FewConditions


class FewNeeds:
    """Look for plans in which moves need little of others.

    Parameters
    ----------
    search : callable
        Searches for the best plan of a smaller search.
    """

    def __init__(self, search: Callable[[SearchContext], Result]) -> None:
        self._search = search

    def suits(self, context: SearchContext) -> bool:
        """Tell whether listing everything will take long, and nothing is asked for but the objective."""
        wanted = context.plain and not context.ground.reach.rolls and bool(context.scenario.tiers)
        return wanted and context.ground.large and context.ground.vast

    def run(self, context: SearchContext) -> Result | None:
        """Look for plans; the best is remembered, and the answer if there is no tier in which another might be better.

        Raises
        ------
        OutOfTimeError
            If the time is up, or somebody has stopped the search.
        """
        self._bound(context)
        proving = 0 in context.ceilings and not self._is_reached(context)
        single = len(context.scenario.tiers) == 1
        steps = FewConditions.proving if proving else FewConditions.needs
        proved, known = False, None
        for most, share in steps:
            if single and self._is_reached(context):
                break
            limits = context.limits.share(share, FewConditions.patience)
            listed = ReachCache(context.scenario, limits, most_needs=most, without=context.without)
            others = not proving
            if proving:
                found = self._best(context, limits, listed.for_first_tier())
                proving = not self._is_reached(context)
                # What isn't come to with the most needs isn't looked for again: what is left of its time is for the others.
                others = not proving or (most == steps[-1][0] and found.status == "optimal")
            if others and not (single and 0 in context.ceilings):
                found = self._best(context, limits, listed)
                if proved and found.status == "optimal" and found.value == known:
                    break  # more needs bring nothing
                proved, known = found.status == "optimal", found.value
            context.limits.check("before all that the units can do was listed")
        return context.best_so_far(interrupted=False) if single and self._is_reached(context) else None

    @staticmethod
    def _bound(context: SearchContext) -> None:
        """Note what no plan exceeds in the first tier, if that is soon known."""
        limits = context.limits.share(FewConditions.bounding, FewConditions.patience)
        with suppress(OutOfTimeError):
            bound = most_without_needs(context, limits)
            if bound is not None:
                context.ceilings[0] = bound
                best = context.incumbent
                context.tell(Progress(0, None if best is None else best.worth[0], bound, context.seconds))

    @staticmethod
    def _is_reached(context: SearchContext) -> bool:
        """Tell whether it is known that no plan is worth more in the first tier than the best so far."""
        best = context.incumbent
        return best is not None and best.worth[0] == context.ceilings.get(0)

    def _best(self, context: SearchContext, limits: Limits, listed: ReachCache) -> Result:
        """Look for a plan among what is listed, of all tiers or the first; remember it if it is the best so far."""

        def tell(progress: Progress) -> None:
            worth, best = progress.value, context.incumbent
            if progress.tier == 0 and worth is not None and (best is None or worth > best.worth[0]):
                context.tell(Progress(0, worth, context.ceilings.get(0), context.seconds))

        search = SearchContext(listed.scenario, limits, nothing_known, tell, without=context.without, listed=listed)
        search.ceilings = context.ceilings
        if context.ceilings and (best := context.incumbent) is not None:
            search.incumbent = Incumbent(best.plan, best.worth[: len(listed.scenario.tiers)])
        found = self._search(search)
        if found.plan is not None and context.is_replayed(found.plan):
            worth = context.value(context.replay(found.plan))
            if context.incumbent is None or worth > context.incumbent.worth:
                context.remember(found.plan, worth)
        return found
