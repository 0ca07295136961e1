"""On random positions of one unit a hex, wire and tanks a search comes to the best of all plans, and both faces agree."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

import planner
from planner.errors import InputError
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.scenario import Scenario, build_scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from planner.world.selectors import UnitSelector
from tests.conftest import DEEP, sized
from tests.oracles.rulebooks import with_rules
from tests.oracles.stacks import EveryStackPlan, stacks
from tests.oracles.trenches import doubtful_trenches, draw_trenches, random_march, trenches
from tests.seeds import in_chunks
from tests.solving import are_alike_in_disguise, are_as_good_without_dominance, searched, settled

SEEDS = sized(5, 50, 3_000)
CLEARING = sized(2, 16, 3_000)
PLANS = sized(50, 400, 20_000)
CAP = 1_000 if DEEP else 400
ALIKE = 500 if DEEP else 2
OFTEN = 100 if DEEP else 40
ORDERS = sized(5, 20, 1_000)


@pytest.mark.parametrize("seed", [20_758])
def test_a_map_that_is_all_water_has_room_for_somebody_who_moves(seed: int) -> None:
    scenario, _ = trenches(seed)
    assert any(unit in scenario.game.friends for unit in scenario.start.at)


def best(scenario: Scenario) -> Value | None:
    """Return the optimum by trying every plan; a position that is too large counts as not drawn."""
    return EveryStackPlan(scenario, CAP, 3).best()


@in_chunks(CLEARING)
def test_a_search_where_units_clear_the_way_comes_to_the_optimum_of_every_plan(seeds: range) -> None:
    assert settled(seeds, lambda seed: trenches(seed)[0], best) > len(seeds) / 2


@in_chunks(SEEDS // 4)
def test_a_search_that_may_rely_on_dice_comes_to_the_optimum_of_every_plan(seeds: range) -> None:
    assert settled(seeds, doubtful_trenches, best, proved=False) > len(seeds) / 2


@in_chunks(SEEDS // 2)
def test_dominance_costs_nothing_where_units_clear_the_way(seeds: range) -> None:
    are_as_good_without_dominance(seeds, trenches)


def told(violations: Iterable[Violation]) -> dict[object, set[str]]:
    """Return what is broken, with the blame of all outcomes of the dice."""
    found: dict[object, set[str]] = {}
    for violation in violations:
        found.setdefault(violation.key, set()).update(violation.blame)
    return found


@in_chunks(PLANS)
def test_referee_and_solver_find_the_same_things_wrong_with_marches(seeds: range) -> None:
    for seed in seeds:
        scenario, rng = trenches(seed)
        plan = random_march(scenario, rng)
        by_referee = Referee(scenario.game).play(plan, scenario.start).violations
        assert told(judge(scenario, plan)) == told(by_referee), f"seed {seed}:\n{plan}"


@pytest.mark.thorough
def test_order_and_dice_are_often_what_it_is_about() -> None:
    order = rolled = cleared = 0
    for seed in range(OFTEN):
        scenario, _ = trenches(seed)
        result = Search(scenario).run()
        moves = result.plan.moves
        assert Plan.parse(list(map(str, moves))).moves == moves, f"seed {seed}"
        alone = [Referee(scenario.game).play(Plan((move,)), scenario.start).legal for move in moves]
        order += not all(alone)
        rolled += bool(result.verdict.outcomes)
        cleared += any(played.taken for played in result.verdict.moves)
    print(f"order in {order} of {OFTEN} optima, dice in {rolled}, wire removed in {cleared}")
    assert order >= 0.15 * OFTEN
    assert rolled >= 0.15 * OFTEN
    assert cleared >= 0.03 * OFTEN


@in_chunks(SEEDS)
@pytest.mark.thorough
def test_neither_map_nor_names_nor_order_of_units_change_the_optimum_in_the_trenches(seeds: range) -> None:
    are_alike_in_disguise(seeds, trenches, ALIKE)


def test_more_orders_are_never_worse() -> None:
    better = 0
    for seed in range(ORDERS):
        data = draw_trenches(random.Random(f"trenches {seed}"))
        more = {**data, "orders": {section: number + 1 for section, number in data["orders"].items()}}
        few, many = (searched(build_scenario(given, "orders")) for given in (data, more))
        assert many[0] >= few[0], f"seed {seed}"
        better += many[0] > few[0]
    assert better >= ORDERS / 5


def patient(scenario: Scenario) -> Scenario:
    """Return a position in which every unit may break off its move and go on later, as no printed rules let tanks."""
    waiting = {"waiting": UnitSelector()}
    rules = scenario.game.rulebook.rules
    return with_rules(
        scenario, [rule.model_copy(update=waiting) if rule.kind == "sequence" else rule for rule in rules]
    )


def broken_off(plan: Plan, rng: random.Random) -> Plan:
    """Return a plan in which some of those who make more steps than one break off and go on later, or bog down."""
    moves = list(plan.moves)
    for move in plan.moves:
        if len(move.path) > 2 and rng.random() < 0.6:
            index, step = moves.index(move), rng.randrange(1, len(move.path) - 1)
            moves[index] = replace(move.until(step), failed=rng.random() < 0.1)
            moves.insert(rng.randint(index + 1, len(moves)), replace(move.beyond(step), failed=False))
    return Plan(tuple(moves))


@in_chunks(PLANS // 8)
def test_referee_and_solver_find_the_same_things_wrong_with_tanks_that_go_on_later(seeds: range) -> None:
    """Whatever dice come to, wherever nobody may rely on them; some positions let moves rely on likely results."""
    for seed in seeds:
        scenario, rng = trenches(seed)
        scenario = patient(doubtful_trenches(seed) if seed % 3 == 0 else scenario)
        plan = random_march(scenario, rng)
        for tried in (plan, broken_off(plan, rng)):
            by_referee = Referee(scenario.game).play(tried, scenario.start).violations
            assert told(judge(scenario, tried)) == told(by_referee), f"seed {seed}:\n{tried}"


def test_who_may_have_bogged_down_doesnt_go_on_later() -> None:
    """A die is rolled for its second hex, and a tank that it stops there has no move left, patient as it may be."""
    scenario = two_tanks(2, waiting=True)
    plan = Plan.parse(["later F6-F5-F6", "later F6-F5"])
    expected = [("Tank Bogged Down", "later", 1, 0, "F6")]
    assert [one.key for one in Referee(scenario.game).play(plan, scenario.start).violations] == expected
    assert [one.key for one in judge(scenario, plan)] == expected


def test_the_solver_says_of_which_plans_it_doesnt_judge_the_rolls() -> None:
    """By OCS's table an overrun at 9:1 may fail; then u0 isn't where its second move begins, if it could go on later."""
    scenario = patient(stacks(13)[0])
    plan = ["u0 10.11x10.12", "u0 10.12-10.11"]
    assert not planner.check(scenario, plan).legal
    with pytest.raises(InputError, match="overruns that may fail"):
        planner.check(scenario, plan, solver=True)
    walk = ["u0 10.11-10.10", "u0 10.10-10.11"]
    by_solver, by_referee = (planner.check(scenario, walk, solver=way).violations for way in (True, False))
    assert [one.key for one in by_solver] == [one.key for one in by_referee]


def two_tanks(orders: int, waiting: bool) -> Scenario:
    """Return a position of two tanks that may be ordered in one section; no printed rules let tanks wait."""
    data = {
        "format": "planner/scenario-1",
        "model": "great_war",
        "phase": "movement",
        "phasing": "allied",
        "orders": {"center": orders},
        "map": {"hexes": {"F4 F5 F6": {"terrain": "countryside", "traits": ["center"]}}},
        "unit": [
            {"id": "early", "side": "allied", "type": "early_tank", "at": "F4"},
            {"id": "later", "side": "allied", "type": "later_tank", "at": "F6"},
        ],
        "tier": [{"terms": [{"kind": "mp_spent"}]}],
    }
    scenario = build_scenario(data, "two tanks")
    return patient(scenario) if waiting else scenario


@pytest.mark.parametrize("waiting", [False, True])
def test_no_more_units_have_orders_than_there_are_also_where_units_may_wait(waiting: bool) -> None:
    """The order of whoever goes on is the one that it has; in a phase in progress, too."""
    scenario, steps = two_tanks(1, waiting), ["early F4-F5", "early F5-F4", "later F6-F5"]
    for now, moves in ((scenario, steps[:1] + steps[2:]), (scenario, steps), (scenario.after(steps[0]), steps[1:])):
        plan = Plan.parse(moves)
        broken = {one.key for one in Referee(now.game).play(plan, now.start).violations}
        assert {one.key for one in judge(now, plan)} == broken
        assert ("Movement", "later", len(moves) - 1, 0, "F6") in broken


def test_who_has_bogged_down_stands_where_it_has_got_also_where_units_may_wait() -> None:
    """No printed rules let tanks wait: then, too, the second one finds the first in F5."""
    for bound in (two_tanks(2, waiting=False), two_tanks(2, waiting=True)):
        for moves, broken in (
            (["early F4-F5!"], []),
            (["early F4-F5!", "later F6-F5"], [("Unit Movement", "later", 1, 1, "F5")]),
        ):
            plan = Plan.parse(moves)
            assert [one.key for one in Referee(bound.game).play(plan, bound.start).violations] == broken
            assert [one.key for one in judge(bound, plan)] == broken
