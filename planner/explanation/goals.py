"""Why a destination, a goal or a value can't be had: minimal sets of rule instances, whatever form the search takes.

Each question is put to the search in a relaxed game (`planner.explanation.relaxation`): "is it possible with exactly these
instances in force?". What is impossible there has been proved by two configurations of the solver, or by a bound; what is
possible comes with a plan that the referee has played in the same relaxed game.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from planner.errors import DisagreementError, InputError, OutOfTimeError
from planner.explanation.answer import Change, Instance, Reason, Remedy
from planner.explanation.changes import candidates, changed
from planner.explanation.limits import hard_limit
from planner.explanation.relaxation import ALL, Memory, Scope, every_scope, relaxed
from planner.explanation.remedies import MORE_MP, MOST_REMEDIES
from planner.explanation.shrink import shrink
from planner.mp import format_mp
from planner.objective import Term, Tier
from planner.objective.goals import Eliminate
from planner.plan import Plan
from planner.referee import Referee, Violation
from planner.results import Result
from planner.scenario import Scenario

GRACE = 0.3
"""Seconds that a search may take longer than it is to, before it is cut off."""

LONGEST_PROBE = 3.0
"""Seconds that one of many searches takes at most."""


@dataclass
class Question:
    """What is asked of a search.

    Attributes
    ----------
    goals : tuple of Term
        Requirements; none where a value is asked about.
    value : tuple of Fraction
        What the tiers must come to at least, the first that differs counting.
    deadline : float or None
        A `time.monotonic` value.
    memory : Memory
        What its relaxed games share.
    """

    goals: tuple[Term, ...] = ()
    value: tuple[Fraction, ...] = ()
    deadline: float | None = None
    memory: Memory = field(default_factory=Memory)
    _known: dict[frozenset[Scope], tuple[bool | None, Plan | None]] = field(default_factory=dict)

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return self.deadline is not None and time.monotonic() > self.deadline

    def limit(self, most: float | None = None) -> float | None:
        """Return how long a search may take, in seconds."""
        left = None if self.deadline is None else max(0.01, self.deadline - time.monotonic())
        return left if most is None else most if left is None else min(left, most)

    def asked(self, scenario: Scenario, tiers: tuple[Tier, ...] = ()) -> Scenario:
        """Return a scenario of which the question is asked."""
        if self.value:
            return scenario
        return replace(scenario, requirements=(*scenario.requirements, *self.goals), tiers=tiers)

    def answer(
        self, scenario: Scenario, most: float | None = None, second: bool = False
    ) -> tuple[bool | None, Plan | None]:
        """Tell whether it is possible in a scenario, with a plan; None: not known.

        `second`: that it isn't must be confirmed by a second configuration of the solver.
        """
        from planner.solver.probe import Probe

        if self.beyond(scenario):
            return False, None
        if self.late:
            return None, None
        limit = self.limit(most)
        try:
            with hard_limit(None if limit is None else limit + GRACE):
                result = Probe(self.asked(scenario), limit, confirms=second).run()
                if result.status != "unknown":
                    return self._read(result)
                return self._by_bound(scenario, most)
        except (DisagreementError, InputError, OutOfTimeError):
            return None, None  # a relaxed game may have positions that no game has, and too many of them

    def _read(self, result: Result) -> tuple[bool | None, Plan | None]:
        if result.status == "infeasible":
            return False, None
        if not self.value:
            return True, result.plan
        found, bound = result.value[: len(self.value)], result.bound[: len(self.value)]
        if found >= self.value:
            return True, result.plan
        if result.status == "optimal" or bound[0] < self.value[0]:
            return False, None
        return None, None

    def _by_bound(self, scenario: Scenario, most: float | None) -> tuple[bool | None, Plan | None]:
        """Ask how much of the goals can be had at most: where a search proves no plan impossible, its bound may do."""
        from planner.solver.probe import Probe

        if self.value:
            return None, None
        full = sum(goal.full(scenario.game) for goal in self.goals)
        tier = Tier(terms=tuple(goal for goal in self.goals if goal.averages))
        if len(tier.terms) < len(self.goals) or any(goal.weight != 1 for goal in self.goals):
            return None, None
        result = Probe(replace(scenario, tiers=(tier,)), self.limit(most)).run()
        if result.plan is not None and result.value[0] >= full:
            return True, result.plan
        return (False, None) if result.bound and result.bound[0] < full else (None, None)

    def beyond(self, scenario: Scenario) -> bool:
        """Tell whether the first tier couldn't come to the value if everything that it counts went well."""
        if not self.value:
            return False
        most = sum(term.most(scenario.game) * term.weight for term in scenario.tiers[0].terms)
        return most < self.value[0]

    def probe(self, scenario: Scenario, scopes: Iterable[Scope]) -> tuple[bool | None, Plan | None]:
        """Tell whether it is possible with rules in force in some scopes only."""
        key = frozenset(scopes)
        if key not in self._known:
            self._known[key] = self.answer(relaxed(scenario, key, self.memory), LONGEST_PROBE)
        return self._known[key]

    def forbids(self, scenario: Scenario, scopes: Iterable[Scope]) -> bool | None:
        """Tell whether rules in some scopes are enough to forbid it."""
        possible, _ = self.probe(scenario, scopes)
        return None if possible is None else not possible


