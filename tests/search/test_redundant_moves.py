"""Plans that are shown have no move that could as well be left out."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

import planner
from planner.defense.request import as_asked
from planner.defense.search import defend
from planner.limits import Limits
from planner.objective.scoring import score, score_position, tier_values
from planner.plans.plan import Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.referee import Referee
from planner.scenario import Scenario, load_scenario
from planner.search.context import SearchContext
from planner.search.redundant_moves import Contributions, Services, leave_out_idle_moves, without_idle_moves
from planner.search.result import Result
from planner.search.search import Search
from tests.conftest import DEEP, sized
from tests.instances import instance
from tests.oracles.plans import Walker
from tests.oracles.positions import drawn
from tests.oracles.skirmishes import skirmish
from tests.plain_game import Variant, build

PLANS = sized(8, 16, 2_000)
POSITIONS = 60 if DEEP else 14


def worth(scenario: Scenario, plan: Plan) -> tuple[Fraction, ...] | None:
    """Return what a plan is worth on the referee; None where it is illegal or fails a requirement."""
    verdict = Referee(scenario.game).play(plan, scenario.start)
    if not verdict.legal:
        return None
    for requirement in scenario.requirements:
        for position, tally in verdict.all_outcomes():
            if requirement.score(scenario.game, position, tally) < requirement.full(scenario.game):
                return None
    return tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict))


def idle_moves(scenario: Scenario, plan: Plan) -> list[str]:
    """Return the moves without which a plan is worth as much."""
    value, found = worth(scenario, plan), []
    assert value is not None
    for index, move in enumerate(plan.moves):
        without = worth(scenario, Plan((*plan.moves[:index], *plan.moves[index + 1 :])))
        if without is not None and without >= value:
            found.append(str(move))
    return found


@pytest.mark.parametrize(
    "name",
    [
        "a_world_at_war/puzzles/through_the_gap",
        "classic_hex/no_way_out",
        "dai_senso/puzzles/either_exit",
        "dai_senso/puzzles/out_to_the_west",
        "great_war/puzzles/room_for_the_last",
        "ocs/puzzles/twice",
    ],
)
def test_the_best_plan_has_no_idle_move_where_moves_cost_nothing(name: str) -> None:
    scenario = load_scenario(name)
    plan = planner.suggest(scenario).plan
    assert plan is not None
    assert plan.moves
    assert not idle_moves(scenario, plan)


def test_after_the_overrun_nobody_goes_on_without_need() -> None:
    """By hand, as the author has it: both must come to L12 and overrun, then the corps passes. Nothing else is needed."""
    plan = planner.suggest("a_world_at_war/puzzles/through_the_gap").plan
    assert plan is not None
    assert len(plan.moves) == 4


def test_the_enemy_s_plans_in_a_defense_have_no_idle_move() -> None:
    scenario = as_asked(load_scenario("a_world_at_war/puzzles/through_the_gap"), ["army within 1"])
    found = defend(scenario, every=True)
    plans = {one.placement.at: one.plan for one in found.accepted}
    assert len(plans) == 3
    unplaced = plans[()]
    assert unplaced is not None
    assert not idle_moves(scenario, unplaced)


def test_who_is_of_no_use_beside_others_stays_behind() -> None:
    """Only a and c matter, c only after a: b is left out of both moves in which it takes part, and d's move goes."""
    plan = Plan.parse(["a+b A1-A2", "d A4-A5", "b+c A2-A3"])

    def accepts(tried: Plan, same: int) -> bool:
        assert tried.moves[:same] == plan.moves[:same]
        units = [unit for move in tried.moves for unit in move.units]
        return "a" in units and "c" in units

    short = without_idle_moves(plan, accepts, lambda move: False, lambda: False)
    assert str(short).splitlines() == ["a A1-A2", "c A2-A3"]
    assert without_idle_moves(plan, accepts, lambda move: "d" in move.units, lambda: False) == Plan.parse(
        ["a A1-A2", "d A4-A5", "c A2-A3"]
    )
    assert without_idle_moves(plan, accepts, lambda move: False, lambda: True) == plan


def test_who_makes_sure_of_a_combat_is_of_use_beside_another_one() -> None:
    """Together u0 and u1 are sure to win; u0 alone may lose, though it wins if all goes well."""
    scenario, _ = skirmish(299)
    result = Search(scenario).run()
    assert result.value == (5, -2)
    assert result.plan is not None
    assert [move.units for move in result.plan.moves] == [("u0", "u1")]


