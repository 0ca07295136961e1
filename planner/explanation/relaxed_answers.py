"""Answers to one question in the game as it is and in relaxed ones, each of them once.

What single units could come to (`single_unit_bounds`) settles most; the search settles the others, and where it
proves nothing, every plan of a few units is looked at. What is possible comes with a plan that the referee has played in
the same game.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain
from operator import le
from typing import TYPE_CHECKING

from planner.errors import DisagreementError, InputError, OutOfTimeError
from planner.explanation.crowds import Crowds
from planner.explanation.enumeration import every_plan_looked_at, is_small, suits
from planner.explanation.helper_matching import largest_matching, too_few_helpers
from planner.explanation.least_spent import too_costly
from planner.explanation.needs import Aim, Need, needs_of, overruns_needed, parts_of, within_limits
from planner.explanation.relaxation import ALL, RelaxationMemory, Scope
from planner.explanation.sieges import clearings, sieges, storms
from planner.explanation.single_unit_bounds import Scopes, SingleUnitBounds, beyond_all, never_by_itself
from planner.explanation.straight_plans import MOST_AIMS, straight_into, straight_plans, straight_ways
from planner.explanation.sure_combats import MOST_CANDIDATES
from planner.explanation.too_weak import never_sure_to_go
from planner.limits import Limits
from planner.objective import Term, Tier
from planner.plans.plan import Move, Plan, units_of
from planner.referee.referee import Referee
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario
from planner.search.result import Result

if TYPE_CHECKING:
    from planner.explanation.question import Question

LONGEST_PROBE = 2.0
"""Work that one of many searches does at most, in the solver's measure: how long that takes decides nothing."""

SHORT_PROBE = 1.0
"""The same, where no more than shorter words hang on it."""

Answer = tuple[bool | None, Plan | None]
"""Whether something is possible, with a plan; None: not known."""

Enough = Callable[[Fraction], bool]
"""As `SearchContext.enough`."""


