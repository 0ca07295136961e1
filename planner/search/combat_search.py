"""The search where entering an enemy's hex is a combat, whose result is drawn.

What a plan of several combats is worth follows from everything to which these may lead, and only the referee works it out.
So the solver proposes: who stays, who goes where, who attacks which hex from where, with which column of the table and with
which retreats cut off, valued combat by combat. The referee says what each proposal is worth, in some orders of the combats;
what has been looked at is excluded; until a number of proposals have brought nothing better. The best of them is annealed
then: one unit after another does something else.

In a proposal two groups at most attack a hex, and nobody counts on a result. The bound is that of `combat_bound.py`; a plan
is called optimal only where it comes to it, or where all others that might be better have been gone through: that proves
small positions. Measured: of all 20 positions that ship for such a game the answer is proved, in 0.01 to 1.5 s each. Of 11
drawn ones, of 3 to 6 units against 2 to 5, five plans are better after 20 s than if only what is better is gone on from, by
3 to 32 %, and none is worse; two are proved by then, and two more in one and four minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import ceil, exp
from random import Random
from typing import Any

from planner.errors import DisagreementError, OutOfTimeError
from planner.objective.scoring import Value
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Move, Plan
from planner.reachability.fixed_moves import joined
from planner.referee.verdict import Verdict
from planner.search.combat_bound import CombatBound, most_of
from planner.search.combat_model import total_of
from planner.search.combat_neighbours import neighbours
from planner.search.combat_proposals import ProposedCombats, orders
from planner.search.confirmation import of_another_seed
from planner.search.context import Incumbent, SearchContext, StrategyClaim
from planner.search.enumeration import Census
from planner.search.every_step import best_way, if_all_goes_well
from planner.search.plan_pool import length
from planner.search.result import Progress, Result
from planner.solver.engine import run
from planner.solver.tuning import Combats, Enumeration


class CombatProposals:
    """Look at what the solver proposes where entering an enemy's hex is a combat."""

    def suits(self, context: SearchContext) -> bool:
        """Tell whether it is one."""
        return context.combat is not None

    def run(self, context: SearchContext) -> Result:
        """Search, and return what is found; a plan is best where it comes to the bound, or where all have been tried."""
        context.one_by_one = True
        return _Proposing(context).run()


