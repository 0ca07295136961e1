"""Questions and their answers: why moves, a destination, a goal or a value can't be had."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from planner.errors import DisagreementError, InputError, OutOfTimeError, Problem
from planner.explanation.answer import Explanation, ExplanationStatus, Help, Instance, Kind, Reason, Remedy
from planner.explanation.joining_overruns import joining
from planner.explanation.move_remedies import OwnRemedies, Remedies, different, played
from planner.explanation.sure_overruns import without_reliance
from planner.explanation.too_weak import beyond_the_table
from planner.explanation.unnamed import NONE_HELPS, NOT_TRIED
from planner.explanation.written_combats import remedy_with_combats, straightened, with_combats
from planner.limits import Limits
from planner.objective import Term
from planner.objective.goals import Eliminate, End, Hold
from planner.plans.plan import Plan, units_of
from planner.plans.unit_names import with_ids
from planner.referee.verdict import Verdict
from planner.rules.attack_rule import attack_rule
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.roles import Rolls
from planner.scenario import Scenario

if TYPE_CHECKING:
    from planner.explanation.question import Question

LONGEST_TRY = 3.0
"""Work that is done, in the solver's measure, to tell whether a unit gets somewhere if there is a time limit."""

LONGEST_LOOK = 2.0
"""Work that is done, in the solver's measure, to tell whether what the scenario requires can be had by itself."""


def explain(
    scenario: Scenario,
    moves: Plan | str | Iterable[str] | None,
    require: str | Iterable[str],
    value: str | int | Fraction | Sequence[str | int | Fraction] | None,
    limits: Limits,
) -> Explanation:
    """Say what forbids moves, a destination, goals or a value, and what would make it possible: see `planner.explain`."""
    limits, word = replace(limits, hurried=threading.Event()), scenario.game.rulebook.encounter
    found = _explained(scenario, moves, require, value, limits)
    hurried = limits.deadline is not None and limits.hurried.is_set()
    told = (remedy_with_combats(scenario, replace(one, encounter=word)) for one in found.remedies)
    plan = found.plan if found.plan is None or found.kind == "moves" else with_combats(scenario, found.plan)
    return replace(found, hurried=hurried, plan=plan, remedies=tuple(told))


def _explained(
    scenario: Scenario,
    moves: Plan | str | Iterable[str] | None,
    require: str | Iterable[str],
    value: str | int | Fraction | Sequence[str | int | Fraction] | None,
    limits: Limits,
) -> Explanation:
    """Find out which question it is, and answer it."""
    from planner.explanation import attack_question, parse_question
    from planner.objective.together import each_goal

    goals = [require] if isinstance(require, str) else list(require)
    if isinstance(require, Mapping) or not all(isinstance(goal, str) for goal in goals):
        raise InputError([Problem('goals must be text, such as "hold w5427"', "require")])
    asked = sum((moves is not None and moves != "", bool(goals), value is not None))
    if asked > 1:
        raise InputError([Problem("must have one of moves, a destination, a goal and a value", "question")])
    if not asked and not scenario.requirements:
        what = "must be moves, a destination, a goal or a value, since the scenario requires nothing"
        raise InputError([Problem(what, "question")])
    if value is not None:
        return explain_value(scenario, parse_question.read_value(scenario, value), limits)
    if goals or not asked:
        read = [goal for text in goals for goal in parse_question.read_goals(scenario, text)]
        required = tuple(each_goal(scenario.requirements))
        plain = replace(scenario.without_objective().contesting([*read, *required]), requirements=required)
        found, attacks = explain_goals(plain, read, limits), scenario.asks_for_attacks and not plain.asks_for_attacks
        return replace(found, question=found.question + ", by moves alone" * attacks)
    assert moves is not None
    texts = moves if isinstance(moves, Plan) else attack_question.attack_last(with_ids(moves, scenario.game))
    if not isinstance(texts, Plan) and attack_question.is_attack_question(texts):
        asked_about = attack_question.read_attack_question(scenario, texts)
        return attack_question.explain_attack(scenario, asked_about, limits)
    if not isinstance(texts, Plan) and any(map(parse_question.is_destination, texts)):
        if len(texts) > 1:
            raise InputError([Problem("a destination must be asked about alone", "question")])
        return explain_destination(scenario, parse_question.read_destination(scenario, texts[0]), limits)
    plan = texts if isinstance(texts, Plan) else Plan.parse(texts)
    scenario.check_names(plan, "moves")
    return explain_moves(scenario, plan, limits)


