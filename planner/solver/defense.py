"""The search for a defense, guided by counterexamples.

A master model proposes a placement; the enemy's search answers with a plan, or proves that there is none. A plan that
breaks one placement mostly breaks many: it is replayed on the referee under others, unit by unit, and what is learnt is a
*box*: for each defender a set of places, such that the plan breaks every placement in it that obeys the rules. A clause
excludes the whole box. Nothing is excluded that has not been replayed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from planner.defense.answer import Accepted, Defense, Refutation, Status
from planner.defense.placement import Placement, Placements
from planner.errors import InputError, Problem
from planner.explanation.goals import Question
from planner.plan import Plan
from planner.referee import Referee
from planner.results import score, tier_values
from planner.scenario import Scenario
from planner.solver.cp_sat import cp_model
from planner.solver.probe import Probe

MOST_REPLAYS = 2_000
"""So many placements a plan is replayed under at most, each time that something is learnt from it."""

MOST_ACCEPTED = 10_000
"""So many placements are listed at most."""

Value = tuple[Fraction, ...]
Places = dict[str, str]


class _Master:
    """Proposes placements: the fewest units placed first."""

    def __init__(self, placements: Placements) -> None:
        self._placements = placements
        self.model = cp_model.CpModel()
        self.x = {
            unit: {place: self.model.new_bool_var(f"{unit} in {place}") for place in places}
            for unit, places in placements.choices.items()
        }
        for literals in self.x.values():
            self.model.add_exactly_one(list(literals.values()))
        home = placements.home
        placed = [lit for unit, places in self.x.items() for place, lit in places.items() if place != home[unit]]
        self.model.add(sum(placed) <= placements.most)
        ranks = [(rank, lit) for places in self.x.values() for rank, lit in enumerate(places.values())]
        much = sum(len(places) for places in self.x.values()) + 1
        self.model.minimize(sum(much * lit for lit in placed) + sum(rank * lit for rank, lit in ranks))

    def propose(self) -> Places | None:
        """Return a placement that isn't excluded; None if there is none."""
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(self.model)
        if status == cp_model.INFEASIBLE:
            return None
        return {
            unit: next(place for place, lit in places.items() if solver.boolean_value(lit))
            for unit, places in self.x.items()
        }

    def exclude(self, box: dict[str, list[str]]) -> None:
        """Exclude every placement that puts each of some units into one of its places."""
        self.model.add_bool_or(
            [lit for unit, those in box.items() for place, lit in self.x[unit].items() if place not in those]
        )


