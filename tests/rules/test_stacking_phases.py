"""Where limits hold at the end of some phases alone, others may end with any number, as both faces have it."""

from __future__ import annotations

import planner
from planner.playing.position import Position


def test_who_enters_may_crowd_until_the_side_moves_next() -> None:
    """At the end of the movement, 0106 holds two at most: one of three must go."""
    start = planner.load("crossroads/start")
    units = start.with_units([{"id": "b3", "at": "0106"}], without=start.game.units.keys() - {"b3", "bt2", "bm2", "r9"})
    data = {key: value for key, value in units.to_dict().items() if key not in ("tier", "verdict", "answer")}
    data |= {"phase": "reinforcement", "turn": 2, "tier": [{"terms": [{"kind": "units_moved"}]}]}
    entering = planner.Scenario.from_dict(data)
    plan = ["bt2 [blue_reserve]-0106", "bm2 [blue_reserve]-0106"]
    assert planner.check(entering, plan).legal
    found = planner.suggest(entering, time_limit=10)
    assert (found.status, found.value) == ("optimal", (-2,))
    position = Position(entering)
    for move in plan:
        position.push(move)
    position.end_phase()
    assert [one.rule for one in position.problems()] == ["6.1"]
    found = position.suggest(time_limit=10)
    assert (found.status, found.value) == ("optimal", (-1,))
