"""A search of the solver begins with what is known already, and what it begins with is a whole solution."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from planner.first_plan import FirstPlan
from planner.referee import Referee
from planner.results import score, tier_values
from planner.scenario import Scenario
from planner.solver.engine import complete_hint, holds_in
from planner.solver.groundwork import Groundwork
from planner.solver.hints import hint_moves, hint_nobody_moves
from planner.solver.model import Model
from planner.solver.options import Options
from tests.conftest import DEEP
from tests.oracles.islands import islands
from tests.oracles.positions import drawn
from tests.oracles.stacks import stacks

SEEDS = 600 if DEEP else 40


def whole(model: Model) -> dict[int, int]:
    """Complete a hint, and return it."""
    complete_hint(model.coupling.model, None, threading.Event())
    hint = model.coupling.model.proto.solution_hint
    return dict(zip(hint.vars, hint.values, strict=True))


@pytest.mark.parametrize(
    "position", [lambda seed: drawn(seed).scenario, lambda seed: islands(seed)[0], lambda seed: stacks(seed)[0]]
)
def test_the_first_plan_becomes_a_whole_solution_of_the_same_worth(position: Callable[[int], Scenario]) -> None:
    begun = 0
    for seed in range(SEEDS):
        scenario = position(seed)
        ground = Groundwork(scenario)
        first = FirstPlan(scenario, ground.reach, ground.relevant)
        plan = first.find()
        verdict = Referee(scenario.game).play(plan, scenario.start)
        if not plan.moves or not verdict.legal:
            continue
        assert [move.units for move in plan.moves] == [(unit,) for unit in first.chosen]
        model = ground.build_options(possibilities=ground.relevant)
        hint_moves(model, first.chosen)
        solution = whole(model)
        assert len(solution) == len(model.coupling.model.proto.variables), f"seed {seed}: it is no solution"
        made = model.plan(holds_in([solution[index] for index in range(len(solution))]))
        again = Referee(scenario.game).play(made, scenario.start)
        assert again.legal
        worths = [tier_values(scenario.tiers, score(scenario.game, scenario.tiers, one)) for one in (verdict, again)]
        assert worths[0] == worths[1], f"seed {seed}"
        begun += 1
    assert begun >= SEEDS / 4


def test_a_hint_names_every_variable_once_and_only_what_is_said() -> None:
    ground = Groundwork(drawn(3).scenario)
    model = ground.build_options()
    hint_nobody_moves(model)
    hint_moves(model, {})
    hint = model.coupling.model.proto.solution_hint
    assert len(set(hint.vars)) == len(hint.vars)
    assert isinstance(model.layer, Options)
    options = sum(map(len, model.layer.chosen.values()))
    assert options <= len(hint.vars) <= options + len(model.coupling.units) + len(model.layer.teams)
