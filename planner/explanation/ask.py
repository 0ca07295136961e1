"""Questions and their answers: why moves, a destination, a goal or a value can't be had."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from planner.errors import InputError, OutOfTimeError, Problem
from planner.explanation.answer import Explanation, Help, Kind, Remedy, Status
from planner.explanation.limits import hard_limit
from planner.explanation.remedies import OwnRemedies, different, legal, played
from planner.objective import Term, Tier
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import End, Stay
from planner.plan import Plan
from planner.reachable import report
from planner.scenario import Scenario
from planner.showing import shown_with_its_scenario

if TYPE_CHECKING:
    from planner.api import Moves
    from planner.explanation.goals import Question

TIME_LIMIT = 10.0
"""Seconds that an explanation takes at most, where nothing else is said."""


@shown_with_its_scenario
def explain(
    scenario: Scenario | str | Path,
    moves: Moves | None = None,
    *,
    require: str | Iterable[str] = (),
    value: str | None = None,
    time_limit: float | None = TIME_LIMIT,
) -> Explanation:
    """Say what forbids moves, a destination, goals or a value, and what would make it possible.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The position.
    moves : Plan, str or iterable of str, optional
        Moves in their order, or a destination such as ``"plv to w5426"``.
    require : str or iterable of str
        Goals, such as ``"hold w5427"`` or ``"eliminate inf111"``.
    value : str, optional
        What the tiers are to come to, such as ``"1, -20"``.
    time_limit : float, optional
        Seconds; absent: none.

    Raises
    ------
    InputError
        If the scenario or the question can't be read, or not exactly one thing is asked about.
    """
    from planner.api import load
    from planner.explanation import question

    scenario = scenario if isinstance(scenario, Scenario) else load(scenario)
    goals = [require] if isinstance(require, str) else list(require)
    given = moves is not None and moves != ""
    if sum((given, bool(goals), value is not None)) != 1:
        raise InputError([Problem("must have one of moves, a destination, a goal and a value", "question")])
    if value is not None:
        return explain_value(scenario, question.read_value(scenario, value), time_limit)
    if goals:
        return explain_goals(scenario, [question.read_goal(scenario, text) for text in goals], time_limit)
    assert moves is not None
    texts = [moves] if isinstance(moves, str) else moves if isinstance(moves, Plan) else list(moves)
    if not isinstance(texts, Plan) and any(map(question.is_destination, texts)):
        if len(texts) > 1:
            raise InputError([Problem("a destination must be asked about alone", "question")])
        return explain_destination(scenario, question.read_destination(scenario, texts[0]), time_limit)
    plan = moves if isinstance(moves, Plan) else Plan.parse(moves)
    scenario.check_names(plan, "moves")
    return explain_moves(scenario, plan, time_limit)


def explain_moves(scenario: Scenario, plan: Plan, time_limit: float | None = TIME_LIMIT) -> Explanation:
    """Explain why moves are illegal as they are written, and what would make them legal.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        The moves; names must have been checked.
    time_limit : float, optional
        Seconds; absent: none.

    Raises
    ------
    DisagreementError
        If solver and referee disagree about what is wrong: a fault of the planner.
    """
    begin = time.monotonic()
    deadline = None if time_limit is None else begin + time_limit
    question = "; ".join(map(str, plan.moves))
    verdict = played(scenario, plan)
    if verdict is not None and verdict.legal:
        return Explanation("moves", question, "possible", plan, seconds=_since(begin))
    if verdict is None:
        return Explanation("moves", question, "unknown", plan, complete=False, seconds=_since(begin))
    from planner.solver.explanation import reasons_against

    reasons, hopeless = reasons_against(scenario, plan, verdict.violations, deadline)
    # Half of the time for what the side can do, so that some is left for what would have to be different.
    middle = None if deadline is None else time.monotonic() + max(0.0, deadline - time.monotonic()) / 2
    own, help_ = OwnRemedies(scenario, plan, verdict.violations, hopeless, middle).find()
    others = different(scenario, plan, verdict.violations, deadline)
    late = deadline is not None and time.monotonic() > deadline
    return Explanation(
        "moves",
        question,
        "with_help" if own else "forbidden" if help_ == "none" else "unknown",
        plan,
        tuple(reasons),
        (*own, *others),
        help_,
        not late and all(reason.minimal for reason in reasons),
        _since(begin),
    )


def explain_destination(scenario: Scenario, goal: End, time_limit: float | None = TIME_LIMIT) -> Explanation:
    """Explain why a unit can't end in a hex: without help, or at all.

    Parameters
    ----------
    scenario : Scenario
        The position.
    goal : End
        The unit and where it is to end.
    time_limit : float, optional
        Seconds; absent: none.
    """
    from planner.explanation.goals import Question, reason_against, would_do

    begin = time.monotonic()
    deadline = None if time_limit is None else begin + time_limit
    game, words = scenario.game, f"{goal.unit} to {' or '.join(goal.at)}"
    others = tuple(unit for unit in game.homes if unit in game.phasing and unit != goal.unit)
    alone = Question((goal, *((Stay(kind="stay", units=others),) if others else ())), deadline=deadline)
    plain = replace(scenario, requirements=())
    plan = _by_itself(plain, goal, deadline)
    possible: bool | None = plan is not None
    if plan is None:
        possible, plan = alone.answer(plain, second=True)
    if possible:
        return Explanation("destination", words, "possible", plan, help="none", seconds=_since(begin))
    helped = Question((goal,), deadline=deadline)
    own, help_ = (
        (_with_fewest(plain, helped, goal.unit)) if others else ([], "none" if possible is False else "unknown")
    )
    question = alone if own else helped
    # Without anybody else on the map, what it can't do alone it can't do at all.
    reason = None
    if (possible is False and own) or help_ == "none":
        reason = reason_against(plain, question)
    reasons = () if reason is None else (reason,)
    changes = would_do(plain, alone if own else helped, reasons)
    status: Status = "with_help" if own else "forbidden" if help_ == "none" else "unknown"
    done = reason is not None and reason.minimal and reason.confirmed and not helped.late
    made = own[0].plan if own else None
    return Explanation("destination", words, status, made, reasons, (*own, *changes), help_, done, _since(begin))


def _by_itself(scenario: Scenario, goal: End, deadline: float | None) -> Plan | None:
    """Return how a unit gets to its destination while nobody else moves, if that is known at once."""
    try:
        reach = report(scenario, goal.unit, deadline)
    except OutOfTimeError:
        return None
    for entry in reach.alone:
        if entry.hex in goal.at and entry.chance == 1 and entry.move is not None:
            plan = Plan((entry.move,))
            if legal(scenario, plan):
                return plan
    return None


def _with_fewest(scenario: Scenario, question: Question, unit: str) -> tuple[list[Remedy], Help]:
    """Return how a unit gets where it is to end with the fewest other units, and whether there is any way."""
    from planner.solver.search import Search

    fewest = (Tier(terms=(UnitsMoved(kind="units_moved"),)), Tier(terms=(MpSpent(kind="mp_spent"),)))
    limit = question.limit()
    try:
        # Some time is left for what forbids it.
        with hard_limit(None if limit is None else limit * 2 / 3):
            result = Search(question.asked(scenario, fewest), None if limit is None else limit / 2).run()
    except OutOfTimeError:
        return [], "unknown"
    if result.plan is not None:
        helpers = tuple(move for move in result.plan.moves if move.units != (unit,))
        proved = bool(result.bound) and result.value[0] == result.bound[0]
        return [Remedy(helpers, (), result.plan, proved)], "found"
    if result.status == "infeasible":
        return [], "none"
    possible, _ = question.answer(scenario)
    return [], "none" if possible is False else "unknown"


def explain_goals(scenario: Scenario, goals: Sequence[Term], time_limit: float | None = TIME_LIMIT) -> Explanation:
    """Explain why goals can't be had, beside what the scenario requires.

    Parameters
    ----------
    scenario : Scenario
        The position, with its requirements.
    goals : sequence of Term
        What is to be had, all of it.
    time_limit : float, optional
        Seconds; absent: none.
    """
    from planner.explanation.goals import Question

    deadline = None if time_limit is None else time.monotonic() + time_limit
    words = " and ".join(goal.describe() for goal in goals)
    return _whatever_is_done(scenario, "goal", words, Question(tuple(goals), deadline=deadline))


def explain_value(scenario: Scenario, value: Sequence[Fraction], time_limit: float | None = TIME_LIMIT) -> Explanation:
    """Explain why the objective can't come to a value.

    Parameters
    ----------
    scenario : Scenario
        The position, with its objective.
    value : sequence of Fraction
        What the tiers are to come to at least: the first that differs counts; tiers after the last may be anything.
    time_limit : float, optional
        Seconds; absent: none.
    """
    from planner.explanation.goals import Question

    deadline = None if time_limit is None else time.monotonic() + time_limit
    words = f"value {' / '.join(map(str, value))}"
    return _whatever_is_done(scenario, "value", words, Question(value=tuple(value), deadline=deadline))


def _whatever_is_done(scenario: Scenario, kind: Kind, words: str, question: Question) -> Explanation:
    """Explain what no plan at all brings about."""
    from planner.explanation.goals import reason_against, would_do

    begin = time.monotonic()
    possible, plan = question.answer(scenario, second=True)
    if possible:
        return Explanation(kind, words, "possible", plan, help="none", seconds=_since(begin))
    if possible is None:
        return Explanation(kind, words, "unknown", None, complete=False, seconds=_since(begin))
    reason = reason_against(scenario, question)
    reasons = () if reason is None else (reason,)
    changes = would_do(scenario, question, reasons)
    done = reason is not None and reason.minimal and reason.confirmed and not question.late
    return Explanation(kind, words, "forbidden", None, reasons, tuple(changes), "none", done, _since(begin))


def _since(begin: float) -> float:
    return round(time.monotonic() - begin, 3)
