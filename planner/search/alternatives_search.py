"""The search for alternatives: plans that differ in substance, one after another.

Where every plan has a form in the model, the next best plan is the optimum of the same model with one clause more for
each plan that is known: one of its facts doesn't hold. Each such optimum is proved as any other, and when there is none
left, that is proved and confirmed, too. Stacks are listed as exactly as that asks for and no more: where units end of which
no known plan says anything matters to the objective alone, and moving less is fewer facts. Where plans rely on likely
results, or where entering a hex is a combat, plans are looked at one by one: on small positions all that are worth enough
(`enumeration`), which is a proof; on others the best of those that were looked at are given, and nothing is called proved
that isn't.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.objective.scoring import Value, score
from planner.plans.plan import Plan
from planner.referee.plan_facts import Substance, substance_of
from planner.scenario import Scenario
from planner.search.alternatives import Alternative, Alternatives
from planner.search.confirmation import confirmed, unconfirmed
from planner.search.context import Incumbent, SearchContext
from planner.search.enumeration import Census
from planner.search.kept_answer import answer_again
from planner.search.open_questions import why_open
from planner.search.plan_pool import Entry, PlanPool
from planner.search.reach_cache import ReachCache
from planner.search.result import Progress, Result
from planner.search.search import best_plan
from planner.solver.model import what_matters
from planner.solver.side_constraints import Conditions, Facts
from planner.solver.union_cuts import solve_honestly


class AlternativesSearch:
    """A search for several plans of one scenario.

    Parameters
    ----------
    scenario : Scenario
        Position, objective and requirements.
    limits : Limits, optional
        Those of all searches together; absent: none.
    conditions : Conditions, optional
        What every plan must fulfil besides; what it says of known plans and of exactness is seen to here.
    on_progress : callable, optional
        Gets a `Progress` whenever something changes.

    Attributes
    ----------
    one_by_one : bool
        After a search: whether plans were looked at one by one.
    """

    def __init__(
        self,
        scenario: Scenario,
        limits: Limits | None = None,
        conditions: Conditions | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self.scenario = scenario = scenario if conditions is None else conditions.of(scenario)
        self._begin = time.monotonic()
        self._limits = limits or Limits()
        self._places = what_matters(scenario)
        self._conditions = replace(conditions or Conditions(), against=(), apart=(), places=self._places, exact=True)
        self._on_progress = on_progress
        goals = tuple(tier for tier, _ in self._conditions.goals)
        self._listed = ReachCache(scenario, self._limits, True, self._conditions.partial, goals)
        self._loose = ReachCache(scenario, self._limits, False, self._conditions.partial, goals)
        # Whether every plan has a form in the model, so that there being no other plan can be proved.
        self._complete = True
        self.one_by_one = False
        self._known: list[Plan] = []
        self._listing: ReachCache | None = None
        self._tidy: Callable[[Plan], Plan] | None = None
        # Whether the best plan, where it is proved, is so to its facts: that none that is worth as much has fewer.
        self._to_its_facts = True

    def best(self, count: int, only_best: bool = False) -> Alternatives:
        """Return the best plans that differ in substance.

        Parameters
        ----------
        count : int
            How many at most.
        only_best : bool
            Whether to leave out plans that aren't worth as much as the best one.

        Raises
        ------
        DisagreementError
            If solver and referee contradict each other.
        """
        first = self._search(self._conditions, apart=frozenset()) if only_best else self._first()
        if self.one_by_one:
            return self._pooled(first, count, only_best)
        found: list[Alternative] = []
        result, exhausted = first, False
        conditions = self._conditions
        if only_best and first.status == "optimal":
            goals = zip(self.scenario.tiers, first.value, strict=True)
            conditions = replace(conditions, goals=(*conditions.goals, *goals))
        while result.plan is not None:
            essential = result.status == "optimal" and (bool(found) or self._to_its_facts)
            found.append(self._alternative(result, found, essential))
            # Where units wait for reasons that the model doesn't know, it comes to its own optimum, which proves nothing.
            settled = result.status == "optimal" or (not self._complete and self._last.ended)
            if not settled or len(found) == count:
                break
            conditions = replace(conditions, against=tuple(known.substance for known in found))
            if self._limits.deadline is not None and self._tells_apart_loosely(found):
                self._best_alone(self._limits.part(0.5), conditions)
            result = self._search(conditions, apart=_named(conditions.against))
        if result.status == "infeasible":
            exhausted = True
        return Alternatives(first, tuple(found), exhausted, self._seconds())

    def diverse(self, count: int, within: Fraction) -> Alternatives:
        """Return the best plan, and plans that are good enough and as far as possible from all before them.

        Parameters
        ----------
        count : int
            How many at most.
        within : Fraction
            A plan is good enough if in each tier it falls short of the best plan's value by this share of it at most.
        """
        first = self._first()
        if first.plan is None:
            return Alternatives(first, (), first.status == "infeasible", self._seconds(), within)
        if self.one_by_one:
            return self._pooled_diverse(first, count, within)
        goals = tuple(
            (tier, value - within * abs(value)) for tier, value in zip(self.scenario.tiers, first.value, strict=True)
        )
        found = [self._alternative(first, [])]
        exhausted, good = False, replace(self._conditions, goals=(*self._conditions.goals, *goals))
        while len(found) < count and first.status == "optimal":
            distance, proved = self._farthest(good, found)
            if not distance:
                exhausted = proved
                break
            result = self._search(replace(good, apart=tuple((known.substance, distance) for known in found)))
            if result.plan is None:
                break
            if not proved:
                result = replace(result, status="feasible")
            found.append(self._alternative(result, found))
            if result.status != "optimal":
                break
        return Alternatives(first, tuple(found), exhausted, self._seconds(), within)

    def _tells_apart_loosely(self, found: Iterable[Alternative]) -> bool:
        """Tell whether a search that doesn't list everything exactly sees all that is gone by known plans."""
        seen = self.scenario.game.units.keys() | self._loose.reach.tokens
        return all(known.substance.gone <= seen for known in found)

    # -- one search after another

    def _first(self) -> Result:
        """Return the best plan; where it can't be proved that none has fewer facts, as a search for it alone has it.

        Listing everything exactly may take much longer than that search, which comes first where time is limited, and gets
        all of it: whoever asks for several plans is told no less of the best one than who asks for that alone.
        """
        limits, plain = self._limits, None
        if limits.deadline is not None:
            plain = self._best_alone(limits, self._conditions)
            if limits.late and plain.plan is not None:
                self._to_its_facts = False
                return plain
            limits = limits.part(0.5) if plain.status == "optimal" else limits  # the next ranks need time, too
        exact = self._search(self._conditions, apart=frozenset(), limits=limits)
        if exact.status in ("optimal", "infeasible"):
            return exact
        self._to_its_facts = False
        if exact.plan is not None and exact.value == exact.bound:
            return replace(exact, status="optimal")  # only that none has fewer facts isn't proved
        plain = plain or self._best_alone(self._limits, self._conditions)
        if plain.status in ("optimal", "infeasible") or (plain.plan is not None and plain.value > exact.value):
            return replace(plain, interrupted=exact.interrupted)
        return exact

    def _best_alone(self, limits: Limits, conditions: Conditions) -> Result:
        """Search for the best plan under some conditions, whatever facts it has: units that matter to none are no work.

        Beside known plans it proves nothing: whoever goes round an enemy may have been left out for whoever eliminates it.
        """
        if limits.late:
            return Result("unknown", self._seconds())
        loose = replace(conditions, exact=False, places=None)  # nothing is to be far from anything
        confirm = unconfirmed if conditions.against else confirmed
        context = SearchContext(self.scenario, limits, confirm, self._on_progress, loose, listed=self._loose)
        result = answer_again(context) or best_plan(context)
        self._note(result, context.incumbent)
        return result

    def _search(
        self,
        conditions: Conditions,
        pool: PlanPool | None = None,
        apart: frozenset[str] | None = None,
        limits: Limits | None = None,
    ) -> Result:
        """Search for the best plan; `apart`: the units of which it matters where they end, wherever that is; absent: all."""
        limits = limits or self._limits
        listed = self._listed if apart is None else self._exactly(apart, limits)
        context = self._last = self._context(conditions, pool, listed, limits)
        if pool is None:
            self._begin_with_the_best_known(context)
        result = best_plan(context)
        self._complete, self.one_by_one = context.complete, context.one_by_one
        self._note(result, context.incumbent)
        return result

    def _note(self, result: Result, incumbent: Incumbent | None) -> None:
        """Remember the plans that a search has come to, and what is left of the best one without one of its moves."""
        if incumbent is not None:
            self._known.append(incumbent.plan)
        if result.plan is not None:
            moves = result.plan.moves
            self._known.append(result.plan)
            self._known += [
                replace(result.plan, moves=(*moves[:index], *moves[index + 1 :])) for index in range(len(moves))
            ]

    def _begin_with_the_best_known(self, context: SearchContext) -> None:
        """Let a search begin with the best of the known plans that does what is asked for: it may be cut short."""
        for plan in dict.fromkeys(self._known):
            verdict = None if context.limits.late else context.judged(plan)
            worth = () if verdict is None else context.value(verdict)
            if verdict is not None and (context.incumbent is None or worth > context.incumbent.worth):
                context.incumbent = Incumbent(plan, worth)

    def _exactly(self, apart: frozenset[str], limits: Limits) -> ReachCache:
        """Return what units and stacks can do as exactly as some units ask for."""
        if self.scenario.asks_for_attacks:
            return self._listed  # who takes part in an attack is a fact, too
        if self._listing is None or self._listing.apart != apart or self._listing.limits is not limits:
            self._listing = self._listed.telling_apart(apart, limits)
        return self._listing

    def _context(
        self,
        conditions: Conditions,
        pool: PlanPool | None = None,
        listed: ReachCache | None = None,
        limits: Limits | None = None,
    ) -> SearchContext:
        limits, listed = limits or self._limits, listed or self._listed
        return SearchContext(self.scenario, limits, confirmed, self._on_progress, conditions, pool=pool, listed=listed)

    def _farthest(self, good: Conditions, found: list[Alternative]) -> tuple[int, bool]:
        """Return how far a good plan can be from all that are known at most, and whether that is proved of every plan."""
        context = self._context(good)
        try:
            model = context.model
        except OutOfTimeError:
            return 0, False
        coupling, facts = model.coupling, Facts(model)
        widest = len(self.scenario.game.order) * 2
        nearest = coupling.model.new_int_var(0, widest, "distance of the nearest known plan")
        for known in found:
            coupling.model.add(nearest <= coupling.expression(facts.distance(known.substance, self._places)))
        solve = partial(context.solve, model, 0, told=False)
        solved = solve()
        if solved.holds is None:
            return 0, solved.outcome == "infeasible" and context.holds_for_all(model)
        coupling.model.maximize(nearest)
        solved = solve_honestly(
            model, solve, most_outcomes=context.replays.most_outcomes, replayed=context.is_replayed_in_groups
        )
        return solved.value or 0, solved.outcome == "optimal" and context.complete

    def _alternative(self, result: Result, before: list[Alternative], essential: bool = False) -> Alternative:
        assert result.verdict is not None
        substance = substance_of(self.scenario.game, result.verdict)
        distances = [substance.distance(known.substance, self._places) for known in before]
        return Alternative(result, substance, min(distances, default=None), essential)

    # -- where plans are looked at one by one

    def _pooled(self, first: Result, count: int, only_best: bool) -> Alternatives:
        least = first.value if only_best and first.plan is not None else None
        every, known = self._census(first, least), [] if first.plan is None else [first]
        if every is None and not only_best and first.plan is not None:
            # All plans are too many; those that are no worse than some that are known may not be.
            known = self._looked_at(first)
            least = known[min(count, len(known)) - 1].value
            every = self._census(first, least)
        if every is None:
            return self._told(first, known[:count], first.status == "infeasible", essential=False)
        best = self._proved(every.essential())
        if not best:
            return self._told(Result("infeasible", self._seconds()), [], True)
        chosen = [result for result in best if not only_best or result.value == best[0].value]
        return self._told(best[0], chosen[:count], (only_best or least is None) and len(chosen) <= count)

    def _pooled_diverse(self, first: Result, count: int, within: Fraction) -> Alternatives:
        every = self._census(first, first.value)
        if every is not None:
            first = self._proved(every.essential())[0]
        least = tuple(value - within * abs(value) for value in first.value)
        if every is not None and least != first.value:
            every = self._census(first, least)
        known = self._looked_at(first) if every is None else self._proved(every.all())
        good = [result for result in known if all(a >= b for a, b in zip(result.value, least, strict=True))]
        chosen = [first]
        substances = {id(result): self._alternative(result, []).substance for result in [first, *good]}

        def away(result: Result) -> int:
            return min(substances[id(result)].distance(substances[id(other)], self._places) for other in chosen)

        while len(chosen) < count:
            farthest = max(good, key=lambda result: (away(result), result.value), default=None)
            if farthest is None or not away(farthest):
                break
            chosen.append(farthest)
        return self._told(first, chosen, every is not None and not any(map(away, good)), within, essential=False)

    def _census(self, first: Result, least: Value | None) -> PlanPool | None:
        """Return all plans that are worth enough, if they can be gone through."""
        highest = first.bound[0] if first.bound else None
        try:
            # What was searched may know fewer moves: not those that only matter where it matters where everybody ends.
            last = self._last if self._last.combat is not None else self._context(self._conditions)
            self._tidy = (census := Census(last, least, highest)).tidy
            return census.run()
        except OutOfTimeError:
            return None

    def _proved(self, plans: Iterable[Entry]) -> list[Result]:
        """Return plans as results, now that all that are worth enough have been gone through."""
        game, tiers = self.scenario.game, self.scenario.tiers
        found = []
        for _, value, plan, verdict in plans:
            terms = tuple(score(game, tiers, verdict))
            found.append(Result("optimal", self._seconds(), value, value, plan, verdict, terms))
        return found

    def _in_order(self, result: Result) -> Result:
        """Return a result whose plan is written as players would."""
        if result.plan is None or self._tidy is None:
            return result
        plan = self._tidy(result.plan)
        return replace(result, plan=plan, verdict=self._last.replay(plan))

    def _told(
        self,
        first: Result,
        results: list[Result],
        exhausted: bool,
        within: Fraction | None = None,
        essential: bool = True,
    ) -> Alternatives:
        found: list[Alternative] = []
        for result in results:
            found.append(self._alternative(self._in_order(result), found, essential))
        first = found[0].result if found and results[0] is first else first
        return Alternatives(first, tuple(found), exhausted, self._seconds(), within)

    def _looked_at(self, first: Result) -> list[Result]:
        """Return the essential ones of all plans that another search looks at, the best one as it was found if it was."""
        pool = PlanPool(self.scenario.game)
        again = self._search(self._conditions, pool)
        if again.plan is not None and again.verdict is not None:
            pool.add(again.plan, again.verdict, again.value)
        assert first.plan is not None
        assert first.verdict is not None
        pool.add(first.plan, first.verdict, first.value)
        game, tiers = self.scenario.game, self.scenario.tiers
        found = []
        for _, value, plan, verdict in pool.essential():
            terms = tuple(score(game, tiers, verdict))
            unproved = Result("feasible", first.seconds, value, first.bound, plan, verdict, terms)
            found.append(replace(unproved, reason=why_open(self._last, unproved)))
        if found[0].value == first.value:
            found[0] = replace(found[0], status=first.status, reason=first.reason)
        return found

    def _seconds(self) -> float:
        return round(time.monotonic() - self._begin, 3)


def _named(known: Iterable[Substance]) -> frozenset[str]:
    """Return the units of which known plans say where they end, or that they are carried."""
    return frozenset(unit for one in known for unit in (*(unit for unit, _ in one.ends), *one.carried))
