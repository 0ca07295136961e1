"""Minimal sets of rule instances that forbid written moves, in the explicit form.

Every rule instance stands behind its own enforcement literal: the breach that it may fail by. Cores that the solver offers
under assumptions are never used: whether a set forbids the moves is always asked anew, in a model in which just this set is
enforced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from planner.errors import DisagreementError, InputError, OutOfTimeError
from planner.explanation.answer import Instance, Reason
from planner.explanation.deletion_filter import deletion_filter
from planner.explanation.wording import rule_that_says, said, said_by_referee
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_rules import Step
from planner.referee.verdict import Violation
from planner.rules.demands import Demand
from planner.rules.roles import Charges, Sequences
from planner.scenario import Scenario
from planner.solver.coupling import Coupling, DemandBreach
from planner.solver.cp_sat import new_model
from planner.solver.engine import Configuration, another, run
from planner.solver.judged_worlds import worlds
from planner.solver.plan_judge import PlanInModel, fixed_plan, judge, several_parts
from planner.solver.timeline_judge import Broken

Key = tuple[str, str | None, int | None, int | None, str]


@dataclass(frozen=True)
class _Group:
    """The breaches of one rule instance."""

    key: Key
    source: str
    breaches: tuple[DemandBreach, ...]


def reasons_against(
    scenario: Scenario, plan: Plan, violations: Sequence[Violation], limits: Limits | None = None
) -> tuple[list[Reason], bool]:
    """Return minimal sets of rule instances, each of which forbids the moves of a plan; together they cover its faults.

    The second value tells whether some of it can't be mended by whatever other units do before.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        The moves, in their order.
    violations : sequence of Violation
        What the referee finds wrong with them: its sentences are used, and it must agree.
    limits : Limits, optional
        When to stop; sets that this leaves no time to minimise are marked as not minimal.

    Raises
    ------
    OutOfTimeError
        If it gets late before anything is known.
    DisagreementError
        If solver and referee disagree about what is wrong, or two configurations about a set.
    """
    words = {violation.key: violation for violation in violations}
    limits = limits or Limits()
    if scenario.start.attacking:  # nobody moves any more
        agreed = {violation.key for violation in judge(scenario, plan)}
        barred = [violation for violation in violations if violation.move is not None]
        return [Reason((one,), one.key in agreed, True) for one in said_by_referee(scenario, plan, barred)], True
    reach = ConditionalReach(scenario.game, limits)
    if several_parts(scenario, plan):
        reasons, hopeless = _by_moments(scenario, plan, reach, words)
        return list(_in_all_words(scenario, reasons, violations, plan)), hopeless
    fixed = fixed_plan(scenario, plan, reach)
    found = [_structural(scenario, plan, violation, words) for violation in fixed.unplayable]
    finder = _Finder(plan, fixed, words, limits)
    reasons = [*found, *finder.reasons(scenario)]
    return list(_in_all_words(scenario, reasons, violations, plan)), bool(found) or finder.hopeless(reach)


def _in_all_words(
    scenario: Scenario, reasons: Iterable[Reason], violations: Sequence[Violation], plan: Plan
) -> Iterator[Reason]:
    """Yield a reason for each sentence of the referee where a paragraph forbids one step for several reasons at once."""
    yielded: set[tuple[object, str]] = set()
    for reason in reasons:
        one = reason.instances[0]
        words = [violation for violation in violations if violation.key == (*one.key[:-1], one.hex or "")]
        if len(reason.instances) > 1 or len(words) < 2:
            yield reason
            continue
        for violation in words:
            if (violation.key, violation.message) not in yielded:
                yielded.add((violation.key, violation.message))
                yield replace(
                    reason, instances=(said(violation, rule_that_says(scenario, plan, violation, one.rule), plan),)
                )


class _Finder:
    """Finds minimal sets of rule instances in the model of a fixed plan."""

    def __init__(self, plan: Plan, fixed: PlanInModel, words: dict[Key, Violation], limits: Limits) -> None:
        self._plan, self._fixed, self._words, self._limits = plan, fixed, words, limits
        # The two configurations that must agree on what forbids something.
        self._first = Configuration(limits.workers, limits.seed)
        self._second = Configuration(limits.workers, another(limits.seed), presolve=True, subsolvers=())
        self._coupling: Coupling = fixed.coupling
        self.broken: list[DemandBreach] = []
        gathered: dict[tuple[Key, str], list[DemandBreach]] = {}
        for breach in self._coupling.breaches:
            gathered.setdefault((self._key(breach), breach.demand.source), []).append(breach)
        self._groups = [_Group(key, source, tuple(those)) for (key, source), those in gathered.items()]

    def _key(self, breach: DemandBreach) -> Key:
        move = None if breach.unit is None else self._fixed.moves[breach.unit][0]
        return breach.demand.paragraph, breach.unit, move, breach.step, breach.at

    def reasons(self, scenario: Scenario) -> list[Reason]:
        """Return one minimal set for each rule instance that has to fail."""
        solved = run(self._coupling.model, self._second, self._limits)
        if solved.holds is None:
            raise OutOfTimeError("the time limit ran out before the solver had judged the plan")
        holds = solved.holds
        broken = [group for group in self._groups if any(holds(breach.literal) for breach in group.breaches)]
        self.broken = [breach for group in broken for breach in group.breaches if holds(breach.literal)]
        sound = [group for group in self._groups if group not in broken]
        found: list[Reason] = []
        for group in broken:
            members, minimal = self._minimal(group, sound)
            both = self._forbids(members, self._first), self._forbids(members, self._second)
            if False in both:
                dump = f"{scenario.where}\n{[member.key for member in members]}\n"
                raise DisagreementError("two configurations disagree about what forbids the moves", dump)
            found.append(Reason(tuple(self._instance(scenario, member) for member in members), all(both), minimal))
        return found

    def hopeless(self, reach: ConditionalReach) -> bool:
        """Tell whether a demand fails that nothing can fulfil which other units might do."""
        for breach in self.broken:
            if breach.unit is None:
                continue  # others may make room
            steps = [step for layer in self._fixed.layer.arcs.get(breach.unit, ()) for step in layer]
            if _may_cost_less(steps) and _is_budget(reach, breach.demand):
                continue
            counter = reach.game.units[breach.unit]
            mine = {victim for step in steps for victim in step.removes}
            hopes = (
                conjunction
                for conjunction in breach.demand.any_of
                if reach.rolls
                or all(
                    getattr(atom, "enemy", None) in mine or reach.before_all(counter, atom) is not False
                    for atom in conjunction
                )
            )
            if not any(True for _ in hopes):
                return True
        return False

    def _forbids(self, members: Iterable[_Group], configuration: Configuration) -> bool | None:
        """Tell whether the plan is impossible with exactly some rule instances enforced; None: it got late."""
        model = new_model(self._coupling.model)
        model.clear_objective()  # type: ignore[no-untyped-call]
        for member in members:
            for breach in member.breaches:
                model.add(model.get_bool_var_from_proto_index(breach.literal.index) == 0)
        outcome = run(model, configuration, self._limits).outcome
        return None if outcome == "unknown" else outcome == "infeasible"

    def _minimal(self, first: _Group, others: Sequence[_Group]) -> tuple[list[_Group], bool]:
        """Return a minimal set with one rule instance in it, and whether each member is known to be needed.

        The instances that had to fail are as few as can be; so with all but the others of them enforced, nothing goes.
        """
        if self._forbids([first], self._first):
            return [first], self._forbids([], self._first) is False
        kept, _ = deletion_filter(
            others, lambda some: self._forbids(some, self._first), lambda: self._limits.late, [first]
        )
        members = [first, *kept]
        return members, all(
            self._forbids([m for m in members if m is not one], self._second) is False for one in members
        )

    def _instance(self, scenario: Scenario, group: _Group) -> Instance:
        paragraph, unit, move, step, at = group.key
        told = self._words.get(group.key)
        if told is not None:
            return said(told, group.source, self._plan)
        blame = scenario.game.sorted({enemy for breach in group.breaches for enemy in breach.demand.blame})
        message = f"{unit or 'the position'} needs it too, in {at}"
        return Instance(group.source, paragraph, unit, at, blame, message, move, step)


def _structural(scenario: Scenario, plan: Plan, violation: Violation, words: dict[Key, Violation]) -> Reason:
    """Return the reason that a move has no form at all, such as that of a unit that has moved: nothing else is needed."""
    book = scenario.game.rulebook
    rules = (*book.of(Sequences), *book.rules)  # others of the same paragraph come after those
    rule = next((rule.id for rule in rules if rule.paragraph == violation.rule), "")
    told = words.get(violation.key, violation)
    return Reason((said(told, rule, plan),), violation.key in words, True)


def _may_cost_less(steps: Iterable[Step]) -> bool:
    """Tell whether a step may cost less with help."""
    return any(demand.choice for step in steps for demand in step.now)


def _is_budget(reach: ConditionalReach, demand: Demand) -> bool:
    """Tell whether a demand is that MP suffice."""
    game = reach.game
    budgets = (rule.budget_demand(game, game.units[unit]) for rule in reach.of(Charges) for unit in game.friends)
    return demand.cause == "area" or any(budget.source == demand.source for budget in budgets)


def _by_moments(
    scenario: Scenario, plan: Plan, reach: ConditionalReach, words: dict[Key, Violation]
) -> tuple[list[Reason], bool]:
    """Return what is wrong moment by moment: each demand that fails is enough by itself, whatever the others do."""
    sources: dict[object, str] = {}
    hopeless = False
    by_referee = [Reason((one,), False, False) for one in said_by_referee(scenario, plan, words.values())]
    try:
        broken = [one for world in worlds(reach, plan) for one in world.broken]
        judged = judge(scenario, plan)
    except InputError:  # rolls lead to more than the solver goes through
        return by_referee, False
    for one in broken:
        key = one.demand.paragraph, one.unit, one.move, one.step, one.at
        if key in words:  # after a combat that should not have been, more may go wrong, which is no matter of rules
            sources.setdefault(key, one.demand.source)
            hopeless = hopeless or _never(reach, plan, one)
    found: dict[Key, Reason] = {}
    for violation in judged:
        told = words.get(violation.key)
        if told is None:
            continue
        if violation.key not in sources and violation.move is not None:
            found.setdefault(violation.key, _structural(scenario, plan, violation, words))
            hopeless = True
            continue
        source = sources.get(violation.key) or _rule_of(scenario, violation)
        found.setdefault(violation.key, Reason((said(told, source, plan),), True, True))
    if not found:  # only what follows from something else is found by both
        return by_referee, False
    return list(found.values()), hopeless


def _never(reach: ConditionalReach, plan: Plan, one: Broken) -> bool:
    """Tell whether nothing that other units do could fulfil a demand: neither sooner nor at a lower price."""
    assert one.unit is not None
    assert one.move is not None
    demand, move = one.demand, plan.moves[one.move]
    if demand.any_of or demand.cause in ("again", "failed") or demand.cause.startswith("support "):
        return False
    rule = reach.game.rulebook.by_id.get(demand.source)
    if rule is None or rule.encounter == "combat":
        return False  # whoever is fought may be gone, or somewhere else, by then
    counter = reach.game.units[one.unit]
    arcs = (arc for step in range(1, len(move.path)) for arc in reach.readings(counter, move, step))
    steps = (step for arc in arcs for step in reach.variants(counter, arc))
    return not (_is_budget(reach, demand) and _may_cost_less(steps))


def _rule_of(scenario: Scenario, violation: Violation) -> str:
    """Return the rule that speaks of the position after the last move under a paragraph."""
    return next((rule.id for rule in scenario.game.rulebook.rules if rule.paragraph == violation.rule), "")
