"""The objective is improved tier by tier; each proved value is a constraint on the tiers after it.

What it is for: every game whose plans have a form in one model, which is proved optimal where there is time for it. Measured
on all families (docs/benchmarks.md): fronts, islands, crowds and joint overruns of up to 200 units in a minute.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import floor

from planner.errors import DisagreementError, OutOfTimeError
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.referee.plan_facts import substance_of
from planner.referee.referee import Referee
from planner.referee.verdict import Roll, Verdict
from planner.search.all_at_once import Glance, look_at_all
from planner.search.context import SearchContext, StrategyClaim
from planner.search.leading_tiers import made_cheaper, of_all_tiers
from planner.search.plan_pool import length
from planner.search.result import Result
from planner.search.tie_break import break_ties
from planner.solver.cp_sat import maximize
from planner.solver.engine import Solved, begin_with
from planner.solver.merge_stacks import as_stacks
from planner.solver.model import ceiling, unscaled
from planner.solver.reduced_costs import keep_to_best, suits
from planner.solver.side_constraints import Facts
from planner.solver.tuning import ReducedCosts
from planner.solver.union_cuts import solve_honestly


class TierByTier:
    """Improve and prove one tier after another."""

    def suits(self, context: SearchContext) -> bool:
        """Tell whether it is of use: whatever the game."""
        return True

    def run(self, context: SearchContext) -> Result:
        """Search, and return what is proved and found."""
        return _Improvement(context).run()


class _Improvement:
    """The tiers of one search, as far as they are improved."""

    def __init__(self, context: SearchContext) -> None:
        self._context, self._scenario = context, context.scenario
        self._model = context.model
        self._best: Plan | None = None
        self._bounds: list[Fraction] = []
        self._values: list[Fraction] = []
        # The solution whose tiers are all proved, and what they come to, scaled.
        self._last: Solved | None = None
        self._proved: list[int] = []
        self._glance = Glance()
        # Plans that rely on likely results aren't searched, so that nothing is proved where they are allowed.
        self._complete = context.complete

    def run(self) -> Result:
        """Improve all tiers."""
        context, model = self._context, self._model
        if model.tiers and (self._scenario.requirements or context.conditions):
            # The strategies that prove optima never end where a contradiction shows before they begin; this one does.
            model.coupling.model.clear_objective()  # type: ignore[no-untyped-call]
            solved = context.solve(model, 0, told=False)
            if solved.outcome == "infeasible":
                return self._impossible()
            if solved.holds is None:
                return context.best_so_far(context.limits.stop.is_set())
            begin_with(model.coupling.model, solved)
        if not self._improve():
            return self._impossible()
        return self._result()

    def _improve(self) -> bool:
        """Improve tier by tier, until all are proved or the time is up; tell whether there may be a plan."""
        context, proved = self._context, self._proved
        self._glance = look_at_all(context, self._model)
        self._keep_what_was_told()
        for index in range(max(1, len(self._model.tiers))):
            model = self._model
            # The tiers before it, and conditions, bound what several rolls come to from below.
            free = index == 0 and not context.conditions
            solve = partial(self._solve_tier, index)
            solved = solve_honestly(model, solve, free, context.replays.most_outcomes, context.is_replayed_in_groups)
            if solved.outcome == "infeasible" and self._best is None:
                return False
            if solved.outcome == "infeasible":
                raise DisagreementError("a tier's optimum became infeasible in the next tier", context.dump(self._best))
            if solved.holds is not None:
                if self._last is None or solved.holds is not self._last.holds:
                    self._best = model.plan(solved.holds)
                    begin_with(model.coupling.model, solved)
                self._last = solved
            if not model.tiers:
                self._complete = solved.outcome in ("optimal", "feasible")
                break
            if solved.outcome != "optimal":
                self._complete, self._last = False, None
                if solved.bound is not None:
                    self._bounds.append(min(unscaled(solved.bound, model.scale), self._ceiling(index)))
                break
            assert solved.value is not None
            self._bounds.append(unscaled(solved.value, model.scale))
            self._values.append(self._bounds[-1])
            proved.append(solved.value)
            if self._best is not None and index + 1 == context.leading:
                try:
                    self._go_on_with_all(solved, proved)
                except OutOfTimeError:
                    self._complete, self._last = False, None
                    break
                continue
            expression = model.coupling.expression(model.tiers[index])
            if not isinstance(expression, int) and not self._glance.short:
                # After later tiers, whose relaxation is farther away, it takes longer than it saves.
                if index == 0 and len(model.tiers) > 1 and suits(model.coupling.model, context.configuration, solved):
                    keep_to_best(model.coupling.model, solved.value, context.limits.part(ReducedCosts.share))
                model.coupling.model.add(expression == solved.value)
        return True

    def _keep_what_was_told(self) -> None:
        """Keep a solution that a glance told of before it was cut off: nobody is told of more than the answer comes to."""
        context, found = self._context, self._glance.solved
        if self._glance.values or found is None or found.holds is None:
            return
        plan = self._model.plan(found.holds)
        if not context.is_replayed(plan):
            return
        worth = self._worth(plan)
        if context.incumbent is None or worth > context.incumbent.worth:
            context.remember(plan, worth)

    def _solve_tier(self, index: int) -> Solved:
        context, model, glance = self._context, self._model, self._glance
        if index < len(glance.values):
            assert glance.solved is not None
            return replace(glance.solved, outcome="optimal", value=glance.values[index], bound=glance.values[index])
        if context.limits.late:
            return Solved("unknown", None, glance.bound if index == len(glance.values) else None)
        coupling = model.coupling
        if model.tiers:
            try:
                expression = coupling.expression(model.tiers[index])
            except OutOfTimeError:
                return Solved("unknown")
            if isinstance(expression, int):
                # Nothing can change this tier; CP-SAT wants a variable in an objective.
                coupling.model.clear_objective()  # type: ignore[no-untyped-call]
                solved = context.solve(model, index)
                if solved.holds is None:
                    return solved
                return replace(solved, outcome="optimal", value=expression, bound=expression)
            maximize(coupling.model, expression)
            if index in context.ceilings:
                coupling.model.add(expression <= floor(context.ceilings[index] * model.scale))
        return context.solve(model, index)

    def _go_on_with_all(self, solved: Solved, proved: list[int]) -> None:
        """Go on from the leading tiers to all of them."""
        context = self._context
        model, cheaper = made_cheaper(context, self._model, solved, proved)
        assert cheaper.holds is not None
        self._best = best = model.plan(cheaper.holds)
        context.remember(best, context.value(context.replay(best)), len(proved))
        self._model = of_all_tiers(context, model, cheaper, proved)

    def _ceiling(self, index: int) -> Fraction:
        model = self._model
        if not model.tiers.is_written(index):  # there may be no time to write it
            return self._context.highest(index)
        highest = unscaled(ceiling(model.tiers[index], model.coupling), model.scale)
        return min(highest, self._context.highest(index))

    def _impossible(self) -> Result:
        """Say what it is worth that the model has no solution."""
        context = self._context
        return context.confirm(context, self._model) if context.complete else Result("unknown", context.seconds)

    # -- the answer

    def _result(self) -> Result:
        """Return the best plan that is known, as the referee has it."""
        context, model, incumbent = self._context, self._model, self._context.incumbent
        best = None if self._best is None else self._in_stacks(self._best)
        if best is not None and not context.is_replayed(best):
            best, self._values, self._complete = None, [], False
        if not self._complete and incumbent is not None and (best is None or incumbent.worth > self._worth(best)):
            best, self._values = self._in_stacks(incumbent.plan), []
        if best is None:
            best = context.nobody_else_moves()
        if best is None:
            return Result("unknown", context.seconds, interrupted=context.limits.stop.is_set())
        context.ended = len(self._bounds) == len(model.tiers) and self._last is not None
        if not context.complete:
            self._bounds = [context.highest(index) for index in range(len(self._scenario.tiers))]
        self._bounds += [self._ceiling(index) for index in range(len(self._bounds), len(model.tiers))]
        if self._complete and context.conditions.exact:
            least = self._fewest_facts()
            self._complete = least is not None
            best = best if least is None else self._in_stacks(least)
        rounded = model.coupling.rounded
        if rounded and not context.conditions.hold_for(self._scenario, best, context.replay(best)):
            # The model took a value for as much as is asked for that isn't.
            return Result("unknown", context.seconds)
        if self._last is not None and best and not rounded:
            best = self._shortest(best, self._last)
        return context.result(
            best, context.replay(best), StrategyClaim(self._bounds, self._complete, self._values, rounded)
        )

    def _shortest(self, plan: Plan, solved: Solved) -> Plan:
        """Return, of plans that are worth as much as is proved, the shortest that is known."""
        context, game = self._context, self._scenario.game
        if self._glance.short:
            context.shortest = self._glance.shortest
            return plan
        other, context.shortest = break_ties(context, self._model, solved, self._proved)
        shorter = None if other is None or context.late_for_replays else self._in_stacks(other)
        if shorter is None or not context.is_replayed(shorter) or self._worth(shorter) != self._worth(plan):
            return plan
        if length(game, shorter, context.replay(shorter)) < length(game, plan, context.replay(plan)):
            return shorter
        return plan

    def _in_stacks(self, plan: Plan) -> Plan:
        """Write moves of units that go the same way as those of stacks, if there are any.

        What is written so is what is replayed: of the plan as the solver has it nobody asks then.
        """
        context = self._context
        if not self._model.stacks:
            return plan
        rolled = self._model.coupling.chancy
        merged = as_stacks(plan, partial(self._comes_to_the_same, self._straight(plan, rolled), rolled))
        return merged if context.is_replayed(merged) and context.replay(merged).legal else plan

    def _worth(self, plan: Plan) -> Value:
        """Return what a plan that has been replayed comes to, tier by tier."""
        return self._context.value(self._context.replay(plan))

    def _fewest_facts(self) -> Plan | None:
        """Return, of the plans that are worth as much as is proved, one with the fewest facts; None if time is up."""
        context, model = self._context, self._model
        facts = Facts(model)
        fewer = model.coupling.expression(facts.number().times(-1))
        model.coupling.model.clear_objective()  # type: ignore[no-untyped-call]
        if not isinstance(fewer, int):
            maximize(model.coupling.model, fewer)
        last = max(0, len(model.tiers) - 1)
        solve = partial(context.solve, model, last, told=False)
        solved = solve_honestly(
            model, solve, most_outcomes=context.replays.most_outcomes, replayed=context.is_replayed_in_groups
        )
        if solved.outcome == "infeasible":
            raise DisagreementError("a plan's value became infeasible once it was fixed", context.dump(None))
        if solved.holds is None or solved.outcome == "unknown" or (solved.outcome != "optimal" and model.tiers):
            return None
        plan = model.plan(solved.holds)
        if not context.is_replayed(plan):
            return None
        if not isinstance(fewer, int):
            model.coupling.model.add(fewer >= solved.worth)
        self._last = solved
        told, real = facts.read(solved.holds), substance_of(self._scenario.game, context.replay(plan))
        if told != real:
            what = f"the solver says that the plan comes to {told}, the referee {real}"
            raise DisagreementError(what, context.dump(plan))
        return plan

    def _straight(self, plan: Plan, rolled: bool) -> Verdict:
        """Return what a plan comes to if all goes well; where nothing may be rolled, as it is replayed anyway."""
        if not rolled and self._context.is_replayed(plan):
            return self._context.replay(plan)
        return Referee(self._scenario.game).play(plan, self._scenario.start, rolls=False)

    def _comes_to_the_same(self, verdict: Verdict, rolled: bool, other: Plan) -> bool:
        """Tell whether another plan is legal, rolls the same, and ends as the first one for the same MP, if all goes well.

        A stack bogs down as one, where of units that go one by one each rolls for itself.
        """
        played = self._straight(other, rolled)
        same = played.position == verdict.position and played.tally.mp == verdict.tally.mp
        return played.legal and same and _rolls_of(played) == _rolls_of(verdict)


def _rolls_of(verdict: Verdict) -> list[Roll]:
    """Return what is rolled in the course of a plan, in order."""
    return [roll for played in verdict.moves for roll in played.rolls]
