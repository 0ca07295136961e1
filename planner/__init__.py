"""Checks and plans the movement phases of hex-and-counter wargames, with a proof and the printed rule.

The names here load what they need when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from planner import interrupts as interrupts  # before anything that takes its time

# isort: split

from importlib import import_module
from typing import TYPE_CHECKING, Any

from planner.notebook import Drawing, drawn_by, opened_by
from planner.version import __version__ as __version__

if TYPE_CHECKING:
    from planner.api import (
        alternatives,
        apply,
        check,
        complete,
        defend,
        explain,
        load,
        loads,
        nearest,
        picture,
        reach,
        reach_all,
        suggest,
        verify,
    )
    from planner.draw.notes import Note
    from planner.draw.picture import Picture
    from planner.errors import AmbiguousInputError, InputError, PlannerError, Problem
    from planner.plans.partial_plan import PartialPlan
    from planner.plans.plan import Move, Plan
    from planner.playing.perft import perft
    from planner.playing.position import Position
    from planner.referee.verdict import IllegalPlanError, Verdict, Violation
    from planner.scenario import Scenario
    from planner.search.policy import Policy
    from planner.search.result import Progress, Result

_HOMES = {
    "alternatives": "planner.api",
    "apply": "planner.api",
    "check": "planner.api",
    "complete": "planner.api",
    "defend": "planner.api",
    "explain": "planner.questions",
    "load": "planner.api",
    "loads": "planner.api",
    "nearest": "planner.questions",
    "picture": "planner.api",
    "reach": "planner.questions",
    "reach_all": "planner.questions",
    "suggest": "planner.api",
    "verify": "planner.api",
    "AmbiguousInputError": "planner.errors",
    "IllegalPlanError": "planner.referee.verdict",
    "InputError": "planner.errors",
    "PlannerError": "planner.errors",
    "Problem": "planner.errors",
    "Move": "planner.plans.plan",
    "Note": "planner.draw.notes",
    "Picture": "planner.draw.picture",
    "PartialPlan": "planner.plans.partial_plan",
    "Plan": "planner.plans.plan",
    "Position": "planner.playing.position",
    "perft": "planner.playing.perft",
    "Verdict": "planner.referee.verdict",
    "Violation": "planner.referee.verdict",
    "Policy": "planner.search.policy",
    "Progress": "planner.search.result",
    "Result": "planner.search.result",
    "Scenario": "planner.scenario",
}

__all__ = [
    "AmbiguousInputError",
    "IllegalPlanError",
    "InputError",
    "Move",
    "Note",
    "PartialPlan",
    "Picture",
    "Plan",
    "PlannerError",
    "Policy",
    "Position",
    "Problem",
    "Progress",
    "Result",
    "Scenario",
    "Verdict",
    "Violation",
    "alternatives",
    "apply",
    "check",
    "complete",
    "defend",
    "explain",
    "is_compiled",
    "load",
    "loads",
    "nearest",
    "perft",
    "picture",
    "reach",
    "reach_all",
    "suggest",
    "verify",
]


def is_compiled() -> bool:
    """Tell whether the label search, with which large boards take most of their time, is compiled to machine code."""
    from importlib.util import find_spec

    search = find_spec("planner.reachability.label_search")
    return search is not None and not (search.origin or "").endswith(".py")


def _draw(answer: Any, scenario: Scenario) -> Drawing:
    """Draw an answer that shows itself."""
    from planner.draw.answer_pictures import picture_of

    return picture_of(answer, scenario)


drawn_by(_draw)


def _open(scenario: Scenario) -> Position:
    """Make a position that is played on of a scenario."""
    from planner.playing.position import Position

    return Position(scenario)


opened_by(_open)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
