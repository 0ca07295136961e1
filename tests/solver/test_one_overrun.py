"""That an enemy is overrun once at most is said beside the order of the moves, from which it follows."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.limits import Limits
from planner.reachability.conditional_reach import ConditionalReach
from planner.scenario import Scenario
from planner.solver.cp_sat import cp_model, maximize
from planner.solver.engine import Configuration
from planner.solver.model import Model, build_options, unscaled
from planner.solver.order_relaxation import Unordered
from tests.conftest import sized
from tests.instances import instance, list_possibilities
from tests.oracles.stacks import stacks
from tests.plain_game import BOGGING, OVERRUN, SHUT, placed, write_model
from tests.seeds import in_chunks

SEEDS = sized(20, 100, 3_000)


def model_of(scenario: Scenario) -> Model:
    reach = ConditionalReach(scenario.game)
    return build_options(scenario, list_possibilities(reach), reach)


def two_may_hold(model: Model) -> list[bool]:
    """Tell of all sets of moves of which one is made at most whether two could be made if that weren't said."""
    without = model.coupling.model.clone()
    sets = []
    for one in without.proto.constraints:
        # Where one literal is negative, it says what moves need.
        if one.has_at_most_one() and min(one.at_most_one.literals) >= 0:
            sets.append(list(one.at_most_one.literals))
            one.clear_at_most_one()
    found = []
    for literals in sets:
        asked = without.clone()
        asked.add(sum(asked.get_bool_var_from_proto_index(index) for index in literals) >= 2)
        found.append(cp_model.CpSolver().solve(asked) != cp_model.INFEASIBLE)
    return found


@in_chunks(SEEDS, 10)
def test_no_plan_is_lost_by_saying_that_an_enemy_is_overrun_once(seeds: range) -> None:
    for seed in seeds:
        assert not any(two_may_hold(model_of(stacks(seed)[0]))), f"seed {seed}"


@pytest.mark.thorough
def test_no_plan_is_lost_by_that_on_a_larger_board() -> None:
    said = two_may_hold(model_of(instance("stacks", "8", 0)))
    assert said, "nothing is said of overruns here"
    assert not any(said)


def test_three_overruns_of_one_enemy_are_worth_the_best_even_without_an_order() -> None:
    """Odds of 1:1, 2:1 and 3:1: without an order, all three chances would count, added up."""
    hexes = {f"{column}.{row}": {"terrain": "open"} for column in (10, 11, 12) for row in (10, 11, 12)}
    scenario = Scenario.from_dict({
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": hexes},
        "unit": [
            *({"id": f"u{number}", "side": "axis", "type": "tank", "values": f"{4 * number}-4-5", "at": at}
              for number, at in ((1, "11.10"), (2, "10.11"), (3, "12.11"))),
            {"id": "e", "side": "allied", "type": "infantry", "values": "2-4-2", "at": "11.11"},
        ],
        "tier": [{"terms": [{"kind": "eliminate", "units": ["e"], "weight": 1}]}],
    })  # fmt: skip
    model = model_of(scenario)
    coupling, best = model.coupling, max(team.removes[0][1] for team, _ in model.layer.teams if team.removes)
    assert coupling.order is not None
    assert 0 < best < 1
    expression = coupling.expression(model.tiers[0])
    assert not isinstance(expression, int)
    maximize(coupling.model, expression)
    free = Unordered(coupling.model, coupling.order.pairs())
    solved = free.improve(Configuration(subsolvers=("max_lp",), presolve=True, unordered=True), Limits())
    assert solved.value is not None
    assert unscaled(solved.value, model.scale) == Fraction(best)
    assert free.rounds == 0, "the order had to come back"


def test_an_enemy_whom_two_overrun_one_after_the_other_is_eliminated_once(tmp_path: Path) -> None:
    """Scouts may bog down, so that the objective is an average. 3 for e, and 1 for each of the others: c makes way for b."""
    bogging = BOGGING.replace("who = {}", 'who = { types = "scout" }')
    overrun = OVERRUN.replace("by = {}", 'by = { types = "foot" }')
    model = write_model(tmp_path / "game", SHUT + overrun + bogging)
    units = [
        {"id": unit, "side": side, "type": kind, "values": f"1-{ma}", "at": at}
        for unit, side, kind, ma, at in (
            ("a", "south", "scout", 1, "03.03"), ("b", "south", "foot", 1, "03.03"),
            ("c", "south", "foot", 2, "03.03"), ("e", "north", "foot", 0, "03.04"),
        )
    ]  # fmt: skip
    goals = [{"kind": "eliminate", "units": "e", "weight": 3}]
    goals += [{"kind": "end", "unit": unit, "at": at} for unit, at in (("a", "03.02"), ("b", "03.04"), ("c", "03.05"))]
    found = planner.suggest(placed(model, {"03.02 03.03 03.04 03.05": "plain"}, units, tier=[{"terms": goals}]))
    assert (found.status, found.value) == ("optimal", (6,))
