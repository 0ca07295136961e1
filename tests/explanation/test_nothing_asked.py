"""What is asked where the scenario's own requirements alone are looked at first, and no search settles them."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.search.context import SearchContext
from planner.search.result import Result
from tests.plain_game import BOGGING, LIMIT, placed, write_model


def test_goals_are_explained_where_no_search_settles_what_is_required_besides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Units that wait and may bog down, in a hex that holds too many, can be hard for a search; here none knows a thing.
    def knows_nothing(context: SearchContext) -> Result:
        return Result("unknown", context.seconds)

    monkeypatch.setattr("planner.search.search.best_plan", knows_nothing)
    rules = BOGGING + LIMIT + 'limits = [{ units = 1 }]\nwhen = "move"\n'
    model = write_model(tmp_path / "model", rules, turns="waiting = {}\n")
    units = [{"id": one, "side": "south", "type": "foot", "values": "1-1", "at": "03.01"} for one in "fg"]
    tier, require = [{"terms": [{"kind": "mp_spent"}]}], [{"kind": "mp_spent", "most": 2}]
    position = placed(model, {"03.01 03.02": "plain"}, units, tier=tier, require=require)
    assert planner.explain(position, require="hold 03.02").status in ("possible", "unknown")
