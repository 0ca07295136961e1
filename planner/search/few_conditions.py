"""Plans in which no move needs many others: where all that units can do is too much to be listed soon.

Units with long legs among many enemies can get anywhere in very many ways, most of which need much of others: a friend in
this hex, another one in that, somebody eliminated. Most good moves need little. Where a look at some units shows that
listing everything will take long, plans are looked for among possibilities that need one thing of others at most, then
two, then three: that takes a hundredth of the time. What is found is a plan, and nothing is proved by it; then everything
is listed, as far as there is time. Measured on long legs: 80 units of MA 16 to 20 among 80 enemies have a plan by it.
"""

from __future__ import annotations

from collections.abc import Callable

from planner.search.confirmation import nothing_known
from planner.search.context import SearchContext
from planner.search.reach_cache import ReachCache
from planner.search.result import Progress, Result
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

    def run(self, context: SearchContext) -> None:
        """Look for plans; the best is remembered.

        Raises
        ------
        OutOfTimeError
            If the time is up, or somebody has stopped the search.
        """
        proved, known = False, None

        def tell(progress: Progress) -> None:
            worth, best = progress.value, context.incumbent
            if progress.tier == 0 and worth is not None and (best is None or worth > best.worth[0]):
                context.tell(Progress(0, worth, None, context.seconds))

        for most, share in FewConditions.needs:
            limits = context.limits.share(share, FewConditions.patience)
            listed = ReachCache(context.scenario, limits, most_needs=most, without=context.without)
            found = self._search(
                SearchContext(context.scenario, limits, nothing_known, tell, without=context.without, listed=listed)
            )
            if found.plan is not None and (context.incumbent is None or found.value > context.incumbent.worth):
                context.remember(found.plan, found.value)
            context.limits.check("before all that the units can do was listed")
            if proved and found.status == "optimal" and found.value == known:
                break  # more needs bring nothing
            proved, known = found.status == "optimal", found.value
