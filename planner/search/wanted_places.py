"""Plans that take units to places, whichever of them to any of its own: one model for all units, asked until it has none.

Most of what a search for one of them needs is the same for all: the model of what everybody can do. It is built once. Each
plan that it finds is a witness for all units that it moves; that it has none left is a proof for all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from planner.limits import Limits
from planner.plans.plan import Plan
from planner.scenario import Scenario
from planner.search.confirmation import unconfirmed
from planner.search.context import SearchContext
from planner.search.reach_cache import ReachCache
from planner.solver.engine import Solved, run
from planner.solver.tuning import WitnessPlans
from planner.solver.union_cuts import solve_honestly
from planner.solver.warm_start import hint_nobody_moves


class WantedPlaces:
    """Finds plans that take at least one of some units to a place that is wanted of it.

    Parameters
    ----------
    scenario : Scenario
        The position, without requirements and objective; entering an enemy's hex is no combat.
    limits : Limits
        When it must end.
    listed : ReachCache
        What units can do, for all places that are wanted.

    Attributes
    ----------
    proved : bool
        Whether it is proved that no plan is left.
    """

    def __init__(self, scenario: Scenario, limits: Limits, listed: ReachCache) -> None:
        self._context = SearchContext(scenario, limits, unconfirmed, listed=listed)
        self.proved = False

    def plans(self, wanted: Callable[[], Mapping[str, Collection[str]]]) -> Iterator[Plan]:
        """Yield plans, each of which takes some unit to a place that is wanted of it then, if all goes well.

        Raises
        ------
        OutOfTimeError
            If the time runs out while the model is built.
        """
        model = self._context.model
        most = self._context.replays.most_outcomes
        while True:
            pairs = [(unit, label) for unit, labels in wanted().items() for label in sorted(labels)]
            model.coupling.add_or([model.coupling.ends(unit, label) for unit, label in pairs])
            hint_nobody_moves(model)  # so that hardly anybody moves without need
            solved = solve_honestly(model, self._solve, most_outcomes=most)
            if solved.holds is None:
                self.proved = solved.outcome == "infeasible" and self._context.complete
                return
            yield model.plan(solved.holds)

    def _solve(self) -> Solved:
        """Solve the model as it is, as most of these are soon done; what takes longer is presolved."""
        context = self._context
        if context.limits.late:
            return Solved("unknown")
        plain = replace(context.configuration, presolve=False, subsolvers=(), work=WitnessPlans.work)
        solved = run(context.model.coupling.model, plain, context.limits)
        return solved if solved.outcome != "unknown" else context.solve(context.model, 0, told=False)