def explain_moves(scenario: Scenario, plan: Plan, limits: Limits | None = None) -> Explanation:
    """Explain why moves are illegal as they are written, and what would make them legal.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        The moves; names must have been checked.
    limits : Limits, optional
        When to stop; absent: when all is settled.

    Raises
    ------
    DisagreementError
        If solver and referee disagree about what is wrong: a fault of the planner.
    """
    begin, limits = time.monotonic(), limits or Limits()
    question = "; ".join(plan.lines)
    verdict = played(scenario, plan)
    if verdict is None:
        return Explanation("moves", question, "unknown", plan, complete=False, seconds=_since(begin))
    if verdict.legal:
        return Explanation("moves", question, "possible", plan, seconds=_since(begin))
    from planner.explanation.move_conflicts import reasons_against

    try:
        reasons, hopeless = reasons_against(scenario, plan, verdict.violations, limits.part(0.5))
        reasons = list(
            {frozenset((one.rule, one.key, str(one)) for one in each.instances): each for each in reasons}.values()
        )
        reasons += _wrong_with_attacks(scenario, plan, verdict)
    except OutOfTimeError:  # what the referee says stands, but for what else is needed so that it does
        from planner.explanation.wording import said_by_referee

        told, hopeless = said_by_referee(scenario, plan, verdict.violations), False
        reasons = [Reason((instance,), False, False) for instance in told]
    reasons.sort(key=_when)
    # Some time is left for what would have to be different.
    ours, help_, every_order = _own(scenario, plan, verdict, hopeless, limits)
    if plan.attacks and help_ == "none" and not hopeless:
        help_ = "unknown"  # others might attack, too
    if help_ == "unknown" and not limits.late:
        from planner.explanation.completions import completed

        found, help_ = completed(scenario, plan, limits.part(0.5))
        ours, help_ = Remedies(found), "unknown" if help_ == "none" and not every_order else help_
    others = (
        Remedies((), NOT_TRIED) if scenario.start.attacking else different(scenario, plan, verdict.violations, limits)
    )
    return Explanation(
        "moves",
        question,
        "with_help" if ours.named else "forbidden" if help_ == "none" else "unknown",
        plan,
        tuple(reasons),
        tuple(replace(one, given=plan.attacks or ()) for one in (*ours.named, *others.named)),
        help_,
        not limits.late and help_ != "unknown" and all(reason.minimal for reason in reasons),
        _since(begin),
        limits.stop.is_set(),
        ours.beside,
        others.beside,
    )


def _wrong_with_attacks(scenario: Scenario, plan: Plan, verdict: Verdict) -> list[Reason]:
    """Return what is wrong with the attacks of a plan, or with that there are none: the model knows what moves break."""
    from planner.explanation.wording import said, said_by_referee

    by_moves = None if plan.attacks is None else played(scenario, Plan(plan.moves))
    if by_moves is None:
        return []
    known, rule = {one.key for one in by_moves.violations}, attack_rule(scenario.game)
    wrong = [one for one in verdict.violations if one.attack is not None or one.key not in known]
    told = [said(one, rule.id, plan) for one in wrong] if rule is not None else said_by_referee(scenario, plan, wrong)
    return [Reason((one,), True, True) for one in told]


def _when(reason: Reason) -> tuple[float, float]:
    """Return in which move, and at which step of it, a reason is met first; what is wrong at the end comes last."""
    met = ((inf if one.move is None else one.move, one.step or 0) for one in reason.instances)
    return min(met, default=(inf, 0))


def _own(
    scenario: Scenario, plan: Plan, verdict: Verdict, hopeless: bool, limits: Limits
) -> tuple[Remedies, Help, bool]:
    """Return what the side can do itself, also by joining overruns and attacks, and whether every order was tried."""
    from planner.explanation.attacking_too import attacking_together, attacking_too

    too = attacking_too(scenario, plan, verdict, limits)
    if too.named or (too := attacking_together(scenario, plan)).named:
        return too, "found", True
    ours, help_ = (own := OwnRemedies(scenario, plan, verdict.violations, hopeless, limits.part(0.3))).find()
    try:
        joined = [] if ours.named else joining(scenario, plan, verdict.violations, limits.part(0.2))
    except OutOfTimeError:
        joined = []
    return (Remedies(joined), "found", True) if joined else (ours, help_, own.every_order)