def reason_against(scenario: Scenario, question: Question) -> Reason | None:
    """Return a minimal set of rule instances that forbids what is asked, which is known to be impossible.

    None: not even all rule instances together were proved to forbid it in time.
    """

    def forbids(scopes: Sequence[Scope]) -> bool | None:
        return question.forbids(scenario, scopes)

    def late() -> bool:
        return question.late

    if question.beyond(scenario):
        return Reason((), True, True)
    every = every_scope(scenario)
    if not forbids(every):
        return None
    # Rules first, then units, then hexes: each time, what isn't needed goes at once.
    kept, _ = shrink(every, forbids, late)
    units = [unit for unit in scenario.game.homes if unit in scenario.game.phasing]
    by_unit = [
        replace(scope, unit=unit)
        for scope in kept
        for unit in (*units, None)
        if (unit is not None if scope.pays else any((scope.rule, unit) == (r, u) for r, u, _ in question.memory.seen))
    ]
    kept, certain = shrink(by_unit, forbids, late) if forbids(by_unit) else (kept, False)
    for scope in kept:
        if scope.pays or scope.unit == ALL:
            continue
        others = [other for other in kept if other is not scope]
        every_place = list(scenario.game.board.places)
        shown = [label for label in every_place if (scope.rule, scope.unit, label) in question.memory.seen]
        for labels in (shown, every_place):
            places = [replace(scope, hexes=frozenset([label])) for label in labels]
            if forbids([*others, replace(scope, hexes=frozenset(labels))]):
                some, _ = _hexes(scope, places, others, question, scenario)
                kept = [*others, *some]
                break
    return _told(scenario, question, kept, certain)


def _hexes(
    scope: Scope, places: Sequence[Scope], others: Sequence[Scope], question: Question, scenario: Scenario
) -> tuple[list[Scope], bool]:
    """Return the hexes of a scope that are needed; many hexes are put together in one scope, which is quicker."""

    def together(some: Sequence[Scope]) -> list[Scope]:
        mine = [one for one in some if one.rule == scope.rule and one.unit == scope.unit and not one.pays]
        labels = frozenset().union(*(one.hexes or () for one in mine))
        return [*others, *([replace(scope, hexes=labels)] if labels else [])]

    return shrink(places, lambda some: question.forbids(scenario, together(some)), lambda: question.late)


def _told(scenario: Scenario, question: Question, scopes: Sequence[Scope], certain: bool) -> Reason:
    """Put a set into words, having asked once more whether it is enough, and whether each member is needed."""
    confirmed = bool(question.forbids(scenario, scopes)) and _twice(scenario, question, scopes)
    referee_game = relaxed(scenario, scopes)
    referee = Referee(referee_game.game)
    instances, minimal = [], True
    for scope in scopes:
        possible, plan = question.probe(scenario, [other for other in scopes if other is not scope])
        minimal = minimal and possible is True
        violation = None
        if plan is not None:
            violations = referee.play(plan, referee_game.start).violations
            violation = next((v for v in violations if _fits(scope, v)), None)
        instances.append(_instance(scenario, scope, violation))
    return Reason(tuple(instances), confirmed, minimal)


