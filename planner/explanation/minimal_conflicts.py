"""Minimal sets of rule instances that forbid a destination, a goal or a value, whatever form the search takes.

A set grows from nothing: a plan that does what is asked in the relaxed game shows which rules it breaks, and these are put
into force, until there is none. Then what isn't needed is left out again. Rules come first, then units, then hexes. Every
plan that has come up is kept: where one works as soon as an instance is left out, that the instance is needed is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, product

from planner.errors import DisagreementError, InputError, OutOfTimeError
from planner.explanation.answer import Instance, Reason
from planner.explanation.attack_bars import barred_attacks
from planner.explanation.claim import counted
from planner.explanation.deletion_filter import deletion_filter
from planner.explanation.few_units import bound_at_its_end, bound_to_each, bound_to_few
from planner.explanation.most_of_terms import most_of_terms, names_parts
from planner.explanation.question import Question
from planner.explanation.relaxation import ALL, Scope, every_scope
from planner.explanation.relaxed_answers import LONGEST_PROBE, SHORT_PROBE, RelaxedAnswers
from planner.explanation.spared_by_few import spared_by_few
from planner.explanation.straighter_ways import straightened
from planner.explanation.sure_combats import MOST_CANDIDATES
from planner.explanation.sure_overruns import joint_rule, never_sure, plainly_unsure, shut_for_all
from planner.explanation.term_limits import needed_limits, paid_for, told
from planner.explanation.too_weak import beyond_the_table, one_team
from planner.explanation.ways_round import led_round, with_all_bound
from planner.explanation.wording import RuleBreach, Wording, each_once
from planner.formats.spoken_numbers import spoken_number
from planner.formats.words import has_word
from planner.objective.goals import End
from planner.plans.plan import Plan
from planner.rules.base import Rule
from planner.rules.combat_roles import Fights
from planner.rules.roles import Rolls
from planner.scenario import Scenario
from planner.search.search import best_plan, probe

MANY_HEXES = 3
"""If a unit is kept from so many hexes one by one, it is tried whether what it pays says it shortly."""

MOST_HEXES = 10
"""Where a rule would have to bind a unit in more hexes than that, it is said of the unit, and of no hex."""

MOST_PLACES = 300
"""On larger maps it isn't tried in which hexes a rule has to bind a unit where no search finds its ways round."""

MOST_ASKED = 25
"""So often that is tried of a rule."""

Candidates = Callable[[Plan], Iterable[Scope]]
"""Of a plan, the scopes in which a rule may forbid it."""


def reason_against(scenario: Scenario, question: Question) -> Reason | None:
    """Return a minimal set of rule instances that forbids what is asked, which is known to be impossible.

    None: not even all rule instances together were proved to forbid it in time.
    """
    if question.beyond(scenario):
        most = question.most(scenario)
        text = f"the first tier can't come to more than {spoken_number(most)}, whatever is done"
        claim = counted("falls_short", most=most, needed=question.value[0])
        return Reason((Instance("", "", None, None, (), text, claim=claim),), True, True)
    probes = question.relaxed(scenario)
    if question.ruled_out(scenario):
        return _Growth(scenario, question)._told((), probes)  # no rule is needed
    # Of many units relaxed games tell too little of values and joint overruns: what is plain of all of them comes first.
    many = len(probes.movers) > MOST_CANDIDATES
    unsure = plainly_unsure(scenario, question, many)
    if unsure is not None:
        return unsure
    _build_on_the_best(scenario, question)
    lacking, limits = probes.lacking(), question.limits
    # Nor do rules tell why attacks after the moves come to no more.
    attacking = any(term.looks_at_attacks for tier in scenario.tiers[: len(question.value)] for term in tier.terms)
    parts = most_of_terms(scenario, question) if (many or attacking) and lacking is None else None
    if parts is not None and (attacking or names_parts(parts)):
        return parts
    if question.value:
        question.limits = limits.part(0.5)  # some is left for what its parts come to
    if lacking is None:
        found = _Growth(scenario, question).reason()
    else:
        # What forbids something without which the value can't be had forbids the value; what is needed is another matter.
        part = replace(
            question, goals=(lacking.model_copy(update={"weight": 1}),), value=(), base=Plan(), _relaxed=None
        )
        found = _Growth(replace(scenario, requirements=()), part, probes).reason()
    question.limits = limits
    if found is not None and found.confirmed and found.minimal and found.instances:
        return found
    return parts or most_of_terms(scenario, question) or never_sure(scenario, question) or found