class RelaxedAnswers:
    """Answers to a question in one scenario, and in relaxed games of it.

    Parameters
    ----------
    question : Question
        The question.
    scenario : Scenario
        The scenario.
    base : RelaxedAnswers, optional
        Those of the scenario itself, if this one differs only in what some units are like, or have.
    touched : collection of str, optional
        These units; None: it may be anything that differs.

    Attributes
    ----------
    plans : list of Plan
        Plans that do what is asked where fewer rules are in force.
    best : Result or None
        Where a value is asked about, what a search of the game as it is has found; None: none was needed.
    assault, straight_to : callable
        `SingleUnitBounds.assault`, and `SingleUnitBounds.straight`.
    """

    def __init__(
        self,
        question: Question,
        scenario: Scenario,
        base: RelaxedAnswers | None = None,
        touched: Collection[str] | None = None,
    ) -> None:
        # The question keeps what is known of it: with a reference back, all of it would wait for the collector.
        self.question: Question = weakref.proxy(question)
        self.scenario = scenario
        self._memory = RelaxationMemory()
        known = None if base is None or touched is None else base._bounds
        self._single = SingleUnitBounds(
            scenario, self._memory, question.limits, question.movers_in(scenario), known, touched or ()
        )
        self.assault, self.straight_to = self._bounds.assault, self._bounds.straight
        self._bounds.surely = not question.value and scenario.game.situation.confidence == 1
        self._crowds, self._needs = Crowds(self._bounds), question.needs(scenario)
        self._eliminated = question.to_eliminate(scenario)
        self._fought_for = self._eliminated if scenario.game.rulebook.of(Fights) else ()
        self._to_overrun = self._eliminated if overruns_needed(self._eliminated, scenario.game) else ()
        self._known: dict[object, Answer] = {}
        self._worked: dict[tuple[frozenset[Scope], Plan], bool] = {}
        # Of plans, scopes that are enough for them to fail: with further rules in force they fail all the more.
        self._failing: dict[Plan, list[frozenset[Scope]]] = {}
        self._based: tuple[Plan, set[str], set[str]] | None = None
        self.plans: list[Plan] = []
        self.best: Result | None = None

    @property
    def _bounds(self) -> SingleUnitBounds:
        """What single units could come to, looked at for as long as the question may take by now."""
        self._single.limits = self.question.limits
        return self._single

    def game_with(self, scopes: Scopes) -> Scenario:
        """Return the game with rules in force in some scopes only."""
        return self._bounds.game_with(scopes)

    @property
    def movers(self) -> tuple[str, ...]:
        """The units that move, in the order of the scenario."""
        return self._bounds.movers

    def can(self, scopes: Scopes, aim: Aim) -> bool:
        """Tell whether a unit could come to something if the others did all that it needs, as `SingleUnitBounds.can`."""
        return self._bounds.can(scopes, aim)

    def works(self, scopes: Sequence[Scope], plan: Plan) -> bool:
        """Tell whether a plan does what is asked with rules in force in some scopes only."""
        units = {ALL, None, *self.scenario.start.under_way, *(unit for move in plan.moves for unit in move.units)}
        mine = frozenset(scope for scope in scopes if scope.unit in units)
        failing = self._failing.setdefault(plan, [])
        if any(some <= mine for some in failing):
            return False
        if (mine, plan) not in self._worked:
            broken = self.question.failing(self.game_with(tuple(mine)), plan)
            if broken is not None and self.question.late:
                return False  # it may be for want of time
            self._worked[mine, plan] = broken is None
            if broken is not None:
                some = frozenset(
                    scope for scope in mine if any(scope.fits(one.unit, one.at, one.cost) for one in broken)
                )
                enough = some < mine and not self.question.fulfilled(self.game_with(tuple(some)), plan)
                failing.append(some if enough else mine)
        return self._worked[mine, plan]

    def more(self, scopes: Sequence[Scope]) -> list[Plan]:
        """Return further plans that do what is asked with rules in force in some scopes only: one for each unit that can."""
        found: dict[tuple[str, ...], Plan] = {}
        with suppress(OutOfTimeError):
            for plan in self.tries(scopes, found):
                movers = tuple(unit for move in plan.moves for unit in move.units)
                if movers not in found and self.works(scopes, plan):
                    found[movers] = plan
        self.plans += [plan for plan in found.values() if plan not in self.plans]
        return list(found.values())

    def possible(self, scopes: Sequence[Scope], work: float = LONGEST_PROBE) -> Answer:
        """Tell whether it is possible with rules in force in some scopes only; what is impossible isn't confirmed yet."""
        key = frozenset(scopes)
        if key not in self._known:
            plan = self.known(scopes)
            found = (True, plan) if plan is not None else self.ask(scopes, work=work)
            if found[0] is None and self.question.late:
                return found
            self._known[key] = found
            if found[1] is not None and found[1] not in self.plans:
                self.plans.append(found[1])
        return self._known[key]

    def known(self, scopes: Sequence[Scope]) -> Plan | None:
        """Return a plan that has come up and does what is asked with rules in force in some scopes only; None: none does."""
        return next((plan for plan in self.plans if self.works(scopes, plan)), None)

    def forbids(self, scopes: Sequence[Scope]) -> bool | None:
        """Tell whether rules in some scopes are enough to forbid it; None: not known."""
        possible, _ = self.possible(scopes)
        return None if possible is None else not possible

    def forbids_twice(self, scopes: Sequence[Scope]) -> bool:
        """Tell whether a second, independent way proves that rules in some scopes forbid it."""
        # Where it hangs on combats of many that the referee doesn't confirm, another search may lead nowhere.
        many = len(self.movers) > MOST_CANDIDATES
        unsure = many and (self.barred_by_combats(scopes) or self.unhurt(scopes))
        work = LONGEST_PROBE if unsure or self._to_overrun else None
        return self.forbids(scopes) is True and self.ask(scopes, second=True, work=work)[0] is False

    # -- one game

    def ask(self, scopes: Scopes, second: bool = False, quick: bool = False, work: float | None = None) -> Answer:
        """Ask in one game; `second`: what is impossible must be confirmed; `quick`: no search; `work`: at most."""
        question, scenario = self.question, self.scenario
        if question.ruled_out(scenario):
            return False, None
        if question.late:
            return None, None
        game = self.game_with(scopes)
        limits = question.limits if work is None else question.limits.of_work(work)
        try:
            # Where few rules are in force, to go straight there is sooner tried than listed what anybody could do.
            plan = None if scopes is None else self._straight(scopes)
            if plan is not None:
                return True, plan
            seen = not second and _seen_at_once(self._bounds, scopes, self._needs, self._eliminated)
            if seen or self._crowds.crowded(scopes, self._needs, second):
                return False, None
            never = self._never(scopes)
            if never is not None and (not second or self._confirmed(scopes, never, limits)):
                return False, None
            if never is None:
                tries = chain((Plan(()),), self.tries(scopes))  # first of all: it may be so already
                plan = next((plan for plan in tries if question.fulfilled(game, plan)), None)
                if plan is not None:
                    return True, plan
            if quick:
                return None, None
            # In the game as it is, that is sooner tried than every plan looked at.
            if scopes is None and (plan := self._stormed(scopes, game)) is not None:
                return True, plan
            # Every plan of a few units is soon looked at, by the judge himself; those that differ on average alone are not.
            if suits(question.asked(game)) and not (question.value and game.game.rulebook.of(Fights)):
                searched = partial(self._searched, game, limits.part(0.7).of_work(SHORT_PROBE), second)
                answer = _by_every_plan(question, game, limits, second and never is None, searched)
                if answer[0] is not None:
                    return answer
            stormed = None if second or scopes is None else self._stormed(scopes, game)
            return self._searched(game, limits, second) if stormed is None else (True, stormed)
        except (DisagreementError, InputError, OutOfTimeError):
            return None, None  # a relaxed game may have positions that no game has, and too many of them

    def _stormed(self, scopes: Scopes, game: Scenario) -> Plan | None:
        """Return a plan in which others storm a hex for a unit, and which does what is asked; None: none is known."""
        plans = sieges(self._bounds, scopes, self._needs, self.movers)
        return next((plan for plan in plans if self.question.fulfilled(game, plan)), None)

    def lacking(self) -> Term | None:
        """Return a goal that can't be had by itself, where there are more, or a value needs it; None: no such is known."""
        question, terms, game = self.question, self._indispensable_terms, self.scenario.game
        value = question.value
        if len(value) > 1 or question.movers_in(self.scenario) != question.movers:
            return None  # who may move for one goal hangs on the others
        parts = [one for term in terms for one in zip(parts_of(term, game), needs_of(term, game), strict=False)]
        if not value and len(terms) == len(parts) == 1:
            return None
        try:
            return next((part for part, need in parts if self._bounds.impossible(None, [need]) is not None), None)
        except OutOfTimeError:
            return None

    def barred_by_combats(self, scopes: Scopes) -> tuple[str, ...]:
        """Return the hexes that no combats are sure to open, where it is because of them that it can't be had."""
        try:
            need = None if self.question.value else self._bounds.impossible(scopes, self._needs)
            return () if need is None else self._bounds.barred(scopes, need)
        except OutOfTimeError:
            return ()

    def never_overrun(self, scopes: Scopes) -> tuple[str, ...]:
        """Return the enemies' hexes that no overrun can open, and because of which a unit doesn't get where it is to end."""
        try:
            need = None if self.question.value else self._bounds.impossible(scopes, self._needs)
            return () if need is None or len(need) > 1 else tuple(sorted(self._bounds.staying(scopes, *need)))
        except OutOfTimeError:
            return ()

    def hopeless(self) -> bool:
        """Tell whether it is known that no unit can see to something, even if others help it and no enemy stays."""
        try:
            return any(beyond_all(self._bounds, need) for need in self._indispensable())
        except OutOfTimeError:
            return False

    def _never(self, scopes: Scopes) -> list[Need] | None:
        """Return what no unit can see to, whoever helps it, so that it can't be had; None: no such is known."""
        if self.question.value:
            most, never = self._bounds.most(scopes, self.scenario.tiers[0])
            if most < self.question.value[0]:
                return never
        need = self._bounds.impossible(scopes, self._needs)
        if need is not None or self.unhurt(scopes):
            return [need or ()]
        goals = (*self.question.goals, *self.scenario.requirements)
        return self._too_few(scopes) or too_costly(self._bounds, scopes, goals)

    def unhurt(self, scopes: Scopes) -> tuple[str, ...]:
        """Return the enemies that are to be eliminated, but of whom it may always be drawn that nothing happens to them."""
        asked = self._fought_for and self._bounds.surely
        spared = self._bounds.unhurt(scopes, self._fought_for) if asked else frozenset[str]()
        return tuple(enemy for enemy in self._fought_for if enemy in spared)

    def _too_few(self, scopes: Scopes) -> list[Need] | None:
        """Return what none but too few units can see to, as what the others can't; None: no such is known."""
        apart: list[Need] = []
        for need in self._indispensable():
            ends = {label for aim in need for label in aim.ends}
            # Nobody ends in two hexes.
            if not any(ends & aim.ends for other in apart for aim in other) and not any(
                aim.removes or aim.passing for aim in need
            ):
                apart.append(need)
        if len(apart) < 2:
            return None
        needs, units = too_few_helpers(apart, lambda need: (aim.unit for aim in need if self._bounds.can(scopes, aim)))
        return [tuple(aim for aim in need if aim.unit not in units) for need in needs] or None

    def _indispensable(self) -> list[Need]:
        """Return what is needed, or, where a value is asked about, without what it can't be had."""
        terms, game = self._indispensable_terms, self.scenario.game
        return within_limits([need for term in terms for need in needs_of(term, game)], terms, game)

    @property
    def _indispensable_terms(self) -> list[Term]:
        """What is asked for, and required; of a value, what counts more than can be spared."""
        question, required = self.question, self.scenario.requirements
        if not question.value:
            return [*question.goals, *required]
        spare = question.most(self.scenario) - question.value[0]
        return [*required, *(term for term in self.scenario.tiers[0].terms if term.weight > spare)]

    def _confirmed(self, scopes: Scopes, never: Sequence[Need], limits: Limits) -> bool:
        """Tell whether the explicit form, too, knows no way for any single unit, and the referee, too, none by combats."""
        from planner.explanation.confirmed_combats import confirmed

        return confirmed(self._bounds, scopes, never, self.unhurt(scopes), limits)

    def tries(self, scopes: Scopes, seen_to: Container[tuple[str, ...]] = ()) -> Iterator[Plan]:
        """Yield plans in which one unit does what is lacking, by itself, after an overrun, or beside the best plan known.

        Of a unit that comes to be among those for whom it is seen to, no more are yielded: to list what it can do takes
        longer than to try whether it might go straight there.
        """
        base, seen = self.question.base, set[Plan]()

        def beside(made: Sequence[Move]) -> Iterator[Plan]:
            self.question.limits.check()
            moving = units_of(made)
            others = tuple(one for one in base.moves if moving.isdisjoint(one.units))
            for moves in dict.fromkeys([tuple(made), (*others, *made), (*made, *others)]):
                if Plan(moves) not in seen:
                    seen.add(Plan(moves))
                    yield Plan(moves)

        for need in self._wanted():
            for aim in need[:MOST_AIMS]:
                if self._has(aim):
                    continue
                for move in self._bounds.straight_moves(aim):
                    yield from beside([move])
                if (aim.unit,) in seen_to or not self._bounds.can(scopes, aim):
                    continue
                singly = ((move,) for move in self._bounds.legal_moves(scopes, aim))
                for made in chain(singly, clearings(self._bounds, need, aim)):
                    yield from beside(made)
        for made in storms(self._bounds, self._eliminated):
            yield from beside(made)

    def _straight(self, scopes: Sequence[Scope]) -> Plan | None:
        """Return a plan that does what is asked in which all go straight to what they are to see to; None: none does."""
        plans = straight_plans(self._bounds, self._needs, self._eliminated, self.question.leaving(self.scenario))
        return next((plan for plan in plans if self.works(scopes, plan)), None)

    def _wanted(self) -> list[Need]:
        """Return what is needed, or, where a value is asked about, what counts in the first tier, too."""
        tiers = self.scenario.tiers[:1] if self.question.value else ()
        counted = (need for tier in tiers for term in tier.terms for need in needs_of(term, self.scenario.game))
        return [*self._needs, *counted]

    def beside(self, scopes: Scopes, given: Sequence[Move]) -> Iterator[Plan]:
        """Yield plans with some moves, in which others see to what else is wanted: as in the best plan known, or anew."""
        fixed = units_of(given)
        rest = tuple(move for move in self.question.base.moves if fixed.isdisjoint(move.units))
        yield Plan((*rest, *given))
        yield Plan((*given, *rest))
        stand = dict(self.scenario.game.homes)
        stand.update((unit, move.end) for move in (*rest, *given) for unit in move.units)
        needs = [need for need in dict.fromkeys(self._wanted()) if need and all(aim.ends for aim in need)]
        held = {
            unit: need
            for unit, label in stand.items()
            for need in needs
            if any(aim.unit == unit and label in aim.ends for aim in need)
        }

        def suitors(need: Need) -> Iterator[str]:
            for aim in need:
                there = self.scenario.game.homes[aim.unit] in aim.ends
                if aim.unit not in fixed and (there or _legal_move(self._bounds, scopes, aim) is not None):
                    yield aim.unit

        moves = []
        others = set(units_of(rest))
        for need, unit in largest_matching(needs, suitors, held, fixed).items():
            aim = next(aim for aim in need if aim.unit == unit)
            if stand[unit] not in aim.ends:
                others.discard(unit)
                move = _legal_move(self._bounds, scopes, aim)
                moves += [move] if move is not None else []
        kept = tuple(move for move in rest if others.issuperset(move.units))
        if moves:
            yield Plan((*kept, *given, *moves))
            yield Plan((*given, *kept, *moves))

    def straight(self) -> list[Plan]:
        """Return, for each need, how the nearest unit would see to it if it went straight there, whatever the rules say."""
        return [Plan((move,)) for move in straight_ways(self._bounds, self._needs)]

    def towards(self, scope: Scope) -> list[Plan]:
        """Return how a unit would go straight into a hex in which a rule binds it, and overrun who is there."""
        return [Plan((move,)) for move in straight_into(self._bounds, scope)]

    def _has(self, aim: Aim) -> bool:
        """Tell whether somebody sees to it in the plan on which tries build."""
        base = self.question.base
        if not base.moves:
            return False
        if self._based is None or self._based[0] != base:
            position = Referee(self.scenario.game).play(base, self.scenario.start, rolls=False).position
            own = {label for unit, label in position.at.items() if not self.scenario.game.is_enemy(unit)}
            self._based = base, own, set(self.scenario.game.homes) - position.at.keys()
        return bool(aim.ends & self._based[1] or aim.removes & self._based[2])

    def _searched(self, game: Scenario, limits: Limits, second: bool) -> Answer:
        """Let the search answer."""
        from planner.search.search import best_plan, probe

        question = self.question

        def searched(scenario: Scenario, enough: Enough | None = None) -> Result:
            return best_plan(probe(scenario, limits, second, enough))

        # How much of the goals can be had is sooner known where units fight, and may be where a search proves nothing.
        counted = bool(question.goals and not question.value) and all(
            goal.averages and goal.sign > 0 and goal.weight == 1 for goal in question.goals
        )
        fights = counted and bool(game.game.rulebook.of(Fights))
        answer = self._counted(game, searched) if fights else (None, None)
        if answer[0] is not None:
            return answer
        value, as_it_is = question.value, game is self.scenario  # of which the best is told
        result = searched(question.asked(game), partial(le, value[0]) if len(value) == 1 and not as_it_is else None)
        if as_it_is and value:
            self.best = result
        if result.status != "unknown":
            return _read(question, result)
        return self._counted(game, searched) if counted and not fights and not limits.late else (None, None)

    def _counted(self, game: Scenario, searched: Callable[[Scenario, Enough], Result]) -> Answer:
        """Let a search answer that looks for as much of the goals as can be had."""
        goals = self.question.goals
        full = sum(goal.full(game.game) for goal in goals)
        result = searched(replace(game, tiers=(Tier(terms=goals),)), partial(le, full))
        if result.plan is not None and result.value[0] >= full:
            return True, result.plan
        return (False, None) if result.bound and result.bound[0] < full else (None, None)


