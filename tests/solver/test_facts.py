"""How far a plan of a model is from a known one is what the referee says, whatever facts the known one has."""

from __future__ import annotations

from pathlib import Path

import pytest
from ortools.sat.python import cp_model

from planner.referee.plan_facts import Substance
from planner.search.reach_cache import ReachCache
from planner.solver.side_constraints import Facts
from tests.plain_game import Variant, build

OTHERS = (
    Substance(frozenset({("f", "03.02")})),
    Substance(frozenset({("f", "05.06")})),  # 2 MP don't do
    Substance(frozenset({("e", "03.03")})),  # an enemy who has given way
    Substance(gone=frozenset("e")),  # nobody overruns anybody
    Substance(gone=frozenset("f")),
    Substance(carried=frozenset("f")),  # there are no boats
)


@pytest.mark.parametrize("other", OTHERS)
def test_facts_that_no_plan_of_a_model_has_keep_all_plans_away(tmp_path: Path, other: Substance) -> None:
    # Nobody moves: that is as far from each of them as one unit.
    scenario = build(Variant("few", units=("foot f 03.01 2",), enemies=("foot e 03.04 0",)), tmp_path)
    model = ReachCache(scenario, exact=True).build_options()
    distance = model.coupling.expression(Facts(model).distance(other))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    model.coupling.add_or([model.coupling.negate(model.coupling.units["f"].moves)])
    assert solver.solve(model.coupling.model) == cp_model.OPTIMAL
    assert (distance if isinstance(distance, int) else solver.value(distance)) == Substance().distance(other) == 1