class _Proposing:
    """What has come of the proposals of one search so far."""

    def __init__(self, context: SearchContext) -> None:
        assert context.combat is not None
        self._context, scenario, reach = context, context.scenario, context.ground.reach
        self._best: tuple[Plan, Verdict] | None = None
        self._known: Value | None = None
        self._consider(Plan())
        self._limit: CombatBound | None = None
        self._impossible = False
        self._bounds = tuple(most_of(tier, scenario.game) for tier in scenario.tiers)
        self._proposals = ProposedCombats(scenario, reach, context.combat)
        partial = context.conditions.partial
        self._proposals.post_partial(partial)
        self._fixed = {unit: _route(partial, unit) for unit in partial.movers}
        self._proposals.maximize()
        self._loose = list[Any]()  # cuts that leave out every plan with the same combats

    @property
    def _done(self) -> bool:
        """Whether no plan can be better, or needs to be, or none can be good enough, and nobody wants to see others."""
        return self._context.pool is None and self._settled

    @property
    def _settled(self) -> bool:
        """Whether no plan can be better, or needs to be, or none can be good enough."""
        if self._known is None:
            return False
        enough = self._context.enough
        settled = enough is not None and (enough(self._known[0]) or not enough(self._bounds[0]))
        return settled or self._known == self._bounds

    def _consider(self, plan: Plan) -> Value | None:
        """Keep a plan if it is the best so far; return what it is worth, None if it is none at all."""
        context = self._context
        if context.conditions.partial.moves:
            moves = context.conditions.partial.in_order(plan.moves)
            if moves is None:
                return None
            plan = replace(plan, moves=tuple(moves))
        verdict = context.judged(plan)
        if verdict is None:
            return None
        value = context.value(verdict)
        if context.pool is not None:
            context.pool.add(plan, verdict, value)
        if self._known is None or value > self._known or (value == self._known and self._is_shorter(plan, verdict)):
            self._best, self._known = (plan, verdict), value
            context.incumbent = Incumbent(plan, value)
            if value:
                context.tell(Progress(0, value[0], None, context.seconds))
        return value

    def _is_shorter(self, plan: Plan, verdict: Verdict) -> bool:
        """Tell whether a plan that is worth as much as the best so far is shorter."""
        game = self._context.scenario.game
        return self._best is not None and length(game, plan, verdict) < length(game, *self._best)

    def run(self) -> Result:
        """Look at proposals until the best plan is known, or nothing better has come for long."""
        context, idle = self._context, 0
        # What is asked for may be impossible, as the bound tells at once; else some plan is to be known before, which may
        # take long.
        if not (context.scenario.requirements or context.conditions or context.enough):
            self._look_at_the_next()
        self._bound_all()
        if self._impossible:
            return self._confirmed()
        if self._known is not None and self._known[:1] == self._bounds[:1]:
            self._lower_bounds(self._known)
        for _ in range(Combats.proposals):
            if self._done or idle >= Combats.patience or context.limits.late:
                break
            before = self._known
            if not self._look_at_the_next():
                break
            idle = 0 if self._known != before else idle + 1
        # Every step is soon tried on the smallest positions, every plan on those where few can be better.
        impossible = self._is_impossible_by(self._try_few_steps)
        self._better()
        if impossible or any(map(self._is_impossible_by, (self._try_all_others, self._try_every_step))):
            return Result("infeasible", context.seconds)
        if self._best is None:
            return context.best_so_far(context.limits.stop.is_set())
        with suppress(OutOfTimeError):  # proposals may have a unit go to its combat in a move of its own
            self._consider(Census(context, None, None).tidy(self._best[0]))
        return context.result(*self._best, StrategyClaim(self._bounds, self._known == self._bounds))

    def _is_impossible_by(self, try_all: Callable[[], bool]) -> bool:
        """Try all of something, where anything is open and there is time; tell whether that shows that there is no plan."""
        open_ = self._context.pool is None and not self._done and not self._context.limits.late
        return open_ and try_all() and self._best is None

    def _better(self) -> None:
        """Better the best plan, and then its bounds."""
        self._look_around()
        self._look_for_shorter_ones()
        if self._known is not None:
            self._lower_bounds(self._known)

    def _look_around(self) -> None:
        """Anneal the best plan: change what one unit does, again and again, at first even if that is worse.

        The tiers that are settled stay as they are; what is looked at is the first that isn't. Worse than so much by a plan
        is gone on from with a probability that falls with that, and with time (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi:
        Optimization by Simulated Annealing, 1983).
        """
        if self._best is None or self._known is None:
            return
        context, routes = self._context, (self._limit or self._proposals).routes
        limits, rng = context.limits.part(Combats.share_around), Random(context.configuration.seed)
        (plan, _), value, time = self._best, self._known, limits.left()
        most = min(Combats.around * len(routes), Combats.most_around)
        for tried in range(most):
            if self._settled or limits.late:
                return
            known, open_ = self._known, next(i for i, best in enumerate(self._known) if best != self._bounds[i])
            unit = rng.choice(list(routes))
            others = list(neighbours(plan, unit, routes[unit], context.scenario.game.board))
            other = rng.choice(others) if others else plan
            worth = self._consider(other)
            if self._known != known and self._known[:1] == self._bounds[:1]:
                self._lower_bounds(self._known)
            if worth is None or worth[:open_] < known[:open_]:
                continue
            spent = 0.0 if not time else 1 - (limits.left() or 0.0) / time
            # Where there is time enough the clock has no part in it: the same seed finds the same plan.
            done = max(tried / most, spent if spent > 0.5 else 0.0)
            heat = Combats.heat * max(1.0, float(abs(self._bounds[open_]))) * max(1 - done, 1e-6)
            worse = float(value[open_] - worth[open_]) if worth[:open_] == value[:open_] else 0.0
            if rng.random() < exp(min(0.0, -worse) / heat):
                plan, value = other, worth

    def _look_for_shorter_ones(self) -> None:
        """Look at a few more proposals, now the shortest first: at the beginning they would be too few to win."""
        if self._best is None or self._context.enough is not None or self._context.limits.late:
            return
        for cut in self._loose:  # the shorter plan may have the same combats
            cut.only_enforce_if(self._proposals.model.new_constant(0))
        self._proposals.maximize(short=True)
        for _ in range(Combats.shorter):
            before = self._best
            if self._context.limits.late or not self._look_at_the_next(exactly=True) or self._best == before:
                break

    def _look_at_the_next(self, exactly: bool = False) -> bool:
        """Let the referee play the next proposal, in each order of its combats; tell whether there is one.

        `exactly`: of the next ones, only the very same is left out.
        """
        context, proposals, before = self._context, self._proposals, self._known
        solved = context.run_model(proposals.model)
        if solved.holds is None:
            return False
        quiet, approaches, attacks = proposals.read(solved.holds, self._fixed)
        enemies_at = context.scenario.game.enemies_at  # a fixed move may lead through a hex that a combat clears before
        self._ensure_agreement(
            Plan(tuple(move for move in (*quiet, *approaches) if not any(map(enemies_at, move.path[1:]))))
        )
        legal = False
        for plan in islice(orders(context.scenario.game, quiet, approaches, attacks), Combats.orders):
            legal = self._consider(plan) is not None or legal
            known = self._known
            if known is not None and known != before and known[:1] == self._bounds[:1]:
                self._lower_bounds(known)
            if self._done or context.limits.late:
                break
        exactly = exactly or not legal or context.pool is not None
        cut = proposals.model.add_bool_or(proposals.another(solved.holds, exactly=exactly))
        if not exactly:
            self._loose.append(cut)
        return True

    def _ensure_agreement(self, plan: Plan) -> None:
        """Raise `DisagreementError` if moves that come before all combats are illegal one by one.

        Unless something depends on what others do: then the referee has the last word.
        """
        if not all(routes.sure for routes in self._proposals.routes.values()):
            return
        verdict = self._context.replay(plan)
        own = (violation for violation in verdict.violations if violation.move is not None)
        found = "; ".join(str(violation) for violation in own if violation.unit not in self._fixed)
        if found:
            dump = f"scenario: {self._context.scenario.where}\nplan:\n{plan}\n"
            raise DisagreementError(f"the referee rejects the solver's plan: {found}", dump)

    def _try_all_others(self) -> bool:
        """Go through all plans of a small position that might be better: proposals follow a pattern, others don't.

        Tell whether there was time for all of them; the best of those for which there was is kept in any case.
        """
        census = Census(self._context, self._known, self._bounds[0] if self._bounds else None, last=True)
        every = census.run()
        if (best := census.found.best()) is None:
            return every is not None
        _, value, plan, _ = best
        with suppress(OutOfTimeError):
            self._consider(census.tidy(plan))
        if every is None or self._best is None:
            return False
        self._bounds = value if self._known == value else self._bounds
        return True

    def _try_few_steps(self) -> bool:
        return self._try_every_step(Combats.steps)

    def _try_every_step(self, most: int = Enumeration.work) -> bool:
        """Try every step in every situation: what no way of playing exceeds, no plan does; tell whether no way does it."""
        best = None if self._context.conditions else best_way(self._context, most)
        if not best:
            return best is False
        with suppress(OutOfTimeError):
            for plan in if_all_goes_well(best):
                self._consider(plan)
        if self._bounds:
            same = self._known == best.value
            self._bounds = best.value if same else (min(self._bounds[0], best.value[0]), *self._bounds[1:])
        return False  # one that reacts does; whether a plan that is fixed in advance does is another question

    # -- bounds

    def _bound_all(self) -> None:
        """Work out for each tier what no plan can exceed; note it if there is none that does what is asked for."""
        context = self._context
        assert context.combat is not None
        # Where it isn't in force for all, combats may come out otherwise, and units may fight more than once.
        if not context.combat.everywhere():
            return
        try:
            limit = CombatBound(context.scenario, context.ground.reach, context.combat, context.conditions)
        except OutOfTimeError:
            return
        self._limit, ceilings = limit, list(limit.ceilings)
        if ceilings:
            limit.model.maximize(total_of(limit.first))
        if ceilings or context.scenario.requirements or context.conditions.goals or context.conditions.partial:
            solved = context.run_model(limit.model)
            self._impossible = solved.outcome == "infeasible"
            if ceilings and solved.bound is not None:
                ceilings[0] = min(ceilings[0], Fraction(solved.bound, limit.scale))
        self._bounds = tuple(ceilings)

    def _confirmed(self) -> Result:
        """Say that no plan does what is asked for, if another configuration of the solver agrees."""
        assert self._limit is not None
        context, model = self._context, self._limit.model
        model.clear_objective()  # type: ignore[no-untyped-call]
        solved = run(model, of_another_seed(context.configuration), context.limits)
        if solved.holds is not None or self._best is not None:
            plan = None if self._best is None else self._best[0]
            raise DisagreementError("one configuration bounds all plans away, another doesn't", context.dump(plan))
        if solved.outcome != "infeasible":
            return context.best_so_far(context.limits.stop.is_set())
        return Result("infeasible", context.seconds, confirmed=True)

    def _lower_bounds(self, known: Value) -> None:
        """Lower the bounds of tiers that count moves and MP to what plans come to that are as good before them."""
        found, limit = list(self._bounds), self._limit
        if limit is None:
            return
        tiers = self._context.scenario.tiers
        expression = total_of(limit.first)
        for index in range(1, len(found)):
            if found[index - 1] != known[index - 1]:
                break
            limit.model.add(expression >= ceil(known[index - 1] * limit.scale))
            price = limit.price_of(tiers[index])
            if price is None:
                break
            expression = total_of(price)
            limit.model.maximize(expression)
            solved = self._context.run_model(limit.model)
            if solved.bound is None:
                break
            found[index] = min(found[index], Fraction(solved.bound, limit.scale))
        self._bounds = tuple(found)


def _route(partial: PartialPlan, unit: str) -> Move | None:
    """Return a unit's fixed moves as one, up to where it attacks from; None where it has none."""
    whole = joined(partial.moves, unit)
    if whole is None or not whole.overruns:
        return whole
    return whole.until(min(whole.overruns) - 1)
