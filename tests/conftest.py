"""What all tests share: how deep they go.

``PLANNER_TESTS`` says it: ``quick`` (the default; the README's test command), ``thorough`` (what CI runs beside it: tests
marked so, and those that draw positions with more of them), or ``deep`` (hours).
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

DEPTHS = ("quick", "thorough", "deep")
_DEPTH = DEPTHS.index(os.environ.get("PLANNER_TESTS", "quick"))
THOROUGH = _DEPTH >= 1
DEEP = _DEPTH == 2

# Processes that tests start keep what they compile, as is usual, also where the machine is set up not to: compiling takes
# longer than most of them run.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Ten thousand tests are no garbage: the collector looks at nothing while they are collected, and never at them afterwards.
gc.disable()
count_frozen = gc.get_freeze_count

DRAWING = {"sized", "given"}
"""Who imports one of these draws more positions, or examples, in a thorough run."""

Size = TypeVar("Size")


def sized(quick: Size, thorough: Size, deep: Size) -> Size:
    """Choose how much is drawn by how deep the tests go."""
    return (quick, thorough, deep)[_DEPTH]


def long_ones(names: Iterable[object], *long: object) -> list[object]:
    """Return the names as parameters, those marked for thorough runs that take longer than a second."""
    return [pytest.param(name, marks=pytest.mark.thorough) if name in long else name for name in names]


# Shared machines stall now and then: a slow draw is no finding, and CI runs the same examples every time.
settings.register_profile(
    "planner",
    deadline=None,
    derandomize=not DEEP,
    max_examples=sized(50, 100, 1_000),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("planner")


@pytest.fixture(autouse=True)
def proofs_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each search make its own proofs: many tests search one scenario in two ways, and compare."""
    from planner.search import search

    monkeypatch.setattr(search, "answer_again", lambda context: None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what draws more in a thorough run, and leave out what takes too long for every day."""
    for item in items:
        if isinstance(item, pytest.Function) and DRAWING & vars(item.module).keys():
            item.add_marker("drawn")
    if THOROUGH:
        return
    long = [item for item in items if item.get_closest_marker("thorough")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def pytest_collection_finish() -> None:
    """Let the collector see what tests make, and nothing of what was there before: it took an eighth of their time."""
    gc.freeze()
    gc.get_freeze_count = lambda: 1  # Python counts a million objects one by one, and `planner.gc_pause` asks often
    gc.enable()
