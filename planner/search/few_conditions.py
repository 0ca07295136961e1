"""Plans in which no move needs many others: where all that units can do is too much to be listed soon.

Units with long legs among many enemies can get anywhere in very many ways, most of which need much of others: a friend in
this hex, another one in that, somebody gone. Most good moves need little. Where a look at some units shows that listing
everything will take long, plans are looked for among possibilities that need one thing of others at most, then two, then
three: that takes a hundredth of the time. What is found is a plan, and nothing is proved by it; then everything is listed,
as far as there is time.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from planner.errors import OutOfTimeError
from planner.search.reach_cache import Groundwork
from planner.search.result import Progress, Result
from planner.search.search import Search
from planner.solver.model import Model, seconds_left
from planner.solver.tuning import FewConditions

if TYPE_CHECKING:
    from fractions import Fraction

    from planner.plans.plan import Plan


class _NarrowSearch(Search):
    """A search among some of all possibilities: what it finds impossible may be possible."""

    def confirm(self, model: Model) -> Result:
        """Nothing is known."""
        return Result("unknown", self.seconds())


def look_among_few_needs(search: Search) -> None:
    """Look for plans in which moves need little of others; the search remembers the best.

    Parameters
    ----------
    search : Search
        A search for nothing but the objective and requirements; its time limit holds.

    Raises
    ------
    OutOfTimeError
        If the time is up, or somebody has stopped the search.
    KeyboardInterrupt
        If there has been an interrupt while possibilities were being listed.
    """
    scenario, proved, known = search.scenario, False, None

    def tell(progress: Progress) -> None:
        worth = progress.value
        if search.on_progress is None or progress.tier > 0 or worth is None:
            return
        if search.first is None or worth > search.first[1][0]:
            search.on_progress(Progress(0, worth, None, search.seconds()))

    for most, share in FewConditions.needs:
        left = seconds_left(search.deadline)
        limit = FewConditions.patience if left is None else share * left
        ground = Groundwork(
            scenario,
            deadline=time.monotonic() + limit,
            stop=search.stop,
            without=search.without,
            most_needs=most,
            workers=search.configuration.workers,
        )
        how = search.configuration
        found = _NarrowSearch(
            scenario, limit, how.workers, how.seed, tell, search.stop, search.without, groundwork=ground
        ).run()
        if found.interrupted and not search.stop.is_set():
            raise KeyboardInterrupt
        better = _better(search, found)
        if better is not None:
            search.remember(*better, 0)
        if search.late:
            raise OutOfTimeError("the time ran out before all that the units can do was listed")
        if proved and found.status == "optimal" and found.value == known:
            break  # more needs bring nothing
        proved, known = found.status == "optimal", found.value


def _better(search: Search, found: Result) -> tuple[Plan, tuple[Fraction, ...]] | None:
    """Return the plan of a result with what it is worth if it is better than the best so far."""
    if found.plan is None or (search.first is not None and search.first[1] >= found.value):
        return None
    return found.plan, found.value
