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


def test_what_is_required_is_said_to_be_possible_by_moves_alone_where_attacks_are_the_objective() -> None:
    """By hand: in 0304 b must attack r (7.3), which is below the table, and so forbidden: a search has no such plan."""
    units = [
        {"id": "b", "side": "blue", "type": "infantry", "values": "1-1-3", "at": "0204"},
        {"id": "r", "side": "red", "type": "infantry", "values": "5-5-3", "at": "0404"},
    ]
    tier, require = [{"terms": [{"kind": "enemy_losses"}]}], [{"kind": "end", "unit": "b", "at": "0304"}]
    asked = {"model": "crossroads", "phase": "movement", "phasing": "blue", "tier": tier, "require": require}
    hexes, charts = {"0204 0304 0404": "clear"}, {"rules": {"attacks": {"below": "forbidden"}}}
    data = {"format": "planner/scenario-1", "map": {"hexes": hexes}, "charts": charts, "unit": units}
    scenario = planner.Scenario.from_dict({**data, **asked})
    assert planner.suggest(scenario).status == "infeasible"
    found = planner.explain(scenario)
    assert (found.question, found.status) == ("what the scenario requires (b ends in 0304), by moves alone", "possible")
    assert planner.explain(planner.Scenario.from_dict({**data, **asked, "tier": []})).question.endswith(
        "(b ends in 0304)"
    )
