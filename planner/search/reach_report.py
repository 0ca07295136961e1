"""Where units can end: each alone as things stand, and by a plan in which others help, with that plan as the witness.

What is listed for single units says what a unit needs of others, but not whether the others can see to all of it together,
in some order, and whether everybody may end where they are then. So every hex that is told has a *witness*: a plan that the
referee accepts and that takes the unit there. Witnesses are looked for in three steps, each for what those before it leave:

1. what a unit can do as things stand, by itself;
2. what it, or a stack with it, can do with help, after plans that are known: those that bring a friend, clear a hex, remove
   an enemy; and where units may wait, after overruns that are put together of what each of them can do; where none may,
   in plans that are put together need by need, in which helpers are helped, too;
3. the search, with the hexes that are left as goals, as often as it finds one more of them. That none of them can be had is
   then its proof that no plan takes any unit to any of those: nothing is missing. One model serves all units, where it has a
   form for every plan; otherwise each unit is searched for by itself.

Helpers who take a unit to one hex often take it to others, and other units, too: that is tried at once.

Whatever a search leaves open, for want of time or of a proof, is told to be open.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice

from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.goals import End
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Move, Plan, units_of
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.event_reach import UnsuitedError, waits
from planner.reachability.possibility import Possibility
from planner.reachability.relaxed_reach import might_end
from planner.reachability.stakes import Stakes
from planner.reachability.team_possibility import TeamPossibility
from planner.reachability.team_reach import TeamReach
from planner.rules.atoms import Atom
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.scenario import Scenario
from planner.search.chained_plans import ChainedPlans, all_ways
from planner.search.confirmation import unconfirmed
from planner.search.context import SearchContext
from planner.search.known_plans import KnownPlans
from planner.search.loose_routes import LooseRoutes
from planner.search.overrun_plans import OverrunPlans
from planner.search.reach_cache import ReachCache
from planner.search.reach_entries import Answer, Entries, Found
from planner.search.reachable import ReachReport
from planner.search.redundant_moves import AtomsAsStanding, Services, without_idle_moves
from planner.search.relief import Relief
from planner.search.search import best_plan
from planner.search.storming import after_storms
from planner.search.unit_moves import UnitMoves, written
from planner.search.wanted_places import WantedPlaces
from planner.search.witness_judge import WitnessJudge
from planner.search.witness_moves import by_itself, by_mp, cheapest, growing
from planner.solver.side_constraints import Conditions
from planner.solver.tuning import Chaining as Tuned
from planner.solver.tuning import WitnessPlans
from planner.world.position import Position


def report(
    scenario: Scenario, units: Sequence[str], limits: Limits | None = None, alone: bool = False
) -> list[ReachReport]:
    """Work out what some units can reach; what isn't known when the time runs out is told to be open.

    Parameters
    ----------
    scenario : Scenario
        The position; what it is for doesn't count.
    units : sequence of str
        The ids of units on the map.
    limits : Limits, optional
        When it must end.
    alone : bool
        Whether to leave out what can be reached with help only.
    """
    witnesses = Witnesses(scenario, limits or Limits())
    for unit in units:
        witnesses.bound(unit)  # soon told, and what is open when the time runs out is among it
    entries = Entries(scenario, witnesses.judge)
    for unit in units:  # what is found is written down at once: when the time runs out hardly any is left to be
        entries.note_alone(unit, witnesses.alone(unit))
    helped = {} if alone else witnesses.with_help(units)
    return [entries.report(unit, helped.get(unit, ({}, frozenset())), alone) for unit in units]


class Witnesses:
    """Finds legal plans that take units to hexes.

    Parameters
    ----------
    scenario : Scenario
        The position.
    limits : Limits
        When it must end.
    """

    def __init__(self, scenario: Scenario, limits: Limits) -> None:
        self._scenario = replace(scenario, requirements=(), tiers=())
        self._game, self._limits = scenario.game, limits
        self.judge = WitnessJudge(scenario)
        self._referee = self.judge.referee
        self._alone: dict[str, Answer] = {}
        self._listed: dict[str, list[Possibility]] = {}
        self._teams: dict[str, list[TeamPossibility]] = {}
        self._bounds: dict[str, frozenset[str]] = {}
        self._might: Mapping[str, frozenset[str]] = {}
        self._fights, self._waits = bool(self._game.rulebook.of(Fights)), waits(self._game)
        self._by_itself = ReachCache(self._scenario, limits)
        # What others are asked for, too, as soon as it is known which places are left.
        self._asked: ReachCache | None = self._by_itself if self._waits and not self._fights else None

    @property
    def _reach(self) -> ConditionalReach:
        return self._by_itself.reach

    @cached_property
    def _might_come(self) -> dict[str, frozenset[str]]:
        """Where each unit might end by its routes, by combats or thrown back."""
        [rule] = self._game.rulebook.of(Fights)
        routes = LooseRoutes(self._reach, rule).routes
        return {unit: frozenset(ways.ends).union(*ways.attacks) for unit, ways in routes.items()}

    @cached_property
    def _listed_first(self) -> bool:
        """Whether what units can do is soon listed, and tells what each can do by itself, too."""
        try:
            together = self._reach.rolls or self._reach.stack_in_hand  # that is listed of teams
            return not (self._fights or self._waits or together or self._by_itself.large)
        except OutOfTimeError:  # nothing is soon listed then; asked of each unit anew, it would take its time each time
            return False

    def bound(self, unit: str) -> frozenset[str]:
        """Return the places other than its own in which a unit might end: too many, never too few."""
        if unit not in self._bounds:
            try:
                if self._fights:
                    found = self._might_come.get(unit, frozenset())
                elif self._waits:  # whoever waits may be helped later
                    found = self._by_itself.might_get(unit)
                elif self._listed_first:
                    found = frozenset([one.end for one in self._possibilities(unit)])
                else:
                    found = might_end(self._reach, unit)
            except OutOfTimeError:
                found = frozenset(self._game.board.places)
            self._bounds[unit] = found - {self._scenario.start.at[unit]}
        return self._bounds[unit]

    def _left(self, known: Mapping[str, Found]) -> dict[str, frozenset[str]]:
        """Return the places in which units might end and that aren't known, by all that can be listed."""
        left = {unit: self.bound(unit) - found.keys() for unit, found in known.items()}
        if self._fights or self._limits.late or not any(left.values()):
            return left
        ends: dict[str, set[str]] = {unit: set() for unit in left}
        try:
            if self._waits:
                ends.update((unit, {one.end for one in some}) for unit, some in self._by_itself.itineraries.items())
                self._asked = self._by_itself.asking_for(left)
            else:
                self._asked = self._by_itself.asking_for(left)
                for unit, found in self._asked.possibilities.items():
                    ends.setdefault(unit, set()).update(one.end for one in found)
                for team in self._asked.teams:
                    for unit, label in zip(team.units, team.ends, strict=True):
                        ends.setdefault(unit, set()).add(label)
                        self._teams.setdefault(unit, []).append(team)
        except (OutOfTimeError, UnsuitedError):  # more may come about than is listed
            return left
        return {unit: places & ends[unit] for unit, places in left.items()}

    # -- by itself

    def alone(self, unit: str) -> Answer:
        """Return the hexes in which a unit can end while nobody else moves."""
        if unit not in self._alone:
            self._alone[unit] = self._look_alone(unit)
        return self._alone[unit]

    def _look_alone(self, unit: str) -> Answer:
        found: Found = {}
        untold = self.judge.untold
        try:
            if unit not in self._reach.movers:
                return found, frozenset()
            self._limits.check()
            for move in self._moves_alone(unit, found):
                self._limits.check()
                self._accept(found, unit, move.end, Plan((move,)))
        except OutOfTimeError:
            return found, self.bound(unit) - found.keys()
        left = self.bound(unit) - found.keys()
        if not self._fights or not left:
            return found, left if self.judge.untold > untold else frozenset()
        if not self._game.rulebook.of(JointlyOverruns):
            return found, frozenset() if self._walked(unit, found) else left - found.keys()
        others = tuple(other for other in self._scenario.start.at if other in self._game.friends and other != unit)
        return found, self._searched(unit, {unit: found}, self.bound(unit), others)

    def _moves_alone(self, unit: str, found: Found) -> Iterator[Move]:
        """Yield what a unit can do while nobody else moves, cheapest first; where nobody fights, that is all."""
        if self._waits:
            with suppress(UnsuitedError):
                ways = [one for one in self._by_itself.itineraries_of(unit) if not one.needs]
                for one in sorted(ways, key=lambda one: (one.mp, one.path)):
                    yield Move((unit,), one.path, frozenset(step for step, _, _ in one.parts))
                return
        if self._listed_first:
            own, holds = self._game.units[unit], self._reach.as_it_stands
            yield from (one.move for one in by_mp(self._possibilities(unit)) if all(holds(own, a) for a in one.needs))
            return
        yield from by_itself(self._reach, unit)
        if self._reach.rolls_alone(self._game.units[unit]) and self.bound(unit) - found.keys():
            yield from by_itself(self._reach, unit, self.judge.full_for(unit))
        left = self.bound(unit) - found.keys()  # by now it is known which of those can be had
        if left and (self._game.rulebook.of(JointlyOverruns) or unit in self._reach.stack_in_hand):
            counter, needs_of, now = self._game.units[unit], self._reach.atoms.of, self._reach.as_it_stands
            together = TeamReach(self._reach, Stakes(left)).possibilities(
                (unit,), lambda label: all(now(counter, atom) for atom in needs_of(label.cond))
            )
            together.sort(key=lambda one: (-one.chance, one.mp, one.path))
            yield from (team.move for team in together)

    def _walked(self, unit: str, found: Found) -> bool:
        """Play all that a unit can do by itself, step by step, where it fights on its way; tell whether that was all."""
        walks, cheapest, untold = UnitMoves(self._referee, self._limits), dict[object, Fraction](), self.judge.untold
        queue: deque[tuple[Position, tuple[Move, ...]]] = deque([(self._scenario.start.copy(), ())])
        try:
            while queue:
                position, moves = queue.popleft()
                for move, after in walks.further((unit,), position) if (unit,) in walks.teams(position) else ():
                    made = (*moves, move)
                    any(self._accept(found, unit, move.end, plan) for plan in written(made))
                    if unit not in after.under_way:
                        continue  # it doesn't survive even the best result
                    spent, key = after.under_way[unit].spent, walks.key(after, (unit,))
                    if key not in cheapest or spent < cheapest[key]:
                        cheapest[key] = spent
                        queue.append((after, made))
        except OutOfTimeError:
            return False
        return self.judge.untold == untold

    # -- with help

    def with_help(self, units: Sequence[str]) -> dict[str, Answer]:
        """Return, for each unit, the hexes in which it can end only if others move, too."""
        known = {unit: dict(self.alone(unit)[0]) for unit in units}
        might = self._might = {unit: self.bound(unit) - known[unit].keys() for unit in units}
        self._try_relief(might, known)
        if not self._try_overruns(might, known):
            self._try_after_others(might, known)
        self._try_storms(might, known)
        might = self._might = self._left(known)
        if self._asked is not None:  # by now more is known: of what stacks can do, or of who overruns what
            self._try_after_others(might, known)
        might = self._might = self._try_chains(might, known)
        might = self._wanted(might, known)
        left = {unit: self._searched(unit, known, might[unit]) for unit in units}
        return {
            unit: ({label: one for label, one in found.items() if label not in self.alone(unit)[0]}, left[unit])
            for unit, found in known.items()
        }

    def _try_relief(self, might: Mapping[str, frozenset[str]], known: Mapping[str, Found]) -> None:
        """Where hexes hold too many as the phase begins, look for plans in which as few as need be leave them, too."""
        relief = Relief(self._scenario, self.judge, lambda unit: self._moves_alone(unit, {}))
        with suppress(OutOfTimeError):
            for unit, found in known.items() if relief.needed else ():
                for move in self._moves_alone(unit, found):
                    if move.end in might[unit] and move.end not in found:
                        self._limits.check()
                        any(self._accept_shortened(found, unit, move.end, plan) for plan in relief.plans(move))
                for label, witness in found.items():
                    found[label] = relief.together(self._reach, unit, label, witness)

    def _try_after_others(self, might: Mapping[str, frozenset[str]], known: Mapping[str, Found]) -> None:
        """Look for plans in which others do what units need, for as long as there is time and each round finds more."""
        helpers = KnownPlans(self._reach, known, self.alone, twice=self._waits)
        with suppress(OutOfTimeError):
            while sum([self._after_others(unit, might[unit], helpers) for unit in known]):
                pass

    def _try_overruns(self, might: Mapping[str, frozenset[str]], known: Mapping[str, Found]) -> bool:
        """Look for plans in which hexes are overrun first, where units may wait for that; tell whether they may."""
        if self._asked is None:
            return False
        try:
            plans = OverrunPlans(self._by_itself.events, self._by_itself.itineraries, self._limits)
            for unit, label in [(unit, label) for unit, some in might.items() for label in sorted(some)]:
                for plan in plans.of(unit, label):
                    self._limits.check()
                    if self._accept_shortened(known[unit], unit, label, plan):
                        break
        except UnsuitedError:
            return False
        except OutOfTimeError:
            pass
        return True

    def _try_storms(self, might: Mapping[str, frozenset[str]], known: Mapping[str, Found]) -> None:
        """Look for plans in which others storm an enemy's hex first, where entering it is a combat."""
        with suppress(OutOfTimeError):
            for unit, plan in after_storms(self._reach, self._scenario.start, might, self.alone):
                self._limits.check()
                self._accept_shortened(known[unit], unit, plan.moves[-1].end, plan)

    def _try_chains(self, might: dict[str, frozenset[str]], known: Mapping[str, Found]) -> dict[str, frozenset[str]]:
        """Look for plans in which others help those who help, where units move once; return what might be had at all."""
        listed = self._asked
        if self._waits or listed is None or not any(places - known[unit].keys() for unit, places in might.items()):
            return might
        try:
            chains = ChainedPlans(self._reach, self._scenario.start.at, list(all_ways(self._game, listed)))
            might = {unit: frozenset(filter(partial(chains.may_take, unit), some)) for unit, some in might.items()}
            for unit, label in [(unit, label) for unit, some in might.items() for label in sorted(some)]:
                for plan in islice(chains.taking(unit, label), Tuned.tries) if label not in known[unit] else ():
                    self._limits.check()
                    if self.judge.goes(plan, unit, label) is not None:
                        self._accept_all(known, plan)
                        break
        except OutOfTimeError:
            pass
        return might

    def _after_others(self, unit: str, might: frozenset[str], helpers: KnownPlans) -> bool:
        """Look for plans in which others do what a unit needs, or its stack, as is known of them; tell of news."""
        found, news, tried = helpers.known[unit], False, Counter[str]()
        for label, move, needs in self._ways(unit, might - found.keys()):
            if label in found or tried[label] >= WitnessPlans.ways:
                continue
            tried[label] += 1
            for moves in islice(helpers.doing(needs, move.units, label), WitnessPlans.tries):
                self._limits.check()
                if moves is not None and self._accept_shortened(found, unit, label, Plan((*moves, move))):
                    news = True
                    break
        return news

    def _possibilities(self, unit: str) -> list[Possibility]:
        if unit not in self._listed:
            self._listed[unit] = cheapest(self._reach.possibilities(unit, rolled=self._reach.rolls))
        return self._listed[unit]

    # -- by the search

    def _wanted(self, might: Mapping[str, frozenset[str]], known: Mapping[str, Found]) -> dict[str, frozenset[str]]:
        """Find the places that are left by one model of all units, as far as it goes; return those that stay open."""

        def left() -> dict[str, frozenset[str]]:
            return {unit: places - known[unit].keys() for unit, places in might.items()}

        if self._asked is None or not any(left().values()):
            return left()
        search = WantedPlaces(self._scenario, self._limits, self._asked)
        with suppress(OutOfTimeError):
            for plan in search.plans(left):
                self._limits.check()
                self._accept_all(known, plan)
        return dict.fromkeys(might, frozenset[str]()) if search.proved else left()

    def _accept_all(self, known: Mapping[str, Found], plan: Plan) -> None:
        """Keep a plan for all units that it takes to hexes for which none is known."""
        spare, services = WitnessPlans.tries, None
        if not self._reach.rolls and Services.suit(plan.moves):
            services = Services(self._reach, self._scenario.start, plan.moves)
        for unit, label in self.judge.ends(plan):
            found = known.get(unit)
            if found is not None and label not in found and label != self._scenario.start.at[unit]:
                few = self._shortened(plan, unit, label, services)
                if self._accept(found, unit, label, few):
                    helped = tuple(move for move in few.moves if unit not in move.units)
                    spare -= self._elsewhere(unit, helped, known, spare)

    def _elsewhere(self, unit: str, help_: tuple[Move, ...], known: Mapping[str, Found], most: int) -> int:
        """Try where else those who have helped a unit take it, whoever stands where it did, and then all others.

        Of the plans that are tried for it at most so many are in vain; returned is how many are.
        """
        at, helpers, failed = self._scenario.start.at, units_of(help_), 0
        helped = self._referee.play(Plan(help_), self._scenario.start, rolls=False).position
        gone = self._game.units.keys() - helped.at.keys()
        for other in sorted(
            (other for other in known if other not in helpers), key=lambda other: at[other] != at[unit]
        ):
            left, tried = self._might.get(other, self.bound(other)) - known[other].keys(), Counter[str]()
            view = AtomsAsStanding(self._reach, other, helped.at, gone)
            for label, move, needs in self._ways(other, left):
                if label in known[other] or tried[label] >= WitnessPlans.ways:
                    continue
                if at[other] != at[unit] and not all(atom.holds(view) for atom in needs):
                    continue
                if failed >= most:
                    return failed
                self._limits.check()
                tried[label] += 1
                plan = Plan((*(one for one in help_ if not {*one.units} & {*move.units}), move))
                if self.judge.goes(plan, other, label) is not None:
                    self._accept(known[other], other, label, self._shortened(plan, other, label))
                else:
                    failed += 1
        return failed

    def _ways(self, unit: str, wanted: Collection[str]) -> Iterator[tuple[str, Move, frozenset[Atom]]]:
        """Yield moves of a unit, alone or with others, that end in wanted places: each with its place and its needs."""
        if not wanted:
            return
        yield from ((one.end, one.move, one.needs) for one in self._possibilities(unit) if one.end in wanted)
        for team in self._teams.get(unit, ()):
            if (end := team.ends[team.units.index(unit)]) in wanted:
                yield end, team.move, team.needs

    def _searched(
        self, unit: str, known: Mapping[str, Found], might: frozenset[str], stays: tuple[str, ...] = ()
    ) -> frozenset[str]:
        """Let the search find the places of a unit that are left, one by one; return those of which it proves nothing.

        What it finds of other units on the way is kept, too.
        """
        left, valued = set(might) - known[unit].keys(), self._fights or (self._waits and self._reach.rolls)
        while left and not self._limits.late:
            wanted = tuple(sorted(left))
            asked, settled = self._scenario, Conditions(PartialPlan(stays=stays, ends=((unit, wanted),)))
            if valued:  # results that harm both may be what takes it there, and of what is rolled values tell most
                asked = replace(asked, tiers=(Tier(terms=(End(kind="end", unit=unit, at=wanted),)),))
                settled = Conditions(PartialPlan(stays=stays))
            listed = None if self._waits and self._reach.rolls else self._asked  # which lacks what only goals ask for
            try:
                enough = bool if self._fights else None  # anything but nothing
                best = best_plan(
                    SearchContext(asked, self._limits, unconfirmed, conditions=settled, enough=enough, listed=listed)
                )
                if best.plan is None or best.verdict is None or (valued and not best.value[0]):
                    proved = best.status == "infeasible" or (valued and best.status == "optimal")
                    return frozenset() if proved else frozenset(left)
                self._accept_all(known, best.plan)
            except (TooManyOutcomesError, OutOfTimeError):
                break
            if left.isdisjoint(known[unit]):
                break
            left -= known[unit].keys()
        return frozenset(left - known[unit].keys())

    def _shortened(self, plan: Plan, unit: str, label: str, services: Services | None = None) -> Plan:
        """Return a plan without the moves that a unit doesn't need to end in a hex; `services` as they serve each other."""

        def takes_it_there(some: Plan) -> bool:
            return self.judge.goes(some, unit, label) is not None

        few = next(filter(takes_it_there, growing(plan, unit, services)), plan)
        return without_idle_moves(
            few,
            lambda less, _: takes_it_there(less),
            lambda move: move.units == (unit,),
            lambda: self._limits.late,
            services,
        )

    # -- what is found

    def _accept(self, found: Found, unit: str, label: str, plan: Plan) -> bool:
        """Keep a plan that takes a unit to a hex, if the referee accepts it and none is known."""
        if label in found or label == self._scenario.start.at[unit]:
            return False
        verdict = self.judge.goes(plan, unit, label)
        if verdict is None:
            return False
        found[label] = plan, verdict
        return True

    def _accept_shortened(self, found: Found, unit: str, label: str, plan: Plan) -> bool:
        """Keep a plan as `_accept` does, without helpers who do in vain what another one does as well."""
        if not self._accept(found, unit, label, plan):
            return False
        if len(plan.moves) > 2:
            few = self._shortened(plan, unit, label)
            found[label] = few, self.judge.goes(few, unit, label) or found[label][1]
        return True
