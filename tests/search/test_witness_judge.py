"""Plans that can't be legal are told from others before they are played."""

from __future__ import annotations

import pytest

from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.search.witness_judge import WitnessJudge
from tests.instances import instance


@pytest.mark.parametrize("family", ["dense", "joint"])
def test_whoever_overruns_a_hex_for_the_second_time_has_nothing_to_overrun(family: str) -> None:
    """With overruns by single units and by stacks; whether they may be made otherwise is no matter."""
    scenario = instance(family, "12", 1)
    game, start, referee, pairs = scenario.game, scenario.start, Referee(scenario.game), 0
    judge = WitnessJudge(scenario)
    judge.referee = None  # type: ignore[assignment]  # nothing is played
    own = [unit for unit in start.at if game.may_be_moved(unit)]
    for enemy, label in [(unit, label) for unit, label in start.at.items() if game.is_enemy(unit)][:3]:
        one, other = [Move((unit,), (start.at[unit], label), frozenset([1])) for unit in own[:2]]
        found = referee.play(Plan((one, other)), start, rolls=False)
        assert enemy not in found.position.at
        assert any(one.move == 1 and "has nothing to overrun" in one.message for one in found.violations)
        assert judge.goes(Plan((one, other)), own[1], label) is None
        pairs += 1
    assert pairs == 3
