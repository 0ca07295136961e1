"""On random positions where entering an enemy's hex is a combat a search finds the best of all plans; both faces agree."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from ortools.sat.python import cp_model

from planner.explanation.relaxation import Scope, relaxed
from planner.limits import Limits
from planner.objective.scoring import score, tier_values
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.referee import Referee
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario, build_scenario, load_scenario
from planner.search.combat_bound import CombatBound
from planner.search.combat_model import total_of
from planner.search.search import Search
from planner.solver.judged_worlds import worlds
from planner.solver.plan_judge import judge
from planner.solver.side_constraints import Conditions
from planner.solver.tuning import Enumeration
from tests.conftest import DEEP, sized
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.skirmishes import best_plan, draw_packed, draw_skirmish, random_sortie, skirmish, sorties
from tests.oracles.transform import in_turn, moved_map, relabelled, reordered, symmetries
from tests.seeds import in_chunks

SEEDS = sized(1, 16, 3_000)
RELAXED = sized(2, 12, 1_000)
PACKED = sized(4, 24, 3_000)
RELATED = sized(3, 12, 3_000)
PLANS = sized(50, 400, 20_000)
CAP = 4_000 if DEEP else 400
ALIKE = 300 if DEEP else 1
OFTEN = 100 if DEEP else 32
REACTING = {1252}
"""Where who reacts to the first result does better than any plan, by what every step comes to."""


@in_chunks(SEEDS)
def test_a_search_with_combats_comes_to_the_best_of_all_plans(seeds: range) -> None:
    settled = 0
    for seed in seeds:
        scenario, _ = skirmish(seed)
        try:
            value, plan = best_plan(scenario, CAP)
        except TooManyStatesError:
            continue
        settled += 1
        result = Search(scenario).run()
        assert result.value == value, f"seed {seed}:\n{plan}"
        assert all(bound >= one for bound, one in zip(result.bound, value, strict=True)), f"seed {seed}"
        assert result.status in ("optimal", "feasible")
    assert settled > len(seeds) / 2


@in_chunks(RELAXED)
def test_where_combats_bind_some_alone_a_search_comes_to_the_best_of_all_plans_too(seeds: range) -> None:
    """Whoever they don't bind has the best result, as the referee says, and may fight again: the table bounds nothing."""
    settled = 0
    for seed in seeds:
        scenario, rng = skirmish(seed)
        somewhere = frozenset([rng.choice(sorted(scenario.game.board.hexes))])
        combats = rng.choice(([], [Scope("combat")], [Scope("combat", "u0")], [Scope("combat", hexes=somewhere)]))
        costs = rng.choice(([], [Scope("costs", pays=True)]))
        game = relaxed(scenario, [*combats, *costs])
        try:
            value, plan = best_plan(game, CAP)
        except TooManyStatesError:
            continue
        settled += 1
        found = Search(game, Limits.within(20)).run()
        assert found.value <= value, f"seed {seed}"
        assert found.bound[0] >= value[0], f"seed {seed}:\n{plan}"
        assert found.status != "optimal" or found.value == value, f"seed {seed}:\n{plan}"
    assert settled > len(seeds) / 4


@in_chunks(PACKED)
def test_no_plan_comes_to_more_than_the_bound_where_enemies_give_way_onto_each_other(seeds: range) -> None:
    """As it is known before anything is proposed; and mostly it is less than all that could be had."""
    settled = less = 0
    for seed in seeds:
        scenario = build_scenario(draw_packed(random.Random(f"packed {seed}")), f"packed {seed}")
        [rule] = scenario.game.rulebook.of(Fights)
        bound = CombatBound(scenario, ConditionalReach(scenario.game), rule)
        bound.model.maximize(total_of(bound.first))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        assert solver.solve(bound.model) == cp_model.OPTIMAL
        most = Fraction(round(solver.best_objective_bound), bound.scale)
        try:
            value, plan = best_plan(scenario, CAP)
        except TooManyStatesError:
            continue
        settled += 1
        less += most < bound.ceilings[0]
        assert value[0] <= most, f"seed {seed}:\n{plan}"
    assert settled > len(seeds) / 3
    assert less > settled / 2


@pytest.mark.parametrize("seed", [173, 923, 1252, 1734, 2002, *([778] if DEEP else [])])
@pytest.mark.thorough
def test_where_proposals_miss_the_best_plan_all_others_are_gone_through_and_it_is_proved(seed: int) -> None:
    # Found at random, in positions of up to 4,000 standings.
    scenario, _ = skirmish(seed)
    value, _ = best_plan(scenario, 4_000)
    result = Search(scenario).run()
    assert (result.status, result.value, result.bound) == ("optimal", value, value)


