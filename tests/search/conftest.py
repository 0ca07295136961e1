"""What tests of searches share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import planner
from planner.search import search

Count = Callable[[], int]


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> Count:
    """Return how many searches have been made, not only answered."""
    real, made = search.best_plan, list[object]()

    def counted(context: search.SearchContext) -> planner.Result:
        made.append(context)
        return real(context)

    monkeypatch.setattr(search, "best_plan", counted)
    return lambda: len(made)