def _by_every_plan(
    question: Question, game: Scenario, limits: Limits, twice: bool, searched: Callable[[], Answer]
) -> Answer:
    """Look at every plan; on small maps the search is asked first, since it often knows at once."""
    small = is_small(game)
    answer = searched() if small else (None, None)
    if answer[0] is not None:
        return answer
    hopes, does = partial(question.hopeful, game), partial(question.fulfilled, game)
    return every_plan_looked_at(game, hopes, does, question.limits if small else limits, twice)


def _read(question: Question, result: Result) -> Answer:
    """Return what the result of a search says of a question; its plan may be one on which tries build."""
    wanted = question.value
    if result.status == "infeasible":
        return False, None
    if not wanted:
        return True, result.plan
    found, bound = result.value[: len(wanted)], result.bound[: len(wanted)]
    if found >= wanted:
        return True, result.plan
    if result.plan is not None and not question.base.moves:
        question.base = result.plan
    if result.status == "optimal" or (bound and bound[0] < wanted[0]):
        return False, None
    return None, None


def _legal_move(bounds: SingleUnitBounds, scopes: Scopes, aim: Aim) -> Move | None:
    """Return a move by which a unit comes to something while nobody else moves; None: there is none."""
    bounds.limits.check()
    return next(bounds.legal_moves(scopes, aim), None) if bounds.can(scopes, aim) else None


def _seen_at_once(bounds: SingleUnitBounds, scopes: Scopes, needs: Sequence[Need], enemies: Sequence[str]) -> bool:
    """Tell whether who is too weak together, or what the only unit that moves can do, tells that it can't be had."""
    weak = scopes is None and bounds.surely and never_sure_to_go(bounds.scenario.game, enemies)
    return weak or never_by_itself(bounds, scopes, needs)