def explain_destination(scenario: Scenario, goal: End, limits: Limits | None = None) -> Explanation:
    """Explain why a unit can't end in a hex: without help, or at all.

    Parameters
    ----------
    scenario : Scenario
        The position.
    goal : End
        The unit and where it is to end.
    limits : Limits, optional
        When to stop; absent: when all is settled.
    """
    from planner.explanation.after_attacks import reasons_in_phase
    from planner.explanation.chances import by_reacting, chances
    from planner.explanation.other_helpers import other_helpers

    begin, limits = time.monotonic(), limits or Limits()
    words = f"{goal.unit} to {' or '.join(goal.at)}{' by moves' * scenario.start.attacking}"
    others = any(unit in scenario.game.friends and unit != goal.unit for unit in scenario.game.homes)
    likely = scenario.without_objective()
    plain = without_reliance(likely)
    alone = _question((goal,), limits.part(0.5), (goal.unit,))
    possible, plan = alone.relaxed(plain).ask(None, second=True, work=None if limits.deadline is None else LONGEST_TRY)
    alone.limits = limits.part(0.8)
    if possible:
        return replace(_while_nobody_moves(plain, goal, words, plan, limits.part(0.8)), seconds=_since(begin))
    # How it might be done is asked before why it can't be sure: a player wants to attack, proved or not.
    may, sure, known = ((), None, True) if scenario.start.attacking else chances(likely, goal, limits.part(0.5))
    waits = known and not may and sure is None and not scenario.start.attacking
    reacting, settled = by_reacting(likely, goal, limits.part(0.4)) if waits else (None, True)
    helped = _question((goal,), limits.part(0.8))
    own: list[Remedy] = []
    help_: Help = "none" if possible is False else "unknown"
    if others and sure is None and may:
        from planner.explanation.all_joining import sure_together

        sure = sure_together(plain, helped, limits.part(0.2))
        may = may if sure is None else tuple(one for one in may if not one.helped)
    if others:
        own, help_ = _with_fewest(plain, helped, goal.unit, sure)
    if own and _supported(goal.unit, own[0].plan) and not own[0].moves:
        return replace(_with_support(plain, words, own[0].plan, possible is False), seconds=_since(begin))
    if own and not own[0].moves:  # what the unit can do by itself was looked for in vain, for want of time
        return Explanation("destination", words, "possible", own[0].plan, help="none", seconds=_since(begin))
    beside = Remedies(own)
    if own and possible is False:
        beside = other_helpers(plain, helped, goal.unit, own[0], limits.part(0.3))
    # Without anybody else on the map, what it can't do alone it can't do at all.
    question, reasons = alone if own else helped, tuple[Reason, ...]()
    if (possible is False and own) or help_ == "none":
        reasons = reasons_in_phase(plain, question)
    status: ExplanationStatus = "with_help" if own else "forbidden" if help_ == "none" else "unknown"
    question.limits = limits
    return _answered(
        plain,
        question,
        Explanation(
            "destination",
            words,
            status,
            beside.named[0].plan if own else None,
            (),
            tuple(beside.named),
            help_,
            beside_own=beside.beside,
            chances=may,
            chances_known=(known and settled) or bool(own),
            reacting=reacting,
        ),
        reasons,
        begin,
    )


def _while_nobody_moves(scenario: Scenario, goal: End, words: str, plan: Plan | None, limits: Limits) -> Explanation:
    """Tell that a unit gets where it is to end while nobody else moves: by itself, or if others support it."""
    if plan is not None and _supported(goal.unit, plan):
        from planner.search.reach_report import Witnesses

        ways, open_ = Witnesses(scenario, limits).alone(goal.unit)
        if ways.keys().isdisjoint(goal.at):
            return _with_support(scenario, words, plan, open_.isdisjoint(goal.at))
        plan = next(ways[label][0] for label in goal.at if label in ways)
    return Explanation("destination", words, "possible", plan, help="none")


def _supported(unit: str, plan: Plan) -> bool:
    """Tell whether others, who needn't move for it, support what a unit does."""
    return any(helper != unit for move in plan.moves for _, helper in move.support)


