"""Plans that react, from the plan that would be the best if all rolls went well.

What it is for: moves that rely on what others roll for. No plan that is fixed in advance may hold them, so that none may be
worth anything, where whoever waits for the results gets far.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.plans.policy import Node
from planner.referee.referee import Referee
from planner.rules.combat_roles import JointlyOverruns
from planner.scenario import Scenario
from planner.search.asking_again import AskingAgain
from planner.search.policy_bound import with_luck
from planner.search.policy_judge import judge_policy
from planner.search.search import Search
from planner.solver.tuning import Adapting


def react_with_luck(
    scenario: Scenario,
    limits: Limits,
    suggest: Callable[[Scenario, Limits], Plan | None],
    settle: Callable[[Scenario], Node | None] = lambda _: None,
    share: float = 0.9,
) -> AskingAgain | None:
    """Begin with the plan that would be the best if all rolls went well, and go on with it for as long as they do.

    Parameters
    ----------
    scenario : Scenario
        The position; its phase may be in progress.
    limits : Limits
        When it must end.
    suggest : callable
        As that of `AskingAgain`.
    settle : callable, optional
        As that of `AskingAgain`; absent: nothing is soon known.
    share : float, optional
        For the plan, so much of the time that is left.

    Returns
    -------
    AskingAgain or None
        What is done after each result; None if no plan is found, nothing is rolled in it, or some result makes it illegal.
    """
    lucky = with_luck(scenario, bounding=False)
    try:
        plan = None if lucky is None else Search(lucky, limits.part(share)).run().plan
    except (OutOfTimeError, TooManyOutcomesError):
        return None
    if plan is None:
        return None
    asking = AskingAgain(scenario, settle, suggest, limits)
    asking.begin(_trying_often(scenario, plan), ())
    asking.grow(lambda _: None, Adapting.situations)  # it may turn out illegal
    root = asking.root.node()
    return asking if root.branches and judge_policy(scenario, root).legal else None


def _trying_often(scenario: Scenario, plan: Plan) -> Plan:
    """Return a plan in which every overrun that is rolled is tried as often as may be: with luck once is enough."""
    play, moves = Referee(scenario.game).play, list(plan.moves)
    most = max((rule.attempts for rule in scenario.game.rulebook.of(JointlyOverruns)), default=1)
    for index, move in enumerate(plan.moves):
        for step, tries in product(sorted(move.overruns), range(2, most + 1)):
            before = moves[index]
            others = tuple(one for one in before.attempts if one[0] != step)
            moves[index] = replace(before, attempts=tuple(sorted((*others, (step, tries)))))
            if play(Plan(tuple(moves)), scenario.start, rolls=False).violations:
                moves[index] = before
    return Plan(tuple(moves))
