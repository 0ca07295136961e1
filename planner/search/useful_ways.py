"""Which choices of a unit may be part of a plan that is worth enough, where entering a hex is a combat.

The model that overvalues every plan says so, choice by choice; by which steps the unit gets there follows from the MP.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from heapq import heappop, heappush
from math import ceil

from planner.objective import Tier
from planner.objective.costs import UnitsMoved
from planner.search.combat_bound import CombatBound
from planner.search.combat_model import total_of
from planner.search.context import SearchContext
from planner.solver.cp_sat import Literal, new_model

Arcs = dict[str, dict[tuple[str, bool], int]]
"""By places, where a unit's steps lead, and whether aboard a carrier, each with the least MP that it may cost, scaled."""


class Useful:
    """Which choices of a unit can be part of a plan that is worth enough, as the model says that overvalues every plan.

    Parameters
    ----------
    context : SearchContext
        The search.
    wanted : sequence of (Tier, Fraction)
        What a plan must come to at least, as long as it comes to no more than that in those before it.
    tick : callable
        Is told of each choice that is looked at; raises an error when the time is up.
    """

    def __init__(
        self, context: SearchContext, wanted: Sequence[tuple[Tier, Fraction]], tick: Callable[[], None]
    ) -> None:
        self._context, self._wanted, self._tick = context, wanted, tick
        assert context.combat is not None
        scenario = replace(context.scenario, tiers=tuple(tier for tier, _ in wanted))
        self.reach = context.ground.reach
        self.bound = CombatBound(scenario, self.reach, context.combat, context.conditions)

    def holds(self, unit: str, literal: Literal, moves: bool = False) -> bool:
        """Tell whether a choice of a unit may be part of such a plan; `moves`: it moves, and yet counts as if it stayed."""
        self._tick()
        model = new_model(self.bound.model)
        model.add(literal == 1)
        if not self._wanted:
            return self._context.run_model(model).outcome != "infeasible"
        for index, (tier, least) in enumerate(self._wanted):
            expression = self.bound.first if index == 0 else self.bound.price_of(tier)
            if expression is None:
                return True
            exactly = (least + (self._cost_of(unit, tier) if moves else 0)) * self.bound.scale
            wanted = ceil(exactly)
            model.maximize(total_of(expression))
            solved = self._context.run_model(model)
            if solved.outcome == "infeasible" or (solved.bound is not None and solved.bound < wanted):
                return False
            if solved.bound is None or solved.bound > exactly:
                return True  # by whatever little: then no tier after it matters
            model.add(total_of(expression) >= wanted)
        return True

    def _cost_of(self, unit: str, tier: Tier) -> int:
        game, terms = self._context.scenario.game, [term for term in tier.terms if isinstance(term, UnitsMoved)]
        return sum(term.weight for term in terms if term.of.matches(game.units[unit]))


class Ways:
    """By which steps a unit may get to where it is of use.

    Parameters
    ----------
    useful : Useful
        Tells which of its choices are.
    unit : str
        The unit.
    arcs : Arcs
        Its steps.
    """

    def __init__(self, useful: Useful, unit: str, arcs: Arcs) -> None:
        bound, reach = useful.bound, useful.reach
        self._most = reach.most_mp(bound.game.units[unit])
        self._initial = {at for other, at in bound.game.homes.items() if bound.game.is_enemy(other)}
        home = bound.game.homes[unit]
        self._attacks = {
            path for path, units in bound.parts.items() if unit in units and useful.holds(unit, units[unit])
        }
        self._ends = {to for to, literal in bound.ends[unit].items() if useful.holds(unit, literal)}
        self._stays = useful.holds(unit, bound.stays[unit], moves=True)
        goals = self._ends | {origin for origin, _ in self._attacks} | ({home} if self._stays else set())
        self._overdraws = reach.may_overdraw(first=True)
        # Where a hex may be entered with too few MP, it is the last: it may be any of the goals.
        self._onward = _cheapest(goals, arcs, free=reach.may_overdraw(first=False))

    def leads_on(self, here: str, to: str, had: int, cost: int, hostile: bool) -> bool:
        """Tell whether a step may be one of a plan that is worth enough; whoever has overdrawn its MP goes no further.

        Parameters
        ----------
        here, to : str
            Where it leads from, and where to.
        had, cost : int
            The MP that have been spent before it, and that it costs, scaled.
        hostile : bool
            Whether it leads into a hex that may hold an enemy.
        """
        spent = had + cost
        if had > self._most or (spent > self._most and not self._overdraws):
            return False
        if to in self._onward and (to in self._ends or spent + self._onward[to] <= self._most):
            return True
        if to in self._initial:
            return (here, to) in self._attacks
        return hostile and (here in self._onward and self._onward[here] == 0)


def _cheapest(goals: Set[str], arcs: Arcs, free: bool) -> dict[str, int]:
    """Return for each place what it costs at least to get from there to one of some goals; `free`: entering that aside."""
    back: dict[str, list[tuple[str, int]]] = {}
    for origin, steps in arcs.items():
        for (to, _), cost in steps.items():
            back.setdefault(to, []).append((origin, 0 if free and to in goals else cost))
    found: dict[str, int] = {}
    queue = [(0, goal) for goal in sorted(goals)]
    while queue:
        spent, here = heappop(queue)
        if here in found:
            continue
        found[here] = spent
        for origin, cost in back.get(here, ()):
            heappush(queue, (spent + cost, origin))
    return found