def _with_support(scenario: Scenario, words: str, plan: Plan, needed: bool) -> Explanation:
    """Tell that a unit gets where it is to end if others support it, who stay; `needed`: that it takes that is proved."""
    from planner.explanation.wording import said_by_referee

    bare = Plan(tuple(replace(move, support=()) for move in plan.moves))
    verdict = played(scenario, bare)
    broken = () if verdict is None else tuple(said_by_referee(scenario, bare, verdict.violations))
    return Explanation(
        "destination",
        words,
        "with_help",
        plan,
        remedies=(Remedy((), (), plan, needed),),
        help="found",
        complete=False,  # what forbids every other way isn't looked for
        attempt=bare if broken else None,
        obstacles=broken,
    )


def _question(
    goals: tuple[Term, ...], limits: Limits, movers: tuple[str, ...] | None = None, value: Sequence[Fraction] = ()
) -> Question:
    from planner.explanation.question import Question

    return Question(goals, tuple(value), limits, movers)


def _with_fewest(scenario: Scenario, question: Question, unit: str, known: Plan | None) -> tuple[list[Remedy], Help]:
    """Return how a unit gets where it is to end with the fewest other units, and whether there is any way.

    `known` is a plan by which it gets there, if one is known.
    """
    from planner.explanation.completions import FEWEST, proved_fewest
    from planner.search.search import Search

    limits, does = question.limits, partial(question.fulfilled, scenario)
    made: Plan | None
    if known is not None and question.fulfilled(scenario, known):
        made = known
        if len(units_of(known.moves) - {unit}) == 1:
            return [_helped(unit, straightened(scenario, known, does), False)], "found"
    else:
        possible, made = question.relaxed(scenario).ask(
            None, second=True, work=None if limits.deadline is None else LONGEST_TRY
        )
        if possible is False:
            return [], "none"
    plan, proved = made, False
    # Some time is left for what forbids it.
    search = limits.part(0.4)
    try:
        asked = question.asked(scenario, FEWEST)
        result = Search(asked, search).run()
    except (DisagreementError, InputError, OutOfTimeError):
        result = None
    if result is not None and result.plan is not None:
        fewer = made is None or len(result.plan.moves) <= len(made.moves)
        plan = result.plan if fewer else made
        proved = proved_fewest(result, scenario)
    elif result is not None and result.status == "infeasible":
        return [], "none"
    if plan is None:
        return [], "unknown"
    return [_helped(unit, straightened(scenario, plan, does), proved)], "found"


def _helped(unit: str, plan: Plan, proved: bool) -> Remedy:
    """Return a plan as what others do for a unit; `proved`: that no fewer do it."""
    helpers = tuple(move for move in plan.moves if move.units != (unit,))
    return Remedy(helpers, (), plan, proved or len(helpers) == 1)


def explain_goals(scenario: Scenario, goals: Sequence[Term], limits: Limits | None = None) -> Explanation:
    """Explain why goals can't be had, beside what the scenario requires; without goals, why that can't.

    Parameters
    ----------
    scenario : Scenario
        The position, with its requirements.
    goals : sequence of Term
        What is to be had, all of it.
    limits : Limits, optional
        When to stop; absent: when all is settled.
    """
    limits, scenario = limits or Limits(), without_reliance(scenario)
    words = " and ".join(goal.describe() for goal in goals)
    required = " and ".join(goal.describe() for goal in scenario.requirements)
    if goals and required:
        words += f", beside what the scenario requires ({required})"
        apart = _question((), limits.part(0.2))
        hopeless = apart.relaxed(scenario).ask(None, work=LONGEST_LOOK)[0] is False
        words += ", which can't be had even by itself" if hopeless else ""
    elif required:
        words = f"what the scenario requires ({required})"
    return _whatever_is_done(scenario, "goal", words, _question(tuple(goals), limits))


def explain_value(scenario: Scenario, value: Sequence[Fraction], limits: Limits | None = None) -> Explanation:
    """Explain why the objective can't come to a value.

    Parameters
    ----------
    scenario : Scenario
        The position, with its objective.
    value : sequence of Fraction
        What the tiers are to come to at least: the first that differs counts; tiers after the last may be anything.
    limits : Limits, optional
        When to stop; absent: when all is settled.
    """
    from planner.explanation.parse_question import worth

    words = f"value {worth(value)}"
    return _whatever_is_done(scenario, "value", words, _question((), limits or Limits(), value=value))


