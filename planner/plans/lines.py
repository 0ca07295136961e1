"""The lines of plans, before it is known what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from planner.errors import InputError, Problem

if TYPE_CHECKING:
    from planner.plans.plan import Setting
    from planner.rules.game import Game

MOST_MOVES = 2_000
MOST_LINES = 2 * MOST_MOVES

COMPLETED = "which can be completed, not judged"
"""What is said of lines of partial plans where a plan is expected."""

T = TypeVar("T")


def ensured(found: T, problems: list[Problem], check_names: Callable[[T], None]) -> T:
    """Return what has been read, if nothing is wrong with it.

    Parameters
    ----------
    found : Plan or PartialPlan
        What has been read.
    problems : list of Problem
        What was wrong with the text.
    check_names : callable
        Raises `InputError` if a scenario doesn't have what it names.

    Raises
    ------
    InputError
        With every problem at once: of the text, and of the names.
    """
    try:
        check_names(found)
    except InputError as error:
        problems = [*problems, *error.problems]
    if problems:
        raise InputError(problems)
    return found


def game_of(scenario: Setting) -> Game:
    """Return the game of what is to be a scenario.

    Raises
    ------
    InputError
        If it is something else.
    """
    if not hasattr(scenario, "check_names"):
        raise InputError([Problem(f"must be a scenario, not {scenario!r:.60}", "scenario")])
    return scenario.game


def lines_of(texts: str | Iterable[str], apart: str = ";") -> list[str]:
    """Return the lines of a text, or of several; empty ones, and those that start with ``#``, are passed over.

    What stands between two signs of ``apart`` is a line by itself: plans that messages have on one line can be pasted.

    Raises
    ------
    InputError
        If it is neither a text nor several.
    """
    if isinstance(texts, str):
        texts = texts.splitlines()
    try:
        lines: list[object] = [texts] if isinstance(texts, (bytes, bytearray, memoryview, Mapping)) else list(texts)
    except TypeError:
        lines = [texts]
    if len(lines) > MOST_LINES:
        raise InputError([Problem(f"a plan must have at most {MOST_LINES} lines, not {len(lines)}", "moves")])
    problems = [
        Problem(f'moves must be text such as "inf w5525-w5425", not {line!r:.60}', f"moves[{index}]")
        for index, line in enumerate(lines)
        if not isinstance(line, str)
    ]
    if problems:
        raise InputError(problems)
    said = [line for line in map(str, lines) if not line.lstrip().startswith("#")]
    found = [part for line in said for part in (line.split(apart) if apart else [line]) if part.strip()]
    if len(found) > MOST_LINES:
        raise InputError([Problem(f"a plan must have at most {MOST_LINES} lines, not {len(found)}", "moves")])
    return found
