"""Plans that react are made up of single steps, and of whole moves through hexes in which none may end."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.plans.plan import Move
from planner.search.stepwise import dropping
from tests.oracles.made_up import BAR
from tests.plain_game import JOINT, Variant, build


def test_a_stack_that_may_not_end_where_it_is_goes_on_as_a_whole_or_without_some() -> None:
    assert list(map(str, dropping(Move(("a", "b"), ("02.01", "02.02"))))) == [
        "a+b 02.01-02.02",
        "a+b 02.01-02.02/a",
        "a+b 02.01-02.02/b",
    ]


@pytest.mark.parametrize("waiting", [True, False])
def test_who_may_not_stop_where_it_overruns_comes_back_to_where_it_was_before(waiting: bool, tmp_path: Path) -> None:
    """Nobody may end a move in the town of e. Unit f is wanted where it stands, and e is to be eliminated: 2 of 2 for 2 MP.

    Or 1 of 2 if it stays, or if it goes on.
    """
    narrow = '[[rule]]\nid = "narrow"\nkind = "stacking"\nparagraph = "narrow"\nwhen = "move"\n'
    rules = f'{narrow}limits = [{{ where = {{ terrain = "town" }}, units = 0 }}]\n{BAR}unless_overrun = true\n'
    sure, rows = JOINT.replace("1/2", "1"), ". . . . .\n" * 2 + ". . t . .\n" + ". . . . .\n" * 3
    turns = "waiting = {}\n" if waiting else ""
    built = build(
        Variant("back", rules + sure, "", ("foot f 03.02 2",), ("foot e 03.03",), rows, turns=turns), tmp_path
    )
    goals = [{"kind": "end", "unit": "f", "at": "03.02"}, {"kind": "eliminate", "units": ["e"]}]
    scenario = built.with_objective([{"terms": goals}, {"terms": [{"kind": "mp_spent"}]}])
    for adaptive in (False, True):
        found = planner.suggest(scenario, adaptive=adaptive)
        assert (found.status, found.value) == ("optimal", (2, -2)), adaptive