class DefenseSearch:
    """A search for placements under which the enemy can't achieve its goal.

    Parameters
    ----------
    scenario : Scenario
        It must have a defense. The enemy's goal are its requirements; if there are none, its tiers.
    time_limit : float, optional
        Seconds; absent: none.
    every : bool
        Whether to list all placements that hold, or that are equally good.
    """

    def __init__(self, scenario: Scenario, time_limit: float | None = None, every: bool = False) -> None:
        self._begin = time.monotonic()
        self._deadline = None if time_limit is None else self._begin + time_limit
        self._scenario, self._every = scenario, every
        self._placements = Placements(scenario)
        assert scenario.defense is not None
        self._tiers = min(scenario.defense.tiers, len(scenario.tiers))
        self._searches = 0
        self._plans: list[Plan] = []

    def run(self) -> Defense:
        """Search, and return what is found and proved."""
        goals, tiers = bool(self._scenario.requirements), self._tiers > 0
        if not goals and not tiers:
            what = "the enemy must have a goal: requirements, or an objective"
            raise InputError([Problem(what, self._scenario.where)])
        if goals:
            found = self._loop(lambda value: True, self._by_goal)
            if found.status != "fails" or not tiers:
                return found
        # No placement holds: the enemy's best is to be as bad as possible.
        return self._worst()

    # -- one round: which placements are broken by no plan that counts?

    def _loop(self, counts: Callable[[Value], bool], decide: Callable[[Places], Accepted | Plan | None]) -> Defense:
        master = _Master(self._placements)
        accepted: list[Accepted] = []
        refutations: list[Refutation] = []
        undecided: list[Placement] = []
        complete = False
        while not self._late() and len(accepted) < MOST_ACCEPTED:
            places = master.propose()
            if places is None:
                complete = True
                break
            quarrel = self._placements.quarrel(places)
            if quarrel is not None:
                master.exclude({unit: [places[unit]] for unit in quarrel})
                continue
            exactly = {unit: [place] for unit, place in places.items()}
            answer = next(self._known_breakers(places, counts), None) or decide(places)
            if isinstance(answer, Plan):
                if answer not in self._plans:
                    self._plans.append(answer)
                learnt = self._learn(answer, places, counts)
                if learnt is not None:
                    refutations.append(learnt)
                    master.exclude({unit: list(those) for unit, those in learnt.places})
                    continue
                answer = None  # not even the placement that it was found for: nothing is claimed
            if isinstance(answer, Accepted):
                accepted.append(answer)
                if not self._every:
                    break
            else:
                undecided.append(self._placements.placement(places))
            master.exclude(exactly)
        status: Status = "holds" if accepted else "fails" if complete and not undecided else "unknown"
        return Defense(
            status,
            tuple(accepted),
            tuple(refutations),
            tuple(undecided),
            complete and not undecided,
            self._placements.space,
            self._searches,
            round(time.monotonic() - self._begin, 3),
        )

    def _late(self) -> bool:
        return self._deadline is not None and time.monotonic() > self._deadline

    def _left(self) -> float | None:
        return None if self._deadline is None else max(0.01, self._deadline - time.monotonic())

    def _known_breakers(self, places: Places, counts: Callable[[Value], bool]) -> Iterator[Plan]:
        for plan in self._plans:
            value = self._value(plan, places)
            if value is not None and counts(value):
                yield plan

    def _value(self, plan: Plan, places: Places) -> Value | None:
        """Return what a plan is worth to the enemy under a placement, on the referee; None: it is illegal, or fails."""
        scenario = self._placements.placed(places)
        try:
            verdict = Referee(scenario.game).play(plan, scenario.start)
        except InputError:
            return None
        if not verdict.legal:
            return None
        for requirement in scenario.requirements if self._goal else ():
            for position, tally in verdict.all_outcomes():
                if requirement.score(scenario.game, position, tally) < requirement.full(scenario.game):
                    return None
        return tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict))[: self._tiers]

    _goal = True
    """Whether the enemy has to fulfil its requirements for a plan to count."""

    def _learn(self, plan: Plan, places: Places, counts: Callable[[Value], bool]) -> Refutation | None:
        """Return the box that a plan breaks around a placement: as large as the replays allow."""
        left = MOST_REPLAYS
        values: list[Value] = []

        def breaks(other: Places) -> bool | None:
            """Tell whether the plan breaks a placement; None: the placement breaks a rule itself."""
            if self._placements.quarrel(other) is not None:
                return None
            value = self._value(plan, other)
            if value is None or not counts(value):
                return False
            values.append(value)
            return True

        if not breaks(places):
            return None
        box = {unit: [place] for unit, place in places.items()}
        count = 1
        for unit, choices in self._placements.choices.items():
            others = {u: those for u, those in box.items() if u != unit}
            size = 1
            for those in others.values():
                size *= len(those)
            for place in choices:
                if place in box[unit] or left < size or self._late():
                    continue
                left -= size
                found, mark = [], len(values)
                for some in product(*others.values()):
                    found.append(breaks({**dict(zip(others, some, strict=True)), unit: place}))
                    if found[-1] is False:
                        break
                if False in found or True not in found:  # what no rule-abiding placement shows isn't said
                    del values[mark:]
                    continue
                box[unit].append(place)
                count += sum(one is True for one in found)
        least = min(values) if self._tiers and not self._goal else ()
        return Refutation(plan, least, tuple((unit, tuple(those)) for unit, those in box.items()), count)

    # -- the enemy

    def _by_goal(self, places: Places) -> Accepted | Plan | None:
        """Ask whether the enemy can achieve its goal."""
        self._searches += 1
        scenario = self._placements.placed(places)
        question = Question(tuple(scenario.requirements), deadline=self._deadline)
        possible, plan = question.answer(replace(scenario, requirements=()), second=True)
        if possible is False:
            return Accepted(self._placements.placement(places), (), None, True)
        return plan if possible else None

    def _best_of(self, places: Places) -> tuple[Value, Plan, bool] | None:
        """Return the enemy's best, with whether it is proved; None: nothing was found."""
        self._searches += 1
        scenario = self._placements.placed(places)
        scenario = replace(scenario, tiers=scenario.tiers[: self._tiers], requirements=())
        result = Probe(scenario, self._left()).run()
        if result.plan is None:
            return None
        proved = result.status == "optimal" or result.value == result.bound
        return result.value, result.plan, proved

    def _worst(self) -> Defense:
        """Find the placement under which the enemy's best is as bad as possible."""
        self._goal = False
        best: Value | None = None

        incumbent: Accepted | None = None

        def decide(places: Places) -> Accepted | Plan | None:
            nonlocal best, incumbent
            found = self._best_of(places)
            if found is None:
                return None
            value, plan, proved = found
            if proved and (best is None or value < best):
                best = value
                incumbent = Accepted(self._placements.placement(places), value, plan, False)
            elif best is None or value < best:
                return None  # it may be better still
            return plan

        every, self._every = self._every, True
        searched = self._loop(lambda value: best is not None and value >= best, decide)
        self._every = every
        if incumbent is None or best is None:
            return replace(searched, status="unknown", accepted=())
        least = best
        accepted = [incumbent]
        refutations = searched.refutations
        complete = searched.complete
        if every and complete:
            # All that are as good: only what is better for the enemy counts against them now.
            def as_good(places: Places) -> Accepted | Plan | None:
                found = self._best_of(places)
                if found is None or not found[2]:
                    return None
                value, plan, _ = found
                return plan if value > least else Accepted(self._placements.placement(places), value, plan, False)

            second = self._loop(lambda value: value > least, as_good)
            accepted, refutations, complete = list(second.accepted), second.refutations, second.complete
        confirmed = [self._confirmed(one, least) for one in accepted]
        status: Status = "best" if searched.complete else "feasible"
        return Defense(
            status,
            tuple(confirmed),
            refutations,
            searched.undecided,
            complete,
            searched.space,
            self._searches,
            round(time.monotonic() - self._begin, 3),
        )

    def _confirmed(self, one: Accepted, value: Value) -> Accepted:
        """Ask a second configuration whether the enemy can do no better."""
        places = {**self._placements.home, **dict(one.placement.at)}
        scenario = self._placements.placed(places)
        scenario = replace(scenario, tiers=scenario.tiers[: self._tiers], requirements=())
        result = Probe(scenario, self._left(), confirms=True).run()
        agreed = result.plan is not None and result.value == value and result.bound == value
        return replace(one, confirmed=agreed)


def defend(scenario: Scenario, time_limit: float | None = None, every: bool = False) -> Defense:
    """Search for a placement of defenders under which the enemy can't achieve its goal.

    Parameters
    ----------
    scenario : Scenario
        It must have a defense.
    time_limit : float, optional
        Seconds; absent: none.
    every : bool
        Whether to list all placements that hold, or that are equally good.

    Raises
    ------
    InputError
        If the scenario has no defense, or the enemy has no goal.
    """
    return DefenseSearch(scenario, time_limit, every).run()