def _whatever_is_done(scenario: Scenario, kind: Kind, words: str, question: Question) -> Explanation:
    """Explain what no plan at all brings about."""
    from planner.explanation.after_attacks import reasons_in_phase

    begin, limits = time.monotonic(), question.limits
    question.limits = limits.part(0.6)
    possible, plan = question.relaxed(scenario).ask(None, second=True)
    question.limits = limits
    if possible is None and scenario.game.rulebook.rolled:
        from planner.explanation.all_joining import sure_together

        plan = sure_together(scenario, question, limits.part(0.3))
        possible = None if plan is None else True
    if possible:
        return Explanation(kind, words, "possible", plan, help="none", seconds=_since(begin))
    status: ExplanationStatus = "unknown" if possible is None else "forbidden"
    reasons: tuple[Reason, ...] = ()
    if possible is False:
        question.limits = limits.part(0.8)
        reasons = reasons_in_phase(scenario, question)
        question.limits = limits
        goals = question.goals or scenario.requirements  # what else is required has to hold, too, however it is rolled
        words += ", for certain" if kind == "goal" and _left_to_dice(scenario, goals, reasons) else ""
    help_: Help = "unknown" if possible is None else "none"
    return _answered(scenario, question, Explanation(kind, words, status, None, (), (), help_), reasons, begin)


def _left_to_dice(scenario: Scenario, goals: Iterable[Term], reasons: Sequence[Reason]) -> bool:
    """Tell whether rolls may be what keeps goals from being had for certain: then they may come about all the same."""
    rolled = {rule.id for rule in scenario.game.rulebook.of(Rolls) if rule.rolled}
    if not rolled or not all(isinstance(goal, (Eliminate, End, Hold)) for goal in goals):
        return False
    joint = {rule.id: rule for rule in scenario.game.rulebook.of(JointlyOverruns)}
    # Where a unit has to fight others may clear the way by luck.
    fought = {rule.id for rule in scenario.game.rulebook.of(Fights)}

    def chancy(one: Instance) -> bool:
        supported = one.rule in joint and joint[one.rule].support is not None  # who is too weak by itself may have help
        if one.rule in joint and (one.unit is None or supported) and one.hex is not None:
            return one.rule in rolled and not beyond_the_table(scenario.game, joint[one.rule], one.hex)
        return one.rule in rolled and (one.rule in fought or one.claim.kind != "breaks")

    return not any(reason.confirmed and not any(map(chancy, reason.instances)) for reason in reasons)


def _answered(
    scenario: Scenario, question: Question, found: Explanation, reasons: tuple[Reason, ...], begin: float
) -> Explanation:
    """Add what forbids it, what would have to be different, and where all that isn't settled what is in the way of a try."""
    from planner.explanation.counterfactuals import counterfactuals
    from planner.explanation.one_try import obstacles
    from planner.explanation.term_limits import raised
    from planner.explanation.without_rules import for_good, nothing_needed

    likely = bool(found.chances) or found.reacting is not None
    reasons = tuple(
        reason if reason.instances else replace(reason, instances=nothing_needed(scenario, question, likely))
        for reason in reasons
    )
    settled = bool(reasons) and all(reason.minimal and reason.confirmed for reason in reasons)
    shown: tuple[Plan, tuple[Instance, ...]] | None = None
    if not reasons or not reasons[0].minimal:
        shown = obstacles(scenario, question)
        told = {str(one) for reason in reasons for one in reason.instances}
        if shown is not None and told.issuperset(map(str, shown[1])):
            shown = None  # nothing that isn't said already
    named = (*(i for r in reasons for i in r.instances), *(shown[1] if shown else ()))
    limits = tuple(raised(scenario, question)) if found.status == "forbidden" else ()  # sooner known than all else
    # Once attacks have been declared, no change of anything else lets anybody move.
    if scenario.start.attacking:
        changes = Remedies((), NOT_TRIED)
    elif found.status == "forbidden" and for_good(scenario, question, reasons):
        changes = Remedies((), NONE_HELPS)
    else:
        changes = counterfactuals(scenario, question, named)
    return replace(
        found,
        reasons=reasons,
        remedies=(*found.remedies, *limits, *changes.named),
        beside_changes=changes.beside,
        complete=settled and not question.late,
        seconds=_since(begin),
        interrupted=question.limits.stop.is_set(),
        attempt=shown[0] if shown else None,
        obstacles=shown[1] if shown else (),
    )


def _since(begin: float) -> float:
    return round(time.monotonic() - begin, 3)
