"""Which part of a partial plan can't be had, and by which rules: what is left if nothing more can be left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from planner.errors import OutOfTimeError
from planner.explanation.attack_question import AttackQuestion, explain_attack
from planner.explanation.explain import explain_destination
from planner.limits import Limits
from planner.objective.goals import End
from planner.plans.attack_text import NO_ATTACKS, NO_OTHERS
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search.conflict import Conflict
from planner.search.result import Result
from planner.search.search import Search
from planner.solver.side_constraints import Conditions

TIME_LIMIT = 10.0
"""Seconds that it takes at most to say what is to blame."""
MOST_PLACES = 3
"""So many places of a destination are explained at most."""


def with_conflict(result: Result, scenario: Scenario, partial: PartialPlan | None, limits: Limits) -> Result:
    """Return the result of a search with what of the partial plan is to blame, where there is no plan.

    Parameters
    ----------
    result : Result
        What the search has found.
    scenario : Scenario
        The position.
    partial : PartialPlan or None
        What was settled.
    limits : Limits
        Those of the search; it takes `TIME_LIMIT` at most in any case.
    """
    if result.status != "infeasible" or not partial:
        return result
    return replace(result, conflict=find_conflict(scenario, partial, limits.part(1, TIME_LIMIT)))


def find_conflict(
    scenario: Scenario,
    partial: PartialPlan,
    limits: Limits | None = None,
) -> Conflict:
    """Return what of a partial plan can't be had, now that it can't be had as a whole.

    Parameters
    ----------
    scenario : Scenario
        The position.
    partial : PartialPlan
        What is settled.
    limits : Limits, optional
        When to stop: what is known by then is returned; absent: when all is settled.
    """
    return _Finder(scenario, limits or Limits()).find(partial)


class _Finder:
    def __init__(self, scenario: Scenario, limits: Limits) -> None:
        # What the plan as a whole had to say of attacks, its parts must say, too.
        self._scenario = scenario.aiming_at(())
        self._limits = limits

    def find(self, partial: PartialPlan) -> Conflict:
        free = replace(self._scenario, requirements=())
        without = self._can(free, partial) if self._scenario.requirements else False
        requirements = without is not False
        scenario = self._scenario if requirements else free
        if requirements and self._can(scenario, PartialPlan()) is False:
            return Conflict((), requirements=True)
        minimal = without is not None  # else they may not be to blame
        lines = kept = [*_lines(partial)]
        for line in lines:
            others = [one for one in kept if one is not line]
            if requirements and not others:
                continue  # that there is some plan is known by now
            possible = self._can(scenario, _joined(others))
            if possible is False:
                kept = others
            minimal = minimal and possible is not None
        partial = _joined(kept)
        items = tuple(str(partial).splitlines())
        return Conflict(items, minimal, requirements, tuple(self._reasons(partial)))

    def _can(self, scenario: Scenario, partial: PartialPlan) -> bool | None:
        """Tell whether there is a plan with what is settled; None if that isn't known."""
        if self._limits.late:
            return None
        found = Search(scenario, self._limits, conditions=Conditions(partial)).run()
        return False if found.status == "infeasible" else True if found.plan is not None else None

    def _reasons(self, partial: PartialPlan) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield for each line what forbids it; of moves, as they are made one after the other."""
        crowds = self._crowds(partial)
        verdict = Referee(self._scenario.game).play(Plan(partial.moves), self._scenario.start)
        for index, move in enumerate(partial.moves):
            told = tuple(str(violation) for violation in verdict.violations if violation.move == index)
            if told:
                yield str(move), told
        for unit, places in partial.ends:
            for place in places[:MOST_PLACES]:
                if self._limits.late:
                    return
                try:
                    found = explain_destination(self._scenario, End(kind="end", unit=unit, at=(place,)), self._limits)
                except OutOfTimeError:
                    return
                told = tuple(str(instance) for reason in found.reasons for instance in reason.instances)
                told += tuple(f"possible {remedy}" for remedy in found.remedies if remedy.own)
                told = tuple(dict.fromkeys([*told, *crowds.get(unit, ())]))
                if found.chances:  # it need only end there if all goes well, so that what is rolled forbids nothing
                    way = "; ".join(map(str, found.chances[0].plan.moves))
                    told = (f"possible if rolls go well, and nothing else is settled: {way}", *crowds.get(unit, ()))
                if told:
                    yield str(PartialPlan(ends=((unit, (place,)),))), told
        for attack in partial.attacks:
            if self._limits.late:
                return
            found = explain_attack(self._scenario, AttackQuestion(Plan(partial.moves), attack), self._limits)
            if told := tuple(str(instance) for reason in found.reasons for instance in reason.instances):
                yield str(attack), told
        if partial.closed and (told := tuple(self._due(partial))):
            yield next(line for line in str(partial).splitlines() if line in (NO_ATTACKS, NO_OTHERS)), told

    def _crowds(self, partial: PartialPlan) -> dict[str, tuple[str, ...]]:
        """Return what is too much, by the last unit in it, where all who are to end somewhere, or to stay, stand alone."""
        game, position = self._scenario.game, self._scenario.start.copy()
        settled = {unit: places[0] for unit, places in partial.ends if len(places) == 1}
        for unit in [unit for unit in position.at if unit in game.friends and unit not in partial.stays]:
            if unit in settled:
                position.move(unit, settled[unit])
            else:
                position.remove(unit, "elsewhere")
        found: dict[str, tuple[str, ...]] = {}
        for one in Referee(game).check_end(position):
            last = [unit for unit in settled if unit in one.blame]
            if len(one.blame) > 1 and last:
                found[last[-1]] = (*found.get(last[-1], ()), str(one))
        return found

    def _due(self, partial: PartialPlan) -> Iterator[str]:
        """Yield which further attacks units that are named would have to make, in a plan that has all but that none are."""
        if self._limits.late:
            return
        found = Search(
            self._scenario, self._limits, conditions=Conditions(replace(partial, closed=False, none=False))
        ).run()
        if found.plan is None:
            return
        named = {*partial.movers, *(unit for unit, _ in partial.ends), *partial.stays}
        verdict = Referee(self._scenario.game).play(Plan(found.plan.moves, partial.attacks), self._scenario.start)
        yield from (str(one) for one in verdict.violations if one.move is None and one.unit in named)


def _lines(partial: PartialPlan) -> Iterator[PartialPlan]:
    """Yield each line by itself: moves first, so that what is left names destinations and who stays."""
    for move in partial.moves:
        yield PartialPlan(moves=(move,))
    for end in partial.ends:
        yield PartialPlan(ends=(end,))
    for unit in partial.stays:
        yield PartialPlan(stays=(unit,))
    for attack in partial.attacks:
        yield PartialPlan(attacks=(attack,))
    if partial.closed:
        yield PartialPlan(closed=True, none=partial.none)


def _joined(lines: Sequence[PartialPlan]) -> PartialPlan:
    return PartialPlan(
        tuple(move for one in lines for move in one.moves),
        tuple(end for one in lines for end in one.ends),
        tuple(unit for one in lines for unit in one.stays),
        tuple(attack for one in lines for attack in one.attacks),
        any(one.closed for one in lines),
        any(one.none for one in lines),
    )
