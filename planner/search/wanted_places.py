"""Plans that take units to places, whichever of them to any of its own: one model for all units, asked until it has none.

Most of what a search for one of them needs is the same for all: the model of what everybody can do. It is built once. Each
plan that it finds is a witness for all units that it moves, and more and more of them are asked to get somewhere in one
plan, as long as that is soon found. That it has none left is a proof for all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial

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
        self._slow = False

    def plans(self, wanted: Callable[[], Mapping[str, Collection[str]]]) -> Iterator[Plan]:
        """Yield plans, each of which takes some unit to a place that is wanted of it then, if all goes well.

        It ends when nothing is wanted any more, when no plan is left or found in time, or when one changes nothing in what
        is wanted: nobody can tell what its rolls may lead to.

        Raises
        ------
        OutOfTimeError
            If the time runs out while the model is built.
        """
        model = self._context.model
        coupling, most = model.coupling, self._context.replays.most_outcomes
        many, ever_more, left = 1, True, _pairs(wanted())
        while left:
            wishes = [coupling.ends(unit, label) for unit, label in left]
            coupling.add_or(wishes)
            floor = coupling.floor(wishes, many) if many > 1 else None
            hint_nobody_moves(model)  # so that hardly anybody moves without need
            solved = solve_honestly(model, partial(self._solve, many > 1), most_outcomes=most)
            if floor is not None:
                coupling.lift(floor)
            before = left
            if solved.holds is not None:
                yield model.plan(solved.holds)
                left = _pairs(wanted())
            if left != before:
                many = 2 * many if ever_more else many
            elif many > 1:  # a plan that takes units to so many can't be had, or not soon, or has too many rolls
                many, ever_more = many // 2, False
            else:
                self.proved = solved.outcome == "infeasible" and self._context.complete
                return

    def _solve(self, soon: bool) -> Solved:
        """Solve the model as it is, as most of these are soon done; what takes longer is presolved, if it may."""
        context = self._context
        if context.limits.late:
            return Solved("unknown")
        if soon or not self._slow:
            plain = replace(context.configuration, presolve=False, subsolvers=(), work=WitnessPlans.work)
            solved = run(context.model.coupling.model, plain, context.limits)
            if soon:  # a plan with too many rolls isn't had: to limit them for good would leave no proof
                coupling, most = context.model.coupling, context.replays.most_outcomes
                many = solved.holds is not None and coupling.outcomes(solved.holds) > most
                return Solved("unknown") if many else solved
            if solved.outcome != "unknown":
                return solved
            self._slow = True  # it won't be enough for one that is harder to find, either
        return context.solve(context.model, 0, told=False)


def _pairs(wanted: Mapping[str, Collection[str]]) -> list[tuple[str, str]]:
    """Return each unit with each of the places that are wanted of it."""
    return [(unit, label) for unit, labels in wanted.items() for label in sorted(labels)]