@pytest.mark.parametrize("seed", [pytest.param(173, marks=pytest.mark.thorough), 923, 1252, 1734, 2002])
def test_what_every_step_in_every_situation_comes_to_is_no_less_than_the_best_plan_and_mostly_proves_it(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As above, but that no plan is tried which isn't a proposal."""
    monkeypatch.setattr(Enumeration, "work", 0)
    monkeypatch.setattr(Enumeration, "walked", 0)
    scenario, _ = skirmish(seed)
    value, _ = best_plan(scenario, 4_000)
    result = Search(scenario).run()
    assert result.value <= value <= result.bound
    assert (result.status == "optimal") == (seed not in REACTING)


@pytest.mark.thorough
def test_nearly_all_of_these_positions_are_proved() -> None:
    found = [Search(skirmish(seed)[0]).run().status for seed in range(20)]
    print(f"proved: {found.count('optimal')} of {len(found)}")
    assert found.count("optimal") >= 19


@in_chunks(PLANS)
def test_referee_and_solver_find_the_same_things_wrong_with_sorties(seeds: range) -> None:
    for seed in seeds:
        scenario, rng = skirmish(seed)
        plan = random_sortie(scenario, rng)
        by_referee = {violation.key for violation in Referee(scenario.game).play(plan, scenario.start).violations}
        by_judge = {violation.key for violation in judge(scenario, plan)}
        if any(rule == "3.3" for rule, *_ in by_referee):
            # Who moves on after a combat may come into another: what that leads to is no matter of rules any more.
            assert any(rule == "3.3" for rule, *_ in by_judge), f"seed {seed}:\n{plan}"
        else:
            assert by_judge == by_referee, f"seed {seed}:\n{plan}"


@in_chunks(SEEDS)
def test_referee_and_solver_draw_combats_alike(seeds: range) -> None:
    """The best plans with everything to which they may lead: the same places, with the same probabilities."""
    for seed in seeds:
        scenario, _ = skirmish(seed)
        plan = Search(scenario).run().plan
        verdict = Referee(scenario.game).play(plan, scenario.start)
        drawn: Counter[object] = Counter()
        for outcome in verdict.outcomes:
            drawn[frozenset(outcome.position.at.items())] += outcome.probability
        modelled: Counter[object] = Counter()
        for world in worlds(ConditionalReach(scenario.game), plan):
            where = {unit: label for unit in scenario.game.homes if (label := world.where(unit))}
            modelled[frozenset(where.items())] += world.probability
        if verdict.outcomes:
            assert modelled == drawn, f"seed {seed}"


@pytest.mark.thorough
def test_combats_are_what_it_is_about() -> None:
    fought = together = twice = 0
    for seed in range(OFTEN):
        moves = Search(skirmish(seed)[0]).run().plan.moves
        attacks = [move for move in moves if move.overruns]
        fought += bool(attacks)
        together += any(len(move.units) > 1 for move in attacks)
        twice += len(attacks) > 1
    print(f"a combat in {fought} of {OFTEN} plans, a joint one in {together}, several in {twice}")
    assert fought >= 0.4 * OFTEN
    assert together >= (5 if DEEP else 1)
    assert twice >= 0.05 * OFTEN


def relations(data: dict[str, Any], scenario: Scenario, rng: random.Random) -> dict[str, dict[str, Any]]:
    """Return positions that must be worth the same, by what has been done to the first one."""
    # In a mirror, defenders would give way to the other side.
    turned = [(name, symmetry) for name, symmetry in symmetries() if not name.startswith("mirrored")]
    found = {name: moved_map(data, scenario, symmetry) for name, symmetry in turned}
    ids = [unit["id"] for unit in data["unit"]]
    found["renamed"] = relabelled(data, {unit: f"n{number}" for number, unit in enumerate(ids)})
    if len({unit["values"] for unit in data["unit"]}) == len(ids):  # equals take damage in the order of the scenario
        found["reordered"] = reordered(data, rng)
    return found


@in_chunks(RELATED)
@pytest.mark.thorough
def test_neither_map_nor_names_nor_order_change_what_combats_come_to(seeds: range) -> None:
    """Every relation on the first positions, one of them in turn on each of the others."""
    for seed in seeds:
        scenario, rng = skirmish(seed)
        data = draw_skirmish(random.Random(f"skirmish {seed}"))
        best = Search(scenario).run().value
        for name, other in in_turn(relations(data, scenario, rng), seed, ALIKE).items():
            assert Search(build_scenario(other, name)).run().value == best, f"seed {seed}, {name}"


def test_draws_from_the_table_come_out_as_often_as_is_said() -> None:
    """6 against 4 is the column of 50 %; where the first unit fails, a second unit of 6 attacks what is left."""
    table = ((1, 0), (1, 1), (0, 1), (0, 1), (0, 1), (0, 2))
    weaker = ((0, 1), (0, 1), (0, 1), (0, 2), (0, 2), (0, 2))  # 6 against a demoralized 2 is the column of 200 %
    rng, draws, taken, destroyed = random.Random(5), 100_000 if DEEP else 10_000, 0, 0
    for _ in range(draws):
        ours, theirs = rng.choice(table)
        if theirs > ours:
            taken += 1
            destroyed += theirs == 2
            continue
        shaken = theirs == 1
        ours, theirs = rng.choice(weaker if shaken else table)
        if theirs > ours:
            taken += 1
            destroyed += theirs + shaken >= 2
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "classic_hex",
            "phase": "movement",
            "phasing": "blue",
            "map": {"hexes": {"0404 0405 0406 0407": "clear"}},
            "unit": [
                {"id": "one", "side": "blue", "type": "infantry", "values": "6-3", "at": "0404"},
                {"id": "two", "side": "blue", "type": "infantry", "values": "6-3", "at": "0404"},
                {"id": "e", "side": "red", "type": "infantry", "values": "4-3", "at": "0405"},
            ],
            "require": [{"kind": "stay", "units": ["one", "two"]}],
            "tier": [
                {"terms": [{"kind": "hold", "hexes": "0405"}]},
                {"terms": [{"kind": "eliminate", "units": ["e"]}]},
            ],
        },
        "draws",
    )
    verdict = Referee(scenario.game).play(Plan.parse(["one 0404x0405", "two 0404x0405"]), scenario.start)
    said = [entry.count for entry in score(scenario.game, scenario.tiers, verdict)]
    for count, chance in zip((taken, destroyed), said, strict=True):
        assert abs(Fraction(count, draws) - chance) <= 4 * sqrt(chance * (1 - chance) / draws)