@pytest.mark.thorough
def test_moves_that_are_said_to_need_a_missing_one_break_a_rule_without_it() -> None:
    """Of random legal plans, every selection of moves: what the services refuse, the referee refuses."""
    broken = refused = enough = 0
    for seed in range(PLANS):
        scenario, rng = drawn(seed).scenario, random.Random(f"services {seed}")
        plans = (Walker(scenario, rng, care=1).plan() for _ in range(20))
        plan = max(plans, key=lambda one: len(one.moves) if worth(scenario, one) is not None else 0)
        if worth(scenario, plan) is None or len(plan.moves) < 2 or not Services.suit(plan.moves):
            continue
        services = Services(ConditionalReach(scenario.game), scenario.start, plan.moves)
        assert not services.fails(plan.moves)
        for count in range(1, len(plan.moves)):
            for few in combinations(plan.moves, count):
                legal = Referee(scenario.game).play(Plan(few), scenario.start).legal
                broken += not legal
                if services.fails(few):
                    refused += 1
                    assert not legal, f"seed {seed}: {Plan(few)}"
        for move in plan.moves:
            few = tuple(services.enough([move]))
            assert move in few
            enough += Referee(scenario.game).play(Plan(few), scenario.start).legal
    assert broken >= PLANS / 4
    assert refused >= broken / 2  # room that is missing, say, is left to the referee
    assert enough >= PLANS / 2


@pytest.mark.thorough
def test_what_a_move_brings_is_what_all_terms_together_say_without_it() -> None:
    # The unit back where it was, and whom it has removed, too: all terms are asked again, those that look elsewhere as well.
    shipped = (
        "dai_senso/island_campaign",
        "dai_senso/eastern_europe",
        "great_war/over_the_top",
        "dai_senso/quit_india",
    )
    boards = [instance("dense", "20/tiers=1", 0), instance("crowded", "20", 0), instance("islands", "8/convoys=4", 0)]
    needed = idle = 0
    for scenario in [*map(load_scenario, shipped), *boards, *(drawn(seed).scenario for seed in range(POSITIONS))]:
        result = Search(scenario).run()
        verdict, game = result.verdict, scenario.game
        if result.status != "optimal" or verdict is None or verdict.outcomes or verdict.position.lost:
            continue
        brought = Contributions(scenario, result)
        for played in verdict.moves:
            if len(played.move.units) > 1 or played.taken or played.rolls:
                continue
            (unit,) = played.move.units
            without = verdict.position.copy()
            for other in (unit, *(enemy for enemy in played.removed if enemy in game.units)):
                without.move(other, game.homes[other])
            tally = replace(verdict.tally, mp={u: mp for u, mp in verdict.tally.mp.items() if u != unit})
            less = tier_values(scenario.tiers, score_position(game, scenario.tiers, without, tally)) < result.value
            assert brought.is_needed(played.move) == less, f"{scenario.name}: {played.move}"
            needed, idle = needed + less, idle + (not less)
    print(f"{needed} moves bring something by themselves, {idle} don't")
    assert needed >= (50 if DEEP else 25)
    assert idle >= 3


@pytest.mark.parametrize("seed", [0, 1])
def test_on_a_front_no_move_is_idle_and_the_services_know_most_of_those_that_others_need(seed: int) -> None:
    scenario = instance("dense", "20/tiers=1", seed)
    result = Search(scenario).run()
    assert result.plan is not None
    assert result.status == "optimal"
    assert not idle_moves(scenario, result.plan)
    services = Services(ConditionalReach(scenario.game), scenario.start, result.plan.moves)
    known = needed = 0
    for move in result.plan.moves:
        without = tuple(other for other in result.plan.moves if other != move)
        illegal = worth(scenario, Plan(without)) is None
        needed += illegal
        known += services.fails(without)
        assert illegal or not services.fails(without)
    assert needed > 0
    assert known > needed / 2


@pytest.mark.parametrize(
    ("tiers", "moves", "bounds", "told"),
    [(1, "f 03.01-02.01", (0,), ("optimal", (0,))), (0, "f 03.01-02.01-02.02", (7, 0), ("feasible", (3, -2)))],
    ids=["idle", "of use"],
)
def test_a_plan_that_comes_to_its_bound_without_its_idle_moves_is_proved_best(
    tiers: int, moves: str, bounds: tuple[int, ...], told: tuple[str, tuple[int, ...]], tmp_path: Path
) -> None:
    """Where MP alone count, nothing makes it move; where 02.02 is to be held, its 2 MP are worth it."""
    scenario = build(Variant("idle"), tmp_path)
    context = SearchContext(replace(scenario, tiers=scenario.tiers[tiers:]), Limits(), None)
    verdict = context.replay(plan := Plan.parse(moves))
    limit = tuple(map(Fraction, bounds))
    found = leave_out_idle_moves(context, Result("feasible", 0.0, context.value(verdict), limit, plan, verdict))
    assert (found.status, found.value) == told