def _twice(scenario: Scenario, question: Question, scopes: Sequence[Scope]) -> bool:
    """Ask a second configuration of the solver whether a set forbids it."""
    return question.answer(relaxed(scenario, scopes, question.memory), None, second=True)[0] is False


def _fits(scope: Scope, violation: Violation) -> bool:
    if scope.unit not in (ALL, violation.unit):
        return False
    return scope.hexes is None or violation.at in scope.hexes


def _instance(scenario: Scenario, scope: Scope, violation: Violation | None) -> Instance:
    game = scenario.game
    rule = game.rulebook.by_id[scope.rule]
    unit = None if scope.unit == ALL else scope.unit
    only = next(iter(scope.hexes)) if scope.hexes is not None and len(scope.hexes) == 1 else None
    if violation is not None:
        place = None if scope.pays else only or violation.at
        return Instance(scope.rule, violation.rule, unit or violation.unit, place, violation.blame, violation.message)
    if scope.pays:
        who = f"{unit} has" if unit else "all have"
        ma = f" ({format_mp(game.units[unit].ma)})" if unit else ""
        return Instance(scope.rule, rule.paragraph, unit, None, (), f"{who} to pay for every step out of the MA{ma}")
    where = f"binds {unit or 'all'}" + (f" in {only}" if only else "")
    text = f"{where}: {rule.summary[:1].lower()}{rule.summary[1:]}"
    return Instance(scope.rule, rule.paragraph, unit, only, (), text)


def would_do(scenario: Scenario, question: Question, reasons: Sequence[Reason]) -> list[Remedy]:
    """Return the fewest things that would have to be different for it to be possible, among those that the reasons name."""
    game = scenario.game
    named = [instance for reason in reasons for instance in reason.instances]
    goal_units = [goal.unit for goal in question.goals if hasattr(goal, "unit")]
    units = list(dict.fromkeys(i.unit for i in named if i.unit in game.phasing and i.unit is not None))
    units = list(dict.fromkeys([*units, *goal_units]))
    hexes = [i.hex for i in named if i.hex]
    blame = [unit for i in named for unit in i.blame]
    # Who is to be eliminated isn't wished away: it would count as done.
    terms = [*question.goals, *(term for tier in scenario.tiers if question.value for term in tier.terms)]
    targets = {unit for term in terms if isinstance(term, Eliminate) for unit in term.units}
    singles: list[tuple[Change, ...]] = []
    for change in candidates(game, units, hexes, blame, dict.fromkeys(units, Fraction(1))):
        if change.kind == "gone" and change.what in targets:
            continue
        more = MORE_MP[:6] if change.kind == "mp" else (1,)
        singles.append(tuple(replace(change, amount=Fraction(number)) for number in more))
    found: list[Remedy] = []
    for amounts in singles:
        for change in amounts:
            if question.late:
                return found
            possible, plan = question.answer(changed(scenario, [change]), LONGEST_PROBE)
            if possible and plan is not None and _plays(scenario, [change], plan):
                found.append(Remedy((), (change,), plan, True))
                break
        if len(found) == MOST_REMEDIES:
            return found
    if found:
        return found
    for number, one in enumerate(singles):
        for other in singles[number + 1 :]:
            if question.late:
                return found
            pair = [one[-1], other[-1]]
            possible, plan = question.answer(changed(scenario, pair), LONGEST_PROBE)
            if possible and plan is not None and _plays(scenario, pair, plan):
                found.append(Remedy((), tuple(pair), plan, True))
                if len(found) == MOST_REMEDIES:
                    return found
    return found


def _plays(scenario: Scenario, changes: Sequence[Change], plan: Plan) -> bool:
    """Tell whether the referee finds nothing wrong with a plan in a scenario with changes."""
    other = changed(scenario, changes)
    return Referee(other.game).play(plan, other.start).legal