def test_a_combat_whose_damage_is_known_has_one_outcome() -> None:
    """3 and 3 against 4, the column of 50 %: with (1,1) both sides are hurt alike, and the attackers go back."""
    scenario = load_scenario("classic_hex/six_against_four")
    plan = Plan.parse(["x+y 0404x0405=1:1"])
    verdict = Referee(scenario.game).play(plan, scenario.start)
    assert verdict.legal
    assert not verdict.outcomes
    assert verdict.position.at == {"x": "0404", "y": "0404", "e": "0405"}
    assert verdict.position.demoralized == {"x", "e"}
    assert Plan.parse(str(plan)) == plan
    for moves in ("x+y 0404x0405=3:1", "x 0404-0404=0:1"):
        told = {
            violation.key for violation in Referee(scenario.game).play(Plan.parse(moves), scenario.start).violations
        }
        assert told == {violation.key for violation in judge(scenario, Plan.parse(moves))}
        assert told


@in_chunks(sized(1, 12, 1_000))
def test_what_is_settled_of_combats_is_completed_as_well_as_can_be_or_proved_impossible(seeds: range) -> None:
    """One unit ends in a hex, mostly an enemy's, if all goes well, and another one makes no move."""
    for seed in seeds:
        scenario, _ = skirmish(seed)
        rng, game = random.Random(seed), scenario.game
        own = sorted(unit for unit in game.friends if unit in scenario.start.at)
        held = sorted(
            {at for unit, at in scenario.start.at.items() if game.is_enemy(unit)}.intersection(game.board.hexes)
        )
        if len(own) < 2 or not held:
            continue
        goes, stays = rng.sample(own, 2)
        place = rng.choice(held if rng.random() < 0.7 else sorted(game.board.hexes))
        values = []
        try:
            for plan, verdict in sorties(scenario, CAP):
                moves = any(stays in move.units for move in plan.moves)
                if verdict.position.at.get(goes) == place and not moves:
                    values.append(tier_values(scenario.tiers, score(game, scenario.tiers, verdict)))
        except TooManyStatesError:
            continue
        settled = Conditions(PartialPlan(ends=((goes, (place,)),), stays=(stays,)))
        found = Search(replace(scenario, requirements=()), conditions=settled).run()
        best = ("optimal", max(values)) if values else ("infeasible", ())
        assert (found.status, found.value) == best, f"seed {seed}: {goes} -> {place}, {stays} stays"
