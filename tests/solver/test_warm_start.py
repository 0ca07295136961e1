"""A search of the solver begins with what is known already, and what it begins with is a whole solution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from planner.limits import Limits
from planner.objective.scoring import score, tier_values
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search import context
from planner.search.greedy import FirstPlan
from planner.search.reach_cache import ReachCache
from planner.search.search import Search
from planner.solver.engine import complete_hint, holds_in
from planner.solver.model import Model
from planner.solver.possibility_layer import Options
from planner.solver.tuning import AllAtOnce
from planner.solver.warm_start import hint_moves, hint_nobody_moves
from tests.conftest import sized
from tests.oracles.islands import islands
from tests.oracles.positions import drawn
from tests.oracles.stacks import stacks

SEEDS = sized(4, 8, 600)


def whole(model: Model) -> dict[int, int]:
    """Complete a hint, and return it."""
    complete_hint(model.coupling.model, Limits())
    hint = model.coupling.model.proto.solution_hint
    return dict(zip(hint.vars, hint.values, strict=True))


@pytest.mark.parametrize(
    "position", [lambda seed: drawn(seed).scenario, lambda seed: islands(seed)[0], lambda seed: stacks(seed)[0]]
)
def test_the_first_plan_becomes_a_whole_solution_of_the_same_worth(position: Callable[[int], Scenario]) -> None:
    begun = 0
    for seed in range(SEEDS):
        scenario = position(seed)
        if scenario.requirements:  # no search begins with a plan then
            continue
        ground = ReachCache(scenario)
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


def test_a_hint_leaves_open_which_of_several_zones_a_unit_crosses() -> None:
    # Found at random: u1 and u2 sail, and the way that is listed first is across n for both, where there is one ship.
    ground = ReachCache(islands(102)[0])
    first = FirstPlan(ground.scenario, ground.reach, ground.relevant)
    first.find()
    assert [unit for unit, done in first.chosen.items() if done.carried] == ["u1", "u2"]
    model = ground.build_options(possibilities=ground.relevant)
    hint_moves(model, first.chosen)
    assert len(whole(model)) == len(model.coupling.model.proto.variables)


def test_a_hint_says_who_does_what_in_which_order_and_names_each_variable_once() -> None:
    ordered = 0
    for seed in range(SEEDS):
        ground = ReachCache(drawn(seed).scenario)
        model = ground.build_options()
        assert isinstance(model.layer, Options)
        chosen = {unit: options[-1][0] for unit, options in reversed(model.layer.chosen.items()) if options}
        hint_nobody_moves(model)
        hint_moves(model, chosen)
        hint = model.coupling.model.proto.solution_hint
        told = dict(zip(hint.vars, hint.values, strict=True))
        assert len(told) == len(hint.vars), "each once"
        for unit, options in model.layer.chosen.items():
            assert [bool(told[literal.index]) for _, literal in options] == [o is chosen[unit] for o, _ in options]
        place, order = list(chosen), model.coupling.order
        for (a, b), literal in order.pairs().items() if order is not None else ():
            if a in chosen and b in chosen and literal.index >= 0:
                assert bool(told[literal.index]) == (place.index(a) < place.index(b))
                ordered += 1
    assert ordered >= SEEDS / 4


def test_nothing_is_said_of_a_unit_that_does_what_the_model_does_not_have() -> None:
    ground = ReachCache(drawn(3).scenario)
    model = ground.build_options()
    assert isinstance(model.layer, Options)
    unit, options = next((unit, options) for unit, options in model.layer.chosen.items() if options)
    hint_moves(model, {unit: options[0][0]._replace(mp=options[0][0].mp + 1)})
    told = set(model.coupling.model.proto.solution_hint.vars)
    assert told
    assert told.isdisjoint(literal.index for _, literal in options)


@pytest.mark.parametrize("position", [lambda seed: drawn(seed).scenario, lambda seed: stacks(seed)[0]])
def test_a_search_begins_with_its_first_plan(
    position: Callable[[int], Scenario], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, begins = context.run_in_stages, []

    def run_in_stages(model: Any, *rest: Any) -> Any:
        begins.append(dict(zip(model.proto.solution_hint.vars, model.proto.solution_hint.values, strict=True)))
        return real(model, *rest)

    monkeypatch.setattr(context, "run_in_stages", run_in_stages)
    monkeypatch.setattr(AllAtOnce, "variables", 0)  # nothing is proved at a glance
    for seed in range(10):
        begins.clear()
        looked_for = Search(position(seed))
        looked_for.run()
        if begins and (best := looked_for.context.incumbent) is not None and best.plan.moves:
            hinted = sum(begins[0].values())
            assert hinted >= len(best.plan.moves), f"seed {seed}: who moves is hinted"
            break
    else:
        pytest.fail("no position with a first plan")
