"""The search for a defense, guided by counterexamples.

A master model proposes a placement; the enemy's search answers with a plan, or proves that there is none. A plan that
breaks one placement mostly breaks many: it is replayed on the referee under others, unit by unit, and what is learnt is a
*box*: for each defender a set of places, such that the plan breaks every placement in it that obeys the rules. A clause
excludes the whole box. Nothing is excluded that has not been replayed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product

from planner.defense.answer import Accepted, Defense, DefenseStatus
from planner.defense.enemy_search import Best, Enemy
from planner.defense.nogood_boxes import Key, Learnt, refutations
from planner.defense.placement import Placement, Placements
from planner.defense.placement_master import PlacementMaster
from planner.errors import InputError, OutOfTimeError, Problem
from planner.limits import Limits
from planner.objective.scoring import Value, values_of
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.solver.tuning import Defending

Places = dict[str, str]


@dataclass
class _Round:
    """What came of looking at placements until none is left, or one is enough.

    Attributes
    ----------
    accepted : list of Accepted
        Those that no plan breaks.
    learnt : list of Learnt
        What enemy plans break.
    undecided : list of Placement
        Those of which nothing is known.
    complete : bool
        Whether every placement has been looked at.
    """

    accepted: list[Accepted] = field(default_factory=list)
    learnt: list[Learnt] = field(default_factory=list)
    undecided: list[Placement] = field(default_factory=list)
    complete: bool = False

    @property
    def settled(self) -> bool:
        """Whether something is known of every placement."""
        return self.complete and not self.undecided


class DefenseSearch:
    """A search for placements under which the enemy can't achieve its goal.

    Parameters
    ----------
    scenario : Scenario
        It must have a defense. The enemy's goal are its requirements; if there are none, its tiers.
    limits : Limits, optional
        When the search must end: what has been found by then is returned. Absent: it takes all the time that it needs.
    every : bool
        Whether to list all placements that hold, or that are equally good.
    """

    def __init__(self, scenario: Scenario, limits: Limits | None = None, every: bool = False) -> None:
        self._begin = time.monotonic()
        self._limits = limits or Limits()
        self._enemy = Enemy(self._limits)
        self._placements = Placements(scenario)
        self._scenario, self._every = self._placements.scenario, every
        assert self._scenario.defense is not None
        self._tiers = min(self._scenario.defense.tiers, len(self._scenario.tiers))
        self._searches = 0
        self._plans: list[Plan] = []
        self._bests: dict[Key, Best | None] = {}
        self._goal = bool(self._scenario.requirements)
        self._broken: list[Learnt] = []
        self._round = _Round()
        self._incumbent: Accepted | None = None
        self._least_proved = False

    def run(self) -> Defense:
        """Search, and return what is found and proved: also if the time runs out, or somebody stops it.

        Raises
        ------
        InputError
            If the enemy has no goal, or has already moved in the phase.
        """
        if self._scenario.done.lines:
            # Where somebody else had stood, other moves would have been made, and some of these would be illegal.
            what = "defenders are placed before the phase begins: no moves may have been made in it yet"
            raise InputError([Problem(what, f"{self._scenario.where}: done")])
        if not self._goal and not self._tiers:
            what = "the enemy must have a goal: requirements, or an objective"
            raise InputError([Problem(what, self._scenario.where)])
        with suppress(OutOfTimeError):
            self._search()
        return self._answer()

    def _search(self) -> None:
        if self._goal:
            self._look(lambda value: True, self._by_goal, not self._every)
            if self._round.accepted or not self._round.settled or not self._tiers:
                return
            # No placement holds: the enemy's best is to be as bad as possible.
            self._broken, self._goal = self._round.learnt, False
        self._look(self._as_good_for_the_enemy, self._by_value, True)
        # Nothing is worse for the enemy than to have no legal plan.
        if self._incumbent is not None and (self._round.settled or self._incumbent.plan is None):
            self._least_proved = True
            if self._every:
                least = self._incumbent.value
                self._look(lambda value: value > least, self._equally_bad, False)
        self._confirm()

    def _answer(self) -> Defense:
        """Put together what is known."""
        found, accepted = self._round, self._round.accepted
        status: DefenseStatus
        if self._goal:
            status = "holds" if accepted else "fails" if found.settled else "unknown"
        elif self._incumbent is None:
            status = "unknown"
        else:
            status = "best" if self._least_proved else "feasible"
            if self._incumbent.placement not in [one.placement for one in accepted]:
                accepted = [self._incumbent, *accepted]
        complete = found.settled and (self._every or not accepted)
        settled = complete if self._every else status not in ("feasible", "unknown")
        settled = settled and all(one.confirmed for one in accepted)
        but = [] if self._goal else [self._placements.home | dict(one.placement.at) for one in accepted]
        return Defense(
            status,
            tuple(accepted),
            tuple(refutations(found.learnt, not self._goal, but)),
            len({key for one in found.learnt for key in one.worth} - {self._key(places) for places in but}),
            tuple(found.undecided),
            complete,
            self._placements.space,
            self._searches,
            round(time.monotonic() - self._begin, 3),
            tuple(refutations(self._broken, False)),
            self._limits.stop.is_set() and not settled,
            self._limits.timed_out() and not self._limits.stop.is_set() and not settled,
        )

    # -- one round: which placements are broken by no plan that counts?

    def _look(
        self, counts: Callable[[Value], bool], decide: Callable[[Places], Accepted | Plan | None], one: bool
    ) -> None:
        """Look at placements until none is left, or, if `one` is enough, one is accepted."""
        master, placements = PlacementMaster(self._placements, self._limits.seed), self._placements
        found = self._round = _Round()
        while not self._limits.late and len(found.accepted) < Defending.accepted:
            places = master.next(self._limits)
            if places is None:
                found.complete = True
                return
            self._limits.check()
            quarrel = placements.quarrel(places)
            if quarrel is not None:
                master.exclude({unit: [places[unit]] for unit in quarrel})
                continue
            answer = next(self._known_breakers(places, counts), None) or decide(places)
            if isinstance(answer, Plan):
                if answer not in self._plans:
                    self._plans.append(answer)
                learnt = self._learn(answer, places, counts)
                if learnt is not None:
                    found.learnt.append(learnt)
                    master.exclude(learnt.box)
                    continue
                answer = None  # not even the placement that it was found for: nothing is claimed
            if isinstance(answer, Accepted):
                found.accepted.append(answer)
                if one:
                    return
            elif self._limits.late:
                return  # it has not been looked at
            else:
                found.undecided.append(placements.placement(places))
            master.exclude({unit: [place] for unit, place in places.items()})

    def _known_breakers(self, places: Places, counts: Callable[[Value], bool]) -> Iterator[Plan]:
        for plan in self._plans:
            if self._limits.late:
                return
            value = self._value(plan, places)
            if value is not None and counts(value):
                yield plan

    def _value(self, plan: Plan, places: Places) -> Value | None:
        """Return what a plan is worth to the enemy under a placement, on the referee; None: it is illegal, or fails.

        Nor is it of use there if it can't be written so there, as a combat where no enemy can be.
        """
        scenario = self._placements.placed(places)
        try:
            scenario.check_names(plan, "plan")
            verdict = Referee(scenario.game).play(plan, scenario.start)
        except InputError:
            return None
        if not verdict.legal:
            return None
        if self._goal and not all(verdict.meets(requirement, scenario.game) for requirement in scenario.requirements):
            return None
        return values_of(scenario.game, scenario.tiers, verdict)[: self._tiers]

    def _learn(self, plan: Plan, places: Places, counts: Callable[[Value], bool]) -> Learnt | None:
        """Return the box that a plan breaks around a placement: as large as the replays allow."""
        left, worth = Defending.replays, dict[Key, Value]()

        def breaks(other: Places) -> bool | None:
            """Tell whether the plan breaks a placement; None: the placement breaks a rule itself."""
            if self._placements.quarrel(other) is not None:
                return None
            value = self._value(plan, other)
            if value is None or not counts(value):
                return False
            worth[self._key(other)] = value
            return True

        if not breaks(places):
            return None
        box = {unit: [places[unit]] for unit in self._placements.choices}
        for unit, choices in self._placements.choices.items():
            others = {u: those for u, those in box.items() if u != unit}
            size = 1
            for those in others.values():
                size *= len(those)
            for place in choices:
                if place in box[unit] or left < size or self._limits.late:
                    continue
                left -= size
                found, before = [], dict(worth)
                for some in product(*others.values()):
                    if self._limits.late:
                        found.append(False)  # what hasn't been replayed isn't said
                        break
                    found.append(breaks({**dict(zip(others, some, strict=True)), unit: place}))
                    if found[-1] is False:
                        break
                if False in found or True not in found:  # what no rule-abiding placement shows isn't said
                    worth.clear()
                    worth.update(before)
                    continue
                box[unit].append(place)
        return Learnt(plan, {unit: tuple(those) for unit, those in box.items()}, worth)

    def _key(self, places: Places) -> Key:
        return tuple(places[unit] for unit in self._placements.choices)

    # -- the enemy

    def _by_goal(self, places: Places) -> Accepted | Plan | None:
        """Ask whether the enemy can achieve its goal."""
        self._searches += 1
        possible, plan, confirmed = self._enemy.achieves(self._placements.placed(places))
        if possible is False:
            return Accepted(self._placements.placement(places), (), None, confirmed)
        return plan

    def _best_of(self, places: Places) -> Best | None:
        """Return the enemy's best, worked out once; None: nothing was found."""
        key = self._key(places)
        if key not in self._bests:
            self._searches += 1
            scenario = self._placements.placed(places)
            found = self._enemy.best(replace(scenario, tiers=scenario.tiers[: self._tiers]))
            if found is None or not found.proved:
                return found
            self._bests[key] = found
        return self._bests[key]

    def _as_good_for_the_enemy(self, value: Value) -> bool:
        return self._incumbent is not None and value >= self._incumbent.value

    def _by_value(self, places: Places) -> Accepted | Plan | None:
        """Return the enemy's best, if it is as good as under the worst placement so far; a worse one takes its place.

        A placement under which the enemy has no legal plan is accepted.
        """
        found = self._best_of(places)
        if found is None:
            return None
        if self._incumbent is None or found.value < self._incumbent.value:
            if not found.proved:
                return None  # it may be better still
            self._incumbent = Accepted(self._placements.placement(places), found.value, found.plan, False)
            if found.plan is None:
                return self._incumbent
        return found.plan

    def _equally_bad(self, places: Places) -> Accepted | Plan | None:
        """Accept a placement under which the enemy's best is no better than under the worst one."""
        found = self._best_of(places)
        if found is None or not found.proved:
            return None
        assert self._incumbent is not None
        if found.value > self._incumbent.value:
            return found.plan
        return Accepted(self._placements.placement(places), found.value, found.plan, False)

    def _confirm(self) -> None:
        """Ask a second configuration whether the enemy can do no better than under the placements that are accepted."""
        if self._incumbent is None:
            return
        if not self._round.accepted:
            self._round.accepted = [self._incumbent]
        for index, one in enumerate(self._round.accepted):
            if self._limits.late:
                return
            scenario = self._placements.placed({**self._placements.home, **dict(one.placement.at)})
            scenario = replace(scenario, tiers=scenario.tiers[: self._tiers])
            self._round.accepted[index] = replace(one, confirmed=self._enemy.confirms(scenario, one.value))


def defend(scenario: Scenario, limits: Limits | None = None, every: bool = False) -> Defense:
    """Search for a placement of defenders under which the enemy can't achieve its goal.

    Parameters
    ----------
    scenario : Scenario
        It must have a defense.
    limits : Limits, optional
        When the search must end: what has been found by then is returned. Absent: it takes all the time that it needs.
    every : bool
        Whether to list all placements that hold, or that are equally good.

    Raises
    ------
    InputError
        If the scenario has no defense, or the enemy has no goal, or moves have been made in the phase.
    """
    return DefenseSearch(scenario, limits, every).run()