def _build_on_the_best(scenario: Scenario, question: Question) -> None:
    """Let tries build on the best plan of the game as it is, where one unit alone can't do all that is asked."""
    if question.base.moves or not (question.value or scenario.requirements):
        return
    try:
        found = best_plan(probe(scenario, question.limits.part(0.3)))
    except (DisagreementError, InputError, OutOfTimeError):
        return
    if found.plan is not None:
        question.base = found.plan


class _Growth:
    """Grows and shrinks sets of rule instances."""

    def __init__(self, scenario: Scenario, question: Question, whole: RelaxedAnswers | None = None) -> None:
        self._scenario, self._question, self._whole = scenario, question, whole
        self._relaxed: RelaxedAnswers = question.relaxed(scenario)
        self._units = [unit for unit in scenario.game.homes if unit in scenario.game.friends]
        self._ends = [goal for goal in question.goals if isinstance(goal, End)]
        self._price = next((scope for scope in every_scope(scenario) if scope.pays), None)
        self._rolling = {rule.id for rule in scenario.game.rulebook.of(Rolls)}
        self._chancy = self._rolling | {rule.id for rule in scenario.game.rulebook.of(Fights)}

    def reason(self) -> Reason | None:
        every = every_scope(self._scenario)
        if (own := self._its_own_at_once(every)) is not None:
            return self._told(*self._for_the_whole(own))
        kept = spared_by_few(self._relaxed) or self._settled(partial(_all_of, every), ())
        if kept is None:
            if not self._relaxed.forbids(every):
                return None
            kept = self._needed(every)
        # Where many might fight for a hex, and no combats are sure to open it, that is so of all of them together.
        kept = self._by_one_alone(self._even_if_dice_fall_well(kept))
        many = bool(self._relaxed.unhurt(kept)) or (
            len(self._units) > MOST_CANDIDATES and bool(self._relaxed.barred_by_combats(kept))
        )
        if not many:
            # That nobody overruns in the phase is plainer than what keeps all from getting there; it may be left out.
            kept += [scope for scope in every if self._out_of_phase(scope) and scope not in kept]
            kept = self._by_hexes(self._by_one_alone(self._but_wider(self._by_hexes(self._by_units(kept)))))
            kept = self._by_its_own(kept)
        return self._told(*self._for_the_whole(self._with_the_price(self._without_dice(kept))))

    def _needed(self, scopes: Sequence[Scope], fixed: Sequence[Scope] = ()) -> list[Scope]:
        """Return a part of some scopes that still forbids it with what is fixed; earlier ones are left out first."""
        return deletion_filter(scopes, self._relaxed.forbids, lambda: self._question.late, fixed)[0]

    def _its_own_at_once(self, every: Sequence[Scope]) -> list[Scope] | None:
        """Return what binds the unit alone that is asked about, where single units soon tell that it is enough."""
        ends = self._ends
        if len(self._question.goals) != 1 or not ends:
            return None
        # What dice and tables may bring is told where nothing plainer is enough.
        own = [replace(scope, unit=ends[0].unit) for scope in every if scope.pays or scope.rule not in self._chancy]

        def forbids(scopes: Sequence[Scope]) -> bool:
            return not self._question.late and self._relaxed.ask(scopes, quick=True)[0] is False

        if not forbids(own):
            return None
        own, _ = deletion_filter(own, forbids, lambda: self._question.late)
        return self._with_the_price(self._by_hexes(self._by_one_alone(own)))

    def _but_wider(self, kept: list[Scope]) -> list[Scope]:
        """Return a set without rules that bind everybody, where what binds single units is enough without them.

        That is sooner proved of what a rule does to one unit in one hex than of what it does to all, everywhere.
        """
        if all(scope.unit == ALL for scope in kept) or all(scope.unit != ALL for scope in kept):
            return kept
        wide = sorted(kept, key=lambda scope: scope.unit != ALL)
        return self._needed(wide)

    def _by_one_alone(self, kept: list[Scope]) -> list[Scope]:
        """Return one scope of the unit that is asked about, where that alone is enough, and none such was found."""
        ends = self._ends
        if not kept or len(ends) != 1 or (len(kept) == 1 and kept[0].unit in self._units):
            return kept
        if {(scope.rule, scope.pays, scope.unit) for scope in kept} == {(kept[0].rule, False, ends[0].unit)}:
            return kept  # it is one, told of each hex in which it is needed
        # What it pays comes after what forbids, as it says less; what dice and tables may bring comes last.
        every = sorted(every_scope(self._scenario), key=lambda one: not one.pays and one.rule in self._chancy)
        for scope in every:
            alone = [replace(scope, unit=ends[0].unit)]
            if self._question.late or self._relaxed.known(alone) is not None:
                continue
            if self._relaxed.ask(alone, quick=True)[0] is False:
                return alone
        # Where nobody overruns in the phase, the rule that bars it from the fewest hexes.
        idle = [scope for scope in kept if self._out_of_phase(scope)]
        for scope in every if idle and len(kept) > len(idle) + 1 else ():
            beside = [replace(scope, unit=ends[0].unit), *idle]
            if scope in idle or self._question.late or self._relaxed.possible(beside, SHORT_PROBE)[0] is not False:
                continue
            few = self._by_hexes(beside)
            kept = few if len(few) < len(kept) else kept
        return kept

    def _by_its_own(self, kept: list[Scope]) -> list[Scope]:
        """Return a smaller set of what binds the unit that is asked about, where nobody else need be bound."""
        ends = self._ends
        if len(ends) != 1 or all(scope.unit == ends[0].unit for scope in kept):
            return kept
        own = [replace(scope, unit=ends[0].unit) for scope in every_scope(self._scenario)]
        if self._question.late or not self._relaxed.forbids(own):
            return kept
        own = self._by_hexes(self._needed(own))
        return own if len(own) < len(kept) and not self._question.late else kept

    def _by_units(self, kept: list[Scope]) -> list[Scope]:
        """Return a set in which rules bind single units where that is enough."""
        for scope in kept:
            if self._out_of_phase(scope):
                continue  # it is so of all of them
            if not self._question.late and (self._named(scope, kept) or not self._too_weak(scope, kept)):
                others = [other for other in kept if other is not scope]
                parts = bound_to_few(self._relaxed, scope, others, self._units)
                if parts is None:
                    parts = self._settled(partial(self._for_each_unit, scope), others, True)
                if parts is None:  # what it does in a few hexes is sooner proved
                    parts = self._settled(partial(self._for_each_in_each_hex, scope), others, True, MOST_HEXES)
                kept = kept if parts is None else [*others, *parts]
        return kept

    def _too_weak(self, scope: Scope, scopes: Sequence[Scope]) -> tuple[Instance, ...]:
        """Return which hexes no overrun can open, whoever comes beside them, where that is what forbids it; empty: none."""
        return shut_for_all(self._relaxed, self._question, scope, scopes)

    def _out_of_phase(self, scope: Scope) -> tuple[Instance, ...]:
        """Return that nobody overruns in this phase, where a scope is of a rule that says so of all; empty: it isn't."""
        book, phase = self._scenario.game.rulebook, self._scenario.game.situation.phase
        rule = next((rule for rule in book.overrunning if rule.id == scope.rule), None)
        if rule is None or scope.pays or not rule.phases or phase in rule.phases:
            return ()
        told = Instance(rule.id, rule.paragraph, None, None, (), "no overruns in this phase")
        return (told,) if scope.unit == ALL else ()

    def _named(self, scope: Scope, scopes: Sequence[Scope]) -> bool:
        """Tell whether who is too weak for the defenders' support is better named than called the strongest."""
        game, movers, rule = self._scenario.game, self._relaxed.movers, joint_rule(self._scenario.game, scope)
        return rule is not None and any(
            one.hex is not None and one_team(game, rule, one.hex, movers) for one in self._too_weak(scope, scopes)
        )

    def _even_if_dice_fall_well(self, kept: list[Scope]) -> list[Scope]:
        """Return a set without overruns of which dice decide, where it couldn't be had even if all of them went through."""
        game = self._scenario.game
        for scope in kept if len(self._units) <= MOST_CANDIDATES else ():  # of many it isn't soon known
            rule, weak = joint_rule(game, scope), self._too_weak(scope, kept)
            if self._question.late or rule is None or rule.sure_odds is not None or not weak:
                continue
            if not any(beyond_the_table(game, rule, one.hex) for one in weak if one.hex is not None):
                rest = [other for other in every_scope(self._scenario) if other.rule != scope.rule or other.pays]
                return self._settled(partial(_all_of, rest), ()) or kept
        return kept

    def _by_hexes(self, kept: list[Scope]) -> list[Scope]:
        """Return a set in which rules bind units in single hexes where a few are enough, perhaps since the units pay."""
        price, paid = self._price, False
        if len(kept) > MOST_HEXES:
            return kept  # so many units are bound that hexes of each would tell nobody more
        for scope in kept:
            if self._question.late or scope.unit == ALL or scope.hexes is not None or scope.pays:
                continue
            others = [other for other in kept if other is not scope]
            parts = bound_at_its_end(self._relaxed, scope, others, self._ends)
            parts = parts or self._settled(partial(self._in_each_hex, scope), others, True, MOST_HEXES)
            if parts is None and price is not None and scope.unit is not None:
                more = [*others, replace(price, unit=scope.unit)]
                parts = (
                    None
                    if more[-1] in others
                    else self._settled(partial(self._in_each_hex, scope), more, True, MOST_HEXES)
                )
                paid, others = paid or parts is not None, others if parts is None else more
            parts = self._narrowed(scope, others) if parts is None else parts
            kept = kept if parts is None else [*others, *parts]
        if paid:
            # What is paid is left out last here: without it there would be too many hexes.
            kept = self._needed(sorted(kept, key=lambda one: one.pays))
        return kept

    def _narrowed(self, scope: Scope, others: Sequence[Scope]) -> list[Scope] | None:
        """Return a scope bound to a few hexes where single units tell that it is enough, without plans of all ways round."""
        places = self._scenario.game.board.places
        some = [replace(scope, hexes=frozenset([label])) for label in places] if len(places) <= MOST_PLACES else []

        limits, asked = self._question.limits.part(0.1), count(1)

        def forbids(parts: Sequence[Scope]) -> bool:
            late = next(asked) > MOST_ASKED or limits.late
            return not late and self._relaxed.ask([*others, *parts], quick=True)[0] is False

        if not some or not forbids(some):
            return None
        parts, _ = deletion_filter(some, forbids, lambda: limits.late)
        return parts if len(parts) <= MOST_HEXES else None

    def _without_dice(self, scopes: list[Scope]) -> list[Scope]:
        """Return a set in which who lacks the MP isn't told that a roll may fail: what it pays is the plainer reason."""
        price = self._price
        for index, scope in enumerate(scopes):
            rolls = scope.unit in self._units and not scope.pays and scope.rule in self._rolling
            if price is None or not rolls or self._question.late:
                continue
            others = [*scopes[:index], *scopes[index + 1 :]]
            plan = self._relaxed.possible(others)[1]
            wording = Wording(self._scenario, scopes, self._relaxed)
            if plan is None or wording.breach(scope, plan, ()).violation is not None:
                continue  # it isn't for a roll alone that the plan can't be had
            trial = [*scopes[:index], replace(price, unit=scope.unit), *scopes[index + 1 :]]
            if not self._question.late and self._relaxed.forbids(trial):
                return self._without_dice(self._needed(trial))
        return scopes

    def _with_the_price(self, scopes: list[Scope]) -> list[Scope]:
        """Return a smaller set where what a unit pays keeps it from as many hexes as a rule does, each by itself."""
        for unit in self._units:
            barred = [scope for scope in scopes if scope.unit == unit and scope.hexes is not None and not scope.pays]
            if self._price is None or len(barred) < MANY_HEXES or self._question.late:
                continue
            paid = replace(self._price, unit=unit)
            trial = [*(scope for scope in scopes if scope not in (*barred, paid)), paid, *barred]
            trial = self._needed(list(reversed(trial)))
            if len(trial) < len(scopes):
                scopes = trial
        return scopes

    def _for_the_whole(self, scopes: list[Scope]) -> tuple[list[Scope], RelaxedAnswers]:
        """Leave out what forbids the part that was looked at, but isn't needed to forbid the whole.

        A unit may do the part only where what else it does in any plan that does the whole would then be left undone.
        Returned are the others, and what is known of the question that they answer.
        """
        whole = self._whole
        if whole is None:
            return scopes, self._relaxed
        kept = list(scopes)
        for scope in scopes:
            others = [other for other in kept if other is not scope]
            # How the part could be done was found when the set was made.
            plan = self._relaxed.possible([other for other in scopes if other is not scope])[1]
            if plan is None or self._question.late or self._done_beside(others, plan):
                continue
            if whole.possible(others)[0] is False:
                kept = others
        return kept, whole

    def _settled(
        self, candidates: Candidates, fixed: Sequence[Scope], together: bool = False, most: int | None = None
    ) -> list[Scope] | None:
        """Return candidates that are needed, so that together with what is fixed they forbid it; None if none do.

        `together`: what each unit could do is looked at at once, not one after the other. None, too, where more come up than
        `most`.
        """
        kept: dict[Scope, None] = {}
        unseen = list(reversed(list(candidates(Plan()))))
        while True:
            if self._question.late or (most is not None and len(kept) > most):
                return None
            possible, plan = self._relaxed.possible([*fixed, *kept], SHORT_PROBE if together else LONGEST_PROBE)
            if possible is False:
                break
            if plan is None:
                # Where it isn't known, more rules may make it known; for finer words it isn't worth it.
                further = [scope for scope in unseen if scope not in kept]
                if not further or together or self._question.late:
                    return None
                kept[further[0]] = None
                continue
            plans = [plan, *(self._relaxed.more([*fixed, *kept]) if together else ())]
            fresh = [
                scope
                for plan in plans
                for scope in candidates(plan)
                if scope not in kept and not self._relaxed.works([*fixed, *kept, scope], plan)
            ]
            if not fresh:
                # What several use up together, such as orders, forbids nothing as long as it binds one of them alone.
                fresh = [scope for scope in candidates(plan) if scope not in kept]
                if not fresh or self._relaxed.works([*fixed, *kept, *fresh], plan):
                    return None
            kept.update(dict.fromkeys(fresh))
        if (paid := self._paid_alone([*kept], fixed)) is not None:
            return paid
        # What is paid is left out first: it says least. Who can't move at all needs no other reason.
        plain = sorted(kept, key=lambda scope: (not scope.pays, self._keeps_from_moving(scope)))
        return self._needed(plain, fixed)

    def _paid_alone(self, kept: Sequence[Scope], fixed: Sequence[Scope]) -> list[Scope] | None:
        """Return what is paid, where it is soon known to be enough, and only rolls are named besides: it is plainer."""
        paid = [scope for scope in kept if scope.pays]
        if len(paid) != 1 or len(kept) == 1 or not all(scope.pays or scope.rule in self._rolling for scope in kept):
            return None
        return paid if self._relaxed.ask([*fixed, *paid], quick=True)[0] is False else None

    def _keeps_from_moving(self, scope: Scope) -> bool:
        """Tell whether a rule says who may begin to move."""
        return not scope.pays and self._scenario.game.rulebook.by_id[scope.rule].overrides(Rule.check_pick_up)

    def _for_each_unit(self, scope: Scope, plan: Plan) -> Iterable[Scope]:
        """Return a scope bound to each unit."""
        return bound_to_each(scope, self._units) if scope.unit == ALL else ()

    def _for_each_in_each_hex(self, scope: Scope, plan: Plan) -> Iterable[Scope]:
        """Yield a scope bound to each unit that moves in a plan, in each hex that it comes by."""
        if scope.unit == ALL:
            for move in plan.moves:
                for unit, label in product(move.units, dict.fromkeys(move.path)):
                    yield replace(scope, unit=unit, hexes=frozenset([label]))

    def _in_each_hex(self, scope: Scope, plan: Plan) -> Iterable[Scope]:
        """Yield a scope bound to each hex that a plan comes by, or in which somebody stands."""
        homes = self._scenario.game.homes.values()
        for label in dict.fromkeys([*(label for move in plan.moves for label in move.path), *homes]):
            yield replace(scope, hexes=frozenset([label]))

    # -- putting it into words

    def _told(self, scopes: Sequence[Scope], probes: RelaxedAnswers) -> Reason:
        """Put a set into words, having asked once more whether it is enough, and whether each member is needed."""
        minimal, breaches, weak = True, list[RuleBreach](), dict[Scope, tuple[Instance, ...]]()
        many = all(scope.unit == ALL for scope in scopes)
        barred, unhurt = (probes.barred_by_combats(scopes), probes.unhurt(scopes)) if many else ((), ())
        # First what is paid, and what keeps the unit that is asked about from being where it is to end; others after it.
        ends = {(goal.unit, label) for goal in self._question.goals if isinstance(goal, End) for label in goal.at}
        asked_about = {unit for unit, _ in ends} or self._scenario.game.friends

        def helps(one: Scope) -> bool:
            return one.unit in self._units and one.unit not in asked_about

        def order(one: Scope) -> tuple[bool, bool]:
            return helps(one), not one.pays and all((one.unit, label) not in ends for label in one.hexes or ())

        scopes = sorted(scopes, key=order)
        wording = Wording(self._scenario, scopes, probes, barred, unhurt)
        confirmed = bool(unhurt) and probes.forbids_twice(scopes)  # that takes less than what is asked next
        for scope in scopes:
            others = [other for other in scopes if other is not scope]
            possible, plan = probes.possible(others)
            if possible is None:
                plan = led_round(self._scenario.game.board, others, probes) if scope.hexes is not None else None
                plan = plan or with_all_bound(others, probes)
                possible = None if plan is None else True
            plan = plan and straightened(others, plan, probes)
            # A rule that binds everybody is no instance yet, but many, unless it is about all of them together.
            weak[scope] = self._out_of_phase(scope) or (self._too_weak(scope, scopes) if scope.unit == ALL else ())
            one_by_one = scope.unit != ALL or bool(barred or unhurt or weak[scope])
            minimal = minimal and one_by_one and possible is True
            known = (*probes.plans, *self._relaxed.plans, *probes.towards(scope)) if plan is None else ()
            breaches.append(wording.breach(scope, plan, known))
        breaches.sort(key=lambda breach: wording.place(breach, helps(breach.scope)))
        limits, needed = needed_limits(probes.scenario, probes.question, scopes)
        mp = any(limit.in_mp for limit in limits)  # then it isn't that somebody has too few MP
        instances = list[Instance]()
        for breach in breaches:
            paid = mp and breach.scope.pays
            one = paid_for(breach.scope, self._scenario) if paid else wording.instance(breach, breaches)
            if self._elsewhere_too(breach, scopes, probes):
                one = replace(one, message=f"for instance, {one.message}")
            instances += weak[breach.scope] or [one]
        instances += barred_attacks(scopes, probes, wording)
        asked = [told(limit, probes.question) for limit in limits]
        return Reason((*asked, *each_once(instances)), confirmed or probes.forbids_twice(scopes), minimal and needed)

    def _elsewhere_too(self, breach: RuleBreach, scopes: Sequence[Scope], probes: RelaxedAnswers) -> bool:
        """Tell whether a rule is told of a unit in one hex, but isn't known to be enough if it binds it in no other."""
        scope, found = breach.scope, breach.violation
        if scope.unit not in self._units or scope.hexes is not None or scope.pays or self._keeps_from_moving(scope):
            return False
        if found is None or found.at is None or not has_word(found.message, found.at):
            return False  # what names no hex is told of the unit
        there = replace(scope, hexes=frozenset([found.at]))
        if self._question.late:
            return True
        return probes.possible([there if one is scope else one for one in scopes], SHORT_PROBE)[0] is not False

    def _done_beside(self, scopes: Sequence[Scope], plan: Plan) -> bool:
        """Tell whether a plan that does the part does the whole beside the best that is known, with rules in some scopes."""
        whole = self._whole
        assert whole is not None
        try:
            for fuller in whole.beside(scopes, plan.moves):
                if whole.works(scopes, fuller):
                    whole.plans.append(fuller)
                    return True
        except OutOfTimeError:
            pass
        return False


def _all_of(scopes: Sequence[Scope], _: Plan) -> Sequence[Scope]:
    return scopes
