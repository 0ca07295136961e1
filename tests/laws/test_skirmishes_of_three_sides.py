"""Of three sides at odds nobody gives way to an enemy of his: a search finds the best of all plans, both faces agree."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

from ortools.sat.python import cp_model

from planner.objective.scoring import score, tier_values
from planner.playing.position import Position
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario, build_scenario
from planner.search.combat_bound import CombatBound
from planner.search.combat_model import total_of
from planner.search.search import Search
from planner.solver.judged_worlds import worlds
from planner.solver.plan_judge import judge
from tests.conftest import DEEP, sized
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.skirmishes import draw_three_sides, sorties
from tests.seeds import in_chunks

SEEDS = sized(2, 12, 3_000)
CAP = 4_000 if DEEP else 400
OFTEN = 100 if DEEP else 32


def three_sides(seed: int) -> Scenario:
    """Return the position of a seed."""
    return build_scenario(draw_three_sides(random.Random(f"three sides {seed}")), f"three sides {seed}")


@in_chunks(SEEDS)
def test_a_search_comes_to_the_best_of_all_plans_and_none_comes_to_more_than_the_bound(seeds: range) -> None:
    settled = 0
    for seed in seeds:
        scenario = three_sides(seed)
        game, reach = scenario.game, ConditionalReach(scenario.game)
        try:
            plans = list(sorties(scenario, CAP))
        except TooManyStatesError:
            continue
        settled += 1
        best = max(tier_values(scenario.tiers, score(game, scenario.tiers, verdict)) for _, verdict in plans)
        [rule] = game.rulebook.of(Fights)
        bound = CombatBound(scenario, reach, rule)
        bound.model.maximize(total_of(bound.first))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        assert solver.solve(bound.model) == cp_model.OPTIMAL
        assert best[0] <= Fraction(round(solver.best_objective_bound), bound.scale), f"seed {seed}"
        found = Search(scenario).run()
        assert found.value == best, f"seed {seed}"
        assert found.bound >= best, f"seed {seed}"
        for plan, verdict in random.Random(seed).sample(plans, min(len(plans), 20)):
            assert not judge(scenario, plan)
            drawn, modelled = Counter[object](), Counter[object]()
            for outcome in verdict.outcomes:
                drawn[frozenset(outcome.position.at.items())] += outcome.probability
            for world in worlds(reach, plan) if verdict.outcomes else ():
                where = {unit: label for unit in game.homes if (label := world.where(unit))}
                modelled[frozenset(where.items())] += world.probability
            assert modelled == drawn, f"seed {seed}:\n{plan}"
    assert settled > len(seeds) / 3


@in_chunks(SEEDS)
def test_phases_end_whatever_has_come_out(seeds: range) -> None:
    for seed in seeds:
        game, dice = Position(three_sides(seed)), random.Random(seed)
        for _ in range(6):
            for _ in range(2):
                if moves := list(game.legal_moves()):
                    game.push(dice.choice(moves))
                while game.outcomes:
                    game.roll(dice)
            game.end_phase()


def test_a_third_side_often_keeps_somebody_from_giving_way() -> None:
    """A combat comes to something else than if the enemies were allies."""
    changed = 0
    for seed in range(OFTEN):
        data = draw_three_sides(random.Random(f"three sides {seed}"))
        apart, allied = (
            Position(build_scenario({**data, "charts": {**data["charts"], "alliances": alliances}}, "three sides"))
            for alliances in ([], [["red", "green"]])
        )
        changed += any(apart.preview(move).rolls != allied.preview(move).rolls for move in apart.legal_moves())
    print(f"a third side changes what comes of a move in {changed} of {OFTEN} positions")
    assert changed >= 0.1 * OFTEN
