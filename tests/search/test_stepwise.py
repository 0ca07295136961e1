"""Plans that react are made up of single steps, and of whole moves through hexes in which none may end."""

from __future__ import annotations

from planner.plans.plan import Move
from planner.search.stepwise import dropping


def test_a_stack_that_may_not_end_where_it_is_goes_on_as_a_whole_or_without_some() -> None:
    assert list(map(str, dropping(Move(("a", "b"), ("02.01", "02.02"))))) == [
        "a+b 02.01-02.02",
        "a+b 02.01-02.02/a",
        "a+b 02.01-02.02/b",
    ]
