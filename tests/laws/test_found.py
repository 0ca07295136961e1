"""Positions in which a fault was found once, made as small as they go: the fault stays away."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import load_scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from tests.oracles.every_plan import EveryPlan

FOUND = sorted((Path(__file__).parent / "found").glob("*.toml"))

each_found = pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)


@each_found
def test_referee_and_solver_give_the_stated_verdicts_with_the_stated_blame(path: Path) -> None:
    scenario = load_scenario(path)
    for stated in scenario.verdicts:
        plan = Plan.parse(stated.moves)
        by_referee, by_solver = Referee(scenario.game).play(plan, scenario.start).violations, judge(scenario, plan)
        assert sorted(v.key for v in by_referee) == sorted(v.key for v in by_solver)
        for violations in (by_referee, by_solver):
            told = [(v.rule, v.unit, v.at, v.blame) for v in violations]
            if stated.legal:
                assert not told
            else:
                assert (stated.rule, stated.unit, stated.at, stated.blame) in told


@each_found
def test_search_and_every_plan_come_to_the_stated_value(path: Path) -> None:
    scenario = load_scenario(path)
    assert scenario.answer is not None
    value = tuple(map(Fraction, scenario.answer.value)) if scenario.answer.status == "optimal" else None
    result = Search(scenario).run()
    assert result.status == scenario.answer.status
    assert (result.value or None) == value
    assert EveryPlan(scenario).best() == value
