"""Whether a partial plan can be completed, and the best way to do so: as text, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.cli.console import console_for_answers
from planner.cli.text_output import Written, print_result
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan_data import move_data
from planner.scenario import Scenario
from planner.search.result import Result

if TYPE_CHECKING:
    from planner.search.conflict import Conflict

ANSWERS = {"optimal": "yes", "feasible": "yes", "infeasible": "no", "unknown": "unknown"}


def completion_to_json(result: Result, partial: PartialPlan, scenario: Scenario) -> dict[str, object]:
    """Return whether a partial plan can be completed, ``planner/completion-1``."""
    return {
        "format": "planner/completion-1",
        "can_be_completed": ANSWERS[result.status],
        "partial": {
            "format": "planner/plan-1",
            "moves": [move_data(move, scenario.game) for move in partial.moves],
            **partial.to_dict(),
        },
        "conflict": None if result.conflict is None else result.conflict.to_dict(),
        "result": result.to_dict(),
    }


def print_conflict(conflict: Conflict) -> None:
    """Print what of a partial plan can't be had, and why."""
    console = console_for_answers()
    for line in conflict.sentences():
        console.print(line)


def print_completion(result: Result, scenario: Scenario, write: Written) -> None:
    """Print whether a partial plan can be completed, and the plan."""
    told = {
        "yes": "It can be completed; the best way to do so:",
        "no": "It can't be completed, proved: no legal plan that fulfils every requirement has all of it.",
        "unknown": "It isn't known whether it can be completed:",
    }
    answer = ANSWERS[result.status]
    console_for_answers().print(told[answer])
    if answer != "no":
        print_result(result, scenario, write=write)
    elif result.conflict is not None:
        print_conflict(result.conflict)
